/**
 * The leader among JobManagers, and what is lost with it (the contract's `kill-jobmanager`; FR-029, FR-030, FR-100 to
 * FR-105, CP-134). Everything a JobManager holds in memory is gone: pending checkpoints, requests, counters, timers,
 * restarts that were granted, operator coordinators, and messages to it. A TaskManager hears of it one message later and
 * fails the job's tasks (`TaskExecutor.disconnectJobManagerConnection`). With high availability a standby takes over: it
 * reads the store, counts checkpoint ids on and runs the job anew; without it the job stays SUSPENDED.
 *
 * As `Execution.suspend` does, executions are CANCELED with their JobMaster, though a killed process records nothing.
 * Simpler than Flink: attempt numbers, which tell executions apart here, go on; a deposed leader never acts again.
 */
import { Machine } from "../protocol/machines/all.ts";
import { failureCauses } from "../protocol/reasons.ts";
import { CheckpointState, restoreRow } from "./checkpoint-coordinator.ts";
import { isDown } from "./checkpoint-storage.ts";
import { needsLeader } from "./conduct.ts";
import { beginAgain } from "./failover.ts";
import type { Kernel } from "./kernel.ts";
import {
  Due,
  File,
  Job,
  JobTime,
  Leaderless,
  Pending,
  Process,
  Savepoint,
  SavepointStage,
  Task,
  TaskManager,
} from "./layout.ts";
import { Node, isCut } from "./network-cuts.ts";
import { Actor, Op } from "./ops.ts";
import type { Rows } from "./rows.ts";
import { ExecutionState, JobStatus, isTerminal, isTerminalStatus } from "./states.ts";
import { findUncertain } from "./uncertain-pointer.ts";
import { hostOf, isAlive } from "./host.ts";

const { jobManager } = Actor;
const CONNECTION_LOST = failureCauses.indexOf("CONNECTION_LOST");
/** Of no checkpoint in the store: no later one lets go of it. */
const NEVER = 2 ** 31 - 1;

/** What a JobManager keeps in memory as words of the job; 0 is how each begins. */
const memory = [
  Job.scheduler,
  Job.queuedManual,
  Job.queuedPeriodic,
  Job.pending,
  Job.failures,
  Job.backoffAttempt,
  Job.consecutiveFailures,
  Job.lastCounted,
  Job.waitingForSlots,
  Job.failureTimes,
  Job.rounds,
  Job.idleCheckpoints,
  Job.triggering,
  Job.lastSubsumed,
] as const;

/** The operation `killJobManager`: the process is gone. `takeover`: so much later a standby is in the lead. */
export function killJobManager(k: Kernel, takeover: number): void {
  const { world } = k;
  if (world.job(Job.leaderless) !== Leaderless.no || isTerminalStatus(world.job(Job.status))) return;
  world.setJob(Job.leaderless, Leaderless.yes);
  for (let row = 0; row < world.job(Job.pending); row++) {
    const from = world.pending(row, Pending.finalizing) === 1 ? CheckpointState.finalizing : CheckpointState.pending;
    k.move(Machine.checkpoint, world.pending(row, Pending.id), from, CheckpointState.aborted);
  }
  const leader = world.job(Job.leader);
  k.emit("LeadershipLost", leader + 1);
  forget(k);
  k.next(Op.setJobStatus, Actor.world, JobStatus.suspended);
  for (let task = 0; task < world.layout.tasks; task++) {
    if (world.task(task, Task.attempt) >= 0 && !isTerminal(world.task(task, Task.state)))
      k.next(Op.setTaskState, Actor.world, task, ExecutionState.canceled);
  }
  const { timing, config } = k.plan.scenario;
  k.plan.graph.taskManagers.forEach((_, taskManager) =>
    k.after(timing.rpc, Op.leaderLost, Actor.world, taskManager, leader),
  );
  if (config.state.highAvailability) k.after(takeover, Op.takeOver, Actor.world);
}

/** FR-101, CP-214: what no high-availability store keeps. */
function forget(k: Kernel): void {
  const { world } = k;
  leaveOrphans(k);
  giveUpSavepoints(k);
  dropOperations(world.agenda);
  dropOperations(world.held);
  for (const word of memory) world.setJob(word, 0);
  for (let time = 0; time < JobTime.SIZE; time++) world.setJobTime(time, 0);
  for (const table of [world.plans, world.gates, world.operatorEvents]) table.count = 0;
  for (let task = 0; task < world.layout.tasks; task++) {
    world.setTask(task, Task.plan, 0);
    world.setTask(task, Task.registered, 0);
  }
  k.plan.graph.taskManagers.forEach((_, taskManager) => world.setTaskManager(taskManager, TaskManager.registered, 0));
}

