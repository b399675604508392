/**
 * Which request for a checkpoint runs, and when (`CheckpointRequestDecider`; CP-008 to CP-012, CP-022). Requests of one
 * kind are alike, so the queue is two counts: requests by hand go before periodic ones. Savepoints go before both, and ahead
 * of the bound on pending ones where unaligned checkpoints are off (CP-012); each waits by itself (`savepoints.ts`). Where the minimum pause binds, all
 * waiting periodic requests are dropped at once (CP-024). Files are deleted at once, so no request waits for a clean-up.
 */
import { type CheckpointFailureReason, checkpointFailureReasons } from "../protocol/reasons.ts";
import { everyTaskRuns, trigger } from "./checkpoint-coordinator.ts";
import { admitsFinishedTasks } from "./checkpoint-plan.ts";
import { isDown } from "./checkpoint-storage.ts";
import type { Kernel } from "./kernel.ts";
import { Job, JobTime, Savepoint } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { Kind, queueSavepoint, queuedSavepoint, queuedSavepoints } from "./savepoints.ts";
import { JobStatus, isTerminalStatus } from "./states.ts";
import { currentAttempts, stops } from "./stop-with-savepoint.ts";

const { jobManager } = Actor;
/** Requests that may wait (CP-008). */
const QUEUE = 1000;

function reject(k: Kernel, reason: CheckpointFailureReason, kind: number = Kind.checkpoint): void {
  k.emit("TriggerRejected", checkpointFailureReasons.indexOf(reason), kind);
}

/** A savepoint that is not triggered has failed for who asked for it. */
function rejectSavepoint(k: Kernel, row: number, reason: CheckpointFailureReason): void {
  const { savepoints } = k.world;
  reject(k, reason, savepoints.get(row, Savepoint.kind));
  k.next(Op.savepointEnded, jobManager, savepoints.get(row, Savepoint.command), -1, 0);
  savepoints.remove(row);
}

/** The operation `submit`: a request, periodic or by hand, joins the queue (CP-008), and the decider looks (CP-009). */
export function submit(k: Kernel, periodic: number): void {
  const { world } = k;
  const full = world.job(Job.queuedPeriodic) + world.job(Job.queuedManual) + queuedSavepoints(k) === QUEUE;
  if (full && world.job(Job.queuedPeriodic) === 0) return reject(k, "TOO_MANY_CHECKPOINT_REQUESTS");
  world.addJob(periodic === 1 ? Job.queuedPeriodic : Job.queuedManual, 1);
  if (full) {
    world.addJob(Job.queuedPeriodic, -1);
    reject(k, "TOO_MANY_CHECKPOINT_REQUESTS");
  } else if (!k.decisions.admits(world, k.plan) || isTriggering(k)) {
    k.emit("TriggerQueued", world.job(Job.pending), Kind.checkpoint);
    return;
  }
  k.next(Op.decide, jobManager);
}

/** The operation `submitSavepoint`: the request of a command; a full queue gives up a periodic one for it. */
export function submitSavepoint(k: Kernel, command: number): void {
  const { world } = k;
  const ends = stops(k, command);
  const full = world.job(Job.queuedPeriodic) + world.job(Job.queuedManual) + queuedSavepoints(k) === QUEUE;
  queueSavepoint(k, ends ? Kind.synchronous : Kind.savepoint, command, ends ? currentAttempts(k) : -1);
  if (full && world.job(Job.queuedPeriodic) === 0)
    return rejectSavepoint(k, world.savepoints.count - 1, "TOO_MANY_CHECKPOINT_REQUESTS");
  if (full) {
    world.addJob(Job.queuedPeriodic, -1);
    reject(k, "TOO_MANY_CHECKPOINT_REQUESTS");
  } else if (!admitsSavepoint(k) || isTriggering(k)) {
    k.emit("TriggerQueued", world.job(Job.pending), ends ? Kind.synchronous : Kind.savepoint);
    return;
  }
  k.next(Op.decide, jobManager);
}

