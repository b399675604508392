/**
 * From the job as written to the job as run: chains, subtasks, channels, slots, partitions (Flink's
 * `StreamingJobGraphGenerator`, `DefaultExecutionGraph`, `VertexInputInfoComputationUtils`). Left out: an operator with
 * several inputs is never chained, and forward edges chain only where both sides allow it.
 */
import { at } from "../base/assert.ts";
import type {
  Channel,
  Edge,
  ExecutionGraph,
  Operator,
  Partition,
  Slot,
  Subtask,
  TaskVertex,
} from "../protocol/execution-graph.ts";
import { type JobEdge, type JobGraph, type JobVertex, type ShipStrategy, isSource } from "../protocol/job-graph.ts";
import { defaultMaxParallelism } from "../protocol/key-groups.ts";
import { isSink, prefixOf, storeOf } from "../protocol/sinks.ts";
import type { Scenario } from "./scenario.ts";
import { withCommitters } from "./sink-topology.ts";

type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** What a submission takes over from the one before it, so that numbers of what outlives a job keep their meaning. */
export interface Before {
  readonly graph: ExecutionGraph;
  /** By source and input partition: the reader that restored state gives it to; `null`: nobody had state. */
  readonly readers: readonly (readonly number[])[] | null;
}

export function executionGraph(scenario: Scenario, before: Before | null = null): ExecutionGraph {
  const job = withCommitters(scenario.job);
  const chainedEdges = new Set(job.edges.filter((edge) => chains(job, edge)));
  const operators = job.vertices.map((vertex, index): Draft<Operator> => ({
    index,
    vertex,
    taskVertex: -1,
    chained: [],
    outputs: [],
  }));
  const indexOf = new Map(job.vertices.map((vertex, index) => [vertex.uid, index]));
  const operator = (uid: string): Draft<Operator> => at(operators, indexOf.get(uid) ?? -1);
  for (const edge of chainedEdges) operator(edge.from).chained.push(operator(edge.to).index);

  const vertices = taskVertices(job, operators, chainedEdges, before);
  const slots = slotsOf(scenario, vertices);
  const subtasks = subtasksOf(vertices, slots);
  const edges: Draft<Edge>[] = [];
  const channels: Channel[] = [];
  for (const edge of job.edges.filter((candidate) => !chainedEdges.has(candidate))) {
    const from = operator(edge.from);
    const to = operator(edge.to);
    const made: Draft<Edge> = {
      index: edges.length,
      fromOperator: from.index,
      toOperator: to.index,
      from: from.taskVertex,
      to: to.taskVertex,
      ship: edge.ship,
      latency: edge.latency ?? scenario.timing.network,
      exchange: edge.exchange,
      capacity: edge.capacity,
      channels: [],
    };
    from.outputs.push(made.index);
    connect(made, at(vertices, made.from), at(vertices, made.to), subtasks, channels);
    edges.push(made);
  }
  return { operators, vertices, subtasks, edges, channels, slots, ...outside(scenario, operators, before) };
}

/** `StreamingJobGraphGenerator.isChainable`. */
export function chains(job: JobGraph, edge: JobEdge): boolean {
  const from = job.vertices.find((vertex) => vertex.uid === edge.from);
  const to = job.vertices.find((vertex) => vertex.uid === edge.to);
  if (from === undefined || to === undefined) return false;
  const inputs = job.edges.filter((other) => other.to === edge.to).length;
  return (
    edge.ship === "forward" &&
    edge.exchange !== "BLOCKING" &&
    from.chain &&
    to.chain &&
    inputs === 1 &&
    from.parallelism === to.parallelism &&
    from.slotSharingGroup === to.slotSharingGroup
  );
}

