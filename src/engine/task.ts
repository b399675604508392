/**
 * A task's thread on its TaskManager (`StreamTask`, `Task`; CP-030 ff., FR-008): what it does while it runs, and each of
 * its four ends; how it begins is `task-start.ts`. The JobManager's view of it is `scheduler.ts`; between the two there are only messages.
 */
import { at } from "../base/assert.ts";
import { type endings, failureCauses, type notificationKinds } from "../protocol/reasons.ts";
import { openChannels } from "./checkpoint-barrier-handler.ts";
import { persistReceived, recoveredChannel } from "./channel-state.ts";
import { onOutputTimeout } from "./sender-buffers.ts";
import { alignmentOfTrigger, onBarrier, onCancelMarker, triggerOpenChannels } from "./checkpointed-input.ts";
import { endData, mayEnd, noteComplete, onEndOfData, onEndOfPartition, stopsSource } from "./finish.ts";
import type { Kernel } from "./kernel.ts";
import { lateParts } from "./late-parts.ts";
import { Channel, Element, ElementKind, Finish, Life, Mail, RestoredAs, Task, TaskTime, Tracked } from "./layout.ts";
import { Decider } from "./log-broker/transactions.ts";
import { MailKind, nextMail, occupy, release, wake } from "./mailbox.ts";
import { clearInputs, isCommittable, nextInput, outputsAvailable, take } from "./network.ts";
import { Actor, Op } from "./ops.ts";
import { Node, isCutOff } from "./network-cuts.ts";
import { costOf } from "./slow.ts";
import { process } from "./operators.ts";
import { checkpointState, discardAll, isWriting, onAborted } from "./snapshot.ts";
import { commitOffsets, commitOnClose } from "./sources/consumer-group.ts";
import { rowTime } from "./sources/checkpoint-lock.ts";
import { breakConnection } from "./sources/source-function.ts";
import { addSplits, emitRecord, hasAllSplits, isOffsetGone, nextSplit, readsLog } from "./sources/kafka-source.ts";
import { confirmObjects } from "./state-files.ts";
import { onSinkTimer } from "./sinks/chain.ts";
import { resetWriter } from "./sinks/sink.ts";
import { ExecutionState } from "./states.ts";
import { hostOf, isAlive, isReachable } from "./host.ts";
import { reportState, run } from "./task-start.ts";

const Ending = { failed: 0, canceled: 1, lost: 2, finished: 3 } as const satisfies Record<
  string,
  keyof typeof endings & number
>;
const Told = { complete: 0, aborted: 1, subsumed: 2 } as const satisfies Record<
  (typeof notificationKinds)[number],
  number
>;
const times = { arrival: -1 };

/** The operation `taskRun`: the thread was woken. */
export function taskRun(k: Kernel, task: number): void {
  k.world.setTaskTime(task, TaskTime.wake, -1);
  turn(k, task);
}

/** One turn of the mailbox loop: a mail, else an input; else the thread sleeps until something comes. */
export function turn(k: Kernel, task: number): void {
  const { world } = k;
  const life = world.task(task, Task.life);
  if (
    (life !== Life.running && life !== Life.recovering) ||
    world.task(task, Task.busy) !== 0 ||
    world.task(task, Task.stalled) !== 0
  )
    return;
  if (life === Life.recovering) {
    readRecovered(k, task);
    return;
  }
  const mail = nextMail(k, task);
  if (mail >= 0) {
    onMail(k, task, mail);
    return;
  }
  if (mayEnd(k, task)) return closeMailbox(k, task);
  if (k.plan.scenario.config.checkpointing.unaligned && lateParts().alternating.takePriority(k, task)) return;
  if (!outputsAvailable(k, task)) return;
  if ((k.plan.source[task] as number) >= 0) readSource(k, task);
  else readInput(k, task);
}

