/**
 * One checkpoint at one task (`SubtaskCheckpointCoordinatorImpl`, `AsyncCheckpointRunnable`; CP-030, CP-035, CP-100 to
 * CP-108): sinks pre-commit, the barrier goes to all outputs, the synchronous part freezes the state of the whole chain,
 * the asynchronous part writes it out while the task goes on, then the acknowledgement leaves. Channel state
 * (`channel-state.ts`) is written beside it; the acknowledgement waits for both. One thread of a task writes its
 * asynchronous parts, one after the other (the pool of `StreamTask` has an unbounded queue, so it never grows), and the
 * cancellation of an aborted checkpoint waits in the same queue behind the part itself: nothing but the end of the
 * attempt ends a part that writes, and its acknowledgement comes late.
 */
import { at } from "../base/assert.ts";
import { snapshotNumber } from "../protocol/ids.ts";
import { Machine } from "../protocol/machines/all.ts";
import { failureCauses, rpcs } from "../protocol/reasons.ts";
import type { Kernel } from "./kernel.ts";
import {
  dropCapture,
  endCaptures,
  failCaptures,
  forgetCapture,
  hasFailed,
  hasCapture,
  openCapture,
  snapshotOf,
  stateWritten,
  takeCapture,
} from "./channel-state.ts";
import { armOutputTimer, putBarrier } from "./sender-buffers.ts";
import { finishedWord, isFinishedWord, stateHandle } from "./checkpoint-plan.ts";
import { Alignment, Due, ElementKind, Finish, RestoredAs, Task, TaskTime } from "./layout.ts";
import { resumeChannels } from "./barrier-handler.ts";
import { endsWithAnother, noteFinalCheckpoint } from "./finish.ts";
import { occupy, wake } from "./mailbox.ts";
import { overtake, put } from "./network.ts";
import { Actor, Op } from "./ops.ts";
import { forgetObjects, storeObjects, takes } from "./checkpoint-storage.ts";
import { addChannelState, bytesOf, objectsOf, settleObjects } from "./state-files.ts";
import { failAsync, failSync, isArmed } from "./snapshot-failure.ts";
import { rememberOffsets } from "./sources/consumer-group.ts";
import { NOT_HERE, storedWord } from "./sources/positions.ts";
import { isConnection } from "./sources/source-function.ts";
import * as sinks from "./sinks/chain.ts";

const Snapshot = { none: 0, running: 1, completed: 2, acknowledged: 3, discarded: 4 } as const;
const ACK = rpcs.indexOf("ack");
/** In the place of a handle: the asynchronous part ends with an exception. */
const FAILS = -1;
/** A task remembers this many checkpoints that were aborted before their barrier came (CP-108). */
const REMEMBERED = 10;

/** The operation `checkpointState` (CP-030); the thread is occupied until the synchronous part is over. */
export function checkpointState(
  k: Kernel,
  task: number,
  checkpoint: number,
  triggered: number,
  alignment: number,
): void {
  const { world } = k;
  if (checkpoint <= world.task(task, Task.lastCheckpoint) && k.decisions.passesByOldTrigger()) {
    dropCapture(k, task, checkpoint);
    resumeChannels(k, task, checkpoint);
    k.next(Op.taskTurn, task, task);
    return;
  }
  world.setTask(task, Task.lastCheckpoint, checkpoint);
  const { outputs } = at(k.plan.graph.subtasks, task);
  if (isAborted(k, task, checkpoint)) {
    dropCapture(k, task, checkpoint);
    for (const channel of outputs) k.next(Op.emitCancelMarker, task, task, channel, checkpoint);
    resumeChannels(k, task, checkpoint);
    k.next(Op.taskTurn, task, task);
    return;
  }
  if (endsWithAnother(k, task, checkpoint)) {
    const cause = failureCauses.indexOf("STOP_WITH_SAVEPOINT_FAILED");
    return k.next(Op.taskFail, task, task, world.task(task, Task.attempt), cause);
  }
  if (k.decisions.occupiesThread()) occupy(k, task);
  else wake(k, task, k.now);
  world.setTaskTime(task, TaskTime.barrier, triggered);
  noteFinalCheckpoint(k, task, checkpoint);
  if (at(k.plan.graph.subtasks, task).inputs.length === 0) world.setTaskTime(task, TaskTime.alignment, k.now);
  world.setTask(task, Task.alignment, alignment);
  if (alignment !== Alignment.aligned) openCapture(k, task, checkpoint);
  if (alignment === Alignment.unaligned) k.next(Op.writerStarted, task, task, checkpoint);
  const finished = world.task(task, Task.restoredAs) === RestoredAs.finished;
  if (finished) k.next(Op.emitBarriers, task, task, checkpoint);
  else k.next(Op.preCommit, task, task, 0);
}

