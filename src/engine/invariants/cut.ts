/**
 * Consistency of the cut on every channel (INV-001 to INV-005), order on channels (INV-006, INV-011, INV-012) and what a
 * task may do around its barrier (INV-008, INV-029). What was sent and what was received is held as a count, a sum over
 * the records (for sets) and a running hash (for order), never as the records themselves. Channel state is looked up in
 * the store when the checkpoint completes or is restored; a channel begins again with what was restored of it.
 */
import { at } from "../../base/assert.ts";
import { mix } from "../../base/hash.ts";
import { channelStateIn } from "../channel-state.ts";
import { numberOfCommittable } from "../committables.ts";
import type { Kernel } from "../kernel.ts";
import { Rows } from "../rows.ts";
import { snapshotWord } from "../savepoints.ts";
import { type Subject, type Watch, copyOf, tableOf } from "./watch.ts";

/** A channel since its two attempts began: what went in, what came out, the last barrier in and out, the barrier it is blocked for. */
const Channel = {
  sent: 0,
  sentSum: 1,
  sentHash: 2,
  received: 3,
  receivedSum: 4,
  receivedHash: 5,
  emitted: 6,
  taken: 7,
  blocked: 8,
  SIZE: 9,
} as const;
/** A task: the checkpoint whose barrier is out but whose snapshot is not taken, the one it aligns, its blocked channels. */
const Task = { emitting: 0, aligning: 1, blocked: 2, SIZE: 3 } as const;
/** A channel in one pending checkpoint: what was sent before the barrier, what was received before the receiver's cut. */
const Cut = { sent: 0, sentSum: 1, sentHash: 2, received: 3, receivedSum: 4, known: 5, SIZE: 6 } as const;
const Known = { barrier: 1, snapshot: 2, both: 3, unaligned: 4 } as const;

/** A channel's state in a checkpoint: each record's hash by side, and records and values of both, input first. */
type ChannelStates = (channel: number) => {
  readonly input: readonly number[];
  readonly output: readonly number[];
  readonly words: readonly number[];
};

/** The arena's list of what a checkpoint holds of a channel on one side, looked up in the store, since entries do not carry it; 0: nothing. */
export function storedList(k: Kernel, checkpoint: number, channel: number, side: "input" | "output"): number {
  const { plan } = k;
  const { from, to } = at(plan.graph.channels, channel);
  const [task, sides] = side === "input" ? ([to, "inputs"] as const) : ([from, "outputs"] as const);
  const handle = snapshotWord(k, checkpoint, task) ?? -1;
  // It may be the snapshot of another job, whose checkpoints were unaligned.
  if (handle < 0 || k.arena.sequences.length(handle) === plan.stateSize[task]) return 0;
  const place = at(plan.graph.subtasks, task)[sides].indexOf(channel);
  return channelStateIn(k, task, handle)[sides][place] ?? 0;
}

function storedChannels(k: Kernel, checkpoint: number): ChannelStates {
  return (channel) => {
    const [input = [], output = []] = (["input", "output"] as const).map((side) =>
      k.arena.lists.toArray(storedList(k, checkpoint, channel, side)),
    );
    return { input: hashes(input), output: hashes(output), words: [...input, ...output] };
  };
}

function hashes(words: readonly number[]): number[] {
  return words.flatMap((word, place) => (place % 2 === 0 ? [mix(mix(17, word), words[place + 1] as number)] : []));
}

type Said = readonly [transaction: number, count: number, writer: number, writers: number];
/** A committable as it is counted, and stored, among records. */
function asRecord(k: Kernel, [transaction, count, writer, writers]: Said): number {
  return numberOfCommittable(k, { checkpoint: 0, transaction, count, writer, writers });
}

/** How many of the last of one list are the first of the other. */
function overlap(input: readonly number[], output: readonly number[]): number {
  for (let count = Math.min(input.length, output.length); count > 0; count--)
    if (output.slice(0, count).every((hash, place) => hash === input[input.length - count + place])) return count;
  return 0;
}

export class Cuts implements Subject {
  static readonly ids = [
    "INV-001",
    "INV-002",
    "INV-003",
    "INV-004",
    "INV-005",
    "INV-006",
    "INV-008",
    "INV-011",
    "INV-012",
    "INV-029",
  ] as const;
  private readonly watch: Watch;
  private readonly channels: Rows;
  private readonly tasks: Rows;
  /** A row a pending checkpoint: its id, then the words of each channel. */
  private readonly cuts: Rows;