function readSource(k: Kernel, task: number): void {
  if (isCutOff(k, task, Node.kafka) && readsLog(k, task)) return;
  if (k.world.task(task, Task.finish) !== Finish.none) return;
  const place = nextSplit(k, task, times);
  if (place >= 0 && isOffsetGone(k, task, place)) return k.next(Op.resetOffset, task, task, place);
  if (place < 0) {
    if (times.arrival >= 0) wake(k, task, times.arrival);
    else if (k.plan.bounded[task] === 1 && hasAllSplits(k, task)) {
      // Due to its input, not to what woke the thread.
      k.cause = -1;
      endData(k, task);
    }
    return;
  }
  occupy(k, task);
  k.world.setTask(task, Task.record, place);
  k.after(Math.max(costOf(k, task), rowTime(k, task)), Op.recordDone, task, task);
}

function readInput(k: Kernel, task: number): void {
  const { world } = k;
  const channel = nextInput(k, task, times);
  if (channel < 0) {
    if (times.arrival >= 0) wake(k, task, times.arrival);
    return;
  }
  const kind = world.element(channel, 0, Element.kind);
  if (kind === ElementKind.record) receive(k, task, channel);
  else if (kind === ElementKind.cancelMarker) onCancelMarker(k, task, channel);
  else if (kind === ElementKind.endOfData) onEndOfData(k, task, channel);
  else if (kind === ElementKind.endOfPartition) onEndOfPartition(k, task, channel);
  else onBarrier(k, task, channel, 0);
}

/** Records of the restored checkpoint go first; the task is RUNNING once all of them are consumed (CP-085). */
function readRecovered(k: Kernel, task: number): void {
  const { world } = k;
  const channel = recoveredChannel(k, task);
  if (channel < 0) {
    run(k, task);
    k.next(Op.taskTurn, task, task);
  } else if (outputsAvailable(k, task)) {
    world.setChannel(channel, Channel.recovered, world.channel(channel, Channel.recovered) - 1);
    receive(k, task, channel);
  }
}

/** Takes the record at the head of a channel in hand. */
function receive(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  const record = world.element(channel, 0, Element.id);
  const value = world.element(channel, 0, Element.value);
  k.cause = world.element(channel, 0, Element.step);
  occupy(k, task);
  if (isCommittable(record)) return k.next(Op.takeCommittable, task, task, channel, record, value);
  world.setTask(task, Task.record, record);
  world.setTask(task, Task.value, value);
  world.setTask(task, Task.port, at(k.plan.graph.edges, at(k.plan.graph.channels, channel).edge).toOperator);
  take(k, channel);
  persistReceived(k, channel, record, value);
  k.emit("RecordReceived", task, channel, record, value);
  k.after(costOf(k, task), Op.recordDone, task, task);
}

/** The operation `recordDone`: the record in hand has had its time. */
export function recordDone(k: Kernel, task: number): void {
  const { world } = k;
  if ((k.plan.source[task] as number) >= 0) emitRecord(k, task, world.task(task, Task.record));
  else process(k, task, world.task(task, Task.port), world.task(task, Task.record), world.task(task, Task.value));
  k.next(Op.taskFree, task, task);
}

function onMail(k: Kernel, task: number, row: number): void {
  const { mails } = k.world;
  const [kind, checkpoint, more] = [
    mails.get(row, Mail.kind),
    mails.get(row, Mail.checkpoint),
    mails.get(row, Mail.more),
  ];
  k.cause = mails.get(row, Mail.cause);
  mails.remove(row);
  if (kind === MailKind.trigger) return onTrigger(k, task, checkpoint, more);
  if (kind === MailKind.complete) return onComplete(k, task, checkpoint);
  if (kind === MailKind.retryCommit) return commitAgain(k, task, checkpoint);
  if (kind === MailKind.sinkTimer) return onSinkTimer(k, task, checkpoint, more);
  if (kind === MailKind.event) return addSplits(k, task, checkpoint, more);
  if (kind === MailKind.subsumed) return onEnded(k, task, checkpoint, Told.subsumed);
  if (kind === MailKind.alignmentTimeout) return lateParts().alternating.onAlignmentTimeout(k, task, checkpoint);
  if (kind === MailKind.outputTimeout) return onOutputTimeout(k, task, checkpoint);
  if (more > k.world.task(task, Task.reported)) {
    mails.open(row);
    [task, 1, kind, checkpoint, more, k.cause].forEach((word, column) => mails.set(row, column, word));
    return onComplete(k, task, more);
  }
  if (checkpoint === k.world.task(task, Task.syncSavepoint)) return failStop(k, task);
  onAborted(k, task, checkpoint);
  onEnded(k, task, checkpoint, Told.aborted);
}

