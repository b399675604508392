/**
 * Pooled transactional ids (`TransactionNamingStrategyImpl.POOLING`, `TransactionAbortStrategyImpl.LISTING`,
 * `TransactionOwnership.EXPLICIT_BY_WRITER_STATE`, `ProducerPoolImpl`; SK-153, SK-156, FI-71; Kafka connector 4.x). A
 * transaction takes the smallest number whose name is not in use: in use are, from one snapshot to the next, the names of
 * what the committer held at the first. An attempt asks the brokers which transactions are under way on its topic, and
 * aborts those that are its own and not in the restored state; nothing is probed. Whose a name is says the writer's state:
 * the subtask numbers that it has inherited, and how many there have ever been.
 *
 * Left out: a later release also aborts a transaction under a name of the restored state that was used again since; here,
 * as in 4.0, it lingers until its name is taken next. After a second change of parallelism Flink deals writer states out
 * one by one; here a subtask's stay together.
 */
import { at } from "../../base/assert.ts";
import { transactionNumber, transactionPrefix, transactionSubtask } from "../../protocol/ids.ts";
import type { Kernel } from "../kernel.ts";
import { Ongoing, Txn, Writer } from "../layout.ts";
import { TxnState, rowOf } from "../log-broker/transactions.ts";
import { Op } from "../ops.ts";
import { restoredCommittables } from "./kafka-committer.ts";
import { sinkOf, sinkState, writerOf } from "./sink.ts";

/** What a subtask owns: how many subtask numbers there have ever been, and which of them are its own. */
interface Owned {
  readonly total: number;
  readonly subtasks: readonly number[];
}

/** The word of the writer's state behind the committer's has the total, then the numbers. Without state it is its own number. */
function ownership(k: Kernel, task: number, operator: number): Owned {
  const { number, taskVertex } = at(k.plan.graph.subtasks, task);
  const { parallelism } = at(k.plan.graph.vertices, taskVertex);
  const [total = 0, ...subtasks] = k.arena.sequences.toArray(k.world.state[sinkState(k, task, operator) + 1] as number);
  return { total: Math.max(total, parallelism), subtasks: subtasks.length > 0 ? subtasks : [number] };
}

/** What the writer's part of a snapshot holds. */
export function storeOwnership(k: Kernel, task: number, operator: number): void {
  const { total, subtasks } = ownership(k, task, operator);
  k.world.state[sinkState(k, task, operator) + 1] = k.arena.sequences.intern([total, ...subtasks]);
}

/** A name with this number; new names only have the first of the subtask numbers that are owned. */
export function pooledName(k: Kernel, task: number, operator: number, offset: number): number {
  const { subtasks } = ownership(k, task, operator);
  return transactionNumber(sinkOf(k, operator).number, at(subtasks, 0), offset);
}

/** The smallest number whose name none of these committables has. */
export function freeOffset(k: Kernel, task: number, operator: number, committables: number): number {
  const used = k.arena.sequences.toArray(committables).filter((_, place) => place % 3 === 0);
  let offset = 0;
  while (used.includes(pooledName(k, task, operator, offset))) offset++;
  return k.decisions.pooledNumber(offset);
}

/**
 * The operation `probe` of such a sink: lists, then aborts what the list has of its own, one after the other (`aborting` 2:
 * one is done). What is under way and its own is what the list would have: nobody else begins anything under these names.
 */
export function abortListed(
  k: Kernel,
  task: number,
  operator: number,
  prefixes: readonly number[],
  aborting: number,
): void {
  const writer = writerOf(k, task, operator);
  const lingering = ownOpen(k, task, operator, prefixes);
  const [transaction] = lingering;
  const isListed = k.world.writer(writer, Writer.probeAborted) === 1;
  if (!isListed) {
    k.world.setWriter(writer, Writer.probeAborted, 1);
    k.emit("OpenTransactionsListed", task, operator, openOn(k, operator).length, lingering.length);
  }
  if (transaction === undefined) return k.next(Op.producersReady, task, task, operator);
  if (!isListed || aborting === 2) {
    k.after(k.plan.scenario.timing.initTransactions, Op.probe, task, task, operator);
    return;
  }
  k.next(Op.initializeId, task, task, transaction);
  k.next(Op.probe, task, task, operator, 2);
}

/** Transactions under way on the sink's partitions, of anybody; those that are decided are not. */
function openOn(k: Kernel, operator: number): number[] {
  const { ongoing, transactions } = k.world;
  const { partitions } = sinkOf(k, operator);
  const open = new Set<number>();
  for (let part = 0; part < ongoing.count; part++) {
    const transaction = ongoing.get(part, Ongoing.number);
    if (!partitions.includes(ongoing.get(part, Ongoing.partition))) continue;
    if (transactions.get(rowOf(k, transaction), Txn.state) === TxnState.ongoing) open.add(transaction);
  }
  return [...open];
}

/** Those whose name begins with one of its prefixes, whose subtask number it owns, and which its state does not hold. */
function ownOpen(k: Kernel, task: number, operator: number, prefixes: readonly number[]): number[] {
  const { total, subtasks } = ownership(k, task, operator);
  const names = k.plan.graph.prefixes;
  const held = k.arena.sequences.toArray(restoredCommittables(k, task, operator)).filter((_, place) => place % 3 === 0);
  const isOwn = (transaction: number): boolean =>
    prefixes.some((prefix) => at(names, transactionPrefix(transaction)).startsWith(at(names, prefix))) &&
    subtasks.includes(transactionSubtask(transaction) % total) &&
    !held.includes(transaction);
  return openOn(k, operator).filter(isOwn);
}
