/**
 * Who handles nothing for a while (the contract's `stall` and `resume`): a subtask's thread; a TaskManager's whole process,
 * as in a long garbage collection, which then answers no heartbeat either; or a channel, on which nothing arrives. Left
 * out: a process that wakes when the JobManager has given it up and still writes; its threads end when it is given up.
 */
import type { Command } from "../scenario/scenario.ts";
import type { Kernel } from "./kernel.ts";
import { Life, Task } from "./layout.ts";
import { resume, stall } from "./mailbox.ts";
import { cutPair, healPairs } from "./cutting.ts";
import { Node, nodeOfChannel } from "./network-cuts.ts";
import { hostOf } from "./host.ts";
import { cancelTask } from "./task.ts";

/** What a command's target names; `-1`: no process, no channel. */
function targetOf(k: Kernel, target: string | null): { subtasks: readonly number[]; process: number; channel: number } {
  const { graph } = k.plan;
  const process = graph.taskManagers.indexOf(target ?? "");
  const isMeant = (name: string, index: number): boolean =>
    process < 0 ? name === target : hostOf(k, index) === process;
  return {
    subtasks: graph.subtasks.flatMap(({ index, name }) => (isMeant(name, index) ? [index] : [])),
    process,
    channel: graph.channels.findIndex(({ name }) => name === target),
  };
}

/** The pairs of ends that hear nothing of each other while the target stands still. */
function pairsOf(k: Kernel, process: number, channel: number): (readonly [number, number])[] {
  const node = Node.firstTaskManager + process;
  if (process >= 0) return [Node.jobManager, Node.kafka].map((other) => [other, node]);
  return channel < 0 ? [] : [[nodeOfChannel(k, channel), nodeOfChannel(k, channel)]];
}

export function stallTarget(k: Kernel, { target }: Command): void {
  const { subtasks, process, channel } = targetOf(k, target);
  for (const subtask of subtasks) {
    const life = k.world.task(subtask, Task.life);
    if (life !== Life.none && life !== Life.ended) stall(k, subtask, process >= 0);
  }
  for (const [a, b] of pairsOf(k, process, channel)) cutPair(k, a, b);
}

/** What has stood still goes on; a cancel call that came meanwhile is carried out now. */
export function resumeTarget(k: Kernel, { target }: Command): void {
  const { subtasks, process, channel } = targetOf(k, target);
  for (const subtask of subtasks) {
    resume(k, subtask);
    if (k.world.task(subtask, Task.cancelWaits) === 0) continue;
    k.world.setTask(subtask, Task.cancelWaits, 0);
    cancelTask(k, subtask, k.world.task(subtask, Task.attempt));
  }
  healPairs(k, pairsOf(k, process, channel));
}
