/**
 * Where the transport's steps lead: an index over a log of the moments at which a protocol goes from one phase to the
 * next, of checkpoints and of failures. Built as the log grows; the searches are pure.
 */
import { at } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import { type EventType, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import { type FaultVerb, endings, faultVerbs } from "../protocol/reasons.ts";
import { executionStates, places, tellsOfSubsumption } from "./fields.ts";

export type PhaseName =
  /** A checkpoint, in this order where nothing goes wrong. The first of a kind, and the last where all are counted. */
  | "triggered"
  | "barrier leaves"
  | "barrier arrives"
  | "aligned"
  | "all aligned"
  | "snapshot taken"
  | "all snapshots taken"
  | "snapshot stored"
  | "acknowledged"
  | "all acknowledged"
  | "completed"
  | "notified"
  | "all notified"
  | "committed"
  | "all committed"
  | "aborted"
  /** A failure and the way back. */
  | "fault"
  | "stopped"
  | "detected"
  | "restart"
  | "restored"
  | "running"
  | "job"
  /** A transaction that the log gave up, or would not commit. */
  | "timed out"
  | "refused";

export interface Phase {
  readonly step: number;
  readonly name: PhaseName;
  /** The checkpoint whose phase it is; `-1`: of none. */
  readonly checkpoint: number;
}

/** How far a checkpoint is, in entries of each kind. */
type Counts = Map<EventType, number>;

/** The phases that the first and the last entry of a type begin; `all` says how many there will be. */
interface Counted {
  readonly first: PhaseName | null;
  readonly last: PhaseName | null;
  readonly all: (index: StepIndex, counts: Counts, checkpoint: number) => number;
}

const endless = (): number => -1;
const everyParticipant: Counted["all"] = (index, _, checkpoint) => index.taking(checkpoint).length;
const everyReceiver: Counted["all"] = (index, _, checkpoint) =>
  index.taking(checkpoint).filter((subtask) => index.receivers.has(subtask)).length;
const counted: { readonly [T in EventType]?: Counted } = {
  CheckpointTriggered: { first: "triggered", last: null, all: endless },
  BarrierEmitted: { first: "barrier leaves", last: null, all: endless },
  BarrierReceived: { first: "barrier arrives", last: null, all: endless },
  AlignmentCompleted: { first: "aligned", last: "all aligned", all: everyReceiver },
  SnapshotTaken: { first: "snapshot taken", last: "all snapshots taken", all: everyParticipant },
  SnapshotPersisted: { first: "snapshot stored", last: null, all: endless },
  CheckpointAcknowledged: { first: "acknowledged", last: "all acknowledged", all: everyParticipant },
  CheckpointCompleted: { first: "completed", last: null, all: endless },
  CheckpointAborted: { first: "aborted", last: null, all: endless },
  NotificationDelivered: { first: "notified", last: "all notified", all: everyParticipant },
  TransactionPreCommitted: { first: null, last: null, all: endless },
  TransactionCommitted: {
    first: "committed",
    last: "all committed",
    all: (_, counts) => counts.get("TransactionPreCommitted") ?? 0,
  },
};

const plain: { readonly [T in EventType]?: PhaseName } = {
  JobStatusChanged: "job",
  JobSubmitted: "job",
  RestoreRefused: "job",
  SubmissionRejected: "job",
  PartitionDiscovered: "job",
  OffsetReset: "job",
  ConnectionClosed: "job",
  BatchCommitted: "committed",
  BatchKept: "refused",
  TaskFailed: "detected",
  TaskManagerLost: "detected",
  LeadershipLost: "detected",
  FatalError: "detected",
  LeadershipGranted: "restart",
  RestartScheduled: "restart",
  TransactionTimedOut: "timed out",
  CommitFailed: "refused",
};

/** Entries by which something has failed, or begins anew because of it. */
export const failureTypes: ReadonlySet<EventType> = new Set<EventType>([
  "TaskFailed",
  "TaskManagerLost",
  "LeadershipLost",
  "FatalError",
  "SlotRequestFailed",
  "CheckpointAborted",
  "CommitFailed",
  "TransactionTimedOut",
  "RestartScheduled",
]);

/** Commands that break nothing. */
const operations: ReadonlySet<FaultVerb> = new Set<FaultVerb>([
  "restart-taskmanager",
  "resume",
  "trigger-checkpoint",
  "trigger-savepoint",
  "stop-with-savepoint",
  "cancel",
  "cancel-with-savepoint",
  "restore",
  "rescale",
  "broker-up",
  "suppress",
  "restore-cut",
]);

const checkpointPlaces = new Map<EventType, number>(
  (Object.keys(counted) as EventType[]).map((type) => [type, (places(type) as { checkpoint: number }).checkpoint]),
);
const changed = places("TaskStateChanged");
const fault = places("FaultInjected");
const scheduled = places("RestartScheduled");
const restored = places("StateRestored");
const stopped = places("TaskStopped");
const committed = places("TransactionCommitted");
const triggered = places("CheckpointTriggered");
const RUNNING = executionStates.indexOf("RUNNING");
const FINISHED = executionStates.indexOf("FINISHED");

/** Moments of one log, by step. */
export class StepIndex {
  /** Of a job, by the step at which it begins. */
  private readonly graphAt: ((step: number) => ExecutionGraph) | null;
  private subtasks: readonly number[] = [];
  /** Subtasks that have inputs. */
  receivers: ReadonlySet<number> = new Set();
  readonly phases: Phase[] = [];
  /** Steps of triggers, of completed or aborted checkpoints, and of failures. */
  readonly triggers: number[] = [];
  readonly ends: number[] = [];
  readonly failures: number[] = [];
  private readonly counts = new Map<number, Counts>();
  /** Subtasks that have finished, and who they were at each checkpoint's trigger: none waits for them (CP-190). */
  private readonly finished = new Set<number>();
  private readonly finishedBefore = new Map<number, ReadonlySet<number>>();
  private waiting = new Set<number>();
  private restoring = false;
  private length = 0;

  constructor(graph: ExecutionGraph, graphAt: ((step: number) => ExecutionGraph) | null = null) {
    this.graphAt = graphAt;
    this.begin(graph);
  }

  /** Another job: all its subtasks have to start, and ids of checkpoints may come again. */
  private begin(graph: ExecutionGraph): void {
    this.receivers = new Set(graph.subtasks.flatMap(({ index, inputs }) => (inputs.length > 0 ? [index] : [])));
    this.subtasks = [...graph.subtasks.keys()];
    this.waiting = new Set(graph.subtasks.keys());
    this.counts.clear();
    this.finished.clear();
    this.finishedBefore.clear();
    this.restoring = true;
  }

  /** Takes in the entries that the log has more. */
  extend(log: EventLog): void {
    for (; this.length < log.length; this.length++) this.take(log, this.length);
  }

  /** The subtasks that a checkpoint waits for. */
  taking(checkpoint: number): readonly number[] {
    const finished = this.finishedBefore.get(checkpoint);
    return finished === undefined ? this.subtasks : this.subtasks.filter((subtask) => !finished.has(subtask));
  }

  private take(log: EventLog, step: number): void {
    const number = log.type(step);
    if (isQuiet[number] === true) return;
    const type = at(eventTypes, number);
    if (type === "JobSubmitted" && this.graphAt !== null) this.begin(this.graphAt(step));
    const of = counted[type];
    if (of !== undefined && !tellsOfSubsumption(log, step)) this.count(log, step, type, of);
    const name = plain[type];
    if (name !== undefined) this.add(step, name);
    if (failureTypes.has(type)) this.failures.push(step);
    if (type === "CheckpointTriggered") this.takeTrigger(log, step);
    if (type === "CheckpointCompleted" || type === "CheckpointAborted") this.ends.push(step);
    if (type === "FaultInjected") this.takeFault(log, step);
    if (type === "TaskStopped") this.takeStop(log, step);
    if (type === "RestartScheduled") this.takeRestart(log.list(step, scheduled.restarted));
    if (type === "StateRestored") this.takeRestored(log, step);
    if (type === "TaskStateChanged") this.takeState(log, step);
  }

  private add(step: number, name: PhaseName, checkpoint = -1): void {
    this.phases.push({ step, name, checkpoint });
  }

  private count(log: EventLog, step: number, type: EventType, { first, last, all }: Counted): void {
    const checkpoint = log.field(step, checkpointPlaces.get(type) ?? 0);
    if (type === "TransactionCommitted" && log.field(step, committed.again) === 1) return;
    const counts = this.counts.get(checkpoint) ?? new Map<EventType, number>();
    this.counts.set(checkpoint, counts);
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    const total = all(this, counts, checkpoint);
    if (last !== null && count === total && total > 1) this.add(step, last, checkpoint);
    else if (first !== null && count === 1) this.add(step, first, checkpoint);
  }

  private takeTrigger(log: EventLog, step: number): void {
    this.triggers.push(step);
    if (this.finished.size > 0) this.finishedBefore.set(log.field(step, triggered.checkpoint), new Set(this.finished));
  }

  private takeFault(log: EventLog, step: number): void {
    if (operations.has(at(faultVerbs, log.field(step, fault.do)))) return;
    this.failures.push(step);
    this.add(step, "fault");
  }

  /** Threads that end together, and those that are cancelled, are one phase with what ended them. */
  private takeStop(log: EventLog, step: number): void {
    const last = this.phases[this.phases.length - 1];
    const ending = at(endings, log.field(step, stopped.ending));
    if (ending === "CANCELED" || ending === "FINISHED") return;
    if (last?.name !== "stopped" || log.clock(last.step) !== log.clock(step)) this.add(step, "stopped");
  }

  private takeRestart(restarted: readonly number[]): void {
    for (const subtask of restarted) {
      this.waiting.add(subtask);
      this.finished.delete(subtask);
    }
    this.restoring = true;
  }

  private takeRestored(log: EventLog, step: number): void {
    if (this.restoring) this.add(step, "restored", log.field(step, restored.checkpoint));
    this.restoring = false;
  }

  /** All that had to start run. */
  private takeState(log: EventLog, step: number): void {
    if (log.field(step, changed.to) === FINISHED) this.finished.add(log.field(step, changed.subtask));
    if (log.field(step, changed.to) !== RUNNING || !this.waiting.delete(log.field(step, changed.subtask))) return;
    if (this.waiting.size === 0) this.add(step, "running");
  }
}

/** Types that begin no phase, which most entries are of. */
const isQuiet: readonly boolean[] = eventTypes.map((type) => {
  const own: readonly EventType[] = [
    "FaultInjected",
    "StateRestored",
    "TaskStateChanged",
    "TaskStopped",
    "JobSubmitted",
  ];
  return counted[type] === undefined && plain[type] === undefined && !failureTypes.has(type) && !own.includes(type);
});

/** The first of the ascending `steps` behind `step`; `null`: there is none. */
export function nextOf(steps: readonly number[], step: number): number | null {
  return steps[firstPlace(steps.length, (place) => at(steps, place) > step)] ?? null;
}

/** The last of the ascending `steps` before `step`. */
export function previousOf(steps: readonly number[], step: number): number | null {
  return steps[firstPlace(steps.length, (place) => at(steps, place) >= step) - 1] ?? null;
}

/** The next phase; of one checkpoint its own, and those of a failure that come between them. */
export function nextPhase(index: StepIndex, step: number, checkpoint = -1): Phase | null {
  const phases = phasesOf(index, checkpoint);
  return phases[firstPlace(phases.length, (place) => at(phases, place).step > step)] ?? null;
}

export function previousPhase(index: StepIndex, step: number, checkpoint = -1): Phase | null {
  const phases = phasesOf(index, checkpoint);
  return phases[firstPlace(phases.length, (place) => at(phases, place).step >= step) - 1] ?? null;
}

function phasesOf({ phases }: StepIndex, checkpoint: number): readonly Phase[] {
  if (checkpoint < 0) return phases;
  const isOwn = (phase: Phase): boolean => phase.checkpoint === checkpoint;
  const within = phases.slice(Math.max(0, phases.findIndex(isOwn)), phases.findLastIndex(isOwn) + 1);
  return within.filter((phase) => isOwn(phase) || phase.checkpoint < 0);
}
