/** A message on its way (a part of `views.ts`). */
import type { Rpc } from "../protocol/reasons.ts";

/** A message between the JobManager and a task, or from a task to the log. */
export interface MessageView {
  readonly rpc: Rpc | "commit";
  readonly subtask: number;
  readonly direction: "to-task" | "to-job-manager" | "to-log";
  readonly checkpoint: number;
  /** For a commit request; `-1` for the others. */
  readonly transaction: number;
  readonly sentAt: number;
  readonly arrivesAt: number;
  readonly lost: boolean;
  readonly step: number;
}
