import { describe, expect, test } from "vitest";
import { parseScenario, scenarioFrom } from "./parse.ts";
import { type Json, parsed, problemsOf, small, vertexOf } from "./testing/sources.ts";

const edges = (source: Json): Json[] => (source["job"] as { edges: Json[] }).edges;

/** The small scenario, changed in place. */
function changed(change: (source: Json) => void): Json {
  const source = small();
  change(source);
  return source;
}

describe("defaults are the contract's", () => {
  test("what is left out is filled in", () => {
    const scenario = parsed(small());
    expect(scenario).toMatchObject({
      title: { en: "small", zh: "small" },
      flink: "2.2",
      seed: 1,
      cluster: { taskManagers: 1, slots: 2 },
      broker: {
        transactionMaxTimeout: 900_000,
        cleanupInterval: 10_000,
        idExpiration: 604_800_000,
        idCleanupInterval: 3_600_000,
      },
      initialDelay: null,
      faults: [],
      schedule: null,
      broken: [],
      until: { kind: "drained" },
      notices: [],
    });
    expect(scenario.timing).toEqual({
      network: 2,
      rpc: 1,
      snapshotSync: 1,
      snapshotAsync: 20,
      uploadBytesPerSecond: 0,
      deploy: 50,
      cancel: 5,
      restore: 10,
      commit: 2,
      initTransactions: 5,
      markers: 0,
      heartbeatDetect: 50_000,
      unreachableDetect: 50_000,
      leaderDetect: 50_000,
      localRestore: 1,
      takeover: 5000,
      overrides: [],
    });
    expect(scenario.job.vertices[1]).toEqual({
      uid: "sum",
      name: "sum",
      type: "keyed-sum",
      parallelism: 2,
      cost: 1,
      chain: true,
      slotSharingGroup: "default",
      fanOut: 1,
      counter: false,
    });
    expect(scenario.job.edges[0]).toEqual({
      exchange: "PIPELINED_BOUNDED",
      from: "src",
      to: "sum",
      ship: "hash",
      latency: null,
      capacity: 8,
    });
  });

  test("one TaskManager has a slot for the widest vertex of each sharing group", () => {
    const source = changed((given) => {
      vertexOf(given, "src")["slotSharingGroup"] = "sources";
      vertexOf(given, "sum")["parallelism"] = 3;
    });
    expect(parsed(source).cluster).toEqual({ taskManagers: 1, slots: 5 });
    expect(parsed({ ...source, cluster: { taskManagers: 2 } }).cluster).toEqual({ taskManagers: 2, slots: 3 });
    expect(parsed({ ...source, config: { "taskmanager.numberOfTaskSlots": 1 } }).cluster).toEqual({
      taskManagers: 1,
      slots: 1,
    });
  });

  test("a sink's prefix is its uid, its timeout an hour; with both timeouts at default a notice says that it cannot start (R-10)", () => {
    const scenario = parsed(changed((source) => delete vertexOf(source, "out")["properties"]));
    expect(scenario.job.vertices[2]).toMatchObject({
      transactionalIdPrefix: "out",
      transactionTimeout: 3_600_000,
      linger: 0,
      delivery: "exactly-once",
    });
    expect(scenario.notices).toEqual([
      expect.objectContaining({
        code: "TRANSACTION_TIMEOUT_ABOVE_BROKER",
        path: "job.vertices[2].properties.transaction.timeout.ms",
      }),
    ]);
    expect(parsed({ ...small(), broker: { "transaction.max.timeout.ms": "1 h" } }).notices).toEqual([]);
  });

  test("an edge without a ship is forward at equal parallelism and rebalance at other, as in Flink's StreamGraph", () => {
    const source = changed((given) => {
      vertexOf(given, "sum")["type"] = "map";
      for (const edge of edges(given)) delete edge["ship"];
    });
    expect(parsed(source).job.edges.map(({ ship }) => ship)).toEqual(["forward", "rebalance"]);
  });

  test("without commit.offsets.on.checkpoint, or without a group, a source commits no offsets", () => {
    const group = (more: Json): unknown => {
      const vertex = parsed(changed((source) => Object.assign(vertexOf(source, "src"), more))).job.vertices[0];
      return vertex?.type === "kafka-source" && vertex.commitsOffsets;
    };
    expect([
      group({}),
      group({ groupId: "g" }),
      group({ groupId: "g", properties: { "commit.offsets.on.checkpoint": false } }),
    ]).toEqual([false, true, false]);
  });

  test("SK-006, SK-007: where a source begins, how it resets and when it looks for partitions, as Flink's builder has it", () => {
    const read = (more: Json): unknown => {
      const vertex = parsed(changed((source) => Object.assign(vertexOf(source, "src"), more))).job.vertices[0];
      return vertex?.type === "kafka-source" && [vertex.startingOffsets, vertex.discoveryInterval, vertex.autoCommit];
    };
    expect([
      read({}),
      read({ startingOffsets: "latest", bounded: true }),
      read({ startingOffsets: "group:latest", groupId: "g", properties: { "enable.auto.commit": true } }),
      read({ startingOffsets: "timestamp:1500", properties: { "partition.discovery.interval.ms": "2 s" } }),
      read({ startingOffsets: [3, 0] }),
    ]).toEqual([
      [{ kind: "earliest" }, 300_000, null],
      [{ kind: "latest" }, 0, null],
      [{ kind: "group", reset: "latest" }, 300_000, 5000],
      [{ kind: "timestamp", time: 1500 }, 2000, null],
      [{ kind: "offsets", offsets: [3, 0] }, 300_000, null],
    ]);
  });

  test.each<readonly [Json, string]>([
    [{ startingOffsets: "first" }, 'job.vertices[0].startingOffsets: "first": Must be "earliest", "latest", "group"'],
    [{ startingOffsets: [-1] }, "job.vertices[0].startingOffsets[0]: -1: Must be a whole number from 0 to"],
    [{ startingOffsets: "group" }, "job.vertices[0].groupId: nothing: Kafka needs a group.id to start from"],
    [
      { properties: { "enable.auto.commit": true } },
      "job.vertices[0].groupId: nothing: Kafka needs a group.id where enable.auto.commit is true",
    ],
    [
      { properties: { "auto.offset.reset": "none" } },
      'job.vertices[0].properties.auto.offset.reset: "none": "auto.offset.reset" is not simulated yet. Flink\'s source overwrites it',
    ],
  ])("a source that Flink or Kafka would refuse: %j", (more, told) => {
    const problems = problemsOf(changed((source) => Object.assign(vertexOf(source, "src"), more)));
    expect(problems.filter((line) => line.startsWith(told))).toHaveLength(1);
  });
});

