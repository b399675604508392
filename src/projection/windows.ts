/**
 * The windows of a checkpoint or of a transaction: its boundaries as the log has them, in order, and between each
 * two what each party has seen so far, the furthest boundary that it knows of. A crash strikes in one of them. Followed
 * from the trigger or the begin until a later checkpoint takes the place of this one: from then on no recovery commits
 * again (SK-143, SK-144). Left out is what the log has no entry for: the sending of notifications, a lost answer.
 */
import { at } from "../base/assert.ts";
import { type EventType, EventNumber, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { places, tellsOfSubsumption } from "./fields.ts";

/** In the order in which they come where nothing goes wrong. */
export const boundaryNames = [
  "triggered",
  "begun",
  "written",
  "preCommitted",
  "snapshot",
  "persisted",
  "acknowledged",
  "metadata",
  "completed",
  "notified",
  "commitSent",
  "decided",
  "marked",
  "committed",
  "superseded",
  "aborted",
  "transactionAborted",
  "timedOut",
  "restart",
] as const;
export type BoundaryName = (typeof boundaryNames)[number];

export interface Boundary {
  readonly name: BoundaryName;
  /** Of several entries of one kind the first and the last are boundaries. */
  readonly which: "only" | "first" | "last";
  readonly step: number;
  readonly clock: number;
}

export const parties = ["coordinator", "sink", "broker", "storage"] as const;
export type Party = (typeof parties)[number];

/** The furthest boundary that a party has seen, how often, and how often it comes in the whole run. */
export interface Knowledge {
  readonly name: BoundaryName;
  readonly count: number;
  readonly of: number;
}

export interface CrashWindow {
  readonly from: Boundary;
  readonly to: Boundary;
  /** `null`: nothing yet. */
  readonly known: { readonly [P in Party]: Knowledge | null };
}

export interface Ruler {
  readonly kind: "checkpoint" | "transaction";
  readonly checkpoint: number;
  /** The transaction's number and the subtask that writes into it; `-1`: all of the checkpoint. */
  readonly transaction: number;
  readonly subtask: number;
  readonly boundaries: readonly Boundary[];
  readonly windows: readonly CrashWindow[];
}

/** What a party sees, the furthest last. */
const sees: { readonly [P in Party]: readonly BoundaryName[] } = {
  coordinator: ["triggered", "acknowledged", "metadata", "completed", "superseded", "aborted"],
  sink: ["restart", "begun", "written", "preCommitted", "snapshot", "persisted", "notified", "commitSent", "committed"],
  broker: ["begun", "written", "decided", "marked", "committed", "transactionAborted", "timedOut"],
  storage: ["persisted", "metadata", "completed", "superseded"],
};

interface Kind {
  readonly name: BoundaryName;
  readonly checkpoint?: number;
  readonly subtask?: number;
  readonly transaction?: number;
}

const kinds: { readonly [T in EventType]?: Kind } = {
  CheckpointTriggered: { name: "triggered", ...pick("CheckpointTriggered") },
  TransactionBegun: { name: "begun", ...pick("TransactionBegun") },
  RecordWritten: { name: "written", ...pick("RecordWritten") },
  TransactionPreCommitted: { name: "preCommitted", ...pick("TransactionPreCommitted") },
  SnapshotTaken: { name: "snapshot", ...pick("SnapshotTaken") },
  SnapshotPersisted: { name: "persisted", ...pick("SnapshotPersisted") },
  CheckpointAcknowledged: { name: "acknowledged", ...pick("CheckpointAcknowledged") },
  CheckpointMetadataWritten: { name: "metadata", ...pick("CheckpointMetadataWritten") },
  CheckpointCompleted: { name: "completed", ...pick("CheckpointCompleted") },
  NotificationDelivered: { name: "notified", ...pick("NotificationDelivered") },
  TransactionCommitRequested: { name: "commitSent", ...pick("TransactionCommitRequested") },
  TransactionEndPrepared: { name: "decided", ...pick("TransactionEndPrepared") },
  TransactionMarkerWritten: { name: "marked", ...pick("TransactionMarkerWritten") },
  TransactionCommitted: { name: "committed", ...pick("TransactionCommitted") },
  CheckpointAborted: { name: "aborted", ...pick("CheckpointAborted") },
  TransactionAborted: { name: "transactionAborted", ...pick("TransactionAborted") },
  TransactionTimedOut: { name: "timedOut", ...pick("TransactionTimedOut") },
  RestartScheduled: { name: "restart" },
};
const byNumber = eventTypes.map((type) => kinds[type]);

function pick(type: EventType): Omit<Kind, "name"> {
  const { checkpoint, subtask, transaction } = places(type) as { readonly [field: string]: number };
  return {
    ...(checkpoint !== undefined && { checkpoint }),
    ...(subtask !== undefined && { subtask }),
    ...(transaction !== undefined && { transaction }),
  };
}

/** `step`: where the checkpoint is triggered or the transaction begins; `null`: neither does there. */
export function rulerOf(log: EventLog, step: number): Ruler | null {
  const type = log.type(step);
  const kind = byNumber[type];
  if (kind === undefined || (type !== EventNumber.CheckpointTriggered && type !== EventNumber.TransactionBegun))
    return null;
  const field = (place: number | undefined): number => (place === undefined ? -1 : log.field(step, place));
  const reading = new Reading(log, field(kind.checkpoint), field(kind.transaction), field(kind.subtask));
  for (let next = step; next < log.length && !reading.over; next++) reading.take(next);
  return reading.told();
}

class Reading {
  over = false;
  private readonly log: EventLog;
  private readonly checkpoint: number;
  private readonly transaction: number;
  private readonly subtask: number;
  private readonly steps = new Map<BoundaryName, number[]>();
  /** The acknowledgements of all subtasks. */
  private readonly acks: number[] = [];

  constructor(log: EventLog, checkpoint: number, transaction: number, subtask: number) {
    this.log = log;
    this.checkpoint = checkpoint;
    this.transaction = transaction;
    this.subtask = subtask;
  }

  take(step: number): void {
    const { log } = this;
    if (log.type(step) === EventNumber.JobSubmitted) this.over = true;
    const kind = byNumber[log.type(step)];
    if (kind === undefined || this.over || tellsOfSubsumption(log, step)) return;
    if (log.type(step) === EventNumber.CheckpointCompleted && this.isLater(step, kind)) return this.supersede(step);
    if (!this.isOwn(step, kind)) return;
    if (this.begins(step)) return void (this.over = true);
    this.add(kind.name, step);
    if (this.endings.has(kind.name)) this.over = true;
  }

  private get endings(): ReadonlySet<BoundaryName> {
    return this.transaction < 0 ? new Set(["aborted"]) : new Set(["transactionAborted", "timedOut"]);
  }

  private add(name: BoundaryName, step: number): void {
    const steps = this.steps.get(name) ?? [];
    steps.push(step);
    this.steps.set(name, steps);
  }

  /** The same transactional id is used again. */
  private begins(step: number): boolean {
    return this.transaction >= 0 && this.log.type(step) === EventNumber.TransactionBegun && this.steps.has("begun");
  }

  private isLater(step: number, { checkpoint }: Kind): boolean {
    return checkpoint !== undefined && this.log.field(step, checkpoint) > this.checkpoint;
  }

  /** A later checkpoint holds these transactions no longer once they are all committed. */
  private supersede(step: number): void {
    if ((this.steps.get("committed")?.length ?? 0) < (this.steps.get("preCommitted")?.length ?? 0)) return;
    if (this.transaction >= 0 && !this.steps.has("committed")) return;
    this.add("superseded", step);
    this.over = true;
  }

  private isOwn(step: number, { name, checkpoint, subtask, transaction }: Kind): boolean {
    const { log } = this;
    if (name === "restart") return true;
    const same = (place: number | undefined, value: number): boolean =>
      place === undefined || value < 0 || log.field(step, place) === value;
    if (transaction !== undefined && this.transaction >= 0) return same(transaction, this.transaction);
    if (name === "written" || name === "begun" || !same(checkpoint, this.checkpoint)) return false;
    if (name === "acknowledged") this.acks.push(step);
    return same(subtask, this.subtask);
  }

  told(): Ruler {
    const { checkpoint, transaction, subtask } = this;
    const boundaries = this.boundaries();
    const windows = boundaries.slice(1).map((to, index) => {
      const from = at(boundaries, index);
      return { from, to, known: this.knownAt(from.step) };
    });
    const kind = transaction < 0 ? "checkpoint" : "transaction";
    return { kind, checkpoint, transaction, subtask, boundaries, windows };
  }

  /** One for each step: of those at one step the later in the course of things. */
  private boundaries(): Boundary[] {
    const all = new Map<number, Boundary>();
    const put = (name: BoundaryName, which: Boundary["which"], step: number): void =>
      void all.set(step, { name, which, step, clock: this.log.clock(step) });
    for (const name of boundaryNames) {
      const steps = this.steps.get(name) ?? [];
      const [first, last] = [steps[0], steps.at(-1)];
      if (first === undefined || last === undefined) continue;
      if (name === "written") put(name, "last", last);
      else if (first === last) put(name, "only", first);
      else {
        put(name, "first", first);
        put(name, "last", last);
      }
    }
    const lastAck = this.acks.at(-1);
    if (this.subtask >= 0 && lastAck !== undefined) put("acknowledged", "last", lastAck);
    return [...all.values()].sort((a, b) => a.step - b.step);
  }

  /** With a restart the sink forgets what it has seen. */
  private knownAt(step: number): CrashWindow["known"] {
    const restart = (this.steps.get("restart") ?? []).findLast((each) => each <= step) ?? -1;
    return {
      coordinator: this.furthest("coordinator", -1, step),
      sink: this.furthest("sink", restart, step),
      broker: this.furthest("broker", -1, step),
      storage: this.furthest("storage", -1, step),
    };
  }

  /** Of the entries from `since` to `step`. */
  private furthest(party: Party, since: number, step: number): Knowledge | null {
    const all = (name: BoundaryName): readonly number[] =>
      name === "acknowledged" ? this.acks : (this.steps.get(name) ?? []);
    const seen = (name: BoundaryName): number => all(name).filter((each) => each >= since && each <= step).length;
    const name = sees[party].findLast((each) => seen(each) > 0);
    return name === undefined ? null : { name, count: seen(name), of: all(name).length };
  }
}
