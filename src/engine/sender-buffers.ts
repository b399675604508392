/**
 * Barriers in the sender's buffers (`PipelinedSubpartition`; CP-032, CP-037, CP-075, CP-077): a barrier goes in band, or ahead
 * of what has no credit yet, which is its checkpoint's output channel state (`channel-state.ts`). A channel is one queue: what
 * the reader has credit for is on the wire or with the reader, what is behind that, or behind a barrier that blocks, is here.
 */
import { at } from "../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import { Side, closeIfComplete, persist, told } from "./channel-state.ts";
import { Alignment, Channel, Element, ElementKind, Task } from "./layout.ts";
import { MailKind, post, wake } from "./mailbox.ts";
import { put } from "./network.ts";
import { Op } from "./ops.ts";
import { latencyOf } from "./slow.ts";

/** Exclusive buffers of a channel at the reader (`taskmanager.network.memory.buffers-per-channel`). */
const CREDIT = 2;
const blocking: ReadonlySet<number> = new Set([
  ElementKind.barrier,
  ElementKind.timeoutable,
  ElementKind.forcedTimeoutable,
  ElementKind.forcedUnaligned,
]);

/** What a channel has besides barriers. */
const noBarriers: ReadonlySet<number> = new Set([
  ElementKind.record,
  ElementKind.cancelMarker,
  ElementKind.endOfData,
  ElementKind.endOfPartition,
]);

/** How many elements of a channel have left the sender's buffers. */
export function sentLength(k: Kernel, channel: number): number {
  const { world } = k;
  if (world.channel(channel, Channel.blocked) !== 0) return 0;
  const length = world.channel(channel, Channel.length);
  for (let i = 0, records = 0; i < length; i++) {
    const kind = world.element(channel, i, Element.kind);
    if (kind === ElementKind.record && ++records > CREDIT) return i;
    if (blocking.has(kind)) return i + 1;
  }
  return length;
}

/** Where a checkpoint's barrier is in a channel; `-1`: not there. */
export function placeOf(k: Kernel, channel: number, checkpoint: number): number {
  const { world } = k;
  for (let i = 0; i < world.channel(channel, Channel.length); i++) {
    const barrier = !noBarriers.has(world.element(channel, i, Element.kind));
    if (barrier && world.element(channel, i, Element.id) === checkpoint) return i;
  }
  return -1;
}

/** Puts a barrier into a channel: in band, or ahead of what is in the sender's buffers (CP-032, CP-037). */
export function putBarrier(k: Kernel, task: number, channel: number, checkpoint: number, triggered: number): void {
  const { world } = k;
  const alignment = world.task(task, Task.alignment);
  const able = k.plan.overtakes[at(k.plan.graph.channels, channel).edge] === true;
  put(k, channel, kindOf(alignment, able), checkpoint, triggered);
  if (alignment === Alignment.aligned || !able) return;
  if (sentLength(k, channel) >= world.channel(channel, Channel.length)) return;
  if (alignment === Alignment.timeoutable) world.setChannel(channel, Channel.held, checkpoint);
  else k.next(Op.overtakeBuffers, task, task, channel, checkpoint);
}

function kindOf(alignment: number, able: boolean): number {
  if (alignment === Alignment.timeoutable) return able ? ElementKind.timeoutable : ElementKind.forcedTimeoutable;
  if (alignment === Alignment.unaligned) return able ? ElementKind.unaligned : ElementKind.forcedUnaligned;
  return ElementKind.barrier;
}

/** The operation `overtakeBuffers`: the barrier goes ahead of the sender's buffers, which are its output channel state (CP-077). */
export function overtakeBuffers(k: Kernel, task: number, channel: number, checkpoint: number): void {
  const { world } = k;
  const place = placeOf(k, channel, checkpoint);
  const start = sentLength(k, channel);
  let records = 0;
  for (let i = start; i < place; i++) records += persist(k, channel, i, Channel.output);
  world.setElement(channel, place, Element.kind, ElementKind.unaligned);
  const arrival = k.now + latencyOf(k, channel);
  world.setElement(channel, place, Element.arrival, arrival);
  if (start < place && k.decisions.overtakes()) world.advanceElement(channel, place, start);
  world.setChannel(channel, Channel.held, 0);
  wake(k, at(k.plan.graph.channels, channel).to, arrival);
  if (records > 0) told(k, task, channel, checkpoint, records, Side.output);
  closeIfComplete(k, task, checkpoint);
}

/** The sender's timer: barriers that have not left its buffers turn unaligned and overtake them (CP-075). */
export function onOutputTimeout(k: Kernel, task: number, checkpoint: number): void {
  for (const channel of at(k.plan.graph.subtasks, task).outputs) {
    if (k.world.channel(channel, Channel.held) !== checkpoint) continue;
    k.next(Op.overtakeBuffers, task, task, channel, checkpoint);
  }
  k.next(Op.taskTurn, task, task);
}

/** Arms the sender's timer, if a timeoutable barrier is still in its buffers (CP-030, step 3). */
export function armOutputTimer(k: Kernel, task: number, checkpoint: number, triggered: number): void {
  const { outputs } = at(k.plan.graph.subtasks, task);
  if (!outputs.some((channel) => k.world.channel(channel, Channel.held) === checkpoint)) return;
  k.after(untilTimeout(k, triggered), Op.outputTimeout, task, task, checkpoint);
}

/** Milliseconds until an aligned checkpoint that was triggered then times out. */
export function untilTimeout(k: Kernel, triggered: number): number {
  return Math.max(0, k.plan.scenario.config.checkpointing.alignedTimeout - (k.now - triggered));
}

export function outputTimeout(k: Kernel, task: number, checkpoint: number): void {
  post(k, task, k.world.task(task, Task.attempt), MailKind.outputTimeout, checkpoint, 0);
}

/** The operation `barrierSent`: credit came, and a held barrier may have left the sender's buffers. */
export function barrierSent(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  const checkpoint = world.channel(channel, Channel.held);
  const place = placeOf(k, channel, checkpoint);
  if (place < 0 || place >= sentLength(k, channel)) return;
  const arrival = k.now + latencyOf(k, channel);
  world.setChannel(channel, Channel.held, 0);
  world.setElement(channel, place, Element.arrival, Math.max(arrival, world.element(channel, place, Element.arrival)));
  wake(k, at(k.plan.graph.channels, channel).to, arrival);
  closeIfComplete(k, task, checkpoint);
}
