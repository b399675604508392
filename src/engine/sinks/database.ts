/**
 * The transactional database behind a sink that is not Kafka's (SK-131), a model and no product: a transaction is ACTIVE
 * (open), PREPARED (pre-committed), then COMMITTED or ABORTED. Its rows become visible when it is committed, all at once;
 * nobody waits behind an open one. It outlives its client, whatever it is in; the database aborts it a while after its
 * first row. A name is used once: it counts the transactions that this subtask of the sink has ever begun. Left out: locks,
 * connections.
 */
import { transactionNumber, transactionPrefix, transactionSubtask } from "../../protocol/ids.ts";
import { failureCauses } from "../../protocol/reasons.ts";
import { Machine } from "../../protocol/machines/all.ts";
import type { Kernel } from "../kernel.ts";
import { Task, Txn, Writer } from "../layout.ts";
import { Answer, Client, TxnState, end, recycle, rowOf, takePart } from "../log-broker/transactions.ts";
import { Actor, Op } from "../ops.ts";
import { landed, numberOf, partitionOf, sinkOf, store, writerOf } from "./sink.ts";

const OFFSETS = 1 << 16;
/** Why a task fails whose open transaction, or part file, is not there any more. */
const GONE = {
  rows: failureCauses.indexOf("TRANSACTION_ABORTED"),
  files: failureCauses.indexOf("PART_FILE_LOST"),
} as const;

/** The writer's current transaction; `-1`: none is begun. */
export function currentTransaction(k: Kernel, task: number, operator: number): number {
  const offset = k.world.writer(writerOf(k, task, operator), Writer.offset);
  return offset === 0 ? -1 : transactionNumber(sinkOf(k, operator).number, numberOf(k, task), offset);
}

/** How many a transaction is of those that its subtask has begun. */
export function offsetOf(transaction: number): number {
  return transaction % OFFSETS;
}

/** How many transactions the subtask has begun so far, in all its attempts. */
function begunBefore(k: Kernel, prefix: number, subtask: number): number {
  const { transactions } = k.world;
  for (let row = transactions.count - 1; row >= 0; row--) {
    const number = transactions.get(row, Txn.number);
    if (transactionPrefix(number) === prefix && transactionSubtask(number) === subtask) return offsetOf(number);
  }
  return 0;
}

/** Begins the writer's next transaction, meant for `checkpoint`. */
export function begin(k: Kernel, task: number, operator: number, checkpoint: number): void {
  const { number: prefix } = sinkOf(k, operator);
  const writer = writerOf(k, task, operator);
  const offset = begunBefore(k, prefix, numberOf(k, task)) + 1;
  const transaction = transactionNumber(prefix, numberOf(k, task), offset);
  k.world.transactions.push(transaction, 0, TxnState.empty, Client.open, 0, checkpoint, 0, 0, 0, k.now);
  k.world.setWriter(writer, Writer.offset, offset);
  k.world.setWriter(writer, Writer.records, 0);
  k.move(Machine.transaction, transaction, Client.none, Client.open);
  k.emit("TransactionBegun", task, transaction, checkpoint, 0);
}

/** A record comes into the writer's open transaction; where the database has given that up, the task fails. */
export function insertOrFail(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const transaction = currentTransaction(k, task, operator);
  landed(k, task, operator);
  if (insert(k, transaction, partitionOf(k, operator, record), sinkOf(k, operator).transactionTimeout)) {
    store(k, task, operator, record, value, transaction, 0);
    return;
  }
  const attempt = k.world.task(task, Task.attempt);
  k.next(Op.taskFail, task, task, attempt, GONE[sinkOf(k, operator).store === "files" ? "files" : "rows"]);
}

/** Adds a row; false: the database has aborted the transaction. The first one starts its timeout. */
function insert(k: Kernel, transaction: number, partition: number, timeout: number): boolean {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0 || transactions.get(row, Txn.client) !== Client.open) return false;
  if (transactions.get(row, Txn.state) !== TxnState.ongoing) {
    transactions.set(row, Txn.state, TxnState.ongoing);
    if (timeout > 0) k.after(timeout, Op.timeOutTransaction, Actor.broker, transaction, 0);
  }
  takePart(k, row, partition);
  return true;
}

/**
 * The operation `databaseCommit`: the request has come, whatever has become of who sent it. One entry, committed or
 * refused; what is committed already stays so. `requester` is the subtask that asked.
 */
export function commit(k: Kernel, transaction: number, requester: number, checkpoint: number, decider: number): void {
  const row = rowOf(k, transaction);
  const client = row < 0 ? Client.none : k.world.transactions.get(row, Txn.client);
  if (client === Client.committed) {
    k.emit("TransactionCommitted", transaction, checkpoint, decider, requester, 1);
  } else if (client === Client.preCommitted) {
    end(k, row, Client.committed, decider, requester, checkpoint);
  } else {
    k.emit("CommitFailed", requester, transaction, checkpoint, Answer.invalidState);
  }
}

/** ROLLBACK, where there is something to undo: what is decided or unknown stays so; one without rows is let go. */
export function abort(k: Kernel, task: number, transaction: number, decider: number): void {
  const row = rowOf(k, transaction);
  const client = row < 0 ? Client.none : k.world.transactions.get(row, Txn.client);
  if (client !== Client.open && client !== Client.preCommitted) return;
  if (k.world.transactions.get(row, Txn.records) === 0 && client === Client.open) recycle(k, task, transaction, 0);
  else end(k, row, Client.aborted, decider, task);
}
