/**
 * At-least-once barrier handling of a task with inputs (`CheckpointBarrierTracker`; CP-060 to CP-066). It counts the
 * barriers of several checkpoints at once and blocks nothing: what comes behind an early barrier goes into the state.
 * `Task.current` is the newest checkpoint that has an entry.
 */
import { at } from "../base/assert.ts";
import { Machine } from "../protocol/machines/all.ts";
import { Declined, giveUp, openChannels } from "./checkpoint-barrier-handler.ts";
import type { Kernel } from "./kernel.ts";
import { Channel, Element, Task, TaskTime, Tracked } from "./layout.ts";
import { take } from "./network.ts";
import { Op } from "./ops.ts";

const Handler = { waiting: 0, collecting: 1 } as const;
/** As many checkpoints are counted (CP-062). */
const MOST = 50;

/** Rows of the task's entries, oldest first. */
function entriesOf({ world: { tracked } }: Kernel, task: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < tracked.count; row++) if (tracked.get(row, Tracked.task) === task) rows.push(row);
  return rows;
}

function rowOf({ world: { tracked } }: Kernel, task: number, checkpoint: number): number {
  for (let row = 0; row < tracked.count; row++)
    if (tracked.get(row, Tracked.task) === task && tracked.get(row, Tracked.checkpoint) === checkpoint) return row;
  return -1;
}

function removeUpTo(k: Kernel, task: number, checkpoint: number): void {
  const { tracked } = k.world;
  for (const row of entriesOf(k, task).reverse())
    if (tracked.get(row, Tracked.checkpoint) <= checkpoint) tracked.remove(row);
}

/** The channel joins the set of an entry; how many are in it now. */
function count(k: Kernel, row: number, channel: number): number {
  const { tracked } = k.world;
  const { sequences } = k.arena;
  const channels = sequences.toArray(tracked.get(row, Tracked.channels));
  if (!channels.includes(channel)) channels.push(channel);
  tracked.set(row, Tracked.channels, sequences.intern(channels));
  return channels.length;
}

/** A new entry behind those that are there. */
function track(k: Kernel, task: number, channel: number, checkpoint: number, aborted: number, triggered: number): void {
  const { world, arena } = k;
  const target = k.decisions.barriersAwaited(openChannels(k, task));
  world.setTask(task, Task.current, checkpoint);
  world.tracked.push(task, checkpoint, arena.sequences.intern([channel]), target, aborted, triggered, k.now);
  const rows = entriesOf(k, task);
  if (rows.length > MOST) world.tracked.remove(at(rows, 0));
}

/** Declares the move that the number of entries, `before` and now, stands for. */
function moved(k: Kernel, task: number, before: number): void {
  const now = entriesOf(k, task).length;
  if (before === 0 && now > 0) k.move(Machine.barrierHandler, task, Handler.waiting, Handler.collecting);
  if (before > 0 && now === 0) k.move(Machine.barrierHandler, task, Handler.collecting, Handler.waiting);
}

/** The barrier at the head of a channel. */
export function onBarrier(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  const { tracked } = world;
  const checkpoint = world.element(channel, 0, Element.id);
  const triggered = world.element(channel, 0, Element.value);
  k.cause = world.element(channel, 0, Element.step);
  take(k, channel);
  const before = entriesOf(k, task).length;
  const row = rowOf(k, task, checkpoint);
  const newest = checkpoint > world.task(task, Task.current);
  let aligned = row < 0 ? 0 : count(k, row, channel);
  let [first, complete] = [k.now, false];
  if (row >= 0) {
    first = tracked.get(row, Tracked.first);
    complete = aligned >= tracked.get(row, Tracked.target) && tracked.get(row, Tracked.aborted) === 0;
    if (aligned >= tracked.get(row, Tracked.target)) removeUpTo(k, task, checkpoint);
  } else if (newest) {
    aligned = 1;
    complete = k.decisions.barriersAwaited(openChannels(k, task)) === 1;
    if (!complete) track(k, task, channel, checkpoint, 0, triggered);
  }
  moved(k, task, before);
  k.emit("BarrierReceived", task, channel, checkpoint, aligned);
  if (complete) k.next(Op.trackedAligned, task, task, checkpoint, first, triggered);
  else k.next(Op.taskTurn, task, task);
}

