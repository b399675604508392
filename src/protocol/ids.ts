/** How the log's numbers and the names that people read belong together. */
import { assert, at } from "../base/assert.ts";
import type { ExecutionGraph } from "./execution-graph.ts";
import { isTransactional, prefixOf } from "./sinks.ts";

/** The partition of an input record's number: a record is `offset * inputs.length + partition` (`ExecutionGraph.inputs`). */
export function recordPartition(graph: ExecutionGraph, record: number): number {
  return record % graph.inputs.length;
}

export function recordOffset(graph: ExecutionGraph, record: number): number {
  return Math.floor(record / graph.inputs.length);
}

/** `topic-partition@offset`. */
export function recordName(graph: ExecutionGraph, record: number): string {
  return `${at(graph.inputs, recordPartition(graph, record)).name}@${recordOffset(graph, record)}`;
}

/** The other way round; `-1`: no source reads such a record. */
export function recordNumber(graph: ExecutionGraph, name: string): number {
  const at = name.lastIndexOf("@");
  const partition = graph.inputs.findIndex((input) => input.name === name.slice(0, at));
  return partition < 0 ? -1 : Number(name.slice(at + 1)) * graph.inputs.length + partition;
}

const OFFSET_BITS = 16;
const SUBTASK_BITS = 10;

/**
 * A transactional id as one number: prefix, subtask number, offset (SK-153). The subtask number may lie beyond the sink's
 * parallelism: probing asks for such names.
 */
export function transactionNumber(prefix: number, subtask: number, offset: number): number {
  assert(prefix < 32 && subtask < 1 << SUBTASK_BITS && offset < 1 << OFFSET_BITS, "transactional id out of range");
  return (prefix << (SUBTASK_BITS + OFFSET_BITS)) | (subtask << OFFSET_BITS) | offset;
}

/** The prefix of a transactional id: a place in `ExecutionGraph.prefixes`. */
export function transactionPrefix(transaction: number): number {
  return transaction >>> (SUBTASK_BITS + OFFSET_BITS);
}

/** The sink operator whose prefix a transactional id has; `-1`: none of this job. */
export function operatorOfTransaction(graph: ExecutionGraph, transaction: number): number {
  const prefix = graph.prefixes[transactionPrefix(transaction)];
  const isMeant = (operator: number): boolean => {
    const { vertex } = at(graph.operators, operator);
    return isTransactional(vertex) && prefixOf(vertex) === prefix;
  };
  return graph.sinks.find(isMeant) ?? -1;
}

/** The subtask whose sink owns a transactional id; `-1`: none of this job has that number. */
export function ownerOfTransaction(graph: ExecutionGraph, transaction: number): number {
  const operator = operatorOfTransaction(graph, transaction);
  if (operator < 0) return -1;
  const { subtasks } = at(graph.vertices, at(graph.operators, operator).taskVertex);
  return subtasks[transactionSubtask(transaction)] ?? -1;
}

export function transactionSubtask(transaction: number): number {
  return (transaction >>> OFFSET_BITS) & ((1 << SUBTASK_BITS) - 1);
}

export function transactionOffset(transaction: number): number {
  return transaction & ((1 << OFFSET_BITS) - 1);
}

/** `prefix-subtask-offset`. */
export function transactionName(graph: ExecutionGraph, transaction: number): string {
  const prefix = at(graph.prefixes, transactionPrefix(transaction));
  return `${prefix}-${transactionSubtask(transaction)}-${transactionOffset(transaction)}`;
}

/** The instance number of the subtask-snapshot machine: one subtask's part of one checkpoint. */
export function snapshotNumber(subtask: number, checkpoint: number): number {
  return (checkpoint << 12) | subtask;
}

export function snapshotSubtask(snapshot: number): number {
  return snapshot & 0xfff;
}

export function snapshotCheckpoint(snapshot: number): number {
  return snapshot >>> 12;
}