function taskVertices(
  job: JobGraph,
  operators: Draft<Operator>[],
  chainedEdges: ReadonlySet<JobEdge>,
  before: Before | null,
): Draft<TaskVertex>[] {
  const inside = new Set([...chainedEdges].map((edge) => edge.to));
  const vertices: Draft<TaskVertex>[] = [];
  for (const head of operators.filter(({ vertex }) => !inside.has(vertex.uid))) {
    const members: number[] = [];
    const visit = (operator: Draft<Operator>): void => {
      members.push(operator.index);
      operator.taskVertex = vertices.length;
      for (const next of operator.chained) visit(at(operators, next));
    };
    visit(head);
    vertices.push({
      index: vertices.length,
      uid: head.vertex.uid,
      name: members.map((member) => at(operators, member).vertex.name).join(" -> "),
      parallelism: head.vertex.parallelism,
      maxParallelism:
        job.maxParallelism ?? storedMaximum(head, before) ?? defaultMaxParallelism(head.vertex.parallelism),
      operators: members,
      subtasks: [],
      slotSharingGroup: head.vertex.slotSharingGroup,
    });
  }
  return vertices;
}

/** Restored state brings its maximum parallelism along where none is set (`Checkpoints.loadAndValidateCheckpoint`; CP-178). */
function storedMaximum({ vertex: { uid } }: Draft<Operator>, before: Before | null): number | null {
  if (before === null || before.readers === null) return null;
  const { operators, vertices } = before.graph;
  const known = operators.find(({ vertex }) => vertex.uid === uid);
  return known === undefined ? null : at(vertices, known.taskVertex).maxParallelism;
}

/** The i-th slot of a sharing group holds the i-th subtask of each of its vertices; slots fill TaskManagers round-robin. */
function slotsOf(scenario: Scenario, vertices: readonly Draft<TaskVertex>[]): Slot[] {
  const { taskManagers, slots: perTaskManager } = scenario.cluster;
  const groups = [...new Set(vertices.map((vertex) => vertex.slotSharingGroup))];
  const slots: Slot[] = [];
  for (const group of groups) {
    const members = vertices.filter((vertex) => vertex.slotSharingGroup === group);
    const count = Math.max(...members.map((vertex) => vertex.parallelism));
    for (let number = 0; number < count; number++) {
      const index = slots.length;
      slots.push({
        index,
        group,
        number,
        taskManager: index < taskManagers * perTaskManager ? index % taskManagers : -1,
      });
    }
  }
  return slots;
}

function subtasksOf(vertices: Draft<TaskVertex>[], slots: readonly Slot[]): Draft<Subtask>[] {
  const subtasks: Draft<Subtask>[] = [];
  for (const vertex of vertices) {
    for (let number = 0; number < vertex.parallelism; number++) {
      const slot = slots.findIndex(
        (candidate) => candidate.group === vertex.slotSharingGroup && candidate.number === number,
      );
      const index = subtasks.length;
      vertex.subtasks.push(index);
      subtasks.push({
        index,
        name: `${vertex.uid}[${number}]`,
        taskVertex: vertex.index,
        number,
        slot,
        inputs: [],
        outputs: [],
      });
    }
  }
  return subtasks;
}

function connect(
  edge: Draft<Edge>,
  from: Draft<TaskVertex>,
  to: Draft<TaskVertex>,
  subtasks: Draft<Subtask>[],
  channels: Channel[],
): void {
  for (const sender of from.subtasks) {
    for (const receiver of to.subtasks) {
      const source = at(subtasks, sender);
      const target = at(subtasks, receiver);
      if (!connected(edge.ship, source.number, from.parallelism, target.number, to.parallelism)) continue;
      const channel: Channel = {
        index: channels.length,
        name: `${source.name}->${target.name}`,
        edge: edge.index,
        from: sender,
        to: receiver,
      };
      channels.push(channel);
      edge.channels.push(channel.index);
      source.outputs.push(channel.index);
      target.inputs.push(channel.index);
    }
  }
}

/** Does sender i of p feed receiver j of q? Pointwise exchanges as in `computeVertexInputInfoForPointwise`. */
function connected(ship: ShipStrategy, i: number, p: number, j: number, q: number): boolean {
  if (ship !== "forward" && ship !== "rescale") return true;
  if (p >= q) return i >= Math.floor((j * p) / q) && i < Math.floor(((j + 1) * p) / q);
  return j >= Math.floor((i * q + p - 1) / p) && j < Math.floor(((i + 1) * q + p - 1) / p);
}

