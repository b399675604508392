/**
 * Barrier handling of a task with inputs where checkpoints may be unaligned (`SingleCheckpointBarrierHandler` with the
 * states `Alternating…`; CP-040 to CP-048, CP-070 to CP-079). It begins aligned. An unaligned barrier, or a timeout, makes
 * it take its snapshot at once; it then only collects the barriers that are missing.
 */
import { at } from "../base/assert.ts";
import { Machine } from "../protocol/machines/all.ts";
import {
  Declined,
  forget,
  giveUp,
  isPending,
  openChannels,
  resumeBlocked,
  takeCancelMarker,
} from "./checkpoint-barrier-handler.ts";
import { closeIfComplete, failCaptures, persistOvertaken, startPersisting } from "./channel-state.ts";
import { placeOf, sentLength, untilTimeout } from "./sender-buffers.ts";
import type { Kernel } from "./kernel.ts";
import { Alignment, Channel, Element, ElementKind, Mode, Task, TaskTime } from "./layout.ts";
import { MailKind, post, wake } from "./mailbox.ts";
import { isHeldBack } from "./network-cuts.ts";
import { outputsAvailable, take } from "./network.ts";
import { Op } from "./ops.ts";

const times = { arrival: -1 };

/** Moves the handler, and its machine with it. */
function become(k: Kernel, task: number, mode: number): void {
  const from = k.world.task(task, Task.mode);
  if (from === mode) return;
  k.move(Machine.barrierHandler, task, from, mode);
  k.world.setTask(task, Task.mode, mode);
}

/** CP-041: a new checkpoint; where it may time out its timer is armed. */
function begin(k: Kernel, task: number, checkpoint: number, triggered: number, kind: number): void {
  const { world } = k;
  world.setTask(task, Task.current, checkpoint);
  world.setTask(task, Task.aligned, 0);
  world.setTask(task, Task.target, openChannels(k, task));
  world.setTaskTime(task, TaskTime.barrier, triggered);
  if (kind === ElementKind.timeoutable)
    k.after(untilTimeout(k, triggered), Op.alignmentTimeout, task, task, checkpoint);
}

/** The barrier at `place` of a channel. Where a newer one supersedes what is pending, that is given up first (CP-041). */
export function onBarrier(k: Kernel, task: number, channel: number, place: number): void {
  const { world } = k;
  const checkpoint = world.element(channel, place, Element.id);
  const kind = world.element(channel, place, Element.kind);
  const triggered = world.element(channel, place, Element.value);
  const current = world.task(task, Task.current);
  if (checkpoint > current && isPending(k, task)) {
    k.next(Op.abortAlternating, task, task, current, Declined.subsumed);
    k.next(Op.takeBarrier, task, task, channel, place);
    return;
  }
  k.cause = world.element(channel, place, Element.step);
  if (checkpoint < current || (checkpoint === current && !isPending(k, task))) {
    take(k, channel, place);
    k.emit("BarrierReceived", task, channel, checkpoint, 0);
    k.next(Op.taskTurn, task, task);
    return;
  }
  if (checkpoint > current) begin(k, task, checkpoint, triggered, kind);
  collect(k, task, channel, place, kind, markAligned(k, task, channel));
}

/** One more channel has delivered the current checkpoint's barrier, or has ended; how many have by now. */
function markAligned(k: Kernel, task: number, channel: number): number {
  const { world } = k;
  const aligned = world.task(task, Task.aligned) + 1;
  if (aligned === 1) world.setTaskTime(task, TaskTime.alignment, k.now);
  world.setTask(task, Task.aligned, aligned);
  world.setChannel(channel, Channel.barrier, world.task(task, Task.current));
  return aligned;
}

