/**
 * Randomly drawn jobs, configurations and failures, as a scenario's source: shapes and timings that nobody would think of.
 * The same number gives the same scenario.
 */
import { advance, below, stream } from "../../base/prng.ts";
import type { Command } from "../../scenario/scenario.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { command } from "./runs.ts";

type Json = { [key: string]: unknown };

/** Chance for one scenario. */
export class Draw {
  private state: number;

  constructor(number: number) {
    this.state = stream(number, "random jobs");
  }

  upTo(bound: number): number {
    this.state = advance(this.state);
    return below(this.state, bound);
  }

  one<T>(...choices: readonly T[]): T {
    return choices[this.upTo(choices.length)] as T;
  }
}

/** A job of one or two sources, none to two transformations, one or two sinks. */
export function randomSource(draw: Draw): Json {
  const { vertices, edges, last } = randomHead(draw);
  const sinks = 1 + (draw.upTo(4) === 0 ? 1 : 0);
  const before = widthOf(vertices, last);
  for (let i = 0; i < sinks; i++) {
    const parallelism = draw.one(1, 2, before);
    vertices.push({
      uid: `sink${i}`,
      type: "kafka-sink",
      topic: `out${i}`,
      parallelism,
      transactionalIdPrefix: `sink${i}`,
      delivery: draw.one("exactly-once", "exactly-once", "exactly-once", "at-least-once", "none"),
      properties: { "transaction.timeout.ms": draw.one("15 min", "20 s"), "linger.ms": draw.one("0 ms", "30 ms") },
    });
    edges.push({
      from: last,
      to: `sink${i}`,
      ship: parallelism === before ? draw.one("forward", "hash") : "rebalance",
    });
  }
  const taskManagers = 1 + draw.upTo(3);
  const slots =
    Math.ceil(Math.max(...vertices.map(({ parallelism }) => parallelism as number)) / taskManagers) + draw.upTo(2);
  return {
    format: 1,
    flink: draw.one("1.20", "2.2"),
    seed: draw.upTo(1000),
    job: { name: "random", maxParallelism: draw.one(4, 128), vertices, edges },
    cluster: { taskManagers, slots },
    topics: {
      in: {
        partitions: 1 + draw.upTo(3),
        records: 20 + draw.upTo(60),
        every: draw.one("5 ms", "30 ms"),
        keys: 1 + draw.upTo(6),
      },
      ...Object.fromEntries(Array.from({ length: sinks }, (_, i) => [`out${i}`, { partitions: 1 + draw.upTo(2) }])),
    },
    config: randomConfig(draw),
    timing: randomTiming(draw),
    until: { time: "20 s" },
  };
}

function widthOf(vertices: readonly Json[], uid: string): number {
  return vertices.find((vertex) => vertex["uid"] === uid)?.["parallelism"] as number;
}

/** Everything before the sinks, and the uid that they read. */
function randomHead(draw: Draw): { vertices: Json[]; edges: Json[]; last: string } {
  const [p, q] = [1 + draw.upTo(3), 1 + draw.upTo(3)];
  const vertices: Json[] = [
    {
      uid: "source",
      type: "kafka-source",
      topic: "in",
      parallelism: p,
      groupId: "g",
      chain: draw.one(true, false),
      cost: draw.one("0 ms", "3 ms"),
      bounded: draw.one(false, false, true),
    },
  ];
  const edges: Json[] = [];
  let last = "source";
  if (draw.upTo(4) === 0) {
    vertices.push(
      { uid: "other", type: "kafka-source", topic: "in", parallelism: q, bounded: draw.one(false, true) },
      { uid: "union", type: "union", parallelism: q },
    );
    edges.push({ from: "source", to: "union", ship: "rebalance" }, { from: "other", to: "union", ship: "hash" });
    last = "union";
  }
  for (let i = draw.upTo(3); i > 0; i--) {
    const type = draw.one("map", "filter", "flat-map", "keyed-sum", "keyed-count");
    const [before, parallelism] = [widthOf(vertices, last), draw.one(p, q)];
    const ship = type.startsWith("keyed")
      ? "hash"
      : before === parallelism
        ? draw.one("forward", "rebalance")
        : draw.one("rebalance", "rescale", "shuffle", "global");
    vertices.push({
      uid: `v${i}`,
      type,
      parallelism,
      chain: draw.one(true, false),
      cost: draw.one("0 ms", "1 ms", "4 ms"),
      ...(type === "flat-map" && { fanOut: 2 }),
      ...(type === "map" && { counter: draw.one(true, false) }),
    });
    edges.push({ from: last, to: `v${i}`, ship, capacity: draw.one(1, 3, 8) });
    last = `v${i}`;
  }
  return { vertices, edges, last };
}

