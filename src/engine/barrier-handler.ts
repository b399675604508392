/**
 * Aligned, exactly-once barrier handling of a task with inputs (`SingleCheckpointBarrierHandler`; CP-040 to CP-048). It
 * tracks one checkpoint at a time. Other modes have handlers of their own (`checkpointed-input.ts`).
 */
import { at } from "../base/assert.ts";
import { Machine } from "../protocol/machines/all.ts";
import { Declined, forget, giveUp, isPending, openChannels, takeCancelMarker } from "./checkpoint-barrier-handler.ts";
import type { Kernel } from "./kernel.ts";
import { Channel, Element, Mode, Task, TaskTime } from "./layout.ts";
import { credit, dropBuffered, take } from "./network.ts";
import { Op } from "./ops.ts";

const Handler = { waiting: 0, collecting: 1 } as const;

/** The barrier at the head of a channel. Where a newer one supersedes what is pending, that is given up first (CP-041). */
export function onBarrier(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  const checkpoint = world.element(channel, 0, Element.id);
  const current = world.task(task, Task.current);
  if (checkpoint > current && isPending(k, task)) {
    k.next(Op.abortAlignment, task, task, current, Declined.subsumed);
    k.next(Op.takeBarrier, task, task, channel);
    return;
  }
  k.cause = world.element(channel, 0, Element.step);
  const triggered = world.element(channel, 0, Element.value);
  take(k, channel);
  world.setChannel(channel, Channel.barrier, checkpoint);
  if (checkpoint < current || (checkpoint === current && !isPending(k, task))) {
    k.emit("BarrierReceived", task, channel, checkpoint, 0);
    k.next(Op.taskTurn, task, task);
    return;
  }
  if (checkpoint > current) begin(k, task, checkpoint, triggered);
  const aligned = world.task(task, Task.aligned) + 1;
  world.setTask(task, Task.aligned, aligned);
  k.emit("BarrierReceived", task, channel, checkpoint, aligned);
  if (aligned === world.task(task, Task.target)) {
    k.next(Op.aligned, task, task, checkpoint);
  } else if (k.decisions.blocksChannel()) {
    world.setChannel(channel, Channel.blocked, checkpoint);
    k.next(Op.blockChannel, task, task, channel, checkpoint);
  } else {
    k.next(Op.taskTurn, task, task);
  }
}

/** CP-041: the first barrier of a checkpoint; how many channels it waits for is fixed now. */
function begin(k: Kernel, task: number, checkpoint: number, triggered: number): void {
  const { world } = k;
  world.setTask(task, Task.current, checkpoint);
  world.setTask(task, Task.aligned, 0);
  world.setTask(task, Task.target, openChannels(k, task));
  world.setTaskTime(task, TaskTime.barrier, triggered);
  world.setTaskTime(task, TaskTime.alignment, k.now);
  k.move(Machine.barrierHandler, task, Handler.waiting, Handler.collecting);
}

/** The trigger message for a task with channels that have not ended. */
export function triggerOpenChannels(k: Kernel, task: number, checkpoint: number, triggered: number): void {
  const { world } = k;
  const current = world.task(task, Task.current);
  if (checkpoint > current && isPending(k, task)) {
    k.next(Op.abortAlignment, task, task, current, Declined.subsumed);
    k.next(Op.triggerOpenChannels, task, task, checkpoint, triggered);
  } else if (checkpoint > current) {
    begin(k, task, checkpoint, triggered);
    aligned(k, task, checkpoint);
  } else if (checkpoint === current && isPending(k, task)) {
    aligned(k, task, checkpoint);
  } else {
    k.next(Op.taskTurn, task, task);
  }
}

/**
 * A channel has delivered its end of partition (CP-046) and is no longer open. What is pending counts it as aligned;
 * without checkpoints after finished tasks it is given up.
 */
export function channelEnded(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  world.setChannel(channel, Channel.ended, 1);
  if (!isPending(k, task)) return;
  const current = world.task(task, Task.current);
  if (!k.plan.scenario.config.checkpointing.afterTasksFinish) {
    k.next(Op.abortAlignment, task, task, current, Declined.endOfStream);
  } else if (world.channel(channel, Channel.barrier) !== current) {
    const count = world.task(task, Task.aligned) + 1;
    world.setTask(task, Task.aligned, count);
    if (count === world.task(task, Task.target)) k.next(Op.aligned, task, task, current);
  }
}

/** The operation `blockChannel`; `then` 1: more follows before the task takes something else. */
export function blockChannel(k: Kernel, task: number, channel: number, checkpoint: number, then: number): void {
  k.emit("ChannelBlocked", task, channel, checkpoint);
  if (then === 0) k.next(Op.taskTurn, task, task);
}

/** The operation `aligned`: the last barrier is in; the task takes its snapshot. */
export function aligned(k: Kernel, task: number, checkpoint: number): void {
  const { world } = k;
  world.setTask(task, Task.done, checkpoint);
  k.move(Machine.barrierHandler, task, Handler.collecting, Handler.waiting);
  k.emit("AlignmentCompleted", task, checkpoint, k.now - world.taskTime(task, TaskTime.alignment));
  k.next(Op.checkpointState, task, task, checkpoint, world.taskTime(task, TaskTime.barrier));
}

/**
 * Channels that are blocked for `checkpoint` are read again. The one with the last barrier never was: its task was busy.
 * Those of an unaligned checkpoint stay as they are until all its barriers are in.
 */
export function resumeChannels(k: Kernel, task: number, checkpoint: number): void {
  if (!k.decisions.resumesChannels() || k.world.task(task, Task.mode) === Mode.unalignedCollecting) return;
  for (const channel of at(k.plan.graph.subtasks, task).inputs) {
    if (k.world.channel(channel, Channel.blocked) === checkpoint)
      k.next(Op.resumeChannel, task, task, channel, checkpoint);
  }
}

export function resumeChannel(k: Kernel, task: number, channel: number, checkpoint: number): void {
  k.world.setChannel(channel, Channel.blocked, 0);
  k.emit("ChannelResumed", task, channel, checkpoint);
  if (k.world.channel(channel, Channel.held) !== 0) credit(k, channel);
  if (!k.decisions.keepsBuffered()) dropBuffered(k, channel);
}

/** The operation `abortAlignment` (CP-047): resume, decline, and tell the tasks behind not to wait. */
export function abortAlignment(k: Kernel, task: number, checkpoint: number, reason: number): void {
  if (isPending(k, task)) k.move(Machine.barrierHandler, task, Handler.collecting, Handler.waiting);
  forget(k, task, checkpoint);
  giveUp(k, task, checkpoint, reason);
}

/** The cancel marker at the head of a channel (CP-048). */
export function onCancelMarker(k: Kernel, task: number, channel: number): void {
  takeCancelMarker(k, task, channel, Op.abortAlignment);
}