/** The operation `emitBarriers`: after the sinks' part the barrier goes to all outputs, then the synchronous part begins. */
export function emitBarriers(k: Kernel, task: number, checkpoint: number): void {
  const { outputs } = at(k.plan.graph.subtasks, task);
  const triggered = k.world.taskTime(task, TaskTime.barrier);
  for (const channel of outputs) k.next(Op.emitBarrier, task, task, channel, checkpoint, triggered);
  k.next(Op.syncPart, task, task, checkpoint);
}

export function emitBarrier(k: Kernel, task: number, channel: number, checkpoint: number, triggered: number): void {
  const id = k.decisions.barrierId(checkpoint);
  k.emit("BarrierEmitted", task, channel, id);
  putBarrier(k, task, channel, id, triggered);
  if (!k.decisions.barrierGoesLast()) overtake(k, channel, 0);
}

export function emitCancelMarker(k: Kernel, task: number, channel: number, checkpoint: number): void {
  k.emit("CancelMarkerEmitted", task, channel, checkpoint);
  put(k, channel, ElementKind.cancelMarker, checkpoint, 0);
}

export function syncPart(k: Kernel, task: number, checkpoint: number): void {
  if (isArmed(k, "sync", task, checkpoint)) return failSync(k, task);
  k.world.setTaskTime(task, TaskTime.started, k.now);
  if (k.world.task(task, Task.alignment) === Alignment.timeoutable)
    armOutputTimer(k, task, checkpoint, k.world.taskTime(task, TaskTime.barrier));
  k.after(duration(k, task, checkpoint, "snapshotSync"), Op.snapshotTaken, task, task, checkpoint);
}

/** A part's duration in milliseconds: the first override that fits, else the model's. */
function duration(k: Kernel, task: number, checkpoint: number, part: "snapshotSync" | "snapshotAsync"): number {
  const { timing } = k.plan.scenario;
  const { taskVertex, number } = at(k.plan.graph.subtasks, task);
  const { uid } = at(k.plan.graph.vertices, taskVertex);
  const found = timing.overrides.find(
    (override) =>
      override.vertex === uid &&
      (override.index ?? number) === number &&
      (override.checkpoint ?? checkpoint) === checkpoint &&
      override[part] !== null,
  );
  return found?.[part] ?? timing[part];
}

/** The state of a running task's chain as a snapshot holds it. */
export function frozenState(k: Kernel, task: number): number {
  const { arena, plan } = k;
  const source = plan.source[task] as number;
  const handle = stateHandle(k, task);
  if (source < 0) return handle;
  const splits = at(at(plan.operators, source).splits, at(plan.graph.subtasks, task).number).length;
  return arena.sequences.intern(
    arena.sequences.toArray(handle).map((word, i) => (i < splits ? splitWord(k, task, word) : word)),
  );
}

