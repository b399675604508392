/** The global committer of a Kafka sink: behind all committers, checkpoint by checkpoint. */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { GlobalCommitRow } from "../../scenario/report.ts";
import { FailureSweep } from "../testing/failure-sweep.ts";
import { command } from "../testing/runs.ts";
import {
  type Small,
  type Story,
  after,
  atTime,
  before,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

/** Two subtasks that write and commit, and the one behind them. Checkpoints 1 and 2 behind the sixth record of each, and the ninth. */
const parts = (faults: readonly Json[], more: Partial<Small> = {}, own: Json = {}): Small => ({
  vertices: [source("S", { parallelism: 2 }), sink("K", { parallelism: 2, globalCommitter: true, ...own })],
  edges: ["S forward K"],
  topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 12 } },
  cluster: { taskManagers: 2, slots: 2 },
  initialDelay: 2000,
  faults: [...triggersAfter("in-0@5", "in-0@8"), ...faults],
  ...more,
});
const run = (faults: readonly Json[] = [], more: Partial<Small> = {}, own: Json = {}): Story =>
  story(small(parts(faults, more, own)));
const rows = (told: Story): unknown[] =>
  told.report.globalCommits.map(({ checkpoint, committers, received, committables, commits }) => [
    checkpoint,
    received,
    committers,
    committables,
    commits,
  ]);
const row = (told: Story, checkpoint: number): GlobalCommitRow | undefined =>
  told.report.globalCommits.find((each) => each.checkpoint === checkpoint);

