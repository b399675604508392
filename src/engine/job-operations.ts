/**
 * What a person asks of a running job: a savepoint, its end with one, its end at once (`SchedulerBase.triggerSavepoint`,
 * `SchedulerBase.stopWithSavepoint`, `DefaultExecutionGraph.cancel`; CP-162 to CP-167, FR-011). What becomes of a job that
 * stops is `stop-with-savepoint.ts`. Left out: the REST calls themselves.
 */
import { at } from "../base/assert.ts";
import { startPeriodic, stopScheduler } from "./checkpoint-coordinator.ts";
import { dropPlans } from "./failover.ts";
import type { Kernel } from "./kernel.ts";
import { Job } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { hasDirectory } from "./savepoints.ts";
import { JobStatus, isTerminalStatus } from "./states.ts";
import { Answer, answerOperation, stops } from "./stop-with-savepoint.ts";

const { jobManager } = Actor;

/** The operation `askForSavepoint`: with the end of the job in view no periodic checkpoint comes any more (CP-164, CP-167). */
export function askForSavepoint(k: Kernel, command: number): void {
  if (isTerminalStatus(k.world.job(Job.status))) return answerOperation(k, command, Answer.failed, -1);
  if (!hasDirectory(k, command)) return answerOperation(k, command, Answer.noDirectory, -1);
  if (at(k.commands, command).do !== "trigger-savepoint" && k.decisions.stopsTriggers()) stopScheduler(k);
  k.next(Op.submitSavepoint, jobManager, command);
}

/** The operation `savepointEnded`: it is complete, or it failed, and then periodic checkpoints go on (CP-166). */
export function savepointEnded(k: Kernel, command: number, checkpoint: number, completed: number): void {
  const { world } = k;
  const verb = at(k.commands, command).do;
  if (completed === 1) {
    if (stops(k, command)) return;
    k.next(Op.answerOperation, jobManager, command, Answer.completed, checkpoint);
    if (verb === "cancel-with-savepoint") k.next(Op.cancelJob, jobManager);
    return;
  }
  if (verb !== "trigger-savepoint" && world.job(Job.scheduler) === 1) startPeriodic(k);
  answerOperation(k, command, Answer.failed, checkpoint);
}

/** The operation `cancelJob`: every execution is cancelled; no restart that was granted begins any more (FR-011). */
export function cancelJob(k: Kernel): void {
  const { world } = k;
  const status = world.job(Job.status);
  if (status !== JobStatus.failing && status !== JobStatus.running && status !== JobStatus.restarting) return;
  dropPlans(k);
  k.next(Op.setJobStatus, jobManager, JobStatus.cancelling);
  for (let task = 0; task < world.layout.tasks; task++) k.next(Op.cancelAttempt, jobManager, task);
  k.next(Op.settleJob, jobManager, -1);
}