/** The operation `snapshotTaken`: the cut. The state region is frozen; the next transaction begins; channels resume. */
export function snapshotTaken(k: Kernel, task: number, checkpoint: number): void {
  const { world, plan } = k;
  const running = world.task(task, Task.restoredAs) !== RestoredAs.finished;
  const handle = running ? frozenState(k, task) : finishedWord(stateHandle(k, task));
  if (running && (plan.source[task] as number) >= 0) {
    rememberOffsets(k, task, checkpoint, handle);
    if ((plan.coordinator[task] as number) >= 0) {
      const attempt = world.task(task, Task.attempt);
      k.after(plan.scenario.timing.rpc, Op.checkpointPassed, Actor.wire, task, attempt, checkpoint);
    }
  }
  k.move(Machine.subtaskSnapshot, snapshotNumber(task, checkpoint), Snapshot.none, Snapshot.running);
  // CP-202: from the trigger to the first barrier; CP-206: the synchronous part alone.
  const startDelay = Math.max(0, world.taskTime(task, TaskTime.alignment) - world.taskTime(task, TaskTime.barrier));
  k.emit("SnapshotTaken", task, checkpoint, startDelay, k.now - world.taskTime(task, TaskTime.started));
  if (running) sinks.snapshotTaken(k, task, checkpoint);
  resumeChannels(k, task, checkpoint);
  if (running) snapshotOf(k, task, checkpoint, handle);
  else forgetCapture(k, task, checkpoint);
  k.next(Op.startAsync, task, task, checkpoint, handle);
  k.next(Op.taskFree, task, task);
}

/** What a snapshot holds of a split; nothing of one that cannot be read again. */
function splitWord(k: Kernel, task: number, word: number): number {
  return isConnection(k, task) ? NOT_HERE : storedWord(word, k.decisions.snapshotPosition);
}

/** The operation `startAsync`: the part goes behind those that the thread has not written yet (CP-105, CP-207). */
export function startAsync(k: Kernel, task: number, checkpoint: number, handle: number): void {
  const waiting = untilWritten(k, task, checkpoint);
  if (isFinishedWord(handle)) {
    k.after(waiting, Op.asyncDone, task, task, checkpoint, handle, waiting);
    return;
  }
  settleObjects(k, task, checkpoint, handle);
  const { uploadBytesPerSecond: rate } = k.plan.scenario.timing;
  const fresh = bytesOf(objectsOf(k, task, checkpoint, handle).filter((object) => object.fresh));
  const upload = rate === 0 ? 0 : Math.ceil((fresh * 1000) / rate);
  const writing = waiting + duration(k, task, checkpoint, "snapshotAsync") + upload;
  const written = isArmed(k, "async", task, checkpoint) ? FAILS : handle;
  k.after(writing, Op.asyncDone, task, task, checkpoint, written, writing);
}

/** Milliseconds until the thread has written the parts of other checkpoints that it has. */
function untilWritten(k: Kernel, task: number, checkpoint: number): number {
  const { agenda } = k.world;
  let last = k.now;
  if (!k.decisions.writesInOrder()) return 0;
  for (let row = 0; row < agenda.count; row++) {
    const op = agenda.get(row, Due.op);
    if (op !== Op.asyncDone && op !== Op.channelStateWritten) continue;
    if (agenda.get(row, Due.a) === task && agenda.get(row, Due.b) !== checkpoint)
      last = Math.max(last, agenda.get(row, Due.time));
  }
  return last - k.now;
}

/** The operation `asyncDone`: all is written, the acknowledgement leaves (CP-106). */
export function asyncDone(k: Kernel, task: number, checkpoint: number, handle: number, writing: number): void {
  const objects = objectsOf(k, task, checkpoint, handle);
  if (handle === FAILS || hasFailed(k, task, checkpoint) || !takes(k, task, objects))
    return asyncFailed(k, task, checkpoint);
  if (!hasCapture(k, task, checkpoint)) persisted(k, task, checkpoint, handle, writing);
  else if (stateWritten(k, task, checkpoint)) snapshotWhole(k, task, checkpoint);
}

