/**
 * The write-ahead log sink (`GenericWriteAheadSink`, `CheckpointCommitter`; SK-170 to SK-174, INV-124). Records since the
 * last barrier are in a stream of the checkpoint storage; at the barrier it is closed and joins the pending batches, which
 * are the operator's state. With the word that a checkpoint is complete they are sent, oldest first, and each is recorded
 * as committed in a store of the committer's own, outside of Flink's state: two steps with a gap between them. What fails
 * in the gap, or in the middle of sending, makes the batch come again (SK-173). Nothing is ever lost, and no failure of
 * the store fails the job. Left out: at the end of input without checkpoints nothing is sent, as in Flink.
 */
import { at } from "../../base/assert.ts";
import { commitErrors } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { BatchRecord, Writer } from "../layout.ts";
import { Decider } from "../log-broker/transactions.ts";
import { Op } from "../ops.ts";
import { type Batch, pending, setPending } from "./batches.ts";
import { commitErrorOf, takeCommitError } from "./commit-errors.ts";
import { type Sink, goOn, noTimer, numberOf, opened, store, writerOf } from "./sink.ts";

/** The record is in the stream; nothing goes out. */
function write(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const { lists } = k.arena;
  const writer = writerOf(k, task, operator);
  const buffer = lists.append(k.world.writer(writer, Writer.buffer), record);
  k.world.setWriter(writer, Writer.buffer, lists.append(buffer, value));
}

/** The stream is closed; if it holds anything it is the batch of this checkpoint (SK-170). */
function barrier(k: Kernel, task: number, operator: number, checkpoint: number): boolean {
  const writer = writerOf(k, task, operator);
  const list = k.world.writer(writer, Writer.buffer);
  if (list === 0) return true;
  k.world.setWriter(writer, Writer.buffer, 0);
  const batch = { list, subtask: numberOf(k, task), checkpoint };
  setPending(k, task, operator, [...pending(k, task, operator), batch]);
  k.emit("BatchLogged", task, operator, checkpoint, k.arena.lists.toArray(list).length / 2);
  return true;
}

/** Has the committer recorded this batch? Its store outlives jobs. */
function recordedRow(k: Kernel, operator: number, { subtask, checkpoint }: Batch): number {
  const { recorded } = k.world;
  const identity = at(k.plan.graph.identities, operator);
  for (let row = 0; row < recorded.count; row++)
    if (
      recorded.get(row, BatchRecord.operator) === identity &&
      recorded.get(row, BatchRecord.subtask) === subtask &&
      recorded.get(row, BatchRecord.checkpoint) === checkpoint
    )
      return row;
  return -1;
}

/** A batch leaves the pending ones: it is recorded, now or before. */
function drop(k: Kernel, task: number, operator: number, batch: Batch, again: boolean): void {
  const others = pending(k, task, operator).filter(({ checkpoint }) => checkpoint !== batch.checkpoint);
  setPending(k, task, operator, others);
  k.emit("BatchCommitted", task, operator, batch.checkpoint, again ? 1 : 0);
}

/** On a restore what is recorded is dropped, and nothing is sent (SK-172); on a notification the batches go out (SK-171). */
function commit(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  if (decider === Decider.endOfInput) return goOn(k, task, operator, checkpoint, decider);
  if (decider === Decider.notification) {
    k.world.setWriter(writerOf(k, task, operator), Writer.cursor, 0);
    k.next(Op.sendBatch, task, task, operator, checkpoint);
    return;
  }
  const known = pending(k, task, operator).find((batch) => recordedRow(k, operator, batch) >= 0);
  if (known === undefined) return goOn(k, task, operator, checkpoint, decider);
  drop(k, task, operator, known, true);
  k.next(Op.commitNext, task, task, operator, checkpoint, decider);
}

/** The operation `sendBatch`: the next batch up to this checkpoint, behind those that were left for the next notification. */
export function sendBatch(k: Kernel, task: number, operator: number, upTo: number): void {
  const writer = writerOf(k, task, operator);
  const batch = pending(k, task, operator)[k.world.writer(writer, Writer.cursor)];
  if (batch === undefined || batch.checkpoint > upTo) return goOn(k, task, operator, upTo, Decider.notification);
  if (recordedRow(k, operator, batch) >= 0) {
    drop(k, task, operator, batch, true);
    k.next(Op.sendBatch, task, task, operator, upTo);
    return;
  }
  const error = takeCommitError(k, task);
  if (error === null || error === "reply-lost") {
    const { commit: duration } = k.plan.scenario.timing;
    k.after(duration >> 1, Op.sendValues, task, task, operator, batch.list);
    k.after(duration, Op.commitReply, task, task, operator, upTo, Decider.notification);
    return;
  }
  keep(k, task, operator, batch, error);
  if (error === "fatal") return goOn(k, task, operator, upTo, Decider.notification);
  // `sendValues` gave false: this batch waits for the next notification, the next one does not.
  k.world.setWriter(writer, Writer.cursor, k.world.writer(writer, Writer.cursor) + 1);
  k.next(Op.sendBatch, task, task, operator, upTo);
}

function keep(k: Kernel, task: number, operator: number, batch: Batch, error: (typeof commitErrors)[number]): void {
  k.emit("BatchKept", task, operator, batch.checkpoint, commitErrors.indexOf(error));
}

/** The operation `sendValues`: the records of a batch, one by one; the store takes each as it comes. */
export function sendValues(k: Kernel, task: number, operator: number, list: number): void {
  const words = k.arena.lists.toArray(list);
  for (let i = 0; i < words.length; i += 2) k.next(Op.append, task, task, operator, at(words, i), at(words, i + 1));
}

/** All of a batch is sent; now it is recorded, unless that fails: an exception stops the round, and is only logged. */
function replied(k: Kernel, task: number, operator: number, upTo: number): void {
  const batch = at(pending(k, task, operator), k.world.writer(writerOf(k, task, operator), Writer.cursor));
  const error = commitErrorOf(k, task);
  if (error !== null) {
    keep(k, task, operator, batch, error);
    goOn(k, task, operator, upTo, Decider.notification);
    return;
  }
  if (!k.decisions.recordsBatch()) return goOn(k, task, operator, upTo, Decider.notification);
  k.world.recorded.push(at(k.plan.graph.identities, operator), batch.subtask, batch.checkpoint);
  drop(k, task, operator, batch, false);
  k.next(Op.sendBatch, task, task, operator, upTo);
}

export const writeAheadLog: Sink = {
  write,
  arrive: (k, task, operator, record, value) => store(k, task, operator, record, value, -1, 0),
  barrier,
  begin: () => {},
  snapshotTaken: () => {},
  open: (k, task, operator) => k.next(Op.commitNext, task, task, operator, 0, Decider.restore),
  start: opened,
  commit,
  replied,
  timer: noTimer,
  close: () => {},
};