function randomConfig(draw: Draw): Json {
  const strategy = draw.one<Json>(
    { type: "fixed-delay", "fixed-delay.attempts": 8, "fixed-delay.delay": draw.one("0 ms", "100 ms", "1 s") },
    {
      type: "failure-rate",
      "failure-rate.max-failures-per-interval": 2,
      "failure-rate.failure-rate-interval": "2 s",
      "failure-rate.delay": "300 ms",
    },
    {
      type: "exponential-delay",
      "exponential-delay.initial-backoff": "200 ms",
      "exponential-delay.max-backoff": "2 s",
    },
    { type: "none" },
  );
  const checkpointing = {
    interval: draw.one("100 ms", "300 ms", "1 s"),
    "max-concurrent-checkpoints": 1 + draw.upTo(3),
    "num-retained": 1 + draw.upTo(2),
    "tolerable-failed-checkpoints": draw.one(0, 3, 100),
    timeout: draw.one("10 min", "60 ms"),
    "min-pause": draw.one("0 ms", "150 ms"),
    "checkpoints-after-tasks-finish": draw.one(true, true, true, false),
    ...draw.one<Json>(
      { mode: "AT_LEAST_ONCE" },
      {},
      {},
      { "unaligned.enabled": true, "max-concurrent-checkpoints": 1 },
      {
        "unaligned.enabled": true,
        "aligned-checkpoint-timeout": draw.one("1 ms", "10 ms", "50 ms", "300 ms"),
        "max-concurrent-checkpoints": 1,
      },
    ),
  };
  return Object.fromEntries([
    ...Object.entries(checkpointing).map(([key, value]) => [`execution.checkpointing.${key}`, value]),
    ...Object.entries(strategy).map(([key, value]) => [`restart-strategy.${key}`, value]),
  ]) as Json;
}

function randomTiming(draw: Draw): Json {
  return {
    network: draw.one("0 ms", "2 ms", "7 ms"),
    rpc: draw.one("0 ms", "1 ms", "20 ms"),
    "snapshot.sync": draw.one("0 ms", "1 ms", "10 ms"),
    "snapshot.async": draw.one("0 ms", "20 ms", "150 ms"),
    deploy: draw.one("0 ms", "20 ms", "50 ms"),
    cancel: draw.one("0 ms", "5 ms", "400 ms"),
    restore: draw.one("0 ms", "10 ms"),
    commit: draw.one("0 ms", "2 ms", "40 ms"),
    initTransactions: draw.one("0 ms", "5 ms"),
    "heartbeat.detect": draw.one("50 s", "1 s"),
  };
}

/** Something that goes wrong, or is done, anywhere. */
export function randomCommand(draw: Draw, { subtasks, taskManagers }: ExecutionGraph): Command {
  const subtask = draw.one(...subtasks).name;
  const taskManager = draw.one(...taskManagers);
  switch (draw.upTo(10)) {
    case 0:
      return command("kill-taskmanager", taskManager);
    case 1:
    case 2:
      return command("restart-taskmanager", taskManager);
    case 3:
      return command("fail-job", null);
    case 4:
      return command("lose-rpc", draw.one(null, subtask), {
        rpc: draw.one("trigger", "ack", "decline", "notify-complete", "notify-aborted"),
        count: 1 + draw.upTo(4),
      });
    case 5:
      return command("stall", subtask, { for: 10 + draw.upTo(900) });
    case 6:
      return command("trigger-checkpoint", null);
    case 7:
      return command("expire-transaction", subtask);
    default:
      return command("fail-task", subtask);
  }
}
