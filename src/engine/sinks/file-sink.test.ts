/** The file sink: part files in progress, pending and finished, and what a restore makes of them. */
import { describe, expect, test } from "vitest";
import { recordsOf } from "../testing/sinks.ts";
import {
  type Small,
  type Story,
  after,
  apart,
  before,
  counter,
  fixedDelay,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

const sink = (more: Json = {}): Json => ({ uid: "K", type: "file-sink", chain: false, ...more });

const run = (own: Json, faults: readonly Json[], more: Partial<Small> = {}): Story =>
  story(
    small({
      vertices: [source("S"), counter("M"), sink(own)],
      edges: ["S forward M", "M forward K"],
      faults: [...triggersAfter("in-0@3", "in-0@7"), ...faults],
      ...more,
    }),
  );

const bulk: Json = { format: "bulk" };
const row: Json = { rolloverInterval: "10 s" };
const states = (told: Story): unknown => told.report.transactions.map(({ id, state, records }) => [id, state, records]);
const seenBy = (told: Story): unknown => told.report.delivery.map(({ reader, seen }) => [reader, seen]);
const isExact = (told: Story): void => {
  expect(told.report.delivery[0]).toMatchObject({
    reader: "finished-files",
    lost: [],
    duplicated: [],
    pending: [],
    seen: 12,
  });
  expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
};

describe("bulk format", () => {
  test("SK-181: every barrier closes the file, and its checkpoint finishes it", () => {
    const told = run(bulk, []);
    expect(states(told)).toEqual([
      ["K-0-1", "COMMITTED", 4],
      ["K-0-2", "COMMITTED", 4],
      ["K-0-3", "COMMITTED", 4],
    ]);
    expect(told.first("TransactionCommitted", { transaction: "K-0-1" }).step).toBeGreaterThan(
      told.first("CheckpointCompleted", { checkpoint: 1 }).step,
    );
    isExact(told);
  });

  test("SK-180: only finished files count for a committed reader; the other one sees what is in any", () => {
    const told = run(bulk, [], { until: { after: "RecordWritten", record: "in-0@9" } });
    expect(states(told)).toEqual([
      ["K-0-1", "COMMITTED", 4],
      ["K-0-2", "COMMITTED", 4],
      ["K-0-3", "OPEN", 2],
    ]);
    expect(seenBy(told)).toEqual([
      ["finished-files", 8],
      ["all-files", 10],
    ]);
  });

  test("SK-182: files that the restored checkpoint does not know stay as they are, and nobody counts them", () => {
    const told = run(bulk, [
      after("SnapshotTaken", { checkpoint: 2, subtask: "K[0]" }, "fail-task", { target: "M[0]" }),
    ]);
    expect(told.first("TransactionAborted", { transaction: "K-0-2" })).toMatchObject({ decider: "restore" });
    expect(seenBy(told)).toEqual([
      ["finished-files", 12],
      ["all-files", 16],
    ]);
    expect(told.report.delivery[1]?.duplicated).toEqual(recordsOf(4, 7));
    isExact(told);
  });

  test("SK-182: what is pending in the restored checkpoint is finished at once; what is already is left alone", () => {
    const lost = run(bulk, [
      before("NotificationDelivered", { checkpoint: 2, subtask: "K[0]" }, "fail-task", { target: "K[0]" }),
    ]);
    expect(lost.first("TransactionCommitted", { transaction: "K-0-2" })).toMatchObject({
      decider: "restore",
      again: false,
    });
    isExact(lost);
    const done = run(bulk, [after("TransactionCommitted", { transaction: "K-0-2" }, "fail-task", { target: "K[0]" })]);
    expect(done.last("TransactionCommitted", { transaction: "K-0-2" })).toMatchObject({
      decider: "restore",
      again: true,
    });
    isExact(done);
  });
});

describe("row format", () => {
  test("SK-181: a file spans checkpoints, until it is old or large enough", () => {
    const told = run(row, []);
    expect(states(told)).toEqual([["K-0-1", "COMMITTED", 12]]);
    isExact(told);
    const small_ = run({ maxPartSize: "96 b" }, []);
    expect(states(small_)).toEqual(["K-0-1", "K-0-2", "K-0-3", "K-0-4"].map((id) => [id, "COMMITTED", 3]));
    isExact(small_);
  });

  test("FI-85, SK-182: the file in progress is cut back to the length in the restored state, and written on", () => {
    const told = run(row, [after("RecordWritten", { record: "in-0@6" }, "fail-task", { target: "M[0]" })]);
    expect(told.first("PartFileResumed")).toMatchObject({
      transaction: "K-0-1",
      checkpoint: 1,
      records: 4,
      dropped: 3,
    });
    expect(states(told)).toEqual([["K-0-1", "COMMITTED", 12]].map((line) => [line[0], line[1], expect.any(Number)]));
    expect(seenBy(told)).toEqual([
      ["finished-files", 12],
      ["all-files", 12],
    ]);
    isExact(told);
  });

  test("SK-182: a file that was closed since is written on all the same", () => {
    const told = run(
      { rolloverInterval: "350 ms" },
      [after("TransactionPreCommitted", { transaction: "K-0-1" }, "fail-task", { target: "M[0]" })],
      {
        faults: [
          ...triggersAfter("in-0@1"),
          after("TransactionPreCommitted", { transaction: "K-0-1" }, "fail-task", { target: "M[0]" }),
        ],
      },
    );
    expect(told.first("PartFileResumed")).toMatchObject({ transaction: "K-0-1", records: 2 });
    isExact(told);
  });

  test("SK-184: after a restart new files have names that were never used", () => {
    const told = run(bulk, [after("RecordWritten", { record: "in-0@1" }, "fail-task", { target: "K[0]" })]);
    const begun = told.words("TransactionBegun", "transaction");
    expect(new Set(begun).size).toBe(begun.length);
    expect(begun[1]).toBe("K-0-2");
    isExact(told);
  });

  test("FI-85: a killed sink's file is cut back by whoever takes over", () => {
    const { vertices, ...rest } = apart();
    const told = run({}, [after("RecordWritten", { record: "in-0@6" }, "kill-taskmanager", { target: "tm-3" })], {
      ...rest,
      vertices: [...vertices.slice(0, 2), sink({ slotSharingGroup: "k", ...row })],
    });
    expect(told.first("PartFileResumed")).toMatchObject({ records: 4 });
    isExact(told);
  });
});

describe("what cannot be finished", () => {
  const expires = after("CheckpointCompleted", { checkpoint: 2 }, "expire-upload", { target: "K[0]" });

  test("SK-182: an upload that has expired fails every restore, until there are no restarts left", () => {
    const told = run(bulk, [expires], { restart: fixedDelay(2, "1 s") });
    expect(told.report.job).toMatchObject({ status: "FAILED", restarts: 2 });
    expect(told.report.transactions[1]).toMatchObject({ id: "K-0-2", state: "TIMED_OUT" });
    expect(told.report.verdict.endToEnd).toBe("at-most-once");
  });

  test("SK-183: a file in progress whose upload has expired cannot be written on", () => {
    const told = run(row, [after("RecordWritten", { record: "in-0@6" }, "expire-upload", { target: "K[0]" })], {
      restart: fixedDelay(1, "1 s"),
    });
    expect(told.report.recoveries.map(({ cause }) => cause)).toEqual(["K[0]: PART_FILE_LOST", "K[0]: PART_FILE_LOST"]);
    expect(told.report.job.status).toBe("FAILED");
  });

  test("SK-183: an older snapshot whose file in progress has been finished since does not start", () => {
    const told = run(
      { rolloverInterval: "500 ms" },
      [
        after("RecordWritten", { record: "in-0@3" }, "trigger-savepoint"),
        { at: { after: "TransactionCommitted", transaction: "K-0-1" }, do: "cancel" },
        { at: { after: "JobStatusChanged", to: "CANCELED" }, do: "restore", from: "savepoint" },
      ],
      {
        config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
        restart: fixedDelay(1, "1 s"),
        checkpointing: { interval: "400 ms" },
        initialDelay: 900,
        faults: [
          after("RecordWritten", { record: "in-0@3" }, "trigger-savepoint"),
          { at: { after: "TransactionCommitted", transaction: "K-0-1" }, do: "cancel" },
          { at: { after: "JobStatusChanged", to: "CANCELED" }, do: "restore", from: "savepoint" },
        ],
      },
    );
    expect(told.report.job.status).toBe("FAILED");
    expect(told.report.recoveries.at(-1)?.cause).toBe("K[0]: PART_FILE_LOST");
  });

  test("expire-upload wants a subtask of a file sink", () => {
    expect(() => run(bulk, [after("CheckpointCompleted", {}, "expire-upload", { target: "M[0]" })])).toThrow(
      /No sink runs in this subtask that writes files/,
    );
  });
});

test("SK-146: without checkpoints files stay in progress, but the end of input finishes them", () => {
  const idle = run(row, [], { checkpointing: { interval: null }, faults: [] });
  expect(seenBy(idle)).toEqual([
    ["finished-files", 0],
    ["all-files", 12],
  ]);
  const ended = run(row, [], {
    vertices: [source("S", { bounded: true }), counter("M"), sink(row)],
    checkpointing: { interval: null },
    faults: [],
  });
  isExact(ended);
});

test("FI-90: at the end of input the last file is closed, and finished with the final checkpoint", () => {
  isExact(run(row, [], { vertices: [source("S", { bounded: true }), counter("M"), sink(row)] }));
});