describe("all problems are told at once, each with its place, the value, and what is allowed", () => {
  test("mistakes in several sections do not hide each other", () => {
    const source = changed((given) => {
      Object.assign(given, {
        seed: -1,
        sed: 2,
        config: { "execution.checkpointing.intervall": "1 s" },
        faults: [{ at: { time: "soon" }, do: "fail-tsk" }],
      });
      vertexOf(given, "sum")["paralelism"] = 3;
      (edges(given)[1] as Json)["to"] = "ot";
    });
    expect(problemsOf(source)).toEqual([
      expect.stringMatching(/^sed: 2: Unknown key "sed"\. Did you mean "seed"\?/),
      "seed: -1: Must be a whole number from 0 to 4294967295.",
      expect.stringMatching(
        /^job\.vertices\[1\]\.paralelism: 3: Unknown key "paralelism"\. Did you mean "parallelism"\?/,
      ),
      expect.stringMatching(
        /^config\.execution\.checkpointing\.intervall: "1 s": Unknown option\. Did you mean "execution\.checkpointing\.interval"\?/,
      ),
      'job.edges[1].to: "ot": No vertex has this uid. Did you mean "out"? There are: src, sum, out.',
      expect.stringMatching(/^faults\[0\]\.do: "fail-tsk": Not known here\. Did you mean "fail-task"\?/),
    ]);
  });

  test("what is required is said to be", () => {
    expect(problemsOf({})).toEqual([
      'format: nothing: "format" is required here.',
      'job: nothing: "job" is required here.',
    ]);
    expect(problemsOf(changed((source) => delete vertexOf(source, "src")["topic"]))).toContain(
      'job.vertices[0].topic: nothing: "topic" is required here.',
    );
  });

  test.each([[null], [3], ["x"], [[]]])("%j is no scenario", (json) => {
    expect(problemsOf(json)).toHaveLength(1);
  });
});

