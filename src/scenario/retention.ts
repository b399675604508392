/** What becomes of the checkpoints of a job that ends (`CheckpointProperties`; CP-168). */
import type { Retention, StateStorage } from "./scenario.ts";

/** Are those in its store kept for whoever starts from them? FINISHED never keeps any; a job that has not ended does. */
export function keepsCheckpoints(retention: Retention, status: string): boolean {
  if (status === "FAILED") return retention !== "NO_EXTERNALIZED_CHECKPOINTS";
  if (status === "CANCELED") return retention === "RETAIN_ON_CANCELLATION";
  return status !== "FINISHED";
}

/** CP-111: what only the JobManager had in memory is gone with it. */
export function outlivesJobManager({ storage, dir }: StateStorage): boolean {
  return storage === "filesystem" || dir !== null;
}
