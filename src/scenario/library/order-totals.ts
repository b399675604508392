/** The contract's example: Kafka to Kafka with a keyed sum in between, exactly once. */
export const orderTotals = {
  $schema: "scenario.schema.json",
  format: 1,
  id: "order-totals",
  title: { en: "Kafka to Kafka, exactly once", zh: "Kafka 到 Kafka 的精确一次" },
  flink: "2.2",
  seed: 42,
  job: {
    name: "order-totals",
    maxParallelism: 128,
    vertices: [
      { uid: "orders", name: "Source: orders", type: "kafka-source", parallelism: 2, topic: "orders" },
      { uid: "total", name: "Total per key", type: "keyed-sum", parallelism: 2, cost: "5 ms" },
      {
        uid: "out",
        name: "Sink: totals",
        type: "kafka-sink",
        parallelism: 1,
        topic: "totals",
        delivery: "exactly-once",
        properties: { "transaction.timeout.ms": "15 min" },
      },
    ],
    edges: [
      { from: "orders", to: "total", ship: "hash" },
      { from: "total", to: "out", ship: "rebalance" },
    ],
  },
  cluster: { taskManagers: 2, slots: 2 },
  topics: {
    orders: { partitions: 2, records: 160, every: "50 ms", keys: 4 },
    totals: { partitions: 1 },
  },
  config: {
    "execution.checkpointing.interval": "1 s",
    "execution.checkpointing.mode": "EXACTLY_ONCE",
    "restart-strategy.type": "fixed-delay",
    "restart-strategy.fixed-delay.attempts": 3,
    "restart-strategy.fixed-delay.delay": "1 s",
  },
  timing: { network: "2 ms", rpc: "1 ms", "snapshot.sync": "1 ms", "snapshot.async": "20 ms", deploy: "50 ms" },
  broker: {
    "transaction.max.timeout.ms": "15 min",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "10 s",
  },
  until: "drained",
};
