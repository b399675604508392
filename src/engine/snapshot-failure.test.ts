/** Snapshots that fail, and what the checkpoint, the task and the job make of it (`checkpointing.md` 10 and 11.5). */
import { describe, expect, test } from "vitest";
import { withFaults } from "./testing/runs.ts";
import { clockwork } from "./testing/clockwork.ts";
import { type Small, type Story, after, atTime, lane, small, story, triggersAfter } from "./testing/stories.ts";

const fails = (part: "sync" | "async", target: string, more: { readonly [key: string]: unknown } = {}) =>
  atTime(0, "snapshot-failure", { target, part, ...more });

/** One lane of three tasks whose checkpoints are asked for at these records. */
const oneLane = (faults: readonly object[], records: readonly string[], more: Partial<Small> = {}): Story =>
  story(
    small({
      ...lane(1, { chain: false }),
      ...more,
      faults: [...(faults as Small["faults"] & object), ...triggersAfter(...records)],
      checkpointing: { "tolerable-failed-checkpoints": 5, ...more.checkpointing },
    }),
  );

describe("the synchronous part fails", () => {
  test("CP-102, FI-32: its task fails at once, its region restarts, and the checkpoint ends without being counted, whatever is tolerable", () => {
    const run = oneLane([fails("sync", "M[0]", { checkpoint: 2 })], ["in-0@3", "in-0@6"], {
      checkpointing: { "tolerable-failed-checkpoints": 10 },
    });
    const failed = run.first("TaskFailed");
    expect(failed).toMatchObject({ subtask: "M[0]", failure: "SNAPSHOT_FAILED" });
    expect(run.all("SnapshotTaken", { subtask: "M[0]", checkpoint: 2 })).toEqual([]);
    expect(run.all("CheckpointDeclined")).toEqual([]);
    expect(run.report.checkpoints[1]).toMatchObject({
      id: 2,
      status: "FAILED",
      failure: "CHECKPOINT_COORDINATOR_SUSPEND",
      countsAsFailure: false,
      consecutiveFailures: 0,
    });
    expect(run.report.recoveries).toMatchObject([
      { cause: "M[0]: SNAPSHOT_FAILED", granted: true, scope: "region", restoredFrom: 1 },
    ]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-102: its barrier has left before, so the tasks behind it have their snapshots", () => {
    const run = oneLane([fails("sync", "M[0]")], ["in-0@3"], { timing: { network: 0, rpc: 3 } });
    expect(run.told("BarrierEmitted").slice(0, 2)).toEqual(["BarrierEmitted S[0] 1", "BarrierEmitted M[0] 1"]);
    expect(run.all("TransactionPreCommitted", { checkpoint: 1 }).length).toBeGreaterThan(0);
  });
});

describe("the asynchronous part fails", () => {
  test("CP-103, CP-104, CP-107: the task declines at the part's end with CHECKPOINT_ASYNC_EXCEPTION, and goes on", () => {
    const run = oneLane([fails("async", "M[0]")], ["in-0@3", "in-0@7"], { timing: { "snapshot.async": 40 } });
    const taken = run.first("SnapshotTaken", { subtask: "M[0]", checkpoint: 1 });
    expect(run.first("SnapshotFailed")).toMatchObject({ subtask: "M[0]", checkpoint: 1, clock: taken.clock + 40 });
    expect(run.all("SnapshotPersisted", { subtask: "M[0]", checkpoint: 1 })).toEqual([]);
    expect(run.first("CheckpointDeclined")).toMatchObject({
      subtask: "M[0]",
      reason: "CHECKPOINT_ASYNC_EXCEPTION",
      clock: taken.clock + 41,
    });
    expect(run.first("CheckpointAborted")).toMatchObject({
      reason: "CHECKPOINT_ASYNC_EXCEPTION",
      counts: true,
      failures: 1,
    });
    expect(run.all("TaskFailed")).toEqual([]);
    expect(run.all("CheckpointCompleted", { checkpoint: 2 })).toHaveLength(1);
  });

  test("FI-30: with nothing tolerable the job fails over to the checkpoint before, as a whole", () => {
    const run = oneLane([fails("async", "M[0]", { checkpoint: 2 })], ["in-0@3", "in-0@6"], {
      checkpointing: { "tolerable-failed-checkpoints": 0 },
    });
    expect(run.report.checkpoints[1]).toMatchObject({ countsAsFailure: true, consecutiveFailures: 1 });
    expect(run.report.recoveries).toMatchObject([
      { cause: "CHECKPOINT_FAILURE_THRESHOLD", scope: "global", restoredFrom: 1 },
    ]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("FI-31, FR-022: with one tolerable nothing restarts: what the sink pre-committed waits and is committed with the next checkpoint", () => {
    const run = oneLane([fails("async", "M[0]", { checkpoint: 2 })], ["in-0@3", "in-0@6", "in-0@9"]);
    const third = run.first("CheckpointCompleted", { checkpoint: 3 });
    expect(run.report.recoveries).toEqual([]);
    expect(run.until(third).words("TransactionCommitted", "transaction")).toEqual(["P-0-1"]);
    expect(run.since(third).words("TransactionCommitted", "transaction").slice(0, 2)).toEqual(["P-0-2", "P-0-3"]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-103, CP-108: the abort of the checkpoint does not end it; it fails at its own end, and the decline comes late", () => {
    const run = clockwork(60_000, 0, 1000, {
      checkpointing: { timeout: 600, "tolerable-failed-checkpoints": 9 },
      faults: [fails("async", "S[0]")],
    });
    expect(run.told("SnapshotFailed", "SnapshotDiscarded", "CheckpointDeclined", "CheckpointAborted")).toEqual([
      "CheckpointAborted 1 CHECKPOINT_EXPIRED",
      "SnapshotFailed S[0] 1 CHECKPOINT_ASYNC_EXCEPTION",
    ]);
    expect(run.first("SnapshotFailed").clock).toBe(run.first("SnapshotTaken").clock + 1000);
  });

  test("CP-105: of several asynchronous parts that wait for the thread one fails alone", () => {
    const run = clockwork(1000, 0, 2500, {
      checkpointing: { "max-concurrent-checkpoints": 3, "tolerable-failed-checkpoints": 9 },
      faults: [fails("async", "S[0]", { checkpoint: 2 })],
      until: { time: 8600 },
    });
    expect(run.told("SnapshotTaken", "SnapshotPersisted", "SnapshotFailed").slice(0, 8)).toEqual([
      "SnapshotTaken S[0] 1",
      "SnapshotTaken S[0] 2",
      "SnapshotTaken S[0] 3",
      "SnapshotPersisted S[0] 1",
      "SnapshotTaken S[0] 4",
      "SnapshotFailed S[0] 2 CHECKPOINT_ASYNC_EXCEPTION",
      "SnapshotTaken S[0] 5",
      "SnapshotPersisted S[0] 3",
    ]);
    expect(run.times("SnapshotPersisted")).toEqual([3500, 8500]);
    expect(run.values("CheckpointCompleted", "checkpoint")).toEqual([1, 3]);
  });

  test("CP-141: a decline that is lost leaves the checkpoint pending until it expires", () => {
    const run = oneLane(
      [fails("async", "M[0]"), atTime(0, "lose-rpc", { rpc: "decline", target: "M[0]" })],
      ["in-0@3"],
      { checkpointing: { timeout: "400 ms" } },
    );
    expect(run.told("MessageLost", "CheckpointDeclined", "CheckpointAborted")).toEqual([
      "MessageLost M[0] 1",
      "CheckpointAborted 1 CHECKPOINT_EXPIRED",
    ]);
  });
});

describe("an abort that comes early", () => {
  test("CP-108: a task that hears of the end before the barrier takes no snapshot and passes a cancel marker on", () => {
    // S declines at 409; its barrier needs 300 ms to M, the abort 1.
    const run = story(
      small({
        ...lane(1, { chain: false }),
        edges: ["S forward M latency=300", "M forward K"],
        checkpointing: { "tolerable-failed-checkpoints": 5 },
        faults: [fails("async", "S[0]"), ...triggersAfter("in-0@3")],
      }),
    );
    const told = run.first("NotificationDelivered", { subtask: "M[0]", checkpoint: 1, kind: "aborted" });
    const arrived = run.first("BarrierReceived", { subtask: "M[0]", checkpoint: 1 });
    expect(told.clock).toBeLessThan(arrived.clock);
    expect(run.all("SnapshotTaken", { subtask: "M[0]", checkpoint: 1 })).toEqual([]);
    expect(run.since(arrived).told("CancelMarkerEmitted", "CancelMarkerReceived").slice(0, 2)).toEqual([
      "CancelMarkerEmitted M[0] 1",
      "CancelMarkerReceived K[0] 1",
    ]);
    expect(run.all("SnapshotTaken", { subtask: "K[0]", checkpoint: 1 })).toEqual([]);
  });

  test("CP-108: the last ten ids are remembered, and ids more than ten below the newest count as aborted too", () => {
    // The barriers come 3 s late: M hears of the ends of 1 to 13 first and remembers 4 to 13; 3 is not below 13 - 10.
    const run = story(
      small({
        ...lane(1, { chain: false }),
        edges: ["S forward M latency=3000 capacity=40", "M forward K"],
        topics: { in: { records: 20, every: "100 ms" } },
        checkpointing: { "tolerable-failed-checkpoints": 50 },
        faults: [
          ...Array.from({ length: 13 }, () => fails("async", "S[0]")),
          ...triggersAfter(...Array.from({ length: 14 }, (_, i) => `in-0@${i}`)),
        ],
      }),
    );
    const ids = Array.from({ length: 13 }, (_, i) => i + 1);
    const first = run.first("BarrierReceived", { subtask: "M[0]" });
    expect(run.until(first).values("NotificationDelivered", "checkpoint", { subtask: "M[0]" })).toEqual(ids);
    expect(run.values("SnapshotTaken", "checkpoint", { subtask: "M[0]" }).slice(0, 2)).toEqual([3, 14]);
    expect(run.values("CancelMarkerEmitted", "checkpoint", { subtask: "M[0]" })).toEqual(ids.filter((id) => id !== 3));
  });
});

describe("what counts", () => {
  test("CP-155: a decline for a newer barrier, an expiry and an asynchronous failure make a count of two, and no restart", () => {
    // SRC[1] never hears of 1, so the counters decline it when 2 comes; 2 expires; 3 fails as it is written out.
    const run = story(
      withFaults(
        "shuffle",
        [
          atTime(0, "lose-rpc", { rpc: "trigger", target: "SRC[1]", checkpoint: 1 }),
          atTime(0, "lose-rpc", { rpc: "ack", target: "SNK[0]", checkpoint: 2 }),
          after("CheckpointAborted", { checkpoint: 2 }, "trigger-checkpoint"),
          atTime(0, "snapshot-failure", { target: "SNK[0]", part: "async", checkpoint: 3 }),
        ],
        (file) => {
          Object.assign(file["config"] as object, {
            "execution.checkpointing.max-concurrent-checkpoints": 2,
            "execution.checkpointing.tolerable-failed-checkpoints": 2,
            "execution.checkpointing.timeout": "500 ms",
          });
        },
      ),
    );
    expect(
      run
        .all("CheckpointAborted")
        .slice(0, 3)
        .map(({ checkpoint, reason, counts, failures }) => [checkpoint, reason, counts, failures]),
    ).toEqual([
      [1, "CHECKPOINT_DECLINED_SUBSUMED", false, 0],
      [2, "CHECKPOINT_EXPIRED", true, 1],
      [3, "CHECKPOINT_ASYNC_EXCEPTION", true, 2],
    ]);
    expect(run.report.recoveries).toEqual([]);
  });

  test("CP-155: two subtasks whose asynchronous parts fail for one checkpoint are one failure", () => {
    const run = oneLane([fails("async", "S[0]"), fails("async", "M[0]"), fails("async", "K[0]")], ["in-0@3"]);
    expect(run.all("SnapshotFailed").length).toBeGreaterThan(1);
    expect(run.all("CheckpointAborted")).toMatchObject([{ checkpoint: 1, counts: true, failures: 1 }]);
  });
});
