/** When a run has come to rest (the contract's `until: "drained"`). */
import { at } from "../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import { Due, Finish, Job, Life, Ongoing, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { allRead } from "./sources/kafka-source.ts";
import { ExecutionState, JobStatus, isTerminalStatus } from "./states.ts";
import { awaitsOthers, holdsBatches, holdsOpenTransaction } from "./sinks/batches.ts";
import { awaitsSubmission } from "./waiting-submission.ts";
import type { World } from "./world.ts";

/**
 * So many checkpoints that complete one after the other with nothing left to do show that the run is over, though there
 * is always another one under way: what a notification brings about has come about by then.
 */
const IDLE_CHECKPOINTS = 2;
/** What a JobManager has before it though nothing is to come of it. */
const standing: ReadonlySet<number> = new Set([
  Op.periodicTrigger,
  Op.expire,
  Op.taskManagerTimeout,
  Op.discoverPartitions,
]);

/**
 * Has the job ended, or is all given input processed, every transaction that holds records decided, and no effect
 * outstanding? Cheap tests come first: this is asked at every step.
 */
export function isDrained(k: Kernel): boolean {
  const { world } = k;
  // With the job its checkpoint coordinator ends, and what it had pending (CP-006), and so does the store (CP-168).
  if (isTerminalStatus(world.job(Job.status)))
    return world.job(Job.pending) === 0 && !k.inChain && !awaitsSubmission(k);
  if (world.job(Job.leaderless) > 0) return isGivenUp(k) && !awaitsSubmission(k);
  if (world.job(Job.busyTasks) > 0 || !isIdle(k)) return false;
  if (world.job(Job.pending) === 0 && world.mails.count === 0 && nothingUnderWay(world, false)) return true;
  return world.job(Job.idleCheckpoints) >= IDLE_CHECKPOINTS && nothingUnderWay(world, true);
}

/** The JobManager is gone and none takes over: has every thread ended, and all that is on its way arrived? */
function isGivenUp({ world, plan }: Kernel): boolean {
  if (plan.scenario.config.state.highAvailability || !nothingUnderWay(world, true)) return false;
  for (let task = 0; task < world.layout.tasks; task++)
    if (world.task(task, Task.life) !== Life.none && world.task(task, Task.life) !== Life.ended) return false;
  return true;
}

/**
 * All input is processed and every transaction decided. A checkpoint may be under way, and a task busy with its part of
 * it: where checkpoints overlap, one always is when another completes.
 */
export function isIdle(k: Kernel): boolean {
  const { world } = k;
  if (world.job(Job.recordsInChannels) > 0 || world.job(Job.status) !== JobStatus.running) return false;
  if (awaitsDecision(k) || world.plans.count > 0 || holdsBatches(k) || holdsOpenTransaction(k) || awaitsOthers(k))
    return false;
  for (let task = 0; task < world.layout.tasks; task++) if (!isAtRest(k, task)) return false;
  return allRead(k);
}

/**
 * Is a transaction with records undecided, though somebody is to decide it? Without checkpoints nobody ever finishes a part
 * file, or lists one in a table before the input ends; and no store gives one up.
 */
function awaitsDecision({ world: { ongoing }, plan }: Kernel): boolean {
  if (plan.scenario.config.checkpointing.interval !== null) return ongoing.count > 0;
  for (let row = 0; row < ongoing.count; row++) {
    const { store } = at(plan.graph.outputs, ongoing.get(row, Ongoing.partition));
    if (store !== "files" && (store !== "lake" || plan.bounded.includes(1))) return true;
  }
  return false;
}

/** A task that runs and has nothing to do, or has finished; one that is on its way to its end is not there yet. */
function isAtRest({ world, plan }: Kernel, task: number): boolean {
  if (world.task(task, Task.state) === ExecutionState.finished) return true;
  const ends = world.task(task, Task.finish) !== Finish.none || plan.bounded[task] === 1;
  return !ends && world.task(task, Task.life) === Life.running;
}

/** What brings something about, whoever does it: a write, a commit, a failure. */
const outstanding: ReadonlySet<number> = new Set([
  Op.append,
  Op.fault,
  Op.brokerCommit,
  Op.databaseCommit,
  Op.tableCommit,
  Op.commitFiles,
  Op.taskFail,
]);

/**
 * Nothing is on its way: no message (of a checkpoint: where `checkpoints` may be), no record, no fault still to act, no cut
 * still to heal. What a cut that nobody heals holds back is not on its way.
 */
function nothingUnderWay({ agenda, held }: World, checkpoints: boolean): boolean {
  for (let row = 0; row < agenda.count; row++) {
    const op = agenda.get(row, Due.op);
    const actor = agenda.get(row, Due.actor);
    if (actor === Actor.world || outstanding.has(op)) return false;
    // A request that will be given up; behind a cut that is healed none waits.
    if (op === Op.clientTimeout && held.count > 0) return false;
    if (checkpoints) continue;
    if (actor === Actor.wire) return false;
    if (actor === Actor.jobManager && !standing.has(op)) return false;
  }
  return true;
}
