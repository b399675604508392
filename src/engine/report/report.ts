/** The run report: what the log tells, and what the ledger judges (the contract's section 2). */
import { at } from "../../base/assert.ts";
import type { EventLog } from "../../protocol/log.ts";
import { keepsCheckpoints, outlivesJobManager } from "../../scenario/retention.ts";
import type { Ended, Report } from "../../scenario/report.ts";
import type { Command, Notice } from "../../scenario/scenario.ts";
import { checkpointRows, rejectedTriggers } from "./checkpoints.ts";
import { type Handlers, type Span, field, foldLog, spansOf } from "./entries.ts";
import { fileRows } from "./files.ts";
import { globalCommitRows } from "./global-commits.ts";
import { recoveryRows } from "./recoveries.ts";
import { sourceRows } from "./sources.ts";
import { backgroundOf, stallsOf } from "./stalls.ts";
import { submissionRows } from "./submissions.ts";
import { transactionRows } from "./transactions.ts";

export interface Outcome {
  readonly ended: Ended;
  readonly ledger: Pick<Report, "delivery" | "state" | "verdict">;
  readonly invariants: Report["invariants"];
  /** What the run says beside the scenario's own notices: faults that never acted, what a stuck run waits for. */
  readonly notices: readonly Notice[];
  /** What a group lags behind the end of an input partition, given the offset that it has committed. */
  readonly lag: (partition: number, groupOffset: number) => number;
  /** What faults and people did, by the number that entries carry. */
  readonly commands: readonly Command[];
}

/** `jobs`: those that the run has submitted, in order. */
export function reportOf(jobs: readonly Pick<Span, "graph" | "scenario">[], log: EventLog, outcome: Outcome): Report {
  const spans = spansOf(log, jobs);
  const last = at(spans, spans.length - 1);
  const { scenario } = at(spans, 0);
  const { ledger, ended, invariants, notices } = outcome;
  const submissions = submissionRows(log, spans, outcome.commands);
  const { status, restarts, failureCause } = at(submissions, submissions.length - 1);
  return {
    format: 1,
    scenario: scenario.id,
    ended,
    steps: log.length,
    clock: log.length === 0 ? 0 : log.clock(log.length - 1),
    broken: [...scenario.broken],
    submissions,
    job: { status, restarts, failureCause },
    deployment: deploymentOf(log, last),
    rejectedTriggers: rejectedTriggers(log),
    notices: [...scenario.notices, ...notices],
    checkpoints: spans.flatMap((span) => {
      const { checkpointing, state } = span.scenario.config;
      const { status: end } = at(submissions, span.submission);
      const stays = keepsCheckpoints(checkpointing.retention, end);
      return checkpointRows(log, span, stays && (end !== "SUSPENDED" || outlivesJobManager(state)));
    }),
    files: fileRows(log, spans, outcome.commands),
    recoveries: spans.flatMap((span) => recoveryRows(log, span)),
    transactions: transactionRows(log, spans),
    sources: sourceRows(log, spans, outcome.lag),
    delivery: withStalls(log, last.graph, ledger.delivery),
    globalCommits: spans.flatMap((span) => globalCommitRows(log, span)),
    background: backgroundOf(log, last),
    state: ledger.state,
    verdict: ledger.verdict,
    invariants,
  };
}

/** Only a committed reader waits for transactions. */
function withStalls(log: EventLog, graph: Span["graph"], delivery: Report["delivery"]): Report["delivery"] {
  const stalls = stallsOf(log, graph);
  return delivery.map((row) => {
    const topic = graph.operators.find(({ vertex }) => vertex.uid === row.sink)?.vertex;
    if (row.reader !== "read_committed" || topic?.type !== "kafka-sink") return row;
    const of = graph.outputs.filter((output) => output.topic === topic.topic);
    return { ...row, stalls: of.flatMap(({ index }) => at(stalls, index)) };
  });
}

/** Where each subtask was placed first. */
function deploymentOf(log: EventLog, span: Span): Report["deployment"] {
  const { graph } = span;
  const placed = new Map<number, number>();
  const handlers: Handlers = {
    TaskStateChanged: (step) => {
      const [subtask, taskManager] = [
        field(log, step, "TaskStateChanged", "subtask"),
        field(log, step, "TaskStateChanged", "taskManager"),
      ];
      if (taskManager >= 0 && !placed.has(subtask)) placed.set(subtask, taskManager);
    },
  };
  foldLog(log, handlers, span);
  return Object.fromEntries(
    graph.taskManagers.map((name, taskManager) => [
      name,
      graph.subtasks.filter(({ index }) => placed.get(index) === taskManager).map((subtask) => subtask.name),
    ]),
  );
}
