/**
 * Operator coordinators in the JobManager, as far as the checkpoint coordinator and the readers see them: one a source
 * (`OperatorCoordinatorHolder`, `SubtaskGatewayImpl`, `OperatorCoordinatorCheckpoints`; CP-015, CP-016, CP-127, FR-026).
 * What a coordinator does by itself is `sources/source-coordinator.ts`. Its snapshot takes no time but that of the events
 * it has sent: it counts once their targets have confirmed them. From the snapshot on, a gate to each reader holds events
 * back until that reader has taken the checkpoint too.
 *
 * Simpler than Flink: an event whose answer does not come fails its reader through the TaskManager, so that no subtask
 * ever has two threads; and a snapshot waits for every event without an answer, where Flink forgets those that the
 * snapshot of an aborted checkpoint waited for. Events from a reader to its coordinator are not lost on purpose.
 */
import { at } from "../base/assert.ts";
import { checkpointFailureReasons, failureCauses, rpcs } from "../protocol/reasons.ts";
import { triggeredBy } from "./causes.ts";
import type { Kernel } from "./kernel.ts";
import { Gate, Job, OperatorEvent, Pending, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { cutCoordinator, settleSplits } from "./sources/source-coordinator.ts";
import { ExecutionState } from "./states.ts";

const { jobManager } = Actor;
const COORDINATOR_EVENT = rpcs.indexOf("coordinator-event");
const TRIGGER_FAILURE = checkpointFailureReasons.indexOf("TRIGGER_CHECKPOINT_FAILURE");
export const EVENT_LOST = failureCauses.indexOf("OPERATOR_EVENT_LOST");
/** `pekko.ask.timeout`: so long the JobManager waits for an answer. */
const ASK_TIMEOUT = 10_000;

/** The word of a snapshot whose events are not confirmed, and the other way round. */
const unconfirmed = (handle: number): number => -2 - handle;

/** Where a coordinator's word lies behind those of the subtasks. */
function place(k: Kernel, source: number): number {
  return Pending.SIZE + k.world.layout.tasks + source;
}

/** The operation `snapshotCoordinator` (CP-015): the snapshot is taken and the gates close; the events may be on their way. */
export function snapshotCoordinator(k: Kernel, checkpoint: number, source: number): void {
  const { world, plan } = k;
  const row = world.pendingRow(checkpoint);
  if (row < 0) return;
  world.setPending(row, place(k, source), unconfirmed(cutCoordinator(k, source, checkpoint)));
  plan.coordinator.forEach((of, task) => {
    if (of === source) world.gates.push(task, checkpoint);
  });
  if (!awaitsAnswer(k, checkpoint, source)) k.next(Op.coordinatorSnapshotTaken, jobManager, checkpoint, source);
}

/** The operation `coordinatorSnapshotTaken`: all it has sent has arrived, and the coordinator acknowledges. */
export function coordinatorSnapshotTaken(k: Kernel, checkpoint: number, source: number): void {
  const { world } = k;
  const row = world.pendingRow(checkpoint);
  if (row < 0) return;
  const handle = unconfirmed(world.pending(row, place(k, source)));
  world.setPending(row, place(k, source), handle);
  const splits = k.arena.sequences.toArray(handle);
  const assigned = splits.reduce((sum, word) => sum + (word & 1), 0);
  k.emit("CoordinatorSnapshotTaken", at(k.plan.graph.sources, source), checkpoint, assigned);
}

/** Have all operator coordinators acknowledged a pending checkpoint (CP-120)? */
export function coordinatorsAcknowledged(k: Kernel, row: number): boolean {
  return k.plan.coordinated.every((has, source) => !has || k.world.pending(row, place(k, source)) >= 0);
}

/** What a completed checkpoint holds for a coordinator; `-1`: there is no such checkpoint. */
export function coordinatorHandle(k: Kernel, row: number, source: number): number {
  return row < 0 ? -1 : k.world.completed(row, place(k, source));
}

/** Is an event from before the cut of this checkpoint without an answer? `source` `-1`: of any coordinator. */
export function awaitsAnswer(k: Kernel, checkpoint: number, source = -1): boolean {
  const { operatorEvents } = k.world;
  for (let row = 0; row < operatorEvents.count; row++) {
    const of = k.plan.coordinator[operatorEvents.get(row, OperatorEvent.task)] as number;
    if ((source < 0 || of === source) && operatorEvents.get(row, OperatorEvent.held) < checkpoint) return true;
  }
  return false;
}

/** An event is settled: does the trigger phase that is under way go on? */
function settlePhase(k: Kernel): void {
  const { world } = k;
  const checkpoint = world.job(Job.triggering);
  if (checkpoint === 0) return;
  // What comes is the trigger's doing; the answer only lets it go on.
  k.cause = triggeredBy(world);
  const row = world.pendingRow(checkpoint);
  for (let source = 0; row >= 0 && source < k.plan.graph.sources.length; source++) {
    if (world.pending(row, place(k, source)) <= unconfirmed(0) && !awaitsAnswer(k, checkpoint, source))
      k.next(Op.coordinatorSnapshotTaken, jobManager, checkpoint, source);
  }
  k.next(Op.triggerTasks, jobManager, checkpoint);
}

/** The operation `sendEvent`: behind a closed gate it waits (CP-016). */
export function sendEvent(k: Kernel, task: number, attempt: number, splits: number, noMore: number): void {
  const { gates, operatorEvents } = k.world;
  let held = 0;
  for (let row = 0; row < gates.count; row++)
    if (gates.get(row, Gate.task) === task) held = Math.max(held, gates.get(row, Gate.checkpoint));
  operatorEvents.push(task, attempt, splits, noMore, held);
  if (held === 0) leave(k, task, attempt, splits, noMore);
}

function leave(k: Kernel, task: number, attempt: number, splits: number, noMore: number): void {
  k.sendRpc(COORDINATOR_EVENT, task, -1, Op.receiveEvent, task, attempt, splits, noMore);
  k.after(ASK_TIMEOUT, Op.eventTimedOut, jobManager, task, attempt, splits);
}

function eventRow({ world: { operatorEvents } }: Kernel, task: number, attempt: number, splits: number): number {
  for (let row = 0; row < operatorEvents.count; row++) {
    if (
      operatorEvents.get(row, OperatorEvent.task) === task &&
      operatorEvents.get(row, OperatorEvent.attempt) === attempt &&
      operatorEvents.get(row, OperatorEvent.splits) === splits
    )
      return row;
  }
  return -1;
}

/**
 * The operation `eventAnswered`: the target has the event in its mailbox, or does not run, or has not answered in time.
 * Then the snapshot that waits for it fails, and so does a target that the JobManager takes for running.
 */
export function eventAnswered(k: Kernel, task: number, attempt: number, splits: number, arrived: number): void {
  const { world } = k;
  const row = eventRow(k, task, attempt, splits);
  if (row < 0) return;
  k.cancel(Op.eventTimedOut, task, attempt);
  world.operatorEvents.remove(row);
  if (arrived === 0) eventLost(k, task, attempt);
  settlePhase(k);
}

/** The checkpoint that is being triggered ends (CP-022), and its reader fails, if the JobManager takes it for running. */
function eventLost(k: Kernel, task: number, attempt: number): void {
  const { world, plan } = k;
  const checkpoint = world.job(Job.triggering);
  if (checkpoint > 0) k.next(Op.abortPending, jobManager, checkpoint, TRIGGER_FAILURE);
  const state = world.task(task, Task.state);
  if (state !== ExecutionState.running && state !== ExecutionState.initializing) return;
  k.next(Op.taskManagerUnreachable, jobManager, world.slot(at(plan.graph.subtasks, task).slot));
  k.after(plan.scenario.timing.rpc, Op.failReader, Actor.wire, task, attempt);
}

/** The operation `checkpointPassed` (`AcknowledgeCheckpointEvent`): a reader has taken its part of the checkpoint. */
export function checkpointPassed(k: Kernel, task: number, attempt: number, checkpoint: number): void {
  if (k.world.task(task, Task.attempt) === attempt) openGate(k, task, checkpoint);
}

/** The gates of a checkpoint that has ended, or whose reader has passed it, open; what waited for nothing else leaves. */
function openGate(k: Kernel, task: number, checkpoint: number): void {
  const { gates, operatorEvents } = k.world;
  const holds = (row: number): boolean =>
    gates.get(row, Gate.task) === task && gates.get(row, Gate.checkpoint) === checkpoint;
  for (let row = gates.count - 1; row >= 0; row--) if (holds(row)) gates.remove(row);
  for (let row = 0; row < operatorEvents.count; row++) {
    const event = (column: number): number => operatorEvents.get(row, column);
    if (event(OperatorEvent.task) !== task || event(OperatorEvent.held) === 0) continue;
    if (isClosed(k, task, event(OperatorEvent.held))) continue;
    operatorEvents.set(row, OperatorEvent.held, 0);
    leave(k, task, event(OperatorEvent.attempt), event(OperatorEvent.splits), event(OperatorEvent.noMore));
  }
}

/** Is a reader's gate closed for a checkpoint up to this one? */
function isClosed({ world: { gates } }: Kernel, task: number, checkpoint: number): boolean {
  for (let row = 0; row < gates.count; row++)
    if (gates.get(row, Gate.task) === task && gates.get(row, Gate.checkpoint) <= checkpoint) return true;
  return false;
}

/** Every coordinator is told, by a call, that a checkpoint has ended (CP-127, CP-140). */
export function checkpointEnded(k: Kernel, checkpoint: number, complete: boolean): void {
  k.plan.coordinator.forEach((source, task) => {
    if (source >= 0) openGate(k, task, checkpoint);
  });
  if (complete) settleSplits(k, checkpoint);
}

/** A reader's attempt is over: its coordinator forgets it, and what its gate holds is dropped. */
export function forgetReader(k: Kernel, task: number): void {
  if ((k.plan.coordinator[task] as number) < 0) return;
  const { world } = k;
  world.setTask(task, Task.registered, 0);
  world.gates.removeWhere(Gate.task, task);
  if (world.operatorEvents.find(OperatorEvent.task, task) < 0) return;
  world.operatorEvents.removeWhere(OperatorEvent.task, task);
  while (k.cancel(Op.eventTimedOut, task));
  settlePhase(k);
}
