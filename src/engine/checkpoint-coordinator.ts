/**
 * The checkpoint coordinator in the JobManager (`CheckpointCoordinator`, `PendingCheckpoint`; CP-001 to CP-023, CP-120 to
 * CP-129, CP-140 to CP-144). One event at a time; what it does at once is a chain. Operator coordinators are
 * `operator-coordinators.ts`, savepoints `savepoints.ts`. Left out: master hooks, the backlog interval.
 */
import { assert } from "../base/assert.ts";
import { snapshotNumber } from "../protocol/ids.ts";
import { Machine } from "../protocol/machines/all.ts";
import {
  type CheckpointFailureReason,
  type acknowledgementFates,
  checkpointFailureReasons,
  rpcs,
} from "../protocol/reasons.ts";
import { setTriggeredBy } from "./causes.ts";
import { countFailure, countSuccess, failJob } from "./checkpoint-failure-manager.ts";
import {
  Storage,
  discardCheckpoint,
  isDown,
  isSavepointStorageDown,
  registerObjects,
  unregisterUnused,
  writeMetadata,
} from "./checkpoint-storage.ts";
import { isFinished, isTriggered, leaveOutFinished } from "./checkpoint-plan.ts";
import { isIdle } from "./drained.ts";
import type { Kernel } from "./kernel.ts";
import { Finish, Job, JobTime, Life, Pending, Savepoint, SavepointStage, Task } from "./layout.ts";
import { MailKind, post } from "./mailbox.ts";
import { awaitsAnswer, checkpointEnded, coordinatorsAcknowledged } from "./operator-coordinators.ts";
import { Actor, Op } from "./ops.ts";
import { Kind, formatOf, isSavepoint, keepSavepoint, kindOf, savepointRow } from "./savepoints.ts";
import { ExecutionState, JobStatus, isTerminalStatus } from "./states.ts";
import { isUncertain, keepUncertain } from "./uncertain-pointer.ts";

const { jobManager } = Actor;
export const CheckpointState = { pending: 0, finalizing: 1, completed: 2, aborted: 3, subsumed: 4 } as const;
const Fate = { late: 0, duplicate: 1, unknown: 2 } as const satisfies Record<
  string,
  keyof typeof acknowledgementFates & number
>;
const number = (reason: CheckpointFailureReason): number => checkpointFailureReasons.indexOf(reason);
const rpc = {
  trigger: rpcs.indexOf("trigger"),
  decline: rpcs.indexOf("decline"),
  complete: rpcs.indexOf("notify-complete"),
  aborted: rpcs.indexOf("notify-aborted"),
  subsumed: rpcs.indexOf("notify-subsumed"),
};

/**
 * CP-004: on with the first moment at which every execution runs, off with the first at which one does not. Without an
 * interval only what is asked for by hand is given up with it (FR-080).
 */
export function updateScheduler(k: Kernel): void {
  const { world } = k;
  const runs = world.job(Job.status) === JobStatus.running && everyTaskRuns(k);
  if (runs === (world.job(Job.scheduler) === 1)) return;
  world.setJob(Job.scheduler, runs ? 1 : 0);
  if (runs) startPeriodic(k);
  else stopScheduler(k);
}

/**
 * CP-002: the first fire, somewhere between the minimum pause and the interval. Since 2.3 no delay is drawn when tasks run:
 * the first start, with the job's RUNNING, has taken the random one, and the minimum pause is left for every later start
 * (`CheckpointCoordinator.startCheckpointScheduler`, `ExecutionTrackingCheckpointCoordinatorDeActivator`).
 */
export function startPeriodic(k: Kernel): void {
  const { interval, minPause } = k.plan.scenario.config.checkpointing;
  if (interval === null) return;
  const base = Math.max(interval, minPause);
  const drawn = k.plan.scenario.flink === "2.3" ? 0 : k.draw(Job.initialDelayStream, base - minPause + 1);
  const delay = k.plan.scenario.initialDelay ?? minPause + drawn;
  k.world.setJobTime(JobTime.nextFire, k.now + delay);
  k.after(delay, Op.periodicTrigger, jobManager);
}

