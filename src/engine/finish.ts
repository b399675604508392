/**
 * The end of a task (`StreamTask.endData`, `StreamTask.afterInvoke`, `FinishedOperatorChain`; FLIP-147, CP-046, CP-191,
 * CP-192, CP-196). A bounded source that has read all, and any task all of whose channels have delivered `EndOfData`,
 * finishes its operators and says so to its consumers and to the JobManager. It still takes part in checkpoints. It ends
 * when its channels have ended, its consumers have processed all its records and a checkpoint that it took since has
 * completed; without checkpoints, or without the feature, it does not wait. A stop with a savepoint ends sources too,
 * drained or not, and each task waits for the word of that savepoint (CP-164, CP-165). Left out: watermarks.
 */
import { at } from "../base/assert.ts";
import { openChannels } from "./checkpoint-barrier-handler.ts";
import { channelEnded } from "./checkpointed-input.ts";
import { keepResult } from "./blocking-results.ts";
import type { Kernel } from "./kernel.ts";
import { Element, ElementKind, Finish, RestoredAs, Task } from "./layout.ts";
import { MailKind, occupy, post, wake } from "./mailbox.ts";
import { overtake, put, take } from "./network.ts";
import { Actor, Op } from "./ops.ts";
import { Kind, drains, kindOf } from "./savepoints.ts";

/** `finalCheckpoint`: none yet, the first taken since the end of data, or that one or a later one has completed. */
const Final = { none: 0, completed: -1 } as const;

/** Does a task wait for its consumers and for a final checkpoint before it ends? */
function waits(k: Kernel): boolean {
  const { interval, afterTasksFinish } = k.plan.scenario.config.checkpointing;
  return interval !== null && afterTasksFinish;
}

/**
 * All input is read: operators finish, sinks first flush and hand over what they wrote. Where the job stops without being
 * drained, operators stay as they are.
 */
export function endData(k: Kernel, task: number): void {
  const { world } = k;
  occupy(k, task);
  const finishes = world.task(task, Task.restoredAs) !== RestoredAs.finished && world.task(task, Task.undrained) === 0;
  world.setTask(task, Task.finish, finishes ? Finish.operators : Finish.waiting);
  if (finishes) k.next(Op.preCommit, task, task, 0);
  else k.next(Op.finishOperators, task, task);
}

/**
 * The trigger of a stop's savepoint has come to a source that still reads (`SourceOperatorStreamTask`): it stops, says so,
 * and only then takes its part. False: there is nothing to stop.
 */
export function stopsSource(k: Kernel, task: number, checkpoint: number, triggered: number): boolean {
  const { world } = k;
  if (kindOf(k, checkpoint) !== Kind.synchronous || world.task(task, Task.finish) !== Finish.none) return false;
  world.setTask(task, Task.syncSavepoint, checkpoint);
  world.setTask(task, Task.undrained, drains(k, checkpoint) ? 0 : 1);
  endData(k, task);
  post(k, task, world.task(task, Task.attempt), MailKind.trigger, checkpoint, triggered);
  return true;
}

/** The operation `finishOperators`: consumers and the JobManager are told; the task stays RUNNING (CP-191). */
export function finishOperators(k: Kernel, task: number): void {
  const { world } = k;
  const drained = world.task(task, Task.undrained) === 0;
  world.setTask(task, Task.finish, Finish.waiting);
  if (world.task(task, Task.restoredAs) !== RestoredAs.finished && drained) k.emit("OperatorsFinished", task);
  for (const channel of at(k.plan.graph.subtasks, task).outputs) k.next(Op.emitEndOfData, task, task, channel);
  if (drained) k.after(k.plan.scenario.timing.rpc, Op.notifyEndOfData, Actor.wire, task);
  k.next(Op.taskFree, task, task);
}

