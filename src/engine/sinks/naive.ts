/**
 * The home-made sink that commits at the barrier (`naive-sink`; a laboratory animal, Flink has none): one transaction from
 * barrier to barrier, flushed and committed before the barrier leaves. It is wrong because the commit does not wait for
 * its checkpoint (INV-113): if that one never completes, the job goes back before records that readers have seen, and they
 * come twice. What a commit that failed has done it does not know, so it fails its task, and may double that too.
 */
import type { Kernel } from "../kernel.ts";
import { Task, Txn, Writer } from "../layout.ts";
import { Client, Decider, preCommitted, rowOf } from "../log-broker/transactions.ts";
import { Actor, Op } from "../ops.ts";
import { commitErrorOf, failCommit, takeCommitError } from "./commit-errors.ts";
import { abort, begin, currentTransaction, insertOrFail } from "./database.ts";
import { type Sink, ends, goOn, noTimer, opened, send, writerOf } from "./sink.ts";

/** Commits what was written since the last barrier; the barrier waits for the answer. */
function barrier(k: Kernel, task: number, operator: number, checkpoint: number): boolean {
  const records = k.world.writer(writerOf(k, task, operator), Writer.records);
  if (records === 0) return true;
  const transaction = currentTransaction(k, task, operator);
  preCommitted(k, transaction, checkpoint, 0);
  k.emit("TransactionPreCommitted", task, transaction, checkpoint, records);
  k.next(Op.commitNext, task, task, operator, checkpoint, Decider.barrier);
  return false;
}

/** Nothing is left to do when a checkpoint is complete: that is what is wrong. */
function commit(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  if (decider !== Decider.barrier) return goOn(k, task, operator, checkpoint, decider);
  const transaction = currentTransaction(k, task, operator);
  const error = takeCommitError(k, task);
  k.emit("TransactionCommitRequested", task, transaction, checkpoint, decider);
  const { commit: duration } = k.plan.scenario.timing;
  if (error === null || error === "reply-lost")
    k.after(duration >> 1, Op.databaseCommit, Actor.wire, transaction, task, checkpoint, decider);
  k.after(duration, Op.commitReply, task, task, operator, checkpoint, decider);
}

function replied(k: Kernel, task: number, operator: number, checkpoint: number): void {
  const row = rowOf(k, currentTransaction(k, task, operator));
  const committed = k.world.transactions.get(row, Txn.client) === Client.committed;
  if (commitErrorOf(k, task) !== null || !committed) return failCommit(k, task);
  const writer = writerOf(k, task, operator);
  k.world.setWriter(writer, Writer.offset, 0);
  k.world.setWriter(writer, Writer.records, 0);
  if (!ends(k, task)) k.next(Op.beginTransaction, task, task, operator, checkpoint + 1);
  k.next(Op.preCommit, task, task, 0);
}

function close(k: Kernel, task: number, operator: number): void {
  const transaction = currentTransaction(k, task, operator);
  if (transaction >= 0) abort(k, task, transaction, Decider.close);
}

export const naive: Sink = {
  write: send,
  arrive: insertOrFail,
  barrier,
  begin,
  snapshotTaken: () => {},
  open: (k, task, operator) => {
    k.next(Op.beginTransaction, task, task, operator, k.world.task(task, Task.restore) + 1);
    opened(k, task, operator);
  },
  start: opened,
  commit,
  replied,
  timer: noTimer,
  close,
};