type Outside = Pick<
  ExecutionGraph,
  "taskManagers" | "inputs" | "readers" | "outputs" | "sources" | "sinks" | "keys" | "uids" | "prefixes" | "identities"
>;

type Unnumbered = Omit<Partition, "index">;

function outside(scenario: Scenario, operators: readonly Draft<Operator>[], before: Before | null): Outside {
  const sources = operators.filter(({ vertex }) => isSource(vertex));
  const sinks = operators.filter(({ vertex }) => isSink(vertex));
  const topicsOf = (side: readonly Draft<Operator>[]): Set<string> =>
    new Set(side.flatMap(({ vertex }) => ("topic" in vertex ? [vertex.topic] : [])));
  const partitions = (topics: ReadonlySet<string>, stores: readonly Unnumbered[]): Partition[] => {
    const ofTopics = scenario.topics
      .filter(({ name }) => topics.has(name))
      .flatMap(({ name, partitions: list }) =>
        list.map((_, partition) => ({ topic: name, partition, name: `${name}-${partition}`, store: "log" as const })),
      );
    return [...ofTopics, ...stores].map((partition, index) => ({ index, ...partition }));
  };
  const stores = sinks.flatMap(({ vertex }): Unnumbered[] => {
    const store = storeOf(vertex);
    return store === null ? [] : [{ topic: store.name, partition: 0, name: store.name, store: store.kind }];
  });
  const inputs = before?.graph.inputs ?? partitions(topicsOf(sources), []);
  const uids = [...new Set([...(before?.graph.uids ?? []), ...operators.map(({ vertex }) => vertex.uid)])];
  const prefixes = sinks.flatMap(({ vertex }) => prefixOf(vertex) ?? []);
  return {
    taskManagers: Array.from({ length: scenario.cluster.taskManagers }, (_, index) => `tm-${index + 1}`),
    inputs,
    readers: before?.readers ?? sources.map(({ vertex }) => owners(vertex, inputs)),
    outputs: before?.graph.outputs ?? partitions(topicsOf(sinks), stores),
    sources: sources.map(({ index }) => index),
    sinks: sinks.map(({ index }) => index),
    keys: before?.graph.keys ?? keysOf(scenario),
    uids,
    identities: identities(operators, uids, before?.graph ?? null),
    prefixes: [...new Set([...(before?.graph.prefixes ?? []), ...prefixes])],
  };
}

function identities(
  operators: readonly Draft<Operator>[],
  uids: readonly string[],
  before: ExecutionGraph | null,
): number[] {
  const remains = new Set(operators.map(({ vertex }) => vertex.uid));
  const gone = (before?.sinks ?? []).filter((sink) => !remains.has(at(before?.operators ?? [], sink).vertex.uid));
  return operators.map(({ vertex }) => {
    const known = before === null || before.uids.includes(vertex.uid);
    const replaced = gone.filter((sink) => {
      const other = at(before?.operators ?? [], sink).vertex;
      return other.type === "kafka-sink" && vertex.type === "kafka-sink" && other.topic === vertex.topic;
    });
    const [sink] = replaced;
    if (known || sink === undefined || replaced.length > 1) return uids.indexOf(vertex.uid);
    return at(before.identities, sink);
  });
}

/** Which subtask of a source its enumerator gives each input partition to (SK-005); `-1`: it is of another topic. */
export function owners(vertex: JobVertex, inputs: readonly Partition[]): number[] {
  return inputs.map(({ topic, partition }) =>
    isSource(vertex) && topic === vertex.topic ? partition % vertex.parallelism : -1,
  );
}

/** Every key of the input, in the order in which the topics' records are dealt. */
function keysOf(scenario: Scenario): string[] {
  const keys = new Set<string>();
  for (const { partitions } of scenario.topics) {
    const longest = Math.max(0, ...partitions.map((list) => list.length));
    for (let offset = 0; offset < longest; offset++) {
      for (const list of partitions) {
        const record = list[offset];
        if (record !== undefined) keys.add(record.key);
      }
    }
  }
  return [...keys];
}