/** One more barrier of the current checkpoint is in: the table of section 9.2. */
function collect(k: Kernel, task: number, channel: number, place: number, kind: number, aligned: number): void {
  const { world } = k;
  const checkpoint = world.task(task, Task.current);
  const mode = world.task(task, Task.mode);
  const all = aligned === world.task(task, Task.target);
  const inBand = kind !== ElementKind.unaligned;
  const waits = mode === Mode.alignedWaiting || mode === Mode.alignedCollecting;
  const timedOut = waits && inBand && !all && isTimedOut(k, task, kind);
  const switches = waits && (!inBand || timedOut);
  const begins = switches || mode === Mode.unalignedWaiting;
  if (switches) prioritizeAnnounced(k, task, checkpoint);
  if (begins) startPersisting(k, task, checkpoint);
  if (begins || mode === Mode.unalignedCollecting) persistOvertaken(k, channel, place);
  take(k, channel, place);
  become(k, task, begins || !waits ? Mode.unalignedCollecting : Mode.alignedCollecting);
  k.emit("BarrierReceived", task, channel, checkpoint, aligned);
  if (inBand && !(waits && all) && k.decisions.blocksChannel()) {
    world.setChannel(channel, Channel.blocked, checkpoint);
    k.next(Op.blockChannel, task, task, channel, checkpoint, 1);
  }
  if (waits && !begins) {
    if (all) k.next(Op.alternatingAligned, task, task, checkpoint, alignmentOf(kind));
    else k.next(Op.taskTurn, task, task);
    return;
  }
  if (begins) checkpointUnaligned(k, task, checkpoint);
  k.next(Op.inputPersisted, task, task, channel, checkpoint);
  if (all) k.next(Op.barriersReceived, task, task, checkpoint);
  k.next(Op.taskTurn, task, task);
}

function checkpointUnaligned(k: Kernel, task: number, checkpoint: number): void {
  const triggered = k.world.taskTime(task, TaskTime.barrier);
  k.next(Op.checkpointState, task, task, checkpoint, triggered, Alignment.unaligned);
}

/** CP-073: strictly later than the timeout after the trigger. */
function isTimedOut(k: Kernel, task: number, kind: number): boolean {
  const elapsed = k.now - k.world.taskTime(task, TaskTime.barrier);
  return kind === ElementKind.timeoutable && k.plan.scenario.config.checkpointing.alignedTimeout < elapsed;
}

/** CP-037: behind an exchange that forced it aligned, a checkpoint is again what it was. */
function alignmentOf(kind: number): number {
  if (kind === ElementKind.timeoutable || kind === ElementKind.forcedTimeoutable) return Alignment.timeoutable;
  return kind === ElementKind.forcedUnaligned ? Alignment.unaligned : Alignment.aligned;
}

/** The operation `alternatingAligned`: the last barrier is in, and none was unaligned. */
export function alternatingAligned(k: Kernel, task: number, checkpoint: number, alignment: number): void {
  completed(k, task, checkpoint);
  k.next(Op.checkpointState, task, task, checkpoint, k.world.taskTime(task, TaskTime.barrier), alignment);
}

/** The operation `barriersReceived`: the last barrier of an unaligned checkpoint is in; its input is closed (CP-078). */
export function barriersReceived(k: Kernel, task: number, checkpoint: number): void {
  completed(k, task, checkpoint);
  resumeBlocked(k, task);
  closeIfComplete(k, task, checkpoint);
}

function completed(k: Kernel, task: number, checkpoint: number): void {
  k.world.setTask(task, Task.done, checkpoint);
  k.cancel(Op.alignmentTimeout, task, checkpoint);
  become(k, task, Mode.alignedWaiting);
  k.emit("AlignmentCompleted", task, checkpoint, k.now - k.world.taskTime(task, TaskTime.alignment));
}

/** Barriers that were announced overtake what is before them: they are taken with priority from now on. */
function prioritizeAnnounced(k: Kernel, task: number, checkpoint: number): void {
  for (const channel of at(k.plan.graph.subtasks, task).inputs)
    if (k.world.channel(channel, Channel.announced) === checkpoint) prioritize(k, channel, checkpoint);
}

function prioritize(k: Kernel, channel: number, checkpoint: number): void {
  const place = placeOf(k, channel, checkpoint);
  if (place >= 0) k.world.setElement(channel, place, Element.kind, ElementKind.unaligned);
}

