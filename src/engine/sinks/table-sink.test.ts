/** A lake table: its writers, its one committer, what the table remembers of commits, and what is made of that. */
import { describe, expect, test } from "vitest";
import {
  type Match,
  type Small,
  type Story,
  after,
  atTime,
  counter,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

const committer = "K-committer[0]";
const table = (more: Json = {}): Json => ({ uid: "K", type: "table-sink", parallelism: 2, chain: false, ...more });

/** Two lanes of twelve records each; checkpoints behind the fourth and the eighth of the first lane. */
const run = (faults: readonly Json[], own: Json = {}, more: Partial<Small> = {}): Story =>
  story(
    small({
      vertices: [source("S", { parallelism: 2 }), counter("M", { parallelism: 2 }), table(own)],
      edges: ["S forward M", "M forward K"],
      topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 24 } },
      cluster: { taskManagers: 3, slots: 2 },
      faults: [...triggersAfter("in-0@3", "in-0@7"), ...faults],
      ...more,
    }),
  );

const transaction = (told: Story, id: string): unknown => told.report.transactions.find((row) => row.id === id);
const isCommitted = (told: Story, id: unknown): boolean =>
  told.report.transactions.some((row) => row.id === id && row.state === "COMMITTED");
const step = (told: Story, type: Parameters<Story["first"]>[0], match: Match = {}): number =>
  told.first(type, match).step;
const isExact = (told: Story): void => {
  expect(told.report.delivery[0]).toMatchObject({ lost: [], duplicated: [], pending: [], seen: 24 });
  expect(told.report.verdict.endToEnd).toBe("exactly-once");
};
/** The completion of a checkpoint never gets to the committer. */
const untold = (checkpoint: number): Json =>
  atTime(0, "lose-rpc", { rpc: "notify-complete", target: committer, checkpoint });
const commitError = (kind: string, more: Json = {}): Json =>
  after("CheckpointCompleted", { checkpoint: 2 }, "commit-error", { target: committer, kind, ...more });

describe("a checkpoint", () => {
  const told = run([]);

  test("SK-144, SK-148: one commit a checkpoint takes the files of all writers, and none of them before its checkpoint is complete", () => {
    expect(told.all("TableCommitted").map(({ checkpoint, files, decider }) => [checkpoint, files, decider])).toEqual([
      [1, 2, "notification"],
      [2, 2, "notification"],
      [3, 2, "notification"],
    ]);
    expect(step(told, "TransactionCommitted")).toBeGreaterThan(step(told, "CheckpointCompleted", { checkpoint: 1 }));
    for (const { subtask } of told.all("TransactionCommitted")) expect(subtask).toBe(committer);
    expect(transaction(told, "K-1-2")).toMatchObject({ sink: "K[1]", checkpoint: 2, commitAttempts: 1 });
    isExact(told);
  });

  test("SK-141: a file is open before any record, and the next one before the barrier leaves", () => {
    expect(step(told, "TransactionBegun", { transaction: "K-0-1" })).toBeLessThan(step(told, "RecordWritten"));
    const barrier = { channel: `K[0]->${committer}`, checkpoint: 1 };
    expect(step(told, "TransactionBegun", { transaction: "K-0-2" })).toBeLessThan(
      step(told, "BarrierEmitted", barrier),
    );
  });

  test("SK-145: the files of a checkpoint that came to nothing wait, and go with the next", () => {
    const late = run(
      [after("SnapshotTaken", { subtask: committer, checkpoint: 1 }, "lose-rpc", { rpc: "ack", target: "M[0]" })],
      {},
      {
        checkpointing: { interval: "5 s", timeout: "300 ms", "tolerable-failed-checkpoints": 3 },
      },
    );
    expect(late.first("CheckpointAborted", { checkpoint: 1 })).toMatchObject({ reason: "CHECKPOINT_EXPIRED" });
    expect(late.first("TableCommitted")).toMatchObject({ checkpoint: 2, files: 4 });
    isExact(late);
  });

  test("SK-146: without checkpoints nothing is ever committed of input that does not end, and all at once of input that does", () => {
    const off = (bounded: boolean): Story =>
      run(
        [],
        {},
        {
          vertices: [source("S", { parallelism: 2, bounded }), counter("M", { parallelism: 2 }), table()],
          checkpointing: { interval: null },
          faults: [],
          until: { time: "5 s" },
        },
      );
    expect(off(false).all("TableCommitRequested")).toEqual([]);
    expect(off(true).first("TableCommitted")).toMatchObject({ files: 2, decider: "end-of-input" });
    isExact(off(true));
  });
});

