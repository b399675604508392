/**
 * The writer half of the Kafka sink with delivery exactly-once (`ExactlyOnceKafkaWriter`; SK-141, SK-142, SK-152 to
 * SK-155): records go into the current transaction; at the barrier all is flushed and the transaction handed to the
 * committer; after the snapshot the next one begins. With INCREMENTING transactional ids an attempt first initialises what
 * an older one may have left (probing); POOLING is `pooled-ids.ts`.
 * Left out: batches (each record is sent after `linger.ms`).
 */
import { at } from "../../base/assert.ts";
import { transactionNumber } from "../../protocol/ids.ts";
import type { Kernel } from "../kernel.ts";
import { type FailureCause, failureCauses } from "../../protocol/reasons.ts";
import { hasOldConnector } from "../../scenario/connector.ts";
import { hostOf } from "../host.ts";
import { Life, Task, Txn, Writer } from "../layout.ts";
import * as broker from "../log-broker/transactions.ts";
import { lateParts } from "../late-parts.ts";
import { Node, isCutOff } from "../network-cuts.ts";
import { Actor, Op } from "../ops.ts";
import type { FormerSink } from "../plan.ts";
import { SUMMARY, requestBy, restoredCommittables } from "./kafka-committer.ts";
import { ends, landed, numberOf, opened, partitionOf, sinkOf, sinkState, store, writerOf } from "./sink.ts";

/** The writer's current transaction; `-1`: none is begun. Pooled names count from 0. */
export function currentTransaction(k: Kernel, task: number, operator: number): number {
  const offset = k.world.writer(writerOf(k, task, operator), Writer.offset);
  if (offset === 0) return -1;
  if (sinkOf(k, operator).naming === "pooling") return lateParts().pooledIds.pooledName(k, task, operator, offset - 1);
  return transactionNumber(sinkOf(k, operator).number, numberOf(k, task), offset);
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
  // SK-141: how many committables there are is said of each checkpoint, and passed on when they are committed.
  const { hasGlobal } = sinkOf(k, operator);
  if (hasGlobal) addCommittable(k, task, operator, SUMMARY, parallelismOf(k, operator), checkpoint);
  if (sinkOf(k, operator).naming === "pooling") lateParts().pooledIds.storeOwnership(k, task, operator);
  if (ends(k, task)) k.world.setWriter(writerOf(k, task, operator), Writer.records, 0);
  return true;
}

function handOver(k: Kernel, task: number, operator: number, checkpoint: number): void {
  const { world } = k;
  const writer = writerOf(k, task, operator);
  const transaction = currentTransaction(k, task, operator);
  const [epoch, records] = [world.writer(writer, Writer.epoch), world.writer(writer, Writer.records)];
  if (records === 0) {
    broker.recycle(k, task, transaction, epoch);
    return;
  }
  broker.preCommitted(k, transaction, checkpoint, epoch);
  addCommittable(k, task, operator, transaction, epoch, checkpoint);
  k.emit("TransactionPreCommitted", task, transaction, checkpoint, records);
  if (!k.decisions.commitWaits())
    k.next(Op.brokerCommit, Actor.wire, transaction, epoch, checkpoint, requestBy(task, broker.Decider.notification));
}

function parallelismOf(k: Kernel, operator: number): number {
  return at(k.plan.graph.operators, operator).vertex.parallelism;
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

/** After a snapshot the next transaction begins; the names that are free then are those of what was committed before. */
export function beginAfter(k: Kernel, task: number, operator: number, checkpoint: number): void {
  beginNext(k, task, operator, checkpoint + 1, k.world.state[sinkState(k, task, operator)] as number);
}

/**
 * Begins the transaction that is meant for a checkpoint. Its name has that number, and names in between that were skipped
 * are initialised too; or it is the first that none of these committables has (SK-153).
 */
function beginNext(k: Kernel, task: number, operator: number, offset: number, committables: number): void {
  const sink = sinkOf(k, operator);
  const writer = writerOf(k, task, operator);
  if (sink.naming === "pooling") {
    k.world.setWriter(writer, Writer.offset, 1 + lateParts().pooledIds.freeOffset(k, task, operator, committables));
    k.next(Op.initializeId, task, task, currentTransaction(k, task, operator));
    k.next(Op.beginTransaction, task, task, operator, offset);
    return;
  }
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
  if (sinkOf(k, operator).naming === "incrementing") k.world.setWriter(writer, Writer.offset, offset);
  const transaction = currentTransaction(k, task, operator);
  const epoch = broker.begin(k, transaction, offset);
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
  if (start === 1) return startSettling(k, task, operator);
  if (sinkOf(k, operator).naming === "pooling")
    return lateParts().pooledIds.abortListed(k, task, operator, ownPrefixes(k, task, operator), start);
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
    const next = ownPrefixes(k, task, operator).find((own) => own !== sinkOf(k, operator).number && own !== prefix);
    if (next === undefined) k.next(Op.producersReady, task, task, operator);
    else startProbing(k, task, operator, next, numberOf(k, task));
  }
}

