import { describe, expect, test } from "vitest";
import { type Json, parsed, problemsOf, small } from "./testing/sources.ts";

/** src and map in one chain, then a keyed sum with the sink chained to it. */
const chained: Json = {
  job: {
    vertices: [
      { uid: "src", type: "kafka-source", topic: "in", parallelism: 2 },
      { uid: "map", type: "map", parallelism: 2 },
      { uid: "sum", type: "keyed-sum", parallelism: 2 },
      {
        uid: "out",
        type: "kafka-sink",
        topic: "out",
        parallelism: 2,
        delivery: "exactly-once",
        properties: { "transaction.timeout.ms": "1 min" },
      },
    ],
    edges: [
      { from: "src", to: "map", ship: "forward" },
      { from: "map", to: "sum", ship: "hash" },
      { from: "sum", to: "out", ship: "forward" },
    ],
  },
};
const now = { time: "1 s" };
const faulty = (...faults: Json[]): Json => structuredClone(small({ ...chained, faults }));
const fault = (given: Json): unknown => parsed(faulty(given)).faults[0];
const refusals = (given: Json): string[] => problemsOf(faulty(given));
const moment = (at: Json): unknown => (fault({ at, do: "fail-job" }) as { at: unknown }).at;
const wrongMoment = (at: unknown): string[] => refusals({ at, do: "fail-job" });

describe("what a fault does, and to whom", () => {
  test("a chain's member stands for its task, which goes by the head", () => {
    expect(fault({ at: now, do: "fail-task", target: "map[1]" })).toEqual({
      at: { kind: "time", time: 1000 },
      do: "fail-task",
      target: "src[1]",
      rpc: null,
      checkpoint: null,
      count: 1,
      for: null,
    });
    expect(fault({ at: now, do: "stall", target: "out[0]", for: "3 s" })).toMatchObject({
      target: "sum[0]",
      for: 3000,
    });
    expect(fault({ at: now, do: "expire-transaction", target: "out[1]" })).toMatchObject({ target: "sum[1]" });
  });

  test("a cut names subtasks, a chain's member for its task, and the log, with numbers of entries", () => {
    const cut = { "map[1]": 4, "sum[0]": 2, log: 1 };
    expect(fault({ at: now, do: "restore-cut", cut })).toMatchObject({
      do: "restore-cut",
      cut: { "src[1]": 4, "sum[0]": 2, log: 1 },
      from: "cut",
    });
    expect(refusals({ at: now, do: "restore-cut", cut: { "sun[0]": 1 } })).toMatchInlineSnapshot(`
      [
        "faults[0].cut.sun[0]: "sun[0]": There is no such subtask. Did you mean "sum[0]"? There are: src[0], src[1], map[0], map[1], sum[0], sum[1], out[0], out[1].",
      ]
    `);
    expect(refusals({ at: now, do: "restore-cut", cut: { "sum[0]": -1 } })).toMatchInlineSnapshot(`
      [
        "faults[0].cut.sum[0]: -1: Must be a whole number from 0 to 1000000.",
      ]
    `);
    expect(refusals({ at: now, do: "restore-cut", cut: 3 })).toMatchInlineSnapshot(`
      [
        "faults[0].cut: 3: Must be an object: by subtask, or "log", a number of entries.",
      ]
    `);
  });

  test("each verb has its own target and parameters", () => {
    expect(fault({ at: now, do: "fail-vertex", target: "map" })).toMatchObject({ target: "map" });
    expect(fault({ at: now, do: "kill-taskmanager", target: "tm-1" })).toMatchObject({ target: "tm-1" });
    expect(fault({ at: now, do: "lose-rpc", rpc: "ack", target: "sum[0]", checkpoint: 2, count: 3 })).toMatchObject({
      rpc: "ack",
      target: "sum[0]",
      checkpoint: 2,
      count: 3,
    });
    expect(fault({ at: now, do: "lose-rpc", rpc: "trigger" })).toMatchObject({
      target: null,
      checkpoint: null,
      count: 1,
    });
    expect(fault({ at: now, do: "expire-transaction", transaction: "out-0-2" })).toMatchObject({ target: "out-0-2" });
    expect(fault({ at: now, do: "trigger-checkpoint" })).toMatchObject({ target: null });
  });

  test.each<[Json, RegExp]>([
    [
      { do: "fail-task", target: "sum[2]" },
      /faults\[0\]\.target: "sum\[2\]": There is no such subtask\. Did you mean "sum\[0\]"\? There are: src\[0\]/,
    ],
    [{ do: "fail-task", target: "sum" }, /There is no such subtask/],
    [{ do: "fail-vertex", target: "summ" }, /No vertex has this uid\. Did you mean "sum"\?/],
    [
      { do: "kill-taskmanager", target: "tm-2" },
      /There is no such TaskManager\. Did you mean "tm-1"\? There is: tm-1\./,
    ],
    [{ do: "stall", target: "tm-9" }, /There is no such TaskManager/],
    [{ do: "lose-rpc", rpc: "acks" }, /faults\[0\]\.rpc: "acks": Not known here\. Did you mean "ack"\?/],
    [{ do: "expire-transaction" }, /Must name either a "transaction" or/],
    [{ do: "expire-transaction", target: "src[0]" }, /No sink runs in this subtask/],
    [
      { do: "expire-transaction", transaction: "other-0-1" },
      /they are called prefix-subtask-number\. Did you mean "out-0-1"\?|No sink has such a transaction/,
    ],
    [{ do: "fail-job", target: "sum[0]" }, /Unknown key "target"/],
    [{ do: "trigger-checkpoint", path: "/x" }, /Only a savepoint goes where one says/],
    [{ do: "stall", target: "sum[0]", for: "-1 s" }, /Must be a Flink duration/],
  ])("%j is refused", (given, message) => {
    const told = refusals({ at: now, ...given });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(message);
  });
});

