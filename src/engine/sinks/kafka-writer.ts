/**
 * The writer half of the Kafka sink with delivery exactly-once (`ExactlyOnceKafkaWriter`; SK-141, SK-142, SK-152 to
 * SK-155): records go into the current transaction; at the barrier all is flushed and the transaction handed to the
 * committer; after the snapshot the next one begins. Transactional ids are INCREMENTING; an attempt first initialises what
 * an older one may have left (probing).
 * Left out: batches (each record is sent after `linger.ms`), pooled ids.
 */
import { at } from "../../base/assert.ts";
import { transactionNumber } from "../../protocol/ids.ts";
import type { Kernel } from "../kernel.ts";
import { failureCauses } from "../../protocol/reasons.ts";
import { Task, Txn, Writer } from "../layout.ts";
import * as broker from "../log-broker/transactions.ts";
import { Node, isCutOff } from "../network-cuts.ts";
import { Actor, Op } from "../ops.ts";
import { ends, landed, numberOf, opened, partitionOf, sinkOf, sinkState, store, writerOf } from "./sink.ts";

/** The writer's current transaction; `-1`: none is begun. */
function currentTransaction(k: Kernel, task: number, operator: number): number {
  const offset = k.world.writer(writerOf(k, task, operator), Writer.offset);
  return offset === 0 ? -1 : transactionNumber(sinkOf(k, operator).number, numberOf(k, task), offset);
}

/** A record reaches the log. A fenced producer's write fails its task (FR-021). */
export function arrive(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const epoch = k.world.writer(writerOf(k, task, operator), Writer.epoch);
  const transaction = currentTransaction(k, task, operator);
  landed(k, task, operator);
  if (
    transaction >= 0 &&
    !broker.write(k, transaction, epoch, partitionOf(k, operator, record), sinkOf(k, operator).transactionTimeout)
  ) {
    k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), failureCauses.indexOf("PRODUCER_FENCED"));
    return;
  }
  store(k, task, operator, record, value, transaction, transaction < 0 ? 0 : epoch);
}

/** All is in the log: the transaction is handed to the committer (SK-141). */
export function barrier(k: Kernel, task: number, operator: number, checkpoint: number): boolean {
  if (k.decisions.handsOver()) handOver(k, task, operator, checkpoint);
  if (ends(k, task)) k.world.setWriter(writerOf(k, task, operator), Writer.records, 0);
  return true;
}

function handOver(k: Kernel, task: number, operator: number, checkpoint: number): void {
  const { world } = k;
  const writer = writerOf(k, task, operator);
  const transaction = currentTransaction(k, task, operator);
  const [epoch, records] = [world.writer(writer, Writer.epoch), world.writer(writer, Writer.records)];
  if (records === 0) {
    broker.recycle(k, task, transaction);
    return;
  }
  broker.preCommitted(k, transaction, checkpoint);
  addCommittable(k, task, operator, transaction, epoch, checkpoint);
  k.emit("TransactionPreCommitted", task, transaction, checkpoint, records);
  if (!k.decisions.commitWaits())
    k.next(Op.brokerCommit, Actor.wire, transaction, epoch, checkpoint, broker.Decider.notification);
}

function addCommittable(
  k: Kernel,
  task: number,
  operator: number,
  transaction: number,
  epoch: number,
  checkpoint: number,
): void {
  const place = sinkState(k, task, operator);
  const { sequences } = k.arena;
  k.world.state[place] = sequences.intern([
    ...sequences.toArray(k.world.state[place] as number),
    transaction,
    epoch,
    checkpoint,
  ]);
}

/** Begins the transactions for a new epoch: names in between that were skipped are initialised too (SK-153). */
export function beginNext(k: Kernel, task: number, operator: number, offset: number): void {
  const sink = sinkOf(k, operator);
  const writer = writerOf(k, task, operator);
  const last = k.world.writer(writer, Writer.offset);
  const first = last === 0 ? offset : last + 1;
  for (let filler = first; filler <= offset; filler++) {
    k.next(Op.initializeId, task, task, transactionNumber(sink.number, numberOf(k, task), filler), 0);
  }
  k.next(Op.beginTransaction, task, task, operator, offset);
}

/** The operation `initializeId`: asks for an id until nothing under it is undecided; the thread waits for that. */
export function initializeId(k: Kernel, task: number, transaction: number): void {
  const told = broker.initialize(k, task, transaction);
  if (told === "done") return k.resumeChain(task);
  if (told === "again") return k.next(Op.initializeId, task, task, transaction);
  k.suspendChain(task);
  k.after(broker.RETRY_BACKOFF, Op.initializeId, task, task, transaction);
}

