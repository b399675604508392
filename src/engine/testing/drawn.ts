/**
 * Channels as drawings. Each line is one input of a task T, each column a millisecond: what stands there arrives then.
 * A digit is a record, `|n` the barrier of checkpoint n, `xn` a cancel marker, `$` the end of the partition, anything else
 * nothing. `!n` is an unaligned barrier, `?n` one that may time out, `&n` one that was unaligned before a pointwise exchange.
 *
 *     A: "12|5 34"
 *     B: "  6  7|5 8"
 *
 * T keeps which records are in its state. What it does is told one short line an entry.
 */
import { at } from "../../base/assert.ts";
import { type TraceEntry, traceEntry } from "../../protocol/trace.ts";
import { ElementKind } from "../layout.ts";
import { MailKind, post, wake } from "../mailbox.ts";
import { Drive, counter, sink, small, source } from "./stories.ts";

const KIND = {
  "|": ElementKind.barrier,
  x: ElementKind.cancelMarker,
  $: ElementKind.endOfPartition,
  "!": ElementKind.unaligned,
  "?": ElementKind.timeoutable,
  "&": ElementKind.forcedUnaligned,
} as const;

const MARK = Object.fromEntries([
  [ElementKind.record, ""],
  ...Object.entries(KIND).map(([mark, kind]) => [kind, mark]),
]) as {
  readonly [kind: number]: string;
};

interface Arrival {
  readonly channel: string;
  readonly column: number;
  readonly kind: number;
  readonly id: number;
}

function arrivalsOf(channel: string, drawing: string): Arrival[] {
  return [...drawing.matchAll(/([|x!?&])(\d+)|(\d)|\$/g)].map(([text, mark, id, digit], index, all): Arrival => ({
    channel,
    column: all[index]?.index ?? 0,
    kind: text in KIND || mark !== undefined ? KIND[(mark ?? text) as keyof typeof KIND] : ElementKind.record,
    id: Number(id ?? digit ?? 0),
  }));
}

interface DrawnOptions {
  readonly timing?: { readonly [key: string]: unknown };
  /** Keys of `execution.checkpointing`. */
  readonly checkpointing?: { readonly [key: string]: unknown };
  readonly ship?: string;
  /** Milliseconds that T needs for a record. */
  readonly cost?: number;
}

/** T with an input for each line of the drawing; it runs, and its sources have nothing of their own to say. */
export class Drawn extends Drive {
  private readonly names: readonly string[];
  private readonly task: number;

  constructor(names: readonly string[], options: DrawnOptions = {}) {
    const { timing = {}, checkpointing = {}, ship = "forward", cost = 0 } = options;
    super(
      small({
        vertices: [
          ...names.map((name) => source(name, { topic: name })),
          counter("T", { cost }),
          // Drawn records are in no topic, so none may get as far as the sink: all have the value 1, and 1 is odd.
          { uid: "F", type: "filter", chain: false },
          sink("K", { delivery: "none" }),
        ],
        edges: [...names.map((name) => `${name} ${ship} T`), `T ${ship} F`, `F ${ship} K`],
        topics: { in: { records: 0 }, ...Object.fromEntries(names.map((name) => [name, {}])) },
        timing: { "snapshot.sync": 0, "snapshot.async": "1 d", ...timing },
        initialDelay: 86_400_000,
        checkpointing: { interval: "1 d", ...checkpointing },
      }),
    );
    this.names = names;
    this.task = this.subtask("T[0]");
    this.until("TaskStateChanged", { subtask: "K[0]", to: "RUNNING" });
    this.pass(10);
  }

  /** Puts what is drawn into the channels and lets T go on until all has arrived, and for some time more. */
  play(drawings: readonly string[], more = 50): string[] {
    const { kernel } = this;
    const { world } = kernel;
    const arrivals = drawings
      .flatMap((drawing, index) => arrivalsOf(at(this.names, index), drawing))
      .sort((a, b) => a.column - b.column);
    for (const { channel, column, kind, id } of arrivals) {
      const number = this.channel(`${channel}[0]->T[0]`);
      const word = kind === ElementKind.record ? id * this.graph.inputs.length + this.names.indexOf(channel) : id;
      world.enqueue(number, kind, word, kind === ElementKind.record ? 1 : world.clock, world.clock + column, -1);
    }
    const [first] = arrivals;
    if (first !== undefined) wake(kernel, this.task, world.clock + first.column);
    return this.listen(more);
  }