/** Requests are gone with it, and what is pending is nobody's. */
function giveUpSavepoints({ world: { savepoints } }: Kernel): void {
  savepoints.removeWhere(Savepoint.stage, SavepointStage.queued);
  for (let row = 0; row < savepoints.count; row++) {
    savepoints.set(row, Savepoint.attempts, -1);
    if (savepoints.get(row, Savepoint.stage) === SavepointStage.pending)
      savepoints.set(row, Savepoint.stage, SavepointStage.failed);
  }
}

/** The registry is built anew from the checkpoints in the store: files that none of them has stay for ever. */
function leaveOrphans(k: Kernel): void {
  const { world } = k;
  const { files } = world;
  const completed = world.job(Job.completed);
  const newest = completed === 0 ? 0 : world.completed(completed - 1, Pending.id);
  for (let row = 0; row < files.count; row++)
    if (files.get(row, File.checkpoint) > newest) files.set(row, File.lastUsed, NEVER);
}

function dropOperations(rows: Rows): void {
  for (let row = rows.count - 1; row >= 0; row--)
    if (needsLeader(rows.get(row, Due.op), rows.get(row, Due.actor))) rows.remove(row);
}

/** The operation `leaderLost`: a TaskManager learns that this leader is gone, and fails the tasks it runs for it. */
export function leaderLost(k: Kernel, taskManager: number, leader: number): void {
  const { world } = k;
  if (world.job(Job.leader) !== leader) return;
  for (const { index } of k.plan.graph.subtasks) {
    if (hostOf(k, index) !== taskManager) continue;
    if (!isAlive(k, index)) k.dropOperations(index);
    else k.next(Op.taskFail, Actor.world, index, world.task(index, Task.attempt), CONNECTION_LOST);
  }
}

/** The operation `takeOver`: a standby is elected. Where the store cannot be read it waits for it (FR-103). */
export function takeOver(k: Kernel): void {
  const { world } = k;
  if (isDown(k, "ha")) {
    world.setJob(Job.leaderless, Leaderless.waitsForStore);
    return;
  }
  // Whoever has not heard that the old leader is gone hears it with the new one.
  k.plan.graph.taskManagers.forEach((_, taskManager) =>
    k.next(Op.leaderLost, Actor.world, taskManager, world.job(Job.leader)),
  );
  k.next(Op.leaderGranted, Actor.world);
}

/** The operation `leaderGranted`: the store is read (CP-134), TaskManagers register, and the job is run anew. */
export function leaderGranted(k: Kernel): void {
  const { world } = k;
  const found = k.decisions.readsStore() ? findUncertain(world) : 0;
  if (found > 0) {
    k.move(Machine.checkpoint, found, CheckpointState.aborted, CheckpointState.completed);
    k.emit("CheckpointRecovered", found);
    k.next(Op.leaderGranted, Actor.world);
    return;
  }
  dropOperations(world.agenda);
  dropOperations(world.held);
  world.setJob(Job.leaderless, Leaderless.no);
  world.addJob(Job.leader, 1);
  if (!k.decisions.readsStore()) world.setJob(Job.completed, 0);
  if (!k.decisions.countsIdsOn()) world.setJob(Job.nextCheckpoint, 1);
  const row = restoreRow(k);
  k.emit("LeadershipGranted", world.job(Job.leader) + 1, row < 0 ? 0 : world.completed(row, Pending.id));
  k.next(Op.setJobStatus, jobManager, JobStatus.initializing);
  const { rpc } = k.plan.scenario.timing;
  k.plan.graph.taskManagers.forEach((_, taskManager) => {
    const gone = world.taskManager(taskManager, TaskManager.alive) === Process.gone;
    if (!gone && !isCut(k, Node.firstTaskManager + taskManager, Node.jobManager))
      k.after(rpc, Op.registerTaskManager, Actor.wire, taskManager);
  });
  k.after(rpc, Op.startAgain, jobManager);
}

/**
 * The operation `startAgain` (FR-030, FR-102): nothing that ran is taken over. What the old leader stored and had no time
 * to subsume is subsumed now; in Flink the next checkpoint does it.
 */
export function startAgain(k: Kernel): void {
  k.next(Op.subsume, jobManager);
  k.next(Op.setJobStatus, jobManager, JobStatus.created);
  k.next(Op.setJobStatus, jobManager, JobStatus.running);
  beginAgain(k, [...k.plan.graph.subtasks.keys()], true);
}