/** The trigger message for a task with channels that have not ended: every open channel has its barrier at once. */
export function triggerOpenChannels(k: Kernel, task: number, checkpoint: number, triggered: number): void {
  const { world } = k;
  const { tracked } = world;
  const before = entriesOf(k, task).length;
  const row = rowOf(k, task, checkpoint);
  const newest = row < 0 && checkpoint > world.task(task, Task.current);
  const first = row < 0 ? k.now : tracked.get(row, Tracked.first);
  const complete = row < 0 ? newest : tracked.get(row, Tracked.aborted) === 0;
  // As for a barrier: with one open channel there is no entry, and older ones stay.
  const counted = row >= 0 || (newest && openChannels(k, task) > 1);
  if (counted) {
    world.setTask(task, Task.current, Math.max(checkpoint, world.task(task, Task.current)));
    removeUpTo(k, task, checkpoint);
    moved(k, task, before);
  }
  if (complete) trackedAligned(k, task, checkpoint, first, triggered);
  else k.next(Op.taskTurn, task, task);
}

/** The operation `trackedAligned`: the last barrier is in; the task takes its snapshot. */
export function trackedAligned(k: Kernel, task: number, checkpoint: number, first: number, triggered: number): void {
  k.world.setTaskTime(task, TaskTime.alignment, first);
  k.emit("AlignmentCompleted", task, checkpoint, k.now - first);
  k.next(Op.checkpointState, task, task, checkpoint, triggered);
}

/** The operation `abortTracked`: decline, and tell the tasks behind not to wait. */
export function abortTracked(k: Kernel, task: number, checkpoint: number, reason: number): void {
  giveUp(k, task, checkpoint, reason);
}

/** Marks entries as aborted; the checkpoints of those that were not yet. */
function markAborted({ world: { tracked } }: Kernel, rows: readonly number[]): number[] {
  const fresh = rows.filter((row) => tracked.get(row, Tracked.aborted) === 0);
  for (const row of fresh) tracked.set(row, Tracked.aborted, 1);
  return fresh.map((row) => tracked.get(row, Tracked.checkpoint));
}

/** The cancel marker at the head of a channel (CP-063). */
export function onCancelMarker(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  const { tracked } = world;
  const checkpoint = world.element(channel, 0, Element.id);
  k.cause = world.element(channel, 0, Element.step);
  take(k, channel);
  const before = entriesOf(k, task).length;
  const newest = checkpoint > world.task(task, Task.current);
  let aborted = newest ? [checkpoint] : [];
  if (!newest || openChannels(k, task) > 1) {
    const upTo = entriesOf(k, task).filter((row) => tracked.get(row, Tracked.checkpoint) <= checkpoint);
    aborted = [...markAborted(k, upTo), ...aborted];
    const row = rowOf(k, task, checkpoint);
    const seenEverywhere = row >= 0 && count(k, row, channel) >= tracked.get(row, Tracked.target);
    removeUpTo(k, task, seenEverywhere ? checkpoint : checkpoint - 1);
    if (newest) track(k, task, channel, checkpoint, 1, k.now);
  }
  moved(k, task, before);
  k.emit("CancelMarkerReceived", task, channel, checkpoint);
  for (const id of aborted) k.next(Op.abortTracked, task, task, id, Declined.onCancellation);
  k.next(Op.taskTurn, task, task);
}

/** A channel has ended (CP-064): it counts as one that has delivered every barrier, or nothing that waits can complete. */
export function channelEnded(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  const { tracked } = world;
  world.setChannel(channel, Channel.ended, 1);
  const rows = entriesOf(k, task);
  if (!k.plan.scenario.config.checkpointing.afterTasksFinish) {
    for (const id of markAborted(k, rows)) k.next(Op.abortTracked, task, task, id, Declined.endOfStream);
    return;
  }
  for (const row of rows.reverse()) {
    if (count(k, row, channel) < tracked.get(row, Tracked.target)) continue;
    const words = [Tracked.checkpoint, Tracked.first, Tracked.triggered].map((column) => tracked.get(row, column));
    const [checkpoint = 0, first = 0, triggered = 0] = words;
    if (tracked.get(row, Tracked.aborted) === 0) k.next(Op.trackedAligned, task, task, checkpoint, first, triggered);
    const before = rows.length;
    removeUpTo(k, task, checkpoint);
    moved(k, task, before);
    return;
  }
}
