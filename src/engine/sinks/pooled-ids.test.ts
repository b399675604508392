/** Pooled transactional ids (`recovery-and-sinks.md` 10.5, SK-153 and SK-156, and 13.8). */
import { describe, expect, test } from "vitest";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  fixedDelay,
  lane,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

const exactly = { state: "exactly-once", endToEnd: "exactly-once" };
const pooling = { transactionNaming: "pooling" };
const line = (more: Partial<Small> = {}): Small => ({
  vertices: [source("S"), counter("M"), sink("K", pooling)],
  edges: ["S forward M", "M forward K"],
  initialDelay: 100_000,
  ...more,
});
const begun = (told: Story): string[] => told.words("TransactionBegun", "transaction");

describe("names", () => {
  test("SK-153: the smallest number whose name is not in use; what a snapshot still has to commit is in use until the next one", () => {
    const told = story(
      small(
        line({
          topics: { in: { records: 20, every: "100 ms" } },
          faults: triggersAfter("in-0@3", "in-0@7", "in-0@11", "in-0@15"),
        }),
      ),
    );
    expect(begun(told)).toEqual(["P-0-0", "P-0-1", "P-0-0", "P-0-1", "P-0-0", ...begun(told).slice(5)]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-153, SK-145: what aborted checkpoints leave pre-committed keeps its names: so many are in use at once", () => {
    const told = story(
      small(
        line({
          topics: { in: { records: 20, every: "100 ms" } },
          checkpointing: { "tolerable-failed-checkpoints": 9 },
          faults: [
            ...triggersAfter("in-0@3", "in-0@7", "in-0@11", "in-0@15"),
            ...[1, 2, 3].map((checkpoint) =>
              atTime(0, "snapshot-failure", { target: "M[0]", part: "async", checkpoint }),
            ),
          ],
        }),
      ),
    );
    expect(begun(told).slice(0, 5)).toEqual(["P-0-0", "P-0-1", "P-0-2", "P-0-3", "P-0-4"]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-142: a name under which nothing was written is free at once, with the next epoch", () => {
    const told = story(
      small(line({ faults: [atTime(2000, "trigger-checkpoint"), atTime(3000, "trigger-checkpoint")] })),
    );
    expect(told.values("TransactionBegun", "transaction").slice(-2)).toEqual(["P-0-1", "P-0-0"]);
    expect(told.report.verdict).toEqual(exactly);
  });
});

describe("what older attempts have left", () => {
  const crash = (checkpoint: number): object[] => [
    after("TransactionPreCommitted", { checkpoint }, "kill-taskmanager", { target: "tm-1" }),
    after("TransactionPreCommitted", { checkpoint }, "restart-taskmanager", { target: "tm-1" }),
  ];

  test("FI-71, SK-156: it is found by listing and aborted, what the restored state holds is not touched, and nothing is probed", () => {
    const told = story(small(line({ faults: [...triggersAfter("in-0@3", "in-0@7"), ...(crash(2) as never[])] })));
    const listed = told.last("OpenTransactionsListed");
    expect(listed).toMatchObject({ open: 1, own: 1 });
    const since = told.since(listed);
    expect(since.first("TransactionAborted")).toMatchObject({ transaction: "P-0-1", decider: "restore" });
    const initialized = since.until(since.first("TransactionBegun")).words("ProducerIdInitialized", "transaction");
    expect(initialized).toEqual(["P-0-1", "P-0-1"]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-156, FI-07: completed and not committed: the restore commits it, and its name is not taken before the next snapshot", () => {
    const told = story(
      small(
        line({
          faults: [
            ...triggersAfter("in-0@3", "in-0@7"),
            after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "K[0]" }),
          ],
        }),
      ),
    );
    expect(told.first("TransactionCommitted", { transaction: "P-0-0" })).toMatchObject({ decider: "restore" });
    expect(begun(told).slice(0, 4)).toEqual(["P-0-0", "P-0-1", "P-0-1", "P-0-0"]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-157, FI-71: a name of the restored state that was used again is fenced at the commit, harmlessly", () => {
    const told = story(
      small(
        line({
          topics: { in: { records: 20, every: "100 ms" } },
          checkpointing: { "tolerable-failed-checkpoints": 9 },
          faults: [
            ...triggersAfter("in-0@3", "in-0@7", "in-0@11"),
            atTime(0, "snapshot-failure", { target: "M[0]", part: "async", checkpoint: 2 }),
            after("RecordWritten", { record: "in-0@10" }, "fail-task", { target: "M[0]" }),
          ],
        }),
      ),
    );
    expect(told.first("CommitFailed")).toMatchObject({ transaction: "P-0-0", answer: "PRODUCER_FENCED" });
    expect(told.report.delivery[0]).toMatchObject({ lost: [], duplicated: [] });
    expect(told.report.verdict).toEqual(exactly);
  });

  test("FI-70, FI-71: crashes in a row without a checkpoint: probing asks for more names each time, listing never does", () => {
    const crashes = [1, 2, 3].map((nth) =>
      after("RecordWritten", { record: "in-0@2", nth }, "fail-task", { target: "M[0]" }),
    );
    const asked = (naming: string): number[] => {
      const told = story(
        small(
          line({
            vertices: [source("S"), counter("M"), sink("K", { transactionNaming: naming })],
            faults: crashes,
            restart: fixedDelay(9, "100 ms"),
          }),
        ),
      );
      expect(told.report.verdict).toEqual(exactly);
      const begins = [{ step: -1 }, ...told.all("TransactionBegun")];
      return begins
        .slice(1, 5)
        .map(
          ({ step }, index) =>
            told
              .all("ProducerIdInitialized")
              .filter((entry) => entry.step < step && entry.step > (begins[index]?.step ?? 0)).length,
        );
    };
    const probing = asked("incrementing");
    expect(probing.every((count, index) => index === 0 || count > (probing[index - 1] ?? 0))).toBe(true);
    expect(asked("pooling")).toEqual([1, 2, 2, 2].map(() => expect.any(Number)));
    expect(Math.max(...asked("pooling"))).toBeLessThanOrEqual(2);
  });
});

describe("another parallelism", () => {
  const lanes = (to: number, first = 2): Small => ({
    edges: ["S forward M", "M rebalance K"],
    vertices: lane(first).vertices.map((vertex) =>
      vertex["type"] === "kafka-sink" ? { ...vertex, ...pooling } : vertex,
    ),
    topics: { in: { partitions: 2, records: 40, every: "100 ms" }, out: { partitions: 1 } },
    config: { "execution.checkpointing.savepoint-dir": "s3://s" },
    checkpointing: { interval: "300 ms" },
    initialDelay: null,
    faults: [after("RecordWritten", { record: "in-0@8" }, "rescale", { vertex: "K", parallelism: to })],
  });

  test("SK-156, FI-78: 2 to 1: the one subtask owns both numbers, lists for both and names by the first", () => {
    const told = story(small(lanes(1)));
    expect(told.report.submissions).toHaveLength(2);
    const names = told.words("TransactionBegun", "transaction", { submission: 1 }).map((name) => name.slice(0, 4));
    expect(new Set(names)).toEqual(new Set(["P-0-"]));
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-156, FI-78: 1 to 2: the new subtask has no state and owns its own number", () => {
    const told = story(small(lanes(2, 1)));
    const names = told.words("TransactionBegun", "transaction", { submission: 1 }).map((name) => name.slice(0, 4));
    expect(new Set(names)).toEqual(new Set(["P-0-", "P-1-"]));
    expect(told.report.verdict).toEqual(exactly);
  });
});

describe("which connector has them", () => {
  test("SK-153: Flink 1.20 has a connector that knows incrementing alone", () => {
    expect(() => small(line({ flink: "1.20" }))).toThrow(/connector 3\.x/);
  });

  /** From one naming to the other by a savepoint. */
  const switched = (from: string, to: string, flink = "2.2"): Story =>
    story(
      small(
        line({
          vertices: [source("S"), counter("M"), sink("K", { transactionNaming: from })],
          flink,
          initialDelay: 1000,
          restart: fixedDelay(2, "1 s"),
          faults: [
            atTime(500, "stop-with-savepoint", { path: "s3://s" }),
            atTime(3000, "restore", {
              from: "savepoint",
              flink: "2.2",
              job: { vertices: [{ uid: "K", transactionNaming: to }] },
            }),
          ],
          until: { time: 20_000 },
        }),
      ),
    );

  test("SK-153: from incrementing to pooling a savepoint takes it along", () => {
    expect(switched("incrementing", "pooling").report.verdict).toEqual(exactly);
  });

  test("SK-153: not back again, and not from a connector 3.x at once: the writer fails at every start", () => {
    for (const told of [switched("pooling", "incrementing"), switched("incrementing", "pooling", "1.20")]) {
      expect(told.values("TaskFailed", "failure")).toEqual(
        Array.from({ length: 3 }, () => "TRANSACTION_NAMING_CHANGED"),
      );
      expect(told.report.job.status).toBe("FAILED");
    }
  });
});
