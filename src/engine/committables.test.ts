/** Committables between the tasks that write and the one that commits: on the exchange like records, and in the snapshots. */
import { describe, expect, test } from "vitest";
import { executionGraph } from "../scenario/execution-graph.ts";
import { type Small, type Story, after, counter, small, source, story } from "./testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

const table = (more: Json = {}): Json => ({ uid: "K", type: "table-sink", parallelism: 2, chain: false, ...more });
const parts = (more: Partial<Small> = {}, own: Json = {}): Small => ({
  vertices: [source("S", { parallelism: 2 }), counter("M", { parallelism: 2 }), table(own)],
  edges: ["S forward M", "M rebalance K"],
  topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 12 } },
  cluster: { taskManagers: 2, slots: 2 },
  faults: [after("RecordEmitted", { record: "in-0@5" }, "trigger-checkpoint")],
  ...more,
});
const run = (more: Partial<Small> = {}, own: Json = {}): Story => story(small(parts(more, own)));

describe("the topology of a sink whose committer is a task", () => {
  const graph = executionGraph(small(parts()));

  test("SK-140: the job as run has one committer behind the writers, which nobody wrote, and every writer a channel to it", () => {
    expect(graph.vertices.map(({ uid, parallelism }) => [uid, parallelism])).toEqual([
      ["S", 2],
      ["M", 2],
      ["K", 2],
      ["K-committer", 1],
    ]);
    expect(graph.channels.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["K[0]->K-committer[0]", "K[1]->K-committer[0]"]),
    );
    expect(graph.sinks.map((sink) => graph.operators[sink]?.vertex.uid)).toEqual(["K"]);
  });

  test("SK-140: writer and committer are never one chain, not even where both have one subtask", () => {
    const alone = executionGraph(small(parts({}, { parallelism: 1, chain: true })));
    expect(alone.vertices.map(({ operators }) => operators.length)).toEqual([1, 1, 1, 1]);
  });
});

describe("a checkpoint", () => {
  const told = run();

  test("SK-141: each writer hands its file over before its barrier, and the committer has it before it takes that barrier", () => {
    for (const subtask of ["K[0]", "K[1]"]) {
      const channel = `${subtask}->K-committer[0]`;
      const steps = [
        told.first("TransactionPreCommitted", { subtask, checkpoint: 1 }),
        told.first("CommittableSent", { channel, checkpoint: 1 }),
        told.first("BarrierEmitted", { channel, checkpoint: 1 }),
        told.first("CommittableReceived", { channel, checkpoint: 1 }),
        told.first("BarrierReceived", { channel, checkpoint: 1 }),
      ].map(({ step }) => step);
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    }
  });

  test("SK-143: the committer's snapshot holds the files of both, and theirs hold none", () => {
    const [row] = told.report.checkpoints;
    expect(row?.subtasks.map(({ subtask }) => subtask)).toContain("K-committer[0]");
    const bytes = (subtask: string): unknown => told.first("SnapshotPersisted", { subtask, checkpoint: 1 })["bytes"];
    expect([bytes("K[0]"), bytes("K[1]"), bytes("K-committer[0]")]).toEqual([0, 0, 32]);
  });

  test("SK-142: a writer without records hands over the word that it has none, and its file is let go", () => {
    const two = run({
      faults: [
        after("RecordEmitted", { record: "in-0@5" }, "trigger-checkpoint"),
        after("CheckpointCompleted", { checkpoint: 1 }, "trigger-checkpoint"),
      ],
      topics: { in: { partitions: 2, records: 12, every: "0 ms", keys: 12 } },
    });
    expect(two.all("CommittableSent", { checkpoint: 2 })).toMatchObject([
      { transaction: null, count: 0, writers: 2 },
      { transaction: null, count: 0, writers: 2 },
    ]);
    expect(two.all("TransactionRecycled")).toHaveLength(2);
    expect(two.all("TableCommitRequested")).toHaveLength(1);
  });
});

describe("unaligned", () => {
  const unaligned = { unaligned: true, "max-concurrent-checkpoints": 1 };
  /** The committer is slow, so that committables wait in its channels; checkpoint 2 comes behind them. */
  const faults = [
    after("RecordEmitted", { record: "in-0@5" }, "trigger-checkpoint"),
    after("BarrierEmitted", { subtask: "K[0]", checkpoint: 1 }, "stall", { target: "M[1]", for: "400 ms" }),
  ];
  test("SK-151: inside a sink no barrier overtakes committables, whatever the rest of the job does", () => {
    const told = run({ checkpointing: unaligned, faults });
    expect(told.all("ChannelBlocked", { subtask: "K-committer[0]", checkpoint: 1 })).not.toEqual([]);
    for (const subtask of ["K[0]", "K[1]"]) {
      const channel = `${subtask}->K-committer[0]`;
      expect(told.all("InFlightDataPersisted", { channel })).toEqual([]);
      expect(told.first("CommittableReceived", { channel, checkpoint: 1 }).step).toBeLessThan(
        told.first("BarrierReceived", { channel, checkpoint: 1 }).step,
      );
    }
  });

  test.each([
    ["before 1.19, in a sink of Flink's", {}, "1.18"],
    ["in a topology of one's own, in any version", { topology: "operators" }, "2.2"],
  ])(
    "SK-151, CP-079: %s, a committable that is overtaken is channel state, and comes back from it",
    (_, own, flink) => {
      const failing = [
        ...faults,
        after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "K-committer[0]" }),
      ];
      const slow = { edges: ["S forward M", "M rebalance K"], timing: { network: "5 ms" } };
      const told = run({ ...slow, checkpointing: unaligned, faults: failing, flink }, { ...own, cost: "30 ms" });
      const stored = told.all("InFlightDataPersisted", { subtask: "K-committer[0]", checkpoint: 1 });
      expect(stored).not.toEqual([]);
      const back = told.first("ChannelStateRestored", { subtask: "K-committer[0]" });
      expect(told.since(back).all("CommittableReceived", { checkpoint: 1 })).not.toEqual([]);
      expect(told.report.verdict.endToEnd).toBe("exactly-once");
    },
  );
});

test("SK-143, FR-082: a failure of the committer takes its writers along, and the restored files are committed at once", () => {
  const told = run({
    faults: [
      after("RecordEmitted", { record: "in-0@5" }, "trigger-checkpoint"),
      { at: { time: 0 }, do: "lose-rpc", rpc: "notify-complete", target: "K-committer[0]", checkpoint: 1 },
      after("RecordEmitted", { record: "in-0@9" }, "fail-task", { target: "K-committer[0]" }),
    ],
  });
  expect(told.report.recoveries[0]?.restarted).toContain("K[0]");
  const restored = told.first("TableCommitted", { decider: "restore" });
  expect(
    told.first("TaskStateChanged", { subtask: "K-committer[0]", to: "RUNNING", from: "INITIALIZING" }),
  ).toBeDefined();
  expect(restored).toMatchObject({ checkpoint: 1, files: 2 });
  expect(told.report.verdict.endToEnd).toBe("exactly-once");
});