/** CP-005, CP-006: no more fires; what is queued and what is pending ends, savepoints too. */
export function stopScheduler(k: Kernel): void {
  const { world } = k;
  k.cancel(Op.periodicTrigger, 0);
  k.cancel(Op.decide, 0);
  k.next(Op.rejectQueued, jobManager);
  if (!k.decisions.suspendsPending()) return;
  const over = isTerminalStatus(world.job(Job.status));
  const reason = number(over ? "CHECKPOINT_COORDINATOR_SHUTDOWN" : "CHECKPOINT_COORDINATOR_SUSPEND");
  for (let row = 0; row < world.job(Job.pending); row++) {
    k.next(Op.abortPending, jobManager, world.pending(row, Pending.id), reason);
  }
}

/** CP-014: does every execution run, as far as the JobManager knows? */
export function everyTaskRuns(k: Kernel): boolean {
  for (let task = 0; task < k.world.layout.tasks; task++) {
    const state = k.world.task(task, Task.state);
    if (state !== ExecutionState.running && state !== ExecutionState.finished) return false;
  }
  return true;
}

/** The operation `periodicTrigger`: fixed rate; the next fire is planned before this one's request is submitted (CP-003). */
export function periodicTrigger(k: Kernel): void {
  const { world } = k;
  // It is due to its interval, not to whatever began the timer.
  k.cause = -1;
  const { interval, minPause } = k.plan.scenario.config.checkpointing;
  const next = Math.max(k.now, world.jobTime(JobTime.nextFire) + Math.max(interval ?? 0, minPause));
  world.setJobTime(JobTime.nextFire, next);
  k.after(next - k.now, Op.periodicTrigger, jobManager);
  k.next(Op.submit, jobManager, 1);
}

/**
 * The trigger phase (CP-013): id, pending checkpoint, timeout, storage location, then the operator coordinators, then a
 * message to every task that none runs before. A location that cannot be had ends the checkpoint before anybody was told
 * of it (CP-022). `savepoint`: the row of the one that is triggered, `-1` for a checkpoint.
 */
export function trigger(k: Kernel, savepoint: number): void {
  const { world, plan } = k;
  const id = world.job(Job.nextCheckpoint);
  world.setJob(Job.nextCheckpoint, k.decisions.nextCheckpointId(id));
  world.addPending(id);
  leaveOutFinished(k, world.pendingRow(id));
  if (savepoint >= 0) {
    world.savepoints.set(savepoint, Savepoint.checkpoint, id);
    world.savepoints.set(savepoint, Savepoint.stage, SavepointStage.pending);
  }
  k.emit("CheckpointTriggered", id, kindOf(k, id));
  setTriggeredBy(world, k.cause);
  k.after(plan.scenario.config.checkpointing.timeout, Op.expire, jobManager, id);
  const inFiles = plan.scenario.config.state.storage === "filesystem";
  if (savepoint >= 0 ? isSavepointStorageDown(k) : inFiles && isDown(k, "checkpoints")) {
    k.next(Op.abortPending, jobManager, id, number("IO_EXCEPTION"));
    return;
  }
  world.setJob(Job.triggering, id);
  if (savepoint >= 0) k.next(Op.locateSavepoint, jobManager, id);
  plan.coordinated.forEach((has, source) => {
    if (has) k.next(Op.snapshotCoordinator, jobManager, id, source);
  });
  k.next(Op.triggerTasks, jobManager, id);
}

/** The operation `locateSavepoint`: its directory is there (CP-162). */
export function locateSavepoint(k: Kernel, checkpoint: number): void {
  const row = savepointRow(k, checkpoint);
  const command = k.world.savepoints.get(row, Savepoint.command);
  k.emit("SavepointLocationInitialized", checkpoint, kindOf(k, checkpoint), formatOf(k, row), command);
}

/**
 * The operation `triggerTasks`: once all operator coordinators have acknowledged, tasks are triggered and the phase ends
 * (CP-011). So it does when the checkpoint has ended meanwhile and no event is without an answer any more.
 */