describe("what the contract names and a run of today does not simulate is told apart from what nobody knows", () => {
  test.each<[string, (source: Json) => void, string]>([
    [
      "a vertex type",
      (source) => (vertexOf(source, "sum")["type"] = "window-count"),
      'job.vertices[1].type: "window-count": "window-count" is not simulated yet.',
    ],
    [
      "a key",
      (source) => (vertexOf(source, "src")["outOfOrderness"] = "1 s"),
      'job.vertices[0].outOfOrderness: "1 s": "outOfOrderness" is not simulated yet.',
    ],
    [
      "a restore",
      (source) => (source["config"] = { "execution.state-recovery.path": "/sp" }),
      'config.execution.state-recovery.path: "/sp": Not simulated yet.',
    ],
    [
      "a broken rule",
      (source) => (source["broken"] = ["non-fifo"]),
      'broken[0]: "non-fifo": "non-fifo" is not simulated yet.',
    ],
  ])("%s", (_, change, told) => {
    expect(problemsOf(changed(change)).filter((line) => line.startsWith(told))).toHaveLength(1);
  });

  test("a schedule is a list of steps and choices, and its steps do not go back", () => {
    expect(
      parsed(
        small({
          schedule: [
            [3, 0],
            [3, 2],
            [7, 1],
          ],
        }),
      ).schedule,
    ).toEqual([
      [3, 0],
      [3, 2],
      [7, 1],
    ]);
    const problems = (schedule: unknown): string[] => problemsOf(small({ schedule }));
    expect(
      problems([
        [7, 1],
        [3, 0],
      ]),
    ).toEqual(["schedule: [[7,1],[3,0]]: Steps must not go back."]);
    expect(problems([[7]])).toHaveLength(1);
    expect(problems([[7, 1, 2]])).toHaveLength(1);
    expect(problems([[-1, 0]])[0]).toMatch(/^schedule\[0\]\[0\]: -1: Must be a whole number from 0/);
    expect(problems([[1, 10_000]])[0]).toMatch(/^schedule\[0\]\[1\]: 10000: Must be a whole number from 0 to 9999/);
    expect(problems({})).toEqual(["schedule: {}: Must be a list: [ … ]."]);
    expect(problems(Array.from({ length: 20_001 }, (_, step) => [step, 0]))[0]).toMatch(
      /At most 20000 are allowed here/,
    );
  });

  test("an unknown vertex type is answered with the nearest", () => {
    expect(problemsOf(changed((source) => (vertexOf(source, "sum")["type"] = "keyed-summ")))[0]).toMatch(
      /Not known here\. Did you mean "keyed-sum"\?/,
    );
  });
});

