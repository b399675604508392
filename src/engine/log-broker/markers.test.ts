/** The two phases of a transaction's end, and brokers that are down (`recovery-and-sinks.md` 11.2 and 13.8). */
import { describe, expect, test } from "vitest";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  lane,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

const exactly = { state: "exactly-once", endToEnd: "exactly-once" };

/** One sink that writes to two partitions, with checkpoints by hand at records 3 and 7. */
const line = (more: Partial<Small> = {}): Small => ({
  ...lane(1, { chain: false }),
  topics: { out: { partitions: 2 } },
  ...more,
  faults: [...triggersAfter("in-0@3", "in-0@7"), ...(more.faults ?? [])],
});
const ends = (told: Story): string[] =>
  told
    .told(
      "TransactionEndPrepared",
      "TransactionMarkerWritten",
      "TransactionCommitted",
      "TransactionAborted",
      "TransactionTimedOut",
      "TransactionDeferred",
    )
    .filter((text) => text.includes("P-0-1 "))
    .map((text) => text.split(" ")[0] ?? "");

describe("the two phases", () => {
  test("KF-015, KF-016: decided, then a marker on each partition, then complete; the client is answered with the decision", () => {
    const told = story(small(line({ timing: { markers: 120 } })));
    expect(ends(told)).toEqual([
      "TransactionEndPrepared",
      "TransactionMarkerWritten",
      "TransactionMarkerWritten",
      "TransactionCommitted",
    ]);
    const prepared = told.first("TransactionEndPrepared", { transaction: "P-0-1" });
    expect(told.times("TransactionMarkerWritten", { transaction: "P-0-1" })).toEqual([
      prepared.clock + 120,
      prepared.clock + 120,
    ]);
    // The thread goes on with records a millisecond after the decision, long before the markers.
    const next = told.since(prepared).first("RecordReceived", { subtask: "K[0]" });
    expect(next.clock).toBeLessThan(prepared.clock + 120);
    expect(told.report.transactions[0]).toMatchObject({ state: "COMMITTED", decided: prepared.clock });
    expect(told.report.verdict).toEqual(exactly);
  });

  test("KF-016: between the first marker and the last a reader of both partitions sees half of the transaction", () => {
    const until = { after: "TransactionMarkerWritten", transaction: "P-0-1", nth: 1 };
    const whole = story(small(line({ until: { after: "TransactionCommitted", transaction: "P-0-1" } })));
    const half = story(small(line({ until })));
    expect(whole.report.delivery[0]?.seen).toBe(4);
    expect(half.report.delivery[0]?.seen).toBeGreaterThan(0);
    expect(half.report.delivery[0]?.seen).toBeLessThan(4);
    expect(half.report.delivery[0]?.lost).toEqual([]);
  });

  test("KF-011: one partition whose marker takes no time is over in one step, one whose marker takes time is not", () => {
    const one = { topics: { out: { partitions: 1 } } };
    expect(ends(story(small(line(one))))).toEqual(["TransactionCommitted"]);
    expect(ends(story(small(line({ ...one, timing: { markers: 1 } }))))).toEqual([
      "TransactionEndPrepared",
      "TransactionMarkerWritten",
      "TransactionCommitted",
    ]);
  });

  test("FI-10, KF-014: asked again before the markers are out, the log says CONCURRENT_TRANSACTIONS, later that it is done", () => {
    const told = story(
      small(
        line({
          timing: { markers: 150 },
          faults: [atTime(0, "commit-error", { target: "K[0]", kind: "reply-lost", count: 1 })],
        }),
      ),
    );
    expect(ends(told)).toEqual([
      "TransactionEndPrepared",
      "TransactionDeferred",
      "TransactionDeferred",
      "TransactionMarkerWritten",
      "TransactionMarkerWritten",
      "TransactionCommitted",
      "TransactionCommitted",
    ]);
    expect(told.values("TransactionCommitted", "again", { transaction: "P-0-1" })).toEqual([false, true]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("KF-012, KF-014: a new attempt that initialises the id waits for the markers of the abort that it asked for", () => {
    const told = story(
      small(
        line({
          timing: { markers: 250 },
          faults: [
            after("TransactionPreCommitted", { checkpoint: 2 }, "kill-taskmanager", { target: "tm-1" }),
            after("TransactionPreCommitted", { checkpoint: 2 }, "restart-taskmanager", { target: "tm-1" }),
          ],
        }),
      ),
    );
    const prepared = told.first("TransactionEndPrepared", { commit: false });
    expect(prepared).toMatchObject({ transaction: "P-0-2", decider: "restore" });
    const since = told.since(prepared);
    expect(since.times("TransactionDeferred", { transaction: "P-0-2" }).slice(0, 2)).toEqual([
      prepared.clock + 100,
      prepared.clock + 200,
    ]);
    expect(since.first("ProducerIdInitialized", { transaction: "P-0-2" }).clock).toBe(prepared.clock + 300);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("KF-020, KF-015: an end that is decided does not time out, however long its markers take", () => {
    const told = story(
      small(
        line({
          timing: { markers: 60_000 },
          vertices: [source("S"), counter("M"), sink("K", { properties: { "transaction.timeout.ms": "3 s" } })],
          until: { time: 90_000 },
        }),
      ),
    );
    expect(told.report.transactions[0]).toMatchObject({ id: "P-0-1", state: "COMMITTED" });
    expect(told.all("TransactionTimedOut", { transaction: "P-0-1" })).toEqual([]);
  });

  test("KF-020: of one that is given up each partition is told too", () => {
    const told = story(
      small(
        line({
          faults: [after("TransactionPreCommitted", { checkpoint: 1 }, "expire-transaction", { target: "K[0]" })],
        }),
      ),
    );
    expect(ends(told)).toEqual([
      "TransactionEndPrepared",
      "TransactionMarkerWritten",
      "TransactionMarkerWritten",
      "TransactionTimedOut",
    ]);
    expect(told.report.transactions[0]).toMatchObject({ state: "TIMED_OUT", decidedBy: "timeout" });
    expect(told.report.verdict.endToEnd).toBe("at-most-once");
  });
});

describe("brokers that are down", () => {
  test("FI-76, KF-015: down between decision and markers: when they are back the markers are sent again, and nothing is lost", () => {
    const told = story(
      small(
        line({
          timing: { markers: 5 },
          faults: [after("TransactionEndPrepared", { transaction: "P-0-1" }, "broker-down", { for: "3 s" })],
        }),
      ),
    );
    const prepared = told.first("TransactionEndPrepared", { transaction: "P-0-1" });
    expect(told.times("TransactionMarkerWritten", { transaction: "P-0-1" })).toEqual([
      prepared.clock + 3005,
      prepared.clock + 3005,
    ]);
    expect(told.report.recoveries).toEqual([]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("FI-76, KF-016: down between two markers: half of the transaction is visible until the coordinator is back", () => {
    const faults = [after("TransactionMarkerWritten", { transaction: "P-0-1" }, "broker-down", { for: "3 s" })];
    const half = story(small(line({ faults, until: { time: 2000 } })));
    expect(half.all("TransactionMarkerWritten", { transaction: "P-0-1" })).toHaveLength(1);
    expect(half.report.delivery[0]?.seen).toBeGreaterThan(0);
    expect(half.report.delivery[0]?.seen).toBeLessThan(4);
    const told = story(small(line({ faults })));
    expect(told.all("TransactionMarkerWritten", { transaction: "P-0-1" })).toHaveLength(2);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("KF-002: what is in the log is there when they are back; nothing is read, written or committed meanwhile", () => {
    const told = story(small(line({ faults: [atTime(500, "broker-down", { for: "4 s" })] })));
    const down = told.first("FaultInjected", { do: "broker-down" });
    const during = told.entries.filter(({ step, clock }) => step > down.step + 1 && clock > 501 && clock < 4500);
    const types = new Set(during.map(({ type }) => type));
    for (const type of ["RecordEmitted", "RecordWritten", "TransactionCommitted", "ProducerIdInitialized"])
      expect(types).not.toContain(type);
    expect(told.report.recoveries).toEqual([]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("broker-up ends an outage that says no end; with none in force it does nothing", () => {
    const told = story(
      small(line({ faults: [atTime(500, "broker-down"), atTime(4000, "broker-up"), atTime(4100, "broker-up")] })),
    );
    expect(told.all("RecordEmitted").some(({ clock }) => clock > 501 && clock < 4000)).toBe(false);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("FR-021: a record that is not delivered within delivery.timeout.ms fails its task; a reader waits for ever", () => {
    const told = story(
      small(
        line({
          faults: [atTime(502, "broker-down", { for: "150 s" })],
          checkpointing: { "tolerable-failed-checkpoints": 99 },
        }),
      ),
    );
    const failed = told.first("TaskFailed");
    expect(failed).toMatchObject({ subtask: "K[0]", failure: "RECORD_NOT_DELIVERED" });
    expect(failed.clock).toBeGreaterThan(120_000);
    expect(failed.clock).toBeLessThan(121_000);
    expect(told.report.recoveries.filter(({ cause }) => cause.includes("S[0]"))).toEqual([]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("FR-021, SK-154: a sink that starts and cannot initialise its id within max.block.ms fails while INITIALIZING", () => {
    const told = story(
      small(
        line({
          restart: { type: "fixed-delay", "fixed-delay.attempts": 9, "fixed-delay.delay": "1 s" },
          faults: [atTime(150, "fail-task", { target: "M[0]" }), atTime(200, "broker-down", { for: "100 s" })],
        }),
      ),
    );
    expect(told.values("TaskFailed", "failure")).toEqual(["USER_EXCEPTION", "LOG_REQUEST_TIMED_OUT"]);
    expect(told.report.verdict).toEqual(exactly);
  });

  test("SK-148, SK-149: a commit without an answer is tried again after max.block.ms, as often as any", () => {
    const outage = (lasts: string): Story =>
      story(
        small(
          line({
            faults: [after("TransactionCommitRequested", { checkpoint: 2 }, "broker-down", { for: lasts })],
            topics: { in: { records: 8, every: "100 ms" }, out: { partitions: 2 } },
          }),
        ),
      );
    const short = outage("130 s");
    expect(short.values("CommitRetryLater", "retries")).toEqual([1, 2]);
    expect(short.report.recoveries).toEqual([]);
    expect(short.report.verdict).toEqual(exactly);
    const long = outage("680 s");
    expect(long.first("TaskFailed")).toMatchObject({ subtask: "K[0]", failure: "COMMIT_FAILED" });
    expect(long.report.verdict).toEqual(exactly);
  });

  test("KF-020: nothing is timed out by brokers that are down, but by the first look when they are back", () => {
    const told = story(
      small(
        line({
          vertices: [source("S"), counter("M"), sink("K", { properties: { "transaction.timeout.ms": "3 s" } })],
          faults: [after("TransactionPreCommitted", { checkpoint: 2 }, "broker-down", { for: "60 s" })],
          checkpointing: { "tolerable-failed-checkpoints": 99 },
        }),
      ),
    );
    const down = told.first("FaultInjected", { do: "broker-down" });
    expect(told.times("TransactionTimedOut")[0]).toBe(down.clock + 60_000);
  });

  test("SK-153: a thread that begins its next transaction waits for the brokers, and no later step of its goes ahead", () => {
    const told = story(
      small(
        line({ faults: [after("SnapshotTaken", { subtask: "K[0]", checkpoint: 1 }, "broker-down", { for: "2 s" })] }),
      ),
    );
    const taken = told.first("SnapshotTaken", { subtask: "K[0]", checkpoint: 1 });
    const since = told.since(taken);
    expect(since.first("ProducerIdInitialized").clock).toBe(taken.clock + 2000);
    expect(since.first("SnapshotPersisted", { subtask: "K[0]" }).clock).toBeGreaterThan(taken.clock + 2000);
    expect(told.report.verdict).toEqual(exactly);
  });
});
