/**
 * What the job graph yields over the given input, each record once: the yardstick of `delivery` and `state`. A plain
 * evaluator of the scenario that shares no code with the engine, so that a defect of the engine cannot hide in both.
 *
 * Input is taken in the order in which its records are in the log (ties: as it is dealt). Where an operator's value depends
 * on how channels interleave, another order is as right as this one; so outputs are compared by the records they come
 * from, and values only told where they differ.
 */
import { type JobEdge, type JobVertex, isSource } from "../protocol/job-graph.ts";
import { isSink } from "../protocol/sinks.ts";
import type { Scenario } from "./scenario.ts";

export interface ExpectedOutput {
  /** Number of the input record (`protocol/ids.ts`). */
  readonly record: number;
  readonly key: string;
  readonly value: number;
}

export interface Reference {
  /** By sink, in the order of the vertices. */
  readonly outputs: readonly (readonly ExpectedOutput[])[];
  /** By uid of a stateful vertex: the input records that belong in its state, one entry for each time. */
  readonly inputs: ReadonlyMap<string, readonly number[]>;
}

interface Item {
  readonly record: number;
  readonly key: string;
  readonly value: number;
}

const isStateful = (vertex: JobVertex): boolean =>
  vertex.type === "keyed-sum" ||
  vertex.type === "keyed-count" ||
  vertex.type === "dedup" ||
  (vertex.type === "map" && vertex.counter);

/** `begins`: by input partition, the first offset that is asked for; left out: all of them. */
export function referenceOf(scenario: Scenario, begins: readonly number[] = []): Reference {
  const nodes = nodesOf(scenario);
  const outputs = new Map<string, ExpectedOutput[]>();
  const inputs = new Map<string, number[]>();
  const state = new Map<string, number>();
  for (const { vertex } of nodes.values()) {
    if (isSink(vertex)) outputs.set(vertex.uid, []);
    else if (isStateful(vertex)) inputs.set(vertex.uid, []);
  }
  const seen = new Set<string>();
  const isNew = (uid: string, record: number): boolean => seen.size < seen.add(`${record}@${uid}`).size;
  const flow = (uid: string, item: Item): void => {
    const node = nodes.get(uid);
    if (node === undefined) return;
    if (node.vertex.type === "dedup" && !isNew(uid, item.record)) return;
    outputs.get(uid)?.push(item);
    inputs.get(uid)?.push(item.record);
    for (const output of results(node.vertex, item, state)) for (const next of node.next) flow(next, output);
  };
  for (const { source, item } of inputOf(scenario, begins)) flow(source, item);
  return { outputs: [...outputs.values()], inputs };
}

const known = new WeakMap<Scenario, Reference>();

/** `referenceOf` all of a scenario's input: worked out once, however many runs ask. */
export function wholeReferenceOf(scenario: Scenario): Reference {
  const reference = known.get(scenario) ?? referenceOf(scenario);
  known.set(scenario, reference);
  return reference;
}

interface Node {
  readonly vertex: JobVertex;
  /** Who receives each of its outputs; a broadcast reaches every subtask, so its target is here as often. */
  readonly next: readonly string[];
}

function nodesOf({ job: { vertices, edges } }: Scenario): Map<string, Node> {
  const parallelism = new Map(vertices.map((vertex) => [vertex.uid, vertex.parallelism]));
  const copies = ({ to, ship }: JobEdge): number => (ship === "broadcast" ? (parallelism.get(to) ?? 1) : 1);
  return new Map(
    vertices.map((vertex) => {
      const next = edges
        .filter(({ from }) => from === vertex.uid)
        .flatMap((edge) => Array.from({ length: copies(edge) }, () => edge.to));
      return [vertex.uid, { vertex, next }];
    }),
  );
}

/** What an operator emits for a record; sums wrap as Java's `int` does. */
function results(vertex: JobVertex, item: Item, state: Map<string, number>): Item[] {
  switch (vertex.type) {
    case "kafka-source":
    case "file-source":
    case "socket-source":
    case "database-source":
    case "kafka-sink":
    case "append-sink":
    case "print-sink":
    case "naive-sink":
    case "upsert-sink":
    case "two-phase-commit-sink":
    case "file-sink":
    case "write-ahead-log-sink":
    case "table-sink":
    case "map":
    case "union":
    case "dedup":
      return [item];
    case "committer":
      return [];
    case "filter":
      return item.value % 2 === 0 ? [item] : [];
    case "flat-map":
      return Array.from({ length: vertex.fanOut }, () => item);
    case "keyed-sum":
    case "keyed-count": {
      const place = JSON.stringify([vertex.uid, item.key]);
      const value = ((state.get(place) ?? 0) + (vertex.type === "keyed-sum" ? item.value : 1)) | 0;
      state.set(place, value);
      return [{ ...item, value }];
    }
  }
}

/** Every record of every source, in log order. Numbers follow the partitions that sources read, in the order of topics. */
function inputOf(scenario: Scenario, begins: readonly number[]): { source: string; item: Item; at: number }[] {
  const sources = scenario.job.vertices.filter(isSource);
  const read = scenario.topics.filter(({ name }) => sources.some(({ topic }) => topic === name));
  const width = read.reduce((sum, { partitions }) => sum + partitions.length, 0);
  const records: { source: string; item: Item; at: number }[] = [];
  let partition = 0;
  for (const topic of read) {
    for (const list of topic.partitions) {
      for (const { uid } of sources.filter((source) => source.topic === topic.name)) {
        list.forEach(({ key, value, at }, offset) => {
          if (offset >= (begins[partition] ?? 0))
            records.push({ source: uid, item: { record: offset * width + partition, key, value }, at });
        });
      }
      partition++;
    }
  }
  return records.sort((a, b) => a.at - b.at || a.item.record - b.item.record);
}
