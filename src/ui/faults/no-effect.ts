/**
 * A planned fault that does nothing in the run that is shown (E-36): what it is for was not there or not so when it acted, or
 * it has not acted at all. Told by the attempts of the log, and by the view just before it.
 */
import { attemptsOf } from "../../projection/attempts.ts";
import { EventNumber } from "../../protocol/events.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { FaultMark } from "../../projection/timeline.ts";
import type { FaultVerb } from "../../protocol/reasons.ts";
import type { Report } from "../../scenario/report.ts";
import { factsOf } from "../facts.ts";
import type { Run } from "../run.ts";
import { type Moot, mootAt, runningAfter } from "./moot.ts";

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
  | ({ readonly says: "moot"; readonly clock: number } & Moot)
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
  if (marks.length > 1) return null;
  if (mark.subtask < 0 || !needRunning.has(mark.do)) return ofOthers(run, mark);
  const submission = submissionAt(log, mark.step);
  const attempts = attemptsOf(log);
  const state = attempts.of(submission, mark.subtask, mark.step)[0]?.states.at(-1)?.state;
  if (state === "RUNNING" || state === "INITIALIZING") return null;
  return {
    says: "notRunning",
    clock: mark.clock,
    subtask: run.jobs.at(mark.step).graph.subtasks[mark.subtask]?.name ?? "",
    moveTo: runningAfter(log, submission, mark.subtask, mark.step),
  };
}

/** Of what is for something else than one task that runs. */
function ofOthers(run: Run, mark: FaultMark): NoEffect | null {
  const command = run.commands[mark.fault];
  if (command === undefined || mark.step === 0) return null;
  const moot = mootAt(run.stageViews.copyAt(mark.step - 1), run.log, mark, command);
  return moot === null ? null : { says: "moot", clock: mark.clock, ...moot };
}

/** Which of a run's jobs an entry is of, counted from 0. */
function submissionAt(log: EventLog, step: number): number {
  let count = 0;
  for (let entry = 0; entry <= step; entry++) if (log.type(entry) === EventNumber.JobSubmitted) count++;
  return count;
}
