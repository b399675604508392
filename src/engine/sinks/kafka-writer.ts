/**
 * The writer half of the Kafka sink (`KafkaWriter`, `ExactlyOnceKafkaWriter`; SK-141, SK-142, SK-152 to SK-155).
 * exactly-once: records go into the current transaction; at the barrier all is flushed and the transaction handed to the
 * committer; after the snapshot the next one begins. at-least-once: flushed at the barrier, visible at once. none: not
 * flushed. Transactional ids are INCREMENTING; an attempt first initialises what an older one may have left (probing).
 * Left out: batches (each record is sent after `linger.ms`), pooled ids.
 */
import { at } from "../../base/assert.ts";
import { transactionNumber } from "../../protocol/ids.ts";
import type { Kernel } from "../kernel.ts";
import { failureCauses } from "../../protocol/reasons.ts";
import { Due, Finish, OutputPartition, Task, Txn, Writer } from "../layout.ts";
import { appendEntry } from "../log-broker/partitions.ts";
import * as broker from "../log-broker/transactions.ts";
import { Node, isCutOff } from "../network-cuts.ts";
import { Actor, Op } from "../ops.ts";
import { type SinkPlan, keyOf } from "../plan.ts";
import { failWrite, repeatWrite, takeWriteError, untilResent } from "./write-errors.ts";

/** The sink's plan; the operator must be one. */
export function sinkOf(k: Kernel, operator: number): SinkPlan {
  const { sink } = at(k.plan.operators, operator);
  if (sink === null) throw new Error(`assertion failed: operator ${operator} is no sink`);
  return sink;
}

/** A subtask's number within its vertex. */
function numberOf(k: Kernel, task: number): number {
  return at(k.plan.graph.subtasks, task).number;
}

function writerOf(k: Kernel, task: number, operator: number): number {
  return sinkOf(k, operator).firstWriter + numberOf(k, task);
}

/** The writer's current transaction; `-1`: none is begun. */
function currentTransaction(k: Kernel, task: number, operator: number): number {
  const offset = k.world.writer(writerOf(k, task, operator), Writer.offset);
  return offset === 0 ? -1 : transactionNumber(sinkOf(k, operator).number, numberOf(k, task), offset);
}

/** Hands a record to the producer client, which sends it by itself. */
export function produce(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const { world } = k;
  const writer = writerOf(k, task, operator);
  world.setWriter(writer, Writer.inFlight, world.writer(writer, Writer.inFlight) + 1);
  const delay = k.decisions.arrivesAfter(sinkOf(k, operator).linger + k.plan.scenario.timing.network, record);
  k.after(Math.max(delay, untilResent(k, task)), Op.append, task, task, operator, record, value);
}

/** The operation `append`: a record reaches the log. A fenced producer's write fails its task (FR-021). */
export function append(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const { world } = k;
  const error = takeWriteError(k, task);
  if (error !== null && error !== "reply-lost") return failWrite(k, error, task, operator, record, value);
  const sink = sinkOf(k, operator);
  const writer = writerOf(k, task, operator);
  const partition = sink.partitionOfKey[keyOf(k.plan, record)] as number;
  const transaction = sink.delivery === "exactly-once" ? currentTransaction(k, task, operator) : -1;
  const epoch = transaction < 0 ? 0 : world.writer(writer, Writer.epoch);
  if (transaction >= 0 && !broker.write(k, transaction, epoch, partition, sink.transactionTimeout)) {
    k.next(Op.taskFail, task, task, world.task(task, Task.attempt), failureCauses.indexOf("PRODUCER_FENCED"));
    return;
  }
  world.setWriter(writer, Writer.records, world.writer(writer, Writer.records) + 1);
  const offset = k.decisions.appends()
    ? appendEntry(k, partition, 0, record, value, transaction, epoch, at(k.plan.graph.identities, operator))
    : world.output(partition, OutputPartition.next);
  k.emit("RecordWritten", task, operator, record, value, partition, offset, transaction);
  if (error === "reply-lost") repeatWrite(k, task, operator, record);
  else acknowledged(k, task, writer);
}

/** The log has a record for good. A flush that waited for the last one goes on. */
function acknowledged(k: Kernel, task: number, writer: number): void {
  const inFlight = k.world.writer(writer, Writer.inFlight) - 1;
  k.world.setWriter(writer, Writer.inFlight, inFlight);
  const flushing = k.world.task(task, Task.flushing);
  if (inFlight === 0 && flushing > 0) k.next(Op.preCommit, task, task, flushing - 1);
}

