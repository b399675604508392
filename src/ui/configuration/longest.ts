/** How long the checkpoints of a run take, for the rule about their timeout. */
import { checkpointFailureReasons } from "../../protocol/reasons.ts";
import type { EventLog } from "../../protocol/log.ts";
import { places } from "../../projection/fields.ts";
import type { CheckpointSpan } from "../../projection/timeline.ts";
import type { Longest } from "./look.ts";

const { reason } = places("CheckpointAborted");
const EXPIRED = checkpointFailureReasons.indexOf("CHECKPOINT_EXPIRED");

/** Of those that are complete; where none is, of those that expired. */
export function longestOf(log: EventLog, spans: readonly CheckpointSpan[]): Longest | null {
  const took = (chosen: readonly CheckpointSpan[]): number => Math.max(...chosen.map(({ from, to }) => to - from));
  const completed = spans.filter(({ status }) => status === "completed");
  if (completed.length > 0) return { ms: took(completed), expired: false };
  const expired = spans.filter(
    ({ status, toStep }) => status === "aborted" && toStep >= 0 && log.field(toStep, reason) === EXPIRED,
  );
  return expired.length === 0 ? null : { ms: took(expired), expired: true };
}
