/** Scenarios for the view's tests, in the shapes of the library and one of twenty vertices. Not part of the program. */
import type { JobEdge, JobVertex, ShipStrategy } from "../../protocol/job-graph.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import type { InputRecord, Scenario, StateStorage, Timing } from "../../scenario/scenario.ts";

const state: StateStorage = {
  backend: "hashmap",
  incremental: false,
  changelog: false,
  materializeEvery: 600_000,
  storage: "jobmanager",
  dir: null,
  savepointDir: null,
  createSubdir: true,
  inlineThreshold: 20_480,
  highAvailability: false,
};

export const timing: Timing = {
  network: 60,
  rpc: 30,
  snapshotSync: 20,
  snapshotAsync: 300,
  uploadBytesPerSecond: 0,
  deploy: 50,
  cancel: 40,
  restore: 80,
  commit: 30,
  initTransactions: 40,
  markers: 0,
  heartbeatDetect: 500,
  unreachableDetect: 500,
  leaderDetect: 500,
  localRestore: 1,
  takeover: 5000,
  overrides: [],
};

function base(uid: string, parallelism: number): Omit<JobVertex, "type"> & { uid: string } {
  return { uid, name: uid, parallelism, cost: 5, chain: false, slotSharingGroup: "default" } as never;
}

function source(uid: string, parallelism: number, topic = "orders"): JobVertex {
  return {
    ...base(uid, parallelism),
    type: "kafka-source",
    topic,
    groupId: "group",
    commitsOffsets: true,
    autoCommit: null,
    startingOffsets: { kind: "earliest" },
    isolation: "read_uncommitted",
    discoveryInterval: 0,
    bounded: false,
  } as JobVertex;
}

function keyed(uid: string, parallelism: number): JobVertex {
  return { ...base(uid, parallelism), type: "keyed-count", fanOut: 1, counter: false } as JobVertex;
}

function sink(uid: string, parallelism: number): JobVertex {
  return {
    ...base(uid, parallelism),
    type: "kafka-sink",
    topic: "order-counts",
    delivery: "exactly-once",
    transactionalIdPrefix: uid,
    transactionTimeout: 60_000,
    linger: 0,
  } as JobVertex;
}

function edge(from: string, to: string, ship: ShipStrategy = "forward"): JobEdge {
  return { from, to, ship, latency: null, exchange: "PIPELINED_BOUNDED", capacity: 6 };
}

const keys = ["A", "B", "C", "D"];

const checkpointing: Scenario["config"]["checkpointing"] = {
  interval: 2000,
  mode: "EXACTLY_ONCE",
  unaligned: false,
  alignedTimeout: 0,
  withoutChannelState: -1,
  timeout: 10_000,
  minPause: 0,
  maxConcurrent: 1,
  tolerableFailed: 0,
  retained: 2,
  retention: "NO_EXTERNALIZED_CHECKPOINTS",
  afterTasksFinish: true,
};
function recordAt(offset: number): InputRecord {
  return { key: keys[offset % keys.length] ?? "A", value: 1, at: offset * 200 };
}

function topicOf(name: string, partitions: number, records: number): Scenario["topics"][number] {
  return {
    name,
    partitions: Array.from({ length: partitions }, () =>
      Array.from({ length: records }, (_, offset) => recordAt(offset)),
    ),
    transactionMaxTimeout: null,
    kind: "topic",
    added: 0,
    transactions: null,
    background: null,
  };
}

function scenarioOf(
  vertices: readonly JobVertex[],
  edges: readonly JobEdge[],
  partitions = 2,
  taskManagers = 2,
): Scenario {
  return {
    id: "test",
    title: { en: "test", zh: "test" },
    flink: "2.2",
    seed: 1,
    job: { name: "orders", maxParallelism: null, vertices, edges },
    cluster: { taskManagers, slots: 16 },
    topics: [
      topicOf("orders", partitions, 12),
      topicOf("clicks", partitions, 12),
      topicOf("order-counts", partitions, 0),
    ],
    config: {
      checkpointing,
      restartStrategy: { type: "fixed-delay", attempts: 3, delay: 1000 },
      state,
      failoverStrategy: "region",
      slotRequestTimeout: 5000,
      committerRetries: 10,
      cancellationTimeout: 180_000,
      localRecovery: false,
      effective: [],
    },
    timing,
    broker: {
      transactionMaxTimeout: 900_000,
      cleanupInterval: 1000,
      idExpiration: 604_800_000,
      idCleanupInterval: 3_600_000,
    },
    initialDelay: 0,
    faults: [],
    schedule: null,
    broken: [],
    until: { kind: "drained" },
    notices: [],
  };
}

export const scenarios = {
  line: scenarioOf(
    [source("source", 1), keyed("map", 1), sink("sink", 1)],
    [edge("source", "map"), edge("map", "sink")],
    1,
    1,
  ),
  orders: scenarioOf(
    [source("source", 2), keyed("count", 2), sink("sink", 2)],
    [edge("source", "count", "hash"), edge("count", "sink")],
  ),
  twoInputs: scenarioOf(
    [source("orders", 1), source("clicks", 1, "clicks"), keyed("count", 1), sink("sink", 1)],
    [edge("orders", "count", "hash"), edge("clicks", "count", "hash"), edge("count", "sink")],
    1,
  ),
  islands: scenarioOf(
    [source("source", 4), keyed("map", 4), sink("sink", 4)],
    [edge("source", "map"), edge("map", "sink")],
    4,
    4,
  ),
  twenty: twentyVertices(),
} as const satisfies Record<string, Scenario>;

/** Two sources, nine layers of two that cross, one edge that passes six layers, two sinks. */
function twentyVertices(): Scenario {
  const vertices: JobVertex[] = [source("v0-0", 2), source("v0-1", 2, "clicks")];
  const edges: JobEdge[] = [];
  for (let layer = 1; layer < 10; layer++) {
    for (const lane of [0, 1]) {
      vertices.push(layer === 9 ? sink(`v${layer}-${lane}`, 2) : keyed(`v${layer}-${lane}`, 2));
      edges.push(edge(`v${layer - 1}-${lane}`, `v${layer}-${lane}`, "hash"));
      if (layer % 3 === 0) edges.push(edge(`v${layer - 1}-${lane}`, `v${layer}-${1 - lane}`, "hash"));
    }
  }
  edges.push(edge("v1-0", "v7-1", "rebalance"));
  return scenarioOf(vertices, edges);
}

export const graphs: { readonly [K in keyof typeof scenarios]: ExecutionGraph } = {
  line: executionGraph(scenarios.line),
  orders: executionGraph(scenarios.orders),
  twoInputs: executionGraph(scenarios.twoInputs),
  islands: executionGraph(scenarios.islands),
  twenty: executionGraph(scenarios.twenty),
};
