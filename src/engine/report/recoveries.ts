/**
 * The report's `recoveries` (FR-020, FR-042, FR-060, FR-080 to FR-085): one row for each failure that asked the restart
 * strategy, granted or refused, and one for each new leader, which asks nobody and so has no `delay`. `at` is when the
 * JobManager knows. Subtasks that a later restart takes over no longer belong to the earlier one (FR-047); `runningAt` is when the last of those left runs again. Transactions are those that
 * the restart set's sinks aborted as they closed or started, and those whose commit at the start had an effect.
 */
import { at } from "../../base/assert.ts";
import { EventNumber } from "../../protocol/events.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { EventLog } from "../../protocol/log.ts";
import { deciders, failoverScopes, failureCauses } from "../../protocol/reasons.ts";
import type { RecoveryRow } from "../../scenario/report.ts";
import { ExecutionState, JobStatus } from "../states.ts";
import { type Handlers, type Span, field, foldLog, listField } from "./entries.ts";

type Row = { -readonly [K in keyof RecoveryRow]: RecoveryRow[K] extends readonly (infer E)[] ? E[] : RecoveryRow[K] };

/** A recovery that is not over: its subtasks, and those of them that do not run yet. */
interface Open {
  readonly row: Row;
  readonly rewound: Record<string, readonly [number, number]>;
  readonly members: Set<number>;
  readonly waiting: Set<number>;
}

const closing = deciders.indexOf("close");
const restoring = deciders.indexOf("restore");
const beginnings: ReadonlySet<number> = new Set([EventNumber.FaultInjected, EventNumber.JobSubmitted]);
/** Most entries between a failure and the decision about it. */
const FARTHEST = 50;

export function recoveryRows(log: EventLog, span: Span): RecoveryRow[] {
  return new Recoveries(log, span).rows.map((row) => ({ ...row, submission: span.submission }));
}

class Recoveries {
  readonly rows: Row[] = [];
  private readonly graph: ExecutionGraph;
  private readonly log: EventLog;
  private open: Open[] = [];
  /** Transactions that a sink aborted as it closed, for the recovery that is decided next. */
  private closed: { readonly subtask: number; readonly name: string }[] = [];

  constructor(log: EventLog, span: Span) {
    this.graph = span.graph;
    this.log = log;
    const handlers: Handlers = {
      RestartScheduled: (step) => this.begin(step),
      LeadershipLost: () => {
        this.open = [];
      },
      LeadershipGranted: (step) => this.beginAnew(step),
      JobStatusChanged: (step) => {
        if (field(log, step, "JobStatusChanged", "to") === JobStatus.failing) this.refuse(step);
      },
      AttemptCreated: (step) => {
        const recovery = this.of(field(log, step, "AttemptCreated", "subtask"));
        if (recovery !== undefined) recovery.row.restartedAt ??= log.clock(step);
      },
      StateRestored: (step) => this.restore(step, "StateRestored"),
      RestoredAsFinished: (step) => this.restore(step, "RestoredAsFinished"),
      SourceRewound: (step) => this.rewind(step),
      TaskStateChanged: (step) => {
        if (field(log, step, "TaskStateChanged", "to") === ExecutionState.running) this.runs(step);
      },
      TransactionAborted: (step) => this.abort(step),
      TransactionCommitted: (step) => this.commit(step),
    };
    foldLog(log, handlers, span);
  }

  private of(subtask: number): Open | undefined {
    return this.open.find(({ members }) => members.has(subtask));
  }

  private begin(step: number): void {
    const { log } = this;
    this.restart(listField(log, step, "RestartScheduled", "restarted"), {
      ...none(log.clock(step), this.failure(step).told),
      granted: true,
      delay: field(log, step, "RestartScheduled", "delay"),
      scope: at(failoverScopes, field(log, step, "RestartScheduled", "scope")),
    });
  }

  private beginAnew(step: number): void {
    const members = this.graph.subtasks.map(({ index }) => index);
    this.restart(members, { ...none(this.log.clock(step), "JOB_MANAGER_LOST"), granted: true, scope: "global" });
  }

