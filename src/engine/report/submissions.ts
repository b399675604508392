/** The report's `submissions`: one row for each job of the run (CP-170 to CP-172, FR-115). */
import { at } from "../../base/assert.ts";
import type { EventLog } from "../../protocol/log.ts";
import { jobStatus } from "../../protocol/machines/job-status.ts";
import { claimModes, failureCauses, restoreRefusals } from "../../protocol/reasons.ts";
import type { RecoveryRow, SubmissionRow } from "../../scenario/report.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import { JobStatus } from "../states.ts";
import { type Span, field, foldLog } from "./entries.ts";
import { checkpointDirs, savepointPaths } from "./files.ts";
import { recoveryRows } from "./recoveries.ts";

export function submissionRows(log: EventLog, spans: readonly Span[], commands: readonly Command[]): SubmissionRow[] {
  const dirs = checkpointDirs(log, spans, commands);
  const savepoints = spans.map((span) => savepointPaths(log, span, commands));
  return spans.map((span) => {
    const { status, restarts, failureCause } = jobOf(log, span);
    const { from, claimMode, dropped, refused } = startOf(log, span, dirs, savepoints);
    const lost = status === "SUSPENDED" && !span.scenario.config.state.highAvailability;
    const clock = span.from === 0 ? 0 : log.clock(span.from);
    return { at: clock, from, claimMode, status, restarts, failureCause, dropped, refused, lost };
  });
}

/** What a job started from. */
function startOf(
  log: EventLog,
  { submission, from, to, graph }: Span,
  dirs: readonly string[],
  savepoints: readonly ReadonlyMap<number, string>[],
): Pick<SubmissionRow, "from" | "claimMode" | "dropped" | "refused"> {
  const dropped: string[] = [];
  let refused: string | null = null;
  const uid = (place: number): string | null => graph.uids[place] ?? null;
  foldLog(
    log,
    {
      OperatorStateDropped: (step) => dropped.push(uid(field(log, step, "OperatorStateDropped", "uid")) ?? ""),
      RestoreRefused: (step) => {
        const operator = uid(field(log, step, "RestoreRefused", "uid"));
        const reason = at(restoreRefusals, field(log, step, "RestoreRefused", "refusal"));
        refused = operator === null ? reason : `${operator}: ${reason}`;
      },
    },
    { from, to },
  );
  if (submission === 0) return { from: null, claimMode: null, dropped: [], refused: null };
  const number = (name: "checkpoint" | "from" | "claimMode" | "savepoint"): number =>
    field(log, from, "JobSubmitted", name);
  const dir = dirs[number("from")];
  if (dir === undefined) return { from: null, claimMode: null, dropped, refused };
  // A cut that somebody drew lies nowhere, and nobody claims it.
  if (number("claimMode") < 0) return { from: "cut", claimMode: null, dropped, refused };
  const checkpoint = number("checkpoint");
  const path = number("savepoint") === 1 ? savepoints[number("from")]?.get(checkpoint) : `${dir}/chk-${checkpoint}`;
  return { from: path ?? null, claimMode: at(claimModes, number("claimMode")), dropped, refused };
}

/** `failureCause` is why the job FAILED; a job that recovered has none. */
function jobOf(log: EventLog, span: Span): Pick<SubmissionRow, "status" | "restarts" | "failureCause"> {
  const recoveries = recoveryRows(log, span);
  const names = Object.keys(jobStatus.states);
  const told = { status: names.indexOf(jobStatus.initial), failure: -1 };
  foldLog(
    log,
    {
      TaskFailed: (step) => (told.failure = field(log, step, "TaskFailed", "failure")),
      JobStatusChanged: (step) => (told.status = field(log, step, "JobStatusChanged", "to")),
    },
    span,
  );
  const failed = told.status === JobStatus.failing || told.status === JobStatus.failed;
  return {
    status: at(names, told.status),
    restarts: restartsOf(span.scenario, recoveries),
    failureCause: failed ? (recoveries.at(-1)?.cause ?? failureCauses[told.failure] ?? null) : null,
  };
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
