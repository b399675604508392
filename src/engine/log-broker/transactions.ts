/**
 * The log's transaction coordinator: one row a transactional id (Kafka's `TransactionCoordinator`, `TransactionMetadata`;
 * KF-010 to KF-024). An end is decided and its markers are written in one step, so PrepareCommit and PrepareAbort are
 * never seen from outside; Dead and the exhaustion of epochs are left out, producer ids stand for their names.
 */
import type { Kernel } from "../kernel.ts";
import { Ongoing, Txn } from "../layout.ts";
import { Machine } from "../../protocol/machines/all.ts";
import { ownerOfTransaction } from "../../protocol/ids.ts";
import { Actor, Op } from "../ops.ts";
import { EntryKind, appendEntry } from "./partitions.ts";

export const TxnState = { empty: 0, ongoing: 1, completeCommit: 2, completeAbort: 3 } as const;
/** States of the transaction machine by number. */
export const Client = {
  none: 0,
  open: 1,
  preCommitted: 2,
  committed: 3,
  aborted: 4,
  timedOut: 5,
  recycled: 6,
} as const;
export const Decider = {
  notification: 0,
  restore: 1,
  close: 2,
  timeout: 3,
  fence: 4,
  endOfInput: 5,
  barrier: 6,
} as const;
export const Answer = { fenced: 0, invalidState: 1, unknownId: 2 } as const;

/** Row of a transactional id; `-1`: the log has never heard of it. */
export function rowOf(k: Kernel, transaction: number): number {
  const { transactions } = k.world;
  for (let row = transactions.count - 1; row >= 0; row--)
    if (transactions.get(row, Txn.number) === transaction) return row;
  return -1;
}

/** The subtask whose sink owns a transactional id; `-1`: none has that number. */
export function ownerOf(k: Kernel, transaction: number): number {
  return ownerOfTransaction(k.plan.graph, transaction);
}

/**
 * InitProducerId: fences whoever used the id before (KF-012). One entry: what was under way is aborted, and the client
 * asks again; else the id has a new epoch. Returns whether the client must ask again.
 */
export function initialize(k: Kernel, subtask: number, transaction: number): boolean {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0) {
    transactions.push(transaction, 0, TxnState.empty, Client.none, 0, 0, 0, 0);
    k.emit("ProducerIdInitialized", subtask, transaction, 0, 0);
    return false;
  }
  const checkpoint = transactions.get(row, Txn.checkpoint);
  if (k.decisions.fences()) transactions.set(row, Txn.epoch, transactions.get(row, Txn.epoch) + 1);
  if (transactions.get(row, Txn.state) === TxnState.ongoing && k.decisions.abortsOngoing()) {
    end(k, row, false, Client.aborted);
    k.emit("TransactionAborted", transaction, checkpoint, Decider.restore, subtask);
    return true;
  }
  if (transactions.get(row, Txn.client) === Client.open) moveTo(k, row, Client.recycled);
  transactions.set(row, Txn.state, TxnState.empty);
  k.emit("ProducerIdInitialized", subtask, transaction, checkpoint, transactions.get(row, Txn.epoch));
  return false;
}

/** A client begins a transaction; the log learns of it with its first record. */
export function begin(k: Kernel, transaction: number, checkpoint: number): number {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  k.move(Machine.transaction, transaction, Client.none, Client.open);
  transactions.set(row, Txn.client, Client.open);
  transactions.set(row, Txn.clientEpoch, transactions.get(row, Txn.epoch));
  transactions.set(row, Txn.records, 0);
  transactions.set(row, Txn.checkpoint, checkpoint);
  return transactions.get(row, Txn.epoch);
}

/** Adds a record; false: the producer is fenced (KF-004, KF-013). The first one starts the timeout (KF-013). */
export function write(k: Kernel, transaction: number, epoch: number, partition: number, timeout: number): boolean {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0 || transactions.get(row, Txn.epoch) !== epoch) return false;
  if (transactions.get(row, Txn.state) !== TxnState.ongoing) {
    transactions.set(row, Txn.state, TxnState.ongoing);
    transactions.set(row, Txn.start, k.now);
    const { cleanupInterval } = k.plan.scenario.broker;
    const scan = (Math.floor((k.now + timeout) / cleanupInterval) + 1) * cleanupInterval;
    k.after(scan - k.now, Op.timeOutTransaction, Actor.broker, transaction, epoch);
  }
  takePart(k, row, partition);
  return true;
}

