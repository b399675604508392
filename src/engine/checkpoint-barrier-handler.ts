/**
 * What the barrier handlers of all modes share (`CheckpointBarrierHandler`, and of `SingleCheckpointBarrierHandler` what
 * does not depend on the state it is in; CP-047, CP-048).
 */
import { at } from "../base/assert.ts";
import { checkpointFailureReasons, rpcs } from "../protocol/reasons.ts";
import type { Kernel } from "./kernel.ts";
import { Channel, Element, Task } from "./layout.ts";
import { take } from "./network.ts";
import { Op } from "./ops.ts";

/** What a task's inputs do with the barriers of one mode. */
export interface BarrierHandler {
  /** The barrier at the head of a channel. */
  onBarrier(k: Kernel, task: number, channel: number): void;
  /** The cancel marker at the head of a channel. */
  onCancelMarker(k: Kernel, task: number, channel: number): void;
  /** A channel has delivered its end of partition and is no longer open. */
  channelEnded(k: Kernel, task: number, channel: number): void;
  /** A task of which nothing before it runs is triggered by message. */
  triggerOpenChannels(k: Kernel, task: number, checkpoint: number, triggered: number): void;
}

/** Where barriers may overtake: one that has priority has a place in its channel, and an alignment may time out. */
export interface AlternatingHandler {
  onBarrier(k: Kernel, task: number, channel: number, place: number): void;
  onCancelMarker(k: Kernel, task: number, channel: number): void;
  channelEnded(k: Kernel, task: number, channel: number): void;
  triggerOpenChannels(k: Kernel, task: number, checkpoint: number, triggered: number, alignment: number): void;
  /** Takes what goes before all data; false: there is nothing of the kind. */
  takePriority(k: Kernel, task: number): boolean;
  /** The mail of the timer that bounds how long an alignment lasts. */
  onAlignmentTimeout(k: Kernel, task: number, checkpoint: number): void;
}

/** Why a task gives a checkpoint up. */
export const Declined = {
  subsumed: checkpointFailureReasons.indexOf("CHECKPOINT_DECLINED_SUBSUMED"),
  onCancellation: checkpointFailureReasons.indexOf("CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER"),
  endOfStream: checkpointFailureReasons.indexOf("CHECKPOINT_DECLINED_INPUT_END_OF_STREAM"),
} as const;
const DECLINE = rpcs.indexOf("decline");

/** How many of a task's channels have not ended. */
export function openChannels(k: Kernel, task: number): number {
  let open = 0;
  for (const channel of at(k.plan.graph.subtasks, task).inputs)
    if (k.world.channel(channel, Channel.ended) === 0) open++;
  return open;
}

/** Does a handler that tracks one checkpoint wait for barriers of it? */
export function isPending(k: Kernel, task: number): boolean {
  const current = k.world.task(task, Task.current);
  return current >= 0 && current !== k.world.task(task, Task.done);
}

/** A handler that tracks one checkpoint is done with it and all before it. */
export function forget(k: Kernel, task: number, checkpoint: number): void {
  const { world } = k;
  world.setTask(task, Task.current, Math.max(world.task(task, Task.current), checkpoint));
  world.setTask(task, Task.done, Math.max(world.task(task, Task.done), checkpoint));
  world.setTask(task, Task.aligned, 0);
}

/** Every channel that is blocked, for whichever checkpoint, is read again. */
export function resumeBlocked(k: Kernel, task: number): void {
  for (const channel of at(k.plan.graph.subtasks, task).inputs) {
    const blocked = k.world.channel(channel, Channel.blocked);
    if (blocked !== 0) k.next(Op.resumeChannel, task, task, channel, blocked);
  }
}

/** What a task does for a checkpoint in which it cannot take part (`abortCheckpointOnBarrier`). */
export function giveUp(k: Kernel, task: number, checkpoint: number, reason: number): void {
  const { world } = k;
  world.setTask(task, Task.lastCheckpoint, Math.max(world.task(task, Task.lastCheckpoint), checkpoint));
  k.emit("AlignmentAborted", task, checkpoint, reason);
  resumeBlocked(k, task);
  k.sendRpc(DECLINE, task, checkpoint, Op.decline, task, checkpoint, world.task(task, Task.attempt), reason);
  for (const channel of at(k.plan.graph.subtasks, task).outputs)
    k.next(Op.emitCancelMarker, task, task, channel, checkpoint);
}

/** The cancel marker at the head of a channel, where one checkpoint is tracked (CP-048); `abort` is the handler's operation. */
export function takeCancelMarker(k: Kernel, task: number, channel: number, abort: number): void {
  const { world } = k;
  const checkpoint = world.element(channel, 0, Element.id);
  const current = world.task(task, Task.current);
  k.cause = world.element(channel, 0, Element.step);
  take(k, channel);
  k.emit("CancelMarkerReceived", task, channel, checkpoint);
  const collecting = checkpoint === current && world.task(task, Task.aligned) > 0 && isPending(k, task);
  if (checkpoint > current || collecting) k.next(abort, task, task, checkpoint, Declined.onCancellation);
  k.next(Op.taskTurn, task, task);
}
