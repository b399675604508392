/**
 * Why something has not happened yet: what waits, for what, and so on to the one that everything waits for. Told from the
 * view at the cursor, link by link: who has not delivered its barrier, where that barrier is, who cannot send since a
 * channel is full, who has something in hand. Nothing is assumed: a link is told where the view shows it.
 */
import { at } from "../base/assert.ts";
import type { Concerned } from "./entry-elements.ts";
import { checkpointPlace } from "./own.ts";
import type { CheckpointView, RunView } from "./views.ts";

/** One link. `on`: what of the run it is about, the culprit last. Numbers are the graph's; `ms` until it is over, if known. */
export type Wait = { readonly on: readonly Concerned[] } & (
  | {
      readonly says: "acks";
      readonly checkpoint: number;
      readonly missing: number;
      readonly of: number;
      readonly task: string;
    }
  | {
      readonly says: "barrier";
      readonly task: string;
      readonly checkpoint: number;
      readonly from: string;
      readonly more: number;
    }
  | { readonly says: "behind"; readonly channel: string; readonly checkpoint: number; readonly records: number }
  | { readonly says: "moving"; readonly channel: string; readonly checkpoint: number; readonly ms: number }
  | { readonly says: "not-sent"; readonly task: string; readonly checkpoint: number }
  | {
      readonly says: "full";
      readonly task: string;
      readonly channel: string;
      readonly records: number;
      readonly to: string;
    }
  | { readonly says: "blocked"; readonly channel: string; readonly task: string; readonly checkpoint: number }
  | { readonly says: "slow"; readonly task: string; readonly cost: number; readonly waiting: number }
  | {
      readonly says: "busy";
      readonly task: string;
      readonly what: "record" | "snapshot" | "commit";
      readonly ms: number | null;
    }
  | { readonly says: "stalled"; readonly task: string; readonly ms: number | null }
  | { readonly says: "not-running"; readonly task: string; readonly state: string }
  | { readonly says: "uploads"; readonly task: string; readonly checkpoint: number }
  | { readonly says: "ack-under-way"; readonly task: string; readonly checkpoint: number; readonly lost: boolean }
  | { readonly says: "trigger-under-way"; readonly task: string; readonly checkpoint: number; readonly lost: boolean }
  | { readonly says: "metadata"; readonly checkpoint: number }
  | { readonly says: "commit-waits"; readonly transaction: number; readonly checkpoint: number }
  | { readonly says: "commit-under-way"; readonly transaction: number; readonly notified: boolean }
  | { readonly says: "writes"; readonly transaction: number; readonly task: string }
  | { readonly says: "restart"; readonly ms: number; readonly tasks: number }
);

/** Links of one chain at most: no graph is deeper. */
const LONGEST = 64;

/** Follows waits from link to link; each subtask is looked at once. */
class Search {
  readonly waits: Wait[] = [];
  private readonly view: RunView;
  private readonly seen = new Set<string>();

  constructor(view: RunView) {
    this.view = view;
  }

  private name(subtask: number): string {
    return at(this.view.shared.graph.subtasks, subtask).name;
  }

  private channelName(channel: number): string {
    return at(this.view.shared.graph.channels, channel).name;
  }

  /** Is this the first look? */
  private enter(question: string): boolean {
    if (this.seen.has(question) || this.waits.length >= LONGEST) return false;
    this.seen.add(question);
    return true;
  }

  checkpoint(checkpoint: CheckpointView): void {
    const { id, parts } = checkpoint;
    const missing = parts.flatMap((part, subtask) =>
      part?.state === "ACKNOWLEDGED" || part?.finished === true ? [] : [subtask],
    );
    const [first] = missing;
    if (first === undefined) {
      this.waits.push({ says: "metadata", checkpoint: id, on: [{ kind: "checkpoint", id }] });
      return;
    }
    const last = missing.reduce(
      (deepest, subtask) => (this.stage(checkpoint, subtask) < this.stage(checkpoint, deepest) ? subtask : deepest),
      first,
    );
    const task = this.name(last);
    this.waits.push({
      says: "acks",
      checkpoint: id,
      missing: missing.length,
      of: parts.length,
      task,
      on: [
        { kind: "checkpoint", id },
        { kind: "subtask", id: last },
      ],
    });
    this.part(checkpoint, last);
  }

  /** How far a subtask's part is: the least far holds all others up. Among those that wait for barriers the last ones do. */
  private stage({ parts }: CheckpointView, subtask: number): number {
    const part = parts[subtask];
    if (part === null || part === undefined || part.startedAt < 0) return -subtask - 1;
    return part.persistedAt >= 0 ? 2 : 1;
  }