describe("the job graph is checked as Flink checks it", () => {
  test.each<[string, (source: Json) => void, RegExp]>([
    [
      "a uid that two vertices have",
      (source) => (vertexOf(source, "sum")["uid"] = "src"),
      /job\.vertices\[1\]\.uid: "src": Another vertex has this uid/,
    ],
    [
      "forward between vertices of other parallelism",
      (source) => ((edges(source)[1] as Json)["ship"] = "forward"),
      /forward partitioning does not allow change of parallelism/,
    ],
    [
      "a keyed vertex whose input does not come by key",
      (source) => ((edges(source)[0] as Json)["ship"] = "rebalance"),
      /job\.edges\[0\]\.ship: "rebalance": sum keeps state by key.*Allowed: hash/,
    ],
    [
      "a union of one",
      (source) => Object.assign(vertexOf(source, "sum"), { type: "union" }),
      /A union has at least two inputs/,
    ],
    [
      "an input of a source",
      (source) => edges(source).push({ from: "sum", to: "src", ship: "hash" }),
      /job\.edges\[2\]\.to: "src": A source has no input/,
    ],
    [
      "an output of a sink",
      (source) => edges(source).push({ from: "out", to: "sum", ship: "hash" }),
      /job\.edges\[2\]\.from: "out": A sink has no output/,
    ],
    [
      "an edge that is there already",
      (source) => edges(source).push({ from: "src", to: "sum", ship: "hash" }),
      /job\.edges\[2\]: "src to sum": There is an edge/,
    ],
    [
      "a topic that is not there",
      (source) => (vertexOf(source, "src")["topic"] = "inn"),
      /job\.vertices\[0\]\.topic: "inn": "topics" has no such topic\. Did you mean "in"\?/,
    ],
    [
      "a topic both read and written",
      (source) => (vertexOf(source, "out")["topic"] = "in"),
      /reading what the job itself writes is not simulated yet/,
    ],
    ["parallelism 0", (source) => (vertexOf(source, "sum")["parallelism"] = 0), /Must be a whole number from 1 to 512/],
    [
      "parallelism 513",
      (source) => (vertexOf(source, "sum")["parallelism"] = 513),
      /Must be a whole number from 1 to 512/,
    ],
    [
      "parallelism 1.5",
      (source) => (vertexOf(source, "sum")["parallelism"] = 1.5),
      /Must be a whole number from 1 to 512/,
    ],
  ])("%s is refused", (_, change, message) => {
    expect(problemsOf(changed(change)).filter((line) => message.test(line))).toHaveLength(1);
  });

  test("CP-178: parallelism above the number of key groups is refused", () => {
    const source = changed((given) => ((given["job"] as Json)["maxParallelism"] = 1));
    expect(problemsOf(source)).toContain(
      "job.vertices[1].parallelism: 2: There are 1 key groups, so at most 1 subtasks (CP-178).",
    );
    expect(parsed(small({ config: { "pipeline.max-parallelism": 32768 } })).job.maxParallelism).toBe(32768);
    expect(problemsOf(small({ config: { "pipeline.max-parallelism": 32769 } }))).toHaveLength(1);
  });

  test("a loop is named, R-17", () => {
    const source = changed((given) => {
      (given["job"] as { vertices: Json[] }).vertices.push({ uid: "a", type: "union" }, { uid: "b", type: "map" });
      edges(given).push(
        { from: "src", to: "a", ship: "rebalance" },
        { from: "a", to: "b" },
        { from: "b", to: "a" },
        { from: "b", to: "out", ship: "rebalance" },
      );
    });
    expect(problemsOf(source)).toEqual([
      'job.edges: "a -> b -> a": This is a loop. A job has none: barriers would never come round (R-17).',
    ]);
  });

  test("a vertex that nothing reaches is named", () => {
    const source = changed((given) => {
      (given["job"] as { vertices: Json[] }).vertices.push({ uid: "lone", type: "map" });
      edges(given).push({ from: "lone", to: "out" });
    });
    expect(problemsOf(source)).toEqual([
      'job.vertices[3]: "lone": No edge leads to this vertex, so nothing ever reaches it.',
    ]);
  });
});

