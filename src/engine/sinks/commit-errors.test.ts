/** Commits that go wrong (`recovery-and-sinks.md` 10.4, 10.5 and 13.3). */
import { describe, expect, test } from "vitest";
import { type Story, after, atTime, fixedDelay, lane, small, story, triggersAfter } from "../testing/stories.ts";

const fails = (kind: string, count = 1): object => atTime(0, "commit-error", { target: "K[0]", kind, count });

/** Two checkpoints, and what is said of the first transaction, `P-0-1`. */
const run = (faults: readonly object[], more: object = {}): Story =>
  story(
    small({
      ...lane(1, { chain: false }),
      faults: [...triggersAfter("in-0@3", "in-0@7"), ...(faults as never[])],
      restart: fixedDelay(3, "1 s"),
      ...more,
    }),
  );
const about = (told: Story): string[] =>
  told
    .told(
      "TransactionCommitRequested",
      "CommitRetryLater",
      "CommitFailed",
      "TransactionCommitted",
      "TransactionTimedOut",
    )
    .filter((line) => line.includes("P-0-1 "))
    .map((line) => line.split(" ")[0] ?? "");
const exactly = { state: "exactly-once", endToEnd: "exactly-once" };

describe("an error that may pass", () => {
  test("FI-12, SK-148: ten in a row are tried again at once; one notification, eleven requests, no restart", () => {
    const told = run([fails("retriable", 10)]);
    expect(about(told)).toEqual([
      ...Array.from({ length: 10 }, () => ["TransactionCommitRequested", "CommitRetryLater"]).flat(),
      "TransactionCommitRequested",
      "TransactionCommitted",
    ]);
    expect(told.values("CommitRetryLater", "retries")).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(told.all("NotificationDelivered", { subtask: "K[0]", checkpoint: 1, kind: "complete" })).toHaveLength(1);
    expect(told.report.transactions[0]).toMatchObject({ commitAttempts: 11, decidedBy: "notification" });
    expect(told.report.recoveries).toEqual([]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("FI-12, SK-148, SK-147: the eleventh fails the task; the transaction is committed as the sink opens again", () => {
    const told = run([fails("retriable", 11)]);
    expect(told.first("TaskFailed")).toMatchObject({ subtask: "K[0]", failure: "COMMIT_FAILED" });
    expect(told.report.recoveries).toMatchObject([{ restoredFrom: 1 }]);
    expect(told.report.transactions[0]).toMatchObject({ commitAttempts: 12, decidedBy: "restore" });
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-148: with no retries configured the first error fails the task", () => {
    const told = run([fails("retriable")], { config: { "sink.committer.retries": 0 } });
    expect(told.first("TaskFailed")).toMatchObject({ failure: "COMMIT_FAILED" });
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-148: before 1.20 a timer tries again a second later, and the task works meanwhile", () => {
    const told = run([], {
      flink: "1.18",
      topics: { in: { records: 60, every: "100 ms" } },
      faults: [...triggersAfter("in-0@3"), fails("retriable", 2)],
    });
    const times = told.all("TransactionCommitRequested", { transaction: "P-0-1" }).map(({ clock }) => clock);
    const [first = 0, second = 0, third = 0] = times;
    expect([second - first, third - second]).toEqual([1002, 1002]);
    const between = told.all("RecordProcessed", { subtask: "K[0]" });
    expect(between.filter(({ clock }) => clock > first && clock < third).length).toBeGreaterThan(10);
    expect(told.report.recoveries).toEqual([]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("KF-014, SK-149: a reply that is lost: the next request finds it committed, and nothing is doubled", () => {
    const told = run([fails("reply-lost")]);
    expect(about(told)).toEqual([
      "TransactionCommitRequested",
      "TransactionCommitted",
      "CommitRetryLater",
      "TransactionCommitRequested",
      "TransactionCommitted",
    ]);
    expect(told.values("TransactionCommitted", "again", { transaction: "P-0-1" })).toEqual([false, true]);
    expect(told.report.verdict).toEqual(exactly);
  });
});

describe("an error that does not pass", () => {
  test("FI-13, CP-129b: for an unknown reason: the task fails, and the restore commits", () => {
    const told = run([fails("fatal")]);
    expect(told.first("TaskFailed")).toMatchObject({ subtask: "K[0]", failure: "COMMIT_FAILED" });
    expect(told.report.transactions[0]).toMatchObject({ commitAttempts: 2, decidedBy: "restore" });
    expect(told.report.verdict).toEqual(exactly);
  });

  test("FI-13: again at each restart: attempts are used up, the job fails, and the open transaction is lost with its timeout", () => {
    const told = run([fails("fatal", 100)], { until: { time: 3_600_000 } });
    expect(told.report.job).toMatchObject({ status: "FAILED", restarts: 3 });
    expect(told.report.transactions[0]).toMatchObject({ commitAttempts: 4, state: "TIMED_OUT" });
    expect(told.report.delivery[0]?.lost.length).toBeGreaterThan(0);
    expect(told.report.verdict.endToEnd).toBe("at-most-once");
  });

  test("SK-149, SK-157: for a known reason: it is dropped, the job runs on, and its records are lost", () => {
    const told = run([fails("known")]);
    expect(about(told)).toEqual(["TransactionCommitRequested", "CommitFailed", "TransactionTimedOut"]);
    expect(told.report.recoveries).toEqual([]);
    expect(told.report.job.status).toBe("RUNNING");
    expect(told.report.delivery[0]?.lost.length).toBeGreaterThan(0);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-most-once" });
  });
});

describe("after the commit something else fails", () => {
  test("FI-15, KF-014: another task fails as it hears of the checkpoint: it is restored, and the commit is repeated without effect", () => {
    const told = run([
      after("NotificationDelivered", { subtask: "M[0]", checkpoint: 2 }, "fail-task", { target: "M[0]" }),
    ]);
    expect(told.report.recoveries).toMatchObject([{ restoredFrom: 2 }]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("FI-15: the next checkpoint fails: the one that was committed stays what is restored", () => {
    const told = run([
      after("CheckpointCompleted", { checkpoint: 2 }, "snapshot-failure", { target: "M[0]", part: "sync" }),
      after("TransactionCommitted", { checkpoint: 2 }, "trigger-checkpoint"),
    ]);
    expect(told.report.recoveries).toMatchObject([{ restoredFrom: 2 }]);
    expect(told.report.verdict).toEqual(exactly);
  });
});

test("commit-error takes a subtask that has a sink, and one of four kinds", () => {
  expect(() => run([atTime(0, "commit-error", { target: "M[0]", kind: "fatal" })])).toThrow(/No sink runs/);
  expect(() => run([fails("odd")])).toThrow(/retriable/);
});