describe("when a fault acts", () => {
  test("at a time, at a step, before or after the nth event that fits", () => {
    expect(moment({ time: "3 s" })).toEqual({ kind: "time", time: 3000 });
    expect(moment({ step: 512 })).toEqual({ kind: "step", step: 512 });
    expect(moment({ before: "CheckpointCompleted", checkpoint: 2 })).toEqual({
      kind: "before",
      event: "CheckpointCompleted",
      match: { checkpoint: 2 },
      nth: 1,
    });
    expect(moment({ after: "TaskFailed", nth: 3 })).toEqual({ kind: "after", event: "TaskFailed", match: {}, nth: 3 });
    expect(moment({ before: "TaskFailed", every: true })).toEqual({
      kind: "before",
      event: "TaskFailed",
      match: {},
      nth: 1,
      every: true,
    });
    expect(moment({ before: "TaskFailed", every: false })).toMatchObject({ nth: 1 });
    expect(moment({ after: "TaskFailed", every: true, probability: 0.25 })).toMatchObject({ probability: 0.25 });
    expect(moment({ after: "TaskFailed", every: true, probability: 1 })).not.toHaveProperty("probability");
  });

  test("names in a pattern are those of the trace: tasks by their head, operators by their own uid", () => {
    expect(moment({ after: "RecordEmitted", subtask: "map[0]", vertex: "src", record: "in-0@1" })).toMatchObject({
      match: { subtask: "src[0]", vertex: "src", record: "in-0@1" },
    });
    expect(moment({ after: "RecordProcessed", vertex: "map" })).toMatchObject({ match: { vertex: "map" } });
    expect(moment({ after: "SnapshotTaken", vertex: "map" })).toMatchObject({ match: { vertex: "src" } });
    expect(moment({ after: "BarrierReceived", channel: "map[0]->sum[1]" })).toMatchObject({
      match: { channel: "src[0]->sum[1]" },
    });
    expect(moment({ after: "TaskStateChanged", to: "RUNNING", taskManager: null })).toMatchObject({
      match: { to: "RUNNING", taskManager: null },
    });
    expect(
      moment({ after: "TransactionCommitted", transaction: "out-1-2", again: false, submission: 0 }),
    ).toMatchObject({ match: { transaction: "out-1-2", again: false, submission: 0 } });
  });

  test.each<[unknown, RegExp]>([
    [{}, /Must say when/],
    [3, /Must say when/],
    [{ time: "1 s", step: 3 }, /Must say when/],
    [{ time: "1 s", nth: 2 }, /Unknown key "nth"/],
    [{ after: "CheckpointComplete" }, /Did you mean "CheckpointCompleted"\?/],
    [{ time: "1 s", every: true }, /Unknown key "every"/],
    [{ time: "1 s", probability: 0.5 }, /Unknown key "probability"/],
    [
      { after: "TaskFailed", probability: 0.5 },
      /faults\[0\]\.at\.probability: 0\.5: Allowed only beside "every": true/,
    ],
    [
      { after: "TaskFailed", every: true, probability: 0 },
      /faults\[0\]\.at\.probability: 0: Must be a number above 0, at most 1/,
    ],
    [{ after: "TaskFailed", every: true, probability: 1.5 }, /probability: 1\.5: Must be a number above 0, at most 1/],
    [{ after: "TaskFailed", every: true, probability: "half" }, /probability: "half": Must be a number above 0/],
    [{ after: "TaskFailed", every: "always" }, /faults\[0\]\.at\.every: "always": Must be true or false/],
    [{ after: "FaultInjected", every: true }, /faults\[0\]\.at\.every: true: At every FaultInjected it would act at/],
    [{ after: "CheckpointCompleted", nth: 0 }, /faults\[0\]\.at\.nth: 0: Must be a whole number/],
    [
      { after: "CheckpointCompleted", checkpont: 2 },
      /CheckpointCompleted has no field "checkpont"\. Did you mean "checkpoint"\? It has: checkpoint, submission\./,
    ],
    [{ after: "RestartScheduled", restarted: "src[0]" }, /RestartScheduled has no field "restarted"/],
    [{ after: "CheckpointCompleted", checkpoint: "2" }, /Must be a whole number/],
    [{ after: "TransactionCommitted", again: 1 }, /Must be true or false/],
    [
      { after: "TaskFailed", subtask: "smu[0]" },
      /There is no such subtask\. Did you mean "sum\[0\]"\?|There is no such subtask/,
    ],
    [{ after: "TaskStateChanged", to: "RUNING" }, /Did you mean "RUNNING"\?/],
    [{ after: "RecordSent", channel: "src[0]->map[0]" }, /There is no such channel; within a chain there are none/],
    [{ after: "RecordEmitted", record: "inn-0@1" }, /No source reads such a record\. Did you mean "in-0@0"\?/],
    [{ after: "CheckpointAborted", reason: "CHECKPOINT_EXPIRD" }, /Did you mean "CHECKPOINT_EXPIRED"\?/],
    [{ after: "TaskFailed", subtask: 3 }, /Must be a text/],
  ])("%j is refused", (at, message) => {
    const told = wrongMoment(at);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(message);
  });

  test("fields are checked even where the job itself is wrong, names are not", () => {
    const source = faulty({ at: { after: "TaskFailed", subtask: "x[9]", chekpoint: 1 }, do: "fail-job" });
    (source["job"] as { edges: Json[] }).edges.pop();
    expect(problemsOf(source).filter((line) => line.startsWith("faults"))).toEqual([
      expect.stringMatching(/TaskFailed has no field "chekpoint"/),
    ]);
  });
});

