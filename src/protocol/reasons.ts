/** Closed lists of words that log fields carry by their place in the list. Only append. */

/** Flink's `CheckpointFailureReason`, as far as a run of today can give one. */
export const checkpointFailureReasons = [
  "CHECKPOINT_COORDINATOR_SUSPEND",
  "CHECKPOINT_COORDINATOR_SHUTDOWN",
  "CHECKPOINT_EXPIRED",
  "CHECKPOINT_SUBSUMED",
  "CHECKPOINT_DECLINED_SUBSUMED",
  "CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
  "CHECKPOINT_DECLINED_TASK_NOT_READY",
  "NOT_ALL_REQUIRED_TASKS_RUNNING",
  "MINIMUM_TIME_BETWEEN_CHECKPOINTS",
  "PERIODIC_SCHEDULER_SHUTDOWN",
  "TASK_FAILURE",
  "JOB_FAILOVER_REGION",
  "TOO_MANY_CHECKPOINT_REQUESTS",
  "CHECKPOINT_ASYNC_EXCEPTION",
  "IO_EXCEPTION",
  "TRIGGER_CHECKPOINT_FAILURE",
  "FINALIZE_CHECKPOINT_FAILURE",
  "CHECKPOINT_DECLINED_TASK_CLOSING",
  "CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
  "BLOCKING_OUTPUT_EXIST",
] as const;
export type CheckpointFailureReason = (typeof checkpointFailureReasons)[number];

/** Why an attempt failed. */
export const failureCauses = [
  "USER_EXCEPTION",
  "TASK_MANAGER_LOST",
  "CONNECTION_LOST",
  "NO_RESOURCE_AVAILABLE",
  "DEPLOYMENT_REFUSED",
  "INVALID_TRANSACTION_TIMEOUT",
  "CHECKPOINT_FAILURE_THRESHOLD",
  "JOB_FAILURE",
  "PRODUCER_FENCED",
  "SNAPSHOT_FAILED",
  "STATE_NOT_READABLE",
  "OPERATOR_EVENT_LOST",
  "COMMIT_FAILED",
  "STOP_WITH_SAVEPOINT_FAILED",
  "STOPPING_FAILED",
  "UNRECOVERABLE_ERROR",
  "RECORD_NOT_DELIVERED",
  "LOG_REQUEST_TIMED_OUT",
  "WRITE_FAILED",
  "NO_OFFSET",
  "TRANSACTION_ABORTED",
  "PARTITION_NOT_FOUND",
  "ABORT_REFUSED",
  "TRANSACTION_NAMING_CHANGED",
  "DUPLICATE_TRANSACTIONAL_ID_PREFIX",
  "PART_FILE_LOST",
  "COMMITTED_ON_RESTORE",
] as const;
export type FailureCause = (typeof failureCauses)[number];

/** How the thread of an attempt ended on its TaskManager. */
export const endings = ["FAILED", "CANCELED", "LOST", "FINISHED"] as const;
export type Ending = (typeof endings)[number];

/** Who decided a transaction (the report's `decidedBy`). */
export const deciders = ["notification", "restore", "close", "timeout", "fence", "end-of-input", "barrier"] as const;
export type Decider = (typeof deciders)[number];

/** The transaction coordinator's answers to a commit that it does not carry out (KF-014, SK-157). */
export const commitAnswers = ["PRODUCER_FENCED", "INVALID_TXN_STATE", "INVALID_PRODUCER_ID_MAPPING"] as const;

/**
 * How the next commit request, or the next write, of a sink ends (the contract's `commit-error` and `sink-write-error`;
 * SK-149, FR-021).
 */
export const commitErrors = ["retriable", "fatal", "known", "reply-lost"] as const;
export type CommitError = (typeof commitErrors)[number];

/** Messages between the JobManager and tasks that can be lost. */
export const rpcs = [
  "trigger",
  "ack",
  "decline",
  "notify-complete",
  "notify-aborted",
  "notify-subsumed",
  "coordinator-event",
] as const;
export type Rpc = (typeof rpcs)[number];

export const checkpointKinds = ["CHECKPOINT", "SAVEPOINT", "SYNC_SAVEPOINT"] as const;
/** Flink's `SavepointFormatType`. */
export const savepointFormats = ["CANONICAL", "NATIVE"] as const;
export type SavepointFormat = (typeof savepointFormats)[number];
/** What whoever asked for a savepoint, or for the job's end by one, hears in the end (CP-162, CP-164, CP-166). */
export const operationAnswers = ["COMPLETED", "FAILED", "NO_SAVEPOINT_DIRECTORY", "STOPPING_FAILED"] as const;
export const failoverScopes = ["region", "global"] as const;
export const notificationKinds = ["complete", "aborted", "subsumed"] as const;

/** What a fault or an operation can do today (the contract's `do`). */
export const faultVerbs = [
  "fail-task",
  "fail-vertex",
  "kill-taskmanager",
  "restart-taskmanager",
  "fail-job",
  "lose-rpc",
  "stall",
  "resume",
  "expire-transaction",
  "trigger-checkpoint",
  "snapshot-failure",
  "storage-down",
  "storage-up",
  "storage-corrupt",
  "slow",
  "partition",
  "heal",
  "kill-jobmanager",
  "commit-error",
  "poison-record",
  "trigger-savepoint",
  "stop-with-savepoint",
  "cancel",
  "cancel-with-savepoint",
  "restore",
  "rescale",
  "expire-upload",
  "broker-down",
  "broker-up",
  "sink-write-error",
  "add-partition",
  "expire-records",
  "set-rate",
  "expire-table-snapshots",
  "suppress",
  "restore-cut",
] as const;
export type FaultVerb = (typeof faultVerbs)[number];

/** The two parts of a snapshot at a task. */
export const snapshotParts = ["sync", "async"] as const;
export type SnapshotPart = (typeof snapshotParts)[number];

/** Channel state lies in the snapshot of the task that reads the channel, or of the one that writes to it. */
export const channelSides = ["input", "output"] as const;
export const acknowledgementFates = ["late", "duplicate", "unknown attempt"] as const;

/** Who owns the files of a snapshot that a job is started from (`RecoveryClaimMode`; CP-171). */
export const claimModes = ["NO_CLAIM", "CLAIM", "LEGACY"] as const;
export type ClaimMode = (typeof claimModes)[number];

/** Why a job cannot be started from a snapshot (CP-172, CP-178, CP-090, FR-115). */
export const restoreRefusals = [
  "NO_SUCH_SNAPSHOT",
  "METADATA_NOT_READABLE",
  "OPERATOR_MISSING",
  "MAX_PARALLELISM_CHANGED",
  "PARALLELISM_ABOVE_MAXIMUM",
  "CHANNEL_STATE_WITHOUT_CHANNEL",
  "FINISHED_BEHIND_UNFINISHED",
] as const;
export type RestoreRefusal = (typeof restoreRefusals)[number];

/** Why the engine takes no snapshot along a cut that somebody drew (a laboratory thing: Flink has none). */
export const cutRefusals = [
  "NOT_RUNNING",
  "DATA_ENDED",
  "RESTARTED",
  "SINK_NOT_SUPPORTED",
  "BLOCKING_EXCHANGE",
  "LOG_NOT_REACHED",
] as const;
export type CutRefusal = (typeof cutRefusals)[number];
