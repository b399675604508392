/**
 * The public constants of Flink's options, read from the class files of flink-core, flink-runtime and flink-streaming-java
 * 1.18.1, 1.20.5, 2.2.1 and 2.3.0 (`testing/flink-options.tsv` has what was read): from which version on an option's
 * constant is which, with the type of its value. `null`: that version has none.
 */
import type { FlinkVersion } from "../../scenario/scenario.ts";

/** `CheckpointingOptions.CHECKPOINTING_INTERVAL Duration`; types that are not the language's or `Duration` in full. */
export type Constant = string;

export const constants: { readonly [key: string]: { readonly [V in FlinkVersion]?: Constant | null } } = {
  "execution.checkpointing.interval": {
    "1.18": "ExecutionCheckpointingOptions.CHECKPOINTING_INTERVAL Duration",
    "1.20": "CheckpointingOptions.CHECKPOINTING_INTERVAL Duration",
  },
  "execution.checkpointing.mode": {
    "1.18": "ExecutionCheckpointingOptions.CHECKPOINTING_MODE org.apache.flink.streaming.api.CheckpointingMode",
    "1.20": "CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE org.apache.flink.core.execution.CheckpointingMode",
  },
  "execution.checkpointing.timeout": {
    "1.18": "ExecutionCheckpointingOptions.CHECKPOINTING_TIMEOUT Duration",
    "1.20": "CheckpointingOptions.CHECKPOINTING_TIMEOUT Duration",
  },
  "execution.checkpointing.min-pause": {
    "1.18": "ExecutionCheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS Duration",
    "1.20": "CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS Duration",
  },
  "execution.checkpointing.max-concurrent-checkpoints": {
    "1.18": "ExecutionCheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS Integer",
    "1.20": "CheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS Integer",
  },
  "execution.checkpointing.tolerable-failed-checkpoints": {
    "1.18": "ExecutionCheckpointingOptions.TOLERABLE_FAILURE_NUMBER Integer",
    "1.20": "CheckpointingOptions.TOLERABLE_FAILURE_NUMBER Integer",
  },
  "execution.checkpointing.num-retained": { "1.18": "CheckpointingOptions.MAX_RETAINED_CHECKPOINTS Integer" },
  "execution.checkpointing.externalized-checkpoint-retention": {
    "1.18":
      "ExecutionCheckpointingOptions.EXTERNALIZED_CHECKPOINT org.apache.flink.streaming.api.environment.CheckpointConfig.ExternalizedCheckpointCleanup",
    "1.20":
      "CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION org.apache.flink.configuration.ExternalizedCheckpointRetention",
  },
  "execution.checkpointing.unaligned.enabled": {
    "1.18": "ExecutionCheckpointingOptions.ENABLE_UNALIGNED Boolean",
    "1.20": "CheckpointingOptions.ENABLE_UNALIGNED Boolean",
  },
  "execution.checkpointing.aligned-checkpoint-timeout": {
    "1.18": "ExecutionCheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT Duration",
    "1.20": "CheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT Duration",
  },
  "execution.checkpointing.unaligned.forced": {
    "1.18": "ExecutionCheckpointingOptions.FORCE_UNALIGNED Boolean",
    "1.20": "CheckpointingOptions.FORCE_UNALIGNED Boolean",
  },
  "execution.checkpointing.unaligned.max-subtasks-per-channel-state-file": {
    "1.18": "ExecutionCheckpointingOptions.UNALIGNED_MAX_SUBTASKS_PER_CHANNEL_STATE_FILE Integer",
    "1.20": "CheckpointingOptions.UNALIGNED_MAX_SUBTASKS_PER_CHANNEL_STATE_FILE Integer",
  },
  "execution.checkpointing.checkpoints-after-tasks-finish": {
    "1.18": "ExecutionCheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH Boolean",
    "1.20": "CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH Boolean",
  },
  "execution.checkpointing.storage": { "1.18": "CheckpointingOptions.CHECKPOINT_STORAGE String" },
  "execution.checkpointing.dir": { "1.18": "CheckpointingOptions.CHECKPOINTS_DIRECTORY String" },
  "execution.checkpointing.savepoint-dir": { "1.18": "CheckpointingOptions.SAVEPOINT_DIRECTORY String" },
  "execution.checkpointing.incremental": { "1.18": "CheckpointingOptions.INCREMENTAL_CHECKPOINTS Boolean" },
  "execution.checkpointing.data-inline-threshold": {
    "1.18": "CheckpointingOptions.FS_SMALL_FILE_THRESHOLD MemorySize",
  },
  "execution.checkpointing.write-buffer-size": { "1.18": "CheckpointingOptions.FS_WRITE_BUFFER_SIZE Integer" },
  "execution.checkpointing.snapshot-compression": { "1.18": "ExecutionOptions.SNAPSHOT_COMPRESSION Boolean" },
  "execution.state-recovery.path": {
    "1.18": "SavepointConfigOptions.SAVEPOINT_PATH String",
    "1.20": "StateRecoveryOptions.SAVEPOINT_PATH String",
  },
  "execution.state-recovery.without-channel-state.checkpoint-id": {
    "1.18": "ExecutionCheckpointingOptions.CHECKPOINT_ID_OF_IGNORED_IN_FLIGHT_DATA Long",
    "1.20": "StateRecoveryOptions.CHECKPOINT_ID_OF_IGNORED_IN_FLIGHT_DATA Long",
  },
  "execution.state-recovery.claim-mode": {
    "1.18": "SavepointConfigOptions.RESTORE_MODE org.apache.flink.runtime.jobgraph.RestoreMode",
    "1.20": "StateRecoveryOptions.RESTORE_MODE org.apache.flink.core.execution.RestoreMode",
    "2.2": "StateRecoveryOptions.RESTORE_MODE org.apache.flink.core.execution.RecoveryClaimMode",
  },
  "execution.state-recovery.ignore-unclaimed-state": {
    "1.18": "SavepointConfigOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE Boolean",
    "1.20": "StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE Boolean",
  },
  "execution.state-recovery.from-local": {
    "1.18": "CheckpointingOptions.LOCAL_RECOVERY Boolean",
    "1.20": "StateRecoveryOptions.LOCAL_RECOVERY Boolean",
  },
  "state.backend.type": { "1.18": "StateBackendOptions.STATE_BACKEND String" },
  "state.changelog.enabled": { "1.18": "StateChangelogOptions.ENABLE_STATE_CHANGE_LOG Boolean" },
  "state.changelog.periodic-materialize.interval": {
    "1.18": "StateChangelogOptions.PERIODIC_MATERIALIZATION_INTERVAL Duration",
  },
  "restart-strategy.type": { "1.18": "RestartStrategyOptions.RESTART_STRATEGY String" },
  "restart-strategy.fixed-delay.attempts": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS Integer",
  },
  "restart-strategy.fixed-delay.delay": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY Duration",
  },
  "restart-strategy.failure-rate.max-failures-per-interval": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_MAX_FAILURES_PER_INTERVAL Integer",
  },
  "restart-strategy.failure-rate.failure-rate-interval": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_FAILURE_RATE_INTERVAL Duration",
  },
  "restart-strategy.failure-rate.delay": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_DELAY Duration",
  },
  "restart-strategy.exponential-delay.initial-backoff": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF Duration",
  },
  "restart-strategy.exponential-delay.max-backoff": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF Duration",
  },
  "restart-strategy.exponential-delay.backoff-multiplier": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER Double",
  },
  "restart-strategy.exponential-delay.reset-backoff-threshold": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD Duration",
  },
  "restart-strategy.exponential-delay.jitter-factor": {
    "1.18": "RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_JITTER_FACTOR Double",
  },
  "jobmanager.execution.failover-strategy": { "1.18": "JobManagerOptions.EXECUTION_FAILOVER_STRATEGY String" },
  "jobmanager.scheduler": {
    "1.18": "JobManagerOptions.SCHEDULER org.apache.flink.configuration.JobManagerOptions.SchedulerType",
  },
  "slot.request.timeout": {
    "1.18": "JobManagerOptions.SLOT_REQUEST_TIMEOUT Long",
    "1.20": "JobManagerOptions.SLOT_REQUEST_TIMEOUT Duration",
  },
  "heartbeat.timeout": {
    "1.18": "HeartbeatManagerOptions.HEARTBEAT_TIMEOUT Long",
    "1.20": "HeartbeatManagerOptions.HEARTBEAT_TIMEOUT Duration",
  },
  "heartbeat.interval": {
    "1.18": "HeartbeatManagerOptions.HEARTBEAT_INTERVAL Long",
    "1.20": "HeartbeatManagerOptions.HEARTBEAT_INTERVAL Duration",
  },
  "heartbeat.rpc-failure-threshold": { "1.18": "HeartbeatManagerOptions.HEARTBEAT_RPC_FAILURE_THRESHOLD Integer" },
  "task.cancellation.interval": {
    "1.18": "TaskManagerOptions.TASK_CANCELLATION_INTERVAL Long",
    "1.20": "TaskManagerOptions.TASK_CANCELLATION_INTERVAL Duration",
  },
  "task.cancellation.timeout": {
    "1.18": "TaskManagerOptions.TASK_CANCELLATION_TIMEOUT Long",
    "1.20": "TaskManagerOptions.TASK_CANCELLATION_TIMEOUT Duration",
  },
  "taskmanager.numberOfTaskSlots": { "1.18": "TaskManagerOptions.NUM_TASK_SLOTS Integer" },
  "slot.idle.timeout": {
    "1.18": "JobManagerOptions.SLOT_IDLE_TIMEOUT Long",
    "1.20": "JobManagerOptions.SLOT_IDLE_TIMEOUT Duration",
  },
  "high-availability.type": { "1.18": "HighAvailabilityOptions.HA_MODE String" },
  "high-availability.storageDir": { "1.18": "HighAvailabilityOptions.HA_STORAGE_PATH String" },
  "parallelism.default": { "1.18": "CoreOptions.DEFAULT_PARALLELISM Integer" },
  "pipeline.max-parallelism": { "1.18": "PipelineOptions.MAX_PARALLELISM Integer" },
  "pipeline.operator-chaining.enabled": { "1.18": "PipelineOptions.OPERATOR_CHAINING Boolean" },
  "execution.runtime-mode": {
    "1.18": "ExecutionOptions.RUNTIME_MODE org.apache.flink.api.common.RuntimeExecutionMode",
  },
  "taskmanager.network.memory.buffers-per-channel": {
    "1.18": "NettyShuffleEnvironmentOptions.NETWORK_BUFFERS_PER_CHANNEL Integer",
    "2.2": null,
  },
  "taskmanager.network.memory.floating-buffers-per-gate": {
    "1.18": "NettyShuffleEnvironmentOptions.NETWORK_EXTRA_BUFFERS_PER_GATE Integer",
    "2.2": null,
  },
  "taskmanager.network.memory.max-buffers-per-channel": {
    "1.18": "NettyShuffleEnvironmentOptions.NETWORK_MAX_BUFFERS_PER_CHANNEL Integer",
    "2.2": null,
  },
  "taskmanager.network.memory.buffer-debloat.enabled": { "1.18": "TaskManagerOptions.BUFFER_DEBLOAT_ENABLED Boolean" },
  "taskmanager.memory.segment-size": { "1.18": "TaskManagerOptions.MEMORY_SEGMENT_SIZE MemorySize" },
  "web.checkpoints.history": { "1.18": "WebOptions.CHECKPOINTS_HISTORY_SIZE Integer" },
  "execution.checkpointing.interval-during-backlog": {
    "1.20": "CheckpointingOptions.CHECKPOINTING_INTERVAL_DURING_BACKLOG Duration",
  },
  "execution.checkpointing.unaligned.interruptible-timers.enabled": {
    "1.20": "CheckpointingOptions.ENABLE_UNALIGNED_INTERRUPTIBLE_TIMERS Boolean",
  },
  "execution.checkpointing.create-subdir": { "1.20": "CheckpointingOptions.CREATE_CHECKPOINT_SUB_DIR Boolean" },
  "execution.checkpointing.local-backup.enabled": { "1.20": "CheckpointingOptions.LOCAL_BACKUP_ENABLED Boolean" },
  "execution.checkpointing.file-merging.enabled": { "1.20": "CheckpointingOptions.FILE_MERGING_ENABLED Boolean" },
  "execution.checkpointing.cleaner.parallel-mode": { "1.20": "CheckpointingOptions.CLEANER_PARALLEL_MODE Boolean" },
  "restart-strategy.exponential-delay.attempts-before-reset-backoff": {
    "1.20": "RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS Integer",
  },
  "sink.committer.retries": { "1.20": "SinkOptions.COMMITTER_RETRIES Integer" },
  "execution.checkpointing.during-recovery.enabled": {
    "2.3": "CheckpointingOptions.CHECKPOINTING_DURING_RECOVERY_ENABLED Boolean",
  },
  "execution.checkpointing.unaligned.recover-output-on-downstream.enabled": {
    "2.3": "CheckpointingOptions.UNALIGNED_RECOVER_OUTPUT_ON_DOWNSTREAM Boolean",
  },
};
