import { barriersAfterEveryFourth, broker, config, twelve } from "./base.ts";

/**
 * S2: two sources (odd records in p0, even ones in p1), two keyed counters behind a hash exchange, two sinks. The counters
 * are slower than their input, and each is fed mostly by one source: so barriers come at different times, and one sees
 * alignment hold a channel.
 */
export const shuffle = {
  $schema: "scenario.schema.json",
  format: 1,
  id: "shuffle",
  title: { en: "Shuffle: barriers wait for each other", zh: "Shuffle：Barrier 相互等待" },
  flink: "2.2",
  seed: 2,
  job: {
    name: "shuffle",
    maxParallelism: 128,
    vertices: [
      { uid: "SRC", name: "Source: in", type: "kafka-source", parallelism: 2, topic: "in" },
      { uid: "MAP", name: "Count per key", type: "keyed-count", parallelism: 2, cost: "110 ms", chain: false },
      {
        uid: "SNK",
        name: "Sink: out",
        type: "kafka-sink",
        parallelism: 2,
        topic: "out",
        delivery: "exactly-once",
        transactionalIdPrefix: "P",
        properties: { "transaction.timeout.ms": "1 h" },
        chain: false,
      },
    ],
    edges: [
      { from: "SRC", to: "MAP", ship: "hash" },
      { from: "MAP", to: "SNK", ship: "forward" },
    ],
  },
  cluster: { taskManagers: 2, slots: 2 },
  topics: {
    in: {
      partitions: [
        { every: "100 ms", values: twelve(1, 2, ["milk", "tea", "coffee", "tea"]) },
        { every: "100 ms", values: twelve(2, 2, ["rice", "salt", "sugar", "salt"]) },
      ],
    },
    out: { partitions: 2 },
  },
  config,
  initialDelay: "5 s",
  broker,
  faults: barriersAfterEveryFourth,
  until: "drained",
};