  /** The same, but each element is put into its channel only when it arrives: what counts as received is seen by then. */
  playOneByOne(drawings: readonly string[], more = 50): string[] {
    const begin = this.simulation.world.clock;
    const lines: string[] = [];
    const columns = Math.max(0, ...drawings.map(({ length }) => length));
    for (let column = 0; column < columns; column++) {
      const now = drawings.map((drawing) => arrivalsOf("", drawing).find((arrival) => arrival.column === column));
      this.simulation.world.clock = begin + column;
      lines.push(
        ...this.play(
          now.map((arrival) => (arrival === undefined ? "" : MARK[arrival.kind] + String(arrival.id))),
          0,
        ),
      );
    }
    return [...lines, ...this.listen(more)];
  }

  /** A notification that checkpoint n is aborted, as the coordinator would send it. */
  tellAborted(checkpoint: number): string[] {
    post(this.kernel, this.task, this.kernel.world.task(this.task, 1), MailKind.aborted, checkpoint, 0);
    return this.listen(5);
  }

  /** A trigger message for checkpoint n, as the coordinator would send it to a task that none runs before. */
  trigger(checkpoint: number): string[] {
    const { kernel, task } = this;
    post(kernel, task, kernel.world.task(task, 1), MailKind.trigger, checkpoint, kernel.now);
    return this.listen(5);
  }

  /** T's lines of the next milliseconds. */
  listen(milliseconds: number): string[] {
    const { simulation } = this;
    const end = simulation.world.clock + milliseconds;
    const lines: string[] = [];
    while (simulation.nextDue <= end && simulation.step(() => simulation.nextDue > end)) {
      const entry = traceEntry(this.graph, this.log, this.log.length - 1);
      const line = entry["subtask"] === "T[0]" ? this.line(entry) : null;
      if (line !== null) lines.push(line);
    }
    return lines;
  }

  private line(entry: TraceEntry): string | null {
    const { type, checkpoint, channel, record, reason, duration, side, records } = entry as TraceEntry & {
      [field: string]: string;
    };
    const from = String(channel).slice(0, 1);
    switch (type) {
      case "RecordReceived":
        return this.name(String(record));
      case "BarrierReceived":
        return `|${checkpoint} on ${from}`;
      case "EndOfPartitionReceived":
        return `$ on ${from}`;
      case "ChannelBlocked":
        return `block ${from}`;
      case "ChannelResumed":
        return `resume ${from}`;
      case "AlignmentCompleted":
        return `aligned after ${duration} ms`;
      case "AlignmentAborted":
        return `abort ${checkpoint} ${reason}`;
      case "BarrierEmitted":
        return `-> |${checkpoint}`;
      case "CancelMarkerEmitted":
        return `-> x${checkpoint}`;
      case "CancelMarkerReceived":
        return `x${checkpoint} on ${from}`;
      case "SnapshotTaken":
        return `snapshot ${checkpoint} {${this.state().join(" ")}}`;
      case "BarrierAnnounced":
        return `?${checkpoint} announced on ${from}`;
      case "AlignmentTimedOut":
        return `timed out ${checkpoint}`;
      case "UnalignedSnapshotStarted":
        return `unaligned ${checkpoint}`;
      case "InFlightDataPersisted":
        return `${side} ${from}: ${records}`;
      case "SnapshotPersisted":
        return `written ${checkpoint}`;
      case "SnapshotFailed":
        return `async part ${checkpoint} fails`;
      case "SnapshotDiscarded":
        return `discard ${checkpoint}`;
      default:
        return null;
    }
  }

  /** `A@3` as `a3`. */
  private name(record: string): string {
    const [, partition = "", offset = ""] = /^(.+)-0@(\d+)$/.exec(record) ?? [];
    return `${partition.toLowerCase()}${offset}`;
  }

  /** The records in T's state. */
  private state(): string[] {
    const { plan, world, arena } = this.kernel;
    const records = arena.lists.toArray(world.state[at(plan.stateStart, this.task) + 1] as number);
    const { inputs } = this.graph;
    return records.map(
      (number) => `${at(inputs, number % inputs.length).topic.toLowerCase()}${Math.floor(number / inputs.length)}`,
    );
  }
}

/** One drawing, played from the beginning. */
export function drawn(channels: { readonly [name: string]: string }, options: DrawnOptions = {}): string[] {
  return new Drawn(Object.keys(channels), options).play(Object.values(channels));
}