/** The operation `snapshotWhole`: channel state is written too, as one more object of the snapshot (CP-078). */
export function snapshotWhole(k: Kernel, task: number, checkpoint: number): void {
  const { handle, since } = takeCapture(k, task, checkpoint);
  if (takes(k, task, addChannelState(k, task, checkpoint, handle)))
    persisted(k, task, checkpoint, handle, k.now - since);
  else asyncFailed(k, task, checkpoint);
}

function asyncFailed(k: Kernel, task: number, checkpoint: number): void {
  dropCapture(k, task, checkpoint);
  forgetObjects(k, task, checkpoint);
  failAsync(k, task, checkpoint, "CHECKPOINT_ASYNC_EXCEPTION");
  wakeIfClosed(k, task);
}

/** A task that only waits for its snapshots goes on to its end, whatever has become of them (`waitForPendingCheckpoints`). */
function wakeIfClosed(k: Kernel, task: number): void {
  if (k.world.task(task, Task.finish) === Finish.closed) wake(k, task, k.now);
}

function persisted(k: Kernel, task: number, checkpoint: number, handle: number, writing: number): void {
  const fresh = objectsOf(k, task, checkpoint, handle).filter((object) => object.fresh);
  k.move(Machine.subtaskSnapshot, snapshotNumber(task, checkpoint), Snapshot.running, Snapshot.completed);
  k.emit("SnapshotPersisted", task, checkpoint, bytesOf(fresh), writing);
  storeObjects(k, task, checkpoint);
  k.sendRpc(ACK, task, checkpoint, Op.acknowledge, task, checkpoint, k.world.task(task, Task.attempt), handle);
  wakeIfClosed(k, task);
}

/** The attempt ends while the asynchronous part runs: closed, no acknowledgement, no decline (CP-103). */
export function discardSnapshot(k: Kernel, task: number, checkpoint: number): void {
  k.move(Machine.subtaskSnapshot, snapshotNumber(task, checkpoint), Snapshot.running, Snapshot.discarded);
  forgetObjects(k, task, checkpoint);
  k.emit("SnapshotDiscarded", task, checkpoint);
}

/** Does the task still write out a snapshot? None waits for channel state alone where all channels are empty. */
export function isWriting(k: Kernel, task: number): boolean {
  const { agenda } = k.world;
  for (let row = 0; row < agenda.count; row++)
    if (agenda.get(row, Due.op) === Op.asyncDone && agenda.get(row, Due.a) === task) return true;
  return false;
}

/** Asynchronous parts of a thread that ends: each is discarded. */
export function discardAll(k: Kernel, task: number): void {
  const { agenda } = k.world;
  for (const waiting of endCaptures(k, task)) k.next(Op.discardSnapshot, Actor.wire, task, waiting);
  for (let row = agenda.count - 1; row >= 0; row--) {
    if (agenda.get(row, Due.op) === Op.asyncDone && agenda.get(row, Due.a) === task) {
      k.next(Op.discardSnapshot, Actor.wire, task, agenda.get(row, Due.b));
    }
  }
}

/**
 * The task is told that `checkpoint` is aborted (CP-108). A part that writes goes on, one whose channel state is not all
 * there fails.
 */
export function onAborted(k: Kernel, task: number, checkpoint: number): void {
  const { world, arena } = k;
  failCaptures(k, task, checkpoint);
  if (checkpoint <= world.task(task, Task.lastCheckpoint)) return;
  const remembered = [...arena.sequences.toArray(world.task(task, Task.aborted)), checkpoint].sort((a, b) => a - b);
  world.setTask(task, Task.aborted, arena.sequences.intern(remembered.slice(-REMEMBERED)));
}

function isAborted(k: Kernel, task: number, checkpoint: number): boolean {
  const { sequences } = k.arena;
  const aborted = sequences.toArray(k.world.task(task, Task.aborted));
  return aborted.includes(checkpoint) || (aborted.length > 0 && checkpoint < (aborted.at(-1) as number) - REMEMBERED);
}