  constructor(watch: Watch, from: Cuts | null = null) {
    this.watch = watch;
    const { channels, subtasks } = watch.plan.graph;
    this.channels = from === null ? tableOf(Channel.SIZE, channels.length) : copyOf(from.channels);
    this.tasks = from === null ? tableOf(Task.SIZE, subtasks.length) : copyOf(from.tasks);
    this.cuts = from === null ? new Rows(1 + Cut.SIZE * channels.length, 2) : copyOf(from.cuts);
  }

  clone(watch: Watch): Cuts {
    return new Cuts(watch, this);
  }

  RecordSent(k: Kernel, task: number, channel: number, record: number, value: number): void {
    this.isIdle(k, task, "sends a record");
    this.count(channel, Channel.sent, record, value);
  }

  RecordReceived(k: Kernel, task: number, channel: number, record: number, value: number): void {
    const { watch, channels } = this;
    this.isIdle(k, task, "takes a record");
    this.count(channel, Channel.received, record, value);
    const [sent, received] = [channels.get(channel, Channel.sent), channels.get(channel, Channel.received)];
    if (
      received > sent ||
      (received === sent && channels.get(channel, Channel.receivedHash) !== channels.get(channel, Channel.sentHash))
    ) {
      watch.violated(
        k,
        "INV-006",
        `${watch.channel(channel)} is first in first out, but record ${received} that comes out is not record ${received} that went in`,
        watch.channel(channel),
      );
    }
    if (this.tasks.get(task, Task.blocked) === 0) return;
    if (this.tasks.get(task, Task.aligning) === 0 || channels.get(channel, Channel.blocked) !== 0) {
      watch.violated(
        k,
        "INV-029",
        `${watch.subtask(task)} goes on with ${channels.get(channel, Channel.blocked) === 0 ? `a channel blocked and no checkpoint pending` : `${watch.channel(channel)}, which is blocked`}`,
        watch.subtask(task),
        watch.channel(channel),
      );
    }
  }

  CommittableSent(k: Kernel, _: number, channel: number, checkpoint: number, ...said: Said): void {
    this.count(channel, Channel.sent, asRecord(k, said), checkpoint);
  }

  CommittableReceived(k: Kernel, task: number, channel: number, checkpoint: number, ...said: Said): void {
    this.RecordReceived(k, task, channel, asRecord(k, said), checkpoint);
  }

  RecordEmitted(k: Kernel, task: number): void {
    this.isIdle(k, task, "emits a record");
  }

  RecordProcessed(k: Kernel, task: number): void {
    this.isIdle(k, task, "processes a record");
  }

  NotificationDelivered(k: Kernel, task: number): void {
    this.isIdle(k, task, "handles a notification");
  }

  /** INV-008: between barrier and snapshot a task does nothing else. */
  private isIdle(k: Kernel, task: number, what: string): void {
    const checkpoint = this.tasks.get(task, Task.emitting);
    if (checkpoint === 0) return;
    this.watch.violated(
      k,
      "INV-008",
      `${this.watch.subtask(task)} ${what} between its barrier ${checkpoint} and its snapshot`,
      this.watch.subtask(task),
      `checkpoint ${checkpoint}`,
    );
  }

  private count(
    channel: number,
    side: typeof Channel.sent | typeof Channel.received,
    record: number,
    value: number,
  ): void {
    const { channels } = this;
    channels.set(channel, side, channels.get(channel, side) + 1);
    channels.set(channel, side + 1, (channels.get(channel, side + 1) + mix(mix(17, record), value)) | 0);
    channels.set(channel, side + 2, mix(mix(channels.get(channel, side + 2), record), value));
  }

  CheckpointTriggered(_: Kernel, checkpoint: number): void {
    const row = this.cuts.count;
    this.cuts.open(row);
    this.cuts.set(row, 0, checkpoint);
    for (let word = 1; word < this.cuts.width; word++) this.cuts.set(row, word, 0);
  }

  BarrierEmitted(k: Kernel, task: number, channel: number, checkpoint: number): void {
    const { watch, channels, cuts } = this;
    const last = channels.get(channel, Channel.emitted);
    if (checkpoint === last) {
      watch.violated(
        k,
        "INV-012",
        `barrier ${checkpoint} goes into ${watch.channel(channel)} twice`,
        watch.channel(channel),
        `checkpoint ${checkpoint}`,
      );
    } else if (checkpoint < last) {
      watch.violated(
        k,
        "INV-011",
        `barrier ids ascend on a channel, but ${checkpoint} goes into ${watch.channel(channel)} after ${last}`,
        watch.channel(channel),
        `checkpoint ${checkpoint}`,
      );
    }
    channels.set(channel, Channel.emitted, checkpoint);
    this.tasks.set(task, Task.emitting, checkpoint);
    const row = cuts.find(0, checkpoint);
    if (row < 0) return;
    const place = 1 + channel * Cut.SIZE;
    for (let word = 0; word < 3; word++)
      cuts.set(row, place + Cut.sent + word, channels.get(channel, Channel.sent + word));
    cuts.set(row, place + Cut.known, cuts.get(row, place + Cut.known) | Known.barrier);
  }

