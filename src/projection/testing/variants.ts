/** The small job with different things going wrong. */
import type { Scenario } from "../../scenario/scenario.ts";
import { smallScenario } from "./builder.ts";

type Json = Record<string, unknown>;

/** The small job with 120 records, a checkpoint every 200 ms, and these faults. */
function faulty(faults: readonly Json[], change: (source: Json) => void = () => {}): Scenario {
  return smallScenario((source) => {
    (source["topics"] as { in: Json }).in["records"] = 120;
    (source["config"] as Json)["execution.checkpointing.interval"] = "200 ms";
    source["faults"] = faults;
    change(source);
  });
}

const setDelivery =
  (delivery: string) =>
  (source: Json): void => {
    const { vertices } = source["job"] as { vertices: Json[] };
    for (const vertex of vertices) if (vertex["type"] === "kafka-sink") vertex["delivery"] = delivery;
  };

/** Another kind of sink in the place of Kafka's. */
const setSink =
  (type: string, more: Json = {}) =>
  (source: Json): void => {
    const job = source["job"] as { vertices: Json[] };
    job.vertices = job.vertices.map((vertex) => {
      if (vertex["type"] !== "kafka-sink") return vertex;
      const { uid, name, parallelism } = vertex;
      return { uid, name, parallelism, type, ...more };
    });
  };

const setMode =
  (options: Json) =>
  (source: Json): void => {
    for (const [key, value] of Object.entries(options))
      (source["config"] as Json)[`execution.checkpointing.${key}`] = value;
  };

/** Barriers that overtake records, which wait for a slow operator. */
const slowUnaligned =
  (timeout: string) =>
  (source: Json): void => {
    setMode({ "unaligned.enabled": true, "aligned-checkpoint-timeout": timeout })(source);
    const { vertices } = source["job"] as { vertices: Json[] };
    for (const vertex of vertices) if (vertex["uid"] === "sum") vertex["cost"] = "15 ms";
  };

const failSum = { at: { time: "450 ms" }, do: "fail-task", target: "sum[0]" };
const failOut = { at: { time: "450 ms" }, do: "fail-task", target: "out[0]" };

/** Operators of every kind, some in one chain. */
function manyOperators(source: Json): void {
  const job = source["job"] as Json;
  job["vertices"] = [
    { uid: "in", name: "In", type: "kafka-source", parallelism: 2, topic: "in" },
    { uid: "seen", name: "Seen", type: "map", parallelism: 2, counter: true },
    { uid: "even", name: "Even", type: "filter", parallelism: 2 },
    { uid: "twice", name: "Twice", type: "flat-map", parallelism: 3, fanOut: 2 },
    { uid: "sum", name: "Count", type: "keyed-count", parallelism: 2 },
    {
      uid: "out",
      name: "Out",
      type: "kafka-sink",
      parallelism: 2,
      topic: "out",
      delivery: "exactly-once",
      properties: { "transaction.timeout.ms": "15 min" },
    },
    { uid: "plain", name: "Plain", type: "kafka-sink", parallelism: 1, topic: "out", delivery: "at-least-once" },
  ];
  job["edges"] = [
    { from: "in", to: "seen", ship: "forward" },
    { from: "seen", to: "even", ship: "forward" },
    { from: "even", to: "twice", ship: "rebalance" },
    { from: "twice", to: "sum", ship: "hash" },
    { from: "sum", to: "out", ship: "forward" },
    { from: "twice", to: "plain", ship: "shuffle" },
  ];
  source["cluster"] = { taskManagers: 2, slots: 3 };
}

const failLate = { at: { after: "CheckpointTriggered", nth: 3 }, do: "fail-task", target: "out[0]" };

/** The source ends, one subtask long before the other. */
function bounded(source: Json): void {
  const { vertices } = source["job"] as { vertices: Json[] };
  for (const vertex of vertices) if (vertex["type"] === "kafka-source") vertex["bounded"] = true;
  (source["topics"] as { in: Json }).in = {
    partitions: [
      { every: "10 ms", records: 10 },
      { every: "10 ms", records: 60 },
    ],
    keys: 3,
  };
}

const withoutCheckpoints = (source: Json): void => {
  bounded(source);
  source["config"] = { "restart-strategy.type": "fixed-delay" };
};

const beforeFinished = (source: Json): void => {
  bounded(source);
  (source["config"] as Json)["execution.checkpointing.checkpoints-after-tasks-finish"] = false;
};

const both =
  (...changes: readonly ((source: Json) => void)[]) =>
  (source: Json): void => {
    for (const change of changes) change(source);
  };