/** CP-049: the savepoint that this task was to end with has come to nothing, so the task fails. */
function failStop(k: Kernel, task: number): void {
  const attempt = k.world.task(task, Task.attempt);
  k.next(Op.taskFail, task, task, attempt, failureCauses.indexOf("STOP_WITH_SAVEPOINT_FAILED"));
}

/** A checkpoint that is aborted, or subsumed (CP-128), is of no concern to operators here. */
function onEnded(k: Kernel, task: number, checkpoint: number, kind: number): void {
  k.emit("NotificationDelivered", task, checkpoint, kind);
  k.next(Op.taskTurn, task, task);
}

/** The trigger message; a task all of whose inputs have ended acts as a source (CP-193). */
function onTrigger(k: Kernel, task: number, checkpoint: number, triggered: number): void {
  if (openChannels(k, task) > 0) return triggerOpenChannels(k, task, checkpoint, triggered);
  if (stopsSource(k, task, checkpoint, triggered)) return;
  k.world.setTaskTime(task, TaskTime.alignment, k.now);
  checkpointState(k, task, checkpoint, triggered, alignmentOfTrigger(k, checkpoint));
}

/** CP-128: everything prepared for this checkpoint and those before it is complete. */
function onComplete(k: Kernel, task: number, checkpoint: number): void {
  if (checkpoint <= k.world.task(task, Task.reported) && k.decisions.ignoresOldNotification()) {
    k.next(Op.taskTurn, task, task);
    return;
  }
  k.world.setTask(task, Task.reported, checkpoint);
  confirmObjects(k, task, checkpoint);
  occupy(k, task);
  k.emit("NotificationDelivered", task, checkpoint, Told.complete);
  noteComplete(k, task, checkpoint);
  if (k.world.task(task, Task.restoredAs) === RestoredAs.finished) return k.next(Op.taskFree, task, task);
  if ((k.plan.source[task] as number) >= 0) commitOffsets(k, task, checkpoint);
  const sink = at(k.plan.sinksOf, task)[0];
  if (sink === undefined) k.next(Op.taskFree, task, task);
  else k.next(Op.commitNext, task, task, sink, checkpoint, Decider.notification);
}

function commitAgain(k: Kernel, task: number, upTo: number): void {
  occupy(k, task);
  k.next(Op.commitNext, task, task, at(at(k.plan.sinksOf, task), 0), upTo, Decider.notification);
}

/** The mailbox takes no more; once all snapshots are written out the thread ends (CP-192). Without the feature none waits. */
function closeMailbox(k: Kernel, task: number): void {
  k.world.setTask(task, Task.finish, Finish.closed);
  const { interval, afterTasksFinish } = k.plan.scenario.config.checkpointing;
  if (interval !== null && afterTasksFinish && isWriting(k, task)) return;
  occupy(k, task);
  k.next(Op.endTask, task, task);
}

/** The operation `endTask`: operators close, every channel ends, then the thread does; the JobManager is told. */
export function endTask(k: Kernel, task: number): void {
  close(k, task);
  for (const channel of at(k.plan.graph.subtasks, task).outputs) k.next(Op.emitEndOfPartition, task, task, channel);
  k.next(Op.taskStopped, task, task, k.world.task(task, Task.attempt), Ending.finished);
}

/** The operation `taskFail`: an exception ends the thread. Its sinks close, then the JobManager is told (FR-020). */
export function taskFail(k: Kernel, task: number, attempt: number, failure: number): void {
  const { world } = k;
  const life = world.task(task, Task.life);
  if (world.task(task, Task.attempt) !== attempt || life === Life.none || life === Life.ended) return;
  close(k, task);
  k.next(Op.taskStopped, task, task, attempt, Ending.failed, failure);
}