  BarrierReceived(k: Kernel, task: number, channel: number, checkpoint: number, aligned: number): void {
    const { watch, channels, cuts } = this;
    const last = channels.get(channel, Channel.taken);
    const { unaligned } = watch.plan.scenario.config.checkpointing;
    if (checkpoint <= last && aligned === 0 && unaligned) return;
    if (checkpoint <= last) {
      watch.violated(
        k,
        "INV-011",
        `barrier ids ascend on a channel, but ${checkpoint} comes out of ${watch.channel(channel)} after ${last}`,
        watch.channel(channel),
        `checkpoint ${checkpoint}`,
      );
    }
    channels.set(channel, Channel.taken, checkpoint);
    if (aligned > 0) this.tasks.set(task, Task.aligning, checkpoint);
    const row = cuts.find(0, checkpoint);
    const place = 1 + channel * Cut.SIZE;
    if (row < 0 || (cuts.get(row, place + Cut.known) & Known.barrier) === 0) return;
    const [sent, received] = [cuts.get(row, place + Cut.sent), channels.get(channel, Channel.received)];
    const overtook = unaligned && received < sent;
    const same = cuts.get(row, place + Cut.sentHash) === channels.get(channel, Channel.receivedHash);
    if (!overtook && (sent !== received || !same)) {
      watch.violated(
        k,
        "INV-006",
        `barrier ${checkpoint} comes out of ${watch.channel(channel)} behind ${received} records; it went in behind ${sent}${sent === received ? " others" : ""}`,
        watch.channel(channel),
        `checkpoint ${checkpoint}`,
      );
    }
  }

  ChannelBlocked(k: Kernel, task: number, channel: number, checkpoint: number): void {
    const { watch } = this;
    if (this.tasks.get(task, Task.aligning) !== checkpoint) {
      watch.violated(
        k,
        "INV-029",
        `${watch.channel(channel)} is blocked for checkpoint ${checkpoint}, which is not pending at ${watch.subtask(task)}`,
        watch.subtask(task),
        watch.channel(channel),
      );
    }
    this.channels.set(channel, Channel.blocked, checkpoint);
    this.tasks.set(task, Task.blocked, this.tasks.get(task, Task.blocked) + 1);
  }

  ChannelResumed(_: Kernel, task: number, channel: number): void {
    if (this.channels.get(channel, Channel.blocked) === 0) return;
    this.channels.set(channel, Channel.blocked, 0);
    this.tasks.set(task, Task.blocked, this.tasks.get(task, Task.blocked) - 1);
  }

  AlignmentCompleted(_: Kernel, task: number): void {
    this.tasks.set(task, Task.aligning, 0);
  }

  AlignmentAborted(_: Kernel, task: number): void {
    this.tasks.set(task, Task.aligning, 0);
  }

  SnapshotTaken(_: Kernel, task: number, checkpoint: number): void {
    const { channels, cuts } = this;
    this.tasks.set(task, Task.emitting, 0);
    const row = cuts.find(0, checkpoint);
    if (row < 0) return;
    for (const channel of at(this.watch.plan.graph.subtasks, task).inputs) {
      const place = 1 + channel * Cut.SIZE;
      cuts.set(row, place + Cut.received, channels.get(channel, Channel.received));
      cuts.set(row, place + Cut.receivedSum, channels.get(channel, Channel.receivedSum));
      cuts.set(row, place + Cut.known, cuts.get(row, place + Cut.known) | Known.snapshot);
    }
  }

  UnalignedSnapshotStarted(_: Kernel, task: number, checkpoint: number): void {
    const { watch, cuts } = this;
    const row = cuts.find(0, checkpoint);
    for (const channel of row < 0 ? [] : at(watch.plan.graph.subtasks, task).inputs) {
      if (watch.plan.overtakes[at(watch.plan.graph.channels, channel).edge] !== true) continue;
      const place = 1 + channel * Cut.SIZE + Cut.known;
      cuts.set(row, place, cuts.get(row, place) | Known.unaligned);
    }
  }

