/** Words of the log's closed lists, as parts of sentences. A word that is missing here does not compile. */
import type {
  CutRefusal,
  RestoreRefusal,
  Decider,
  Ending,
  FailureCause,
  FaultVerb,
  Rpc,
  acknowledgementFates,
  checkpointKinds,
  commitAnswers,
  operationAnswers,
} from "../../protocol/reasons.ts";
import type { ExecutionState, JobStatus } from "../../projection/views.ts";
import { duration } from "../format.ts";

type Words<K extends string> = { readonly [W in K]: string };

export const jobNow: Words<JobStatus> = {
  INITIALIZING: "The job is being set up.",
  CREATED: "The job is created: its execution graph is built, no task runs yet.",
  RUNNING: "The job is running: its tasks are scheduled and deployed.",
  RESTARTING: "The job is restarting: the tasks that a failure touches are cancelled and started again.",
  FAILING: "The job is failing: the restart strategy allows no further attempt.",
  FAILED: "The job has failed for good.",
  CANCELLING: "The job is being cancelled.",
  CANCELED: "The job is cancelled.",
  FINISHED: "The job has finished.",
  SUSPENDED: "The job is suspended: the JobManager that ran it is gone.",
};

export const taskNow: Words<ExecutionState> = {
  CREATED: "waits to be scheduled",
  SCHEDULED: "waits for a slot",
  DEPLOYING: "is sent to a TaskManager",
  INITIALIZING: "starts up and restores its state",
  RUNNING: "is running",
  FINISHED: "has finished",
  CANCELING: "is being cancelled",
  CANCELED: "is cancelled",
  FAILED: "has failed",
};

export const threadEndings: Words<Ending> = {
  FAILED: "stops with an exception: what it held in memory and in its input buffers is gone",
  CANCELED: "has stopped, as it was told to",
  LOST: "is gone with its process, and with it all that it held in memory",
  FINISHED: "has come to its end",
};

export const causes: Words<FailureCause> = {
  USER_EXCEPTION: "an exception in user code",
  TASK_MANAGER_LOST: "the loss of its TaskManager",
  CONNECTION_LOST: "a broken connection to another task",
  NO_RESOURCE_AVAILABLE: "a slot that could not be had",
  DEPLOYMENT_REFUSED: "a TaskManager that refused the deployment",
  INVALID_TRANSACTION_TIMEOUT: "a transaction timeout that the broker refuses",
  CHECKPOINT_FAILURE_THRESHOLD: "too many failed checkpoints",
  JOB_FAILURE: "a failure of the job as a whole",
  PRODUCER_FENCED: "a newer producer that has taken its transactional id",
  PART_FILE_LOST: "a part file that it can write on no more: it is finished, or its upload is gone",
  ABORT_REFUSED: "a transaction that it was to abort, and that is committed",
  TRANSACTION_ABORTED: "a transaction that the database had aborted",
  PARTITION_NOT_FOUND: "a result of a blocking exchange that is not there any more",
  STATE_NOT_READABLE: "state that could not be read from checkpoint storage",
  UNRECOVERABLE_ERROR: "an error that no restart can help",
  RECORD_NOT_DELIVERED: "a record that Kafka did not take within delivery.timeout.ms",
  LOG_REQUEST_TIMED_OUT: "a request that Kafka did not answer within max.block.ms",
  WRITE_FAILED: "a write that its store refused",
  TRANSACTION_NAMING_CHANGED: "a change of transaction names that its state does not allow",
  DUPLICATE_TRANSACTIONAL_ID_PREFIX: "another sink with the same transactionalIdPrefix in its process",
  OPERATOR_EVENT_LOST: "an event of its operator coordinator that was lost",
  COMMIT_FAILED: "a commit that failed for good",
  COMMITTED_ON_RESTORE: "its own wish to begin anew behind what it committed on the restore",
  SNAPSHOT_FAILED: "an exception in the synchronous part of a snapshot",
  STOP_WITH_SAVEPOINT_FAILED: "the savepoint that it was to stop with, which failed",
  NO_OFFSET: "an offset that is gone from the log, with nothing said to read in its place",
  STOPPING_FAILED: "a task that did not finish although the savepoint exists",
};

