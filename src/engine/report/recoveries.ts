/** The report's `recoveries`: one row a failover, granted or denied, told by the log (FR-080 to FR-098). */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { EventLog } from "../../protocol/log.ts";
import { deciders, failoverScopes, failureCauses } from "../../protocol/reasons.ts";
import type { RecoveryRow } from "../../scenario/report.ts";
import { ExecutionState, JobStatus } from "../states.ts";
import { field, foldLog, listField } from "./entries.ts";

interface Building {
  row: { -readonly [K in keyof RecoveryRow]: RecoveryRow[K] };
  rewound: { [partition: string]: [number, number] };
  /** Subtasks that are not running again yet. */
  waiting: Set<number>;
  members: Set<number>;
}

export function recoveryRows(graph: ExecutionGraph, log: EventLog): RecoveryRow[] {
  const recoveries: Building[] = [];
  const of = (subtask: number): Building | undefined => recoveries.findLast(({ row, members }) => row.granted && members.has(subtask));
  let cause = "";
  foldLog(log, {
    TaskFailed: (step) => {
      const failure = at(failureCauses, field(log, step, "TaskFailed", "failure"));
      cause = `${at(graph.subtasks, field(log, step, "TaskFailed", "subtask")).name}: ${failure}`;
    },
    RestartScheduled: (step) => {
      const scope = at(failoverScopes, field(log, step, "RestartScheduled", "scope"));
      const failure = at(failureCauses, field(log, step, "RestartScheduled", "failure"));
      recoveries.push(granted(graph, log, step, scope, scope === "global" ? failure : cause));
    },
    JobStatusChanged: (step) => {
      if (field(log, step, "JobStatusChanged", "to") === JobStatus.failing) recoveries.push(denied(log.clock(step), cause));
    },
    AttemptCreated: (step) => {
      const recovery = of(field(log, step, "AttemptCreated", "subtask"));
      if (recovery !== undefined) recovery.row.restartedAt ??= log.clock(step);
    },
    StateRestored: (step) => {
      const recovery = of(field(log, step, "StateRestored", "subtask"));
      if (recovery !== undefined) recovery.row.restoredFrom = field(log, step, "StateRestored", "checkpoint");
    },
    SourceRewound: (step) => {
      const partition = at(graph.inputs, field(log, step, "SourceRewound", "partition")).name;
      const recovery = of(field(log, step, "SourceRewound", "subtask"));
      if (recovery !== undefined) recovery.rewound[partition] = [field(log, step, "SourceRewound", "position"), field(log, step, "SourceRewound", "target")];
    },
    TransactionCommitted: (step) => decided(of(field(log, step, "TransactionCommitted", "subtask")), "transactionsCommitted", deciders[field(log, step, "TransactionCommitted", "decider")], transactionName(graph, field(log, step, "TransactionCommitted", "transaction"))),
    TransactionAborted: (step) => decided(of(field(log, step, "TransactionAborted", "subtask")), "transactionsAborted", deciders[field(log, step, "TransactionAborted", "decider")], transactionName(graph, field(log, step, "TransactionAborted", "transaction"))),
    TaskStateChanged: (step) => {
      const subtask = field(log, step, "TaskStateChanged", "subtask");
      const recovery = of(subtask);
      if (recovery === undefined || field(log, step, "TaskStateChanged", "to") !== ExecutionState.running || recovery.row.restartedAt === null) return;
      recovery.waiting.delete(subtask);
      if (recovery.waiting.size === 0) recovery.row.runningAt ??= log.clock(step);
    },
  });
  return recoveries.map(({ row, rewound }) => ({ ...row, rewound }));
}

function granted(graph: ExecutionGraph, log: EventLog, step: number, scope: "region" | "global", cause: string): Building {
  const list = listField(log, step, "RestartScheduled", "restarted");
  const members = new Set(list);
  return {
    row: {
      at: log.clock(step), submission: 0, cause, granted: true, delay: field(log, step, "RestartScheduled", "delay"), restartedAt: null, runningAt: null,
      scope, restarted: list.map((subtask) => at(graph.subtasks, subtask).name), restoredFrom: null, rewound: {}, transactionsAborted: [], transactionsCommitted: [],
    },
    rewound: {}, waiting: new Set(members), members,
  };
}

function denied(clock: number, cause: string): Building {
  return {
    row: {
      at: clock, submission: 0, cause, granted: false, delay: null, restartedAt: null, runningAt: null, scope: "region", restarted: [],
      restoredFrom: null, rewound: {}, transactionsAborted: [], transactionsCommitted: [],
    },
    rewound: {}, waiting: new Set(), members: new Set(),
  };
}

/** What a restarting sink settled. */
function decided(recovery: Building | undefined, list: "transactionsAborted" | "transactionsCommitted", decider: string | undefined, name: string): void {
  if (recovery === undefined || decider !== "restore" || recovery.row.restartedAt === null) return;
  recovery.row[list] = [...recovery.row[list], name];
}