describe("a checkpoint", () => {
  const told = run();

  test("SK-150: committers pass on what they have committed, and it is committed as a whole when all parts are there", () => {
    for (const subtask of ["K[0]", "K[1]"]) {
      const [committed, sent] = [
        told.first("TransactionCommitted", { checkpoint: 1, subtask }),
        told.all("CommittableSent", { checkpoint: 1, subtask }),
      ];
      expect(sent.map(({ transaction, count }) => [transaction, count])).toEqual([
        [null, 1],
        [committed["transaction"], 1],
      ]);
      expect(sent[0]?.step).toBeGreaterThan(committed.step);
    }
    const whole = told.first("GloballyCommitted", { checkpoint: 1 });
    expect(whole).toMatchObject({ subtask: "K-global-committer[0]", committables: 2, decider: "notification" });
    expect(told.until(whole).all("CommittableReceived", { checkpoint: 1 })).toHaveLength(4);
    expect(rows(told)).toEqual([
      [1, 2, 2, 2, 1],
      [2, 2, 2, 2, 1],
      [3, 2, 2, 2, 1],
    ]);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("SK-150: it waits for what comes and not for the notification, and what it has of a checkpoint is not in its state", () => {
    const notified = told.first("NotificationDelivered", { subtask: "K-global-committer[0]", checkpoint: 1 });
    expect(told.first("CommittableReceived", { checkpoint: 1 }).step).toBeGreaterThan(notified.step);
    expect(told.first("SnapshotPersisted", { subtask: "K-global-committer[0]", checkpoint: 1 })["bytes"]).toBe(0);
  });

  test("SK-150: a committer without anything to commit says so, and where nobody has there is nothing to call for", () => {
    const one = run([], {
      edges: ["S global K"],
      topics: { in: { partitions: 1, records: 12, every: "100 ms", keys: 1 } },
    });
    expect(row(one, 1)).toMatchObject({ received: 2, committers: 2, committables: 1, commits: 1 });
    const empty = one.all("CommittableSent").filter(({ count }) => count === 0);
    expect(new Set(empty.map(({ transaction }) => transaction))).toEqual(new Set([null]));
  });
});

describe("parts that come late", () => {
  test("SK-150: one committer is told with the next checkpoint: until then the first is not whole, and the second waits behind it", () => {
    const told = run([atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[1]", checkpoint: 1 })]);
    const second = told.first("CheckpointCompleted", { checkpoint: 2 });
    const [first, next] = [1, 2].map((checkpoint) => told.first("GloballyCommitted", { checkpoint }));
    expect(first?.step).toBeGreaterThan(second.step);
    expect(next?.step).toBeGreaterThan(first?.step ?? 0);
    const stored = told.first("SnapshotPersisted", { subtask: "K-global-committer[0]", checkpoint: 2 });
    expect(stored["bytes"]).toBeGreaterThan(0);
  });

  test("SK-150, SK-147: committers pass on again what they commit again on a restore, so a checkpoint may be committed twice", () => {
    const told = run([after("GloballyCommitted", { checkpoint: 1 }, "fail-task", { target: "S[0]" })]);
    expect(row(told, 1)).toMatchObject({ received: 2, commits: 2 });
    expect(told.all("GloballyCommitted", { checkpoint: 1 })).toHaveLength(2);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("SK-150: whoever restores from a state with parts of older checkpoints commits those first", () => {
    const told = run([
      atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[1]", checkpoint: 1 }),
      before("NotificationDelivered", { checkpoint: 2, subtask: "K[1]" }, "fail-task", { target: "S[0]" }),
    ]);
    expect(told.values("GloballyCommitted", "checkpoint").slice(0, 2)).toEqual([1, 2]);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("SK-149: what a committer has dropped is not passed on", () => {
    const told = run([atTime(0, "commit-error", { target: "K[1]", kind: "known", count: 1 })]);
    expect(told.all("CommittableSent", { checkpoint: 1, subtask: "K[1]" })).toMatchObject([
      { transaction: null, count: 0 },
    ]);
    expect(row(told, 1)).toMatchObject({ received: 2, committables: 1, commits: 1 });
  });
});

describe("errors of its own", () => {
  const target = "K-global-committer[0]";

  test("SK-148: what may pass is tried again at once, ten times more", () => {
    const passes = run([atTime(0, "commit-error", { target, kind: "retriable", count: 3 })]);
    expect(passes.all("CommitRetryLater", { subtask: target })).toHaveLength(3);
    expect(row(passes, 1)).toMatchObject({ commits: 1 });
    const fails = run([atTime(0, "commit-error", { target, kind: "retriable", count: 11 })]);
    expect(fails.first("TaskFailed", { subtask: target })).toMatchObject({ failure: "COMMIT_FAILED" });
    expect(fails.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("SK-149: any other fails the task, and all of the job with it", () => {
    const told = run([atTime(0, "commit-error", { target, kind: "fatal" })]);
    expect(told.report.recoveries[0]?.restarted).toHaveLength(5);
    expect(row(told, 1)).toMatchObject({ commits: 1 });
  });
});

test("SK-150: in 1.18 it commits when it is told of a checkpoint, which is before that one's parts have come", () => {
  const told = run([], { flink: "1.18", until: { time: 20_000 } });
  const whole = told.first("GloballyCommitted", { checkpoint: 1 });
  expect(whole.step).toBeGreaterThan(told.first("CheckpointCompleted", { checkpoint: 2 }).step);
  expect(told.values("GloballyCommitted", "checkpoint")).toEqual([1, 2, 3]);
});

test("SK-151: no barrier overtakes what goes to it", () => {
  const told = run([], { checkpointing: { unaligned: true } });
  expect(told.all("InFlightDataPersisted", { subtask: "K-global-committer[0]" })).toEqual([]);
  expect(told.report.verdict.endToEnd).toBe("exactly-once");
});

test("SK-150, SK-156: what several subtasks left to one is one part, with all their transactions", () => {
  const told = run(
    [
      before("NotificationDelivered", { checkpoint: 1 }, "cancel"),
      after("JobStatusChanged", { to: "CANCELED" }, "restore", {
        from: "checkpoint",
        job: { vertices: [{ uid: "K", parallelism: 1 }] },
      }),
    ],
    {
      edges: ["S rebalance K"],
      config: {
        "execution.checkpointing.dir": "file:///ck",
        "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
      },
    },
  );
  expect(row(told, 1)).toMatchObject({ submission: 1, committers: 1, received: 1, committables: 2, commits: 1 });
  expect(told.report.verdict.endToEnd).toBe("exactly-once");
});

test("FI-90: when the input has ended all is committed, and as a whole", () => {
  const { vertices } = parts([]);
  const ended = run([], {
    vertices: vertices.map((vertex) => (vertex["uid"] === "S" ? { ...vertex, bounded: true } : vertex)),
  });
  expect(ended.report.job.status).toBe("FINISHED");
  expect(ended.report.globalCommits.every(({ at }) => at !== null)).toBe(true);
  expect(ended.report.globalCommits.reduce((sum, { committables }) => sum + committables, 0)).toBe(
    ended.report.transactions.filter(({ state }) => state === "COMMITTED").length,
  );
});

test("SK-150, INV-120: failures at any step leave every committed transaction in a checkpoint that is committed as a whole", () => {
  const scenario = small(parts([]));
  const sweep = new FailureSweep(scenario);
  const acts = ["S[0]", "K[1]", "K-global-committer[0]"].map((target) => command("fail-task", target));
  sweep.places.forEach((_, step) => acts.forEach((act, place) => (step + place) % 9 === 0 && sweep.run(step, act)));
  expect(sweep.runs).toBeGreaterThan(80);
  expect(sweep.wrong).toEqual([]);
});

test("a global committer has nothing to do where nothing is committed", () => {
  const parsed = scenarioFrom({
    format: 1,
    job: {
      vertices: [source("S"), sink("K", { delivery: "at-least-once", globalCommitter: true })],
      edges: [{ from: "S", to: "K", ship: "forward" }],
    },
    topics: { in: { records: 3 }, out: {} },
  });
  expect(parsed.ok ? [] : parsed.problems).toMatchObject([{ path: "job.vertices[1].globalCommitter", value: "true" }]);
});
