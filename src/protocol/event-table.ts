/**
 * Every kind of log entry, declared once: its fields with their kinds and the rule it carries out; what each means in a
 * sentence is in `event-sentences.ts`. Only append: an entry's number is its place here. A table of data, of any length.
 */
import type { FieldKind } from "./field-kinds.ts";

export interface EventDeclaration {
  readonly fields: { readonly [field: string]: FieldKind };
  /** The rule in the specification that the entry carries out; empty where there is none. */
  readonly rule: string;
}

export const events = {
  JobStatusChanged: {
    fields: { from: "jobStatus", to: "jobStatus" },
    rule: "FR-011",
  },
  AttemptCreated: {
    fields: { subtask: "subtask", attempt: "int" },
    rule: "FR-005",
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
  },
  TaskStopped: {
    fields: { subtask: "subtask", attempt: "int", ending: "ending" },
    rule: "FR-008",
  },
  TaskFailed: {
    fields: { subtask: "subtask", attempt: "int", failure: "failure" },
    rule: "FR-020",
  },
  TaskManagerLost: {
    fields: { taskManager: "taskManager" },
    rule: "FR-024",
  },
  TaskManagerRegistered: {
    fields: { taskManager: "taskManager" },
    rule: "FR-035",
  },
  FaultInjected: {
    fields: { do: "faultVerb", subtask: "subtask", taskManager: "taskManager", fault: "int" },
    rule: "",
  },
  RestartScheduled: {
    fields: { delay: "ms", failures: "int", scope: "failoverScope", failure: "failure", restarted: "subtasks" },
    rule: "FR-080",
  },
  StateRestored: {
    fields: { subtask: "subtask", attempt: "int", checkpoint: "checkpoint" },
    rule: "FR-085",
  },
  SourceRewound: {
    fields: { subtask: "subtask", partition: "input", position: "int", target: "int" },
    rule: "SK-004",
  },
  SlotRequestFailed: {
    fields: { subtask: "subtask" },
    rule: "FR-037",
  },

  RecordEmitted: {
    fields: { subtask: "subtask", operator: "operator", record: "record", value: "int" },
    rule: "SK-003",
  },
  RecordSent: {
    fields: { subtask: "subtask", channel: "channel", record: "record", value: "int" },
    rule: "CP-038",
  },
  RecordReceived: {
    fields: { subtask: "subtask", channel: "channel", record: "record", value: "int" },
    rule: "CP-038",
  },
  RecordProcessed: {
    fields: { subtask: "subtask", operator: "operator", record: "record", value: "int" },
    rule: "",
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
  },

  CheckpointTriggered: {
    fields: { checkpoint: "checkpoint", kind: "checkpointKind" },
    rule: "CP-013",
  },
  TriggerQueued: {
    fields: { pending: "int", kind: "checkpointKind" },
    rule: "CP-009",
  },
  TriggerRejected: {
    fields: { reason: "reason", kind: "checkpointKind" },
    rule: "CP-009",
  },
  BarrierEmitted: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-030",
  },
  BarrierReceived: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint", aligned: "int" },
    rule: "CP-042",
  },
  ChannelBlocked: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-042",
  },
  ChannelResumed: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-043",
  },
  AlignmentCompleted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", duration: "ms" },
    rule: "CP-042",
  },
  AlignmentAborted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", reason: "reason" },
    rule: "CP-047",
  },
  CancelMarkerEmitted: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-035",
  },
  CancelMarkerReceived: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-048",
  },
  SnapshotTaken: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", startDelay: "ms", duration: "ms" },
    rule: "CP-100",
  },
  SnapshotPersisted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", bytes: "bytes", duration: "ms" },
    rule: "CP-103",
  },
  SnapshotDiscarded: {
    fields: { subtask: "subtask", checkpoint: "checkpoint" },
    rule: "CP-103",
  },
  CheckpointAcknowledged: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", attempt: "int", acknowledged: "int" },
    rule: "CP-121",
  },
  AcknowledgementDiscarded: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", attempt: "int", fate: "acknowledgementFate" },
    rule: "CP-121",
  },
  CheckpointDeclined: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", reason: "reason" },
    rule: "CP-141",
  },
  CheckpointMetadataWritten: {
    fields: { checkpoint: "checkpoint" },
    rule: "CP-122",
  },
  CheckpointCompleted: {
    fields: { checkpoint: "checkpoint" },
    rule: "CP-123",
  },
  CheckpointAborted: {
    fields: { checkpoint: "checkpoint", reason: "reason", failures: "int", counts: "bool" },
    rule: "CP-140",
  },
  CheckpointSubsumed: {
    fields: { checkpoint: "checkpoint" },
    rule: "CP-130",
  },
  NotificationDelivered: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", kind: "notificationKind" },
    rule: "CP-128",
  },
  MessageLost: {
    fields: { rpc: "rpc", subtask: "subtask", checkpoint: "checkpoint" },
    rule: "CP-129a",
  },
  OffsetsCommitted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", partition: "input", position: "int" },
    rule: "SK-008",
  },

  ProducerIdInitialized: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", epoch: "int" },
    rule: "KF-012",
  },
  TransactionBegun: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", epoch: "int" },
    rule: "SK-154",
  },
  TransactionPreCommitted: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", records: "int" },
    rule: "SK-141",
  },
  TransactionRecycled: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint" },
    rule: "SK-142",
  },
  TransactionCommitRequested: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", decider: "decider" },
    rule: "SK-144",
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
  },
  TransactionAborted: {
    fields: { transaction: "transaction", checkpoint: "checkpoint", decider: "decider", subtask: "subtask" },
    rule: "KF-014",
  },
  TransactionTimedOut: {
    fields: { transaction: "transaction", checkpoint: "checkpoint" },
    rule: "KF-020",
  },
  CommitFailed: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", answer: "commitAnswer" },
    rule: "SK-157",
  },

  SnapshotFailed: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", reason: "reason" },
    rule: "CP-104",
  },
  CheckpointFileWritten: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", file: "int", bytes: "bytes", shared: "bool" },
    rule: "CP-112",
  },
  CheckpointFileReused: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", file: "int", bytes: "bytes" },
    rule: "CP-113",
  },
  CheckpointFileDeleted: {
    fields: { checkpoint: "checkpoint", file: "int" },
    rule: "CP-133",
  },

  OperatorsFinished: {
    fields: { subtask: "subtask" },
    rule: "CP-191",
  },
  EndOfDataEmitted: {
    fields: { subtask: "subtask", channel: "channel", drains: "bool" },
    rule: "CP-191",
  },
  EndOfDataReceived: {
    fields: { subtask: "subtask", channel: "channel" },
    rule: "CP-192",
  },
  EndOfPartitionEmitted: {
    fields: { subtask: "subtask", channel: "channel" },
    rule: "CP-046",
  },
  EndOfPartitionReceived: {
    fields: { subtask: "subtask", channel: "channel" },
    rule: "CP-046",
  },
  RestoredAsFinished: {
    fields: { subtask: "subtask", attempt: "int", checkpoint: "checkpoint" },
    rule: "CP-196",
  },

  BarrierAnnounced: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
    rule: "CP-071",
  },
  AlignmentTimedOut: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", elapsed: "ms" },
    rule: "CP-073",
  },
  UnalignedSnapshotStarted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint" },
    rule: "CP-076",
  },
  InFlightDataPersisted: {
    fields: {
      subtask: "subtask",
      channel: "channel",
      checkpoint: "checkpoint",
      records: "int",
      side: "channelSide",
      bytes: "bytes",
    },
    rule: "CP-077",
  },
  ChannelStateRestored: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint", records: "int", side: "channelSide" },
    rule: "CP-085",
  },
  ReaderRegistered: {
    fields: { subtask: "subtask", attempt: "int" },
    rule: "SK-003",
  },
  SplitAssigned: {
    fields: { subtask: "subtask", partition: "input" },
    rule: "SK-005",
  },
  SplitAdded: {
    fields: { subtask: "subtask", partition: "input", position: "int" },
    rule: "SK-003",
  },
  CoordinatorSnapshotTaken: {
    fields: { operator: "operator", checkpoint: "checkpoint", assigned: "int" },
    rule: "CP-015",
  },
  SplitReturned: {
    fields: { subtask: "subtask", partition: "input", checkpoint: "checkpoint" },
    rule: "FR-093",
  },
  CoordinatorReset: {
    fields: { operator: "operator", checkpoint: "checkpoint" },
    rule: "FR-094",
  },
  LeadershipLost: {
    fields: { leader: "int" },
    rule: "FR-101",
  },
  LeadershipGranted: {
    fields: { leader: "int", checkpoint: "checkpoint" },
    rule: "FR-102",
  },
  CommitRetryLater: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", retries: "int" },
    rule: "SK-148",
  },
  SavepointLocationInitialized: {
    fields: { checkpoint: "checkpoint", kind: "checkpointKind", format: "savepointFormat", fault: "int" },
    rule: "CP-162",
  },
  OperationAnswered: {
    fields: { do: "faultVerb", answer: "operationAnswer", checkpoint: "checkpoint", fault: "int" },
    rule: "CP-166",
  },
  FatalError: {
    fields: { subtask: "subtask", attempt: "int", taskManager: "taskManager" },
    rule: "FR-007",
  },
  CheckpointRecovered: {
    fields: { checkpoint: "checkpoint" },
    rule: "CP-124",
  },
  JobSubmitted: {
    // prettier-ignore
    fields: { submission: "int", fault: "int", checkpoint: "checkpoint", savepoint: "bool", claimMode: "claimMode", from: "int", readers: "ints" },
    rule: "CP-170",
  },
  OperatorStateDropped: {
    fields: { uid: "uid" },
    rule: "CP-172",
  },
  RestoreRefused: {
    fields: { refusal: "restoreRefusal", uid: "uid" },
    rule: "FR-115",
  },
  SubmissionRejected: {
    fields: { fault: "int", from: "jobStatus" },
    rule: "",
  },
  TransactionEndPrepared: {
    // prettier-ignore
    fields: { transaction: "transaction", checkpoint: "checkpoint", decider: "decider", subtask: "subtask", commit: "bool" },
    rule: "KF-015",
  },
  TransactionMarkerWritten: {
    // prettier-ignore
    fields: { transaction: "transaction", checkpoint: "checkpoint", partition: "output", offset: "int", commit: "bool" },
    rule: "KF-016",
  },
  TransactionDeferred: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint" },
    rule: "KF-014",
  },
  TransactionalIdExpired: {
    fields: { transaction: "transaction", checkpoint: "checkpoint" },
    rule: "KF-022",
  },
  WriteFailed: {
    fields: { subtask: "subtask", operator: "operator", record: "record", error: "commitError" },
    rule: "FR-021",
  },
  WriteRepeated: {
    fields: { subtask: "subtask", operator: "operator", record: "record" },
    rule: "KF-003",
  },
  PartitionDiscovered: {
    fields: { operator: "operator", partition: "input" },
    rule: "SK-007",
  },
  DuplicateDropped: {
    fields: { subtask: "subtask", operator: "operator", record: "record" },
    rule: "SK-034",
  },
  BatchLogged: {
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", records: "int" },
    rule: "SK-170",
  },
  BatchCommitted: {
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", again: "bool" },
    rule: "SK-171",
  },
  BatchKept: {
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", error: "commitError" },
    rule: "SK-171",
  },
  ConnectionClosed: {
    fields: { subtask: "subtask", partition: "input", position: "int", delivered: "int" },
    rule: "SK-002",
  },
  OffsetReset: {
    fields: { subtask: "subtask", partition: "input", position: "int", target: "int" },
    rule: "SK-010",
  },
  SubpartitionRequested: {
    fields: { subtask: "subtask", channel: "channel", records: "int" },
    rule: "FR-041",
  },
  CommitFailureIgnored: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", age: "ms" },
    rule: "SK-127",
  },
  OpenTransactionsListed: {
    fields: { subtask: "subtask", operator: "operator", open: "int", own: "int" },
    rule: "SK-156",
  },
  PartFileResumed: {
    // prettier-ignore
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", partition: "output", records: "int", dropped: "int" },
    rule: "SK-182",
  },
  CommittableSent: {
    // prettier-ignore
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint", transaction: "transaction", count: "int", writer: "int", writers: "int" },
    rule: "SK-141",
  },
  CommittableReceived: {
    // prettier-ignore
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint", transaction: "transaction", count: "int", writer: "int", writers: "int" },
    rule: "SK-143",
  },
  TableCommitRequested: {
    // prettier-ignore
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", decider: "decider", files: "int" },
    rule: "SK-144",
  },
  TableCommitted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", decider: "decider", files: "int" },
    rule: "SK-148",
  },
  TableCommitSkipped: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", highest: "checkpoint" },
    rule: "SK-149",
  },
  DataFileListedAgain: {
    // prettier-ignore
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", partition: "output", records: "int" },
    rule: "SK-148",
  },
  BackgroundRecordWritten: {
    fields: { partition: "output", offset: "int" },
    rule: "KF-033",
  },
  GloballyCommitted: {
    // prettier-ignore
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", decider: "decider", committables: "int" },
    rule: "SK-150",
  },
} as const satisfies Record<string, EventDeclaration>;
