/**
 * What the entries of a run have told so far, as far as several invariants need it, and the list of violations. It is
 * told by the entries alone, never by the engine's own bookkeeping, so that a defect of the engine cannot hide in both.
 * A subject sees an entry before the watch takes it in: to a subject these facts are those before the entry.
 */
import { at } from "../../base/assert.ts";
import { grown } from "../../base/grown.ts";
import type { EventType } from "../../protocol/events.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { Violation } from "../../protocol/violation.ts";
import type { Kernel } from "../kernel.ts";
import type { Plan } from "../plan.ts";
import { Rows } from "../rows.ts";
import { Kind } from "../savepoints.ts";
import { JobStatus } from "../states.ts";
import { Jobs, type Start, ofDroppedState } from "./jobs.ts";

/** What watches one subject: one method for each kind of entry that it looks at, called with the entry's fields in order. */
export type Subject = {
  readonly [T in EventType]?: (
    k: Kernel,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
  ) => void;
};

/** A table of `count` rows of zeros. */
export function tableOf(width: number, count: number): Rows {
  const rows = new Rows(width, Math.max(1, count));
  rows.count = count;
  return rows;
}

export function copyOf(rows: Rows): Rows {
  const copy = new Rows(rows.width, Math.max(1, rows.count));
  copy.copyFrom(rows);
  return copy;
}

/** A subtask's current attempt: its state in the JobManager's view, its number, the checkpoint it was given (0: none). */
export const TaskFact = { state: 0, attempt: 1, restored: 2, reported: 3, SIZE: 4 } as const;

/** They are claimed where input is still retained. */
const ofRetainedInput: readonly string[] = ["INV-033", "INV-120", "INV-122", "INV-123", "INV-124", "INV-125"];
const ofCommittedReaders: readonly string[] = ["INV-118", "INV-120", "INV-121", "INV-122", "INV-123"];

export const Saved = { checkpoint: 0, kind: 1, completed: 2, SIZE: 3 } as const;

/** No attempt was created yet. */
export const NO_STATE = -1;

export class Watch implements Subject {
  readonly plan: Plan;
  /** The jobs of the run, and what this one goes on with of those before it. */
  readonly jobs: Jobs;
  /** What is not claimed of this job, and what was not claimed of it or another one before it. */
  private notClaimed: ReadonlySet<string>;
  private everWaived: ReadonlySet<string>;
  readonly violations: Violation[];
  status: number = JobStatus.initializing;
  /** The highest id ever triggered, and the highest that completed; 0: none. */
  lastTriggered = 0;
  lastCompleted = 0;
  /** The highest id whose completion tasks are told of: of a checkpoint, or of the savepoint of a stop. */
  lastTold = 0;
  /** Did the savepoint of a stop complete? Then the job ends with input unread. */
  stops = false;
  readonly tasks: Rows;
  /** Ids of the checkpoints that are triggered and not ended, and of those that are in the store; oldest first. */
  readonly pending: Rows;
  readonly stored: Rows;
  /** Every savepoint that is triggered: its id, its place in `checkpointKinds`, and whether it has completed. */
  readonly savepoints: Rows;
  /** One bit an id: has it completed? */
  private completed: Int32Array<ArrayBuffer>;

  constructor(plan: Plan, waived: ReadonlySet<string>, from: Watch | null = null, jobs = from?.jobs.clone()) {
    this.plan = plan;
    this.jobs = jobs ?? new Jobs();
    this.notClaimed = waived;
    this.everWaived = from === null ? waived : from.everWaived;
    this.violations = from === null ? [] : [...from.violations];
    this.tasks = from === null ? tableOf(TaskFact.SIZE, plan.graph.subtasks.length) : copyOf(from.tasks);
    this.pending = from === null ? new Rows(1, 4) : copyOf(from.pending);
    this.stored = from === null ? new Rows(1, 4) : copyOf(from.stored);
    this.savepoints = from === null ? new Rows(Saved.SIZE, 0) : copyOf(from.savepoints);
    this.completed = from === null ? new Int32Array(1) : from.completed.slice();
    if (from === null) {
      for (let task = 0; task < this.tasks.count; task++) {
        this.tasks.set(task, TaskFact.state, NO_STATE);
        this.tasks.set(task, TaskFact.attempt, -1);
      }
    } else {
      this.status = from.status;
      this.lastTriggered = from.lastTriggered;
      this.lastCompleted = from.lastCompleted;
      this.lastTold = from.lastTold;
      this.stops = from.stops;
    }
  }

  clone(): Watch {
    return new Watch(this.plan, this.notClaimed, this);
  }

  /** The watch of the job that was submitted now, which starts from a snapshot of an earlier one, or from none. */
  nextJob(plan: Plan, start: Start | null): Watch {
    const jobs = this.jobs.clone();
    const last = { scenario: this.plan.scenario, waived: this.notClaimed, lastTold: this.lastTold };
    const waived = jobs.next(last, plan.scenario, start);
    const next = new Watch(plan, waived, null, jobs);
    next.everWaived = new Set([...this.everWaived, ...waived]);
    next.violations.push(...this.violations);
    if (start !== null) next.adopt(start.checkpoint);
    return next;
  }

  /** What is not claimed of every job so far. */
  get waived(): ReadonlySet<string> {
    return this.everWaived;
  }

