/**
 * The JobManager's view of executions: creation, slots, deployment, state reports (`DefaultScheduler`, `Execution`,
 * `DefaultExecutionGraph`; FR-001 to FR-011, FR-035 to FR-037). Slots are granted at once where TaskManagers have them.
 */
import { assert, at } from "../base/assert.ts";
import { Machine } from "../protocol/machines/all.ts";
import { failureCauses } from "../protocol/reasons.ts";
import { schedulable, waitingConsumers } from "./blocking-results.ts";
import { restoreRow, storedWord, updateScheduler } from "./checkpoint-coordinator.ts";
import { forgetEndOfData, handleOf, restoredAs } from "./checkpoint-plan.ts";
import type { Kernel } from "./kernel.ts";
import { forgetReader } from "./operator-coordinators.ts";
import { Finish, Job, Life, Pending, Process, RestoredAs, Task, TaskManager } from "./layout.ts";
import { clearChannels } from "./network.ts";
import { Actor, Op } from "./ops.ts";
import { ExecutionState, JobStatus, isTerminal, isTerminalStatus } from "./states.ts";
import { isReachable } from "./host.ts";

const { jobManager } = Actor;

/** The operation `startJob`: submitted at time 0 (INITIALIZING, CREATED), then scheduled. */
export function startJob(k: Kernel): void {
  k.next(Op.setJobStatus, jobManager, JobStatus.created);
  k.next(Op.setJobStatus, jobManager, JobStatus.running);
  for (let task = 0; task < k.world.layout.tasks; task++) k.next(Op.createAttempt, jobManager, task, 0);
  schedule(k, schedulable(k, [...k.plan.graph.subtasks.keys()]));
}

export function setJobStatus(k: Kernel, to: number): void {
  const from = k.world.job(Job.status);
  if (from === to) return;
  k.world.setJob(Job.status, to);
  k.move(Machine.jobStatus, 0, from, to);
  k.emit("JobStatusChanged", from, to);
  updateScheduler(k);
  if (isTerminalStatus(to)) k.next(Op.shutDownStore, jobManager);
}

/** The operation `setTaskState`: the JobManager records a state. */
export function setTaskState(k: Kernel, task: number, to: number): void {
  const { world } = k;
  const from = world.task(task, Task.state);
  world.setTask(task, Task.state, to);
  k.move(Machine.executionState, task, from, to);
  const placed =
    to === ExecutionState.created || to === ExecutionState.scheduled
      ? -1
      : world.slot(at(k.plan.graph.subtasks, task).slot);
  k.emit("TaskStateChanged", task, world.task(task, Task.attempt), from, to, placed);
  updateScheduler(k);
  if (to === ExecutionState.canceling || isTerminal(to)) forgetReader(k, task);
  if (to === ExecutionState.finished) schedule(k, waitingConsumers(k, task));
  if (isTerminal(to)) k.next(Op.settleJob, jobManager, task);
}

/** The operation `reportState`: a TaskManager's message about an attempt; old or ended ones are passed by (FR-004). */
export function reportState(k: Kernel, task: number, attempt: number, state: number): void {
  const { world } = k;
  const current = world.task(task, Task.state);
  if (world.task(task, Task.attempt) !== attempt) return;
  const canceled = state === ExecutionState.canceled || state === ExecutionState.finished;
  const passedBy = isTerminal(current) || (current === ExecutionState.canceling && !canceled);
  if (passedBy && k.decisions.passesByOldReport()) return;
  // FR-003: what is being cancelled and finishes is CANCELED.
  setTaskState(k, task, current === ExecutionState.canceling && canceled ? ExecutionState.canceled : state);
}

/** The operation `createAttempt` (FR-005): number + 1, state CREATED, new channels. */
export function createAttempt(k: Kernel, task: number, again: number): void {
  const { world } = k;
  const attempt = again === 1 ? k.decisions.nextAttempt(world.task(task, Task.attempt)) : 0;
  world.setTask(task, Task.attempt, attempt);
  world.setTask(task, Task.state, ExecutionState.created);
  world.setTask(task, Task.life, Life.none);
  world.setTask(task, Task.plan, 0);
  world.setTask(task, Task.cancelWaits, 0);
  world.setTask(task, Task.restore, 0);
  world.setTask(task, Task.restoredAs, RestoredAs.running);
  for (const field of [Task.endOfData, Task.processed, Task.finalCheckpoint, Task.syncSavepoint, Task.undrained])
    world.setTask(task, field, 0);
  world.setTask(task, Task.finish, Finish.none);
  forgetEndOfData(k, task);
  clearChannels(k, task);
  startRoutes(k, task);
  k.emit("AttemptCreated", task, attempt);
}

/** A round-robin partitioner begins at a random channel (`RebalancePartitioner.setup`). */
function startRoutes(k: Kernel, task: number): void {
  const { taskVertex, number } = at(k.plan.graph.subtasks, task);
  for (const { index, from, ship } of k.plan.graph.edges) {
    if (from !== taskVertex) continue;
    const channels = at(at(k.plan.channelsOf, index), number).length;
    const random = ship === "rebalance" || ship === "rescale";
    k.world.setRoundRobin(task, index, random ? k.draw(Job.routingStream, channels) : 0);
  }
}

