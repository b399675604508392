/** The home-made sink that commits at the barrier, and what is wrong with it. */
import { expect, test } from "vitest";
import { recordsOf } from "../testing/sinks.ts";
import {
  type Small,
  type Story,
  after,
  before,
  counter,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

const run = (faults: readonly Json[], more: Partial<Small> = {}): Story =>
  story(
    small({
      vertices: [source("S"), counter("M"), { uid: "K", type: "naive-sink", chain: false }],
      edges: ["S forward M", "M forward K"],
      faults: [...triggersAfter("in-0@3", "in-0@7"), ...faults],
      ...more,
    }),
  );

test("it commits before its barrier leaves, so readers see records before their checkpoint is complete (INV-113)", () => {
  const told = run([]);
  const committed = told.first("TransactionCommitted", { checkpoint: 1 });
  expect(committed).toMatchObject({ decider: "barrier", again: false, transaction: "K-0-1" });
  expect(committed.step).toBeLessThan(told.first("SnapshotTaken", { subtask: "K[0]", checkpoint: 1 }).step);
  expect(committed.step).toBeLessThan(told.first("CheckpointCompleted", { checkpoint: 1 }).step);
  expect(told.report.verdict.endToEnd).toBe("exactly-once");
});

test("a failure between its barrier and the end of the checkpoint doubles what it has committed", () => {
  const fails = after("SnapshotTaken", { checkpoint: 2, subtask: "K[0]" }, "fail-task", { target: "M[0]" });
  const { report } = run([fails]);
  expect(report.recoveries[0]?.restoredFrom).toBe(1);
  expect(report.delivery[0]).toMatchObject({ lost: [], duplicated: recordsOf(4, 7) });
  expect(report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
});

test("a failure before its barrier doubles nothing: what was written is rolled back as it closes", () => {
  const fails = before("BarrierReceived", { checkpoint: 2, subtask: "K[0]" }, "fail-task", { target: "K[0]" });
  const told = run([fails]);
  expect(told.first("TransactionAborted")).toMatchObject({ transaction: "K-0-2", decider: "close" });
  expect(told.report.verdict.endToEnd).toBe("exactly-once");
});

test("a failure once the checkpoint is complete doubles nothing", () => {
  const { report } = run([after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "M[0]" })]);
  expect(report.delivery[0]?.duplicated).toEqual([]);
});

test("a commit whose answer is lost fails the task, and what it did is done again", () => {
  const { report } = run([
    before("TransactionCommitRequested", { checkpoint: 2 }, "commit-error", { target: "K[0]", kind: "reply-lost" }),
  ]);
  expect(report.recoveries[0]?.cause).toBe("K[0]: COMMIT_FAILED");
  expect(report.delivery[0]).toMatchObject({ lost: [], duplicated: recordsOf(4, 7) });
});

test("SK-131: a transaction that the database has aborted fails its task at the next row; nothing is lost", () => {
  const { report } = run([after("RecordWritten", { record: "in-0@5" }, "expire-transaction", { target: "K[0]" })]);
  expect(report.transactions.find(({ id }) => id === "K-0-2")).toMatchObject({ state: "TIMED_OUT" });
  expect(report.recoveries[0]?.cause).toBe("K[0]: TRANSACTION_ABORTED");
  expect(report.verdict.endToEnd).toBe("exactly-once");
});

test("SK-131: the session of a killed client leaves its transaction to the database's timeout, and no reader waits for it", () => {
  const { report } = run([
    after("RecordWritten", { record: "in-0@5" }, "kill-taskmanager", { target: "tm-1" }),
    { at: { time: "2 s" }, do: "restart-taskmanager", target: "tm-1" },
  ]);
  expect(report.transactions.find(({ id }) => id === "K-0-2")).toMatchObject({ state: "TIMED_OUT", records: 2 });
  expect(report.transactions.find(({ id }) => id === "K-0-3")?.decided).toBeLessThan(10_000);
  expect(report.verdict.endToEnd).toBe("exactly-once");
});

test("FI-90: at the end of its input it commits what is left, with and without checkpoints", () => {
  const vertices = [source("S", { bounded: true }), counter("M"), { uid: "K", type: "naive-sink", chain: false }];
  for (const interval of ["5 s", null]) {
    const { report } = run([], { vertices, checkpointing: { interval }, ...(interval === null && { faults: [] }) });
    expect(report.job.status).toBe("FINISHED");
    expect(report.verdict.endToEnd).toBe("exactly-once");
  }
});