  /** Flink promises these no more, by what has happened. */
  waive(invariants: readonly string[]): void {
    this.notClaimed = new Set([...this.notClaimed, ...invariants]);
    this.everWaived = new Set([...this.everWaived, ...invariants]);
  }

  /** The snapshot that a job starts from is the newest entry of its store. */
  private adopt(checkpoint: number): void {
    this.lastTriggered = checkpoint;
    this.complete(checkpoint);
  }

  /** Records that an invariant does not hold at the entry that was just made. */
  violated(k: Kernel, invariant: string, message: string, ...entities: readonly string[]): void {
    if (this.notClaimed.has(invariant)) return;
    this.violations.push({ invariant, step: k.world.step - 1, message, entities: [...new Set(entities)] });
  }

  task(task: number, field: number): number {
    return this.tasks.get(task, field);
  }

  isPending(checkpoint: number): boolean {
    return this.pending.find(0, checkpoint) >= 0;
  }

  /** What is taken under an id. */
  kindOf(checkpoint: number): number {
    const row = this.savepoints.count === 0 ? -1 : this.savepoints.find(Saved.checkpoint, checkpoint);
    return row < 0 ? Kind.checkpoint : this.savepoints.get(row, Saved.kind);
  }

  /** Are tasks told that it is complete? */
  hasCompleted(checkpoint: number): boolean {
    return ((this.completed[checkpoint >> 5] ?? 0) & (1 << (checkpoint & 31))) !== 0;
  }

  subtask(task: number): string {
    return at(this.plan.graph.subtasks, task).name;
  }

  channel(channel: number): string {
    return at(this.plan.graph.channels, channel).name;
  }

  transaction(transaction: number): string {
    return transactionName(this.plan.graph, transaction);
  }

  JobStatusChanged(_: Kernel, __: number, to: number): void {
    this.status = to;
  }

  AttemptCreated(_: Kernel, task: number, attempt: number): void {
    this.tasks.set(task, TaskFact.state, 0);
    this.tasks.set(task, TaskFact.attempt, attempt);
    this.tasks.set(task, TaskFact.restored, 0);
    this.tasks.set(task, TaskFact.reported, 0);
  }

  TaskStateChanged(_: Kernel, task: number, __: number, ___: number, to: number): void {
    this.tasks.set(task, TaskFact.state, to);
  }

  StateRestored(_: Kernel, task: number, __: number, checkpoint: number): void {
    this.tasks.set(task, TaskFact.restored, checkpoint);
    this.tasks.set(task, TaskFact.reported, checkpoint);
  }

  RestoredAsFinished(k: Kernel, task: number, attempt: number, checkpoint: number): void {
    this.StateRestored(k, task, attempt, checkpoint);
  }

  NotificationDelivered(_: Kernel, task: number, checkpoint: number, kind: number): void {
    if (kind === 0) this.tasks.set(task, TaskFact.reported, checkpoint);
  }

  CheckpointTriggered(_: Kernel, checkpoint: number, kind: number): void {
    this.pending.push(checkpoint);
    if (kind > Kind.checkpoint) this.savepoints.push(checkpoint, kind, 0);
    this.lastTriggered = Math.max(this.lastTriggered, checkpoint);
  }

  CheckpointCompleted(_: Kernel, checkpoint: number): void {
    this.complete(checkpoint);
  }

  private complete(checkpoint: number): void {
    this.end(checkpoint);
    const kind = this.kindOf(checkpoint);
    if (kind !== Kind.checkpoint) this.savepoints.set(this.savepoints.find(0, checkpoint), Saved.completed, 1);
    if (kind === Kind.savepoint) return;
    this.lastTold = Math.max(this.lastTold, checkpoint);
    if (kind === Kind.synchronous) this.stops = true;
    else {
      this.stored.push(checkpoint);
      this.lastCompleted = Math.max(this.lastCompleted, checkpoint);
    }
    const word = checkpoint >> 5;
    if (word >= this.completed.length) this.completed = grown(this.completed, word + 1);
    this.completed[word] = (this.completed[word] as number) | (1 << (checkpoint & 31));
  }

  /** It was in the store all the time. */
  CheckpointRecovered(k: Kernel, checkpoint: number): void {
    this.CheckpointCompleted(k, checkpoint);
  }

  CheckpointAborted(_: Kernel, checkpoint: number): void {
    this.end(checkpoint);
  }

  /** What was pending is gone with its coordinator. */
  LeadershipLost(): void {
    this.pending.count = 0;
    this.runsAgain();
  }

  OffsetReset(_: Kernel, __: number, ___: number, position: number, target: number): void {
    if (target > position) this.waive(ofRetainedInput);
  }

  RestartScheduled(): void {
    this.runsAgain();
  }

  /**
   * Something runs again behind the savepoint of a stop, by a restart or a new leader. What was committed with the savepoint
   * is in no checkpoint that they go back to, so it comes again: nothing is claimed of a committed reader then.
   */
  private runsAgain(): void {
    if (this.stops) this.waive(ofCommittedReaders);
  }

  OperatorStateDropped(): void {
    this.waive(ofDroppedState);
  }

  CheckpointSubsumed(_: Kernel, checkpoint: number): void {
    this.stored.removeWhere(0, checkpoint);
  }

  private end(checkpoint: number): void {
    this.pending.removeWhere(0, checkpoint);
  }
}