/** The operation `restoreState`: the chosen checkpoint's state goes to the new attempt (FR-082, FR-085). */
export function restoreState(k: Kernel, task: number): void {
  const row = restoreRow(k);
  if (row < 0) return;
  const checkpoint = k.world.completed(row, Pending.id);
  const as = restoredAs(k, row, task);
  k.world.setTask(task, Task.restore, checkpoint);
  k.world.setTask(task, Task.restoreFrom, handleOf(storedWord(k, row, task)));
  k.world.setTask(task, Task.restoredAs, as);
  const type = as === RestoredAs.finished ? "RestoredAsFinished" : "StateRestored";
  k.emit(type, task, k.world.task(task, Task.attempt), checkpoint);
}

/** Takes subtasks into an allocation round. */
export function schedule(k: Kernel, tasks: readonly number[]): void {
  if (tasks.length === 0) return;
  for (const task of tasks) k.next(Op.setTaskState, jobManager, task, ExecutionState.scheduled);
  k.next(Op.allocate, jobManager);
}

/** The operation `allocate`: when every scheduled subtask has a slot, all are deployed; else they wait (FR-006, FR-037). */
export function allocate(k: Kernel): void {
  const { world, plan } = k;
  const scheduled = plan.graph.subtasks.filter(
    ({ index }) => world.task(index, Task.state) === ExecutionState.scheduled,
  );
  if (scheduled.length === 0) return;
  if (!scheduled.every(({ slot }) => grant(k, slot))) {
    if (world.job(Job.waitingForSlots) === 0) {
      k.after(plan.scenario.config.slotRequestTimeout, Op.slotTimeout, jobManager);
      world.setJob(Job.waitingForSlots, 1);
    }
    return;
  }
  if (world.job(Job.waitingForSlots) === 1) k.cancel(Op.slotTimeout, 0);
  world.setJob(Job.waitingForSlots, 0);
  for (const { index } of scheduled) k.next(Op.deploy, jobManager, index);
}

/** Has the slot a place: its own TaskManager where that is still there (FR-036), else the first with one free? */
function grant(k: Kernel, slot: number): boolean {
  const { world } = k;
  const own = world.slot(slot);
  if (own >= 0 && world.taskManager(own, TaskManager.registered) === 1) return true;
  const used = k.plan.graph.taskManagers.map(() => 0);
  for (const { index } of k.plan.graph.slots) {
    const on = world.slot(index);
    if (on >= 0) used[on] = at(used, on) + 1;
  }
  let best = -1;
  used.forEach((count, taskManager) => {
    if (world.taskManager(taskManager, TaskManager.registered) === 0 || count >= k.plan.scenario.cluster.slots) return;
    if (best < 0 || count < at(used, best)) best = taskManager;
  });
  world.setSlot(slot, best);
  return best >= 0;
}

/** The operation `deploy`: the deployment leaves for the TaskManager; a dead process refuses it. */
export function deploy(k: Kernel, task: number): void {
  const { world } = k;
  const { timing } = k.plan.scenario;
  const taskManager = world.slot(at(k.plan.graph.subtasks, task).slot);
  setTaskState(k, task, ExecutionState.deploying);
  if (isReachable(k, taskManager)) k.after(timing.deploy, Op.taskStart, task, task, world.task(task, Task.attempt));
  else k.after(2 * timing.rpc, Op.taskManagerUnreachable, Actor.wire, taskManager);
}

/** The operation `slotTimeout`: whoever still waits for a slot has failed. */
export function slotTimeout(k: Kernel): void {
  const { world } = k;
  world.setJob(Job.waitingForSlots, 0);
  const waiting = k.plan.graph.subtasks.find(({ index }) => world.task(index, Task.state) === ExecutionState.scheduled);
  if (waiting !== undefined) k.next(Op.slotFailed, jobManager, waiting.index);
}

export function slotFailed(k: Kernel, task: number): void {
  k.emit("SlotRequestFailed", task);
  k.next(
    Op.failure,
    jobManager,
    task,
    k.world.task(task, Task.attempt),
    failureCauses.indexOf("NO_RESOURCE_AVAILABLE"),
  );
}

/** The operation `taskManagerStarts`: a process comes (back) and registers. */
export function taskManagerStarts(k: Kernel, taskManager: number): void {
  assert(taskManager >= 0, "no such TaskManager");
  k.world.setTaskManager(taskManager, TaskManager.alive, Process.started);
  k.after(k.plan.scenario.timing.rpc, Op.registerTaskManager, Actor.wire, taskManager);
}

export function registerTaskManager(k: Kernel, taskManager: number): void {
  if (k.world.taskManager(taskManager, TaskManager.registered) === 1) {
    k.next(Op.loseTaskManager, jobManager, taskManager);
    k.next(Op.registerTaskManager, Actor.wire, taskManager);
    return;
  }
  k.world.setTaskManager(taskManager, TaskManager.alive, Process.running);
  k.world.setTaskManager(taskManager, TaskManager.registered, 1);
  k.emit("TaskManagerRegistered", taskManager);
  k.next(Op.allocate, jobManager);
}