describe("when the run ends", () => {
  test("drained, at a time, after so many steps, or after an event", () => {
    const until = (given: unknown): unknown => parsed(small({ until: given })).until;
    expect(until("drained")).toEqual({ kind: "drained" });
    expect(until({ time: "60 s" })).toEqual({ kind: "time", time: 60_000 });
    expect(until({ steps: 100_000 })).toEqual({ kind: "steps", steps: 100_000 });
    expect(until({ after: "CheckpointCompleted", checkpoint: 3, nth: 2 })).toEqual({
      kind: "after",
      event: "CheckpointCompleted",
      match: { checkpoint: 3 },
      nth: 2,
    });
  });

  test.each([["drain"], [{ before: "TaskFailed" }], [{ step: 3 }], [{ steps: 0 }], [{}]])("%j is refused", (until) => {
    expect(problemsOf(small({ until }))).toHaveLength(1);
  });
});

test("timing overrides name a vertex, a subtask, a checkpoint; a chain's member stands for its head", () => {
  const timing = { overrides: [{ vertex: "out", index: 1, checkpoint: 3, "snapshot.async": "90 s" }] };
  expect(parsed(small({ ...chained, timing })).timing.overrides).toEqual([
    { vertex: "sum", index: 1, checkpoint: 3, snapshotSync: null, snapshotAsync: 90_000 },
  ]);
  expect(
    problemsOf(
      small({
        ...chained,
        timing: { overrides: [{ vertex: "ot" }, { vertex: "out", index: 2 }, { vertex: "out", deploy: "1 s" }] },
      }),
    ),
  ).toEqual([expect.stringMatching(/timing\.overrides\[2\]\.deploy: "1 s": "deploy" is not simulated yet/)]);
  expect(
    problemsOf(small({ ...chained, timing: { overrides: [{ vertex: "ot" }, { vertex: "out", index: 2 }] } })),
  ).toEqual([
    expect.stringMatching(/overrides\[0\]\.vertex: "ot": No vertex has this uid\. Did you mean "out"\?/),
    expect.stringMatching(/overrides\[1\]\.index: 2: out has subtasks 0 to 1/),
  ]);
});
