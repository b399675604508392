/**
 * The scenario compiled for the engine: everything that does not change during a run, as small arrays of numbers. All
 * worlds of a session share it. Names exist only at the edges (`protocol/trace.ts`).
 */
import { at } from "../base/assert.ts";
import { type ExecutionGraph, coordinated } from "../protocol/execution-graph.ts";
import { type JobVertex, type SinkVertex, type TransactionNaming, isKeyed, isSource } from "../protocol/job-graph.ts";
import { pipelinedRegions } from "../protocol/regions.ts";
import {
  type Guarantee,
  type SinkTraits,
  hasGlobalCommitter,
  isSink,
  prefixOf,
  traitsOf,
  transactionTimeoutOf,
  writeDelay,
} from "../protocol/sinks.ts";
import { javaHash, keyGroup, keyGroupOwner } from "../protocol/key-groups.ts";
import { type Before, executionGraph } from "../scenario/execution-graph.ts";
import type { InputRecord, Scenario, Topic } from "../scenario/scenario.ts";
import { overtakingEdges } from "../scenario/unaligned-edges.ts";
import { partitionFor } from "./partitioner.ts";

export type OperatorKind =
  | "source"
  | "pass"
  | "filter"
  | "flat-map"
  | "counter"
  | "keyed-sum"
  | "keyed-count"
  | "dedup"
  | "sink"
  | "committer";

export interface OperatorPlan {
  readonly kind: OperatorKind;
  readonly fanOut: number;
  /** Where its state begins in its subtask's state region. */
  readonly state: number;
  /** Keyed operators: by key, the subtask number that owns it and its place among that subtask's keys. */
  readonly keyOwner: Int32Array;
  readonly keyPlace: Int32Array;
  /** Sinks, and committers apart from them: where its writers are in the world, and what it promises. */
  readonly sink: SinkPlan | null;
  /** Sources: by subtask number, the input partitions it reads; their positions are its state, in this order. */
  readonly splits: readonly (readonly number[])[];
  /** Is its state in a store outside, so that no snapshot holds it and no restore touches it? */
  readonly outside: boolean;
}

/** How a sink works: which of `sinks/kinds.ts` it is. */
export type SinkKind =
  | "appending"
  | "printing"
  | "kafkaTransactional"
  | "naive"
  | "twoPhaseCommit"
  | "file"
  | "writeAheadLog"
  | "tableWriter"
  | "tableCommitter"
  | "globalCommitter";

export interface SinkPlan {
  readonly kind: SinkKind;
  readonly guarantee: Guarantee;
  readonly commits: SinkTraits["commits"];
  readonly store: SinkTraits["store"];
  /** Of its prefix; `-1`: it has none. */
  readonly number: number;
  readonly firstWriter: number;
  readonly transactionTimeout: number;
  readonly transactionMaxTimeout: number;
  /** Milliseconds until a record is in its store, where nothing flushes earlier. */
  readonly delay: number;
  /** How long its client waits, in milliseconds: for a record to be taken, and for an answer; 0: for ever. */
  readonly deliveryTimeout: number;
  readonly maxBlock: number;
  readonly naming: TransactionNaming;
  /** SK-150. */
  readonly hasGlobal: boolean;
  /** Output partitions that it writes, and by key the one that a record goes to. */
  readonly partitions: readonly number[];
  readonly partitionOfKey: Int32Array;
}

export interface FormerSink {
  readonly prefix: number;
  readonly parallelism: number;
  /** How it named its transactions; `null`: with a connector whose writer state does not say (3.x). */
  readonly naming: TransactionNaming | null;
}

/** What sinks were like in the snapshot that a job starts from, by operator of this job; prefix `-1`: it had none. */
export interface Former {
  readonly checkpoint: number;
  readonly sinks: readonly FormerSink[];
}

/** What a job takes over from the one before it. */
export interface Predecessor extends Before {
  readonly former: Former | null;
}

