/**
 * The attempts of each subtask with the states they were in, and the failures of a run with what was decided on each, as
 * Flink's exception history has them (`ExceptionHistoryEntry`, `RootExceptionHistoryEntry`; FR-005, FR-020, FR-043, FR-080).
 * Told by the log alone; which fault was behind a failure is told by the chain of causes.
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { type FailureCause, type FaultVerb, failoverScopes, failureCauses, faultVerbs } from "../protocol/reasons.ts";
import { executionStates, jobStatuses, places } from "./fields.ts";
import type { ExecutionState } from "./views.ts";

export interface AttemptEntry {
  /** Which of the run's jobs it is of. */
  readonly submission: number;
  readonly subtask: number;
  readonly attempt: number;
  readonly states: { readonly state: ExecutionState; readonly step: number; readonly clock: number }[];
  /** `-1`: it never had a slot. */
  taskManager: number;
  failure: { readonly cause: FailureCause; readonly step: number } | null;
}

export interface ExceptionEntry {
  readonly step: number;
  readonly clock: number;
  readonly submission: number;
  /** `-1`: the job failed as a whole (FR-046). */
  readonly subtask: number;
  readonly attempt: number;
  readonly taskManager: number;
  readonly failure: FailureCause;
  /** The fault behind it; `null`: the protocol alone. */
  readonly fault: { readonly step: number; readonly verb: FaultVerb } | null;
  /** `tasks` restart after `delay`, or, where it is `null`, the job fails; not before the decision's step. */
  decision: {
    readonly step: number;
    readonly restart: { readonly delay: number; readonly tasks: number; readonly scope: string } | null;
  } | null;
  /** Was another failure first, for which the same was decided? Flink lists it under that one. */
  concurrent: boolean;
}

const created = places("AttemptCreated");
const changed = places("TaskStateChanged");
const failed = places("TaskFailed");
const scheduled = places("RestartScheduled");
const status = places("JobStatusChanged");
const injected = places("FaultInjected");

/** Causes further back than this are not looked for. */
const FARTHEST = 64;

class Attempts {
  private readonly log: EventLog;
  private length = 0;
  private submission = 0;
  private readonly list: AttemptEntry[] = [];
  private readonly failures: ExceptionEntry[] = [];
  /** The newest attempt of each subtask of the job that runs. */
  private readonly newest = new Map<number, AttemptEntry>();

  constructor(log: EventLog) {
    this.log = log;
  }

  /** Of a subtask up to a step, the newest first; states that come later are left out. */
  of(submission: number, subtask: number, step: number): AttemptEntry[] {
    this.extend();
    return this.list
      .filter(
        (entry) => entry.subtask === subtask && entry.submission === submission && at(entry.states, 0).step <= step,
      )
      .map((entry) => ({
        ...entry,
        states: entry.states.filter((each) => each.step <= step),
        failure: entry.failure !== null && entry.failure.step <= step ? entry.failure : null,
      }))
      .toReversed();
  }

  /** Up to a step, the newest first. */
  exceptions(step: number): ExceptionEntry[] {
    this.extend();
    return this.failures
      .filter((entry) => entry.step <= step)
      .map((entry) => (entry.decision === null || entry.decision.step <= step ? entry : { ...entry, decision: null }))
      .toReversed();
  }

  private extend(): void {
    for (; this.length < this.log.length; this.length++) this.take(this.length);
  }

  private take(step: number): void {
    const { log } = this;
    const field = (place: number): number => log.field(step, place);
    switch (log.type(step)) {
      case EventNumber.JobSubmitted:
        this.submission++;
        return this.newest.clear();
      case EventNumber.AttemptCreated:
        return this.create(step, field(created.subtask), field(created.attempt));
      case EventNumber.TaskStateChanged:
        return this.change(step);
      case EventNumber.TaskFailed:
        return this.fail(step, field(failed.subtask), at(failureCauses, field(failed.failure)));
      case EventNumber.RestartScheduled: {
        const failure = failureCauses[field(scheduled.failure)] ?? "JOB_FAILURE";
        const restarted = log.list(step, scheduled.restarted);
        return this.decide(step, failure, restarted, {
          delay: field(scheduled.delay),
          tasks: restarted.length,
          scope: at(failoverScopes, field(scheduled.scope)),
        });
      }
      case EventNumber.JobStatusChanged:
        if (jobStatuses[field(status.to)] === "FAILING") this.decide(step, "JOB_FAILURE", null, null);
        return;
      default:
    }
  }

  private create(step: number, subtask: number, attempt: number): void {
    const states = [{ state: "CREATED", step, clock: this.log.clock(step) }] as const;
    const { submission } = this;
    const entry = { submission, subtask, attempt, states: [...states], taskManager: -1, failure: null };
    this.list.push(entry);
    this.newest.set(subtask, entry);
  }

  private change(step: number): void {
    const { log } = this;
    const entry = this.newest.get(log.field(step, changed.subtask));
    if (entry === undefined || entry.attempt !== log.field(step, changed.attempt)) return;
    const state = at(executionStates, log.field(step, changed.to));
    entry.states.push({ state, step, clock: log.clock(step) });
    entry.taskManager = Math.max(entry.taskManager, log.field(step, changed.taskManager));
  }

  private fail(step: number, subtask: number, cause: FailureCause): void {
    const entry = this.newest.get(subtask);
    if (entry !== undefined) entry.failure = { cause, step };
    this.failures.push({
      ...this.failure(step, cause),
      subtask,
      attempt: this.log.field(step, failed.attempt),
      taskManager: entry?.taskManager ?? -1,
    });
  }

  private failure(step: number, failure: FailureCause): ExceptionEntry {
    return {
      step,
      clock: this.log.clock(step),
      submission: this.submission,
      subtask: -1,
      attempt: -1,
      taskManager: -1,
      failure,
      fault: this.faultBehind(step),
      decision: null,
      concurrent: false,
    };
  }

  /** What was decided on the failures that wait for it and are of its subtasks; without one the job failed as a whole. */
  private decide(
    step: number,
    failure: FailureCause,
    subtasks: readonly number[] | null,
    restart: NonNullable<ExceptionEntry["decision"]>["restart"],
  ): void {
    const waiting = this.failures.filter(
      (entry) =>
        entry.decision === null &&
        entry.submission === this.submission &&
        (subtasks === null || subtasks.includes(entry.subtask)),
    );
    if (waiting.length === 0) {
      this.failures.push({ ...this.failure(step, failure), decision: { step, restart } });
      return;
    }
    waiting.forEach((entry, place) => {
      entry.decision = { step, restart };
      entry.concurrent = place > 0;
    });
  }

  private faultBehind(step: number): ExceptionEntry["fault"] {
    const { log } = this;
    let cause = step;
    for (let i = 0; i < FARTHEST && cause >= 0; i++, cause = log.cause(cause))
      if (log.type(cause) === EventNumber.FaultInjected)
        return { step: cause, verb: at(faultVerbs, log.field(cause, injected.do)) };
    return null;
  }
}

const known = new WeakMap<EventLog, Attempts>();

export function attemptsOf(log: EventLog): Attempts {
  const made = known.get(log) ?? new Attempts(log);
  known.set(log, made);
  return made;
}
