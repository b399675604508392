/** Which component carries out which operation: the one place that knows them all. */
import * as barrierHandler from "./barrier-handler.ts";
import { requestSubpartition } from "./blocking-results.ts";
import { notifyEndOfData } from "./checkpoint-plan.ts";
import * as channelState from "./channel-state.ts";
import * as senderBuffers from "./sender-buffers.ts";
import { onBarrier, triggerOpenChannels } from "./checkpointed-input.ts";
import * as coordinator from "./checkpoint-coordinator.ts";
import { needsLeader } from "./conduct.ts";
import * as decider from "./checkpoint-request-decider.ts";
import * as storage from "./checkpoint-storage.ts";
import * as failover from "./failover.ts";
import { applyFault } from "./faults.ts";
import * as finish from "./finish.ts";
import type { Kernel } from "./kernel.ts";
import { Job } from "./layout.ts";
import { type LateOp, lateParts } from "./late-parts.ts";
import * as operatorCoordinators from "./operator-coordinators.ts";
import * as broker from "./log-broker/transactions.ts";
import { taskFree } from "./mailbox.ts";
import { send } from "./network.ts";
import { process } from "./operators.ts";
import { type OpName, opNames } from "./ops.ts";
import * as scheduler from "./scheduler.ts";
import * as commitErrors from "./sinks/commit-errors.ts";
import * as sinks from "./sinks/chain.ts";
import * as committer from "./sinks/kafka-committer.ts";
import * as writer from "./sinks/kafka-writer.ts";
import { slowEnds } from "./slow.ts";
import * as snapshot from "./snapshot.ts";
import * as consumerGroup from "./sources/consumer-group.ts";
import * as reader from "./sources/kafka-source.ts";
import * as sourceFunction from "./sources/source-function.ts";
import * as enumerator from "./sources/source-coordinator.ts";
import { answerOperation } from "./stop-with-savepoint.ts";
import * as task from "./task.ts";
import * as taskStart from "./task-start.ts";

type Handler = (kernel: Kernel, a: number, b: number, c: number, d: number) => void;

function isLate(name: OpName): name is LateOp {
  return !(name in handlers);
}

/** One that few runs need (`late-parts.ts`). */
function late(name: LateOp): Handler {
  return (k, a, b, c, d) => lateParts().handlers[name](k, a, b, c, d);
}

