/** What just happened, one sentence an entry: present tense, subject first, and why where the reason is not plain. */
import { byteSize, duration } from "../format.ts";
import { plural } from "./plural.ts";
import type { Sentences } from "./named.ts";

const jobNow: { readonly [status: string]: string } = {
  CREATED: "The job is created: its execution graph is built, no task runs yet.",
  RUNNING: "The job is running: its tasks are scheduled and deployed.",
  RESTARTING: "The job is restarting: tasks that a failure touched are cancelled and started again.",
  FAILING: "The job is failing: the restart strategy allows no further attempt.",
  FAILED: "The job has failed for good.",
  CANCELLING: "The job is being cancelled.",
  CANCELED: "The job is cancelled.",
  FINISHED: "The job has finished.",
};

const taskNow: { readonly [state: string]: string } = {
  CREATED: "waits to be scheduled",
  SCHEDULED: "waits for a slot",
  DEPLOYING: "is sent to a TaskManager",
  INITIALIZING: "starts up and restores its state",
  RUNNING: "is running",
  FINISHED: "has finished",
  CANCELING: "is being cancelled, because it belongs to what must restart",
  CANCELED: "is cancelled",
  FAILED: "has failed",
};

const endings: { readonly [ending: string]: string } = {
  FAILED: "stops with an exception",
  CANCELED: "has stopped as it was told",
  LOST: "is gone with its process",
  FINISHED: "has come to its end",
};

const causes: { readonly [failure: string]: string } = {
  USER_EXCEPTION: "an exception in user code",
  TASK_MANAGER_LOST: "its TaskManager is lost",
  CONNECTION_LOST: "the connection to another task broke",
  NO_RESOURCE_AVAILABLE: "no slot could be had",
  DEPLOYMENT_REFUSED: "its TaskManager refused the deployment",
  INVALID_TRANSACTION_TIMEOUT: "the broker refuses its transaction timeout",
  CHECKPOINT_FAILURE_THRESHOLD: "too many checkpoints failed",
  JOB_FAILURE: "the whole job was failed",
};

/** Flink's own sentences for why a checkpoint failed. */
export const checkpointFailures: { readonly [reason: string]: string } = {
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
};

const faults: { readonly [verb: string]: (target: string) => string } = {
  "fail-task": (target) => `Fault: ${target} throws an exception.`,
  "fail-vertex": (target) => `Fault: every subtask of ${target} throws an exception.`,
  "kill-taskmanager": (target) => `Fault: the process of ${target} is killed. The JobManager does not know yet.`,
  "restart-taskmanager": (target) => `The process of ${target} comes back.`,
  "fail-job": () => "Fault: the job fails as a whole, tied to no task.",
  "lose-rpc": (target) => `Fault: the next such message of ${target} will be lost.`,
  stall: (target) => `Fault: ${target} stalls and handles nothing, barriers included.`,
  resume: (target) => `${target} goes on.`,
  "expire-transaction": (target) => `Fault: the broker gives up the oldest open transaction of ${target} now.`,
  "trigger-checkpoint": () => "A checkpoint is asked for by hand.",
};

const messages: { readonly [rpc: string]: string } = {
  trigger: "trigger message",
  ack: "acknowledgement",
  decline: "decline",
  "notify-complete": "completion notification",
  "notify-aborted": "abort notification",
  "notify-subsumed": "subsumed notification",
};

const deciders: { readonly [decider: string]: string } = {
  notification: "its checkpoint is complete and the sink was told so",
  restore: "the restored checkpoint holds it, so it belongs to the result",
  close: "its sink closes without a checkpoint that holds it",
  timeout: "it was open for too long",
  fence: "a newer producer has taken its transactional id over: what came after the restored checkpoint must not be seen",
};

const fates: { readonly [fate: string]: string } = {
  late: "it comes too late",
  duplicate: "it came twice",
  "unknown attempt": "it comes from an attempt that is no longer current",
};