describe("a restore", () => {
  test("SK-147: what the restored state holds is committed at once, as of no other job or checkpoint", () => {
    const told = run([untold(2), after("RecordEmitted", { record: "in-0@10" }, "fail-task", { target: committer })]);
    expect(told.first("TableCommitted", { checkpoint: 2 })).toMatchObject({ decider: "restore", files: 2 });
    isExact(told);
  });

  test("SK-147, SK-149: what the table says was committed is skipped, and its files stay committed", () => {
    const told = run([commitError("reply-lost")]);
    expect(told.report.recoveries).toMatchObject([{ cause: `${committer}: COMMIT_FAILED`, restoredFrom: 2 }]);
    expect(told.sorted("TableCommitSkipped", "transaction", { checkpoint: 2, highest: 2 })).toEqual(["K-0-2", "K-1-2"]);
    expect(told.all("DataFileListedAgain")).toEqual([]);
    expect(transaction(told, "K-0-2")).toMatchObject({ state: "COMMITTED" });
    isExact(told);
  });

  test("FR-008: what a process that dies leaves open, or handed over for a checkpoint that came to nothing, is let go by the next attempt", () => {
    const told = run(
      [after("SnapshotTaken", { subtask: "K[0]", checkpoint: 2 }, "kill-taskmanager", { target: "tm-1" })],
      {},
      { timing: { "heartbeat.detect": "200 ms" } },
    );
    const left = told.all("TransactionAborted", { decider: "restore" }).map(({ transaction: id }) => id);
    expect(left).toContain("K-0-2");
    isExact(told);
  });

  test("P-38: a committer that is to fail once what it has restored is committed does so once, and no record is touched", () => {
    const faults = [untold(2), after("RecordEmitted", { record: "in-0@10" }, "fail-task", { target: "M[0]" })];
    const told = run(faults, { failsAfterRecommit: true });
    expect(told.report.recoveries.map(({ cause }) => cause)).toEqual([
      "M[0]: USER_EXCEPTION",
      `${committer}: COMMITTED_ON_RESTORE`,
    ]);
    expect(told.all("TableCommitSkipped")).toHaveLength(2);
    isExact(told);
  });
});

describe("a commit goes wrong", () => {
  test("SK-148: what may pass is tried again, as one request, and fails the task once it was for long enough", () => {
    const again = run([commitError("retriable", { count: 2 })]);
    expect(again.all("CommitRetryLater")).toHaveLength(2);
    isExact(again);
    const never = run([commitError("retriable", { count: 11 })]);
    expect(never.all("CommitRetryLater")).toHaveLength(10);
    expect(never.report.recoveries).toMatchObject([{ cause: `${committer}: COMMIT_FAILED` }]);
    isExact(never);
  });

  test("SK-149: what is refused for a known reason is dropped, with all its files, and the job goes on", () => {
    const told = run([commitError("known")]);
    expect(told.report.recoveries).toEqual([]);
    expect(told.sorted("CommitFailed", "transaction")).toEqual(["K-0-2", "K-1-2"]);
    expect(told.report.delivery[0]).toMatchObject({ duplicated: [], pending: [], seen: 16 });
    expect(told.report.delivery[0]?.lost).toHaveLength(8);
  });

  test("SK-149: an error that nobody knows fails the task, and the restore commits", () => {
    const told = run([commitError("fatal")]);
    expect(told.first("TableCommitted", { checkpoint: 2 })).toMatchObject({ decider: "restore" });
    isExact(told);
  });

  test("a request that outlives its committer and comes behind the next one's is carried out too: both list the files", () => {
    const slow = { timing: { commit: "10 s", "heartbeat.detect": "200 ms" } };
    const told = run([after("TableCommitRequested", { checkpoint: 1 }, "fail-task", { target: committer })], {}, slow);
    const commits = told.all("TableCommitted", { checkpoint: 1 });
    expect(commits.map(({ decider }) => decider)).toEqual(["notification", "restore"]);
    expect(told.all("DataFileListedAgain")).toHaveLength(2);
    expect(told.report.delivery[0]?.duplicated.length).toBeGreaterThan(0);
  });
});

