/**
 * The fencing token of the JobManager in the lead (`JobMasterId`, which is the leader's session id; FR-104): every message
 * to and from a JobMaster carries it, and one with another token is refused. Leader election draws a random id for each
 * leader; the log numbers leaders, and the number stands for the id. Without high availability nobody is elected, and the
 * token is always the same (`HighAvailabilityServices.DEFAULT_LEADER_ID`, all zero).
 */
import type { RunView } from "./views.ts";

/** As Flink prints it, 32 hexadecimal digits; `null`: nobody is in the lead. */
export function fencingToken({ job, shared }: RunView): string | null {
  if (!job.led) return null;
  const session = shared.scenario.config.state.highAvailability ? job.leader : 0;
  return session.toString(16).padStart(32, "0");
}