/** One more record of a transaction is on a partition, where it is under way from its first one on. */
export function takePart(k: Kernel, row: number, partition: number): void {
  const { transactions, ongoing } = k.world;
  const transaction = transactions.get(row, Txn.number);
  transactions.set(row, Txn.records, transactions.get(row, Txn.records) + 1);
  for (let known = 0; known < ongoing.count; known++) {
    if (ongoing.get(known, Ongoing.number) === transaction && ongoing.get(known, Ongoing.partition) === partition)
      return;
  }
  ongoing.push(transaction, partition, k.decisions.firstOffset(k.world.output(partition, 1)));
}

/** The client hands a transaction over. That the log has given it up meanwhile it learns with the commit (SK-157). */
export function preCommitted(k: Kernel, transaction: number, checkpoint: number): void {
  const row = rowOf(k, transaction);
  if (k.world.transactions.get(row, Txn.client) === Client.open) moveTo(k, row, Client.preCommitted);
  k.world.transactions.set(row, Txn.checkpoint, checkpoint);
}

/** EndTxn with commit (KF-014): one entry, committed or refused. `requester` is the subtask that asked. */
export function commit(
  k: Kernel,
  requester: number,
  transaction: number,
  epoch: number,
  checkpoint: number,
  decider: number,
): void {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0) return refuse(k, requester, transaction, checkpoint, Answer.unknownId);
  const refuses = k.decisions.refusesCommit();
  if (refuses && transactions.get(row, Txn.epoch) !== epoch)
    return refuse(k, requester, transaction, checkpoint, Answer.fenced);
  const state = transactions.get(row, Txn.state);
  if (state === TxnState.completeCommit) {
    k.emit("TransactionCommitted", transaction, checkpoint, decider, requester, 1);
  } else if (state === TxnState.ongoing || !refuses) {
    end(k, row, true, Client.committed);
    k.emit("TransactionCommitted", transaction, checkpoint, decider, requester, 0);
  } else {
    refuse(k, requester, transaction, checkpoint, Answer.invalidState);
  }
}

function refuse(k: Kernel, requester: number, transaction: number, checkpoint: number, answer: number): void {
  k.emit("CommitFailed", requester, transaction, checkpoint, answer);
}

/** EndTxn with abort by a sink that closes; false: there is nothing under way to abort. */
export function abort(k: Kernel, subtask: number, transaction: number, epoch: number): boolean {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0 || transactions.get(row, Txn.epoch) !== epoch || transactions.get(row, Txn.state) !== TxnState.ongoing)
    return false;
  end(k, row, false, Client.aborted);
  k.emit("TransactionAborted", transaction, transactions.get(row, Txn.checkpoint), Decider.close, subtask);
  return true;
}

/** Nothing was written: the client lets the transaction go (SK-142). */
export function recycle(k: Kernel, subtask: number, transaction: number): void {
  const row = rowOf(k, transaction);
  if (row < 0 || k.world.transactions.get(row, Txn.client) !== Client.open) return;
  moveTo(k, row, Client.recycled);
  k.emit("TransactionRecycled", subtask, transaction, k.world.transactions.get(row, Txn.checkpoint));
}

/** KF-020: the coordinator gives the transaction up and fences its owner. */
export function timeOut(k: Kernel, transaction: number, epoch: number): void {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0 || transactions.get(row, Txn.epoch) !== epoch || transactions.get(row, Txn.state) !== TxnState.ongoing)
    return;
  const checkpoint = transactions.get(row, Txn.checkpoint);
  transactions.set(row, Txn.epoch, epoch + 1);
  end(k, row, false, Client.timedOut);
  k.emit("TransactionTimedOut", transaction, checkpoint);
}

/** Decides a transaction and writes its markers: one on each partition that it wrote to. */
export function end(k: Kernel, row: number, committed: boolean, client: number): void {
  const { transactions, ongoing } = k.world;
  const transaction = transactions.get(row, Txn.number);
  const epoch = transactions.get(row, Txn.clientEpoch);
  moveTo(k, row, client);
  transactions.set(row, Txn.state, committed ? TxnState.completeCommit : TxnState.completeAbort);
  k.cancel(Op.timeOutTransaction, transaction);
  for (let part = 0; part < ongoing.count; part++) {
    if (ongoing.get(part, Ongoing.number) !== transaction || !k.decisions.writesMarkers()) continue;
    const kind = committed ? EntryKind.commitMarker : EntryKind.abortMarker;
    appendEntry(k, ongoing.get(part, Ongoing.partition), kind, -1, 0, transaction, epoch, -1);
  }
  ongoing.removeWhere(Ongoing.number, transaction);
}

function moveTo(k: Kernel, row: number, client: number): void {
  const { transactions } = k.world;
  k.move(Machine.transaction, transactions.get(row, Txn.number), transactions.get(row, Txn.client), client);
  transactions.set(row, Txn.client, client);
}
