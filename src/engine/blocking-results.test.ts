/** Runs over blocking exchanges: consumers begin when producers have ended, and read what is on disk (FR-041, FR-042, FR-044). */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "../scenario/parse.ts";
import { type Story, after, fixedDelay, sink, small, source, story, atTime } from "./testing/stories.ts";

type Json = Record<string, unknown>;

/** Two bounded sources' subtasks, a keyed sum behind a blocking exchange, a sink. Each vertex has slots of its own group. */
function run(faults: readonly Json[] = [], more: Json = {}): Story {
  return story(
    small({
      vertices: [
        source("S", { parallelism: 2, bounded: true, slotSharingGroup: "s" }),
        { uid: "T", type: "keyed-sum", parallelism: 2, chain: false, cost: 5, slotSharingGroup: "t" },
        sink("K", { slotSharingGroup: "t" }),
      ],
      edges: ["S hash T exchange=BLOCKING", "T rebalance K"],
      topics: { in: { partitions: 2, records: 24, every: "20 ms", keys: 5 }, out: { partitions: 1 } },
      cluster: { taskManagers: 4, slots: 1 },
      restart: fixedDelay(5, "100 ms"),
      checkpointing: { interval: null },
      faults,
      ...more,
    }),
  );
}

const attempts = (told: Story): Json =>
  Object.fromEntries(
    ["S[0]", "S[1]", "T[0]", "T[1]", "K[0]"].map((subtask) => [
      subtask,
      told.values("AttemptCreated", "attempt", { subtask }).length,
    ]),
  );
const restarted = (told: Story): unknown[] => told.all("RestartScheduled").map((entry) => entry["restarted"]);

describe("without a failure", () => {
  test("FR-041: a consumer is scheduled when all producers of its result have FINISHED, and reads all of it", () => {
    const told = run();
    const ended = told.all("TaskStateChanged", { to: "FINISHED", vertex: "S" });
    const scheduled = told.all("TaskStateChanged", { to: "SCHEDULED", vertex: "T" });
    expect(ended).toHaveLength(2);
    expect(scheduled.every(({ step }) => step > Math.max(...ended.map((entry) => entry.step)))).toBe(true);
    expect(told.first("RecordReceived", { vertex: "T" })["step"]).toBeGreaterThan(
      Math.max(...told.all("EndOfPartitionEmitted", { vertex: "S" }).map(({ step }) => step)),
    );
    expect(told.values("SubpartitionRequested", "records").reduce((sum: number, n) => sum + Number(n), 0)).toBe(24);
    expect(told.report.job.status).toBe("FINISHED");
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("FR-041: a producer writes all it has, however small its channels are", () => {
    const edges = ["S hash T exchange=BLOCKING capacity=1", "T rebalance K"];
    expect(run([], { edges }).report.job.status).toBe("FINISHED");
  });

  test("FR-041: producers and consumers have the same slots, one after the other", () => {
    const told = run([], {
      vertices: [
        source("S", { parallelism: 2, bounded: true }),
        { uid: "T", type: "keyed-sum", parallelism: 2, chain: false },
        sink("K"),
      ],
      cluster: { taskManagers: 1, slots: 2 },
    });
    expect(told.report.job.status).toBe("FINISHED");
  });
});

describe("which regions restart", () => {
  test("FR-042: a consumer fails: its region reads the result again, and producers stay FINISHED", () => {
    const told = run([after("RecordProcessed", { vertex: "T", nth: 5 }, "fail-task", { target: "T[0]" })]);
    expect(restarted(told)).toEqual([["T[0]", "T[1]", "K[0]"]]);
    expect(attempts(told)).toEqual({ "S[0]": 1, "S[1]": 1, "T[0]": 2, "T[1]": 2, "K[0]": 2 });
    expect(told.all("SubpartitionRequested")).toHaveLength(8);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("FR-042: the TaskManager of a result is lost while it is read: its producer restarts too, and consumers wait for it again", () => {
    const told = run([after("RecordProcessed", { vertex: "T", nth: 5 }, "restart-taskmanager", { target: "tm-1" })]);
    expect(told.values("AttemptCreated", "attempt", { subtask: "S[0]" })).toEqual([0, 1]);
    expect(told.values("AttemptCreated", "attempt", { subtask: "S[1]" })).toEqual([0]);
    const [failure] = told.all("TaskFailed");
    expect(failure).toMatchObject({ vertex: "T" });
    const again = told.all("TaskStateChanged", { subtask: "S[0]", to: "FINISHED", attempt: 1 })[0];
    const last = told.all("TaskStateChanged", { subtask: "T[0]", to: "SCHEDULED" }).at(-1);
    expect(last?.step).toBeGreaterThan(again?.step ?? Infinity);
    expect(told.report.job.status).toBe("FINISHED");
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("FR-042: it is lost before anybody reads it: who asks for it is told that it is not there", () => {
    const told = run([
      { at: { after: "TaskStateChanged", subtask: "S[0]", to: "FINISHED" }, do: "restart-taskmanager", target: "tm-1" },
    ]);
    expect(told.words("TaskFailed", "failure")).toContain("PARTITION_NOT_FOUND");
    expect(told.report.job.status).toBe("FINISHED");
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("FR-044: a producer fails: consumers that were never deployed are left out, and keep their attempt", () => {
    const told = run([after("RecordEmitted", { subtask: "S[0]", nth: 3 }, "fail-task", { target: "S[0]" })]);
    expect(restarted(told)).toEqual([["S[0]"]]);
    expect(attempts(told)).toEqual({ "S[0]": 2, "S[1]": 1, "T[0]": 1, "T[1]": 1, "K[0]": 1 });
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("FR-046: a global failure takes along what has FINISHED, and nothing that it had left is read", () => {
    const told = run([after("RecordProcessed", { vertex: "T", nth: 5 }, "fail-job")]);
    expect(attempts(told)).toEqual({ "S[0]": 2, "S[1]": 2, "T[0]": 2, "T[1]": 2, "K[0]": 2 });
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

describe("checkpoints", () => {
  test("FR-041: none is taken: the interval is passed by, with Flink's own words, and requests are refused", () => {
    const told = run([atTime(50, "trigger-checkpoint"), atTime(60, "trigger-savepoint", { path: "s3://sp" })], {
      checkpointing: { interval: "50 ms" },
    });
    expect(told.report.checkpoints).toEqual([]);
    expect(told.report.rejectedTriggers.map(({ reason }) => reason)).toEqual([
      "BLOCKING_OUTPUT_EXIST",
      "BLOCKING_OUTPUT_EXIST",
    ]);
    expect(told.report.notices.map(({ code }) => code)).toContain("CHECKPOINTING_DISABLED");
    expect(told.report.job.status).toBe("FINISHED");
  });

  test("FR-041: without a strategy of its own such a job is not restarted", () => {
    const told = run([after("RecordEmitted", { subtask: "S[0]", nth: 3 }, "fail-task", { target: "S[0]" })], {
      restart: {},
      checkpointing: { interval: "50 ms" },
    });
    expect(told.report.job.status).toBe("FAILED");
  });

  test("FR-041: an unbounded source is refused", () => {
    const parsed = scenarioFrom({
      format: 1,
      job: {
        vertices: [source("S"), sink("K")],
        edges: [{ from: "S", to: "K", exchange: "BLOCKING" }],
      },
      topics: { in: { partitions: 1, records: 1, every: "1 ms" }, out: { partitions: 1 } },
    });
    expect(parsed.ok ? [] : parsed.problems.map(({ path, value }) => [path, value])).toEqual([
      ["job.vertices[0].bounded", "false"],
    ]);
  });
});
