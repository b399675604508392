/** Subtasks and channels that are slower than the scenario says (the contract's `slow`), in thousandths; 0: they are not. */
import type { Kernel } from "./kernel.ts";
import { Channel, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";

const WHOLE = 1000;

function slowed(duration: number, thousandths: number): number {
  return thousandths === 0 ? duration : Math.round((duration * thousandths) / WHOLE);
}

/** How long a subtask works on a record. */
export function costOf(k: Kernel, task: number): number {
  return slowed(k.plan.cost[task] as number, k.world.task(task, Task.slow));
}

/** How long an element is on the wire. */
export function latencyOf(k: Kernel, channel: number): number {
  return slowed(k.plan.latency[channel] as number, k.world.channel(channel, Channel.slow));
}

/** The target, a subtask, a channel or a TaskManager's subtasks, takes `factor` times as long. */
export function slow(k: Kernel, target: string, factor: number, duration: number | null): void {
  const { graph } = k.plan;
  const thousandths = Math.round(factor * WHOLE);
  const channel = graph.channels.findIndex(({ name }) => name === target);
  const taskManager = graph.taskManagers.indexOf(target);
  for (const { index, name, slot } of graph.subtasks) {
    if (name !== target && (taskManager < 0 || k.world.slot(slot) !== taskManager)) continue;
    k.world.setTask(index, Task.slow, thousandths);
    if (duration !== null) k.after(duration, Op.slowEnds, Actor.world, index, -1);
  }
  if (channel < 0) return;
  k.world.setChannel(channel, Channel.slow, thousandths);
  if (duration !== null) k.after(duration, Op.slowEnds, Actor.world, -1, channel);
}

/** The operation `slowEnds`. */
export function slowEnds(k: Kernel, task: number, channel: number): void {
  if (task >= 0) k.world.setTask(task, Task.slow, 0);
  if (channel >= 0) k.world.setChannel(channel, Channel.slow, 0);
}