/** The operation `writeRepeated`: the log has the record already; now its client knows, too (KF-003). */
export function writeRepeated(k: Kernel, task: number, operator: number, record: number): void {
  k.emit("WriteRepeated", task, operator, record);
  acknowledged(k, task, writerOf(k, task, operator));
}

/**
 * The operation `preCommit`: what the sinks of a chain do before the barrier, one after the other, from `index` on. Each
 * waits until all it wrote is flushed (except for delivery none), then hands its transaction to the committer. After the
 * last one the barrier leaves. At the end of input the same is done by all, with the next id (SK-141, FLINK-37605).
 */
export function preCommit(k: Kernel, task: number, index: number): void {
  const { world } = k;
  const operator = at(k.plan.sinksOf, task)[index];
  const ends = world.task(task, Task.finish) === Finish.operators;
  const checkpoint = world.task(task, Task.lastCheckpoint) + (ends ? 1 : 0);
  if (operator === undefined) {
    if (ends) commitAtEnd(k, task, checkpoint);
    else k.next(Op.emitBarriers, task, task, checkpoint);
    return;
  }
  const { delivery } = sinkOf(k, operator);
  const writer = writerOf(k, task, operator);
  if ((ends || k.decisions.flushes(delivery)) && world.writer(writer, Writer.inFlight) > 0) {
    world.setTask(task, Task.flushing, index + 1);
    sendNow(k, task);
    return;
  }
  world.setTask(task, Task.flushing, 0);
  if (delivery === "exactly-once" && k.decisions.handsOver()) handOver(k, task, operator, checkpoint);
  if (ends) world.setWriter(writer, Writer.records, 0);
  k.next(Op.preCommit, task, task, index + 1);
}

/** SK-146: where no checkpoint will come, all is committed at the end of input. */
function commitAtEnd(k: Kernel, task: number, checkpoint: number): void {
  const first = at(k.plan.sinksOf, task)[0];
  if (first === undefined || k.plan.scenario.config.checkpointing.interval !== null)
    k.next(Op.finishOperators, task, task);
  else k.next(Op.commitNext, task, task, first, checkpoint, broker.Decider.endOfInput);
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

/** A flush does not wait for `linger.ms`. */
function sendNow(k: Kernel, task: number): void {
  const { agenda } = k.world;
  const delay = Math.max(k.plan.scenario.timing.network, untilResent(k, task));
  const late: number[][] = [];
  for (let row = agenda.count - 1; row >= 0; row--) {
    if (agenda.get(row, Due.op) !== Op.append || agenda.get(row, Due.actor) !== task) continue;
    if (agenda.get(row, Due.time) <= k.now + delay) continue;
    late.push([Due.a, Due.b, Due.c, Due.d].map((column) => agenda.get(row, column)));
    agenda.remove(row);
  }
  for (const [a, b, c, d] of late) k.after(delay, Op.append, task, a, b, c, d);
}

/** The committer's state: (transaction, epoch, checkpoint) of each transaction that is not finally handled (SK-143). */
export function committables(k: Kernel, task: number, operator: number): number {
  return (k.plan.stateStart[task] as number) + at(k.plan.operators, operator).state;
}

function addCommittable(
  k: Kernel,
  task: number,
  operator: number,
  transaction: number,
  epoch: number,
  checkpoint: number,
): void {
  const place = committables(k, task, operator);
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
  } else if (world.writer(writer, Writer.probeAborted) > 0) {
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
  k.next(Op.openOperators, task, task, at(k.plan.sinksOf, task).indexOf(operator) + 1);
}

/** FR-008: a live sink that is closed aborts its current transaction and lets pre-committed ones be, as that of its end. */
export function abortCurrent(k: Kernel, task: number, operator: number): void {
  const transaction = currentTransaction(k, task, operator);
  if (isCutOff(k, task, Node.kafka)) return;
  if (transaction < 0 || sinkOf(k, operator).delivery !== "exactly-once" || !k.decisions.abortsOnClose()) return;
  const writer = writerOf(k, task, operator);
  const written = k.world.writer(writer, Writer.records) > 0;
  if (!written || !broker.abort(k, task, transaction, k.world.writer(writer, Writer.epoch)))
    broker.recycle(k, task, transaction);
}

/** A writer that has written nothing and begun nothing. */
export function resetWriter(k: Kernel, task: number, operator: number): void {
  const writer = writerOf(k, task, operator);
  for (let field = 0; field < Writer.SIZE; field++) k.world.setWriter(writer, field, 0);
}
