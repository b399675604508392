/**
 * Which request for a checkpoint runs, and when (`CheckpointRequestDecider`; CP-008 to CP-012, CP-022). Requests of one
 * kind are alike, so the queue is two counts: requests by hand go before periodic ones. Where the minimum pause binds, all
 * waiting periodic requests are dropped at once (CP-024). Files are deleted at once, so no request waits for a clean-up.
 */
import { type CheckpointFailureReason, checkpointFailureReasons } from "../protocol/reasons.ts";
import { everyTaskRuns, trigger } from "./checkpoint-coordinator.ts";
import { admitsFinishedTasks } from "./checkpoint-plan.ts";
import { isDown } from "./checkpoint-storage.ts";
import type { Kernel } from "./kernel.ts";
import { Job, JobTime } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { JobStatus, isTerminalStatus } from "./states.ts";

const { jobManager } = Actor;
/** Requests that may wait (CP-008). */
const QUEUE = 1000;

function reject(k: Kernel, reason: CheckpointFailureReason): void {
  k.emit("TriggerRejected", checkpointFailureReasons.indexOf(reason));
}

/** The operation `submit`: a request, periodic or by hand, joins the queue (CP-008), and the decider looks (CP-009). */
export function submit(k: Kernel, periodic: number): void {
  const { world } = k;
  const full = world.job(Job.queuedPeriodic) + world.job(Job.queuedManual) === QUEUE;
  if (full && world.job(Job.queuedPeriodic) === 0) return reject(k, "TOO_MANY_CHECKPOINT_REQUESTS");
  world.addJob(periodic === 1 ? Job.queuedPeriodic : Job.queuedManual, 1);
  if (full) {
    world.addJob(Job.queuedPeriodic, -1);
    reject(k, "TOO_MANY_CHECKPOINT_REQUESTS");
  } else if (!k.decisions.admits(world, k.plan) || isTriggering(k)) {
    k.emit("TriggerQueued", world.job(Job.pending));
    return;
  }
  k.next(Op.decide, jobManager);
}

/** The operation `decide` (CP-009): starts, or drops for the minimum pause (CP-010), at most one request. */
export function decide(k: Kernel): void {
  const { world } = k;
  const [manual, periodic] = [world.job(Job.queuedManual), world.job(Job.queuedPeriodic)];
  if (manual + periodic === 0 || !k.decisions.admits(world, k.plan) || isTriggering(k)) return;
  const remaining = world.jobTime(JobTime.lastCompletion) + k.plan.scenario.config.checkpointing.minPause - k.now;
  if (manual === 0 && remaining > 0 && world.job(Job.completed) > 0) {
    world.setJob(Job.queuedPeriodic, 0);
    k.cancel(Op.periodicTrigger, 0);
    world.setJobTime(JobTime.nextFire, k.now + remaining);
    k.after(remaining, Op.periodicTrigger, jobManager);
    reject(k, "MINIMUM_TIME_BETWEEN_CHECKPOINTS");
    return;
  }
  world.addJob(manual > 0 ? Job.queuedManual : Job.queuedPeriodic, -1);
  const refused = refusal(k);
  if (refused === null) return trigger(k);
  reject(k, refused);
  k.next(Op.decide, jobManager);
}

/** At most one request is in its trigger phase (INV-014); another one waits for its end (CP-011). */
function isTriggering(k: Kernel): boolean {
  return k.world.job(Job.triggering) > 0 && k.decisions.waitsForTriggerPhase();
}

/** The operation `rejectQueued`: the scheduler stops, and with it every request that waits ends (CP-005). */
export function rejectQueued(k: Kernel): void {
  const { world } = k;
  if (world.job(Job.queuedManual) + world.job(Job.queuedPeriodic) === 0) return;
  world.addJob(world.job(Job.queuedManual) > 0 ? Job.queuedManual : Job.queuedPeriodic, -1);
  reject(k, "CHECKPOINT_COORDINATOR_SUSPEND");
  k.next(Op.rejectQueued, jobManager);
}

/** Why no checkpoint can be taken now, found before it has an id (CP-013 steps 1 and 3, CP-022). */
function refusal(k: Kernel): CheckpointFailureReason | null {
  const status = k.world.job(Job.status);
  if (isTerminalStatus(status)) return "CHECKPOINT_COORDINATOR_SHUTDOWN";
  if (status !== JobStatus.running || !everyTaskRuns(k) || !admitsFinishedTasks(k))
    return "NOT_ALL_REQUIRED_TASKS_RUNNING";
  return isDown(k, "ha") ? "TRIGGER_CHECKPOINT_FAILURE" : null;
}