export function triggerTasks(k: Kernel, id: number): void {
  const { world, plan } = k;
  const row = world.pendingRow(id);
  if (row < 0 ? awaitsAnswer(k, id) : !coordinatorsAcknowledged(k, row) && k.decisions.waitsForCoordinators()) return;
  for (const { index } of row < 0 ? [] : plan.graph.subtasks) {
    if (isTriggered(k, index))
      k.sendRpc(rpc.trigger, index, id, Op.receiveTrigger, index, world.task(index, Task.attempt), id, k.now);
  }
  world.setJob(Job.triggering, 0);
  k.next(Op.decide, jobManager);
}

/** The operation `receiveTrigger`: the message is in the task's mailbox (CP-031); one that ends declines (CP-107). */
export function receiveTrigger(k: Kernel, task: number, attempt: number, checkpoint: number, triggered: number): void {
  const { world } = k;
  if (world.task(task, Task.attempt) === attempt && world.task(task, Task.finish) === Finish.closed) {
    const ended = world.task(task, Task.life) === Life.ended;
    const reason = number(ended ? "CHECKPOINT_DECLINED_TASK_NOT_READY" : "CHECKPOINT_DECLINED_TASK_CLOSING");
    k.sendRpc(rpc.decline, task, checkpoint, Op.decline, task, checkpoint, attempt, reason);
    return;
  }
  post(k, task, attempt, MailKind.trigger, checkpoint, triggered);
}

/** The operation `acknowledge` (CP-121); after its end the coordinator hears nothing (CP-006). */
export function acknowledge(k: Kernel, task: number, checkpoint: number, attempt: number, handle: number): void {
  const { world } = k;
  if (isTerminalStatus(world.job(Job.status))) return;
  const row = world.pendingRow(checkpoint);
  const fate =
    row < 0
      ? Fate.late
      : !k.decisions.acceptsAttempt(attempt, world.task(task, Task.attempt))
        ? Fate.unknown
        : world.pending(row, Pending.SIZE + task) !== -1
          ? Fate.duplicate
          : -1;
  if (fate >= 0) {
    k.emit("AcknowledgementDiscarded", task, checkpoint, attempt, fate);
    registerObjects(k, task, attempt, checkpoint, false);
    return;
  }
  const acknowledged = world.pending(row, Pending.acknowledged) + 1;
  world.setPending(row, Pending.SIZE + task, handle);
  world.setPending(row, Pending.acknowledged, acknowledged);
  k.move(Machine.subtaskSnapshot, snapshotNumber(task, checkpoint), 2, 3);
  registerObjects(k, task, attempt, checkpoint, true);
  k.emit("CheckpointAcknowledged", task, checkpoint, attempt, acknowledged);
  const needed = k.decisions.acknowledgementsNeeded(world.layout.tasks);
  if (acknowledged === needed && coordinatorsAcknowledged(k, row)) k.next(Op.finalize, jobManager, checkpoint);
}

/** The operation `finalize`: the metadata is written (CP-122, step 2), or cannot be (CP-124). */
export function finalize(k: Kernel, checkpoint: number): void {
  if (isSavepoint(k, checkpoint) ? isSavepointStorageDown(k) : isDown(k, "checkpoints")) {
    k.next(Op.abortPending, jobManager, checkpoint, number("FINALIZE_CHECKPOINT_FAILURE"));
    return;
  }
  k.world.setPending(k.world.pendingRow(checkpoint), Pending.finalizing, 1);
  k.move(Machine.checkpoint, checkpoint, CheckpointState.pending, CheckpointState.finalizing);
  k.emit("CheckpointMetadataWritten", checkpoint);
  writeMetadata(k, checkpoint);
  k.next(Op.store, jobManager, checkpoint);
}

/**
 * The operation `store`: the commit point, and all that follows it in one step of the coordinator (CP-122, FR-087). A
 * savepoint does not go to the store (CP-125): the one of a stop is told of and subsumes what is pending before it,
 * another one does neither.
 */
