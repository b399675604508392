import { barriersAfterEveryFourth, broker, config, twelve } from "./base.ts";

const alone = (group: string): { chain: boolean; slotSharingGroup: string } => ({
  chain: false,
  slotSharingGroup: group,
});

/** S1: SRC[0] → MAP[0] → SNK[0], three tasks in one region, each on a TaskManager of its own. */
export const linear = {
  $schema: "scenario.schema.json",
  format: 1,
  id: "linear",
  title: { en: "One line: source, counter, transactional sink", zh: "一条直线：Source、计数器、事务 Sink" },
  flink: "2.2",
  seed: 1,
  job: {
    name: "linear",
    vertices: [
      { uid: "SRC", name: "Source: in", type: "kafka-source", topic: "in", ...alone("source") },
      { uid: "MAP", name: "Count", type: "map", counter: true, ...alone("map") },
      {
        uid: "SNK",
        name: "Sink: out",
        type: "kafka-sink",
        topic: "out",
        delivery: "exactly-once",
        transactionalIdPrefix: "P",
        properties: { "transaction.timeout.ms": "1 h" },
        ...alone("sink"),
      },
    ],
    edges: [
      { from: "SRC", to: "MAP", ship: "forward" },
      { from: "MAP", to: "SNK", ship: "forward" },
    ],
  },
  cluster: { taskManagers: 3, slots: 3 },
  topics: { in: { partitions: 1, every: "100 ms", values: twelve(1, 1) }, out: { partitions: 1 } },
  config,
  initialDelay: "5 s",
  broker,
  faults: barriersAfterEveryFourth,
  until: "drained",
};