/** Elements that go before all data (CP-071, CP-072): an unaligned barrier, or the announcement of one that may time out. */
export function takePriority(k: Kernel, task: number): boolean {
  const { inputs } = at(k.plan.graph.subtasks, task);
  let soonest = -1;
  for (let i = 0; i < inputs.length; i++) {
    const channel = inputs[(k.firstInput + i) % inputs.length] as number;
    const place = priorityIn(k, task, channel, times);
    if (place < 0) continue;
    if (times.arrival > k.world.clock) {
      soonest = soonest < 0 ? times.arrival : Math.min(soonest, times.arrival);
      continue;
    }
    if (k.world.element(channel, place, Element.kind) === ElementKind.unaligned) onBarrier(k, task, channel, place);
    else onAnnouncement(k, task, channel, place);
    return true;
  }
  if (soonest >= 0) wake(k, task, soonest);
  return false;
}

/** The first element of a channel that goes before all data, as its place, and when it is there; `-1`: none. */
export function priorityIn(k: Kernel, task: number, channel: number, times: { arrival: number }): number {
  const { world } = k;
  const length = sentLength(k, channel);
  // Nothing overtakes on the wire: an element has arrived when all before it have.
  times.arrival = 0;
  for (let place = 0; place < length; place++) {
    const kind = world.element(channel, place, Element.kind);
    times.arrival = Math.max(times.arrival, world.element(channel, place, Element.arrival));
    if (kind !== ElementKind.unaligned && !(kind === ElementKind.timeoutable && isToAnnounce(k, task, channel, place)))
      continue;
    if (!isHeldBack(k, channel, times.arrival)) return place;
  }
  return -1;
}

/** A barrier that is next and can be taken needs no announcement. */
function isToAnnounce(k: Kernel, task: number, channel: number, place: number): boolean {
  if (k.world.channel(channel, Channel.announced) >= k.world.element(channel, place, Element.id)) return false;
  return place > 0 || !outputsAvailable(k, task);
}

function onAnnouncement(k: Kernel, task: number, channel: number, place: number): void {
  const { world } = k;
  const checkpoint = world.element(channel, place, Element.id);
  const current = world.task(task, Task.current);
  if (checkpoint > current && isPending(k, task)) {
    k.next(Op.abortAlternating, task, task, current, Declined.subsumed);
    k.next(Op.taskTurn, task, task);
    return;
  }
  k.cause = world.element(channel, place, Element.step);
  world.setChannel(channel, Channel.announced, checkpoint);
  if (checkpoint > current)
    begin(k, task, checkpoint, world.element(channel, place, Element.value), ElementKind.timeoutable);
  const mode = world.task(task, Task.mode);
  const unaligned = mode === Mode.unalignedWaiting || mode === Mode.unalignedCollecting;
  if (unaligned && checkpoint === world.task(task, Task.current) && isPending(k, task))
    prioritize(k, channel, checkpoint);
  k.emit("BarrierAnnounced", task, channel, checkpoint);
  k.next(Op.taskTurn, task, task);
}

export function alignmentTimeout(k: Kernel, task: number, checkpoint: number): void {
  post(k, task, k.world.task(task, Task.attempt), MailKind.alignmentTimeout, checkpoint, 0);
}

/** The timer's mail: a task that has a barrier takes its snapshot now, one that has none with the first barrier. */
export function onAlignmentTimeout(k: Kernel, task: number, checkpoint: number): void {
  const { world } = k;
  const mode = world.task(task, Task.mode);
  const waits = mode === Mode.alignedWaiting || mode === Mode.alignedCollecting;
  if (world.task(task, Task.current) === checkpoint && isPending(k, task) && waits) {
    prioritizeAnnounced(k, task, checkpoint);
    const collecting = mode === Mode.alignedCollecting;
    if (collecting) startPersisting(k, task, checkpoint);
    become(k, task, collecting ? Mode.unalignedCollecting : Mode.unalignedWaiting);
    k.emit("AlignmentTimedOut", task, checkpoint, k.now - world.taskTime(task, TaskTime.barrier));
    if (collecting) checkpointUnaligned(k, task, checkpoint);
  }
  k.next(Op.taskTurn, task, task);
}

/** The operation `abortAlternating` (CP-047): besides, the channel state is dropped, and the snapshot where it was taken. */
export function abortAlternating(k: Kernel, task: number, checkpoint: number, reason: number): void {
  const current = k.world.task(task, Task.current);
  if (isPending(k, task)) k.cancel(Op.alignmentTimeout, task, current);
  become(k, task, Mode.alignedWaiting);
  forget(k, task, checkpoint);
  failCaptures(k, task, current);
  giveUp(k, task, checkpoint, reason);
}

