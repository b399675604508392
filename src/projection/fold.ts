/**
 * The log folded into what is shown at one cursor. Each type of entry names what the nouns make of it, in order; machine
 * states come from the entry's moves, and from nothing else.
 */
import { assert, at } from "../base/assert.ts";
import { type EventType, EventNumber, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { snapshotCheckpoint, snapshotSubtask } from "../protocol/ids.ts";
import type { EventLog, Move } from "../protocol/log.ts";
import { Machine } from "../protocol/machines/all.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import * as channels from "./channels.ts";
import * as checkpoints from "./checkpoints.ts";
import * as coordinator from "./coordinator.ts";
import {
  type Handler,
  barrierHandlerStates,
  checkpointStates,
  executionStates,
  jobStatuses,
  places,
  snapshotStates,
  transactionStates,
} from "./fields.ts";
import { initialView as viewOf } from "./initial.ts";
import * as inFlight from "./in-flight.ts";
import { inputLogChanged } from "./input-log.ts";
import * as inputs from "./inputs.ts";
import * as job from "./job.ts";
import { noteLoads } from "./loads.ts";
import * as messages from "./messages.ts";
import * as outputs from "./outputs.ts";
import { ownCheckpoint, ownSubtask, ownTransaction, transactionPlace } from "./own.ts";
import { shared } from "./shared.ts";
import * as submissions from "./submissions.ts";
import * as subtasks from "./subtasks.ts";
import * as transactions from "./transactions.ts";
import type { RunView } from "./views.ts";
import * as work from "./work.ts";
import * as writeAhead from "./write-ahead.ts";

/** What every type of entry means. Where a type has no handler, its moves say all. */
const handlers: { readonly [T in EventType]: readonly Handler[] } = {
  JobStatusChanged: [job.jobStatusChanged],
  AttemptCreated: [subtasks.attemptCreated],
  TaskStateChanged: [subtasks.taskStateChanged, job.restartFinished],
  TaskStopped: [subtasks.taskStopped],
  TaskFailed: [subtasks.taskFailed, job.failureKnown],
  TaskManagerLost: [job.taskManagerLost],
  TaskManagerRegistered: [job.taskManagerRegistered],
  FaultInjected: [inputLogChanged, job.faultInjected, subtasks.taskStalled, coordinator.operationAsked],
  RestartScheduled: [job.restartScheduled],
  StateRestored: [checkpoints.stateRestored, job.restartRestored],
  SourceRewound: [inputs.sourceRewound],
  SlotRequestFailed: [],
  RecordEmitted: [inputs.recordEmitted],
  RecordSent: [channels.recordSent],
  RecordReceived: [
    work.recordInHand,
    inFlight.recordPersisted,
    checkpoints.recordWhileAligning,
    channels.recordReceived,
  ],
  RecordProcessed: [work.recordApplied],
  RecordWritten: [outputs.recordWritten],
  CheckpointTriggered: [
    coordinator.requestTaken,
    checkpoints.checkpointTriggered,
    checkpoints.finishedLeftOut,
    messages.triggersLeaveAtOnce,
  ],
  TriggerQueued: [coordinator.triggerQueued],
  TriggerRejected: [coordinator.triggerRejected],
  BarrierEmitted: [checkpoints.partStarted, work.barrierWork, channels.barrierEmitted],
  BarrierReceived: [
    inFlight.inputOvertaken,
    channels.barrierReceived,
    subtasks.barrierCollected,
    checkpoints.firstBarrier,
  ],
  ChannelBlocked: [channels.channelBlocked],
  ChannelResumed: [channels.channelResumed, work.resumedWork],
  AlignmentCompleted: [checkpoints.partAligned, inFlight.alignmentCompleted, work.alignedWork],
  AlignmentAborted: [
    checkpoints.partGivenUp,
    subtasks.collectingAborted,
    inFlight.alignmentGivenUp,
    messages.declineLeaves,
  ],
  CancelMarkerEmitted: [channels.cancelMarkerEmitted, work.markerWork],
  CancelMarkerReceived: [channels.cancelMarkerReceived],
  SnapshotTaken: [checkpoints.snapshotTaken, inputs.partitionsCut, work.snapshotDone],
  SnapshotPersisted: [checkpoints.snapshotPersisted, messages.acknowledgementLeaves],
  SnapshotDiscarded: [checkpoints.snapshotDiscarded, inFlight.snapshotGivenUp],
  CheckpointAcknowledged: [checkpoints.checkpointAcknowledged],
  AcknowledgementDiscarded: [checkpoints.acknowledgementRefused],
  CheckpointDeclined: [checkpoints.checkpointDeclined],
  CheckpointMetadataWritten: [checkpoints.metadataWritten],
  CheckpointCompleted: [checkpoints.checkpointCompleted, messages.notificationsLeave],
  CheckpointAborted: [checkpoints.checkpointAborted, messages.abortNotificationsLeave],
  CheckpointSubsumed: [checkpoints.checkpointSubsumed],
  NotificationDelivered: [checkpoints.notificationDelivered],
  MessageLost: [messages.messageLost],
  OffsetsCommitted: [inputs.offsetsCommitted],
  ProducerIdInitialized: [transactions.producerIdInitialized],
  TransactionBegun: [transactions.transactionBegun],
  TransactionPreCommitted: [transactions.transactionPreCommitted, work.preCommitWork],
  TransactionRecycled: [transactions.transactionRecycled],
  TransactionCommitRequested: [transactions.commitRequested, messages.commitLeaves],
  TransactionCommitted: [transactions.transactionCommitted],
  TransactionAborted: [transactions.transactionAborted],
  TransactionTimedOut: [transactions.transactionTimedOut],
  CommitFailed: [transactions.commitFailed],
  CommitRetryLater: [],
  PartFileResumed: [transactions.partFileResumed],
  CommittableSent: [channels.committableSent],
  CommittableReceived: [inFlight.recordPersisted, channels.recordReceived],
  TableCommitRequested: [],
  TableCommitted: [],
  GloballyCommitted: [],
  TableCommitSkipped: [],
  DataFileListedAgain: [transactions.listedAgain],
  TransactionEndPrepared: [transactions.endPrepared],
  TransactionMarkerWritten: [transactions.markerWritten],
  TransactionDeferred: [],
  TransactionalIdExpired: [],
  OpenTransactionsListed: [],
  BackgroundRecordWritten: [outputs.backgroundWritten],
  WriteFailed: [],
  WriteRepeated: [],
  CommitFailureIgnored: [transactions.failureIgnored],
  CheckpointFileWritten: [],
  CheckpointFileReused: [checkpoints.fileReused],
  CheckpointFileDeleted: [],
  SnapshotFailed: [checkpoints.snapshotFailed, inFlight.snapshotFailed, messages.snapshotDeclined],
  OperatorsFinished: [work.operatorsFinished],
  EndOfDataEmitted: [channels.endOfDataEmitted],
  EndOfDataReceived: [channels.endOfDataReceived],
  EndOfPartitionEmitted: [channels.endOfPartitionEmitted],
  EndOfPartitionReceived: [channels.endOfPartitionReceived],
  JobSubmitted: [submissions.jobSubmitted],
  OperatorStateDropped: [],
  RestoreRefused: [],
  SubmissionRejected: [],
  SubpartitionRequested: [channels.subpartitionRequested],
  RestoredAsFinished: [checkpoints.stateRestored, checkpoints.restoredAsFinished, job.restartRestored],
  BarrierAnnounced: [],
  AlignmentTimedOut: [inFlight.alignmentTimedOut],
  UnalignedSnapshotStarted: [inFlight.writerStarted, work.unalignedWork],
  InFlightDataPersisted: [inFlight.bytesPersisted, inFlight.dataPersisted],
  ChannelStateRestored: [inFlight.channelRestored],
  ReaderRegistered: [],
  SplitAssigned: [messages.splitLeaves],
  SplitAdded: [inputs.splitAdded],
  OffsetReset: [inputs.offsetReset],
  ConnectionClosed: [inputs.connectionClosed],
  DuplicateDropped: [work.recordDropped],
  CutPartTaken: [],
  CutRefused: [],
  WriteWithheld: [outputs.writeWithheld],
  BatchLogged: [writeAhead.batchLogged],
  BatchCommitted: [writeAhead.batchCommitted],
  BatchKept: [],
  PartitionDiscovered: [],
  CoordinatorSnapshotTaken: [checkpoints.coordinatorAcknowledged, messages.triggersLeave],
  SplitReturned: [],
  CoordinatorReset: [],
  LeadershipLost: [checkpoints.pendingLost, coordinator.leadershipLost, job.leadershipLost],
  LeadershipGranted: [job.leadershipGranted],
  SavepointLocationInitialized: [checkpoints.savepointLocated],
  OperationAnswered: [coordinator.operationAnswered],
  FatalError: [job.fatalError],
  CheckpointRecovered: [checkpoints.checkpointRecovered],
};

const byNumber = eventTypes.map((type) => handlers[type]);
const processed = places("RecordProcessed");

/** A run before its first entry. `commands`: the session's, in the order that `FaultInjected.fault` counts. */
export function initialView(scenario: Scenario, graph: ExecutionGraph, commands?: readonly Command[]): RunView {
  return viewOf(shared(scenario, graph, commands));
}

/** Takes the view over the next entry, the one at `step`. */
export function applyEntry(view: RunView, log: EventLog, step: number): void {
  assert(step === view.step + 1, "entries are folded in order");
  const type = log.type(step);
  const clock = log.clock(step);
  view.step = step;
  view.clock = clock;
  if (view.messages.length > 0) messages.dropArrived(view, clock);
  if (view.stalls.length > 0) subtasks.endStalls(view, clock);
  if (view.passing !== null && !passesOn(view, log, step, type)) view.passing = null;
  const list = at(byNumber, type);
  for (let i = 0; i < list.length; i++) (list[i] as Handler)(view, log, step, clock);
  const moves = log.moveCount(step);
  for (let i = 0; i < moves; i++) applyMove(view, log.move(step, i));
  if (startsOrStops[type] === true) coordinator.followScheduler(view, clock);
  noteLoads(view, log, step, clock);
}

/** Entries after which every task may run that did not before, or the other way round. */
const startsOrStops: readonly boolean[] = eventTypes.map(
  (type) => type === "TaskStateChanged" || type === "JobStatusChanged" || type === "AttemptCreated",
);

/** Folds entries until the one at `step` has happened. */
export function advance(view: RunView, log: EventLog, step: number): void {
  while (view.step < step) applyEntry(view, log, view.step + 1);
}

/** Does the entry do more with the record that is between two places? Both types have their fields in the same places. */
function passesOn(view: RunView, log: EventLog, step: number, type: number): boolean {
  if (type !== EventNumber.RecordSent && type !== EventNumber.RecordProcessed) return false;
  const { passing } = view;
  return (
    passing?.subtask === log.field(step, processed.subtask) && passing.record === log.field(step, processed.record)
  );
}

function applyMove(view: RunView, { machine, instance, from, to }: Move): void {
  switch (machine) {
    case Machine.executionState:
      ownSubtask(view, instance).state = at(executionStates, to);
      break;
    case Machine.jobStatus:
      view.job = { ...view.job, status: at(jobStatuses, to) };
      break;
    case Machine.checkpoint: {
      const node = ownCheckpoint(view, instance);
      if (node !== null) node.state = at(checkpointStates, to);
      break;
    }
    case Machine.barrierHandler: {
      const node = ownSubtask(view, instance);
      const state = at(barrierHandlerStates, to);
      // An unaligned barrier finds it aligning: the checkpoint turns unaligned here (CP-072).
      if (state === "COLLECTING_UNALIGNED" && at(barrierHandlerStates, from) === "COLLECTING")
        inFlight.convert(view, node.handler.checkpoint, instance, view.clock);
      node.handler = { ...node.handler, state };
      break;
    }
    case Machine.subtaskSnapshot:
      checkpoints.notePart(view, snapshotCheckpoint(instance), snapshotSubtask(instance), {
        state: at(snapshotStates, to),
      });
      break;
    case Machine.transaction: {
      const place = transactionPlace(view, instance);
      if (place >= 0) ownTransaction(view, place).state = at(transactionStates, to);
      break;
    }
    default:
      assert(false, `no machine has number ${machine}`);
  }
}
