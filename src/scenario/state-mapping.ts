/**
 * How the parts of one job answer to those of the one before it when state goes from the one to the other
 * (`StateAssignmentOperation`, `SubtaskStateMapper`; CP-089, CP-172, CP-177).
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph, Partition, TaskVertex } from "../protocol/execution-graph.ts";
import type { JobVertex } from "../protocol/job-graph.ts";
import { javaHash, keyGroup, keyGroupOwner } from "../protocol/key-groups.ts";
import { type Distribution, repartition } from "../protocol/repartition.ts";
import { owners } from "./execution-graph.ts";
import { operatorIds } from "./operator-ids.ts";

/** By operator of the new job: the one of the old job whose state it takes; `-1`: none. */
export function matchedOperators(old: ExecutionGraph, graph: ExecutionGraph): readonly number[] {
  const ids = operatorIds(old);
  return operatorIds(graph).map((id) => ids.indexOf(id));
}

/** The number of the subtask that has a key. */
export function ownerOfKey({ maxParallelism, parallelism }: TaskVertex, key: string): number {
  return keyGroupOwner(keyGroup(javaHash(key), maxParallelism), maxParallelism, parallelism);
}

/** By edge of the old job: the new one between the same operators, the same one of several; `-1`: there is none. */
export function matchedEdges(old: ExecutionGraph, graph: ExecutionGraph): readonly number[] {
  const from = matchedOperators(old, graph);
  return old.edges.map(({ index, fromOperator, toOperator }) => {
    const same = old.edges.filter((other) => other.fromOperator === fromOperator && other.toOperator === toOperator);
    const nth = same.findIndex((other) => other.index === index);
    const found = graph.edges.filter(
      (other) => from[other.fromOperator] === fromOperator && from[other.toOperator] === toOperator,
    );
    return found[nth]?.index ?? -1;
  });
}

/**
 * The channel of an edge that takes over a record in flight between the old subtasks of these numbers: the one the
 * partitioner chooses by key, else the one between the same numbers, modulo the new parallelisms.
 */
export function channelAfter(
  graph: ExecutionGraph,
  edge: number,
  sender: number,
  receiver: number,
  key: string,
): number {
  const { from, to, ship, channels } = at(graph.edges, edge);
  const [senders, receivers] = [at(graph.vertices, from).subtasks, at(graph.vertices, to)];
  const number = ship === "hash" ? ownerOfKey(receivers, key) : receiver % receivers.parallelism;
  const own = channels.filter((channel) => at(graph.channels, channel).from === senders[sender % senders.length]);
  return own.find((channel) => at(graph.channels, channel).to === receivers.subtasks[number]) ?? at(own, 0);
}

/** By new subtask: the old ones whose element of a list state it gets (CP-180). */
export function dealtOut(
  olds: readonly number[],
  parallelism: number,
  distribution: Distribution = "split",
): readonly (readonly number[])[] {
  const elements = olds.map((old) => [old]);
  return repartition([{ name: "list", distribution, elements }], parallelism).get("list") ?? [];
}

/**
 * By input partition: the subtask of a restored source that reads it. `had`: by old reader its splits, which are dealt out
 * as the list state they are (CP-180); the others are the enumerator's to give (SK-005).
 */
export function readersAfter(
  vertex: JobVertex,
  inputs: readonly Partition[],
  had: readonly (readonly number[])[],
): readonly number[] {
  const readers = owners(vertex, inputs);
  repartition([{ name: "SourceReaderState", distribution: "split", elements: had }], vertex.parallelism)
    .get("SourceReaderState")
    ?.forEach((list, number) => {
      for (const partition of list) if (at(readers, partition) >= 0) readers[partition] = number;
    });
  return readers;
}
