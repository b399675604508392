/** Where a subtask's thread runs, and whether a TaskManager's process is there. */
import { at } from "../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import { Life, Process, Task, TaskManager } from "./layout.ts";

/** Is there a process behind a slot's TaskManager, and the one that was meant? */
export function isReachable(k: Kernel, taskManager: number): boolean {
  return taskManager >= 0 && k.world.taskManager(taskManager, TaskManager.alive) === Process.running;
}

/** Does the thread of a subtask's current attempt run? */
export function isAlive({ world }: Kernel, task: number): boolean {
  const life = world.task(task, Task.life);
  return life !== Life.none && life !== Life.ended;
}

/** The TaskManager that a subtask's thread runs on, or is to: a slot may be gone while what was in it runs on. */
export function hostOf(k: Kernel, task: number): number {
  return isAlive(k, task) ? k.world.task(task, Task.host) : k.world.slot(at(k.plan.graph.subtasks, task).slot);
}
