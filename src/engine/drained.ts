/** When a run has come to rest (the contract's `until: "drained"`). */
import { Due, Job, Life, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import type { Simulation } from "./simulation.ts";
import { allRead } from "./sources/kafka-source.ts";
import { JobStatus, isTerminalStatus } from "./states.ts";

/**
 * Has the job ended, or is all given input processed, every transaction that holds records decided, and no effect
 * outstanding? Cheap tests come first: this is asked at every step.
 */
export function isDrained({ kernel, world }: Simulation): boolean {
  const status = world.job(Job.status);
  if (isTerminalStatus(status)) return true;
  if (world.job(Job.busyTasks) > 0 || world.job(Job.recordsInChannels) > 0 || status !== JobStatus.running)
    return false;
  if (world.ongoing.count > 0 || world.job(Job.pending) > 0 || world.mails.count > 0 || world.plans.count > 0)
    return false;
  for (let task = 0; task < world.layout.tasks; task++) if (world.task(task, Task.life) !== Life.running) return false;
  return allRead(kernel) && nothingUnderWay(world.agenda);
}

/** Nothing is on its way: no message, no record, no fault that is still to act. */
function nothingUnderWay(agenda: Simulation["world"]["agenda"]): boolean {
  for (let row = 0; row < agenda.count; row++) {
    const op = agenda.get(row, Due.op);
    const actor = agenda.get(row, Due.actor);
    if (actor === Actor.wire || actor === Actor.world || op === Op.append || op === Op.fault || op === Op.brokerCommit)
      return false;
    if (actor === Actor.jobManager && op !== Op.periodicTrigger && op !== Op.expire && op !== Op.taskManagerTimeout)
      return false;
  }
  return true;
}
