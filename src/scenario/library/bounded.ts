/**
 * Two bounded sources that end at different times, a keyed sum and an exactly-once sink: checkpoints go on with the first
 * source FINISHED, and the final checkpoint commits the last records before the job is FINISHED (FLIP-147).
 */
export const bounded = {
  $schema: "scenario.schema.json",
  format: 1,
  id: "bounded",
  title: { en: "Bounded input: the final checkpoint", zh: "有界输入：最后一次 Checkpoint" },
  flink: "2.2",
  seed: 5,
  job: {
    name: "bounded",
    maxParallelism: 128,
    vertices: [
      { uid: "archive", name: "Source: archive", type: "kafka-source", topic: "archive", bounded: true },
      { uid: "today", name: "Source: today", type: "kafka-source", parallelism: 2, topic: "today", bounded: true },
      { uid: "total", name: "Total per key", type: "keyed-sum", parallelism: 2, cost: "2 ms" },
      {
        uid: "out",
        name: "Sink: totals",
        type: "kafka-sink",
        topic: "totals",
        delivery: "exactly-once",
        properties: { "transaction.timeout.ms": "15 min" },
      },
    ],
    edges: [
      { from: "archive", to: "total", ship: "hash" },
      { from: "today", to: "total", ship: "hash" },
      { from: "total", to: "out", ship: "rebalance" },
    ],
  },
  cluster: { taskManagers: 2, slots: 1 },
  topics: {
    archive: { partitions: 1, records: 8, every: "20 ms", keys: 4 },
    today: {
      partitions: [
        { records: 10, every: "50 ms" },
        { records: 14, every: "50 ms" },
      ],
      keys: 4,
    },
    totals: { partitions: 1 },
  },
  config: {
    "execution.checkpointing.interval": "200 ms",
    "execution.checkpointing.mode": "EXACTLY_ONCE",
    "restart-strategy.type": "fixed-delay",
    "restart-strategy.fixed-delay.attempts": 3,
    "restart-strategy.fixed-delay.delay": "500 ms",
  },
  initialDelay: "200 ms",
  until: "drained",
};
