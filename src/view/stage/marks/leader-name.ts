/** What the JobManager's strip and what is drawn into it later have to agree on. */
import type { JobManagerFrame } from "../frame-types.ts";
import type { MarkContext } from "./context.ts";

/** As far as the job's own part of a wide strip goes. */
export const JOB_RIGHT = 208;

/** Where another could take over they are told apart by number. */
export function leaderName({ leader }: JobManagerFrame, { text }: MarkContext): string {
  return leader.standby ? `${text.jobManager()} ${leader.number}` : text.jobManager();
}