  private restart(members: readonly number[], begun: Row): void {
    const { graph } = this;
    for (const subtask of members) {
      const before = this.of(subtask);
      before?.members.delete(subtask);
      before?.waiting.delete(subtask);
    }
    this.open = this.open.filter((other) => other.members.size > 0);
    const rewound: Record<string, readonly [number, number]> = {};
    const row: Row = {
      ...begun,
      restarted: members.map((subtask) => at(graph.subtasks, subtask).name),
      rewound,
      transactionsAborted: this.closed.filter(({ subtask }) => members.includes(subtask)).map(({ name }) => name),
    };
    this.closed = [];
    this.rows.push(row);
    this.open.push({ row, rewound, members: new Set(members), waiting: new Set(members) });
  }

  private refuse(step: number): void {
    const { told, ofAttempt } = this.failure(step);
    this.rows.push({ ...none(this.log.clock(step), told), scope: ofAttempt ? "region" : "global" });
  }

  /** The failure that led to an entry, found along the causes. */
  private failure(step: number): { readonly told: string; readonly ofAttempt: boolean } {
    const { graph, log } = this;
    for (let cause = step, i = 0; i < FARTHEST && cause >= 0; cause = log.cause(cause), i++) {
      if (log.type(cause) === EventNumber.TaskFailed) {
        const subtask = at(graph.subtasks, field(log, cause, "TaskFailed", "subtask")).name;
        return {
          told: `${subtask}: ${at(failureCauses, field(log, cause, "TaskFailed", "failure"))}`,
          ofAttempt: true,
        };
      }
      if (log.type(cause) === EventNumber.CheckpointAborted) {
        // One that does not count takes no counter beyond what is tolerable: it was the savepoint of a stop (CP-150).
        const counts = field(log, cause, "CheckpointAborted", "counts") === 1;
        return { told: counts ? "CHECKPOINT_FAILURE_THRESHOLD" : "STOP_WITH_SAVEPOINT_FAILED", ofAttempt: false };
      }
      if (log.type(cause) === EventNumber.OperationAnswered) return { told: "STOPPING_FAILED", ofAttempt: false };
      // What came before a fault, or belongs to the job before, is not why.
      if (beginnings.has(log.type(cause))) break;
    }
    return { told: "JOB_FAILURE", ofAttempt: false };
  }

  private restore(step: number, type: "StateRestored" | "RestoredAsFinished"): void {
    const recovery = this.of(field(this.log, step, type, "subtask"));
    if (recovery !== undefined) recovery.row.restoredFrom = field(this.log, step, type, "checkpoint");
  }

  private rewind(step: number): void {
    const { graph, log } = this;
    const recovery = this.of(field(log, step, "SourceRewound", "subtask"));
    if (recovery === undefined) return;
    const { name } = at(graph.inputs, field(log, step, "SourceRewound", "partition"));
    recovery.rewound[name] = [
      field(log, step, "SourceRewound", "position"),
      field(log, step, "SourceRewound", "target"),
    ];
  }

  private runs(step: number): void {
    const subtask = field(this.log, step, "TaskStateChanged", "subtask");
    const recovery = this.of(subtask);
    if (recovery === undefined || recovery.row.restartedAt === null) return;
    recovery.waiting.delete(subtask);
    if (recovery.waiting.size > 0) return;
    recovery.row.runningAt = this.log.clock(step);
    this.open = this.open.filter((other) => other !== recovery);
  }

  private abort(step: number): void {
    const { graph, log } = this;
    const subtask = field(log, step, "TransactionAborted", "subtask");
    const name = transactionName(graph, field(log, step, "TransactionAborted", "transaction"));
    const recovery = this.of(subtask);
    if (recovery !== undefined) recovery.row.transactionsAborted.push(name);
    else if (field(log, step, "TransactionAborted", "decider") === closing) this.closed.push({ subtask, name });
  }

  private commit(step: number): void {
    const { graph, log } = this;
    const effect = field(log, step, "TransactionCommitted", "again") === 0;
    if (!effect || field(log, step, "TransactionCommitted", "decider") !== restoring) return;
    const recovery = this.of(field(log, step, "TransactionCommitted", "subtask"));
    recovery?.row.transactionsCommitted.push(
      transactionName(graph, field(log, step, "TransactionCommitted", "transaction")),
    );
  }
}

/** A recovery that is refused, and does nothing. */
function none(clock: number, cause: string): Row {
  return {
    at: clock,
    submission: 0,
    cause,
    granted: false,
    delay: null,
    restartedAt: null,
    runningAt: null,
    scope: "region",
    restarted: [],
    restoredFrom: null,
    rewound: {},
    transactionsAborted: [],
    transactionsCommitted: [],
  };
}
