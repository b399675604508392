/**
 * Flink's two-phase commit beside the textbook's (section 12 of the specification): the checkpoint coordinator decides,
 * all tasks vote, and no participant waits. One source, one operator, one Kafka sink, each a task of its own.
 */
import { expect, test } from "vitest";
import { after, atTime, lane, sink, small, story, triggersAfter } from "./testing/stories.ts";

/** A lane whose sink tells the log to give its transactions up after so long. */
function withTimeout(timeout: string): ReturnType<typeof lane> {
  const { vertices, edges } = lane(1);
  return {
    vertices: [...vertices.slice(0, -1), sink("K", { properties: { "transaction.timeout.ms": timeout } })],
    edges,
  };
}

/** The sink votes for checkpoint 1, whose snapshot the source then fails to write; a second one follows. */
const sourceDeclines = small({
  ...lane(1),
  timing: { "snapshot.async": "60 ms" },
  faults: [
    atTime(0, "snapshot-failure", { target: "S[0]", part: "async", checkpoint: 1 }),
    ...triggersAfter("in-0@2", "in-0@6"),
  ],
  checkpointing: { "tolerable-failed-checkpoints": 1 },
});

test("SK-200, SK-205: all tasks vote, not the sink alone: a source whose part fails undoes a vote that was in order", () => {
  const run = story(sourceDeclines);
  expect(run.first("TransactionPreCommitted", { checkpoint: 1 })["subtask"]).toBe("K[0]");
  expect(run.words("CheckpointAcknowledged", "subtask", { checkpoint: 1 })).not.toContain("S[0]");
  expect(run.all("CheckpointAborted", { checkpoint: 1 })).toHaveLength(1);
  expect(run.all("CheckpointCompleted", { checkpoint: 1 })).toEqual([]);
});

test("SK-203: an aborted checkpoint aborts no transaction; it is decided with the next one that completes", () => {
  const run = story(sourceDeclines);
  const { transaction } = run.first("TransactionPreCommitted", { checkpoint: 1 });
  expect(run.all("TransactionAborted", { transaction })).toEqual([]);
  const committed = run.first("TransactionCommitted", { transaction });
  expect(committed.step).toBeGreaterThan(run.first("CheckpointCompleted", { checkpoint: 2 }).step);
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

test("SK-201: a vote cannot be taken back: what the log gives up behind the acknowledgement is lost, and the job runs on", () => {
  const run = story(
    small({
      ...lane(1),
      faults: [
        after("CheckpointAcknowledged", { subtask: "K[0]", checkpoint: 1 }, "expire-transaction", { target: "K[0]" }),
        ...triggersAfter("in-0@2"),
      ],
    }),
  );
  expect(run.all("CheckpointCompleted", { checkpoint: 1 })).toHaveLength(1);
  expect(run.all("CommitFailed")).toHaveLength(1);
  expect(run.report).toMatchObject({
    job: { status: "RUNNING", restarts: 0 },
    verdict: { state: "exactly-once", endToEnd: "at-most-once" },
  });
});

test("SK-202: who has voted does not wait: the sink writes into its next transaction while the first is undecided", () => {
  const run = story(small({ ...lane(1), timing: { "snapshot.async": "450 ms" }, faults: triggersAfter("in-0@2") }));
  const voted = run.first("TransactionPreCommitted", { checkpoint: 1 });
  const decided = run.first("CheckpointCompleted", { checkpoint: 1 });
  const between = run.since(voted).until(decided).all("RecordWritten");
  expect(between.length).toBeGreaterThan(1);
  expect(between.every(({ transaction }) => transaction !== voted["transaction"])).toBe(true);
});

test("SK-204: the word to commit is given to each sink by itself, more than once if need be: readers see one half first", () => {
  const run = story(
    small({
      ...lane(2),
      topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 12 }, out: { partitions: 2 } },
      faults: [
        atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[1]", checkpoint: 1 }),
        ...triggersAfter("in-0@2", "in-0@6"),
      ],
    }),
  );
  const [one, other] = ["K[0]", "K[1]"].map((subtask) =>
    run.first("TransactionPreCommitted", { checkpoint: 1, subtask }),
  );
  const second = run.first("CheckpointCompleted", { checkpoint: 2 }).step;
  expect(run.first("TransactionCommitted", { transaction: one?.["transaction"] }).step).toBeLessThan(second);
  expect(run.first("TransactionCommitted", { transaction: other?.["transaction"] }).step).toBeGreaterThan(second);
});

test("SK-206: the coordinator gone for good behind the votes, what was pre-committed is undecided until the log gives it up", () => {
  const run = story(
    small({
      ...withTimeout("30 s"),
      faults: [
        after("CheckpointAcknowledged", { subtask: "K[0]", checkpoint: 1 }, "kill-jobmanager"),
        ...triggersAfter("in-0@2"),
      ],
      until: { time: "2 min" },
    }),
  );
  const { transaction, clock } = run.first("TransactionPreCommitted", { checkpoint: 1 });
  expect(run.report.submissions).toMatchObject([{ status: "SUSPENDED", lost: true }]);
  expect(run.all("TransactionCommitted", { transaction })).toEqual([]);
  expect(run.first("TransactionTimedOut", { transaction }).clock).toBeGreaterThan(clock + 20_000);
});

test("SK-207: another process commits by the id, and once more what was committed already, which changes nothing", () => {
  const run = story(
    small({
      ...lane(1),
      cluster: { taskManagers: 2, slots: 1 },
      faults: [
        after("TransactionCommitted", { checkpoint: 1 }, "kill-taskmanager", { target: "tm-1" }),
        ...triggersAfter("in-0@2"),
      ],
      timing: { "heartbeat.detect": "300 ms" },
    }),
  );
  const { transaction } = run.first("TransactionPreCommitted", { checkpoint: 1 });
  expect(run.words("TransactionCommitted", "again", { transaction })).toEqual(["false", "true"]);
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

test("FI-73: another prefix and no state: readers see nothing new behind what the old job left open, until the log gives it up", () => {
  const run = story(
    small({
      ...withTimeout("20 s"),
      cluster: { taskManagers: 2, slots: 1 },
      restart: { type: "disable" },
      timing: { "heartbeat.detect": "300 ms" },
      topics: { in: { partitions: 1, records: 24, every: "100 ms", keys: 12 } },
      checkpointing: { interval: "400 ms" },
      faults: [
        after("RecordWritten", { record: "in-0@3" }, "kill-taskmanager", { target: "tm-1" }),
        after("JobStatusChanged", { to: "FAILED" }, "restore", {
          from: "none",
          job: { vertices: [{ uid: "K", transactionalIdPrefix: "Q" }] },
        }),
      ],
    }),
    { violations: true },
  );
  const [left] = run.words("TransactionTimedOut", "transaction");
  const committed = run.report.delivery.find(({ reader }) => reader === "read_committed");
  expect(left).toMatch(/^P-/);
  expect(committed?.stalls.map(({ transaction }) => transaction)).toContain(left);
});
