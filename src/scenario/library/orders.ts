/**
 * What a first visit sees: online orders counted by product. Two partitions, two machines, nothing chained, so that every
 * record and every barrier is on its way to be seen. With 8 key groups A, B and C belong to the first subtask, D to the
 * second (CP-175). A product is also a shape: ● A, ▲ B, ■ C, ◆ D (`view/stage/marks/key-shape.ts`).
 */
const order = (key: string): { key: string; value: number } => ({ key, value: 1 });

/** Dealt round-robin: the partitions take turns. */
const products = ["A", "B", "C", "D", "A", "D", "B", "A", "D", "C", "A", "B"].map(order);

export const orders = {
  $schema: "scenario.schema.json",
  format: 1,
  id: "orders",
  title: { en: "Orders counted by product", zh: "按商品统计订单" },
  flink: "2.2",
  seed: 7,
  job: {
    name: "orders",
    maxParallelism: 8,
    vertices: [
      { uid: "orders", name: "Source: orders", type: "kafka-source", parallelism: 2, topic: "orders", chain: false },
      { uid: "count", name: "Count", type: "keyed-count", parallelism: 2, chain: false, cost: "5 ms" },
      {
        uid: "sink",
        name: "Sink: order-counts",
        type: "kafka-sink",
        parallelism: 2,
        chain: false,
        topic: "order-counts",
        delivery: "exactly-once",
        properties: { "transaction.timeout.ms": "15 min" },
      },
    ],
    edges: [
      { from: "orders", to: "count", ship: "hash" },
      { from: "count", to: "sink", ship: "forward" },
    ],
  },
  cluster: { taskManagers: 2, slots: 1 },
  topics: {
    orders: { partitions: 2, every: "30 ms", values: products },
    "order-counts": { partitions: 2 },
  },
  config: {
    "execution.checkpointing.interval": "60 ms",
    "execution.checkpointing.mode": "EXACTLY_ONCE",
    "restart-strategy.type": "fixed-delay",
    "restart-strategy.fixed-delay.attempts": 3,
    "restart-strategy.fixed-delay.delay": "100 ms",
  },
  initialDelay: "25 ms",
  timing: { network: "6 ms", rpc: "2 ms", "snapshot.sync": "1 ms", "snapshot.async": "8 ms", deploy: "20 ms" },
  until: "drained",
};
