/**
 * The log's transaction coordinator: one row a transactional id (Kafka's `TransactionCoordinator`, `TransactionMetadata`,
 * `TransactionMarkerChannelManager`; KF-010 to KF-024). An end has two phases: it is decided in the coordinator's log
 * (PrepareCommit, PrepareAbort), and the client is answered; then a marker goes to each partition, and with the last one it
 * is complete. A transaction of one partition whose marker takes no time (`timing.markers`, 0 ms) passes through both in
 * one step, since nobody could tell them apart. A coordinator that is down writes no markers; the one that takes over
 * sends those again that are missing (KF-015).
 *
 * A producer id is the number of times that its name had expired (KF-022), and an epoch here counts on over producer ids.
 * Left out: the exhaustion of epochs, which no run comes to.
 */
import type { Kernel } from "../kernel.ts";
import { Due, Ongoing, OutputPartition, Txn } from "../layout.ts";
import { Machine } from "../../protocol/machines/all.ts";
import { ownerOfTransaction } from "../../protocol/ids.ts";
import { Actor, Op } from "../ops.ts";
import { EntryKind, appendEntry } from "./partitions.ts";

export const TxnState = {
  empty: 0,
  ongoing: 1,
  completeCommit: 2,
  completeAbort: 3,
  prepareCommit: 4,
  prepareAbort: 5,
  dead: 6,
} as const;
/** Epochs of one producer id (a Java `short`). */
const EPOCHS = 32_768;
/** States of the transaction machine by number. */
export const Client = {
  none: 0,
  open: 1,
  preCommitted: 2,
  committed: 3,
  aborted: 4,
  timedOut: 5,
  recycled: 6,
  prepareCommit: 7,
  prepareAbort: 8,
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

/** What a client is told: it is done, or it must ask again, at once or when markers may be out (CONCURRENT_TRANSACTIONS), or nobody knows the id. */
export type Told = "done" | "again" | "later" | "unknown";
/** Milliseconds until a client asks again (`retry.backoff.ms`). */
export const RETRY_BACKOFF = 100;

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

/** An epoch as it is told: within its producer id. */
export function epochOf(epoch: number): number {
  return epoch % EPOCHS;
}

/** InitProducerId: fences whoever used the id before (KF-012). One entry: what was under way is aborted, or a new epoch given. */
export function initialize(k: Kernel, subtask: number, transaction: number): Told {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0) {
    transactions.push(transaction, 0, TxnState.empty, Client.none, 0, 0, 0, 0, 0, k.now);
    k.emit("ProducerIdInitialized", subtask, transaction, 0, 0);
    return "done";
  }
  if (expires(k, row)) return "again";
  const checkpoint = transactions.get(row, Txn.checkpoint);
  const state = transactions.get(row, Txn.state);
  if (state === TxnState.prepareCommit || state === TxnState.prepareAbort) return defer(k, subtask, row);
  const isNew = state === TxnState.dead;
  if (isNew) transactions.set(row, Txn.epoch, (Math.floor(transactions.get(row, Txn.epoch) / EPOCHS) + 1) * EPOCHS);
  else if (k.decisions.fences()) transactions.set(row, Txn.epoch, transactions.get(row, Txn.epoch) + 1);
  if (state === TxnState.ongoing && k.decisions.abortsOngoing())
    return end(k, row, Client.aborted, Decider.restore, subtask) ? "again" : "later";
  if (transactions.get(row, Txn.client) === Client.open) moveTo(k, row, Client.recycled);
  enter(k, row, TxnState.empty);
  k.emit(
    "ProducerIdInitialized",
    subtask,
    transaction,
    isNew ? 0 : checkpoint,
    epochOf(transactions.get(row, Txn.epoch)),
  );
  return "done";
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
  if (row < 0 || transactions.get(row, Txn.epoch) !== epoch || !mayAdd(k, row)) return false;
  if (transactions.get(row, Txn.state) !== TxnState.ongoing) {
    enter(k, row, TxnState.ongoing);
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
export function preCommitted(k: Kernel, transaction: number, checkpoint: number, epoch: number): void {
  const row = rowOf(k, transaction);
  if (k.world.transactions.get(row, Txn.clientEpoch) !== epoch) return;
  if (k.world.transactions.get(row, Txn.client) === Client.open) moveTo(k, row, Client.preCommitted);
  k.world.transactions.set(row, Txn.checkpoint, checkpoint);
}

/** EndTxn with commit (KF-014): one entry, committed, refused or deferred. `requester` is the subtask that asked. */
export function commit(
  k: Kernel,
  requester: number,
  transaction: number,
  epoch: number,
  checkpoint: number,
  decider: number,
): Told {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row >= 0 && expires(k, row)) return "again";
  const refuses = k.decisions.refusesCommit();
  const known = row >= 0 && (!refuses || isKnown(k, row, epoch));
  const state = row < 0 ? TxnState.dead : transactions.get(row, Txn.state);
  if (!known) return refuse(k, requester, transaction, checkpoint, Answer.unknownId);
  if (refuses && transactions.get(row, Txn.epoch) !== epoch)
    return refuse(k, requester, transaction, checkpoint, Answer.fenced);
  if (state === TxnState.prepareCommit) return defer(k, requester, row);
  if (state === TxnState.completeCommit) {
    k.emit("TransactionCommitted", transaction, checkpoint, decider, requester, 1);
  } else if (state === TxnState.ongoing || !refuses) {
    end(k, row, Client.committed, decider, requester, checkpoint);
  } else {
    refuse(k, requester, transaction, checkpoint, Answer.invalidState);
  }
  return "done";
}

function refuse(k: Kernel, requester: number, transaction: number, checkpoint: number, answer: number): Told {
  k.emit("CommitFailed", requester, transaction, checkpoint, answer);
  return answer === Answer.unknownId ? "unknown" : "done";
}

/** CONCURRENT_TRANSACTIONS: the end of the transaction is decided, but its markers are not all written. */
function defer(k: Kernel, requester: number, row: number): Told {
  const { transactions } = k.world;
  k.emit("TransactionDeferred", requester, transactions.get(row, Txn.number), transactions.get(row, Txn.checkpoint));
  return "later";
}

/** Does the log know the producer id that an epoch is of? */
function isKnown(k: Kernel, row: number, epoch: number): boolean {
  const { transactions } = k.world;
  const isSame = Math.floor(transactions.get(row, Txn.epoch) / EPOCHS) === Math.floor(epoch / EPOCHS);
  return isSame && transactions.get(row, Txn.state) !== TxnState.dead;
}

/** EndTxn with abort by a sink that closes; false: there is nothing under way to abort. */
export function abort(k: Kernel, subtask: number, transaction: number, epoch: number): boolean {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0 || transactions.get(row, Txn.epoch) !== epoch || transactions.get(row, Txn.state) !== TxnState.ongoing)
    return false;
  end(k, row, Client.aborted, Decider.close, subtask);
  return true;
}