/** An attempt looks for what older ones have left, unless it cannot have any producer at all. */
function startSettling(k: Kernel, task: number, operator: number): void {
  const { number } = sinkOf(k, operator);
  const refusal = refusalOf(k, task, operator);
  if (refusal !== null) {
    k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), failureCauses.indexOf(refusal));
    return;
  }
  if (k.decisions.probes()) startProbing(k, task, operator, number, numberOf(k, task));
  else k.next(Op.producersReady, task, task, operator);
}

/** Why a writer cannot begin (SK-159, SK-161, `TransactionOwnership.checkForMigration`); `null`: it can. */
function refusalOf(k: Kernel, task: number, operator: number): FailureCause | null {
  const { transactionTimeout, transactionMaxTimeout, naming } = sinkOf(k, operator);
  if (transactionTimeout > transactionMaxTimeout) return "INVALID_TRANSACTION_TIMEOUT";
  const former = formerSink(k, task, operator);
  const mayNot = naming === "pooling" ? null : "pooling";
  if (former !== null && former.naming === mayNot) return "TRANSACTION_NAMING_CHANGED";
  return isDuplicate(k, task, operator) ? "DUPLICATE_TRANSACTIONAL_ID_PREFIX" : null;
}

/** The sink whose state the attempt is restored with, where another job took it; `null`: there is none. */
function formerSink(k: Kernel, task: number, operator: number): FormerSink | null {
  const { former } = k.plan;
  if (former === null || former.checkpoint !== k.world.task(task, Task.restore)) return null;
  const sink = at(former.sinks, operator);
  return numberOf(k, task) < sink.parallelism ? sink : null;
}

/** The prefix of the sink, and another one that the restored writer state names: both are cleaned up (SK-155, SK-161). */
function ownPrefixes(k: Kernel, task: number, operator: number): readonly number[] {
  const { number } = sinkOf(k, operator);
  const former = formerSink(k, task, operator);
  return former === null || former.prefix === number ? [number] : [number, former.prefix];
}

/**
 * Does another sink with the prefix open in the same process, for the same subtask number and attempt? Connectors since
 * 4.0 notice (`BackchannelFactory`); older ones, and sinks in two processes, do not.
 */
function isDuplicate(k: Kernel, task: number, operator: number): boolean {
  const { graph, operators, scenario } = k.plan;
  if (hasOldConnector(scenario)) return false;
  const { number } = sinkOf(k, operator);
  return graph.subtasks.some(
    (other) =>
      other.number === numberOf(k, task) &&
      hostOf(k, other.index) === hostOf(k, task) &&
      k.world.task(other.index, Task.attempt) === k.world.task(task, Task.attempt) &&
      at(k.plan.sinksOf, other.index).some(
        (sink) =>
          sink !== operator &&
          at(operators, sink).sink?.kind === "kafkaTransactional" &&
          at(operators, sink).sink?.number === number &&
          opensBefore(k, sink, other.index, operator, task),
      ),
  );
}

/** Is that one's backchannel there already? */
function opensBefore(k: Kernel, sink: number, other: number, operator: number, task: number): boolean {
  if (other === task) return at(k.plan.sinksOf, task).indexOf(sink) < at(k.plan.sinksOf, task).indexOf(operator);
  const life = k.world.task(other, Task.life);
  return life === Life.running || (life === Life.initializing && other < task);
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
  const restored = k.world.task(task, Task.restore);
  beginNext(k, task, operator, restored + 1, restoredCommittables(k, task, operator));
  opened(k, task, operator);
}

/** FR-008: a live sink that is closed aborts its current transaction and lets pre-committed ones be, as that of its end. */
export function abortCurrent(k: Kernel, task: number, operator: number): void {
  const transaction = currentTransaction(k, task, operator);
  if (isCutOff(k, task, Node.kafka)) return;
  if (transaction < 0 || !k.decisions.abortsOnClose()) return;
  const writer = writerOf(k, task, operator);
  const [epoch, records] = [k.world.writer(writer, Writer.epoch), k.world.writer(writer, Writer.records)];
  if (records === 0 || !broker.abort(k, task, transaction, epoch)) broker.recycle(k, task, transaction, epoch);
}