/** What follows from a completed one (CP-122, CP-125). */
export const completed: Words<(typeof checkpointKinds)[number]> = {
  CHECKPOINT: "From here on a recovery starts from it, and the sinks are told to commit.",
  SAVEPOINT: "No recovery uses it, and no sink is told: what it has pre-committed waits for the next checkpoint.",
  SYNC_SAVEPOINT: "The sinks are told to commit, and every task ends with that word.",
};

const asked: { readonly [V in FaultVerb]?: string } = {
  "trigger-savepoint": "The savepoint",
  "stop-with-savepoint": "The stop with a savepoint",
  "cancel-with-savepoint": "The savepoint before the cancellation",
};

export const operationAnswered: {
  readonly [A in (typeof operationAnswers)[number]]: (fault: FaultVerb, checkpoint: number | null) => string;
} = {
  COMPLETED: (fault, checkpoint) => `${asked[fault] ?? fault} is done: ${checkpoint ?? ""} can be started from.`,
  FAILED: (fault) => `${asked[fault] ?? fault} has failed, as who asked for it hears.`,
  NO_SAVEPOINT_DIRECTORY: (fault) =>
    `${asked[fault] ?? fault} fails at once: no directory is named, and execution.checkpointing.savepoint-dir is not set.`,
  STOPPING_FAILED: (_, checkpoint) =>
    `Savepoint ${checkpoint ?? ""} exists, but not every task has finished: the job fails for good. What the savepoint has pre-committed is committed by a job that starts from it.`,
};

export const messages: Words<Rpc> = {
  trigger: "trigger message",
  ack: "acknowledgement",
  decline: "decline",
  "notify-complete": "completion notification",
  "notify-aborted": "abort notification",
  "notify-subsumed": "subsumed notification",
  "coordinator-event": "event of an operator coordinator",
};

export const deciders: Words<Decider> = {
  notification: "its checkpoint is complete, and the sink knows",
  restore: "the restored checkpoint holds it, so it belongs to the result",
  close: "its sink closes, and no checkpoint holds it",
  timeout: "it was open for too long",
  fence: "a newer producer takes its id over, and what came after the restored checkpoint must not be seen",
  barrier: "its sink has come to a barrier, and waits for nothing more",
  "end-of-input": "the input has ended, and without checkpoints nothing else decides",
};

export const fates: Words<(typeof acknowledgementFates)[number]> = {
  late: "it comes too late",
  duplicate: "it came twice",
  "unknown attempt": "it comes from an attempt that is no longer current",
};

export const answers: Words<(typeof commitAnswers)[number]> = {
  PRODUCER_FENCED: "a newer producer has the id",
  INVALID_TXN_STATE: "the broker had ended it otherwise",
  INVALID_PRODUCER_ID_MAPPING: "the broker has forgotten the id",
};

export const refusals: Words<RestoreRefusal> = {
  NO_SUCH_SNAPSHOT: "there is no such snapshot",
  METADATA_NOT_READABLE: "its metadata cannot be read",
  OPERATOR_MISSING: "the job has no such operator",
  MAX_PARALLELISM_CHANGED: "its maximum parallelism is another one",
  PARALLELISM_ABOVE_MAXIMUM: "its parallelism is above the maximum parallelism of the state",
  CHANNEL_STATE_WITHOUT_CHANNEL: "records in flight have lost their channel",
  FINISHED_BEHIND_UNFINISHED: "it had finished, and what it reads from has not",
};

