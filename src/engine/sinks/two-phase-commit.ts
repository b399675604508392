/**
 * The classic transactional sink over a database (`TwoPhaseCommitSinkFunction`; SK-120 to SK-130). At a barrier the current
 * transaction is flushed, prepared and put with the pending ones, and the next one begins; state is the pending ones and
 * the **new** current one. A completed checkpoint commits the pending ones up to it, oldest first; the first error is
 * thrown after the last of them, and none is tried twice. A restored attempt commits what was pending, aborts what was
 * current, and begins anew: a transaction that was begun behind a checkpoint that came to nothing is in no state, so it
 * stays until the database gives it up (SK-129). Aborted checkpoints change nothing. After the end of input nothing begins.
 *
 * State is a list of (transaction, 0, checkpoint), where a current one has checkpoint 0. Simpler than Flink: what it does in
 * its snapshot it does right before the barrier leaves, which no output of a sink can tell. Left out: the warning when a
 * transaction nears its timeout.
 */
import { at } from "../../base/assert.ts";
import { failureCauses } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { Life, Task, Txn, Writer } from "../layout.ts";
import { Client, Decider, preCommitted, rowOf } from "../log-broker/transactions.ts";
import { Actor, Op } from "../ops.ts";
import { commitErrorOf, failCommit, takeCommitError } from "./commit-errors.ts";
import { abort, begin, currentTransaction, insertOrFail } from "./database.ts";
import { type Sink, ends, goOn, noTimer, opened, send, sinkState, writerOf } from "./sink.ts";

interface Held {
  readonly transaction: number;
  /** 0: it is the current one, which a restore aborts. */
  readonly checkpoint: number;
}

function heldBy(k: Kernel, task: number, operator: number): Held[] {
  const words = k.arena.sequences.toArray(k.world.state[sinkState(k, task, operator)] as number);
  return Array.from({ length: words.length / 3 }, (_, place) => ({
    transaction: at(words, 3 * place),
    checkpoint: at(words, 3 * place + 2),
  }));
}

function hold(k: Kernel, task: number, operator: number, all: readonly Held[]): void {
  const words = all.flatMap(({ transaction, checkpoint }) => [transaction, 0, checkpoint]);
  k.world.state[sinkState(k, task, operator)] = k.arena.sequences.intern(words);
}

const without = (all: readonly Held[], transaction: number): Held[] =>
  all.filter((held) => held.transaction !== transaction);

/** SK-120: there is a current transaction before any record is written, and it is in the state of the next checkpoint. */
function beginNext(k: Kernel, task: number, operator: number, checkpoint: number): void {
  begin(k, task, operator, checkpoint);
  const transaction = currentTransaction(k, task, operator);
  hold(k, task, operator, [...heldBy(k, task, operator), { transaction, checkpoint: 0 }]);
}

/** Has the sink finished, so that it writes no more? One that stops without being drained has not. */
function hasFinished({ world }: Kernel, task: number): boolean {
  return world.task(task, Task.finish) !== 0 && world.task(task, Task.undrained) === 0;
}

/** SK-122, SK-130: at a barrier; as the data ends all is flushed, and that is all. */
function barrier(k: Kernel, task: number, operator: number, checkpoint: number): boolean {
  const transaction = currentTransaction(k, task, operator);
  if (ends(k, task) || transaction < 0) return true;
  const writer = writerOf(k, task, operator);
  if (k.world.transactions.get(rowOf(k, transaction), Txn.client) !== Client.open) {
    const attempt = k.world.task(task, Task.attempt);
    k.next(Op.taskFail, task, task, attempt, failureCauses.indexOf("TRANSACTION_ABORTED"));
    return false;
  }
  preCommitted(k, transaction, checkpoint, 0);
  hold(k, task, operator, [...without(heldBy(k, task, operator), transaction), { transaction, checkpoint }]);
  k.world.setWriter(writer, Writer.offset, 0);
  k.emit("TransactionPreCommitted", task, transaction, checkpoint, k.world.writer(writer, Writer.records));
  k.world.setWriter(writer, Writer.records, 0);
  if (!hasFinished(k, task)) k.next(Op.beginTransaction, task, task, operator, checkpoint + 1);
  return true;
}

const isInitializing = ({ world }: Kernel, task: number): boolean => world.task(task, Task.life) === Life.initializing;

