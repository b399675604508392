/**
 * The run as processes and messages: one lifeline for the JobManager, each subtask (each operator, where there are many),
 * the checkpoint storage and the log. An entry is an event of one process; an entry whose recorded cause is another
 * process's is the receipt of a message. Nothing else of the log is needed, so the picture is a function of the log and a
 * window. What happens in a process is in order; between processes only causes are.
 */
import { at } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import { EventNumber, type EventType, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import { Effects } from "./causes.ts";
import { type Process, sideOf, subtaskPlaceOf } from "../protocol/processes.ts";

export type LifelineKind = Process;

export interface Lifeline {
  readonly kind: LifelineKind;
  /** A subtask's name, or its vertex's; empty for the others. */
  readonly name: string;
  /** Steps of its events, in order. */
  readonly events: number[];
}

export type MessageKind = "record" | "barrier" | "rpc" | "commit" | "file";

/** More subtasks of one operator than this share a lifeline. */
const FOLDED_ABOVE = 8;

const kinds: { readonly [T in EventType]?: MessageKind } = {
  RecordReceived: "record",
  RecordWritten: "record",
  EndOfDataReceived: "record",
  EndOfPartitionReceived: "record",
  BarrierReceived: "barrier",
  BarrierAnnounced: "barrier",
  CancelMarkerReceived: "barrier",
  TransactionCommitted: "commit",
  TransactionEndPrepared: "commit",
  TransactionMarkerWritten: "commit",
  CommitFailed: "commit",
  CheckpointFileWritten: "file",
  CheckpointFileReused: "file",
};
const messageKinds: readonly MessageKind[] = eventTypes.map((type) => kinds[type] ?? "rpc");

export class SpaceTime {
  readonly lifelines: Lifeline[] = [];
  private readonly log: EventLog;
  private readonly graphAt: (step: number) => ExecutionGraph;
  private readonly effects: Effects;
  /** By step: its lifeline, and its rank in causal order. */
  private line = new Int16Array(0);
  private rank = new Int32Array(0);
  /** The greatest rank of all. */
  lastRank = 0;
  private known = 0;
  private graph: ExecutionGraph | null = null;
  /** By subtask of the graph at hand; then by side. */
  private linesOfSubtasks: number[] = [];
  private readonly lineOfName = new Map<string, number>();

  constructor(log: EventLog, graphAt: (step: number) => ExecutionGraph, effects = new Effects(log)) {
    this.log = log;
    this.graphAt = graphAt;
    this.effects = effects;
    this.lineFor("jobManager", "");
  }

  get length(): number {
    return this.known;
  }

  /** Takes in what the log has more. */
  extend(): this {
    const { length } = this.log;
    if (length === this.known) return this;
    const line = new Int16Array(length);
    line.set(this.line);
    this.line = line;
    const rank = new Int32Array(length);
    rank.set(this.rank);
    this.rank = rank;
    for (let step = this.known; step < length; step++) this.take(step);
    this.known = length;
    return this;
  }

  private take(step: number): void {
    this.enter(this.graphAt(step));
    const number = this.lineOfEntry(step);
    const { events: own } = at(this.lifelines, number);
    const before = own[own.length - 1];
    const cause = this.log.cause(step);
    this.line[step] = number;
    const rank = 1 + Math.max(before === undefined ? -1 : this.rankOf(before), cause < 0 ? -1 : this.rankOf(cause));
    this.rank[step] = rank;
    this.lastRank = Math.max(this.lastRank, rank);
    own.push(step);
  }

  private enter(graph: ExecutionGraph): void {
    if (graph === this.graph) return;
    this.graph = graph;
    this.linesOfSubtasks = graph.subtasks.map(({ name, taskVertex }) => {
      const { uid, parallelism } = at(graph.vertices, taskVertex);
      const line = this.lineFor("task", parallelism > FOLDED_ABOVE ? uid : name);
      this.lineOfName.set(`subtask ${name}`, line);
      return line;
    });
    this.lineFor("storage", "");
    this.lineFor("log", "");
  }

  private lineFor(kind: LifelineKind, name: string): number {
    const key = `${kind} ${name}`;
    const known = this.lineOfName.get(key);
    if (known !== undefined) return known;
    const made = this.lifelines.push({ kind, name, events: [] }) - 1;
    this.lineOfName.set(key, made);
    return made;
  }

  private lineOfEntry(step: number): number {
    const type = this.log.type(step);
    const side = sideOf(type);
    if (side !== null) return this.lineFor(side, "");
    const place = subtaskPlaceOf(type);
    const subtask = place < 0 ? -1 : this.log.field(step, place);
    return this.linesOfSubtasks[subtask] ?? this.lineFor("jobManager", "");
  }

  lineOf(step: number): number {
    return this.line[step] as number;
  }

  /** The lifeline that a subtask has had last, alone or with the others of its operator. */
  lineOfSubtask(name: string): number {
    return this.lineOfName.get(`subtask ${name}`) ?? this.lineFor("task", name);
  }

  /** Its place among the events of its process. */
  placeOf(step: number): number {
    const { events } = at(this.lifelines, this.lineOf(step));
    return firstPlace(events.length, (place) => at(events, place) >= step);
  }

  /** The longest chain of events that leads to it: what may be one is never before the other. */
  rankOf(step: number): number {
    return this.rank[step] as number;
  }

  /** The entry that sent what this one receives; `-1`: it receives nothing of another process. */
  senderOf(step: number): number {
    const cause = this.log.cause(step);
    return cause >= 0 && this.lineOf(cause) !== this.lineOf(step) ? cause : -1;
  }

  /** The entries that receive what this one has sent, in order. */
  receiptsOf(step: number): number[] {
    return this.effects.of(step).filter((effect) => this.lineOf(effect) !== this.lineOf(step));
  }

  messageKind(step: number): MessageKind {
    return at(messageKinds, this.log.type(step));
  }

  /** By lifeline: the last entry that an entry comes from; `-1`: none. All before it on that lifeline are in its past. */
  past(step: number): number[] {
    const last = this.lifelines.map(() => -1);
    last[this.lineOf(step)] = step;
    for (let each = step; each >= 0; each--) {
      if (each > at(last, this.lineOf(each))) continue;
      const cause = this.log.cause(each);
      if (cause >= 0) last[this.lineOf(cause)] = Math.max(at(last, this.lineOf(cause)), cause);
    }
    return last;
  }

  /** By lifeline: the first entry that comes of an entry; the log's length: none. */
  future(step: number): number[] {
    const first = this.lifelines.map(() => this.known);
    first[this.lineOf(step)] = step;
    for (let each = step; each < this.known; each++) {
      const line = this.lineOf(each);
      if (each >= at(first, line)) continue;
      const cause = this.log.cause(each);
      if (cause >= 0 && cause >= at(first, this.lineOf(cause))) first[line] = each;
    }
    return first;
  }

  /** Where a process was not there: from its end to the next of its events. */
  gaps(line: number): readonly { readonly from: number; readonly to: number }[] {
    const { events: own, kind } = at(this.lifelines, line);
    const ends = kind === "task" ? EventNumber.TaskStopped : kind === "jobManager" ? EventNumber.LeadershipLost : -1;
    return own.flatMap((step, place) =>
      this.log.type(step) === ends ? [{ from: step, to: own[place + 1] ?? -1 }] : [],
    );
  }
}
