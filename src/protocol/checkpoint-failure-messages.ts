import type { CheckpointFailureReason } from "./reasons.ts";

/** Flink's own sentences for why a checkpoint failed: `CheckpointFailureReason.message`. */
export const checkpointFailureMessages: { readonly [R in CheckpointFailureReason]: string } = {
  CHECKPOINT_COORDINATOR_SUSPEND: "Checkpoint Coordinator is suspending.",
  CHECKPOINT_COORDINATOR_SHUTDOWN: "CheckpointCoordinator shutdown.",
  CHECKPOINT_EXPIRED: "Checkpoint expired before completing.",
  CHECKPOINT_SUBSUMED: "Checkpoint has been subsumed.",
  CHECKPOINT_DECLINED_SUBSUMED: "Checkpoint was canceled because a barrier from newer checkpoint was received.",
  CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER: "Task received cancellation from one of its inputs.",
  CHECKPOINT_DECLINED_TASK_NOT_READY: "Checkpoint was declined (tasks not ready).",
  NOT_ALL_REQUIRED_TASKS_RUNNING: "Not all required tasks are currently running.",
  MINIMUM_TIME_BETWEEN_CHECKPOINTS: "The minimum time between checkpoints is still pending.",
  PERIODIC_SCHEDULER_SHUTDOWN: "Periodic checkpoint scheduler is shut down.",
  TASK_FAILURE: "Task has failed.",
  JOB_FAILOVER_REGION: "FailoverRegion is restarting.",
  TOO_MANY_CHECKPOINT_REQUESTS: "The maximum number of queued checkpoint requests exceeded.",
  IO_EXCEPTION: "An Exception occurred while triggering the checkpoint. IO-problem detected.",
  TRIGGER_CHECKPOINT_FAILURE: "Trigger checkpoint failure.",
  FINALIZE_CHECKPOINT_FAILURE: "Failure to finalize checkpoint.",
  CHECKPOINT_ASYNC_EXCEPTION: "Asynchronous task checkpoint failed.",
  CHECKPOINT_DECLINED_TASK_CLOSING: "Checkpoint was declined (task is closing).",
  CHECKPOINT_DECLINED_INPUT_END_OF_STREAM: "Checkpoint was declined because one input stream is finished.",
  BLOCKING_OUTPUT_EXIST: "Blocking output edge exists in running tasks.",
};
