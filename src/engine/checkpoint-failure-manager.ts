/**
 * Which failed checkpoints count, and when there are too many (`CheckpointFailureManager`; CP-150 to CP-155, FR-027). A
 * pending checkpoint is aborted once, so its id cannot be counted twice.
 */
import {
  type CheckpointFailureReason,
  type FailureCause,
  checkpointFailureReasons,
  failureCauses,
} from "../protocol/reasons.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { Kind, kindOf } from "./savepoints.ts";
import { ExecutionState } from "./states.ts";

/** CP-152; all others do not count. */
const counted: readonly CheckpointFailureReason[] = [
  "CHECKPOINT_ASYNC_EXCEPTION",
  "CHECKPOINT_EXPIRED",
  "IO_EXCEPTION",
  "FINALIZE_CHECKPOINT_FAILURE",
];
const isCounted = checkpointFailureReasons.map((reason) => counted.includes(reason));

/** CP-154: with this number nothing is counted. */
const UNLIMITED = 2_147_483_647;

/**
 * Takes an aborted checkpoint into account: true where it counts (CP-151). `byTask`: a task has declined it. Of savepoints
 * only those count that are so, and none of a stop, which fails the job by itself (CP-150).
 */
export function countFailure(k: Kernel, checkpoint: number, reason: number, byTask: boolean): boolean {
  const kind = kindOf(k, checkpoint);
  if (kind === Kind.synchronous || (kind === Kind.savepoint && !byTask)) return false;
  if (k.plan.scenario.config.checkpointing.tolerableFailed === UNLIMITED) return false;
  const counts = isCounted[reason] === true && checkpoint !== k.world.job(Job.lastCounted);
  if (counts) {
    k.world.addJob(Job.consecutiveFailures, k.decisions.countsAs());
    k.world.setJob(Job.lastCounted, checkpoint);
  }
  return counts;
}

/** CP-153: only failures in a row count. */
export function countSuccess(k: Kernel): void {
  k.world.setJob(Job.consecutiveFailures, 0);
  k.world.setJob(Job.lastCounted, 0);
}

/**
 * Too many have failed (CP-151, CP-154): the job fails over, and the counter begins anew. So does it at once where a task has
 * declined a stop's savepoint, for which it would wait for ever (CP-150). `task`: who declined, or `-1`; one that does not
 * run any more fails no job (`failGlobalIfExecutionIsStillRunning`).
 */
export function failJob(k: Kernel, checkpoint: number, task: number): void {
  const state = task < 0 ? ExecutionState.running : k.world.task(task, Task.state);
  const runs = state === ExecutionState.running || state === ExecutionState.initializing;
  const fail = (cause: FailureCause): void => {
    if (runs) k.next(Op.globalFailure, Actor.jobManager, failureCauses.indexOf(cause));
  };
  if (k.world.job(Job.consecutiveFailures) > k.plan.scenario.config.checkpointing.tolerableFailed) {
    k.world.setJob(Job.consecutiveFailures, 0);
    fail("CHECKPOINT_FAILURE_THRESHOLD");
  }
  if (task >= 0 && kindOf(k, checkpoint) === Kind.synchronous) fail("STOP_WITH_SAVEPOINT_FAILED");
}