/** Nothing was written: the client lets the transaction go (SK-142). */
export function recycle(k: Kernel, subtask: number, transaction: number, epoch: number): void {
  const row = rowOf(k, transaction);
  if (row < 0 || k.world.transactions.get(row, Txn.clientEpoch) !== epoch) return;
  if (k.world.transactions.get(row, Txn.client) !== Client.open) return;
  moveTo(k, row, Client.recycled);
  k.emit("TransactionRecycled", subtask, transaction, k.world.transactions.get(row, Txn.checkpoint));
}

/** KF-020: the coordinator gives the transaction up and fences its owner. */
export function timeOut(k: Kernel, transaction: number, epoch: number): void {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  if (row < 0 || transactions.get(row, Txn.epoch) !== epoch || transactions.get(row, Txn.state) !== TxnState.ongoing)
    return;
  transactions.set(row, Txn.epoch, epoch + 1);
  end(k, row, Client.timedOut, Decider.timeout, -1);
}

/** May the id take partitions in? Not while the markers of its last end are being written, nor when it has expired. */
function mayAdd(k: Kernel, row: number): boolean {
  const state = k.world.transactions.get(row, Txn.state);
  return state !== TxnState.prepareCommit && state !== TxnState.prepareAbort && !hasExpired(k, row);
}

/**
 * KF-022: an id that was not used for `transactional.id.expiration.ms` is forgotten at the coordinator's next look, unless
 * a transaction is under way. Nobody can tell before the id is asked for, so that is when it is looked at.
 */
function hasExpired(k: Kernel, row: number): boolean {
  const { transactions } = k.world;
  const { idExpiration, idCleanupInterval } = k.plan.scenario.broker;
  const state = transactions.get(row, Txn.state);
  if (state !== TxnState.empty && state !== TxnState.completeCommit && state !== TxnState.completeAbort)
    return state === TxnState.dead;
  const looked = Math.floor(k.now / idCleanupInterval) * idCleanupInterval;
  return looked >= transactions.get(row, Txn.used) + idExpiration;
}

/** Forgets an id that has expired and says so; the request comes once more. */
function expires(k: Kernel, row: number): boolean {
  const { transactions } = k.world;
  if (transactions.get(row, Txn.state) === TxnState.dead || !hasExpired(k, row)) return false;
  enter(k, row, TxnState.dead);
  k.emit("TransactionalIdExpired", transactions.get(row, Txn.number), transactions.get(row, Txn.checkpoint));
  return true;
}

function enter(k: Kernel, row: number, state: number): void {
  k.world.transactions.set(row, Txn.state, state);
  k.world.transactions.set(row, Txn.used, k.now);
}

const parts = (k: Kernel, transaction: number): number[] => {
  const { ongoing } = k.world;
  const found: number[] = [];
  for (let row = 0; row < ongoing.count; row++)
    if (ongoing.get(row, Ongoing.number) === transaction) found.push(ongoing.get(row, Ongoing.partition));
  return found;
};

/**
 * Decides a transaction (KF-015). True: it is complete with this; else its markers are on their way. One entry. One of
 * another store than the log (`sinks/database.ts`) has no markers.
 */
