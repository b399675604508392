/**
 * What happens when something fails: who is restarted, whether and when, from what (`ExecutionFailureHandler`,
 * `RestartPipelinedRegionFailoverStrategy`, `DefaultScheduler.restartTasksWithDelay`; FR-020 to FR-025, FR-040 to FR-047,
 * FR-080 to FR-085). A process that is gone refuses connections: its neighbours notice at once, and the JobManager with
 * the first call it makes, else when heartbeats cannot be sent (FR-023). Silence is noticed after `heartbeat.detect`.
 */
import { at } from "../base/assert.ts";
import { failureCauses } from "../protocol/reasons.ts";
import { restartingRegions } from "../protocol/regions.ts";
import { isReading, isThere, loseResults, schedulable } from "./blocking-results.ts";
import { restoreRow } from "./checkpoint-coordinator.ts";
import type { Kernel } from "./kernel.ts";
import { Channel, Job, Pending, Process, RestartPlan, Task, TaskManager } from "./layout.ts";
import { coordinatorHandle } from "./operator-coordinators.ts";
import { Actor, Op } from "./ops.ts";
import { isWithoutEnd, reportFailure } from "./restart-strategies.ts";
import { schedule, setTaskState } from "./scheduler.ts";
import { ExecutionState, JobStatus, isTerminal } from "./states.ts";
import { STOPPING_FAILED, settleStops } from "./stop-with-savepoint.ts";
import { hostOf, isAlive, isReachable } from "./host.ts";
import { loseLocalCopies } from "./state-files.ts";
import { loseThread } from "./task.ts";

const { jobManager } = Actor;
const UNRECOVERABLE = failureCauses.indexOf("UNRECOVERABLE_ERROR");
const Scope = { region: 0, global: 1 } as const;

/** The operation `failure`: the JobManager learns that an attempt failed. An old or ended attempt changes nothing (FR-004). */
export function failure(k: Kernel, task: number, attempt: number, cause: number): void {
  const { world } = k;
  const state = world.task(task, Task.state);
  if (world.task(task, Task.attempt) !== attempt || isTerminal(state)) return;
  if (state === ExecutionState.canceling) {
    setTaskState(k, task, ExecutionState.canceled);
    return;
  }
  k.emit("TaskFailed", task, attempt, cause);
  k.next(Op.setTaskState, jobManager, task, ExecutionState.failed);
  k.next(Op.restartSet, jobManager, task, cause);
}

/** The operation `globalFailure`: a failure that is tied to no attempt restarts everything (FR-046). */
export function globalFailure(k: Kernel, cause: number): void {
  const status = k.world.job(Job.status);
  if (status !== JobStatus.running && status !== JobStatus.restarting) return;
  k.next(Op.restartSet, jobManager, -1, cause);
}

/** The operation `restartSet`: asks the strategy; granted, the set is cancelled and the restart planned (FR-080). */
export function restartSet(k: Kernel, failed: number, cause: number): void {
  const { world } = k;
  const status = world.job(Job.status);
  if (status !== JobStatus.running && status !== JobStatus.restarting) return;
  // FR-031: what no restart can help does not come before the strategy (`ExecutionFailureHandler`); CP-166: nor does the
  // failure of a job that was to stop and has its savepoint.
  const delay = cause === UNRECOVERABLE || cause === STOPPING_FAILED ? -1 : reportFailure(k);
  if (delay < 0) {
    dropPlans(k);
    k.next(Op.setJobStatus, jobManager, JobStatus.failing);
    for (let task = 0; task < world.layout.tasks; task++) k.next(Op.cancelAttempt, jobManager, task);
    k.next(Op.settleJob, jobManager, -1);
    return;
  }
  countRound(k, failed, cause);
  const plan = world.job(Job.nextPlan) + 1;
  world.setJob(Job.nextPlan, plan);
  world.plans.push(plan, 0, failed < 0 ? 1 : 0);
  const restarts = membersWith(k, failed);
  for (let task = 0; task < world.layout.tasks; task++) if (restarts(task)) world.setTask(task, Task.plan, plan);
  dropEmptyPlans(k);
  k.next(Op.setJobStatus, jobManager, JobStatus.restarting);
  for (let task = 0; task < world.layout.tasks; task++)
    if (world.task(task, Task.plan) === plan) k.next(Op.cancelAttempt, jobManager, task);
  k.next(Op.scheduleRestart, jobManager, plan, delay, failed < 0 ? Scope.global : Scope.region, cause);
}