export interface Plan {
  readonly former: Former | null;
  readonly scenario: Scenario;
  readonly graph: ExecutionGraph;
  readonly operators: readonly OperatorPlan[];
  /** By subtask: its state region, the sum of its chain's costs, its region, its source operator and sink operators. */
  readonly stateStart: Int32Array;
  readonly stateSize: Int32Array;
  readonly stateWords: number;
  readonly cost: Int32Array;
  readonly region: readonly number[];
  readonly source: Int32Array;
  /** By subtask: the place of its source among sources, which is that of its operator coordinator; `-1`: it has none. */
  readonly coordinator: Int32Array;
  /** By place among sources: has it a coordinator? */
  readonly coordinated: readonly boolean[];
  /** By subtask: 1 where it ends by itself, as the reader of a bounded source. */
  readonly bounded: Int32Array;
  readonly sinksOf: readonly (readonly number[])[];
  /** By channel. */
  readonly capacity: Int32Array;
  readonly latency: Int32Array;
  /** By channel: 1 where it is read only once all of it is there (`blocking-results.ts`). */
  readonly blocking: Int32Array;
  /** By edge: can a barrier overtake the data before it (CP-037)? */
  readonly overtakes: readonly boolean[];
  /** Does the trigger of an unaligned checkpoint go before other mails? Since 2.1 (FLINK-35051, `MailOptions.urgent`). */
  readonly urgentTrigger: boolean;
  /** By edge and sender's number: the channels, in the order of their receivers. */
  readonly channelsOf: readonly (readonly (readonly number[])[])[];
  /** By edge: the receiver's number for each key (hash edges). */
  readonly receiverOfKey: readonly Int32Array[];
  /** By input partition: its records, each one's key number. */
  readonly inputs: readonly (readonly InputRecord[])[];
  /** By input partition: the transactions that it is written in; `null`: in none. */
  readonly batches: readonly (NonNullable<Topic["transactions"]> | null)[];
  readonly keyNumber: ReadonlyMap<string, number>;
  readonly inputKeys: readonly Int32Array[];
  readonly writers: number;
}

/** `before`: what a submission takes over from the one before it. */
export function compile(scenario: Scenario, before: Predecessor | null = null): Plan {
  const graph = executionGraph(scenario, before);
  const coordinatedSources = coordinated(graph);
  const { operators, stateStart, stateSize, stateWords, writers } = operatorPlans(scenario, graph);
  return {
    former: before?.former ?? null,
    scenario,
    graph,
    operators,
    stateStart,
    stateSize,
    stateWords,
    writers,
    cost: Int32Array.from(graph.subtasks, ({ taskVertex }) =>
      at(graph.vertices, taskVertex).operators.reduce(
        (sum, operator) => sum + at(graph.operators, operator).vertex.cost,
        0,
      ),
    ),
    region: pipelinedRegions(graph),
    source: sourcesOf(graph),
    coordinator: sourcesOf(graph).map((operator) => {
      const source = graph.sources.indexOf(operator);
      return coordinatedSources[source] === true ? source : -1;
    }),
    coordinated: coordinatedSources,
    bounded: boundedOf(graph),
    sinksOf: sinksOf(graph),
    capacity: Int32Array.from(graph.channels, ({ edge }) => at(graph.edges, edge).capacity),
    latency: Int32Array.from(graph.channels, ({ edge }) => at(graph.edges, edge).latency),
    blocking: Int32Array.from(graph.channels, ({ edge }) => (at(graph.edges, edge).exchange === "BLOCKING" ? 1 : 0)),
    overtakes: overtakingEdges(graph, scenario.flink),
    urgentTrigger: isTriggerUrgent(scenario),
    channelsOf: graph.edges.map((edge) =>
      at(graph.vertices, edge.from).subtasks.map((sender) =>
        edge.channels.filter((channel) => at(graph.channels, channel).from === sender),
      ),
    ),
    receiverOfKey: graph.edges.map((edge) => {
      const { maxParallelism, parallelism } = at(graph.vertices, edge.to);
      return Int32Array.from(graph.keys, (key) =>
        keyGroupOwner(keyGroup(javaHash(key), maxParallelism), maxParallelism, parallelism),
      );
    }),
    ...inputsOf(scenario, graph),
  };
}

