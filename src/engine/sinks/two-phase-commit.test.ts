/** The classic transactional sink over a database, window by window. */
import { describe, expect, test } from "vitest";
import { recordsOf } from "../testing/sinks.ts";
import {
  type Match,
  type Small,
  type Story,
  after,
  apart,
  atTime,
  before,
  counter,
  fixedDelay,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

const sink = (more: Json = {}): Json => ({ uid: "K", type: "two-phase-commit-sink", chain: false, ...more });

/** Checkpoints 1 and 2 behind the fourth and the eighth record: K-0-1 holds the first four, K-0-2 the next. */
const run = (faults: readonly Json[], more: Partial<Small> = {}, own: Json = {}): Story =>
  story(
    small({
      vertices: [source("S"), counter("M"), sink(own)],
      edges: ["S forward M", "M forward K"],
      faults: [...triggersAfter("in-0@3", "in-0@7"), ...faults],
      ...more,
    }),
  );

/** Each task on a TaskManager of its own, so that the sink's can be killed. */
const alone = (faults: readonly Json[], own: Json = {}): Story => {
  const { vertices, ...rest } = apart();
  return run(faults, { ...rest, vertices: [...vertices.slice(0, 2), sink({ slotSharingGroup: "k", ...own })] });
};

const transaction = (told: Story, id: string): unknown => told.report.transactions.find((row) => row.id === id);
const step = (told: Story, type: Parameters<Story["first"]>[0], match: Match): number => told.first(type, match).step;
const isExact = (told: Story): void => {
  expect(told.report.delivery[0]).toMatchObject({ lost: [], duplicated: [], pending: [], seen: 12 });
  expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
};

describe("one checkpoint", () => {
  const told = run([]);

  test("SK-120, SK-121: a transaction is open before any record, and nothing is visible before its checkpoint is complete", () => {
    expect(step(told, "TransactionBegun", { transaction: "K-0-1" })).toBeLessThan(step(told, "RecordWritten", {}));
    expect(told.values("RecordWritten", "transaction").slice(0, 5)).toEqual([
      "K-0-1",
      "K-0-1",
      "K-0-1",
      "K-0-1",
      "K-0-2",
    ]);
    expect(step(told, "TransactionCommitted", { transaction: "K-0-1" })).toBeGreaterThan(
      step(told, "CheckpointCompleted", { checkpoint: 1 }),
    );
    isExact(told);
  });

  test("SK-122: at its barrier the current one is prepared and the next begins, both before the snapshot", () => {
    const prepared = step(told, "TransactionPreCommitted", { transaction: "K-0-1", checkpoint: 1 });
    expect(step(told, "TransactionBegun", { transaction: "K-0-2", checkpoint: 2 })).toBe(prepared + 1);
    expect(step(told, "SnapshotTaken", { subtask: "K[0]", checkpoint: 1 })).toBeGreaterThan(prepared + 1);
  });

  test("SK-131: readers of committed rows wait for no other transaction, those of uncommitted rows see all", () => {
    const stops = run([], { until: { after: "RecordWritten", record: "in-0@10" } });
    expect(stops.report.delivery.map(({ reader, seen }) => [reader, seen])).toEqual([
      ["read_committed", 8],
      ["read_uncommitted", 11],
    ]);
    expect(stops.report.transactions.map(({ state }) => state)).toEqual(["COMMITTED", "COMMITTED", "OPEN"]);
  });
});

describe("a failure", () => {
  test("SK-124, FI-04: a live sink aborts what is current as it closes; what was prepared for the lost checkpoint the restore aborts", () => {
    const told = run([after("SnapshotTaken", { checkpoint: 2, subtask: "K[0]" }, "fail-task", { target: "M[0]" })]);
    expect(told.all("TransactionAborted").map(({ transaction: id, decider }) => [id, decider])).toEqual([
      ["K-0-2", "restore"],
    ]);
    expect(told.values("TransactionRecycled", "transaction")).toContain("K-0-3");
    isExact(told);
  });

  test("SK-128: closing aborts the current transaction and leaves the prepared one alone", () => {
    const told = run([
      { at: { time: 0 }, do: "lose-rpc", rpc: "notify-complete", target: "K[0]", checkpoint: 2 },
      after("RecordWritten", { record: "in-0@9" }, "fail-task", { target: "K[0]" }),
    ]);
    expect(told.first("TransactionAborted")).toMatchObject({ transaction: "K-0-3", decider: "close" });
    expect(told.last("TransactionCommitted", { transaction: "K-0-2" })).toMatchObject({
      decider: "restore",
      again: false,
    });
    isExact(told);
  });

  test("SK-125, FI-10: what the restored checkpoint holds has usually been committed: committing it again changes nothing", () => {
    const told = run([after("TransactionCommitted", { transaction: "K-0-2" }, "fail-task", { target: "K[0]" })]);
    expect(
      told.all("TransactionCommitted", { transaction: "K-0-2" }).map(({ again, decider }) => [again, decider]),
    ).toEqual([
      [false, "notification"],
      [true, "restore"],
    ]);
    isExact(told);
  });

  test("FI-08: a lost notification: the next one commits both, the older first", () => {
    const told = run([{ at: { time: 0 }, do: "lose-rpc", rpc: "notify-complete", target: "K[0]", checkpoint: 1 }]);
    expect(told.values("TransactionCommitted", "transaction").slice(0, 2)).toEqual(["K-0-1", "K-0-2"]);
    expect(step(told, "TransactionCommitted", { transaction: "K-0-1" })).toBeGreaterThan(
      step(told, "CheckpointCompleted", { checkpoint: 2 }),
    );
    isExact(told);
  });

  test("SK-129, FI-03: a transaction begun behind a checkpoint that came to nothing is in no state: the database gives it up", () => {
    const told = alone(
      [
        after("RecordWritten", { record: "in-0@9" }, "kill-taskmanager", { target: "tm-3" }),
        { at: { time: 0 }, do: "lose-rpc", rpc: "ack", target: "K[0]", checkpoint: 2 },
      ],
      { databaseTimeout: "100 s" },
    );
    expect(told.report.recoveries[0]?.restoredFrom).toBe(1);
    expect(transaction(told, "K-0-2")).toMatchObject({ state: "ABORTED", decidedBy: "restore", records: 4 });
    expect(transaction(told, "K-0-3")).toMatchObject({ state: "TIMED_OUT", records: 2 });
    isExact(told);
  });
});

describe("a commit that fails", () => {
  test("SK-123, SK-126: the exception comes once all are tried; the restore commits what is left", () => {
    const told = run([
      { at: { time: 0 }, do: "lose-rpc", rpc: "notify-complete", target: "K[0]", checkpoint: 1 },
      before("TransactionCommitRequested", { transaction: "K-0-1" }, "commit-error", {
        target: "K[0]",
        kind: "retriable",
      }),
    ]);
    expect(step(told, "TransactionCommitted", { transaction: "K-0-2" })).toBeLessThan(step(told, "TaskFailed", {}));
    expect(told.first("TransactionCommitted", { transaction: "K-0-1" })).toMatchObject({ decider: "restore" });
    expect(told.report.recoveries[0]?.cause).toBe("K[0]: COMMIT_FAILED");
    isExact(told);
  });

  test("FI-12: the first error fails the task already, whatever it is", () => {
    for (const kind of ["retriable", "known", "fatal", "reply-lost"]) {
      const told = run([
        before("TransactionCommitRequested", { transaction: "K-0-2" }, "commit-error", { target: "K[0]", kind }),
      ]);
      expect(told.report.recoveries.map(({ cause }) => cause)).toEqual(["K[0]: COMMIT_FAILED"]);
      isExact(told);
    }
  });

  const expires = after("CheckpointCompleted", { checkpoint: 2 }, "expire-transaction", { transaction: "K-0-2" });

  test("SK-126, FI-14: where the database has aborted it every restart fails, until there are none left", () => {
    const told = run([expires], { restart: fixedDelay(2, "1 s") });
    expect(told.report.job.status).toBe("FAILED");
    expect(told.report.job.restarts).toBe(2);
    expect(told.report.delivery[0]?.lost).toEqual(expect.arrayContaining(recordsOf(4, 7)));
    expect(told.report.verdict).toMatchObject({ endToEnd: "at-most-once" });
  });

  test("SK-127, FI-14: told to ignore failures of old transactions, a restore goes on without them", () => {
    const own = { transactionTimeout: "500 ms", ignoreFailuresAfterTransactionTimeout: true };
    const told = run([expires], {}, own);
    expect(told.first("CommitFailureIgnored")).toMatchObject({ transaction: "K-0-2", checkpoint: 2 });
    expect(told.report.recoveries.map(({ cause }) => cause)).toEqual(["K[0]: COMMIT_FAILED"]);
    expect(told.report.delivery[0]).toMatchObject({ lost: recordsOf(4, 7), duplicated: [] });
    expect(told.report.job.status).toBe("RUNNING");
  });

  test("SK-127: a timeout alone does nothing, and one that is younger is not ignored", () => {
    for (const own of [
      { transactionTimeout: "500 ms" },
      { transactionTimeout: "1 h", ignoreFailuresAfterTransactionTimeout: true },
    ])
      expect(run([expires], { restart: fixedDelay(1, "1 s") }, own).report.job.status).toBe("FAILED");
  });
});

test("SK-131: a transaction that is open for longer than the database's timeout fails its task at the next row", () => {
  const told = run(
    [],
    { checkpointing: { interval: "1 h" }, initialDelay: 1_000_000, faults: [], until: { time: "3 s" } },
    { databaseTimeout: "600 ms" },
  );
  expect(told.first("TransactionTimedOut")).toMatchObject({ transaction: "K-0-1" });
  expect(told.report.recoveries[0]?.cause).toBe("K[0]: TRANSACTION_ABORTED");
});

test("SK-130, FI-90: at the end of input the last transaction is committed with the final checkpoint, and none begins", () => {
  const told = run([], { vertices: [source("S", { bounded: true }), counter("M"), sink()] });
  expect(told.report.job.status).toBe("FINISHED");
  const ended = told.first("OperatorsFinished", { subtask: "K[0]" });
  expect(told.since(ended).all("TransactionBegun")).toEqual([]);
  expect(told.since(ended).all("TransactionCommitted")).toHaveLength(1);
  isExact(told);
});

test("SK-121: without checkpoints nothing is ever committed, and the end aborts what is there", () => {
  const told = run([], {
    vertices: [source("S", { bounded: true }), counter("M"), sink()],
    checkpointing: { interval: null },
    faults: [],
  });
  expect(told.report.job.status).toBe("FINISHED");
  expect(told.report.delivery[0]?.seen).toBe(0);
  expect(told.first("TransactionAborted")).toMatchObject({ decider: "close" });
});

test("FI-89: a cancelled job commits nothing: prepared transactions are left to the database", () => {
  const told = run([
    { at: { time: 0 }, do: "lose-rpc", rpc: "notify-complete", target: "K[0]", checkpoint: 2 },
    after("RecordWritten", { record: "in-0@9" }, "cancel"),
  ]);
  expect(told.first("TransactionAborted")).toMatchObject({ transaction: "K-0-3", decider: "close" });
  expect(transaction(told, "K-0-2")).toMatchObject({ state: "PRE_COMMITTED" });
});

test("SK-131: two subtasks write their own transactions, and a cut to Kafka is none of theirs", () => {
  const told = run([atTime(300, "partition", { between: [["tm-1"], ["kafka"]], for: "200 ms" })], {
    vertices: [source("S", { parallelism: 2 }), counter("M", { parallelism: 2 }), sink({ parallelism: 2 })],
    topics: { in: { partitions: 2, records: 12, every: "100 ms", keys: 12 } },
  });
  expect(new Set(told.report.transactions.map(({ sink: uid }) => uid))).toEqual(new Set(["K[0]", "K[1]"]));
  isExact(told);
});
