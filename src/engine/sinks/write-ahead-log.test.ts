/** The write-ahead log sink (`recovery-and-sinks.md` 10.6; SK-170 to SK-174, FI-82 to FI-84). */
import { describe, expect, test } from "vitest";
import { RECORD_BYTES } from "../../scenario/model.ts";
import {
  type Small,
  type Story,
  after,
  atTime,
  before,
  counter,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

/** Twelve records, barriers behind every fourth. */
const job = (more: Partial<Small> = {}, sinkMore: { readonly [key: string]: unknown } = {}): Small => ({
  vertices: [source("S"), counter("M"), { uid: "K", type: "write-ahead-log-sink", chain: false, ...sinkMore }],
  edges: ["S forward M", "M forward K"],
  topics: { in: { partitions: 1, records: 12, every: "100 ms", keys: 12 } },
  timing: { commit: "20 ms" },
  ...more,
});
const three = triggersAfter("in-0@3", "in-0@7", "in-0@11");
const run = (faults: readonly { readonly [key: string]: unknown }[] = [], more: Partial<Small> = {}): Story =>
  story(small(job({ faults: [...three, ...faults], ...more })));
const names = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `in-0@${from + i}`);
const row = ({ report }: Story): Story["report"]["delivery"][number] | undefined => report.delivery[0];

describe("the batches", () => {
  test("SK-170: records go into a stream; the barrier closes it and makes it the batch of its checkpoint; nothing goes out before", () => {
    const told = run();
    expect(told.all("BatchLogged").map(({ checkpoint, records }) => [checkpoint, records])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
    ]);
    const completed = told.first("CheckpointCompleted", { checkpoint: 1 });
    expect(told.until(completed).all("RecordWritten")).toEqual([]);
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("SK-174: what is buffered is in the checkpoint, beside the log that the source reads it from again", () => {
    const sizes = run([atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", count: 9 })]).report.checkpoints;
    const [first, second] = sizes.map(({ stateBytes }) => stateBytes);
    expect((second ?? 0) - (first ?? 0)).toBe(4 * RECORD_BYTES);
  });

  test("SK-171: with the notification a batch is sent in order, and then recorded as committed", () => {
    const told = run();
    expect(told.words("RecordWritten", "record")).toEqual(names(0, 12));
    const [first, second] = told.all("BatchCommitted");
    expect([first?.["checkpoint"], first?.["again"], second?.["checkpoint"]]).toEqual([1, false, 2]);
    expect(told.until(first as NonNullable<typeof first>).words("RecordWritten", "record")).toEqual(names(0, 4));
  });

  test("SK-171: the notification of 1 is lost, so those of 2 send both batches, the older one first", () => {
    const told = run([atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 })]);
    expect(told.values("BatchCommitted", "checkpoint")).toEqual([1, 2, 3]);
    expect(told.first("RecordWritten").step).toBeGreaterThan(told.first("CheckpointCompleted", { checkpoint: 2 }).step);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("SK-170: a barrier with nothing behind the last one leaves no batch", () => {
    const told = story(small(job({ faults: [...three, atTime(350, "trigger-checkpoint")] })));
    expect(told.all("BatchLogged").map(({ records }) => records)).not.toContain(0);
  });

  test("SK-174, SK-040: without checkpoints nothing is ever written; what a crash takes from the stream the source replays", () => {
    const without = story(small(job({ checkpointing: { interval: null } })));
    expect(without.all("RecordWritten")).toEqual([]);
    expect(row(without)?.pending).toEqual(names(0, 12));
    const told = run([atTime(650, "fail-task", { target: "K[0]" })]);
    expect(told.words("RecordWritten", "record")).toEqual(names(0, 12));
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });
});

describe("the gap between sending and recording (SK-173)", () => {
  test("FI-82: recording fails: it is logged, the job runs on, and the next notification sends the batch again", () => {
    const told = run([
      before("NotificationDelivered", { subtask: "K[0]", checkpoint: 2 }, "commit-error", {
        target: "K[0]",
        kind: "reply-lost",
      }),
    ]);
    expect(told.first("BatchKept")).toMatchObject({ checkpoint: 2, error: "reply-lost" });
    expect(told.all("TaskFailed")).toEqual([]);
    expect(row(told)).toMatchObject({ lost: [], duplicated: names(4, 8) });
    expect(told.report.verdict.endToEnd).toBe("at-least-once");
  });

  test("FI-82, SK-172: it dies before it has recorded: the restore sends nothing, the next notification sends the batch again", () => {
    const told = run([after("RecordWritten", { record: "in-0@7" }, "fail-task", { target: "K[0]" })]);
    const restored = told.first("StateRestored", { subtask: "K[0]" });
    expect(restored).toMatchObject({ checkpoint: 2 });
    const [notified] = told.since(restored).all("NotificationDelivered", { subtask: "K[0]", kind: "complete" });
    expect(told.since(restored).first("RecordWritten").step).toBeGreaterThan(notified?.step ?? 0);
    expect(row(told)).toMatchObject({ lost: [], duplicated: names(4, 8) });
  });

  test("FI-83: it dies in the middle of sending: the prefix is out, and comes again", () => {
    const told = run([after("RecordWritten", { record: "in-0@5" }, "fail-task", { target: "K[0]" })]);
    expect(row(told)).toMatchObject({ lost: [], duplicated: names(4, 6) });
  });

  test("SK-172: what is recorded is dropped on the restore: the committer's store is outside of Flink's state", () => {
    // It fails behind the record of batch 2, before checkpoint 3: the state of 2 still has the batch.
    const told = run([after("BatchCommitted", { checkpoint: 2 }, "fail-task", { target: "K[0]" })]);
    const restored = told.first("StateRestored", { subtask: "K[0]" });
    expect(told.since(restored).first("BatchCommitted")).toMatchObject({ checkpoint: 2, again: true });
    expect(row(told)).toMatchObject({ lost: [], duplicated: [], seen: 12 });
  });
});

describe("sending fails", () => {
  test("FI-84: sendValues gives false: the batch is kept, and sent with the next notification", () => {
    const told = run([
      before("NotificationDelivered", { subtask: "K[0]", checkpoint: 2 }, "commit-error", {
        target: "K[0]",
        kind: "retriable",
      }),
    ]);
    expect(told.first("BatchKept")).toMatchObject({ checkpoint: 2, error: "retriable" });
    expect(told.values("BatchCommitted", "checkpoint")).toEqual([1, 2, 3]);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("SK-171: false lets the batch behind it overtake; an exception stops the round, so that none does", () => {
    const order = (kind: string): unknown[] =>
      run([
        atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
        before("NotificationDelivered", { subtask: "K[0]", checkpoint: 2 }, "commit-error", { target: "K[0]", kind }),
      ]).values("BatchCommitted", "checkpoint");
    expect([order("retriable"), order("fatal")]).toEqual([
      [2, 1, 3],
      [1, 2, 3],
    ]);
  });
});

test("SK-170: a savepoint carries the batches over to a job with more subtasks, and nothing is lost or doubled", () => {
  const told = run(
    [
      atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]" }),
      atTime(950, "rescale", { vertex: "K", parallelism: 2, path: "sp" }),
    ],
    { edges: ["S forward M", "M rebalance K"], config: { "execution.checkpointing.dir": "s3://c" } },
  );
  expect(told.report.submissions).toHaveLength(2);
  expect(row(told)).toMatchObject({ lost: [], duplicated: [] });
});