describe("what the table remembers", () => {
  const retained = {
    storage: "filesystem",
    dir: "file:///ck",
    "num-retained": 5,
    "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
  };
  /** The commit of checkpoint 2 takes effect, its reply is lost; the job ends and is submitted anew from checkpoint 2. */
  const anew = (own: Json, order: Json): Story =>
    run(
      [
        commitError("reply-lost"),
        after("JobStatusChanged", { to: "FAILED" }, "restore", { from: "checkpoint", ...order }),
      ],
      own,
      { checkpointing: retained, restart: { type: "none" } },
    );

  test.each([
    ["job-operator-checkpoint", "same"],
    ["highest-checkpoint-id", "same"],
    ["highest-checkpoint-id", "fresh"],
  ])("SK-147: with %s, a job with the %s id finds its commit and skips it", (remembers, jobId) => {
    const told = anew({ remembers }, { jobId });
    expect(told.all("TableCommitSkipped", { submission: 1 })).toHaveLength(2);
    isExact(told);
  });

  test("P-34: with job-operator-checkpoint a job with a fresh id finds nothing and lists the files once more", () => {
    const told = anew({ remembers: "job-operator-checkpoint" }, { jobId: "fresh" });
    expect(told.all("DataFileListedAgain", { checkpoint: 2 })).toHaveLength(2);
    expect(told.report.delivery[0]).toMatchObject({ lost: [], pending: [] });
    expect(told.report.delivery[0]?.duplicated).toHaveLength(8);
    expect(told.report.verdict.endToEnd).toBe("at-least-once");
  });

  test("expire-table-snapshots: a table that has forgotten its commits lets them be committed again", () => {
    const expired = run([
      commitError("reply-lost"),
      after("TableCommitted", { checkpoint: 2 }, "expire-table-snapshots", { target: "K" }),
    ]);
    expect(expired.all("DataFileListedAgain")).toHaveLength(2);
    expect(expired.report.delivery[0]?.duplicated).toHaveLength(8);
    // Of one that has nothing to ask for it is no matter.
    const told = run([after("TableCommitted", { checkpoint: 2 }, "expire-table-snapshots", { target: "K" })]);
    isExact(told);
  });

  /** Three checkpoints and a fourth are committed; the job goes back to the first, with the same id. */
  const back = (own: Json, order: Json): Story =>
    run(
      [
        ...triggersAfter("in-0@9"),
        after("TableCommitted", { checkpoint: 3 }, "cancel"),
        after("JobStatusChanged", { to: "CANCELED" }, "restore", { jobId: "same", ...order }),
        atTime(2500, "trigger-checkpoint"),
      ],
      own,
      { checkpointing: { ...retained, interval: "1 h" }, initialDelay: 3_600_000, until: { time: "4 s" } },
    );
  const skipped = (told: Story): unknown[] =>
    told
      .all("TableCommitSkipped", { submission: 1 })
      .flatMap(({ checkpoint, transaction: id }) => (isCommitted(told, id) ? [] : [checkpoint]));

  test("P-32: ids go back, and a committer that always asks passes by all up to the highest, without an error", () => {
    const told = back({ guard: "always" }, { from: "chk-1" });
    expect(skipped(told)).toEqual([2, 2]);
    expect(told.report.submissions[1]).toMatchObject({ status: "RUNNING", restarts: 0, failureCause: null });
    expect(told.all("TableCommitted", { submission: 1, checkpoint: 2 })).toEqual([]);
  });

  test("P-32: one that asks only for what it got back commits them", () => {
    const told = back({ guard: "when-restored" }, { from: "chk-1" });
    expect(skipped(told)).toEqual([]);
    expect(told.first("TableCommitted", { submission: 1 })).toMatchObject({ checkpoint: 2 });
  });

  test("P-32: a job that starts without state meets the same", () => {
    expect(skipped(back({ guard: "always" }, { from: "none" })).length).toBeGreaterThan(0);
    expect(skipped(back({ guard: "when-restored" }, { from: "none" }))).toEqual([]);
    expect(skipped(back({ guard: "always" }, { from: "none", jobId: "fresh" }))).toEqual([]);
  });
});

describe("what cannot be asked for", () => {
  const refused =
    (fault: Json, ...more: readonly Json[]): (() => void) =>
    () => {
      small({
        vertices: [source("S"), table({ parallelism: 1 }), ...more],
        edges: ["S rebalance K", ...more.map(({ uid }) => `S rebalance ${String(uid)}`)],
        faults: [fault],
      });
    };

  test("expire-table-snapshots wants a sink that writes to a table", () => {
    expect(refused(atTime(0, "expire-table-snapshots", { target: "S" }))).toThrow(
      'faults[0].target: "S": It writes to no table. Allowed: the uid of a table-sink.',
    );
  });

  test("commit-error wants the committer, and no file times out", () => {
    const none = 'faults[0].target: "K[0]": No sink runs in this subtask that has transactions.';
    expect(refused(atTime(0, "commit-error", { target: "K[0]", kind: "fatal" }))).toThrow(none);
    expect(refused(atTime(0, "expire-transaction", { target: "K[0]" }))).toThrow(none);
    expect(refused(atTime(0, "commit-error", { target: committer, kind: "fatal" }))).not.toThrow();
  });

  test("no vertex has the uid of a committer", () => {
    expect(refused(atTime(0, "cancel"), { uid: "K-committer", type: "print-sink" })).toThrow(
      'job.vertices[2].uid: "K-committer": The committer of the sink K has this uid; each must have its own.',
    );
  });
});