export const enSentences: Sentences = {
  JobStatusChanged: (e) => jobNow[e.to] ?? `The job is now ${e.to}.`,
  AttemptCreated: (e) => `Attempt #${e.attempt} takes the place of ${e.subtask}. It knows nothing of the one before.`,
  TaskStateChanged: (e) => `${e.subtask} ${taskNow[e.to] ?? `is ${e.to}`}${e.to === "DEPLOYING" && e.taskManager ? ` (${e.taskManager})` : ""}.`,
  TaskStopped: (e) => `${e.subtask} ${endings[e.ending] ?? "stops"}: what it held in memory and in its input buffers is gone.`,
  TaskFailed: (e) => `The JobManager learns that ${e.subtask} failed: ${causes[e.failure] ?? e.failure}.`,
  TaskManagerLost: (e) => `The JobManager gives ${e.taskManager} up: its heartbeat has been silent for too long. Every task on it has failed.`,
  TaskManagerRegistered: (e) => `${e.taskManager} offers its slots to the JobManager.`,
  FaultInjected: (e) => (faults[e.do] ?? ((target: string) => `Fault: ${e.do} at ${target}.`))(e.subtask ?? e.taskManager ?? "the job"),
  RestartScheduled: (e) =>
    `A restart is granted in ${duration(e.delay)}: ${plural(e.restarted.length, "task", "tasks")} must start again (${e.scope === "region" ? "the failed task's region" : "the whole job"}), because ${causes[e.failure] ?? e.failure}.`,
  StateRestored: (e) =>
    e.checkpoint === null
      ? `${e.subtask} starts with empty state: there is no completed checkpoint.`
      : `${e.subtask} gets back the state that checkpoint ${e.checkpoint} holds for it; what came later is forgotten and will be replayed.`,
  SourceRewound: (e) =>
    `${e.subtask} goes back in ${e.partition} from offset ${e.position} to ${e.target}: the restored state says so, and ${plural(Math.max(0, e.position - e.target), "record is", "records are")} read again.`,
  SlotRequestFailed: (e) => `No slot could be had for ${e.subtask} in time.`,

  RecordEmitted: (e) => `${e.subtask} reads ${e.record} and moves its position behind it.`,
  RecordSent: (e) => `${e.subtask} sends ${e.record} into ${e.channel}.`,
  RecordReceived: (e) => `${e.subtask} takes ${e.record} from ${e.channel}; its buffer is free again.`,
  RecordProcessed: (e) => `${e.subtask} applies ${e.record}; the result is ${e.value}.`,
  RecordWritten: (e) => `${e.subtask} writes the result of ${e.record} to ${e.partition} at offset ${e.offset}${e.transaction === null ? ", visible at once" : ", not yet visible to committed readers"}.`,

  CheckpointTriggered: (e) => `Checkpoint ${e.checkpoint} starts: the JobManager asks every source to put a barrier into its stream.`,
  TriggerQueued: (e) => `A checkpoint request waits: ${plural(e.pending, "checkpoint is", "checkpoints are")} pending already.`,
  TriggerRejected: (e) => `A checkpoint request is dropped. ${checkpointFailures[e.reason] ?? e.reason}`,
  BarrierEmitted: (e) => `${e.subtask} puts barrier ${e.checkpoint} into ${e.channel}, behind all it has sent: what follows belongs to the next checkpoint.`,
  BarrierReceived: (e) => `Barrier ${e.checkpoint} reaches ${e.subtask} on ${e.channel} (${plural(e.aligned, "input has", "inputs have")} delivered it).`,
  ChannelBlocked: (e) => `${e.subtask} stops reading ${e.channel} until the other barriers arrive: what comes behind barrier ${e.checkpoint} must not get into checkpoint ${e.checkpoint}.`,
  ChannelResumed: (e) => `${e.subtask} reads ${e.channel} again.`,
  AlignmentCompleted: (e) => `${e.subtask} is aligned for checkpoint ${e.checkpoint} after ${duration(e.duration)}: the last barrier is in.`,
  AlignmentAborted: (e) => `${e.subtask} stops waiting for the barriers of checkpoint ${e.checkpoint}. ${checkpointFailures[e.reason] ?? e.reason}`,
  CancelMarkerEmitted: (e) => `${e.subtask} tells the next task on ${e.channel} not to wait for barrier ${e.checkpoint}.`,
  CancelMarkerReceived: (e) => `${e.subtask} learns on ${e.channel} that barrier ${e.checkpoint} will not come.`,
  SnapshotTaken: (e) => `${e.subtask} freezes its state for checkpoint ${e.checkpoint} and goes on working; the copy is written out in the background.`,
  SnapshotPersisted: (e) => `The state of ${e.subtask} (${byteSize(e.bytes)}) is in checkpoint storage; its acknowledgement for ${e.checkpoint} leaves.`,
  SnapshotDiscarded: (e) => `${e.subtask} throws its half-written part of checkpoint ${e.checkpoint} away.`,
  CheckpointAcknowledged: (e) => `The JobManager has the acknowledgement of ${e.subtask} for checkpoint ${e.checkpoint} (${e.acknowledged} so far).`,
  AcknowledgementDiscarded: (e) => `An acknowledgement of ${e.subtask} for checkpoint ${e.checkpoint} is thrown away: ${fates[e.fate] ?? e.fate}.`,
  CheckpointDeclined: (e) => `${e.subtask} cannot take part in checkpoint ${e.checkpoint}. ${checkpointFailures[e.reason] ?? e.reason}`,
  CheckpointMetadataWritten: (e) => `All have acknowledged checkpoint ${e.checkpoint} and its metadata is written. It does not count yet.`,
  CheckpointCompleted: (e) => `Checkpoint ${e.checkpoint} is complete. From here on a recovery starts from it, and the sinks are told to commit.`,
  CheckpointAborted: (e) => `Checkpoint ${e.checkpoint} fails. ${checkpointFailures[e.reason] ?? e.reason} Nothing is rolled back: the next one covers it.`,
  CheckpointSubsumed: (e) => `Checkpoint ${e.checkpoint} is no longer needed and is deleted: a newer one is complete.`,
  NotificationDelivered: (e) => `${e.subtask} learns that checkpoint ${e.checkpoint} is ${e.kind === "complete" ? "complete" : "aborted"}.`,
  MessageLost: (e) => `A ${messages[e.rpc] ?? e.rpc} of checkpoint ${e.checkpoint} between the JobManager and ${e.subtask} is lost.`,
  OffsetsCommitted: (e) => `${e.subtask} tells the consumer group that ${e.partition} is read up to ${e.position}. For monitoring only: a restore does not use it.`,

  ProducerIdInitialized: (e) => `${e.subtask} takes ${e.transaction} over: no older producer can write or commit under it any more.`,
  TransactionBegun: (e) => `${e.subtask} opens transaction ${e.transaction} for what checkpoint ${e.checkpoint} will cover.`,
  TransactionPreCommitted: (e) => `${e.subtask} pre-commits ${e.transaction} (${plural(e.records, "record", "records")}): written, flushed, not visible. Its checkpoint decides.`,
  TransactionRecycled: (e) => `${e.transaction} holds nothing, so there is nothing to commit.`,
  TransactionCommitRequested: (e) => `${e.subtask} asks the broker to commit ${e.transaction}, because ${deciders[e.decider] ?? e.decider}.`,
  TransactionCommitted: (e) =>
    e.again
      ? `${e.transaction} had been committed already; committing it again changes nothing.`
      : `${e.transaction} is committed: ${deciders[e.decider] ?? e.decider}. Committed readers may see its records.`,
  TransactionAborted: (e) => `${e.transaction} is aborted: ${deciders[e.decider] ?? e.decider}. Committed readers never see its records.`,
  TransactionTimedOut: (e) => `The broker gives up on ${e.transaction}: it was open for too long. Its records will never be visible.`,
  CommitFailed: (e) => `The commit of ${e.transaction} is refused (${e.answer}). The sink drops it and goes on: its records are gone.`,
};