/** Runs that differ in what goes wrong, by name. */
export const variants: readonly (readonly [name: string, scenario: Scenario])[] = [
  ["nothing fails", smallScenario()],
  ["a task fails", faulty([failSum])],
  [
    "the leader is lost while a checkpoint is pending, and a standby takes over",
    faulty([{ at: { after: "CheckpointTriggered", nth: 2 }, do: "kill-jobmanager", for: "200 ms" }], (source) => {
      (source["config"] as Json)["high-availability.type"] = "zookeeper";
    }),
  ],
  [
    "the leader is lost while a restart waits, and nobody takes over",
    faulty([failSum, { at: { after: "RestartScheduled" }, do: "kill-jobmanager" }]),
  ],
  [
    "a sink fails after it has pre-committed",
    faulty([{ ...failOut, at: { after: "TransactionPreCommitted", nth: 2 } }]),
  ],
  [
    "a sink fails before it is told",
    faulty([{ ...failOut, at: { before: "NotificationDelivered", subtask: "out[0]", nth: 2 } }]),
  ],
  [
    "a TaskManager is killed and comes back",
    faulty([
      { at: { time: "450 ms" }, do: "kill-taskmanager", target: "tm-1" },
      { at: { time: "600 ms" }, do: "restart-taskmanager", target: "tm-1" },
    ]),
  ],
  ["at least once, a sink fails", faulty([failOut], setDelivery("at-least-once"))],
  ["no guarantee, a sink fails", faulty([failOut], setDelivery("none"))],
  [
    "committed at the barrier, a task fails",
    faulty([{ ...failSum, at: { after: "TransactionCommitted", nth: 2 } }], (source) => {
      source["broken"] = ["commit-at-barrier"];
    }),
  ],
  [
    "an acknowledgement is lost, so a checkpoint expires",
    faulty([{ at: { time: "0 ms" }, do: "lose-rpc", rpc: "ack", target: "sum[0]", count: 1 }], (source) => {
      (source["config"] as Json)["execution.checkpointing.timeout"] = "150 ms";
      (source["config"] as Json)["execution.checkpointing.tolerable-failed-checkpoints"] = 3;
    }),
  ],
  ["operators of every kind, a task fails", faulty([failSum], manyOperators)],
  ["the input ends", faulty([], bounded)],
  ["the input ends, and a sink fails with one source finished", faulty([failLate], bounded)],
  ["the input ends without checkpoints", faulty([], withoutCheckpoints)],
  ["the input ends, and tasks do not wait for a final checkpoint", faulty([], beforeFinished)],
  ["at-least-once mode, a task fails", faulty([failSum], setMode({ mode: "AT_LEAST_ONCE" }))],
  [
    "unaligned, a task fails",
    faulty([{ ...failSum, at: { after: "CheckpointCompleted", nth: 2 } }], slowUnaligned("0 ms")),
  ],
  ["unaligned after a timeout, a sink fails", faulty([failOut], slowUnaligned("20 ms"))],
  [
    "the input ends, at-least-once mode, a sink fails",
    faulty([failLate], both(bounded, setMode({ mode: "AT_LEAST_ONCE" }))),
  ],
  ["the input ends, unaligned, a sink fails", faulty([failLate], both(bounded, slowUnaligned("0 ms")))],
  [
    "the input ends, unaligned after a timeout, a sink fails",
    faulty([failLate], both(bounded, slowUnaligned("20 ms"))),
  ],
  [
    "unaligned, a snapshot fails, and later a task",
    faulty(
      [
        { at: { time: "0 ms" }, do: "snapshot-failure", target: "sum[0]", part: "async", checkpoint: 2 },
        { ...failSum, at: { after: "CheckpointCompleted", nth: 2 } },
      ],
      both(slowUnaligned("0 ms"), setMode({ "tolerable-failed-checkpoints": 3 })),
    ),
  ],
  ["an append sink fails", faulty([failOut], setSink("append-sink"))],
  ["a print sink fails as the input ends", faulty([failLate], both(bounded, setSink("print-sink")))],
  [
    "a naive sink, a task fails behind its barrier",
    faulty([{ ...failSum, at: { after: "SnapshotTaken", subtask: "out[0]", nth: 2 } }], setSink("naive-sink")),
  ],
  ["a naive sink as the input ends without checkpoints", faulty([], both(withoutCheckpoints, setSink("naive-sink")))],
  [
    "an upsert sink fails, and rows step back",
    faulty([{ ...failOut, at: { time: "550 ms" } }], setSink("upsert-sink")),
  ],
  [
    "at-least-once mode, a task fails, and rows of an upsert sink are wrong",
    faulty([failSum], both(setMode({ mode: "AT_LEAST_ONCE" }), setSink("upsert-sink"))),
  ],
  [
    "a two-phase-commit sink fails after it has prepared",
    faulty([{ ...failOut, at: { after: "TransactionPreCommitted", nth: 2 } }], setSink("two-phase-commit-sink")),
  ],
  [
    "a two-phase-commit sink is killed before it is told, and leaves a transaction behind",
    faulty(
      [
        { at: { before: "NotificationDelivered", subtask: "out[0]", nth: 2 }, do: "kill-taskmanager", target: "tm-1" },
        { at: { time: "1 s" }, do: "restart-taskmanager", target: "tm-1" },
      ],
      setSink("two-phase-commit-sink", { databaseTimeout: "3 s" }),
    ),
  ],
  [
    "the input ends, and a two-phase-commit sink fails",
    faulty([failLate], both(bounded, setSink("two-phase-commit-sink"))),
  ],
  [
    "a file sink in row format fails, and cuts its file back",
    faulty([failOut], setSink("file-sink", { rolloverInterval: "250 ms" })),
  ],
  [
    "a file sink in bulk format fails before it is told",
    faulty(
      [{ ...failOut, at: { before: "NotificationDelivered", subtask: "out[0]", nth: 2 } }],
      setSink("file-sink", { format: "bulk" }),
    ),
  ],
  [
    "the input ends, and a file sink with small files fails",
    faulty([failLate], both(bounded, setSink("file-sink", { maxPartSize: "128 b" }))),
  ],
  ["a sink stalls", faulty([{ at: { time: "300 ms" }, do: "stall", target: "out[0]", for: "300 ms" }])],
];