export const cutRefused: Words<CutRefusal> = {
  NOT_RUNNING: "it does not run there",
  DATA_ENDED: "its data has ended there",
  RESTARTED: "a subtask ended between its places",
  SINK_NOT_SUPPORTED: "another task commits for it, or it keeps a record of its commits",
  BLOCKING_EXCHANGE: "an exchange of the job is blocking",
  LOG_NOT_REACHED: "what it has written does not get to the log",
};

/** `ms`: for how long. */
export const faultSentences: {
  readonly [V in FaultVerb]: (target: string, message: string, ms: number | null) => string;
} = {
  "fail-task": (target) => `Fault: ${target} throws an exception.`,
  "fail-vertex": (target) => `Fault: every subtask of ${target} throws an exception.`,
  "kill-taskmanager": (target) => `Fault: the process of ${target} is killed. The JobManager does not know yet.`,
  "restart-taskmanager": (target) => `The process of ${target} comes back.`,
  "poison-record": () => "Fault: from now on user code throws each time it meets one record.",
  "kill-jobmanager": () => "Fault: the process of the JobManager in the lead is killed.",
  "fail-job": () => "Fault: the job fails as a whole, tied to no task.",
  "lose-rpc": (target, message) => `Fault: the next ${message} of ${target} will be lost.`,
  stall: (target, _, ms) =>
    `Fault: ${target} stalls${ms === null ? "" : ` for ${duration(ms)}`} and handles nothing, barriers included.`,
  resume: (target) => `${target} goes on.`,
  "expire-upload": (target) => `Fault: the upload of the oldest unfinished part file of ${target} expires now.`,
  "expire-table-snapshots": (target) =>
    `Fault: ${target}'s table is compacted and its older snapshots expire, and with them what it knew of commits.`,
  "expire-transaction": (target) => `Fault: the broker gives up the oldest undecided transaction of ${target} now.`,
  "trigger-checkpoint": () => "A checkpoint is asked for by hand.",
  "trigger-savepoint": () => "A savepoint is asked for.",
  "stop-with-savepoint": () =>
    "The job is to stop with a savepoint: sources stop, and no periodic checkpoint comes any more.",
  cancel: () => "The job is cancelled.",
  "cancel-with-savepoint": () => "A savepoint is asked for, and the job is cancelled behind it (deprecated).",
  "storage-down": (_, __, ms) => `Fault: checkpoint storage is not there${ms === null ? "" : ` for ${duration(ms)}`}.`,
  "storage-up": () => "Checkpoint storage is there again.",
  "storage-corrupt": () => "Fault: files of a checkpoint cannot be read any more.",
  slow: (target, _, ms) => `Fault: ${target} is slow${ms === null ? "" : ` for ${duration(ms)}`}.`,
  partition: (_, __, ms) => `Fault: a part of the network is cut off${ms === null ? "" : ` for ${duration(ms)}`}.`,
  heal: () => "The network is whole again.",
  "commit-error": (target) => `Fault: the next commit of ${target} will go wrong.`,
  "snapshot-failure": (target) => `Fault: the next snapshot of ${target} will fail.`,
  restore: () => "A new job is submitted, if the one before it is over.",
  rescale: (target) => `${target} is to run with another parallelism.`,
  "broker-down": (_, __, ms) => `Fault: Kafka is not there${ms === null ? "" : ` for ${duration(ms)}`}.`,
  "broker-up": () => "Kafka is there again.",
  "sink-write-error": (target) => `Fault: the next write of ${target} will go wrong.`,
  "add-partition": () => "A topic gets one more partition. Its producers use it at once; its readers must find it.",
  "expire-records": () => "Fault: retention deletes the oldest records of a topic.",
  "set-rate": () => "The producers of a topic get faster or slower.",
  suppress: () => "What if: the entry that would come now does not, or comes later.",
  "restore-cut": () =>
    "A job is to start from a drawn cut: each subtask gives its part as soon as it has come to its place. Flink has no such thing.",
};
