/** When a job is submitted anew: not before the one before it is over (`submission.ts`; FI-39). */
import { at } from "../base/assert.ts";
import { isStopping, stops } from "./stop-with-savepoint.ts";
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
  return (
    isStopping(world) || isTerminalStatus(status) || status === JobStatus.failing || status === JobStatus.cancelling
  );
}

/**
 * The operation `restore`: the job is submitted once the one before is over; while that runs it is refused, unless `stop` says
 * how to end it first. `rescale` stops the job with a savepoint, as one does with the default scheduler.
 */
export function requestSubmission(k: Kernel, command: number): void {
  const { stop } = at(k.commands, command);
  if (!ends(k) && (stop === "cancel" || stops(k, command))) {
    k.world.setJob(Job.waitingSubmission, command + 1);
    k.after(0, stop === "cancel" ? Op.cancelJob : Op.askForSavepoint, Actor.jobManager, command);
  } else if (!ends(k)) {
    k.emit("SubmissionRejected", command, k.world.job(Job.status));
  } else {
    k.world.setJob(Job.waitingSubmission, command + 1);
    submitIfOver(k);
  }
}

/** Asked after every entry: a job that waits is submitted as soon as the one before it is over, and its chain has come to its end. */
export function submitIfOver(k: Kernel): void {
  const waiting = k.world.job(Job.waitingSubmission);
  if (waiting === 0 || !isOver(k)) return;
  k.world.setJob(Job.waitingSubmission, 0);
  k.after(0, Op.submitJob, Actor.world, waiting - 1);
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