export function emitEndOfData(k: Kernel, task: number, channel: number): void {
  const undrained = k.world.task(task, Task.undrained);
  k.emit("EndOfDataEmitted", task, channel, 1 - undrained);
  put(k, channel, ElementKind.endOfData, undrained, 0);
  if (!k.decisions.barrierGoesLast()) overtake(k, channel, 0);
}

/** `EndOfData` at the head of a channel: its producer is told that all is processed; the last one ends this task's data too. */
export function onEndOfData(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  k.cause = world.element(channel, 0, Element.step);
  if (world.element(channel, 0, Element.id) === 1) world.setTask(task, Task.undrained, 1);
  take(k, channel);
  const count = world.task(task, Task.endOfData) + 1;
  world.setTask(task, Task.endOfData, count);
  k.emit("EndOfDataReceived", task, channel);
  const { from } = at(k.plan.graph.channels, channel);
  k.after(k.plan.latency[channel] as number, Op.allRecordsProcessed, Actor.wire, from, world.task(from, Task.attempt));
  if (count === at(k.plan.graph.subtasks, task).inputs.length) endData(k, task);
  else k.next(Op.taskTurn, task, task);
}

/** The operation `allRecordsProcessed`: one more channel's consumer has processed all. */
export function allRecordsProcessed(k: Kernel, task: number, attempt: number): void {
  const { world } = k;
  if (world.task(task, Task.attempt) !== attempt) return;
  world.setTask(task, Task.processed, world.task(task, Task.processed) + 1);
  wake(k, task, k.now);
}

/** The last element of a channel: its producer has ended (CP-046). */
export function onEndOfPartition(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  k.cause = world.element(channel, 0, Element.step);
  take(k, channel);
  channelEnded(k, task, channel);
  k.emit("EndOfPartitionReceived", task, channel);
  k.next(Op.taskTurn, task, task);
}

export function emitEndOfPartition(k: Kernel, task: number, channel: number): void {
  k.emit("EndOfPartitionEmitted", task, channel);
  put(k, channel, ElementKind.endOfPartition, 0, 0);
  keepResult(k, channel);
}

/** `StreamTask.setSynchronousSavepoint`: a task that is to end with a savepoint cannot be asked to end with another one. */
export function endsWithAnother(k: Kernel, task: number, checkpoint: number): boolean {
  const stops = k.world.task(task, Task.syncSavepoint);
  return stops > 0 && stops !== checkpoint && kindOf(k, checkpoint) === Kind.synchronous;
}

/** The first checkpoint that a task takes behind its end of data is its final one, or one that comes after it (CP-192). */
export function noteFinalCheckpoint(k: Kernel, task: number, checkpoint: number): void {
  const { world } = k;
  if (kindOf(k, checkpoint) === Kind.synchronous) world.setTask(task, Task.syncSavepoint, checkpoint);
  if (world.task(task, Task.finish) === Finish.none || world.task(task, Task.finalCheckpoint) !== Final.none) return;
  if (waits(k)) world.setTask(task, Task.finalCheckpoint, checkpoint);
}

export function noteComplete(k: Kernel, task: number, checkpoint: number): void {
  const final = k.world.task(task, Task.finalCheckpoint);
  const stops = k.world.task(task, Task.syncSavepoint);
  if (stops > 0 ? checkpoint === stops : final > 0 && checkpoint >= final)
    k.world.setTask(task, Task.finalCheckpoint, Final.completed);
}

/** Is there nothing more that this task waits for (CP-192)? */
export function mayEnd(k: Kernel, task: number): boolean {
  const { world } = k;
  const finish = world.task(task, Task.finish);
  if (finish < Finish.waiting || openChannels(k, task) > 0) return false;
  const stops = world.task(task, Task.syncSavepoint) > 0;
  if (finish === Finish.closed || (!waits(k) && !stops)) return true;
  const processed = !waits(k) || world.task(task, Task.processed) === at(k.plan.graph.subtasks, task).outputs.length;
  return (
    processed && (world.task(task, Task.finalCheckpoint) === Final.completed || !k.decisions.waitsForFinalCheckpoint())
  );
}
