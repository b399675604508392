/**
 * Which event an event could have changed places with: the next one that has to do with something of the same and does not
 * come of it, and is not the doing of the same thread, whose order is its own. Messages, timers and threads beside each
 * other may come in another order in another run; that is a race.
 */
import type { EventLog } from "../protocol/log.ts";
import { concernedBy, concerns } from "./entry-elements.ts";

/** Milliseconds within which two events are near enough that a slower message or thread changes their order. */
const NEAR = 5000;

/** The first such entry behind `step` and before `end`; `null`: there is none near. */
export function independentAfter(log: EventLog, step: number, end: number): number | null {
  const latest = log.clock(step) + NEAR;
  const mine = concernedBy(log, step);
  const thread = mine.find(({ kind }) => kind === "subtask");
  for (let other = step + 1; other < end && log.clock(other) <= latest; other++) {
    if (!mine.some((each) => each.kind !== "subtask" && concerns(log, other, each))) continue;
    if (thread !== undefined && concerns(log, other, thread)) continue;
    if (!comesOf(log, other, step)) return other;
  }
  return null;
}

function comesOf(log: EventLog, step: number, cause: number): boolean {
  let each = step;
  while (each > cause) each = log.cause(each);
  return each === cause;
}
