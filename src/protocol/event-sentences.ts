/** What each event means, in one sentence: for the docs page and the list at the terminal. The page does not load it. */
import type { EventType } from "./events.ts";

export const eventSentences: { readonly [T in EventType]: string } = {
  JobStatusChanged: "The job moves to another status.",
  AttemptCreated:
    "A new execution attempt, in state CREATED, takes the subtask's place. It knows nothing of the one before.",
  TaskStateChanged: "The JobManager records that an attempt is in another state.",
  TaskStopped:
    "The attempt's thread has ended on its TaskManager; what it held in memory and in its input buffers is gone.",
  TaskFailed: "The JobManager learns that an attempt failed.",
  TaskManagerLost: "The JobManager gives a TaskManager up: its slots are gone, every attempt on it has failed.",
  TaskManagerRegistered: "A TaskManager offers its slots to the JobManager.",
  FaultInjected: "A fault or an operation of the scenario, or of the person watching, acts.",
  RestartScheduled: "The restart strategy grants a restart of these subtasks after this delay.",
  StateRestored: "The state that a completed checkpoint holds for this subtask is given to its new attempt.",
  SourceRewound:
    "A source continues at the offset that its restored state names; `position` is how far its vertex had read.",
  SlotRequestFailed: "No slot could be had in time.",
  RecordEmitted: "A source emits a record and moves its position behind it.",
  RecordSent: "A task puts a record into a channel. It arrives after the channel's latency.",
  RecordReceived: "A task takes a record from a channel and begins to work on it; its buffer is free again.",
  RecordProcessed:
    "An operator has applied a record. `value` is what it hands on; for a keyed or counting operator, its new state.",
  RecordWritten: "The log has appended a record of a sink.",
  CheckpointTriggered:
    "A pending checkpoint is registered, its timeout is armed, and trigger messages leave for the sources.",
  TriggerQueued: "A request for a checkpoint or savepoint waits: as many checkpoints are pending as may be.",
  TriggerRejected: "A request for a checkpoint or savepoint is dropped.",
  BarrierEmitted: "A task puts a barrier into a channel, behind all records it has sent there.",
  BarrierReceived:
    "A task takes a barrier from a channel. `aligned` channels have delivered this checkpoint's barrier now.",
  ChannelBlocked: "The task takes nothing more from this channel until the barriers of the other channels are in.",
  ChannelResumed: "The task reads this channel again.",
  AlignmentCompleted: "The last barrier is in: the task can take its part of the checkpoint.",
  AlignmentAborted: "The task gives up waiting for the other barriers of this checkpoint.",
  CancelMarkerEmitted: "A task tells the next one not to wait for this checkpoint's barrier.",
  CancelMarkerReceived: "A task learns that a barrier will not come.",
  SnapshotTaken: "The synchronous part has frozen the subtask's state; the asynchronous part begins to write it out.",
  SnapshotPersisted: "The subtask's state is in checkpoint storage; the acknowledgement leaves.",
  SnapshotDiscarded: "The asynchronous part is closed before it is done; what it wrote is deleted.",
  CheckpointAcknowledged:
    "The coordinator accepts a subtask's acknowledgement. `acknowledged` subtasks have done so now.",
  AcknowledgementDiscarded:
    "An acknowledgement comes too late, twice, or from an attempt that is no longer current; its state is discarded.",
  CheckpointDeclined: "The coordinator learns that a subtask cannot take part.",
  CheckpointMetadataWritten: "All have acknowledged and the metadata is written. The checkpoint does not count yet.",
  CheckpointCompleted: "The pointer is in the store: from here on a recovery uses this checkpoint. The commit point.",
  CheckpointAborted: "A pending checkpoint ends without effect. Nothing is rolled back.",
  CheckpointSubsumed: "A newer checkpoint makes this one unnecessary; its files are deleted.",
  NotificationDelivered:
    "A task handles the message that a checkpoint is complete, or aborted, or, behind the one of a newer one, subsumed.",
  MessageLost: "A message between JobManager and task does not arrive.",
  OffsetsCommitted: "A source writes its position to the consumer group, for monitoring only.",
  ProducerIdInitialized:
    "A sink initialises a transactional id: no older producer can write or commit under it any more.",
  TransactionBegun: "A sink begins a transaction; the log knows of it from its first record on.",
  TransactionPreCommitted:
    "All is flushed and the transaction is handed to the committer. Whether it counts is decided by the checkpoint.",
  TransactionRecycled: "Nothing was written in this transaction, so there is nothing to commit.",
  TransactionCommitRequested: "A committer asks the log to commit.",
  TransactionCommitted:
    "The log commits: markers are written, committed readers may see the records. `again`: it had been, nothing changes.",
  TransactionAborted: "The log aborts: markers are written, committed readers never see the records.",
  TransactionTimedOut: "The log gives up a transaction that has been open for too long.",
  BarrierAnnounced:
    "A task learns of an aligned barrier that waits behind records in its channel; its timeout runs from now on.",
  AlignmentTimedOut: "The barriers are not all in when the timeout ends: the task turns to an unaligned checkpoint.",
  UnalignedSnapshotStarted:
    "The task takes its snapshot unaligned. Until a channel's barrier comes, what arrives there belongs to the checkpoint.",
  InFlightDataPersisted:
    "Records that a barrier has overtaken, or that came before it after the snapshot, are stored as channel state: of the input (the reader) or the output (the writer).",
  ChannelStateRestored: "Records of the restored checkpoint's channel state are in their channel again.",
  CommitFailed:
    "The log refuses a commit. For a known reason the sink drops it and goes on, and the records are gone; for an unknown one its task fails.",
  SnapshotFailed:
    "The asynchronous part fails: what it wrote is deleted, and the task declines. The task itself goes on.",
  CheckpointFileWritten:
    "A file comes into checkpoint storage: a task's state, or, where there is no `subtask`, the checkpoint's metadata. `shared`: later checkpoints may refer to it.",
  CheckpointFileReused:
    "A snapshot refers to state that an earlier checkpoint wrote. `file` is -1 where it lies in the metadata.",
  CheckpointFileDeleted:
    "No retained checkpoint needs the file any more. `checkpoint` is the one that it was written for.",
  OperatorsFinished:
    "A task's input is exhausted and its operators have finished: sinks have flushed and handed over what they wrote.",
  EndOfDataEmitted: "A task tells a consumer that no more records come; barriers still may.",
  EndOfDataReceived: "A task has processed all records of a channel, and tells their producer so.",
  EndOfPartitionEmitted: "A task that ends puts the last element of all into a channel.",
  EndOfPartitionReceived:
    "A channel has ended: it delivers no more barriers, and a pending checkpoint counts it as aligned.",
  ReaderRegistered: "A source's reader tells its operator coordinator in the JobManager that it is there.",
  SplitAssigned:
    "The split enumerator gives a reader one of its splits; the event leaves, or waits behind a closed gate.",
  PartitionDiscovered:
    "An enumerator finds a partition that was not there at its first look; it is read from its beginning.",
  DuplicateDropped: "An operator has seen this record's id before and drops the record.",
  BatchLogged:
    "A write-ahead log closes its stream at the barrier: the records since the last one are a batch of its state.",
  BatchCommitted:
    "The committer of a write-ahead log has recorded a batch, now, or before (`again`: then it is only dropped).",
  BatchKept: "A batch is not recorded as committed, so that it is sent at the next notification, perhaps once more.",
  ConnectionClosed:
    "A source's connection breaks: what was delivered over it comes from nowhere again (`position`: as far as it was read).",
  OffsetReset: "The log has lost the offset that a reader stands at, so that its consumer goes on at another.",
  SplitAdded: "A reader has a split more, and begins to read it at this position.",
  CoordinatorSnapshotTaken:
    "An operator coordinator's snapshot counts: all events it has sent have arrived. `assigned` splits are with readers.",
  SplitReturned: "A reader is reset to a checkpoint that does not hold this split: it goes back to the enumerator.",
  CoordinatorReset:
    "With a global failover an operator coordinator goes back to its snapshot in this checkpoint; 0: it begins anew.",
  LeadershipLost:
    "The JobManager in the lead is gone, and with it what it held in memory: pending checkpoints, requests, counters, operator coordinators.",
  LeadershipGranted:
    "A standby JobManager is in the lead and has read the store: `checkpoint` is the newest there, 0: there is none. It runs the job anew.",
  CommitRetryLater:
    "A commit request has failed for a reason that may pass. The committer tries again; this is the retry of that number.",
  FatalError:
    "A cancelled task has not ended within `task.cancellation.timeout`: its TaskManager ends its own process, with all that runs on it.",
  CheckpointRecovered:
    "The store did not say whether it had written this checkpoint's pointer, so the checkpoint failed; a new leader finds the pointer there, and restores from it.",
  JobSubmitted:
    "A job is submitted anew: from here on entries speak of it. `checkpoint` is the snapshot that it starts from, 0: none; `from` is the submission that took it; `readers` says for each source and input partition which subtask has the split.",
  OperatorStateDropped:
    "The snapshot has state of an operator that the job does not have; it was asked to be left out (`allowNonRestoredState`).",
  RestoreRefused: "The job cannot be started from the snapshot: its JobMaster is never built, and no task is deployed.",
  SubpartitionRequested:
    "A consumer begins to read the result of a blocking exchange, all of which its producer has left on its TaskManager: so many records, from the first.",
  SubmissionRejected: "A job is not submitted, because the one before it is still there (`from` is its status).",
  RestoredAsFinished:
    "The new attempt of a subtask whose vertex had finished in the checkpoint runs no operator: it passes barriers and ends again.",
  SavepointLocationInitialized:
    "A savepoint's directory is made under the path that was asked for, or under the default one. What is in it is the user's.",
  TransactionEndPrepared:
    "The end of a transaction is decided and in the coordinator's log (PrepareCommit or PrepareAbort): it will come, and whoever asked is answered. Its markers follow.",
  TransactionMarkerWritten:
    "A partition learns how a transaction has ended. On this partition its records are visible from here on, or never; on its others not yet.",
  TransactionDeferred:
    "The coordinator has not written all markers of an id's last end yet (CONCURRENT_TRANSACTIONS): the client asks again.",
  TransactionalIdExpired:
    "The log has forgotten a transactional id that nobody used for `transactional.id.expiration.ms`; so it is unknown.",
  OpenTransactionsListed:
    "A sink with pooled names asks the brokers what is under way on its topic: `open` transactions, of which `own` are left over of older attempts, to be aborted.",
  WriteFailed:
    "A write to the log goes wrong. What may pass is sent again by the producer client; any other error fails the task.",
  WriteRepeated:
    "A producer sends a record once more, because it was not told that the log has it. The partition knows the batch by its sequence: acknowledged, not appended.",
  OperationAnswered:
    "Whoever asked for a savepoint hears what has become of it, and of the job that was to end with it.",
  PartFileResumed:
    "A restored file sink cuts the part file that its state names back to the length that it had, and writes on in it.",
  CommittableSent:
    "A sink's subtask hands a committable, or the word that it has none for a checkpoint, to its committer in another task; its barrier goes behind it. `count`: so many it announces; `writers`: so many subtasks there are.",
  CommittableReceived: "The committer of a sink has a committable, or the word that there is none, in hand.",
  TableCommitRequested:
    "The committer of a lake table asks its catalog to commit all files up to a checkpoint that the table does not list, in one snapshot.",
  TableCommitted:
    "The table has one snapshot more. It lists the files of the request, and says up to which checkpoint, of which job and operator.",
  TableCommitSkipped:
    "The table says that the committer's job has committed up to `highest`, so a file of a checkpoint not above it is not committed (again).",
  DataFileListedAgain:
    "A commit lists a data file that the table lists already: who reads the table finds its records once more.",
  CommitFailureIgnored:
    "A restore passes by a transaction that could not be committed and is older than its sink was told it may become: its records are gone.",
  BackgroundRecordWritten:
    "Another producer writes a plain record to a sink's topic. It is none of the job's output; a committed reader gets it when no transaction before it is open.",
  GloballyCommitted:
    "The global committer of a sink commits a checkpoint as a whole: all its committers have committed their parts and passed them on.",
  CutPartTaken:
    "A subtask's part of a cut that somebody drew: its state between two of its entries, `behind` being the last one before it, and the records in transit to it. Flink has no such thing.",
  WriteWithheld:
    "A record that a sink wrote behind a cut that somebody drew does not come into the log, which has its own place in that cut. Flink has no such thing.",
  CutRefused: "No job is started from a cut that somebody drew; the run goes on as it is. Flink has no such thing.",
};
