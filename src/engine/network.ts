/**
 * Channels: bounded, first in first out, in credit (`PipelinedSubpartition`, `RemoteInputChannel`; CP-032, CP-034,
 * CP-038, CP-042). One record is one buffer; what is on the wire counts. As in Flink a task takes no further input while
 * any of its channels is full, so its outputs always fit: several outputs of one record use overdraft buffers. Barriers
 * and other events need no buffer. Barriers that overtake are `channel-state.ts`. Left out: bytes, floating buffers, the
 * time that credit takes.
 */
import { at } from "../base/assert.ts";
import { clearReading, isBlocking } from "./blocking-results.ts";
import type { Kernel } from "./kernel.ts";
import { Channel, Element, ElementKind, Task } from "./layout.ts";
import { isHeldBack } from "./network-cuts.ts";
import { latencyOf } from "./slow.ts";
import { wake } from "./mailbox.ts";
import { Op } from "./ops.ts";

/** May the task work on another input: has each of its output channels a free buffer? */
export function outputsAvailable(k: Kernel, task: number): boolean {
  const { outputs } = at(k.plan.graph.subtasks, task);
  for (let i = 0; i < outputs.length; i++) {
    const channel = outputs[i] as number;
    if (isBlocking(k, channel)) continue;
    if (k.world.channel(channel, Channel.records) >= (k.plan.capacity[channel] as number)) return false;
  }
  return true;
}

/** Among records a committable goes by a number below 0 (`committables.ts`). */
export function isCommittable(record: number): boolean {
  return record < 0;
}

/** Puts an element behind all that is in the channel; it arrives after the channel's latency. */
export function put(k: Kernel, channel: number, kind: number, id: number, value: number): void {
  const { world } = k;
  const arrival = world.clock + latencyOf(k, channel);
  world.enqueue(channel, kind, id, value, arrival, k.cause);
  wake(k, at(k.plan.graph.channels, channel).to, arrival);
}

/** The operation `send`: a record leaves. */
export function send(k: Kernel, task: number, channel: number, record: number, value: number): void {
  k.emit("RecordSent", task, channel, record, value);
  put(k, channel, ElementKind.record, record, value);
  const before = k.world.channel(channel, Channel.length) - 2;
  if (
    !k.decisions.isFirstInFirstOut() &&
    before >= 0 &&
    k.world.element(channel, before, Element.kind) === ElementKind.record
  ) {
    overtake(k, channel, before);
  }
}

/** What a channel of Flink's never does: its last element overtakes those from `place` on. Only a broken rule asks for it. */
export function overtake(k: Kernel, channel: number, place: number): void {
  const { world } = k;
  const length = world.channel(channel, Channel.length);
  const fields = [Element.kind, Element.id, Element.value, Element.arrival, Element.step] as const;
  const elements = Array.from({ length }, (_, index) => fields.map((field) => world.element(channel, index, field)));
  elements.splice(place, 0, ...elements.splice(length - 1));
  for (let i = 0; i < length; i++) world.dequeue(channel);
  for (const [kind, id, value, arrival, step] of elements as [number, number, number, number, number][]) {
    world.enqueue(channel, kind, id, value, arrival, step);
  }
}

/** What a task of Flink's never does: the records that have arrived at a channel's head are lost. Only a broken rule asks for it. */
export function dropBuffered(k: Kernel, channel: number): void {
  const { world } = k;
  while (world.channel(channel, Channel.length) > 0 && world.element(channel, 0, Element.kind) === ElementKind.record) {
    if (world.element(channel, 0, Element.arrival) > world.clock) return;
    take(k, channel);
  }
}

/**
 * The input channel whose head the task takes next, in turn over those that have something and are not blocked; `-1`
 * where there is none, and then `times.arrival` is when the next head arrives (`-1`: nothing is on its way).
 */
export function nextInput(k: Kernel, task: number, times: { arrival: number }): number {
  const { world } = k;
  const { inputs } = at(k.plan.graph.subtasks, task);
  const count = inputs.length;
  const last = world.task(task, Task.inChannel);
  times.arrival = -1;
  for (let i = 1; i <= count; i++) {
    const place = (last + i) % count;
    const channel = inputs[place] as number;
    if (world.channel(channel, Channel.length) === 0 || world.channel(channel, Channel.blocked) !== 0) continue;
    const arrival = world.element(channel, 0, Element.arrival);
    if (isHeldBack(k, channel, arrival)) continue;
    if (arrival <= world.clock) {
      world.setTask(task, Task.inChannel, place);
      return channel;
    }
    if (times.arrival < 0 || arrival < times.arrival) times.arrival = arrival;
  }
  return -1;
}

/** Takes the head away, or a barrier that has priority; a record's buffer is free, so the sender may go on. */
export function take(k: Kernel, channel: number, place = 0): void {
  const record = k.world.element(channel, place, Element.kind) === ElementKind.record;
  k.world.dequeue(channel, place);
  if (record) credit(k, channel);
}

/** The sender of a channel may send: a record, or a barrier that waits in its buffers. */
export function credit(k: Kernel, channel: number): void {
  const { from } = at(k.plan.graph.channels, channel);
  wake(k, from, k.now);
  if (k.world.channel(channel, Channel.held) !== 0) k.next(Op.barrierSent, from, from, channel);
}

/** A new attempt has new channels: what was in the old ones is gone (FR-092). */
export function clearChannels(k: Kernel, task: number): void {
  const { inputs, outputs } = at(k.plan.graph.subtasks, task);
  for (const channel of inputs) clearReading(k, channel);
  for (const channel of outputs) k.world.clearChannel(channel);
}

/** An ended attempt reads nothing more. */
export function clearInputs(k: Kernel, task: number): void {
  for (const channel of at(k.plan.graph.subtasks, task).inputs) clearReading(k, channel);
}