export function store(k: Kernel, checkpoint: number): void {
  const { world } = k;
  const row = world.pendingRow(checkpoint);
  assert(row >= 0, "only a pending checkpoint completes");
  const kind = kindOf(k, checkpoint);
  const stored = kind === Kind.checkpoint || k.decisions.storesSavepoint();
  if (stored && isDown(k, "ha")) {
    // `PossibleInconsistentStateException`: the coordinator takes it for failed, whatever has become of the pointer.
    if ((world.job(Job.storageDown) & Storage.haReplies) !== 0) keepUncertain(world, row);
    k.next(Op.abortPending, jobManager, checkpoint, number("FINALIZE_CHECKPOINT_FAILURE"));
    return;
  }
  if (kind !== Kind.checkpoint) keepSavepoint(k, checkpoint, row);
  if (stored) world.storePending(row);
  world.removePending(row);
  k.cancel(Op.expire, checkpoint);
  world.setJobTime(JobTime.lastCompletion, k.now);
  countSuccess(k);
  world.setJob(Job.rounds, 0);
  world.setJob(Job.idleCheckpoints, isIdle(k) ? world.job(Job.idleCheckpoints) + 1 : 0);
  k.move(Machine.checkpoint, checkpoint, CheckpointState.finalizing, CheckpointState.completed);
  k.emit("CheckpointCompleted", checkpoint);
  world.setJob(Job.lastSubsumed, 0);
  if (stored) k.next(Op.subsume, jobManager);
  if (kind !== Kind.savepoint || k.decisions.notifiesSavepoint()) {
    subsumePending(k, checkpoint);
    k.next(Op.notifyComplete, jobManager, checkpoint);
  }
  if (kind !== Kind.checkpoint) {
    const command = world.savepoints.get(savepointRow(k, checkpoint), Savepoint.command);
    k.next(Op.savepointEnded, jobManager, command, checkpoint, 1);
  }
  k.next(Op.decide, jobManager);
}

/** CP-126, CP-143: older checkpoints that are pending end; a savepoint goes on. */
function subsumePending(k: Kernel, checkpoint: number): void {
  const { world } = k;
  for (let row = 0; row < world.job(Job.pending); row++) {
    const id = world.pending(row, Pending.id);
    const goesOn = isSavepoint(k, id) && !k.decisions.subsumesSavepoints();
    if (id < checkpoint && !goesOn && k.decisions.subsumesPending())
      k.next(Op.abortPending, jobManager, id, number("CHECKPOINT_SUBSUMED"));
  }
}

/** The operation `subsume`: the store holds `num-retained` checkpoints; the newest was added first (CP-130). */
export function subsume(k: Kernel): void {
  const { world } = k;
  if (world.job(Job.completed) <= k.plan.scenario.config.checkpointing.retained || !k.decisions.subsumesCompleted())
    return;
  const oldest = world.completed(0, Pending.id);
  world.removeOldestCompleted();
  world.setJob(Job.lastSubsumed, oldest);
  k.move(Machine.checkpoint, oldest, CheckpointState.completed, CheckpointState.subsumed);
  k.emit("CheckpointSubsumed", oldest);
  discardCheckpoint(k, oldest);
  unregisterUnused(k, world.completed(0, Pending.id));
  k.next(Op.subsume, jobManager);
}

/**
 * The operation `notifyComplete`: one message to the current attempt of every running task, best effort, then a call to
 * every operator coordinator (CP-127, FR-088). The message names the newest checkpoint that this one has subsumed; that
 * part can be lost alone here, which Flink's one call cannot.
 */
export function notifyComplete(k: Kernel, checkpoint: number): void {
  const subsumed = k.world.job(Job.lastSubsumed);
  for (let task = 0; task < k.world.layout.tasks; task++) {
    if (isFinished(k, task) || k.loses(rpc.complete, task, checkpoint)) continue;
    const told = subsumed > 0 && k.loses(rpc.subsumed, task, subsumed) ? 0 : subsumed;
    const attempt = k.world.task(task, Task.attempt);
    k.after(k.plan.scenario.timing.rpc, Op.receiveComplete, Actor.wire, task, attempt, checkpoint, told);
  }
  checkpointEnded(k, checkpoint, true);
}

