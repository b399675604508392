/** When a job is submitted anew: not before the one before it is over (`submission.ts`; FI-39). */
import { at } from "../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import { Due, Job, Life, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { JobStatus, isTerminalStatus } from "./states.ts";

/** Is the job that ran over, with every thread of it and all that its end brings about? */
function isOver({ world, plan }: Kernel): boolean {
  const lost = world.job(Job.leaderless) > 0 && !plan.scenario.config.state.highAvailability;
  if (!lost && (!isTerminalStatus(world.job(Job.status)) || world.job(Job.pending) > 0)) return false;
  for (let task = 0; task < world.layout.tasks; task++) {
    const life = world.task(task, Task.life);
    if (life !== Life.none && life !== Life.ended) return false;
  }
  return true;
}

/** Is it on its way there? */
function ends({ world, plan }: Kernel): boolean {
  const status = world.job(Job.status);
  if (world.job(Job.leaderless) > 0) return !plan.scenario.config.state.highAvailability;
  return isTerminalStatus(status) || status === JobStatus.failing;
}

/** The operations `restore` and `rescale`: the job is submitted once the one before is over; while that runs it is refused. */
export function requestSubmission(k: Kernel, command: number): void {
  if (!ends(k)) {
    k.emit("SubmissionRejected", command, k.world.job(Job.status));
    return;
  }
  if (isOver(k) && !k.inChain) k.next(Op.submitJob, Actor.world, command);
  else k.world.setJob(Job.waitingSubmission, command + 1);
}

/** Between two entries: is it time to submit the job that waits? Its command, or `-1`. */
export function dueSubmission(k: Kernel): number {
  const waiting = k.world.job(Job.waitingSubmission);
  return waiting > 0 && !k.inChain && isOver(k) ? waiting - 1 : -1;
}

/** Is a job to be submitted, now or when an operation's time has come? Then a run whose job is over is not. */
export function awaitsSubmission(k: Kernel): boolean {
  const { world, commands } = k;
  if (world.job(Job.waitingSubmission) > 0) return true;
  for (let row = 0; row < world.agenda.count; row++) {
    const op = world.agenda.get(row, Due.op);
    if (op === Op.submitJob) return true;
    if (op !== Op.fault && op !== Op.faultEffect) continue;
    const verb = at(commands, world.agenda.get(row, Due.a)).do;
    if (verb === "restore" || verb === "rescale") return true;
  }
  return false;
}
