/** The world of a job in which nothing has happened, and how a run begins with its scenario's own (FR-010). */
import { stream } from "../base/prng.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Process, Task, TaskManager, TaskTime } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { layoutOf } from "./places.ts";
import type { Plan } from "./plan.ts";
import { withoutAdded } from "./sources/input-log.ts";
import { beginDiscovery } from "./sources/source-coordinator.ts";
import { World } from "./world.ts";

/** The world of a job in which nothing has happened. */
export function emptyWorld(plan: Plan): World {
  const layout = layoutOf(plan);
  const widest = Math.max(0, ...plan.capacity);
  const room = widest + 16 + plan.scenario.config.checkpointing.maxConcurrent * 2;
  const world = new World(layout, plan.stateWords, plan.graph.channels.length, room);
  world.setJob(Job.nextCheckpoint, 1);
  for (const { index } of plan.graph.slots) world.setSlot(index, -1);
  for (let task = 0; task < layout.tasks; task++) {
    world.setTask(task, Task.attempt, -1);
    world.setTaskTime(task, TaskTime.wake, -1);
  }
  return world;
}

/** The beginning of a run: all TaskManagers are there. */
export function beginRun(k: Kernel): void {
  const { world, plan } = k;
  const { seed } = plan.scenario;
  world.setJob(Job.initialDelayStream, stream(seed, "initial delay"));
  world.setJob(Job.jitterStream, stream(seed, "jitter"));
  world.setJob(Job.routingStream, stream(seed, "routing"));
  for (const { index, taskManager } of plan.graph.slots) world.setSlot(index, taskManager);
  plan.graph.taskManagers.forEach((_, taskManager) => {
    world.setTaskManager(taskManager, TaskManager.alive, Process.running);
    world.setTaskManager(taskManager, TaskManager.registered, 1);
  });
  withoutAdded(k);
  for (const { index, topic } of plan.graph.outputs)
    if (plan.scenario.topics.some(({ name, background }) => name === topic && background !== null))
      k.after(0, Op.writeBackground, Actor.broker, index);
  beginDiscovery(k);
  k.after(0, Op.startJob, Actor.jobManager);
}
