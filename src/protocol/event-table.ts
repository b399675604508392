/**
 * Every kind of log entry, declared once: its fields with their kinds. What each means in a sentence is in
 * `event-sentences.ts`, the rule it carries out in `event-rules.ts`. Only append: an entry's number is its place here. A
 * table of data, of any length.
 */
import type { FieldKind } from "./field-kinds.ts";

export interface EventDeclaration {
  readonly fields: { readonly [field: string]: FieldKind };
}

const committable = {
  subtask: "subtask",
  channel: "channel",
  checkpoint: "checkpoint",
  transaction: "transaction",
  count: "int",
  writer: "int",
  writers: "int",
} as const satisfies EventDeclaration["fields"];

export const events = {
  JobStatusChanged: {
    fields: { from: "jobStatus", to: "jobStatus" },
  },
  AttemptCreated: {
    fields: { subtask: "subtask", attempt: "int" },
  },
  TaskStateChanged: {
    fields: {
      subtask: "subtask",
      attempt: "int",
      from: "executionState",
      to: "executionState",
      taskManager: "taskManager",
    },
  },
  TaskStopped: {
    fields: { subtask: "subtask", attempt: "int", ending: "ending" },
  },
  TaskFailed: {
    fields: { subtask: "subtask", attempt: "int", failure: "failure" },
  },
  TaskManagerLost: {
    fields: { taskManager: "taskManager" },
  },
  TaskManagerRegistered: {
    fields: { taskManager: "taskManager" },
  },
  FaultInjected: {
    fields: { do: "faultVerb", subtask: "subtask", taskManager: "taskManager", fault: "int" },
  },
  RestartScheduled: {
    fields: { delay: "ms", failures: "int", scope: "failoverScope", failure: "failure", restarted: "subtasks" },
  },
  StateRestored: {
    fields: { subtask: "subtask", attempt: "int", checkpoint: "checkpoint" },
  },
  SourceRewound: {
    fields: { subtask: "subtask", partition: "input", position: "int", target: "int" },
  },
  SlotRequestFailed: {
    fields: { subtask: "subtask" },
  },

  RecordEmitted: {
    fields: { subtask: "subtask", operator: "operator", record: "record", value: "int" },
  },
  RecordSent: {
    fields: { subtask: "subtask", channel: "channel", record: "record", value: "int" },
  },
  RecordReceived: {
    fields: { subtask: "subtask", channel: "channel", record: "record", value: "int" },
  },
  RecordProcessed: {
    fields: { subtask: "subtask", operator: "operator", record: "record", value: "int" },
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
  },

  CheckpointTriggered: {
    fields: { checkpoint: "checkpoint", kind: "checkpointKind" },
  },
  TriggerQueued: {
    fields: { pending: "int", kind: "checkpointKind" },
  },
  TriggerRejected: {
    fields: { reason: "reason", kind: "checkpointKind" },
  },
  BarrierEmitted: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
  },
  BarrierReceived: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint", aligned: "int" },
  },
  ChannelBlocked: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
  },
  ChannelResumed: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
  },
  AlignmentCompleted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", duration: "ms" },
  },
  AlignmentAborted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", reason: "reason" },
  },
  CancelMarkerEmitted: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
  },
  CancelMarkerReceived: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
  },
  SnapshotTaken: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", startDelay: "ms", duration: "ms" },
  },
  SnapshotPersisted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", bytes: "bytes", duration: "ms" },
  },
  SnapshotDiscarded: {
    fields: { subtask: "subtask", checkpoint: "checkpoint" },
  },
  CheckpointAcknowledged: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", attempt: "int", acknowledged: "int" },
  },
  AcknowledgementDiscarded: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", attempt: "int", fate: "acknowledgementFate" },
  },
  CheckpointDeclined: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", reason: "reason" },
  },
  CheckpointMetadataWritten: {
    fields: { checkpoint: "checkpoint" },
  },
  CheckpointCompleted: {
    fields: { checkpoint: "checkpoint" },
  },
  CheckpointAborted: {
    fields: { checkpoint: "checkpoint", reason: "reason", failures: "int", counts: "bool" },
  },
  CheckpointSubsumed: {
    fields: { checkpoint: "checkpoint" },
  },
  NotificationDelivered: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", kind: "notificationKind" },
  },
  MessageLost: {
    fields: { rpc: "rpc", subtask: "subtask", checkpoint: "checkpoint" },
  },
  OffsetsCommitted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", partition: "input", position: "int" },
  },

  ProducerIdInitialized: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", epoch: "int" },
  },
  TransactionBegun: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", epoch: "int" },
  },
  TransactionPreCommitted: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", records: "int" },
  },
  TransactionRecycled: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint" },
  },
  TransactionCommitRequested: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", decider: "decider" },
  },
  TransactionCommitted: {
    fields: {
      transaction: "transaction",
      checkpoint: "checkpoint",
      decider: "decider",
      subtask: "subtask",
      again: "bool",
    },
  },
  TransactionAborted: {
    fields: { transaction: "transaction", checkpoint: "checkpoint", decider: "decider", subtask: "subtask" },
  },
  TransactionTimedOut: {
    fields: { transaction: "transaction", checkpoint: "checkpoint" },
  },
  CommitFailed: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", answer: "commitAnswer" },
  },

  SnapshotFailed: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", reason: "reason" },
  },
  CheckpointFileWritten: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", file: "int", bytes: "bytes", shared: "bool" },
  },
  CheckpointFileReused: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", file: "int", bytes: "bytes" },
  },
  CheckpointFileDeleted: {
    fields: { checkpoint: "checkpoint", file: "int" },
  },

  OperatorsFinished: {
    fields: { subtask: "subtask" },
  },
  EndOfDataEmitted: {
    fields: { subtask: "subtask", channel: "channel", drains: "bool" },
  },
  EndOfDataReceived: {
    fields: { subtask: "subtask", channel: "channel" },
  },
  EndOfPartitionEmitted: {
    fields: { subtask: "subtask", channel: "channel" },
  },
  EndOfPartitionReceived: {
    fields: { subtask: "subtask", channel: "channel" },
  },
  RestoredAsFinished: {
    fields: { subtask: "subtask", attempt: "int", checkpoint: "checkpoint" },
  },

  BarrierAnnounced: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint" },
  },
  AlignmentTimedOut: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", elapsed: "ms" },
  },
  UnalignedSnapshotStarted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint" },
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
  },
  ChannelStateRestored: {
    fields: { subtask: "subtask", channel: "channel", checkpoint: "checkpoint", records: "int", side: "channelSide" },
  },
  ReaderRegistered: {
    fields: { subtask: "subtask", attempt: "int" },
  },
  SplitAssigned: {
    fields: { subtask: "subtask", partition: "input" },
  },
  SplitAdded: {
    fields: { subtask: "subtask", partition: "input", position: "int" },
  },
  CoordinatorSnapshotTaken: {
    fields: { operator: "operator", checkpoint: "checkpoint", assigned: "int" },
  },
  SplitReturned: {
    fields: { subtask: "subtask", partition: "input", checkpoint: "checkpoint" },
  },
  CoordinatorReset: {
    fields: { operator: "operator", checkpoint: "checkpoint" },
  },
  LeadershipLost: {
    fields: { leader: "int" },
  },
  LeadershipGranted: {
    fields: { leader: "int", checkpoint: "checkpoint" },
  },
  CommitRetryLater: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", retries: "int" },
  },
  SavepointLocationInitialized: {
    fields: { checkpoint: "checkpoint", kind: "checkpointKind", format: "savepointFormat", fault: "int" },
  },
  OperationAnswered: {
    fields: { do: "faultVerb", answer: "operationAnswer", checkpoint: "checkpoint", fault: "int" },
  },
  FatalError: {
    fields: { subtask: "subtask", attempt: "int", taskManager: "taskManager" },
  },
  CheckpointRecovered: {
    fields: { checkpoint: "checkpoint" },
  },
  JobSubmitted: {
    // prettier-ignore
    fields: { submission: "int", fault: "int", checkpoint: "checkpoint", savepoint: "bool", claimMode: "claimMode", from: "int", readers: "ints" },
  },
  OperatorStateDropped: {
    fields: { uid: "uid" },
  },
  RestoreRefused: {
    fields: { refusal: "restoreRefusal", uid: "uid" },
  },
  SubmissionRejected: {
    fields: { fault: "int", from: "jobStatus" },
  },
  TransactionEndPrepared: {
    // prettier-ignore
    fields: { transaction: "transaction", checkpoint: "checkpoint", decider: "decider", subtask: "subtask", commit: "bool" },
  },
  TransactionMarkerWritten: {
    // prettier-ignore
    fields: { transaction: "transaction", checkpoint: "checkpoint", partition: "output", offset: "int", commit: "bool" },
  },
  TransactionDeferred: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint" },
  },
  TransactionalIdExpired: {
    fields: { transaction: "transaction", checkpoint: "checkpoint" },
  },
  WriteFailed: {
    fields: { subtask: "subtask", operator: "operator", record: "record", error: "commitError" },
  },
  WriteRepeated: {
    fields: { subtask: "subtask", operator: "operator", record: "record" },
  },
  PartitionDiscovered: {
    fields: { operator: "operator", partition: "input" },
  },
  DuplicateDropped: {
    fields: { subtask: "subtask", operator: "operator", record: "record" },
  },
  BatchLogged: {
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", records: "int" },
  },
  BatchCommitted: {
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", again: "bool" },
  },
  BatchKept: {
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", error: "commitError" },
  },
  ConnectionClosed: {
    fields: { subtask: "subtask", partition: "input", position: "int", delivered: "int" },
  },
  OffsetReset: {
    fields: { subtask: "subtask", partition: "input", position: "int", target: "int" },
  },
  SubpartitionRequested: {
    fields: { subtask: "subtask", channel: "channel", records: "int" },
  },
  CommitFailureIgnored: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", age: "ms" },
  },
  OpenTransactionsListed: {
    fields: { subtask: "subtask", operator: "operator", open: "int", own: "int" },
  },
  PartFileResumed: {
    // prettier-ignore
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", partition: "output", records: "int", dropped: "int" },
  },
  CommittableSent: { fields: committable },
  CommittableReceived: { fields: committable },
  TableCommitRequested: {
    // prettier-ignore
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", decider: "decider", files: "int" },
  },
  TableCommitted: {
    fields: { subtask: "subtask", checkpoint: "checkpoint", decider: "decider", files: "int" },
  },
  TableCommitSkipped: {
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", highest: "checkpoint" },
  },
  DataFileListedAgain: {
    // prettier-ignore
    fields: { subtask: "subtask", transaction: "transaction", checkpoint: "checkpoint", partition: "output", records: "int" },
  },
  BackgroundRecordWritten: {
    fields: { partition: "output", offset: "int" },
  },
  GloballyCommitted: {
    // prettier-ignore
    fields: { subtask: "subtask", operator: "operator", checkpoint: "checkpoint", decider: "decider", committables: "int" },
  },
  CutPartTaken: {
    fields: { subtask: "subtask", behind: "int", records: "int" },
  },
  WriteWithheld: {
    // prettier-ignore
    fields: { subtask: "subtask", operator: "operator", record: "record", partition: "output", transaction: "transaction" },
  },
  CutRefused: {
    fields: { subtask: "subtask", refusal: "cutRefusal" },
  },
} as const satisfies Record<string, EventDeclaration>;
