/**
 * One slow sink behind a keyed counter with several inputs: the whole job is under backpressure, barriers wait behind
 * records, and those of the two topics come at different times. The run by which checkpointing modes are compared.
 */
import { broker } from "./base.ts";

export const modes = {
  $schema: "scenario.schema.json",
  format: 1,
  id: "modes",
  title: { en: "One slow sink: a job under backpressure", zh: "一个慢 Sink：整个作业处于反压之下" },
  flink: "2.2",
  seed: 11,
  job: {
    name: "modes",
    maxParallelism: 128,
    vertices: [
      { uid: "clicks", name: "Source: clicks", type: "kafka-source", topic: "clicks" },
      { uid: "views", name: "Source: views", type: "kafka-source", topic: "views" },
      { uid: "count", name: "Count per page", type: "keyed-count", parallelism: 2, cost: "2 ms" },
      {
        uid: "out",
        name: "Sink: counts",
        type: "kafka-sink",
        topic: "counts",
        delivery: "exactly-once",
        cost: "20 ms",
        properties: { "transaction.timeout.ms": "15 min" },
      },
    ],
    edges: [
      { from: "clicks", to: "count", ship: "hash" },
      { from: "views", to: "count", ship: "hash" },
      { from: "count", to: "out", ship: "rebalance" },
    ],
  },
  cluster: { taskManagers: 2, slots: 2 },
  topics: {
    clicks: { partitions: 1, records: 120, every: "10 ms", keys: 6 },
    views: { partitions: 1, records: 60, every: "30 ms", keys: 6 },
    counts: { partitions: 1 },
  },
  config: {
    "execution.checkpointing.interval": "1 s",
    "execution.checkpointing.mode": "EXACTLY_ONCE",
    "restart-strategy.type": "fixed-delay",
    "restart-strategy.fixed-delay.attempts": 3,
    "restart-strategy.fixed-delay.delay": "500 ms",
  },
  initialDelay: "400 ms",
  broker,
  until: "drained",
};
