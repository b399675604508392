/**
 * Every kind of log entry, declared once: its fields with their kinds, the rules it carries out, and one sentence. From
 * this table come the TypeScript union, the columnar encoding, the NDJSON trace, the docs page and the filter of the
 * event panel. Only append: an entry's number is its place here.
 *
 * The rule of the log: whatever is shown can be told from it.
 */
export const events = {
  JobStatusChanged: {
    fields: { from: "jobStatus", to: "jobStatus" },
    rule: "FR-011",
    says: "The job moves to another status.",
  },
  AttemptCreated: {
    fields: { subtask: "subtask", attempt: "int" },
    rule: "FR-005",
    says: "A new execution attempt, in state CREATED, takes the subtask's place. It knows nothing of the one before.",
  },
  TaskStateChanged: {
    fields: {
      subtask: "subtask",
      attempt: "int",
      from: "executionState",
      to: "executionState",
      taskManager: "taskManager",
    },
    rule: "FR-002",
    says: "The JobManager records that an attempt is in another state.",
  },
  TaskStopped: {
    fields: { subtask: "subtask", attempt: "int", ending: "ending" },
    rule: "FR-008",
    says: "The attempt's thread has ended on its TaskManager; what it held in memory and in its input buffers is gone.",
  },
  TaskFailed: {
    fields: { subtask: "subtask", attempt: "int", failure: "failure" },
    rule: "FR-020",
    says: "The JobManager learns that an attempt failed.",
  },
  TaskManagerLost: {
    fields: { taskManager: "taskManager" },
    rule: "FR-024",
    says: "The JobManager gives a TaskManager up: its slots are gone, every attempt on it has failed.",
  },
  TaskManagerRegistered: {
    fields: { taskManager: "taskManager" },
    rule: "FR-035",
    says: "A TaskManager offers its slots to the JobManager.",
  },
  FaultInjected: {
    fields: { do: "faultVerb", subtask: "subtask", taskManager: "taskManager", fault: "int" },
    rule: "",
    says: "A fault or an operation of the scenario, or of the person watching, acts.",
  },
  RestartScheduled: {
    fields: { delay: "ms", failures: "int", scope: "failoverScope", failure: "failure", restarted: "subtasks" },
    rule: "FR-080",
    says: "The restart strategy grants a restart of these subtasks after this delay.",
  },
  StateRestored: {
    fields: { subtask: "subtask", attempt: "int", checkpoint: "checkpoint" },
    rule: "FR-085",
    says: "The state that a completed checkpoint holds for this subtask is given to its new attempt.",
  },
  SourceRewound: {
    fields: { subtask: "subtask", partition: "input", position: "int", target: "int" },
    rule: "SK-004",
    says: "A source continues at the offset that its restored state names; `position` is how far its vertex had read.",
  },
  SlotRequestFailed: {
    fields: { subtask: "subtask" },
    rule: "FR-037",
    says: "No slot could be had in time.",
  },

  RecordEmitted: {
    fields: { subtask: "subtask", operator: "operator", record: "record", value: "int" },
    rule: "SK-003",
    says: "A source emits a record and moves its position behind it.",
  },
  RecordSent: {
    fields: { subtask: "subtask", channel: "channel", record: "record", value: "int" },
    rule: "CP-038",
    says: "A task puts a record into a channel. It arrives after the channel's latency.",
  },
  RecordReceived: {
    fields: { subtask: "subtask", channel: "channel", record: "record", value: "int" },
    rule: "CP-038",
    says: "A task takes a record from a channel and begins to work on it; its buffer is free again.",
  },
  RecordProcessed: {
    fields: { subtask: "subtask", operator: "operator", record: "record", value: "int" },
    rule: "",
    says: "An operator has applied a record. `value` is what it hands on; for a keyed or counting operator, its new state.",
  },
  RecordWritten: {
    fields: {
      subtask: "subtask",
      operator: "operator",
      record: "record",
      value: "int",
      partition: "output",
      offset: "int",
      transaction: "transaction",
    },
    rule: "KF-001",
    says: "The log has appended a record of a sink.",
  },

  CheckpointTriggered: {
    fields: { checkpoint: "checkpoint", kind: "checkpointKind" },
    rule: "CP-013",
    says: "A pending checkpoint is registered, its timeout is armed, and trigger messages leave for the sources.",
  },
  TriggerQueued: {
    fields: { pending: "int" },
    rule: "CP-009",
    says: "A checkpoint request waits: as many checkpoints are pending as may be.",
  },
  TriggerRejected: {
    fields: { reason: "reason" },
    rule: "CP-009",
    says: "A checkpoint request is dropped.",
  },
  BarrierEmitted: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-030",
    says: "A task puts a barrier into a channel, behind all records it has sent there.",
  },
  BarrierReceived: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint", aligned: "int" },
    rule: "CP-042",
    says: "A task takes a barrier from a channel. `aligned` channels have delivered this checkpoint's barrier now.",
  },
  ChannelBlocked: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-042",
    says: "The task takes nothing more from this channel until the barriers of the other channels are in.",
  },
  ChannelResumed: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-043",
    says: "The task reads this channel again.",
  },
  AlignmentCompleted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", duration: "ms" },
    rule: "CP-042",
    says: "The last barrier is in: the task can take its part of the checkpoint.",
  },
  AlignmentAborted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", reason: "reason" },
    rule: "CP-047",
    says: "The task gives up waiting for the other barriers of this checkpoint.",
  },
  CancelMarkerEmitted: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-035",
    says: "A task tells the next one not to wait for this checkpoint's barrier.",
  },
  CancelMarkerReceived: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-048",
    says: "A task learns that a barrier will not come.",
  },
  SnapshotTaken: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", startDelay: "ms", duration: "ms" },
    rule: "CP-100",
    says: "The synchronous part has frozen the subtask's state; the asynchronous part begins to write it out.",
  },
  SnapshotPersisted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", bytes: "bytes", duration: "ms" },
    rule: "CP-103",
    says: "The subtask's state is in checkpoint storage; the acknowledgement leaves.",
  },
  SnapshotDiscarded: {
    fields: { subtask: "subtask", checkpoint: "checkpoint" },
    rule: "CP-103",
    says: "The asynchronous part is closed before it is done; what it wrote is deleted.",
  },
  CheckpointAcknowledged: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", attempt: "int", acknowledged: "int" },
    rule: "CP-121",
    says: "The coordinator accepts a subtask's acknowledgement. `acknowledged` subtasks have done so now.",
  },
  AcknowledgementDiscarded: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", attempt: "int", fate: "acknowledgementFate" },
    rule: "CP-121",
    says: "An acknowledgement comes too late, twice, or from an attempt that is no longer current; its state is discarded.",
  },
  CheckpointDeclined: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", reason: "reason" },
    rule: "CP-141",
    says: "The coordinator learns that a subtask cannot take part.",
  },
  CheckpointMetadataWritten: {
    fields: { checkpoint: "checkpoint" },
    rule: "CP-122",
    says: "All have acknowledged and the metadata is written. The checkpoint does not count yet.",
  },
  CheckpointCompleted: {
    fields: { checkpoint: "checkpoint" },
    rule: "CP-123",
    says: "The pointer is in the store: from here on a recovery uses this checkpoint. The commit point.",
  },
  CheckpointAborted: {
    fields: { checkpoint: "checkpoint", reason: "reason", failures: "int", counts: "bool" },
    rule: "CP-140",
    says: "A pending checkpoint ends without effect. Nothing is rolled back.",
  },
  CheckpointSubsumed: {
    fields: { checkpoint: "checkpoint" },
    rule: "CP-130",
    says: "A newer checkpoint makes this one unnecessary; its files are deleted.",
  },
  NotificationDelivered: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", kind: "notificationKind" },
    rule: "CP-128",
    says: "A task handles the message that a checkpoint is complete, or aborted.",
  },
  MessageLost: {
    fields: { rpc: "rpc", subtask: "subtask", checkpoint: "checkpoint" },
    rule: "CP-129a",
    says: "A message between JobManager and task does not arrive.",
  },
  OffsetsCommitted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", partition: "input", position: "int" },
    rule: "SK-008",
    says: "A source writes its position to the consumer group, for monitoring only.",
  },

  ProducerIdInitialized: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", epoch: "int" },
    rule: "KF-012",
    says: "A sink initialises a transactional id: no older producer can write or commit under it any more.",
  },
  TransactionBegun: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", epoch: "int" },
    rule: "SK-154",
    says: "A sink begins a transaction; the log knows of it from its first record on.",
  },
  TransactionPreCommitted: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", records: "int" },
    rule: "SK-141",
    says: "All is flushed and the transaction is handed to the committer. Whether it counts is decided by the checkpoint.",
  },
  TransactionRecycled: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint" },
    rule: "SK-142",
    says: "Nothing was written in this transaction, so there is nothing to commit.",
  },
  TransactionCommitRequested: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", decider: "decider" },
    rule: "SK-144",
    says: "A committer asks the log to commit.",
  },
  TransactionCommitted: {
    fields: {
      transaction: "transaction",
      checkpoint: "checkpoint",
      decider: "decider",
      subtask: "subtask",
      again: "bool",
    },
    rule: "KF-014",
    says: "The log commits: markers are written, committed readers may see the records. `again`: it had been, nothing changes.",
  },
  TransactionAborted: {
    fields: { transaction: "transaction", checkpoint: "checkpoint", decider: "decider", subtask: "subtask" },
    rule: "KF-014",
    says: "The log aborts: markers are written, committed readers never see the records.",
  },
  TransactionTimedOut: {
    fields: { transaction: "transaction", checkpoint: "checkpoint" },
    rule: "KF-020",
    says: "The log gives up a transaction that has been open for too long.",
  },
  CommitFailed: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", answer: "commitAnswer" },
    rule: "SK-157",
    says: "The log refuses a commit for a known reason; the sink drops it and goes on. The records are gone.",
  },
} as const satisfies Record<string, EventDeclaration>;