/** What the input partitions are given. */
function inputsOf(
  scenario: Scenario,
  graph: ExecutionGraph,
): Pick<Plan, "inputs" | "batches" | "keyNumber" | "inputKeys"> {
  const keyNumber = new Map(graph.keys.map((key, index) => [key, index]));
  const topics = graph.inputs.map(({ topic }) => scenario.topics.find(({ name }) => name === topic));
  const inputs = graph.inputs.map(({ partition }, index) => topics[index]?.partitions[partition] ?? []);
  return {
    inputs,
    batches: topics.map((topic) => topic?.transactions ?? null),
    keyNumber,
    inputKeys: inputs.map((records) => Int32Array.from(records, ({ key }) => keyNumber.get(key) ?? -1)),
  };
}

function isTriggerUrgent({ flink, config: { checkpointing } }: Scenario): boolean {
  return !["1.18", "1.20"].includes(flink) && checkpointing.unaligned && checkpointing.alignedTimeout === 0;
}

function sourcesOf(graph: ExecutionGraph): Int32Array {
  return Int32Array.from(graph.subtasks, ({ taskVertex }) => {
    const head = at(at(graph.vertices, taskVertex).operators, 0);
    return isSource(at(graph.operators, head).vertex) ? head : -1;
  });
}

function sinksOf(graph: ExecutionGraph): number[][] {
  return graph.subtasks.map(({ taskVertex }) =>
    at(graph.vertices, taskVertex).operators.filter((operator) =>
      ["sink", "committer"].includes(kindOf(at(graph.operators, operator).vertex)),
    ),
  );
}

function boundedOf(graph: ExecutionGraph): Int32Array {
  return Int32Array.from(graph.subtasks, ({ taskVertex }) => {
    const { vertex } = at(graph.operators, at(at(graph.vertices, taskVertex).operators, 0));
    return isSource(vertex) && vertex.bounded ? 1 : 0;
  });
}

/** The key number of an input record. */
export function keyOf(plan: Plan, record: number): number {
  const partitions = plan.inputs.length;
  return (plan.inputKeys[record % partitions] as Int32Array)[Math.floor(record / partitions)] as number;
}

interface StatePlan {
  readonly operators: OperatorPlan[];
  readonly stateStart: Int32Array;
  readonly stateSize: Int32Array;
  readonly stateWords: number;
  readonly writers: number;
}

/** Words of state: a source two lists of nothing but one position a split; keyed two words a key; a sink one or two. */
function operatorPlans(scenario: Scenario, graph: ExecutionGraph): StatePlan {
  const operators: OperatorPlan[] = [];
  const sizes = new Int32Array(graph.vertices.length);
  let writers = 0;
  for (const { vertex, taskVertex } of graph.operators) {
    const { maxParallelism, parallelism } = at(graph.vertices, taskVertex);
    const kind = kindOf(vertex);
    const splits = kind === "source" ? splitsOf(graph, operators.length, parallelism) : [];
    const keyed = isKeyed(vertex);
    const keyOwner = keyed
      ? Int32Array.from(graph.keys, (key) =>
          keyGroupOwner(keyGroup(javaHash(key), maxParallelism), maxParallelism, parallelism),
        )
      : new Int32Array(0);
    const counts = new Int32Array(parallelism);
    const keyPlace = Int32Array.from(keyOwner, (owner) => {
      counts[owner] = (counts[owner] as number) + 1;
      return (counts[owner] as number) - 1;
    });
    const sink = sinkOf(scenario, graph, vertex, writers);
    const size =
      kind === "source"
        ? Math.max(0, ...splits.map((list) => list.length))
        : keyed
          ? Math.max(0, ...counts) * 2
          : kind === "counter"
            ? 2
            : sink !== null
              ? sink.naming === "pooling"
                ? 2
                : 1
              : 0;
    if (sink !== null) writers += parallelism;
    operators.push({
      kind,
      fanOut: "fanOut" in vertex ? vertex.fanOut : 1,
      state: sizes[taskVertex] as number,
      keyOwner,
      keyPlace,
      sink,
      splits,
      outside: vertex.type === "dedup" && vertex.ids === "outside",
    });
    sizes[taskVertex] = (sizes[taskVertex] as number) + size;
  }
  const stateSize = Int32Array.from(graph.subtasks, ({ taskVertex }) => sizes[taskVertex] as number);
  let stateWords = 0;
  const stateStart = stateSize.map((size) => (stateWords += size) - size);
  return { operators, stateStart, stateSize, stateWords, writers };
}

