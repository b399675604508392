/** The run report: what the log tells, and what the ledger judges (the contract's section 2). */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { EventLog } from "../../protocol/log.ts";
import { jobStatus } from "../../protocol/machines/job-status.ts";
import { failureCauses } from "../../protocol/reasons.ts";
import { keepsCheckpoints, outlivesJobManager } from "../../scenario/retention.ts";
import type { Ended, RecoveryRow, Report } from "../../scenario/report.ts";
import type { Command, Notice, Scenario } from "../../scenario/scenario.ts";
import { JobStatus } from "../states.ts";
import { checkpointRows, rejectedTriggers } from "./checkpoints.ts";
import { field, foldLog } from "./entries.ts";
import { fileRows } from "./files.ts";
import { recoveryRows } from "./recoveries.ts";
import { sourceRows } from "./sources.ts";
import { transactionRows } from "./transactions.ts";

export interface Outcome {
  readonly ended: Ended;
  readonly ledger: Pick<Report, "delivery" | "state" | "verdict">;
  readonly invariants: Report["invariants"];
  /** What the run says beside the scenario's own notices: faults that never acted, what a stuck run waits for. */
  readonly notices: readonly Notice[];
  /** What faults and people did, by the number that entries carry. */
  readonly commands: readonly Command[];
}

export function reportOf(scenario: Scenario, graph: ExecutionGraph, log: EventLog, outcome: Outcome): Report {
  const recoveries = recoveryRows(graph, log);
  const job = jobOf(log, restartsOf(scenario, recoveries), recoveries.at(-1)?.cause ?? null);
  const { ledger, ended, invariants, notices } = outcome;
  const lost = job.status === "SUSPENDED" && !scenario.config.state.highAvailability;
  return {
    format: 1,
    scenario: scenario.id,
    ended,
    steps: log.length,
    clock: log.length === 0 ? 0 : log.clock(log.length - 1),
    broken: [...scenario.broken],
    submissions: [{ at: 0, from: null, claimMode: null, ...job, dropped: [], refused: null, lost }],
    job,
    deployment: deploymentOf(graph, log),
    rejectedTriggers: rejectedTriggers(log),
    notices: [...scenario.notices, ...notices],
    checkpoints: checkpointRows(
      graph,
      log,
      scenario,
      keepsCheckpoints(scenario.config.checkpointing.retention, job.status) &&
        (job.status !== "SUSPENDED" || outlivesJobManager(scenario.config.state)),
    ),
    files: fileRows(scenario, graph, log, outcome.commands),
    recoveries,
    transactions: transactionRows(graph, log),
    sources: sourceRows(graph, log),
    delivery: ledger.delivery,
    state: ledger.state,
    verdict: ledger.verdict,
    invariants,
  };
}

/** `failureCause` is why the job FAILED; a job that recovered has none. */
function jobOf(log: EventLog, restarts: number, cause: string | null): Report["job"] {
  const names = Object.keys(jobStatus.states);
  const told = { status: names.indexOf(jobStatus.initial), failure: -1 };
  foldLog(log, {
    TaskFailed: (step) => (told.failure = field(log, step, "TaskFailed", "failure")),
    JobStatusChanged: (step) => (told.status = field(log, step, "JobStatusChanged", "to")),
  });
  const failed = told.status === JobStatus.failing || told.status === JobStatus.failed;
  return {
    status: at(names, told.status),
    restarts,
    failureCause: failed ? (cause ?? failureCauses[told.failure] ?? null) : null,
  };
}

/** Where each subtask was placed first. */
function deploymentOf(graph: ExecutionGraph, log: EventLog): Report["deployment"] {
  const placed = new Map<number, number>();
  foldLog(log, {
    TaskStateChanged: (step) => {
      const [subtask, taskManager] = [
        field(log, step, "TaskStateChanged", "subtask"),
        field(log, step, "TaskStateChanged", "taskManager"),
      ];
      if (taskManager >= 0 && !placed.has(subtask)) placed.set(subtask, taskManager);
    },
  });
  return Object.fromEntries(
    graph.taskManagers.map((name, taskManager) => [
      name,
      graph.subtasks.filter(({ index }) => placed.get(index) === taskManager).map((subtask) => subtask.name),
    ]),
  );
}

/**
 * Restarts that the strategy granted. A failure that came inside a backoff of exponential-delay belongs to the restart
 * that was granted already (FR-064), so it adds none.
 */
function restartsOf({ config }: Scenario, recoveries: readonly RecoveryRow[]): number {
  const granted = recoveries.filter((row) => row.delay !== null);
  if (config.restartStrategy.type !== "exponential-delay") return granted.length;
  return new Set(granted.map(({ at: clock, delay }) => clock + (delay ?? 0))).size;
}
