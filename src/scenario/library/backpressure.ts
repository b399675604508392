import { broker } from "./base.ts";

/**
 * Two sources feed a slow keyed counter, so its inputs are full and barriers wait behind records. How a checkpoint gets
 * through is a matter of `config`: unaligned at once, or aligned until a timeout.
 */
const backpressure = (
  id: string,
  title: { readonly en: string; readonly zh: string },
  config: { readonly [key: string]: unknown },
) => ({
  $schema: "scenario.schema.json",
  format: 1,
  id,
  title,
  flink: "2.2",
  seed: 7,
  job: {
    name: id,
    maxParallelism: 128,
    vertices: [
      { uid: "clicks", name: "Source: clicks", type: "kafka-source", parallelism: 1, topic: "clicks" },
      { uid: "views", name: "Source: views", type: "kafka-source", parallelism: 1, topic: "views" },
      { uid: "all", name: "Union", type: "union", parallelism: 2 },
      { uid: "count", name: "Count per page", type: "keyed-count", parallelism: 2, cost: "40 ms" },
      {
        uid: "out",
        name: "Sink: counts",
        type: "kafka-sink",
        parallelism: 1,
        topic: "counts",
        delivery: "exactly-once",
        transactionalIdPrefix: "P",
        properties: { "transaction.timeout.ms": "1 h" },
      },
    ],
    edges: [
      { from: "clicks", to: "all", ship: "rebalance" },
      { from: "views", to: "all", ship: "rebalance" },
      { from: "all", to: "count", ship: "hash" },
      { from: "count", to: "out", ship: "rebalance" },
    ],
  },
  cluster: { taskManagers: 2, slots: 2 },
  topics: {
    clicks: { partitions: 1, records: 48, every: "10 ms", keys: 5 },
    views: { partitions: 1, records: 24, every: "30 ms", keys: 5 },
    counts: { partitions: 1 },
  },
  config: {
    "execution.checkpointing.interval": "400 ms",
    "execution.checkpointing.unaligned.enabled": true,
    ...config,
    "restart-strategy.type": "fixed-delay",
    "restart-strategy.fixed-delay.attempts": 3,
    "restart-strategy.fixed-delay.delay": "1 s",
  },
  initialDelay: "300 ms",
  broker,
  until: "drained",
});

/** Every checkpoint is unaligned: barriers overtake, and what they overtake is stored. */
export const unaligned = backpressure(
  "unaligned",
  { en: "Unaligned: barriers overtake records under backpressure", zh: "非对齐：反压下 Barrier 越过数据" },
  {},
);

/** A checkpoint is aligned for 100 ms; what is not aligned by then goes on unaligned. */
export const alignedTimeout = backpressure(
  "aligned-timeout",
  {
    en: "Aligned with a timeout: unaligned only where alignment takes too long",
    zh: "带超时的对齐：对齐太久才转为非对齐",
  },
  { "execution.checkpointing.aligned-checkpoint-timeout": "100 ms" },
);
