/**
 * Spans of a log for the timeline: checkpoints, restarts, transactions, the job's status, and moments of faults. Times
 * are simulated; `-1` as an end: it has not come. Built as the log grows, so that it need not be folded again.
 */
import { at } from "../base/assert.ts";
import { type EventType, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { faultVerbs, type FaultVerb } from "../protocol/reasons.ts";
import { executionStates, jobStatuses, places } from "./fields.ts";
import type { JobStatus } from "./views.ts";

/** From an entry to another; `toStep` and `to` are `-1` while it lasts. */
export interface Span {
  readonly fromStep: number;
  readonly from: number;
  toStep: number;
  to: number;
}

export interface CheckpointSpan extends Span {
  readonly id: number;
  status: "pending" | "completed" | "aborted";
  /** Simulated time of each acknowledgement, in order. */
  readonly acknowledgements: number[];
}

/** Until all that were restarted run. */
export interface RestartSpan extends Span {
  /** When the delay is over. */
  readonly due: number;
  readonly restarted: readonly number[];
}

export interface TransactionSpan extends Span {
  readonly number: number;
  readonly subtask: number;
  readonly checkpoint: number;
  /** When it was pre-committed. */
  preCommitted: number;
  status: "open" | "pre-committed" | "committed" | "aborted" | "timed out" | "recycled";
}

export interface JobSpan extends Span {
  readonly status: JobStatus;
}

export interface FaultMark {
  readonly step: number;
  readonly clock: number;
  readonly do: FaultVerb;
  readonly subtask: number;
  readonly taskManager: number;
  /** Its place among the run's commands, of which the scenario's faults are the first. */
  readonly fault: number;
}

const triggered = places("CheckpointTriggered");
const acknowledged = places("CheckpointAcknowledged");
const completed = places("CheckpointCompleted");
const aborted = places("CheckpointAborted");
const scheduled = places("RestartScheduled");
const changed = places("TaskStateChanged");
const begun = places("TransactionBegun");
const preCommitted = places("TransactionPreCommitted");
const ended = {
  TransactionRecycled: { place: places("TransactionRecycled").transaction, status: "recycled" },
  TransactionCommitted: { place: places("TransactionCommitted").transaction, status: "committed" },
  TransactionAborted: { place: places("TransactionAborted").transaction, status: "aborted" },
  TransactionTimedOut: { place: places("TransactionTimedOut").transaction, status: "timed out" },
  ProducerIdInitialized: { place: places("ProducerIdInitialized").transaction, status: "recycled" },
} as const;
const committed = places("TransactionCommitted");
const status = places("JobStatusChanged");
const fault = places("FaultInjected");
const RUNNING = executionStates.indexOf("RUNNING");

type Take = (timeline: Timeline, log: EventLog, step: number, clock: number) => void;

export class Timeline {
  readonly checkpoints: CheckpointSpan[] = [];
  readonly restarts: RestartSpan[] = [];
  readonly transactions: TransactionSpan[] = [];
  readonly job: JobSpan[] = [];
  readonly faults: FaultMark[] = [];
  private readonly pending = new Map<number, CheckpointSpan>();
  private readonly undecided = new Map<number, TransactionSpan>();
  private readonly starting = new Map<RestartSpan, Set<number>>();
  private length = 0;

  /** Takes in the entries that the log has more. */
  extend(log: EventLog): void {
    for (; this.length < log.length; this.length++) {
      const take = takes[log.type(this.length)];
      if (take !== undefined) take(this, log, this.length, log.clock(this.length));
    }
  }

  trigger(id: number, step: number, clock: number): void {
    const span: CheckpointSpan = { ...begin(step, clock), id, status: "pending", acknowledgements: [] };
    this.checkpoints.push(span);
    this.pending.set(id, span);
  }

  acknowledge(id: number, clock: number): void {
    this.pending.get(id)?.acknowledgements.push(clock);
  }

  endCheckpoint(id: number, as: "completed" | "aborted", step: number, clock: number): void {
    const span = this.pending.get(id);
    if (span === undefined) return;
    this.pending.delete(id);
    span.status = as;
    end(span, step, clock);
  }

  restart(restarted: readonly number[], delay: number, step: number, clock: number): void {
    const span: RestartSpan = { ...begin(step, clock), due: clock + delay, restarted };
    for (const [other, subtasks] of this.starting) {
      for (const subtask of restarted) subtasks.delete(subtask);
      if (subtasks.size === 0) this.endRestart(other, step, clock);
    }
    this.restarts.push(span);
    this.starting.set(span, new Set(restarted));
  }

  runs(subtask: number, step: number, clock: number): void {
    for (const [span, subtasks] of this.starting) {
      if (subtasks.delete(subtask) && subtasks.size === 0) this.endRestart(span, step, clock);
    }
  }

  private endRestart(span: RestartSpan, step: number, clock: number): void {
    this.starting.delete(span);
    end(span, step, clock);
  }

  beginTransaction(number: number, subtask: number, checkpoint: number, step: number, clock: number): void {
    const span: TransactionSpan = {
      ...begin(step, clock),
      number,
      subtask,
      checkpoint,
      preCommitted: -1,
      status: "open",
    };
    this.transactions.push(span);
    this.undecided.set(number, span);
  }

  preCommit(number: number, clock: number): void {
    const span = this.undecided.get(number);
    if (span === undefined) return;
    span.preCommitted = clock;
    span.status = "pre-committed";
  }

  endTransaction(number: number, as: TransactionSpan["status"], step: number, clock: number): void {
    const span = this.undecided.get(number);
    if (span === undefined) return;
    this.undecided.delete(number);
    span.status = as;
    end(span, step, clock);
  }

  enter(to: JobStatus, step: number, clock: number): void {
    const last = this.job[this.job.length - 1];
    if (last !== undefined) end(last, step, clock);
    this.job.push({ ...begin(step, clock), status: to });
  }
}

function begin(step: number, clock: number): Span {
  return { fromStep: step, from: clock, toStep: -1, to: -1 };
}

function end(span: Span, step: number, clock: number): void {
  span.toStep = step;
  span.to = clock;
}

const endOf =
  (type: keyof typeof ended): Take =>
  (timeline, log, step, clock) => {
    if (type === "ProducerIdInitialized" && log.moveCount(step) === 0) return;
    if (type === "TransactionCommitted" && log.field(step, committed.again) === 1) return;
    timeline.endTransaction(log.field(step, ended[type].place), ended[type].status, step, clock);
  };

const byType: { readonly [T in EventType]?: Take } = {
  JobStatusChanged: (timeline, log, step, clock) =>
    timeline.enter(at(jobStatuses, log.field(step, status.to)), step, clock),
  CheckpointTriggered: (timeline, log, step, clock) =>
    timeline.trigger(log.field(step, triggered.checkpoint), step, clock),
  CheckpointAcknowledged: (timeline, log, step, clock) =>
    timeline.acknowledge(log.field(step, acknowledged.checkpoint), clock),
  CheckpointCompleted: (timeline, log, step, clock) =>
    timeline.endCheckpoint(log.field(step, completed.checkpoint), "completed", step, clock),
  CheckpointAborted: (timeline, log, step, clock) =>
    timeline.endCheckpoint(log.field(step, aborted.checkpoint), "aborted", step, clock),
  RestartScheduled: (timeline, log, step, clock) =>
    timeline.restart(log.list(step, scheduled.restarted), log.field(step, scheduled.delay), step, clock),
  TaskStateChanged: (timeline, log, step, clock) => {
    if (log.field(step, changed.to) === RUNNING) timeline.runs(log.field(step, changed.subtask), step, clock);
  },
  TransactionBegun: (timeline, log, step, clock) => {
    const [number, subtask] = [log.field(step, begun.transaction), log.field(step, begun.subtask)];
    timeline.beginTransaction(number, subtask, log.field(step, begun.checkpoint), step, clock);
  },
  TransactionPreCommitted: (timeline, log, step, clock) =>
    timeline.preCommit(log.field(step, preCommitted.transaction), clock),
  TransactionRecycled: endOf("TransactionRecycled"),
  TransactionCommitted: endOf("TransactionCommitted"),
  TransactionAborted: endOf("TransactionAborted"),
  TransactionTimedOut: endOf("TransactionTimedOut"),
  ProducerIdInitialized: endOf("ProducerIdInitialized"),
  FaultInjected: (timeline, log, step, clock) =>
    timeline.faults.push({
      step,
      clock,
      do: at(faultVerbs, log.field(step, fault.do)),
      subtask: log.field(step, fault.subtask),
      taskManager: log.field(step, fault.taskManager),
      fault: log.field(step, fault.fault),
    }),
};

const takes = eventTypes.map((type) => byType[type]);