/** The cancel marker at the head of a channel (CP-048). */
export function onCancelMarker(k: Kernel, task: number, channel: number): void {
  takeCancelMarker(k, task, channel, Op.abortAlternating);
}

/**
 * A channel has ended: it counts as one that has delivered its barrier, also where none has come yet (CP-046). While
 * barriers are collected it may be the last one (section 9.2).
 */
export function channelEnded(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  const { afterTasksFinish, alignedTimeout } = k.plan.scenario.config.checkpointing;
  world.setChannel(channel, Channel.ended, 1);
  if (!isPending(k, task)) return;
  const checkpoint = world.task(task, Task.current);
  if (!afterTasksFinish) {
    k.next(Op.abortAlternating, task, task, checkpoint, Declined.endOfStream);
    return;
  }
  if (world.channel(channel, Channel.barrier) === checkpoint) return;
  const all = markAligned(k, task, channel) === world.task(task, Task.target);
  const mode = world.task(task, Task.mode);
  if (mode === Mode.unalignedCollecting) {
    persistOvertaken(k, channel, 0);
    k.next(Op.inputPersisted, task, task, channel, checkpoint);
    if (all) k.next(Op.barriersReceived, task, task, checkpoint);
  } else if (mode === Mode.alignedCollecting && all) {
    const alignment = alignedTimeout > 0 ? Alignment.timeoutable : Alignment.unaligned;
    k.next(Op.alternatingAligned, task, task, checkpoint, alignment);
  }
}

/** How many elements of a channel are with the reader. */
function arrivedLength(k: Kernel, channel: number): number {
  const sent = sentLength(k, channel);
  let length = 0;
  while (length < sent && k.world.element(channel, length, Element.arrival) <= k.now) length++;
  return length;
}

/** The trigger message for a task with channels that have not ended; `alignment` is the checkpoint's. */
export function triggerOpenChannels(
  k: Kernel,
  task: number,
  checkpoint: number,
  triggered: number,
  alignment: number,
): void {
  const { world } = k;
  const current = world.task(task, Task.current);
  if (checkpoint > current && isPending(k, task)) {
    k.next(Op.abortAlternating, task, task, current, Declined.subsumed);
    k.next(Op.triggerOpenChannels, task, task, checkpoint, triggered);
    return;
  }
  if (checkpoint < current || (checkpoint === current && !isPending(k, task))) {
    k.next(Op.taskTurn, task, task);
    return;
  }
  const kind = alignment === Alignment.timeoutable ? ElementKind.timeoutable : ElementKind.unaligned;
  if (checkpoint > current) begin(k, task, checkpoint, triggered, kind);
  const open = at(k.plan.graph.subtasks, task).inputs.filter((channel) => world.channel(channel, Channel.ended) === 0);
  const missing = open.filter((channel) => world.channel(channel, Channel.barrier) !== checkpoint);
  const mode = world.task(task, Task.mode);
  const waits = mode === Mode.alignedWaiting || mode === Mode.alignedCollecting;
  if (waits && kind === ElementKind.timeoutable && (missing.length === 1 || !isTimedOut(k, task, kind))) {
    for (const channel of missing) markAligned(k, task, channel);
    become(k, task, Mode.alignedCollecting);
    k.next(Op.alternatingAligned, task, task, checkpoint, Alignment.timeoutable);
    return;
  }
  const begins = mode !== Mode.unalignedCollecting;
  if (begins) startPersisting(k, task, checkpoint);
  for (const channel of missing) {
    markAligned(k, task, channel);
    persistOvertaken(k, channel, arrivedLength(k, channel));
  }
  become(k, task, Mode.unalignedCollecting);
  if (begins) checkpointUnaligned(k, task, checkpoint);
  for (const channel of missing) k.next(Op.inputPersisted, task, task, channel, checkpoint);
  k.next(Op.barriersReceived, task, task, checkpoint);
  k.next(Op.taskTurn, task, task);
}