describe("hostile input is refused without being followed", () => {
  const huge = { in: { partitions: 1, records: 1_000_001 }, out: {} };
  test.each<[string, () => Json, RegExp]>([
    ["more than a million records", () => small({ topics: huge }), /Must be a whole number from 0 to 1000000/],
    [
      "a million records in each of two topics",
      () => small({ topics: { in: { records: 1_000_000 }, out: {}, more: { records: 1 } } }),
      /topics: "1000001 records": At most 1000000/,
    ],
    [
      "a key of more than 200 characters",
      () => small({ topics: { in: { values: [{ key: "k".repeat(201) }] }, out: {} } }),
      /A key has at most 200 characters/,
    ],
    [
      "a title of more than 200 characters",
      () => small({ title: { en: "t".repeat(201) } }),
      /Must be a text of 1 to 200 characters/,
    ],
    [
      "more than 100 vertices",
      () => small({ job: { vertices: Array.from({ length: 101 }, (_, i) => ({ uid: `v${i}`, type: "map" })) } }),
      /At most 100 are allowed here/,
    ],
    [
      "more subtasks than are simulated",
      () => wide(100, 41, "forward"),
      /job\.vertices: "4100 subtasks": At most 4000/,
    ],
    [
      "more checkpoints than have numbers",
      () => small({ config: { "execution.checkpointing.interval": "1 s" }, until: { time: "24 h" } }),
      /until: "86400 checkpoints": A run has fewer than 65000 checkpoints/,
    ],
    [
      "more channels than are simulated",
      () => wide(3, 300, "rebalance"),
      /job\.edges: "180000 channels": At most 100000/,
    ],
    [
      "a uid that reaches a prototype",
      () => changed((source) => (vertexOf(source, "src")["uid"] = "__proto__")),
      /No key and no name may be called so/,
    ],
    [
      "a topic that reaches a prototype",
      () => small({ topics: JSON.parse('{"__proto__": {}, "constructor": {}}') as Json }),
      /No key and no name may be called so/,
    ],
    [
      "a name with brackets",
      () => changed((source) => (vertexOf(source, "src")["uid"] = "a[0]")),
      /A uid holds no blanks/,
    ],
  ])("%s", (_, source, message) => {
    expect(problemsOf(source()).some((line) => message.test(line))).toBe(true);
  });

  test("nesting without end, and values that JSON has not", () => {
    let deep: unknown = 0;
    for (let i = 0; i < 10_000; i++) deep = [deep];
    expect(problemsOf(small({ title: deep }))[0]).toMatch(/Nested deeper than 20 levels/);
    expect(problemsOf(small({ seed: NaN }))).toEqual(['seed: "number": This is not a JSON value.']);
  });

  test("a text of more than two million characters is not even scanned", () => {
    const result = parseScenario(" ".repeat(2_000_001));
    expect(result.ok || result.problems).toEqual([
      { path: "", value: "2000001 characters", message: "A scenario has at most 2000000 characters." },
    ]);
  });

  test("of a hundred thousand mistakes the first hundred are told", () => {
    const values = Array.from({ length: 100_000 }, () => ({ key: 3, value: "x", other: 1 }));
    const told = problemsOf(small({ topics: { in: { values }, out: {} } }));
    expect(told).toHaveLength(101);
    expect(told.at(-1)).toBe(": more than 100 problems: These are the first 100.");
  });

  test("fan-out upon fan-out is added up", () => {
    const vertices = [
      { uid: "src", type: "kafka-source", topic: "in" },
      ...Array.from({ length: 4 }, (_, i) => ({ uid: `f${i}`, type: "flat-map", fanOut: 16 })),
      { uid: "out", type: "kafka-sink", topic: "out" },
    ];
    const chain = vertices.slice(1).map(({ uid }, i) => ({ from: vertices[i]?.uid, to: uid }));
    const lines = problemsOf(small({ job: { vertices, edges: chain }, topics: { in: { records: 1000 }, out: {} } }));
    expect(lines).toEqual([
      'job.vertices[5]: "out": 65536000 records would come here; at most 10000000 are simulated.',
    ]);
  });

  function wide(count: number, parallelism: number, ship: string): Json {
    const vertices = Array.from({ length: count }, (_, i) =>
      i === 0
        ? { uid: "v0", type: "kafka-source", topic: "in", parallelism }
        : i === count - 1
          ? { uid: `v${i}`, type: "kafka-sink", topic: "out", parallelism }
          : { uid: `v${i}`, type: "map", parallelism },
    );
    return small({
      job: { vertices, edges: vertices.slice(1).map(({ uid }, i) => ({ from: `v${i}`, to: uid, ship })) },
    });
  }
});

test("a parsed scenario is plain data that crosses threads as it is", () => {
  const result = scenarioFrom(small());
  expect(structuredClone(result)).toEqual(result);
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
});
