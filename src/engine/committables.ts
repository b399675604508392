/**
 * Committables on their way from the tasks that write to a committer that is a task of its own (`SinkWriterOperator`,
 * `CommittableMessage`, `CommitterOperator.processElement`; SK-140, SK-141, SK-151). To a channel one is a record: it takes a
 * buffer, stays in order with barriers, can be overtaken and be channel state. Its number is below 0, `-1` minus the handle
 * of what it says; its value is its checkpoint. What a committer does with it is its own (`Sink.receive`).
 */
import { at } from "../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import { ElementKind } from "./layout.ts";
import { persistReceived } from "./channel-state.ts";
import { put, take } from "./network.ts";
import { Op } from "./ops.ts";
import { sinkOfKind } from "./sinks/kinds.ts";
import { type Committable, numberOf, sinkOf } from "./sinks/sink.ts";
import { costOf } from "./slow.ts";

/** The number by which it goes among records. */
export function numberOfCommittable(k: Kernel, { transaction, count, writer, writers }: Committable): number {
  return -1 - k.arena.sequences.intern([transaction, count, writer, writers]);
}

/** What is known by that number. */
export function committableOf(k: Kernel, record: number, checkpoint: number): Committable {
  const word = (place: number): number => k.arena.sequences.item(-1 - record, place);
  return { checkpoint, transaction: word(0), count: word(1), writer: word(2), writers: word(3) };
}

/** A sink's subtask hands something to its committer: the barrier, or the end of data, goes behind it (SK-141). */
export function handOver(
  k: Kernel,
  task: number,
  operator: number,
  checkpoint: number,
  transaction: number,
  count: number,
  writers = at(k.plan.graph.operators, operator).vertex.parallelism,
): void {
  const writer = numberOf(k, task);
  const record = numberOfCommittable(k, { checkpoint, transaction, count, writer, writers });
  for (const edge of at(k.plan.graph.operators, operator).outputs) {
    const channel = at(at(at(k.plan.channelsOf, edge), writer), 0);
    k.next(Op.sendCommittable, task, task, channel, record, checkpoint);
  }
}

/** The operation `sendCommittable`. */
export function sendCommittable(k: Kernel, task: number, channel: number, record: number, checkpoint: number): void {
  const { transaction, count, writer, writers } = committableOf(k, record, checkpoint);
  k.emit("CommittableSent", task, channel, checkpoint, transaction, count, writer, writers);
  put(k, channel, ElementKind.record, record, checkpoint);
}

/** The operation `takeCommittable`: it is at the head of a channel, and the thread takes it in hand. */
export function takeCommittable(k: Kernel, task: number, channel: number, record: number, checkpoint: number): void {
  const { transaction, count, writer, writers } = committableOf(k, record, checkpoint);
  take(k, channel);
  persistReceived(k, channel, record, checkpoint);
  k.emit("CommittableReceived", task, channel, checkpoint, transaction, count, writer, writers);
  k.after(costOf(k, task), Op.committableDone, task, task, record, checkpoint);
}

/** The operation `committableDone`: the committer has it. */
export function committableDone(k: Kernel, task: number, record: number, checkpoint: number): void {
  // One committer is all that is in its task.
  const operator = at(at(k.plan.sinksOf, task), 0);
  const busy = sinkOfKind(sinkOf(k, operator).kind).receive?.(k, task, operator, committableOf(k, record, checkpoint));
  if (busy !== true) k.next(Op.taskFree, task, task);
}