/** SK-123, SK-124: commits the oldest pending transaction up to `checkpoint`; after the last, what comes then. */
function commit(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const all = heldBy(k, task, operator);
  const due = all.find((held) => held.checkpoint > 0 && k.decisions.mayCommit(held.checkpoint, checkpoint));
  if (due === undefined || decider === Decider.endOfInput) return afterLast(k, task, operator, checkpoint, decider);
  const error = takeCommitError(k, task);
  k.emit("TransactionCommitRequested", task, due.transaction, due.checkpoint, decider);
  const { commit: duration } = k.plan.scenario.timing;
  if (error === null || error === "reply-lost")
    k.after(duration >> 1, Op.databaseCommit, Actor.wire, due.transaction, task, due.checkpoint, decider);
  k.after(duration, Op.commitReply, task, task, operator, checkpoint, decider);
}

/** The answer: whatever it is, the transaction is pending no more, unless an exception leaves the restore at once (SK-126). */
function replied(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const all = heldBy(k, task, operator);
  const due = all.find((held) => held.checkpoint > 0 && k.decisions.mayCommit(held.checkpoint, checkpoint));
  if (due === undefined) return failCommit(k, task);
  const row = rowOf(k, due.transaction);
  const committed = row >= 0 && k.world.transactions.get(row, Txn.client) === Client.committed;
  const fails = commitErrorOf(k, task) !== null || !committed;
  const ignored = fails && isInitializing(k, task) && isIgnored(k, operator, row);
  if (fails && !ignored && isInitializing(k, task)) return failCommit(k, task);
  hold(k, task, operator, without(all, due.transaction));
  if (ignored)
    k.emit(
      "CommitFailureIgnored",
      task,
      due.transaction,
      due.checkpoint,
      k.now - k.world.transactions.get(row, Txn.start),
    );
  else if (fails) k.world.setWriter(writerOf(k, task, operator), Writer.failed, 1);
  k.next(Op.commitNext, task, task, operator, checkpoint, decider);
}

/** SK-127: a restore passes a failed commit by whose transaction is older than the sink was told it may become. */
function isIgnored(k: Kernel, operator: number, row: number): boolean {
  const { vertex } = at(k.plan.graph.operators, operator);
  if (
    vertex.type !== "two-phase-commit-sink" ||
    !vertex.ignoreFailures ||
    vertex.transactionTimeout === null ||
    row < 0
  )
    return false;
  return k.now - k.world.transactions.get(row, Txn.start) > vertex.transactionTimeout;
}

/** A restore aborts what was current, one by one; else the first error of the loop is thrown now. */
function afterLast(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const writer = writerOf(k, task, operator);
  const all = heldBy(k, task, operator);
  const current = isInitializing(k, task) ? all.find((held) => held.checkpoint === 0) : undefined;
  if (current !== undefined) {
    hold(k, task, operator, without(all, current.transaction));
    const row = rowOf(k, current.transaction);
    if (row >= 0 && k.world.transactions.get(row, Txn.client) === Client.committed) {
      const attempt = k.world.task(task, Task.attempt);
      k.next(Op.taskFail, task, task, attempt, failureCauses.indexOf("ABORT_REFUSED"));
      return;
    }
    abort(k, task, current.transaction, Decider.restore);
    k.next(Op.commitNext, task, task, operator, checkpoint, decider);
  } else if (k.world.writer(writer, Writer.failed) === 1) {
    failCommit(k, task);
  } else {
    goOn(k, task, operator, checkpoint, decider);
  }
}

/** SK-128. */
function close(k: Kernel, task: number, operator: number): void {
  const transaction = currentTransaction(k, task, operator);
  if (transaction >= 0 && k.decisions.abortsOnClose()) abort(k, task, transaction, Decider.close);
}

export const twoPhaseCommit: Sink = {
  write: send,
  arrive: insertOrFail,
  barrier,
  begin: beginNext,
  snapshotTaken: () => {},
  open: (k, task, operator) => {
    if (k.decisions.recommits())
      k.next(Op.commitNext, task, task, operator, k.world.task(task, Task.restore), Decider.restore);
    else k.next(Op.startSink, task, task, operator);
  },
  start: (k, task, operator) => {
    k.next(Op.beginTransaction, task, task, operator, k.world.task(task, Task.restore) + 1);
    opened(k, task, operator);
  },
  commit,
  replied,
  timer: noTimer,
  close,
};