/** The operation `receiveComplete`: two mails, first that the checkpoint is complete, then what it has subsumed (CP-128). */
export function receiveComplete(k: Kernel, task: number, attempt: number, checkpoint: number, subsumed: number): void {
  post(k, task, attempt, MailKind.complete, checkpoint, 0);
  if (subsumed > 0) post(k, task, attempt, MailKind.subsumed, subsumed, 0);
}

/** The operation `decline`: one subtask cannot take part, so the checkpoint ends (CP-141). */
export function decline(k: Kernel, task: number, checkpoint: number, attempt: number, reason: number): void {
  if (k.world.pendingRow(checkpoint) < 0 || attempt !== k.world.task(task, Task.attempt)) return;
  k.emit("CheckpointDeclined", task, checkpoint, reason);
  k.next(Op.abortPending, jobManager, checkpoint, reason, 1 + task);
}

export function expire(k: Kernel, checkpoint: number): void {
  k.next(Op.abortPending, jobManager, checkpoint, number("CHECKPOINT_EXPIRED"));
}

/** The operation `abortPending` (CP-140): counted, told to all tasks, and nothing is rolled back. `declined`: 1 and the task that declined it. */
export function abortPending(k: Kernel, checkpoint: number, reason: number, declined: number): void {
  const { world } = k;
  const row = world.pendingRow(checkpoint);
  if (row < 0) return;
  const finalizing = world.pending(row, Pending.finalizing) === 1;
  if (k.decisions.storesAborted()) world.storePending(row);
  if (k.decisions.disposesAborted()) world.removePending(row);
  k.cancel(Op.expire, checkpoint);
  const counts = countFailure(k, checkpoint, reason, declined > 0);
  const failures = world.job(Job.consecutiveFailures);
  k.move(
    Machine.checkpoint,
    checkpoint,
    finalizing ? CheckpointState.finalizing : CheckpointState.pending,
    CheckpointState.aborted,
  );
  k.emit("CheckpointAborted", checkpoint, reason, failures, counts ? 1 : 0);
  // The files stay where it cannot be told whether the pointer was stored (CP-124, `cleanCheckpointOnFailedStoring`).
  if (!isUncertain(world, checkpoint)) discardCheckpoint(k, checkpoint);
  const completed = world.job(Job.completed);
  const latest = completed === 0 ? 0 : world.completed(completed - 1, Pending.id);
  k.next(Op.notifyAborted, jobManager, checkpoint, k.decisions.latestCompleted(latest, checkpoint));
  if (isSavepoint(k, checkpoint)) {
    const saved = savepointRow(k, checkpoint);
    world.savepoints.set(saved, Savepoint.stage, SavepointStage.failed);
    world.savepoints.set(saved, Savepoint.attempts, -1);
    k.next(Op.savepointEnded, jobManager, world.savepoints.get(saved, Savepoint.command), checkpoint, 0);
  }
  failJob(k, checkpoint, declined - 1);
  k.next(Op.decide, jobManager);
}

/** The operation `notifyAborted`: the message names the latest completed checkpoint too (CP-129). */
export function notifyAborted(k: Kernel, checkpoint: number, latest: number): void {
  for (let task = 0; task < k.world.layout.tasks; task++) {
    if (isFinished(k, task)) continue;
    k.sendRpc(
      rpc.aborted,
      task,
      checkpoint,
      Op.receiveAborted,
      task,
      k.world.task(task, Task.attempt),
      checkpoint,
      latest,
    );
  }
  checkpointEnded(k, checkpoint, false);
}

export function receiveAborted(k: Kernel, task: number, attempt: number, checkpoint: number, latest: number): void {
  post(k, task, attempt, MailKind.aborted, checkpoint, latest);
}

/** The completed checkpoint that a recovery uses, as a row of the store; `-1`: there is none (FR-082). */
export function restoreRow(k: Kernel): number {
  const count = k.world.job(Job.completed);
  return count === 0 ? -1 : k.decisions.restoresFrom(count);
}

/** What a completed checkpoint holds for a subtask: a handle, or that it had finished. */
export function storedWord(k: Kernel, row: number, task: number): number {
  const word = k.world.completed(row, Pending.SIZE + task);
  assert(word !== -1, "a completed checkpoint holds every subtask's state");
  return word;
}