/** How often in a row the same failure has led to a restart with no checkpoint completed in between, where it may for ever. */
function countRound(k: Kernel, failed: number, cause: number): void {
  if (!isWithoutEnd(k.plan.scenario.config.restartStrategy)) return;
  const key = (failed + 1) * 64 + cause;
  k.world.setJob(Job.rounds, k.world.job(Job.roundKey) === key ? k.world.job(Job.rounds) + 1 : 1);
  k.world.setJob(Job.roundKey, key);
}

/** Who restarts (FR-042 to FR-045): the regions of the restart set, or everything. */
function membersWith(k: Kernel, failed: number): (task: number) => boolean {
  const { region, graph, scenario } = k.plan;
  if (failed < 0 || scenario.config.failoverStrategy === "full") return () => true;
  const chosen = restartingRegions(graph, region, failed, (producer) => isThere(k, producer));
  // FR-044: what was never deployed waits on.
  return (task) =>
    chosen.has(at(region, task)) &&
    k.world.task(task, Task.state) !== ExecutionState.created &&
    k.decisions.restartsWithRegion(task, failed);
}

/** A plan all of whose subtasks a later one has taken over does nothing (FR-047). */
function dropEmptyPlans(k: Kernel): void {
  const { world } = k;
  for (let row = world.plans.count - 1; row >= 0; row--) {
    const id = world.plans.get(row, RestartPlan.id);
    if (membersOf(k, id).length > 0) continue;
    k.cancel(Op.restartDue, id);
    world.plans.remove(row);
  }
}

function membersOf(k: Kernel, plan: number): number[] {
  return [...k.plan.graph.subtasks.keys()].filter((task) => k.world.task(task, Task.plan) === plan);
}

/** A job that is given up begins none of the restarts that were granted before (FR-012). */
export function dropPlans(k: Kernel): void {
  const { plans } = k.world;
  for (let row = 0; row < plans.count; row++) k.cancel(Op.restartDue, plans.get(row, RestartPlan.id));
  plans.count = 0;
}

/** The operation `cancelAttempt`: what is not deployed is CANCELED at once, what is gets a message (FR-002). */
export function cancelAttempt(k: Kernel, task: number): void {
  const { world } = k;
  const state = world.task(task, Task.state);
  if (isTerminal(state) || state === ExecutionState.canceling) return;
  if (state === ExecutionState.created || state === ExecutionState.scheduled) {
    setTaskState(k, task, ExecutionState.canceled);
    return;
  }
  setTaskState(k, task, ExecutionState.canceling);
  k.after(k.plan.scenario.timing.rpc, Op.cancelTask, Actor.wire, task, world.task(task, Task.attempt));
}

export function scheduleRestart(k: Kernel, plan: number, delay: number, scope: number, cause: number): void {
  k.draft.list = membersOf(k, plan);
  k.emit("RestartScheduled", delay, k.world.job(Job.failures), scope, cause);
  k.after(delay, Op.restartDue, jobManager, plan);
}

/** The operation `restartDue`: the delay is over; the restart begins once all cancellations are confirmed too (FR-080.3). */
export function restartDue(k: Kernel, plan: number): void {
  const row = k.world.plans.find(RestartPlan.id, plan);
  if (row < 0) return;
  k.world.plans.set(row, RestartPlan.due, 1);
  restartIfReady(k, plan);
}

function restartIfReady(k: Kernel, plan: number): void {
  const { world } = k;
  const row = world.plans.find(RestartPlan.id, plan);
  const members = membersOf(k, plan);
  if (row < 0 || world.plans.get(row, RestartPlan.due) === 0) return;
  if (!members.every((task) => isTerminal(world.task(task, Task.state))) && k.decisions.waitsForCancellation()) return;
  const global = world.plans.get(row, RestartPlan.global) === 1;
  world.plans.remove(row);
  if (world.plans.count === 0) k.next(Op.setJobStatus, jobManager, JobStatus.running);
  beginAgain(k, members, global);
}

/** New attempts of these subtasks, restored and scheduled; `global`: operator coordinators go back with them. */
export function beginAgain(k: Kernel, members: readonly number[], global: boolean): void {
  // A thread that a cut-off TaskManager still runs (FR-025) is not followed any further.
  for (const task of members) if (isAlive(k, task)) loseThread(k, task);
  for (const task of members) k.next(Op.createAttempt, jobManager, task, 1);
  if (global) resetCoordinators(k);
  else resetReaders(k, members);
  for (const task of members) k.next(Op.restoreState, jobManager, task);
  schedule(k, schedulable(k, members));
}

/** Task failover: coordinators go on, and learn which of their readers are reset, and to what (FR-084). */
function resetReaders(k: Kernel, members: readonly number[]): void {
  const row = restoreRow(k);
  const checkpoint = row < 0 ? 0 : k.world.completed(row, Pending.id);
  for (const task of members)
    if ((k.plan.coordinator[task] as number) >= 0) k.next(Op.resetReader, jobManager, task, checkpoint);
}