export function beginTransaction(k: Kernel, task: number, operator: number, offset: number): void {
  const writer = writerOf(k, task, operator);
  const transaction = transactionNumber(sinkOf(k, operator).number, numberOf(k, task), offset);
  const epoch = broker.begin(k, transaction, offset);
  k.world.setWriter(writer, Writer.offset, offset);
  k.world.setWriter(writer, Writer.epoch, epoch);
  k.world.setWriter(writer, Writer.records, 0);
  k.emit("TransactionBegun", task, transaction, offset, broker.epochOf(epoch));
}

/**
 * The operation `probe` (SK-155): names from the restored checkpoint on, one after the other until one that was never
 * used; then the same for subtask numbers s + p, s + 2p, … until one of which nothing was found. `start` 1 begins it.
 */
export function probe(k: Kernel, task: number, operator: number, start: number): void {
  const { world } = k;
  const sink = sinkOf(k, operator);
  if (start === 1) {
    if (sink.transactionTimeout > sink.transactionMaxTimeout) {
      k.next(
        Op.taskFail,
        task,
        task,
        world.task(task, Task.attempt),
        failureCauses.indexOf("INVALID_TRANSACTION_TIMEOUT"),
      );
    } else if (k.decisions.probes()) {
      startProbing(k, task, operator, sink.number, numberOf(k, task));
    } else {
      k.next(Op.producersReady, task, task, operator);
    }
    return;
  }
  const writer = writerOf(k, task, operator);
  const [subtask, offset] = [world.writer(writer, Writer.probeSubtask), world.writer(writer, Writer.probeOffset)];
  const prefix = world.writer(writer, Writer.probePrefix);
  const transaction = transactionNumber(prefix, subtask, offset);
  const told = broker.initialize(k, task, transaction);
  if (told === "again") {
    k.next(Op.probe, task, task, operator);
  } else if (told === "later") {
    k.after(broker.RETRY_BACKOFF, Op.probe, task, task, operator);
  } else if (broker.epochOf(world.transactions.get(broker.rowOf(k, transaction), Txn.epoch)) > 0) {
    world.setWriter(writer, Writer.probeOffset, offset + 1);
    world.setWriter(writer, Writer.probeAborted, 1);
    k.after(k.plan.scenario.timing.initTransactions, Op.probe, task, task, operator);
  } else if (world.writer(writer, Writer.probeAborted) > 0 && k.decisions.probesBeyond()) {
    const { parallelism } = at(k.plan.graph.vertices, at(k.plan.graph.subtasks, task).taskVertex);
    startProbing(k, task, operator, prefix, subtask + parallelism);
  } else {
    const former = formerPrefix(k, task, operator);
    if (former < 0 || former === prefix) k.next(Op.producersReady, task, task, operator);
    else startProbing(k, task, operator, former, numberOf(k, task));
  }
}

/** Another prefix that the restored writer state names, which is cleaned up too (SK-155, SK-161); `-1`: there is none. */
function formerPrefix(k: Kernel, task: number, operator: number): number {
  const { former } = k.plan;
  if (former === null || former.checkpoint !== k.world.task(task, Task.restore)) return -1;
  const { prefix, parallelism } = at(former.sinks, operator);
  return numberOf(k, task) < parallelism && prefix !== sinkOf(k, operator).number ? prefix : -1;
}

/** Begins probing for a prefix at a subtask number; the first offset is the one behind the restored checkpoint. */
function startProbing(k: Kernel, task: number, operator: number, prefix: number, subtask: number): void {
  const writer = writerOf(k, task, operator);
  k.world.setWriter(writer, Writer.probePrefix, prefix);
  k.world.setWriter(writer, Writer.probeSubtask, subtask);
  k.world.setWriter(writer, Writer.probeOffset, k.decisions.probesFrom(k.world.task(task, Task.restore)));
  k.world.setWriter(writer, Writer.probeAborted, 0);
  k.after(k.plan.scenario.timing.initTransactions, Op.probe, task, task, operator);
}

/** The operation `producersReady`: the past is settled; the attempt's first transaction begins, then the next sink opens. */
export function producersReady(k: Kernel, task: number, operator: number): void {
  beginNext(k, task, operator, k.world.task(task, Task.restore) + 1);
  opened(k, task, operator);
}

/** FR-008: a live sink that is closed aborts its current transaction and lets pre-committed ones be, as that of its end. */
export function abortCurrent(k: Kernel, task: number, operator: number): void {
  const transaction = currentTransaction(k, task, operator);
  if (isCutOff(k, task, Node.kafka)) return;
  if (transaction < 0 || !k.decisions.abortsOnClose()) return;
  const writer = writerOf(k, task, operator);
  const written = k.world.writer(writer, Writer.records) > 0;
  if (!written || !broker.abort(k, task, transaction, k.world.writer(writer, Writer.epoch)))
    broker.recycle(k, task, transaction);
}