/** CP-012: a savepoint is forced where unaligned checkpoints are off; as many pending ones as there is room for are. */
function admitsSavepoint(k: Kernel): boolean {
  const { world, plan } = k;
  const forced = !plan.scenario.config.checkpointing.unaligned;
  return (forced && world.job(Job.pending) < world.layout.pendingRows) || k.decisions.admits(world, plan);
}

/** The operation `decide` (CP-009): starts, or drops for the minimum pause (CP-010), at most one request. */
export function decide(k: Kernel): void {
  const { world } = k;
  if (isTriggering(k)) return;
  const savepoint = queuedSavepoint(k);
  if (savepoint >= 0) {
    if (admitsSavepoint(k)) startSavepoint(k, savepoint);
    return;
  }
  const [manual, periodic] = [world.job(Job.queuedManual), world.job(Job.queuedPeriodic)];
  if (manual + periodic === 0 || !k.decisions.admits(world, k.plan)) return;
  const remaining = world.jobTime(JobTime.lastCompletion) + k.plan.scenario.config.checkpointing.minPause - k.now;
  if (manual === 0 && remaining > 0 && world.jobTime(JobTime.lastCompletion) > 0) {
    world.setJob(Job.queuedPeriodic, 0);
    k.cancel(Op.periodicTrigger, 0);
    world.setJobTime(JobTime.nextFire, k.now + remaining);
    k.after(remaining, Op.periodicTrigger, jobManager);
    reject(k, "MINIMUM_TIME_BETWEEN_CHECKPOINTS");
    return;
  }
  world.addJob(manual > 0 ? Job.queuedManual : Job.queuedPeriodic, -1);
  const refused = refusal(k);
  if (refused === null) return trigger(k, -1);
  reject(k, refused);
  k.next(Op.decide, jobManager);
}

function startSavepoint(k: Kernel, row: number): void {
  const refused = refusal(k);
  if (refused === null) return trigger(k, row);
  rejectSavepoint(k, row, refused);
  k.next(Op.decide, jobManager);
}

/** At most one request is in its trigger phase (INV-014); another one waits for its end (CP-011). */
function isTriggering(k: Kernel): boolean {
  return k.world.job(Job.triggering) > 0 && k.decisions.waitsForTriggerPhase();
}

/** The operation `rejectQueued`: the scheduler stops, and with it every request that waits ends (CP-005). */
export function rejectQueued(k: Kernel): void {
  const { world } = k;
  const savepoint = queuedSavepoint(k);
  if (savepoint >= 0) {
    rejectSavepoint(k, savepoint, "CHECKPOINT_COORDINATOR_SUSPEND");
    k.next(Op.rejectQueued, jobManager);
    return;
  }
  if (world.job(Job.queuedManual) + world.job(Job.queuedPeriodic) === 0) return;
  world.addJob(world.job(Job.queuedManual) > 0 ? Job.queuedManual : Job.queuedPeriodic, -1);
  reject(k, "CHECKPOINT_COORDINATOR_SUSPEND");
  k.next(Op.rejectQueued, jobManager);
}

/** Why no checkpoint can be taken now, found before it has an id (CP-013 steps 1 and 3, CP-022). */
function refusal(k: Kernel): CheckpointFailureReason | null {
  const status = k.world.job(Job.status);
  if (isTerminalStatus(status)) return "CHECKPOINT_COORDINATOR_SHUTDOWN";
  // `ExecutionGraphUtils.isAnyOutputBlocking`; a job in BATCH mode takes none at all.
  if (k.plan.blocking.includes(1)) return "BLOCKING_OUTPUT_EXIST";
  if (status !== JobStatus.running || !everyTaskRuns(k) || !admitsFinishedTasks(k))
    return "NOT_ALL_REQUIRED_TASKS_RUNNING";
  return isDown(k, "ha") ? "TRIGGER_CHECKPOINT_FAILURE" : null;
}