/** Global failover: each coordinator goes back to its snapshot in the checkpoint, or to its beginning (FR-084). */
function resetCoordinators(k: Kernel): void {
  const row = restoreRow(k);
  const checkpoint = row < 0 ? 0 : k.world.completed(row, Pending.id);
  k.plan.coordinated.forEach((has, source) => {
    if (has) k.next(Op.resetCoordinator, jobManager, source, checkpoint, coordinatorHandle(k, row, source));
  });
}

/** The operation `settleJob`: an attempt has ended, so a plan may be ready, or a job may have come to its end. */
export function settleJob(k: Kernel, task: number): void {
  const { world } = k;
  const status = world.job(Job.status);
  // What a stop has come to is dealt with first: a job that is given up with it does not run again.
  if (settleStops(k)) {
    k.next(Op.settleJob, jobManager, task);
    return;
  }
  if (status === JobStatus.failing || status === JobStatus.cancelling) {
    for (let other = 0; other < world.layout.tasks; other++) if (!isTerminal(world.task(other, Task.state))) return;
    k.next(Op.setJobStatus, jobManager, status === JobStatus.failing ? JobStatus.failed : JobStatus.canceled);
    return;
  }
  if (task < 0) return;
  const plan = world.task(task, Task.plan);
  if (plan > 0) restartIfReady(k, plan);
  else if (status === JobStatus.running) finishJob(k);
}

/** The job is FINISHED once all its tasks are (FR-011). */
function finishJob(k: Kernel): void {
  for (let task = 0; task < k.world.layout.tasks; task++)
    if (k.world.task(task, Task.state) !== ExecutionState.finished) return;
  k.next(Op.setJobStatus, jobManager, JobStatus.finished);
}

/** The operation `killTaskManager`: the process is gone, and with it its threads; those who read from them fail. */
export function killTaskManager(k: Kernel, taskManager: number): void {
  const { world } = k;
  const { timing } = k.plan.scenario;
  if (world.taskManager(taskManager, TaskManager.alive) === Process.gone) return;
  world.setTaskManager(taskManager, TaskManager.alive, Process.gone);
  k.cancel(Op.registerTaskManager, taskManager);
  const lost = k.plan.graph.subtasks.filter(({ index }) => hostOf(k, index) === taskManager);
  for (const { index } of lost) loseThread(k, index);
  loseLocalCopies(k, taskManager);
  const gone = new Set(lost.map(({ index }) => index));
  const readers = new Set(
    k.plan.graph.channels
      .filter(({ index, from, to }) => gone.has(from) && !gone.has(to) && world.channel(index, Channel.ended) === 0)
      .filter(({ index }) => isReading(k, index))
      .map(({ to }) => to),
  );
  loseResults(k, gone);
  for (const task of readers)
    k.after(timing.network, Op.connectionLost, Actor.wire, task, world.task(task, Task.attempt));
  k.after(timing.unreachableDetect, Op.taskManagerTimeout, jobManager, taskManager);
}

/** The operation `taskManagerTimeout`: nothing was heard for too long, or a call was refused. */
export function taskManagerGone(k: Kernel, taskManager: number): void {
  const { world } = k;
  if (taskManager < 0 || isReachable(k, taskManager)) return;
  if (world.taskManager(taskManager, TaskManager.registered) === 1) k.next(Op.loseTaskManager, jobManager, taskManager);
}

/** The operation `loseTaskManager`: its slots are gone; each attempt on it has failed (FR-024). */
export function loseTaskManager(k: Kernel, taskManager: number): void {
  const { world } = k;
  world.setTaskManager(taskManager, TaskManager.registered, 0);
  k.cancel(Op.taskManagerTimeout, taskManager);
  k.emit("TaskManagerLost", taskManager);
  const cause = failureCauses.indexOf("TASK_MANAGER_LOST");
  for (const { index, slot } of k.plan.graph.subtasks) {
    if (world.slot(slot) !== taskManager) continue;
    const state = world.task(index, Task.state);
    if (!isTerminal(state) && state !== ExecutionState.created && state !== ExecutionState.scheduled) {
      k.next(Op.failure, jobManager, index, world.task(index, Task.attempt), cause);
    }
  }
  for (const { index } of k.plan.graph.slots)
    if (world.slot(index) === taskManager) k.next(Op.releaseSlot, jobManager, index, taskManager);
}

/** The operation `releaseSlot`: a slot that was granted anew meanwhile is elsewhere already. */
export function releaseSlot(k: Kernel, slot: number, taskManager: number): void {
  if (k.world.slot(slot) === taskManager) k.world.setSlot(slot, -1);
}
