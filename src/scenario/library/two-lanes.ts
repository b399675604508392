import { barriersAfterEveryFourth, broker, config, twelve } from "./base.ts";

/** S3: S1 with parallelism 2 and only forward exchanges, so that there are two regions, one on each TaskManager. */
export const twoLanes = {
  $schema: "scenario.schema.json",
  format: 1,
  id: "two-lanes",
  title: { en: "Two lanes: two regions that fail apart", zh: "两条车道：各自失败的两个区域" },
  flink: "2.2",
  seed: 3,
  job: {
    name: "two-lanes",
    vertices: [
      { uid: "SRC", name: "Source: in", type: "kafka-source", parallelism: 2, topic: "in", chain: false },
      { uid: "MAP", name: "Count", type: "map", counter: true, parallelism: 2, chain: false },
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
      { from: "SRC", to: "MAP", ship: "forward" },
      { from: "MAP", to: "SNK", ship: "forward" },
    ],
  },
  cluster: { taskManagers: 2, slots: 2 },
  topics: {
    in: {
      partitions: [
        { every: "100 ms", values: twelve(1, 1) },
        { every: "100 ms", values: twelve(1, 1) },
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