  /** Why a subtask has not acknowledged. */
  private part(checkpoint: CheckpointView, subtask: number): void {
    const { id } = checkpoint;
    if (!this.enter(`part ${subtask}`)) return;
    const part = checkpoint.parts[subtask] ?? null;
    const task = this.name(subtask);
    const on: readonly Concerned[] = [{ kind: "subtask", id: subtask }];
    if (part !== null && part.persistedAt >= 0) {
      const lost = this.view.messages.every(
        (message) => message.rpc !== "ack" || message.subtask !== subtask || message.lost,
      );
      this.waits.push({ says: "ack-under-way", task, checkpoint: id, lost, on });
      return;
    }
    if (part !== null && part.takenAt >= 0) {
      this.waits.push({ says: "uploads", task, checkpoint: id, on });
      return;
    }
    if (this.idleThread(subtask, false)) return;
    if (at(this.view.shared.graph.subtasks, subtask).inputs.length === 0) this.source(id, subtask);
    else this.barriers(id, subtask);
  }

  private source(checkpoint: number, subtask: number): void {
    const task = this.name(subtask);
    const on: readonly Concerned[] = [{ kind: "subtask", id: subtask }];
    const trigger = this.view.messages.find(
      (message) => message.rpc === "trigger" && message.subtask === subtask && message.checkpoint === checkpoint,
    );
    if (trigger !== undefined) {
      this.waits.push({ says: "trigger-under-way", task, checkpoint, lost: trigger.lost, on });
      return;
    }
    if (!this.inHand(subtask)) this.waits.push({ says: "not-sent", task, checkpoint, on });
  }

  /** Which barriers a subtask waits for, and where the first of them is. */
  barriers(checkpoint: number, subtask: number): void {
    const { graph } = this.view.shared;
    const { handler } = at(this.view.subtasks, subtask);
    const came = handler.checkpoint === checkpoint ? handler.aligned : [];
    const missing = at(graph.subtasks, subtask).inputs.filter((channel) => !came.includes(channel));
    // A barrier that is on its way is nearer than one that is not sent: the farthest is why.
    const channel =
      this.leastFar(
        missing.filter((each) => this.placeOf(each, checkpoint) < 0),
        checkpoint,
      ) ?? missing.toSorted((a, b) => this.placeOf(b, checkpoint) - this.placeOf(a, checkpoint))[0];
    if (channel === undefined) {
      this.inHand(subtask);
      return;
    }
    const { from } = at(graph.channels, channel);
    this.waits.push({
      says: "barrier",
      task: this.name(subtask),
      checkpoint,
      from: this.name(from),
      more: missing.length - 1,
      on: [
        { kind: "subtask", id: subtask },
        { kind: "channel", id: channel },
      ],
    });
    this.barrier(checkpoint, channel);
  }

  /** Of channels whose barrier is not sent, the one whose sender has the most barriers to come itself. */
  private leastFar(channels: readonly number[], checkpoint: number): number | undefined {
    const { graph } = this.view.shared;
    const missing = (channel: number): number => {
      const { from } = at(graph.channels, channel);
      const { handler } = at(this.view.subtasks, from);
      const came = handler.checkpoint === checkpoint ? handler.aligned.length : 0;
      return at(graph.subtasks, from).inputs.length - came;
    };
    return channels.toSorted((a, b) => missing(b) - missing(a))[0];
  }

  /** Elements in front of a checkpoint's barrier in a channel; `-1`: it is not there. */
  private placeOf(channel: number, checkpoint: number): number {
    return at(this.view.channels, channel).queue.findIndex(({ kind, id }) => kind === "barrier" && id === checkpoint);
  }

  /** Where a barrier is that has not been taken. */
  private barrier(checkpoint: number, channel: number): void {
    const { from, to } = at(this.view.shared.graph.channels, channel);
    const place = this.placeOf(channel, checkpoint);
    const on: readonly Concerned[] = [{ kind: "channel", id: channel }];
    if (place < 0) {
      const view = this.view.checkpoints[checkpointPlace(this.view, checkpoint)];
      if (view === undefined) return;
      this.waits.push({ says: "not-sent", task: this.name(from), checkpoint, on: [{ kind: "subtask", id: from }] });
      this.part(view, from);
      return;
    }
    const { queue } = at(this.view.channels, channel);
    if (place === 0) {
      const ms = Math.max(0, at(queue, 0).arrivesAt - this.view.clock);
      this.waits.push({ says: "moving", channel: this.channelName(channel), checkpoint, ms, on });
    } else {
      const records = queue.slice(0, place).filter(({ kind }) => kind === "record").length;
      this.waits.push({ says: "behind", channel: this.channelName(channel), checkpoint, records, on });
    }
    this.pressure(to);
  }

  /** What keeps a subtask from taking what is there, down the stream to the slow one. */
  pressure(subtask: number): void {
    if (!this.enter(`pressure ${subtask}`) || this.idleThread(subtask, true)) return;
    const { graph } = this.view.shared;
    const full = at(graph.subtasks, subtask).outputs.find((channel) => this.isFull(channel));
    if (full === undefined) {
      this.inHand(subtask);
      return;
    }
    const { to } = at(graph.channels, full);
    const { fill, blocked } = at(this.view.channels, full);
    this.waits.push({
      says: "full",
      task: this.name(subtask),
      channel: this.channelName(full),
      records: fill,
      to: this.name(to),
      on: [
        { kind: "subtask", id: subtask },
        { kind: "channel", id: full },
      ],
    });
    if (blocked >= 0) this.blocked(full);
    else this.pressure(to);
  }