const handlers: { readonly [N in Exclude<OpName, LateOp>]: Handler } = {
  taskRun: task.taskRun,
  taskTurn: task.turn,
  recordDone: task.recordDone,
  process,
  send,
  taskFree,
  abortAlignment: barrierHandler.abortAlignment,
  takeBarrier: onBarrier,
  blockChannel: barrierHandler.blockChannel,
  aligned: barrierHandler.aligned,
  resumeChannel: barrierHandler.resumeChannel,
  writerStarted: (k, subtask, checkpoint) => k.emit("UnalignedSnapshotStarted", subtask, checkpoint),
  inputPersisted: channelState.inputPersisted,
  overtakeBuffers: senderBuffers.overtakeBuffers,
  outputTimeout: senderBuffers.outputTimeout,
  barrierSent: senderBuffers.barrierSent,
  channelStateWritten: channelState.channelStateWritten,
  restoreChannel: channelState.restoreChannel,
  checkpointState: snapshot.checkpointState,
  preCommit: sinks.preCommit,
  emitBarriers: snapshot.emitBarriers,
  emitBarrier: snapshot.emitBarrier,
  emitCancelMarker: snapshot.emitCancelMarker,
  syncPart: snapshot.syncPart,
  snapshotTaken: snapshot.snapshotTaken,
  startAsync: snapshot.startAsync,
  asyncDone: snapshot.asyncDone,
  snapshotWhole: snapshot.snapshotWhole,
  discardSnapshot: snapshot.discardSnapshot,
  append: sinks.append,
  beginTransaction: sinks.beginTransaction,
  initializeId: writer.initializeId,
  commitNext: sinks.commitNext,
  brokerCommit: committer.brokerCommit,
  commitReply: sinks.commitReply,
  retryCommit: commitErrors.retryCommit,
  closeSink: sinks.closeSink,
  startSink: sinks.startSink,
  sinkTimer: sinks.sinkTimer,
  timeOutTransaction: broker.timeOut,
  writeMarker: broker.writeMarker,
  completeTransaction: broker.completeTransaction,
  probe: writer.probe,
  producersReady: writer.producersReady,
  commitOffsets: consumerGroup.offsetsCommitted,
  taskStart: taskStart.taskStart,
  loadState: taskStart.loadState,
  rewind: reader.rewind,
  openOperators: sinks.openOperators,
  taskRunning: taskStart.taskRunning,
  taskFail: task.taskFail,
  cancelTask: task.cancelTask,
  taskStopped: task.taskStopped,
  cancellationTimeout: task.cancellationTimeout,
  periodicTrigger: coordinator.periodicTrigger,
  submit: decider.submit,
  decide: decider.decide,
  rejectQueued: decider.rejectQueued,
  acknowledge: coordinator.acknowledge,
  decline: coordinator.decline,
  finalize: coordinator.finalize,
  store: coordinator.store,
  subsume: coordinator.subsume,
  notifyComplete: coordinator.notifyComplete,
  abortPending: coordinator.abortPending,
  notifyAborted: coordinator.notifyAborted,
  expire: coordinator.expire,
  snapshotCoordinator: operatorCoordinators.snapshotCoordinator,
  coordinatorSnapshotTaken: operatorCoordinators.coordinatorSnapshotTaken,
  triggerTasks: coordinator.triggerTasks,
  registerReader: enumerator.registerReader,
  assignSplits: enumerator.assignSplits,
  splitAssigned: enumerator.splitAssigned,
  sendEvent: operatorCoordinators.sendEvent,
  receiveEvent: reader.receiveEvent,
  eventAnswered: operatorCoordinators.eventAnswered,
  eventTimedOut: (k, subtask, attempt, splits) => operatorCoordinators.eventAnswered(k, subtask, attempt, splits, 0),
  failReader: (k, subtask, attempt) => task.taskFail(k, subtask, attempt, operatorCoordinators.EVENT_LOST),
  splitAdded: reader.splitAdded,
  checkpointPassed: operatorCoordinators.checkpointPassed,
  resetReader: enumerator.resetReader,
  splitReturned: (k, subtask, partition, checkpoint) => k.emit("SplitReturned", subtask, partition, checkpoint),
  resetCoordinator: enumerator.resetCoordinator,
  discoverPartitions: enumerator.discoverPartitions,
  partitionFound: enumerator.partitionFound,
  resetOffset: reader.resetOffset,
  autoCommit: consumerGroup.autoCommit,
  hangUp: sourceFunction.hangUp,
  receiveTrigger: coordinator.receiveTrigger,
  receiveComplete: coordinator.receiveComplete,
  receiveAborted: coordinator.receiveAborted,
  messageLost: (k, rpc, subtask, checkpoint) => k.emit("MessageLost", rpc, subtask, checkpoint),
  fileWritten: storage.fileWritten,
  fileReused: (k, subtask, checkpoint, file, bytes) => k.emit("CheckpointFileReused", subtask, checkpoint, file, bytes),
  fileDeleted: (k, checkpoint, file) => k.emit("CheckpointFileDeleted", checkpoint, file),
  startJob: scheduler.startJob,
  setJobStatus: scheduler.setJobStatus,
  setTaskState: scheduler.setTaskState,
  reportState: scheduler.reportState,
  failure: failover.failure,
  restartSet: failover.restartSet,
  cancelAttempt: failover.cancelAttempt,
  scheduleRestart: failover.scheduleRestart,
  restartDue: failover.restartDue,
  createAttempt: scheduler.createAttempt,
  restoreState: scheduler.restoreState,
  allocate: scheduler.allocate,
  deploy: scheduler.deploy,
  releaseSlot: failover.releaseSlot,
  slotTimeout: scheduler.slotTimeout,
  slotFailed: scheduler.slotFailed,
  killTaskManager: failover.killTaskManager,
  connectionLost: task.connectionLost,
  taskManagerUnreachable: failover.taskManagerGone,
  taskManagerTimeout: failover.taskManagerGone,
  loseTaskManager: failover.loseTaskManager,
  taskManagerStarts: scheduler.taskManagerStarts,
  registerTaskManager: scheduler.registerTaskManager,
  settleJob: failover.settleJob,
  globalFailure: failover.globalFailure,
  fault: applyFault,
  slowEnds,
  finishOperators: finish.finishOperators,
  emitEndOfData: finish.emitEndOfData,
  allRecordsProcessed: finish.allRecordsProcessed,
  notifyEndOfData,
  requestSubpartition,
  emitEndOfPartition: finish.emitEndOfPartition,
  triggerOpenChannels,
  endTask: task.endTask,
  submitSavepoint: decider.submitSavepoint,
  locateSavepoint: coordinator.locateSavepoint,
  answerOperation,
  shutDownStore: storage.shutDownStore,
  dropState: (k, uid) => k.emit("OperatorStateDropped", uid),
  refuseRestore: (k, refusal, uid) => k.emit("RestoreRefused", refusal, uid),
};

const table: readonly Handler[] = opNames.map((name) => (isLate(name) ? late(name) : handlers[name]));

/** Carries out one operation of the agenda. */
export function dispatch(kernel: Kernel, op: number, a: number, b: number, c: number, d: number): void {
  if (kernel.world.job(Job.leaderless) > 0 && needsLeader(op, kernel.actor)) return;
  if (kernel.world.cuts.count > 0 && lateParts().holds(kernel, op, a, b, c, d)) return;
  (table[op] as Handler)(kernel, a, b, c, d);
}