/** The operation `cancelTask`: the JobManager's cancel call. It interrupts whatever is in hand; a stalled thread waits. */
export function cancelTask(k: Kernel, task: number, attempt: number): void {
  const { world } = k;
  if (world.task(task, Task.attempt) !== attempt) return;
  const taskManager = world.slot(at(k.plan.graph.subtasks, task).slot);
  if (!isReachable(k, taskManager)) {
    k.after(k.plan.scenario.timing.rpc, Op.taskManagerUnreachable, Actor.wire, taskManager);
    return;
  }
  const life = world.task(task, Task.life);
  if (life === Life.ended || life === Life.closing) return;
  watchCancellation(k, task, attempt);
  if (world.task(task, Task.stalled) !== 0) {
    world.setTask(task, Task.cancelWaits, 1);
    return;
  }
  close(k, task);
  k.after(k.plan.scenario.timing.cancel, Op.taskStopped, task, task, attempt, Ending.canceled);
}

/** FR-007: a thread that will not have ended in time is watched (`Task.TaskCancelerWatchDog`); what ends is not, it costs no entry. */
function watchCancellation(k: Kernel, task: number, attempt: number): void {
  const { timing, config } = k.plan.scenario;
  const limit = config.cancellationTimeout;
  if (limit > 0 && (k.world.task(task, Task.stalled) !== 0 || timing.cancel > limit))
    k.after(limit, Op.cancellationTimeout, Actor.world, task, attempt);
}

/** The operation `cancellationTimeout`: a fatal error; the TaskManager ends its own process, and takes its leave (FR-007). */
export function cancellationTimeout(k: Kernel, task: number, attempt: number): void {
  if (k.world.task(task, Task.attempt) !== attempt || !isAlive(k, task)) return;
  const taskManager = hostOf(k, task);
  k.emit("FatalError", task, attempt, taskManager);
  k.next(Op.killTaskManager, Actor.world, taskManager);
  k.after(k.plan.scenario.timing.rpc, Op.taskManagerUnreachable, Actor.wire, taskManager);
}

/** A live thread closes its operators: sinks abort what they have not handed to their committer (FR-008). */
function close(k: Kernel, task: number): void {
  endThread(k, task, Life.closing);
  commitOnClose(k, task);
  for (const operator of at(k.plan.sinksOf, task)) k.next(Op.closeSink, task, task, operator);
}

/** The thread ends with its process: nothing is closed, nobody is told. */
export function loseThread(k: Kernel, task: number): void {
  const life = k.world.task(task, Task.life);
  if (life === Life.none || life === Life.ended) {
    k.dropOperations(task);
    return;
  }
  endThread(k, task, Life.ended);
  k.next(Op.taskStopped, Actor.wire, task, k.world.task(task, Task.attempt), Ending.lost);
}

/** What the thread would have done is dropped; asynchronous parts are discarded; its input buffers are gone. */
function endThread(k: Kernel, task: number, life: number): void {
  const { world } = k;
  breakConnection(k, task);
  discardAll(k, task);
  release(k, task);
  k.dropOperations(task);
  world.mails.removeWhere(Mail.task, task);
  world.tracked.removeWhere(Tracked.task, task);
  world.setTask(task, Task.life, life);
  world.setTask(task, Task.stalled, 0);
  world.setTaskTime(task, TaskTime.wake, -1);
}

/** The operation `taskStopped`: the thread is over; the JobManager is told, unless the process is gone with it. */
export function taskStopped(k: Kernel, task: number, attempt: number, ending: number, failure: number): void {
  k.world.setTask(task, Task.life, Life.ended);
  k.cancel(Op.cancellationTimeout, task, attempt);
  clearInputs(k, task);
  for (const operator of at(k.plan.sinksOf, task)) resetWriter(k, task, operator);
  k.emit("TaskStopped", task, attempt, ending);
  const { rpc } = k.plan.scenario.timing;
  if (ending === Ending.failed) k.after(rpc, Op.failure, Actor.wire, task, attempt, failure);
  if (ending === Ending.finished) reportState(k, task, ExecutionState.finished);
  if (ending === Ending.canceled) k.after(rpc, Op.reportState, Actor.wire, task, attempt, ExecutionState.canceled);
}

/** The operation `connectionLost`: a task fails when one whose output it reads is gone with its process. */
export function connectionLost(k: Kernel, task: number, attempt: number): void {
  k.next(Op.taskFail, task, task, attempt, failureCauses.indexOf("CONNECTION_LOST"));
}
