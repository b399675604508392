/** The end of bounded input: end of data, the final checkpoint, finished tasks in checkpoints and after a restore (FLIP-147). */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import type { CheckpointRow } from "../scenario/report.ts";
import { libraryScenario, withFaults } from "./testing/runs.ts";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  fixedDelay,
  sink,
  small,
  source,
  story,
} from "./testing/stories.ts";

type Json = { readonly [key: string]: unknown };

/** S -> M -> K with eight records, 20 ms apart, and nothing to wait for but what the test says. */
function line(more: Partial<Small> = {}, source_: Json = {}, parallelism = 1): Story {
  return story(
    small({
      vertices: [
        source("S", { bounded: true, parallelism, ...source_ }),
        counter("M", { parallelism }),
        sink("K", { parallelism }),
      ],
      edges: ["S forward M", "M forward K"],
      topics: { in: { partitions: parallelism, records: 8, every: "20 ms", keys: 3 } },
      restart: fixedDelay(3, "100 ms"),
      ...more,
    }),
  );
}

/** A source that ends soon and one that does not, into one task. */
function twoSources(more: Partial<Small> = {}, long: Json = { bounded: true }): Story {
  return story(
    small({
      vertices: [source("A", { bounded: true }), source("B", { topic: "other", ...long }), counter("T"), sink("K")],
      edges: ["A forward T", "B forward T", "T forward K"],
      topics: { in: { records: 2, every: "10 ms" }, other: { records: 12, every: "50 ms" } },
      initialDelay: 100,
      checkpointing: { interval: "150 ms" },
      restart: fixedDelay(3, "100 ms"),
      ...more,
    }),
  );
}

const outcome = ({ report }: Story): unknown => [
  report.ended,
  report.job.status,
  report.verdict.state,
  report.verdict.endToEnd,
];
const EXACT = ["drained", "FINISHED", "exactly-once", "exactly-once"];
const finished = ({ subtasks }: CheckpointRow): string[] =>
  subtasks.filter((row) => row.finished).map(({ subtask }) => subtask);

