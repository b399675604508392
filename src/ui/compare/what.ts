/** What is compared: the run on screen in other modes, or the comparison that comes with the app. */
import {
  type Comparison,
  type ScenarioSource,
  checkpointingModes,
  slowSink,
  timedFault,
} from "../../scenario/comparison.ts";
import { at } from "../../base/assert.ts";
import type { BranchId } from "../../worker/port.ts";
import { decisionsOf } from "../link.ts";
import type { Session } from "../store.ts";

export const subjects = ["this", "branches", "other", "example"] as const;
export type Subject = (typeof subjects)[number];

export function comparisonOf(
  subject: Exclude<Subject, "branches" | "other">,
  session: Session,
  branch: BranchId,
): Comparison {
  return subject === "example" ? slowSink : modesOf(session, branch);
}

/** What was decided on the way to the branch acts in every variant at the time at which it acted here. */
function modesOf(session: Session, branch: BranchId): Comparison {
  const { log } = at(session.branches, branch).run;
  const clockAt = (step: number): number => (log.length === 0 ? 0 : log.clock(Math.min(step, log.length - 1)));
  return {
    source: JSON.parse(session.text) as ScenarioSource,
    faults: decisionsOf(session, branch).map(({ step, command }) => timedFault(clockAt(step), command)),
    variants: checkpointingModes,
  };
}
