/** A scenario whose run is long: `order-totals` with 16 subtasks. A record makes about nine entries; one failure, early. */
export function longRun(records) {
  return {
    format: 1,
    id: "long-run",
    title: { en: "A long run" },
    flink: "2.2",
    seed: 42,
    job: {
      name: "long-run",
      maxParallelism: 128,
      vertices: [
        { uid: "orders", name: "Source: orders", type: "kafka-source", parallelism: 6, topic: "orders" },
        { uid: "total", name: "Total per key", type: "keyed-sum", parallelism: 6, cost: "5 ms" },
        {
          uid: "out",
          name: "Sink: totals",
          type: "kafka-sink",
          parallelism: 4,
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
    cluster: { taskManagers: 4, slots: 2 },
    topics: { orders: { partitions: 6, records, every: "20 ms", keys: 16 }, totals: { partitions: 2 } },
    config: { "execution.checkpointing.interval": "1 s", "restart-strategy.type": "fixed-delay" },
    faults: [{ at: { time: "10 s" }, do: "fail-task", target: "total[1]" }],
    until: "drained",
  };
}