  CheckpointCompleted(k: Kernel, checkpoint: number): void {
    const { cuts, watch } = this;
    const row = cuts.find(0, checkpoint);
    if (row < 0) return;
    const states = storedChannels(k, checkpoint);
    for (let channel = 0; channel < watch.plan.graph.channels.length; channel++) {
      const known = cuts.get(row, 1 + channel * Cut.SIZE + Cut.known);
      if ((known & Known.both) === Known.both) this.compareCut(k, checkpoint, row, channel, states);
    }
    cuts.remove(row);
  }

  /** What was sent before the barrier is what the receiver took before its cut and what is stored of the channel. */
  private compareCut(k: Kernel, checkpoint: number, row: number, channel: number, states: ChannelStates): void {
    const { cuts, watch } = this;
    const place = 1 + channel * Cut.SIZE;
    const { input, output } = states(channel);
    const sent = cuts.get(row, place + Cut.sent);
    const taken = cuts.get(row, place + Cut.received);
    const held = taken + input.length + output.length;
    const sum = [...input, ...output].reduce(
      (total, mixed) => (total + mixed) | 0,
      cuts.get(row, place + Cut.receivedSum),
    );
    const stored = input.length + output.length;
    const aligned = (cuts.get(row, place + Cut.known) & Known.unaligned) === 0;
    const same = sum === cuts.get(row, place + Cut.sentSum);
    const said = `${watch.channel(channel)} had ${sent} records before barrier ${checkpoint}, its receiver's snapshot holds ${taken}${stored === 0 ? "" : `, and ${stored} are stored as channel state`}`;
    const found = (id: string, what: string): void =>
      watch.violated(k, id, `${what}, but ${said}`, watch.channel(channel), `checkpoint ${checkpoint}`);
    if (aligned && stored > 0) found("INV-003", "aligned, no channel state is stored");
    if (sent === held && same) return;
    const lost = held < sent || (held === sent && !aligned);
    for (const id of lost ? ["INV-001", "INV-005"] : [])
      found(id, "a record sent before the barrier is in the receiver's snapshot");
    if (held > sent || (held === sent && !aligned))
      found("INV-002", "the receiver's snapshot holds no record sent behind the barrier");
    if (overlap(input, output) > 0) found("INV-004", "what is stored by the sender is not stored by the receiver too");
    if (aligned)
      found(
        "INV-003",
        `aligned, a snapshot holds exactly what was sent before the barrier${sent === held ? ", and no others" : ""}`,
      );
  }

  /** Both ends of a channel begin again with what the checkpoint has of it: first what was its input, then the output. */
  StateRestored(k: Kernel, task: number, _: number, checkpoint: number): void {
    const { checkpointing } = this.watch.plan.scenario.config;
    if (checkpoint === checkpointing.withoutChannelState) return;
    const states = storedChannels(k, checkpoint);
    const { inputs, outputs } = at(this.watch.plan.graph.subtasks, task);
    for (const channel of [...inputs, ...outputs]) {
      const { words } = states(channel);
      for (let word = 0; word < 3; word++) this.channels.set(channel, Channel.sent + word, 0);
      for (let i = 0; i < words.length; i += 2)
        this.count(channel, Channel.sent, words[i] as number, words[i + 1] as number);
    }
  }

  CheckpointAborted(_: Kernel, checkpoint: number): void {
    this.cuts.removeWhere(0, checkpoint);
  }

  LeadershipLost(): void {
    this.cuts.count = 0;
  }

  /** A new attempt has new channels. */
  AttemptCreated(_: Kernel, task: number): void {
    const { inputs, outputs } = at(this.watch.plan.graph.subtasks, task);
    this.forget(task);
    for (const channel of inputs) this.begin(channel, this.watch.plan.blocking[channel] === 1);
    for (const channel of outputs) this.begin(channel, false);
  }

  /** `kept`: what was sent is read again from the beginning, as the result of a blocking exchange is. */
  private begin(channel: number, kept: boolean): void {
    for (let word = kept ? Channel.received : 0; word < Channel.emitted; word++) this.channels.set(channel, word, 0);
  }

  TaskStopped(_: Kernel, task: number): void {
    this.forget(task);
  }

  private forget(task: number): void {
    for (let field = 0; field < Task.SIZE; field++) this.tasks.set(task, field, 0);
    for (const channel of at(this.watch.plan.graph.subtasks, task).inputs)
      this.channels.set(channel, Channel.blocked, 0);
  }
}