/** What a field's number stands for. `subtasks` is a list; all others are one number, `-1` where there is none. */
export type FieldKind =
  | "subtask"
  | "subtasks"
  | "operator"
  | "channel"
  | "taskManager"
  | "record"
  | "input"
  | "output"
  | "transaction"
  | "checkpoint"
  | "int"
  | "ms"
  | "bytes"
  | "bool"
  | "jobStatus"
  | "executionState"
  | "ending"
  | "failure"
  | "faultVerb"
  | "failoverScope"
  | "reason"
  | "checkpointKind"
  | "notificationKind"
  | "rpc"
  | "decider"
  | "commitAnswer"
  | "acknowledgementFate";

export interface EventDeclaration {
  readonly fields: { readonly [field: string]: FieldKind };
  /** The rule in the specification that the entry carries out; empty where there is none. */
  readonly rule: string;
  /** One sentence for the docs page. */
  readonly says: string;
}

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events) as readonly EventType[];

/** The number of each type in the log. */
export const EventNumber = Object.fromEntries(eventTypes.map((type, index) => [type, index])) as {
  readonly [T in EventType]: number;
};

/** The fields of one type as the log holds them: numbers, and lists of numbers. */
export type FieldsOf<T extends EventType> = {
  readonly [F in keyof (typeof events)[T]["fields"]]: (typeof events)[T]["fields"][F] extends "subtasks"
    ? readonly number[]
    : number;
};
