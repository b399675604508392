/** What made the coordinator trigger a checkpoint (CP-003, CP-009, CP-160): told by the cause of its entry. */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { type FaultVerb, faultVerbs } from "../protocol/reasons.ts";
import { places } from "./fields.ts";

/** The interval; a command, by its verb; or the end of another checkpoint, for which the request had waited. */
export type Trigger = { readonly by: "interval" | "queue" } | { readonly by: "command"; readonly verb: FaultVerb };

const fault = places("FaultInjected");

/** `step`: of `CheckpointTriggered`. */
export function triggerOf(log: EventLog, step: number): Trigger {
  const cause = log.cause(step);
  if (cause < 0) return { by: "interval" };
  return log.type(cause) === EventNumber.FaultInjected
    ? { by: "command", verb: at(faultVerbs, log.field(cause, fault.do)) }
    : { by: "queue" };
}