describe("the end of data", () => {
  test("CP-191: operators finish from the source to the sink, which flushes and hands its transaction over; tasks stay RUNNING", () => {
    const run = line();
    expect(run.told("OperatorsFinished", "EndOfDataEmitted", "EndOfDataReceived", "TransactionPreCommitted")).toEqual([
      "OperatorsFinished S[0]",
      "EndOfDataEmitted S[0]",
      "EndOfDataReceived M[0]",
      "OperatorsFinished M[0]",
      "EndOfDataEmitted M[0]",
      "EndOfDataReceived K[0]",
      "TransactionPreCommitted K[0] P-0-1 1",
      "OperatorsFinished K[0]",
    ]);
    const last = run.last("OperatorsFinished");
    expect(run.until(last).all("TaskStateChanged", { to: "FINISHED" })).toEqual([]);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-191: the end of data comes out behind every record of its channel, also where the consumer is slow", () => {
    const run = story(
      small({
        vertices: [source("S", { bounded: true }), counter("M", { cost: "40 ms" }), sink("K")],
        edges: ["S forward M capacity=2", "M forward K"],
        topics: { in: { records: 12, every: "1 ms" } },
      }),
    );
    const end = run.first("EndOfDataReceived", { subtask: "M[0]" });
    expect(run.until(end).all("RecordReceived", { subtask: "M[0]" })).toHaveLength(12);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("a source that is not bounded idles at the end, and the job runs on", () => {
    const run = twoSources({}, {});
    expect(run.report.job.status).toBe("RUNNING");
    expect(run.report.ended).toBe("drained");
    expect(run.words("TaskStateChanged", "subtask", { to: "FINISHED" })).toEqual(["A[0]"]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("a source without a split ends at once", () => {
    const run = line({ topics: { in: { partitions: 1, records: 8, every: "20 ms", keys: 3 } } }, {}, 2);
    expect(run.first("OperatorsFinished", { subtask: "S[1]" }).clock).toBeLessThan(run.first("RecordEmitted").clock);
    expect(outcome(run)).toEqual(EXACT);
  });
});

describe("the wait for the final checkpoint", () => {
  test("FLINK-28386: once every task has reached the end of its data, a checkpoint is triggered at once", () => {
    const run = line({ checkpointing: { interval: "1 h" }, initialDelay: 3_600_000 });
    const trigger = run.first("CheckpointTriggered");
    expect(trigger.clock).toBe(run.last("OperatorsFinished").clock + 1);
    expect(run.report.clock).toBeLessThan(300);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-192: a task ends once its consumers have processed all and a checkpoint it took since is complete", () => {
    const run = twoSources();
    const ends = run.first("OperatorsFinished", { subtask: "A[0]" });
    const stopped = run.first("TaskStopped", { subtask: "A[0]" });
    const first = run.since(ends).first("SnapshotTaken", { subtask: "A[0]" });
    const told = run.first("NotificationDelivered", { subtask: "A[0]", checkpoint: first["checkpoint"] });
    expect(stopped.step).toBeGreaterThanOrEqual(told.step);
    expect(run.first("EndOfDataReceived", { subtask: "T[0]" }).step).toBeLessThan(told.step);
  });

  test("CP-192: a checkpoint that was taken before the end of data is not the final one, though it completes behind it", () => {
    const run = line({
      timing: { "snapshot.async": "200 ms" },
      checkpointing: { interval: "1 h" },
      faults: [after("RecordEmitted", { record: "in-0@4" }, "trigger-checkpoint")],
    });
    const ends = run.first("OperatorsFinished", { subtask: "S[0]" }).step;
    expect(run.first("CheckpointCompleted", { checkpoint: 1 }).step).toBeGreaterThan(ends);
    expect(run.first("TaskStopped").step).toBeGreaterThan(run.first("CheckpointCompleted", { checkpoint: 2 }).step);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-192: where the final checkpoint fails the next one is waited for", () => {
    const run = line({
      timing: { "snapshot.async": "50 ms" },
      checkpointing: { interval: "300 ms", timeout: "30 ms", "tolerable-failed-checkpoints": 100 },
      initialDelay: 1000,
      until: { time: "3 s" },
    });
    expect(run.all("CheckpointAborted", { reason: "CHECKPOINT_EXPIRED" }).length).toBeGreaterThan(2);
    expect(run.all("TaskStopped")).toEqual([]);
    expect(run.all("TransactionCommitted")).toEqual([]);
    expect(run.report.job.status).toBe("RUNNING");
  });

  test("SK-141, SK-144: what is handed over at the end belongs to the next checkpoint, and its completion commits it", () => {
    const run = line({ faults: [after("RecordWritten", { record: "in-0@4" }, "trigger-checkpoint")] });
    expect(run.told("TransactionPreCommitted", "TransactionCommitted", "TaskStopped")).toEqual([
      "TransactionPreCommitted K[0] P-0-1 1",
      "TransactionCommitted K[0] P-0-1 1",
      "TransactionPreCommitted K[0] P-0-2 2",
      "TaskStopped S[0] FINISHED",
      "TransactionCommitted K[0] P-0-2 2",
      "TaskStopped M[0] FINISHED",
      "TaskStopped K[0] FINISHED",
    ]);
  });

  test("CP-192: a task that ends writes its last snapshots out and acknowledges them first", () => {
    const run = line({
      checkpointing: { interval: "30 ms", "max-concurrent-checkpoints": 3 },
      initialDelay: 30,
      timing: { "snapshot.async": "70 ms" },
    });
    expect(run.all("SnapshotDiscarded")).toEqual([]);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-192, CP-104: a task that waits for its snapshots to be written ends too where one fails", () => {
    const overlapping = {
      checkpointing: { interval: "30 ms", "max-concurrent-checkpoints": 3, "tolerable-failed-checkpoints": 100 },
      initialDelay: 30,
      timing: { "snapshot.async": "70 ms" },
    };
    const end = line(overlapping).first("TaskStopped", { subtask: "S[0]" });
    const { checkpoint } = line(overlapping).until(end).last("SnapshotTaken", { subtask: "S[0]" });
    const faults = [atTime(0, "snapshot-failure", { target: "S[0]", part: "async", checkpoint })];
    const run = line({ ...overlapping, faults });
    const failed = run.first("SnapshotFailed", { subtask: "S[0]" });
    expect(run.since(failed).first("TaskStopped", { subtask: "S[0]" }).clock).toBe(failed.clock);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-107: a trigger that comes when the mailbox is closed is declined, and counts as no failure", () => {
    const run = line({
      checkpointing: { interval: "1 h" },
      timing: { rpc: "5 ms", commit: "400 ms" },
      faults: [after("EndOfPartitionEmitted", { subtask: "S[0]" }, "trigger-checkpoint")],
    });
    expect(run.report.checkpoints.map(({ status, failure }) => failure ?? status)).toEqual([
      "COMPLETED",
      "CHECKPOINT_DECLINED_TASK_NOT_READY",
    ]);
    expect(run.report.checkpoints.every(({ countsAsFailure }) => !countsAsFailure)).toBe(true);
    expect(outcome(run)).toEqual(EXACT);
  });
});

describe("checkpoints with finished tasks", () => {
  test("CP-190: those that have finished are neither triggered, waited for, nor told; the statistics count them", () => {
    const run = twoSources();
    const since = run.since(run.first("TaskStateChanged", { subtask: "A[0]", to: "FINISHED" }));
    const row = run.report.checkpoints.find((each) => finished(each).length > 0);
    expect(row && [row.status, finished(row)]).toEqual(["COMPLETED", ["A[0]"]]);
    expect(row?.subtasks[0]).toMatchObject({ subtask: "A[0]", acked: row?.triggered, finished: true, async: null });
    expect(since.all("NotificationDelivered", { subtask: "A[0]" })).toEqual([]);
    expect(since.all("BarrierReceived", { channel: "A[0]->T[0]" })).toEqual([]);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-190, CP-193: a task whose producers have all finished is triggered by message", () => {
    // The sink still commits when the source and the counter have finished.
    const run = line({
      timing: { commit: "400 ms" },
      checkpointing: { interval: "1 h" },
      faults: [after("TaskStateChanged", { subtask: "M[0]", to: "FINISHED" }, "trigger-checkpoint")],
    });
    const row = at(run.report.checkpoints, 1);
    expect([row.status, finished(row)]).toEqual(["COMPLETED", ["S[0]", "M[0]"]]);
    expect(run.all("BarrierEmitted", { checkpoint: row.id })).toEqual([]);
    expect(run.all("SnapshotTaken", { checkpoint: row.id })).toHaveLength(1);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-046: a channel that ends while a checkpoint is pending counts as aligned", () => {
    const run = twoSources({
      checkpointing: { interval: "150 ms", timeout: "1 s", "tolerable-failed-checkpoints": 9 },
      faults: [
        // B's barrier of the next checkpoint comes first; A's trigger is lost, so that only its end stands for it.
        atTime(0, "lose-rpc", { rpc: "trigger", target: "A[0]", checkpoint: 2 }),
        after("CheckpointCompleted", { checkpoint: 1 }, "stall", { target: "A[0]", for: "200 ms" }),
      ],
    });
    const end = run.first("EndOfPartitionReceived", { subtask: "T[0]", channel: "A[0]->T[0]" });
    const received = run.first("BarrierReceived", { subtask: "T[0]", checkpoint: 2 });
    expect(received.step).toBeLessThan(end.step);
    expect(run.since(end).first("AlignmentCompleted", { subtask: "T[0]" })["checkpoint"]).toBe(2);
    expect(run.report.job.status).toBe("FINISHED");
  });

  test("CP-194, CP-196: a vertex that had finished is restored as finished, passes barriers, and ends again", () => {
    const run = twoSources({
      faults: [after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "K[0]" })],
    });
    expect(finished(at(run.report.checkpoints, 1))).toEqual(["A[0]"]);
    expect(run.told("RestoredAsFinished", "StateRestored").toSorted()).toEqual([
      "RestoredAsFinished A[0] 2",
      "StateRestored B[0] 2",
      "StateRestored K[0] 2",
      "StateRestored T[0] 2",
    ]);
    const since = run.since(run.first("RestoredAsFinished"));
    expect(since.all("SourceRewound", { subtask: "A[0]" })).toEqual([]);
    expect(since.all("RecordEmitted", { subtask: "A[0]" })).toEqual([]);
    expect(since.all("OperatorsFinished", { subtask: "A[0]" })).toEqual([]);
    expect(since.all("BarrierEmitted", { subtask: "A[0]" }).length).toBeGreaterThan(0);
    expect(since.values("SnapshotPersisted", "bytes", { subtask: "A[0]" })).toEqual(
      since.all("SnapshotPersisted", { subtask: "A[0]" }).map(() => 0),
    );
    // What it acknowledges says that it is finished.
    const later = run.report.checkpoints.filter(({ id, status }) => id > 2 && status === "COMPLETED");
    expect(later.every((row) => finished(row).includes("A[0]"))).toBe(true);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-194: one finished subtask of a vertex that had not finished runs again, without state", () => {
    const run = line({
      topics: {
        in: {
          partitions: [
            { records: 2, every: "10 ms" },
            { records: 20, every: "50 ms" },
          ],
          keys: 4,
        },
      },
      vertices: [source("S", { bounded: true, parallelism: 2 }), counter("M"), sink("K")],
      edges: ["S rebalance M", "M forward K"],
      initialDelay: 100,
      checkpointing: { interval: "150 ms" },
      faults: [after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "K[0]" })],
    });
    expect(finished(at(run.report.checkpoints, 1))).toEqual(["S[0]"]);
    const since = run.since(run.first("StateRestored", { subtask: "S[0]" }));
    expect(run.all("RestoredAsFinished")).toEqual([]);
    expect(since.all("RecordEmitted", { subtask: "S[0]" })).toEqual([]);
    expect(since.all("OperatorsFinished", { subtask: "S[0]" })).toHaveLength(1);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("CP-197: without the feature nobody waits, later checkpoints are refused, and what the sink had handed over is never committed", () => {
    const run = twoSources({ checkpointing: { interval: "150 ms", "checkpoints-after-tasks-finish": false } });
    const ends = run.first("OperatorsFinished", { subtask: "A[0]" }).clock;
    expect(run.first("TaskStopped", { subtask: "A[0]" }).clock).toBe(ends);
    const gone = run.first("TaskStateChanged", { subtask: "A[0]", to: "FINISHED" });
    expect(run.since(gone).all("CheckpointTriggered")).toEqual([]);
    expect(run.words("TriggerRejected", "reason")[0]).toBe("NOT_ALL_REQUIRED_TASKS_RUNNING");
    expect(run.report.job.status).toBe("FINISHED");
    expect(run.all("TransactionCommitted")).toEqual([]);
    expect(run.report.transactions.map(({ state }) => state)).toContain("PRE_COMMITTED");
    expect(run.report.verdict.endToEnd).toBe("pending");
  });
});

describe("the end of the job", () => {
  test("FR-011, CP-006: the job is FINISHED with its last task, and what is pending ends with the coordinator", () => {
    const run = line({
      checkpointing: { interval: "1 h", "checkpoints-after-tasks-finish": false },
      timing: { "snapshot.async": "300 ms" },
      faults: [after("RecordEmitted", { record: "in-0@4" }, "trigger-checkpoint")],
    });
    const last = run.last("TaskStateChanged", { to: "FINISHED" });
    const status = run.first("JobStatusChanged", { to: "FINISHED" });
    expect(status.step).toBe(last.step + 1);
    expect(run.report.checkpoints.map(({ failure }) => failure)).toEqual(["CHECKPOINT_COORDINATOR_SHUTDOWN"]);
    expect(run.since(status).all("CheckpointTriggered")).toEqual([]);
  });

  test("FI-90, SK-146: without checkpoints the sink commits at the end of its input", () => {
    const run = line({ checkpointing: { interval: null } });
    expect(run.all("CheckpointTriggered")).toEqual([]);
    expect(run.words("TransactionCommitted", "decider")).toEqual(["end-of-input"]);
    expect(run.report.transactions.map(({ decidedBy }) => decidedBy)).toContain("end-of-input");
    expect(outcome(run)).toEqual(EXACT);
  });

  test("FR-003: a subtask that is being cancelled and finishes is CANCELED", () => {
    const run = line(
      {
        timing: { rpc: "30 ms" },
        checkpointing: { interval: "1 h" },
        faults: [after("TaskStopped", { subtask: "S[0]", ending: "FINISHED" }, "fail-job")],
      },
      {},
    );
    expect(run.all("TaskStateChanged", { subtask: "S[0]", from: "CANCELING", to: "CANCELED" })).toHaveLength(1);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("FR-005: a FINISHED subtask in the restart set is restarted too", () => {
    const run = twoSources({ faults: [after("TaskStateChanged", { subtask: "A[0]", to: "FINISHED" }, "fail-job")] });
    expect(run.values("AttemptCreated", "attempt", { subtask: "A[0]" })).toEqual([0, 1]);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("a TaskManager on which all have finished, and whose channels have ended, is lost without a failure", () => {
    const run = story(
      small({
        vertices: [
          source("A", { bounded: true, slotSharingGroup: "a" }),
          source("B", { topic: "other", bounded: true }),
          counter("T"),
          sink("K"),
        ],
        edges: ["A forward T", "B forward T", "T forward K"],
        topics: { in: { records: 2, every: "10 ms" }, other: { records: 12, every: "50 ms" } },
        cluster: { taskManagers: 2, slots: 1 },
        initialDelay: 100,
        checkpointing: { interval: "150 ms" },
        faults: [after("EndOfPartitionReceived", { subtask: "T[0]" }, "kill-taskmanager", { target: "tm-1" })],
      }),
    );
    expect(run.report.deployment["tm-1"]).toEqual(["A[0]"]);
    expect(run.all("TaskFailed")).toEqual([]);
    expect(outcome(run)).toEqual(EXACT);
  });

  test("FLINK-28386: after a restart of one region the end of data is not known of all, so the periodic checkpoint ends the job", () => {
    const run = line(
      {
        checkpointing: { interval: "2 s" },
        initialDelay: 2000,
        cluster: { taskManagers: 2, slots: 1 },
        timing: { "snapshot.async": "100 ms" },
        faults: [after("CheckpointTriggered", { checkpoint: 1 }, "fail-task", { target: "M[0]" })],
      },
      {},
      2,
    );
    expect(run.all("AttemptCreated", { attempt: 1 })).toHaveLength(3);
    const second = run.first("CheckpointTriggered", { checkpoint: 2 });
    expect(second.clock - run.last("OperatorsFinished").clock).toBeGreaterThan(1000);
    expect(outcome(run)).toEqual(EXACT);
  });
});

test("the library scenario ends by its final checkpoint, with some taken while a source had FINISHED", () => {
  const run = story(libraryScenario("bounded"));
  expect(run.report.checkpoints.map((row) => [row.status, finished(row).length])).toEqual([
    ["COMPLETED", 0],
    ["COMPLETED", 1],
    ["COMPLETED", 2],
    ["COMPLETED", 2],
  ]);
  expect(run.words("JobStatusChanged", "to")).toEqual(["CREATED", "RUNNING", "FINISHED"]);
  expect(outcome(run)).toEqual(EXACT);
});

test("FI-90: a failure between the last record and the final checkpoint costs nothing", () => {
  for (const fault of [
    after("OperatorsFinished", { subtask: "out[0]" }, "fail-task", { target: "out[0]" }),
    after("CheckpointTriggered", { checkpoint: 3 }, "fail-job"),
    after("CheckpointMetadataWritten", { checkpoint: 3 }, "fail-job"),
    after("CheckpointCompleted", { checkpoint: 3 }, "fail-task", { target: "out[0]" }),
    after("TaskStopped", { subtask: "total[0]" }, "fail-task", { target: "out[0]" }),
    atTime(650, "restart-taskmanager", { target: "tm-1" }),
  ]) {
    const run = story(withFaults("bounded", [fault]));
    expect([fault["at"], outcome(run)]).toEqual([fault["at"], EXACT]);
  }
});