function kindOf(vertex: JobVertex): OperatorKind {
  switch (vertex.type) {
    case "kafka-source":
    case "file-source":
    case "socket-source":
    case "database-source":
      return "source";
    case "kafka-sink":
    case "append-sink":
    case "print-sink":
    case "naive-sink":
    case "upsert-sink":
    case "two-phase-commit-sink":
    case "file-sink":
    case "write-ahead-log-sink":
    case "table-sink":
      return "sink";
    case "committer":
      return vertex.type;
    case "keyed-sum":
    case "keyed-count":
    case "dedup":
    case "filter":
    case "flat-map":
      return vertex.type;
    case "map":
      return vertex.counter ? "counter" : "pass";
    case "union":
      return "pass";
  }
}

function splitsOf(graph: ExecutionGraph, operator: number, parallelism: number): number[][] {
  const readers = at(graph.readers, graph.sources.indexOf(operator));
  return Array.from({ length: parallelism }, (_, number) =>
    graph.inputs.flatMap(({ index }) => (readers[index] === number ? [index] : [])),
  );
}

function sinkKindOf(vertex: SinkVertex): SinkKind {
  switch (vertex.type) {
    case "kafka-sink":
      return vertex.delivery === "exactly-once" ? "kafkaTransactional" : "appending";
    case "append-sink":
    case "upsert-sink":
      return "appending";
    case "two-phase-commit-sink":
      return "twoPhaseCommit";
    case "file-sink":
      return "file";
    case "print-sink":
      return "printing";
    case "naive-sink":
      return "naive";
    case "write-ahead-log-sink":
      return "writeAheadLog";
    case "table-sink":
      return "tableWriter";
  }
}

/** What a sink writes and commits with; a committer is told of its sink's store and names (SK-140). */
function sinkOf(scenario: Scenario, graph: ExecutionGraph, vertex: JobVertex, firstWriter: number): SinkPlan | null {
  if (isSink(vertex)) return sinkPlan(scenario, graph, vertex, firstWriter);
  if (vertex.type !== "committer") return null;
  const own = graph.operators.find((operator) => operator.vertex.uid === vertex.sink)?.vertex;
  const plan = own === undefined ? null : sinkOf(scenario, graph, own, firstWriter);
  return plan && { ...plan, kind: own?.type === "kafka-sink" ? "globalCommitter" : "tableCommitter" };
}

function sinkPlan(scenario: Scenario, graph: ExecutionGraph, vertex: SinkVertex, firstWriter: number): SinkPlan {
  const store = vertex.type === "kafka-sink" ? vertex.topic : vertex.uid;
  const isOwn = vertex.type !== "kafka-sink";
  const partitions = graph.outputs
    .filter((output) => output.topic === store && (output.store !== "log") === isOwn)
    .map(({ index }) => index);
  const topic = isOwn ? undefined : scenario.topics.find(({ name }) => name === store);
  const { guarantee, commits, store: kept } = traitsOf(vertex);
  return {
    kind: sinkKindOf(vertex),
    guarantee,
    commits,
    store: kept,
    number: graph.prefixes.indexOf(prefixOf(vertex) ?? ""),
    firstWriter,
    transactionTimeout: transactionTimeoutOf(vertex),
    transactionMaxTimeout: topic?.transactionMaxTimeout ?? scenario.broker.transactionMaxTimeout,
    delay: writeDelay(vertex, scenario.timing.network),
    deliveryTimeout: vertex.type === "kafka-sink" ? vertex.deliveryTimeout : 0,
    maxBlock: vertex.type === "kafka-sink" ? vertex.maxBlock : 0,
    naming: vertex.type === "kafka-sink" ? vertex.transactionNaming : "incrementing",
    hasGlobal: hasGlobalCommitter(vertex),
    partitions,
    partitionOfKey: Int32Array.from(graph.keys, (key) => at(partitions, partitionFor(key, partitions.length))),
  };
}