export function end(
  k: Kernel,
  row: number,
  as: number,
  decider: number,
  requester: number,
  checkpoint = k.world.transactions.get(row, Txn.checkpoint),
): boolean {
  const { transactions } = k.world;
  const transaction = transactions.get(row, Txn.number);
  const partitions = parts(k, transaction);
  const { markers } = k.plan.scenario.timing;
  const commits = as === Client.committed;
  k.cancel(Op.timeOutTransaction, transaction);
  const isOfLog = k.plan.graph.outputs[partitions[0] ?? -1]?.store === "log";
  if (!isOfLog || (markers === 0 && partitions.length < 2)) {
    for (const partition of partitions) mark(k, row, partition, commits);
    complete(k, row, as, decider, requester, checkpoint);
    return true;
  }
  moveTo(k, row, commits ? Client.prepareCommit : Client.prepareAbort);
  enter(k, row, commits ? TxnState.prepareCommit : TxnState.prepareAbort);
  transactions.set(row, Txn.ending, 1 + as + 8 * (decider + 8 * (requester + 1)));
  transactions.set(row, Txn.checkpoint, checkpoint);
  k.emit("TransactionEndPrepared", transaction, checkpoint, decider, requester, commits ? 1 : 0);
  for (const partition of partitions) k.after(markers, Op.writeMarker, Actor.broker, transaction, partition);
  return false;
}

/** Puts a marker behind what a transaction wrote to a partition; its part there is over, and visible or not (KF-016). */
function mark(k: Kernel, row: number, partition: number, commits: boolean): number {
  const { transactions, ongoing } = k.world;
  const transaction = transactions.get(row, Txn.number);
  for (let part = ongoing.count - 1; part >= 0; part--)
    if (ongoing.get(part, Ongoing.number) === transaction && ongoing.get(part, Ongoing.partition) === partition)
      ongoing.remove(part);
  const end = k.world.output(partition, OutputPartition.next);
  if (!k.decisions.writesMarkers()) return end;
  const kind = commits ? EntryKind.commitMarker : EntryKind.abortMarker;
  return appendEntry(k, partition, kind, -1, 0, transaction, transactions.get(row, Txn.clientEpoch), -1);
}

/** The operation `writeMarker`: the second phase, partition by partition. The last one completes it. */
export function writeMarker(k: Kernel, transaction: number, partition: number): void {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  const commits = transactions.get(row, Txn.state) === TxnState.prepareCommit;
  const offset = mark(k, row, partition, commits);
  const checkpoint = transactions.get(row, Txn.checkpoint);
  k.emit("TransactionMarkerWritten", transaction, checkpoint, partition, offset, commits ? 1 : 0);
  if (parts(k, transaction).length > 0 && k.decisions.awaitsMarkers()) return;
  k.next(Op.completeTransaction, Actor.broker, transaction);
}

/** The operation `completeTransaction`: all markers are out. */
export function completeTransaction(k: Kernel, transaction: number): void {
  const { transactions } = k.world;
  const row = rowOf(k, transaction);
  const ending = transactions.get(row, Txn.ending) - 1;
  const [as, decider, requester] = [ending & 7, (ending >> 3) & 7, (ending >> 6) - 1];
  complete(k, row, as, decider, requester, transactions.get(row, Txn.checkpoint));
}

function complete(k: Kernel, row: number, as: number, decider: number, requester: number, checkpoint: number): void {
  const { transactions } = k.world;
  const transaction = transactions.get(row, Txn.number);
  moveTo(k, row, as);
  enter(k, row, as === Client.committed ? TxnState.completeCommit : TxnState.completeAbort);
  transactions.set(row, Txn.ending, 0);
  if (as === Client.committed) k.emit("TransactionCommitted", transaction, checkpoint, decider, requester, 0);
  else if (as === Client.aborted) k.emit("TransactionAborted", transaction, checkpoint, decider, requester);
  else k.emit("TransactionTimedOut", transaction, checkpoint);
}

/** The coordinator's process ends: it sends no marker any more. */
export function stopMarkers(k: Kernel): void {
  k.world.agenda.removeWhere(Due.op, Op.writeMarker);
}

/** A coordinator that takes over reads its log, and sends the markers that are missing of what is decided (KF-015). */
export function sendMarkersAgain(k: Kernel): void {
  const { ongoing, transactions } = k.world;
  for (let part = 0; part < ongoing.count; part++) {
    const transaction = ongoing.get(part, Ongoing.number);
    if (transactions.get(rowOf(k, transaction), Txn.ending) === 0) continue;
    const partition = ongoing.get(part, Ongoing.partition);
    k.after(k.plan.scenario.timing.markers, Op.writeMarker, Actor.broker, transaction, partition);
  }
}

function moveTo(k: Kernel, row: number, client: number): void {
  const { transactions } = k.world;
  k.move(Machine.transaction, transactions.get(row, Txn.number), transactions.get(row, Txn.client), client);
  transactions.set(row, Txn.client, client);
}