  private isFull(channel: number): boolean {
    const { graph } = this.view.shared;
    return at(this.view.channels, channel).fill >= at(graph.edges, at(graph.channels, channel).edge).capacity;
  }

  /** A channel that its reader does not read, for a checkpoint whose other barriers are missing. */
  blocked(channel: number): void {
    const { to } = at(this.view.shared.graph.channels, channel);
    const checkpoint = at(this.view.channels, channel).blocked;
    this.waits.push({
      says: "blocked",
      channel: this.channelName(channel),
      task: this.name(to),
      checkpoint,
      on: [
        { kind: "channel", id: channel },
        { kind: "subtask", id: to },
      ],
    });
    if (this.enter(`barriers ${to}`)) this.barriers(checkpoint, to);
  }

  /** A thread that does nothing, whatever is there for it. */
  private idleThread(subtask: number, running: boolean): boolean {
    const { state, stalled } = at(this.view.subtasks, subtask);
    const task = this.name(subtask);
    const on: readonly Concerned[] = [{ kind: "subtask", id: subtask }];
    if (stalled !== null) {
      const ms = stalled.until < 0 ? null : stalled.until - this.view.clock;
      this.waits.push({ says: "stalled", task, ms, on });
      return true;
    }
    if (state === "RUNNING" || (running && state === "INITIALIZING")) return false;
    this.waits.push({ says: "not-running", task, state, on });
    return true;
  }

  /** What a thread has in hand; the one with a record at hand and more behind it is the slow one. */
  private inHand(subtask: number): boolean {
    const { work } = at(this.view.subtasks, subtask);
    const { graph, cost } = this.view.shared;
    const task = this.name(subtask);
    const on: readonly Concerned[] = [{ kind: "subtask", id: subtask }];
    if (work === null || (work.until >= 0 && work.until < this.view.clock)) return false;
    const waiting = at(graph.subtasks, subtask).inputs.reduce(
      (sum, channel) => sum + at(this.view.channels, channel).fill,
      0,
    );
    if (work.kind === "record" && waiting > 0)
      this.waits.push({ says: "slow", task, cost: at(cost, subtask), waiting, on });
    else
      this.waits.push({
        says: "busy",
        task,
        what: work.kind,
        ms: work.until < 0 ? null : work.until - this.view.clock,
        on,
      });
    return true;
  }

  transaction(place: number): void {
    const { state, checkpoint, number, subtask, commitRequestedAt } = at(this.view.transactions, place);
    const on: readonly Concerned[] = [{ kind: "transaction", id: number }];
    if (state === "OPEN") this.waits.push({ says: "writes", transaction: number, task: this.name(subtask), on });
    if (state !== "PRE_COMMITTED") return;
    const view = this.view.checkpoints[checkpointPlace(this.view, checkpoint)];
    if (view?.state === "COMPLETED" || commitRequestedAt >= 0) {
      this.waits.push({ says: "commit-under-way", transaction: number, notified: commitRequestedAt >= 0, on });
      return;
    }
    this.waits.push({
      says: "commit-waits",
      transaction: number,
      checkpoint,
      on: [...on, { kind: "checkpoint", id: checkpoint }],
    });
    if (view !== undefined && isPending(view)) this.checkpoint(view);
  }

  subtask(subtask: number): void {
    if (this.idleThread(subtask, false)) return;
    const { handler } = at(this.view.subtasks, subtask);
    const collects = handler.aligned.length > 0 && handler.state.includes("COLLECTING");
    if (collects) this.barriers(handler.checkpoint, subtask);
    else this.pressure(subtask);
  }

  restart(): void {
    for (const { scheduledAt, delay, restarted } of this.view.job.restarting) {
      const ms = scheduledAt + delay - this.view.clock;
      if (ms > 0)
        this.waits.push({
          says: "restart",
          ms,
          tasks: restarted.length,
          on: restarted.map((id) => ({ kind: "subtask" as const, id })),
        });
    }
  }
}

function isPending({ endedAt }: CheckpointView): boolean {
  return endedAt < 0;
}

/** What an element waits for at the view's cursor, from the victim to the one that everything waits for; none: it does not wait. */
export function waitsOf(view: RunView, { kind, id }: { readonly kind: string; readonly id: number }): readonly Wait[] {
  const search = new Search(view);
  if (kind === "checkpoint") {
    const checkpoint = view.checkpoints.find((each) => each.id === id);
    if (checkpoint !== undefined && isPending(checkpoint)) search.checkpoint(checkpoint);
  } else if (kind === "channel") {
    if (at(view.channels, id).blocked >= 0) search.blocked(id);
    else if (at(view.channels, id).fill > 0) search.pressure(at(view.shared.graph.channels, id).to);
  } else if (kind === "subtask") {
    search.subtask(id);
  } else if (kind === "transaction") {
    const place = view.transactions.findLastIndex(({ number }) => number === id);
    if (place >= 0) search.transaction(place);
  } else if (kind === "jobManager") {
    search.restart();
    const pending = view.checkpoints.find(isPending);
    if (pending !== undefined) search.checkpoint(pending);
  }
  return search.waits;
}
