/**
 * A planned fault that does nothing in the run that is shown (E-36): its task did not run when it acted, or it has not acted
 * at all. Told by the attempts of the log.
 */
import { attemptsOf } from "../../projection/attempts.ts";
import { EventNumber } from "../../protocol/events.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { FaultVerb } from "../../protocol/reasons.ts";
import type { Report } from "../../scenario/report.ts";
import { factsOf } from "../facts.ts";
import type { Run } from "../run.ts";

/** What needs a task that runs at that moment. */
const needRunning: ReadonlySet<FaultVerb> = new Set(["fail-task", "stall", "slow"] as const);

export type NoEffect =
  | {
      readonly says: "notRunning";
      /** When it acted, and the first moment after that at which it would do something; `null`: there is none. */
      readonly clock: number;
      readonly subtask: string;
      readonly moveTo: number | null;
    }
  | { readonly says: "neverActed" }
  | { readonly says: "byChance" };

/** `null`: it does something, or that is not to be told yet. */
export function noEffectOf(run: Run, report: Report | null, fault: number): NoEffect | null {
  const marks = factsOf(run).timeline.faults.filter((mark) => mark.fault === fault);
  const [mark] = marks;
  if (mark === undefined) {
    const notice = report?.notices.find(
      ({ code, path }) => code === "FAULT_NEVER_FIRED" && path === `faults[${fault}]`,
    );
    if (notice === undefined) return null;
    return { says: notice.message.includes("chance") ? "byChance" : "neverActed" };
  }
  const { log } = run;
  if (marks.length > 1 || mark.subtask < 0 || !needRunning.has(mark.do)) return null;
  const submission = submissionAt(log, mark.step);
  const attempts = attemptsOf(log);
  const state = attempts.of(submission, mark.subtask, mark.step)[0]?.states.at(-1)?.state;
  if (state === "RUNNING" || state === "INITIALIZING") return null;
  const later = attempts
    .of(submission, mark.subtask, log.length)
    .flatMap(({ states }) => states.filter((each) => each.state === "RUNNING" && each.step > mark.step))
    .map(({ clock }) => clock);
  return {
    says: "notRunning",
    clock: mark.clock,
    subtask: run.jobs.at(mark.step).graph.subtasks[mark.subtask]?.name ?? "",
    // The entry of that millisecond comes first.
    moveTo: later.length === 0 ? null : Math.min(...later) + 1,
  };
}

/** Which of a run's jobs an entry is of, counted from 0. */
function submissionAt(log: EventLog, step: number): number {
  let count = 0;
  for (let entry = 0; entry <= step; entry++) if (log.type(entry) === EventNumber.JobSubmitted) count++;
  return count;
}
