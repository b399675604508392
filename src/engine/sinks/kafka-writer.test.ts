/** The writer half of the Kafka sink (`recovery-and-sinks.md` 10.1, 10.4, 10.5). */
import { describe, expect, test } from "vitest";
import {
  type Small,
  type Story,
  after,
  atTime,
  before,
  counter,
  fixedDelay,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

const apart = { chain: false };
const line = (more: Partial<Small> = {}): Small => ({ ...lane(1, apart), ...more });
/** `[id, epoch]` of every initialisation of a transactional id, and "abort id" for what that ended. */
const initialised = (run: Story): string[] =>
  run.entries.flatMap((entry) =>
    entry.type === "ProducerIdInitialized"
      ? [`${entry["transaction"] as string} epoch ${Number(entry["epoch"])}`]
      : entry.type === "TransactionAborted" && entry["decider"] === "restore"
        ? [`abort ${entry["transaction"] as string}`]
        : [],
  );

describe("at the barrier", () => {
  test("SK-141: it flushes and hands its transaction over before the snapshot, and begins the next one in it", () => {
    const run = story(
      small(
        line({
          vertices: [
            source("S"),
            counter("M"),
            sink("K", { properties: { "transaction.timeout.ms": "15 min", "linger.ms": 400 } }),
          ],
          faults: triggersAfter("in-0@3"),
        }),
      ),
    );
    const handed = run.first("TransactionPreCommitted");
    // With 400 ms to linger, nothing of records 0 to 3 would be there yet: the flush sends them.
    expect(handed).toMatchObject({ transaction: "P-0-1", checkpoint: 1, records: 4 });
    expect(run.until(handed).words("RecordWritten", "record")).toEqual(["in-0@0", "in-0@1", "in-0@2", "in-0@3"]);
    const told = run
      .told("BarrierReceived", "TransactionPreCommitted", "SnapshotTaken", "TransactionBegun", "CheckpointAcknowledged")
      .filter((text) => text.includes("K[0]"));
    expect(told.slice(1, 6)).toEqual([
      "BarrierReceived K[0] 1",
      "TransactionPreCommitted K[0] P-0-1 1",
      "SnapshotTaken K[0] 1",
      "TransactionBegun K[0] P-0-2 2",
      "CheckpointAcknowledged K[0] 1",
    ]);
    expect(told[0]).toBe("TransactionBegun K[0] P-0-1 1");
  });

  test("SK-142: a transaction without records is let go: nothing to commit, nothing in the snapshot", () => {
    const run = story(
      small(
        line({
          topics: { in: { records: 0 } },
          initialDelay: 200,
          checkpointing: { interval: "1 s" },
          until: { time: 2500 },
        }),
      ),
    );
    expect(run.told("TransactionRecycled")).toEqual([
      "TransactionRecycled K[0] P-0-1 1",
      "TransactionRecycled K[0] P-0-2 2",
      "TransactionRecycled K[0] P-0-3 3",
    ]);
    expect(run.told("TransactionPreCommitted", "TransactionCommitRequested", "TransactionCommitted")).toEqual([]);
    expect(run.values("SnapshotPersisted", "bytes", { subtask: "K[0]" })).toEqual([0, 0, 0]);
    expect(run.values("TransactionBegun", "transaction")).toEqual(["P-0-1", "P-0-2", "P-0-3", "P-0-4"]);
  });
});

describe("delivery guarantees (SK-100 to SK-102, SK-152)", () => {
  const plain = (delivery: string, more: Partial<Small> = {}): Story =>
    story(
      small({
        vertices: [
          source("S"),
          counter("M"),
          sink("K", { delivery, properties: { "linger.ms": 150 }, slotSharingGroup: "k" }),
        ],
        edges: ["S forward M", "M forward K"],
        cluster: { taskManagers: 2, slots: 2 },
        timing: { "heartbeat.detect": "100 ms" },
        faults: triggersAfter("in-0@3"),
        ...more,
      }),
    );

  test("SK-100: at-least-once flushes at the barrier and waits for it before its snapshot, none does not", () => {
    const written = (delivery: string): number => {
      const run = plain(delivery);
      return run.until(run.first("SnapshotTaken", { subtask: "K[0]" })).all("RecordWritten").length;
    };
    // The barrier is at K at 307. Record 1 came there at 107 and was sent 150 later; 2 came at 207 and waits still.
    expect([written("at-least-once"), written("none")]).toEqual([4, 2]);
  });

  test("SK-101, SK-042: at-least-once loses nothing; what was written behind the restored barrier is written again, and nothing else", () => {
    const run = plain("at-least-once", {
      faults: [
        ...triggersAfter("in-0@3"),
        after("RecordWritten", { record: "in-0@6" }, "fail-task", { target: "M[0]" }),
      ],
    });
    expect(run.first("StateRestored")).toMatchObject({ checkpoint: 1 });
    expect(run.report.delivery.find(({ reader }) => reader === "read_committed")).toMatchObject({
      lost: [],
      duplicated: ["in-0@4", "in-0@5", "in-0@6"],
    });
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
  });

  test("SK-102: none loses what the client held at the crash and a completed checkpoint covered", () => {
    // Checkpoint 1 is complete at about 335; then K's process goes, with records 2 and 3 unsent.
    const run = plain("none", {
      faults: [
        ...triggersAfter("in-0@3"),
        after("CheckpointCompleted", { checkpoint: 1 }, "kill-taskmanager", { target: "tm-2" }),
      ],
    });
    expect(run.report.delivery.find(({ reader }) => reader === "read_committed")?.lost).toEqual(["in-0@2", "in-0@3"]);
    expect(run.report.verdict.endToEnd).toBe("at-most-once");
  });

  test("SK-152, SK-162: an exactly-once record is visible when the checkpoint that covers it has completed, others at once", () => {
    const seenAt = (delivery: string, time: number): number | undefined => {
      const run = story(
        small(
          line({
            vertices: [source("S"), counter("M"), sink("K", { delivery })],
            faults: triggersAfter("in-0@3"),
            until: { time },
          }),
        ),
      );
      return run.report.delivery.find(({ reader }) => reader === "read_committed")?.seen;
    };
    // Completed at 331, told to K at 332, committed at 333.
    expect([320, 332, 333, 900].map((time) => seenAt("exactly-once", time))).toEqual([0, 0, 4, 4]);
    // The first record leaves when its split has been assigned, 2 ms behind the start of the source.
    expect([62, 120, 220, 320].map((time) => seenAt("at-least-once", time))).toEqual([1, 2, 3, 4]);
    expect([62, 120, 220, 320].map((time) => seenAt("none", time))).toEqual([1, 2, 3, 4]);
  });

  test("SK-152: a sink that says nothing promises nothing", () => {
    const run = story(
      small(
        line({
          vertices: [source("S"), counter("M"), { uid: "K", type: "kafka-sink", topic: "out", chain: false }],
          faults: triggersAfter("in-0@3"),
        }),
      ),
    );
    expect(new Set(run.values("RecordWritten", "transaction"))).toEqual(new Set([null]));
    expect(
      run.entries.filter(({ type }) => type.startsWith("Transaction") || type === "ProducerIdInitialized"),
    ).toEqual([]);
  });
});

describe("names of transactions (SK-153)", () => {
  test("SK-153: the transaction between barriers n - 1 and n is prefix-subtask-n, by subtask", () => {
    const run = story(
      small({
        ...lane(2, apart),
        topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 4 }, out: { partitions: 2 } },
        faults: triggersAfter("in-0@3", "in-0@6"),
      }),
    );
    expect(run.all("TransactionPreCommitted").map(({ transaction, checkpoint }) => [transaction, checkpoint])).toEqual([
      ["P-0-1", 1],
      ["P-1-1", 1],
      ["P-0-2", 2],
      ["P-1-2", 2],
      ["P-0-3", 3],
      ["P-1-3", 3],
    ]);
  });

  test("SK-153: an id that a sink never saw leaves no gap in the names: the skipped one is initialised too", () => {
    // Checkpoint 2 reaches nobody and expires; at 3 the sink goes from P-0-2 to P-0-4.
    const run = story(
      small(
        line({
          faults: [
            ...triggersAfter("in-0@3", "in-0@5", "in-0@9"),
            atTime(0, "lose-rpc", { rpc: "trigger", checkpoint: 2 }),
          ],
          checkpointing: { timeout: "200 ms", "tolerable-failed-checkpoints": 9 },
        }),
      ),
    );
    expect(run.told("CheckpointAborted")).toEqual(["CheckpointAborted 2 CHECKPOINT_EXPIRED"]);
    expect(initialised(run).slice(0, 5)).toEqual([
      "P-0-1 epoch 0",
      "P-0-1 epoch 1",
      "P-0-2 epoch 0",
      "P-0-3 epoch 0",
      "P-0-4 epoch 0",
    ]);
    expect(run.words("TransactionBegun", "transaction").slice(0, 3)).toEqual(["P-0-1", "P-0-2", "P-0-4"]);
    expect(run.first("TransactionPreCommitted", { checkpoint: 3 })).toMatchObject({ transaction: "P-0-2" });
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });
});

/** The sink's process goes at each of these moments and comes back. */
const killed = (parallelism: number, moments: readonly Record<string, unknown>[], more: Partial<Small> = {}): Story =>
  story(
    small({
      ...lane(parallelism, apart),
      topics: { in: { partitions: parallelism, records: 24, every: "100 ms", keys: 4 }, out: { partitions: 1 } },
      restart: fixedDelay(9, "100 ms"),
      faults: moments.map((at) => ({ at, do: "restart-taskmanager", target: "tm-1" })),
      ...more,
    }),
  );

describe("what an older attempt left open (SK-155)", () => {
  test("SK-155, SK-154: a first start probes one name, finds it new, and begins with it", () => {
    const run = killed(2, []);
    expect(initialised(run).slice(0, 4).toSorted()).toEqual([
      "P-0-1 epoch 0",
      "P-0-1 epoch 1",
      "P-1-1 epoch 0",
      "P-1-1 epoch 1",
    ]);
    expect(run.values("TransactionBegun", "epoch").slice(0, 2)).toEqual([1, 1]);
  });

  test("SK-155: restored from 1 with P-0-2 open it probes P-0-2, P-0-3, then P-1-2, then begins P-0-2", () => {
    const run = killed(1, [{ after: "RecordWritten", record: "in-0@6" }], {
      faults: [
        ...triggersAfter("in-0@3"),
        after("RecordWritten", { record: "in-0@6" }, "restart-taskmanager", { target: "tm-1" }),
      ],
    });
    const restored = run.first("StateRestored", { subtask: "K[0]" });
    expect(restored).toMatchObject({ checkpoint: 1 });
    // P-0-2: epoch 0 -> 1 fences and aborts, asked again 2; new names stop at epoch 0; to begin raises P-0-2 once more.
    expect(initialised(run.since(restored)).slice(0, 5)).toEqual([
      "abort P-0-2",
      "P-0-2 epoch 2",
      "P-0-3 epoch 0",
      "P-1-2 epoch 0",
      "P-0-2 epoch 3",
    ]);
    expect(run.since(restored).first("TransactionBegun")).toMatchObject({ transaction: "P-0-2", epoch: 3 });
  });

  test("SK-155: a writer of parallelism 2 looks after every second subtask number", () => {
    const run = killed(2, [], {
      faults: [
        ...triggersAfter("in-0@3"),
        after("RecordWritten", { record: "in-1@6" }, "restart-taskmanager", { target: "tm-1" }),
      ],
    });
    const restored = run.first("StateRestored", { subtask: "K[1]" });
    const bySubtask = (number: number): string[] => {
      const mine = run.since(restored).entries.filter(({ subtask }) => subtask === `K[${number}]`);
      return mine
        .flatMap((entry) =>
          entry.type === "ProducerIdInitialized"
            ? [`${entry["transaction"] as string} epoch ${Number(entry["epoch"])}`]
            : [],
        )
        .slice(0, 4);
    };
    expect(bySubtask(0)).toEqual(["P-0-2 epoch 2", "P-0-3 epoch 0", "P-2-2 epoch 0", "P-0-2 epoch 3"]);
    expect(bySubtask(1)).toEqual(["P-1-2 epoch 2", "P-1-3 epoch 0", "P-3-2 epoch 0", "P-1-2 epoch 3"]);
  });

  test("SK-155, FI-70: restarts without a completed checkpoint probe further each time, end all that was open, and the run is exactly once", () => {
    const run = killed(
      1,
      [500, 1500, 2500].map((time) => ({ time })),
      { initialDelay: 6000 },
    );
    const starts = run.all("AttemptCreated", { subtask: "K[0]" });
    const between = (i: number): string[] => {
      const [from, to] = [starts[i], starts[i + 1]];
      if (from === undefined) throw new Error("there are four attempts");
      const since = run.since(from);
      return initialised(to === undefined ? since.until(since.first("TransactionPreCommitted")) : since.until(to));
    };
    expect(between(0)).toEqual(["P-0-1 epoch 0", "P-0-1 epoch 1"]);
    expect(between(1)).toEqual(["abort P-0-1", "P-0-1 epoch 3", "P-0-2 epoch 0", "P-1-1 epoch 0", "P-0-1 epoch 4"]);
    expect(between(2)).toEqual([
      "abort P-0-1",
      "P-0-1 epoch 6",
      "P-0-2 epoch 1",
      "P-0-3 epoch 0",
      "P-1-1 epoch 1",
      "P-1-2 epoch 0",
      "P-2-1 epoch 0",
      "P-0-1 epoch 7",
    ]);
    expect(between(3)).toEqual([
      "abort P-0-1",
      "P-0-1 epoch 9",
      "P-0-2 epoch 2",
      "P-0-3 epoch 1",
      "P-0-4 epoch 0",
      "P-1-1 epoch 2",
      "P-1-2 epoch 1",
      "P-1-3 epoch 0",
      "P-2-1 epoch 1",
      "P-2-2 epoch 0",
      "P-3-1 epoch 0",
      "P-0-1 epoch 10",
    ]);
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("SK-155: each probe takes its time, and the first record waits for the last one", () => {
    const run = killed(1, [], {
      faults: [
        ...triggersAfter("in-0@3"),
        after("RecordWritten", { record: "in-0@6" }, "restart-taskmanager", { target: "tm-1" }),
      ],
      timing: { initTransactions: "30 ms" },
    });
    const restored = run.since(run.first("StateRestored", { subtask: "K[0]" }));
    const { clock } = restored.first("TransactionCommitted", { transaction: "P-0-1" });
    // The commit's answer is 1 later; then three names, 30 each.
    expect(restored.times("ProducerIdInitialized").slice(0, 4)).toEqual([
      clock + 31,
      clock + 61,
      clock + 91,
      clock + 91,
    ]);
    expect(restored.first("RecordReceived", { subtask: "K[0]" }).clock).toBeGreaterThanOrEqual(clock + 91);
  });
});

describe("timeouts (SK-154, SK-159)", () => {
  test("SK-159: with both defaults the sink fails while INITIALIZING at every attempt, and the report says so beforehand", () => {
    const run = story(
      small({
        ...lane(1, apart),
        vertices: [source("S"), counter("M"), sink("K", { properties: {} })],
        restart: fixedDelay(2, "1 s"),
      }),
    );
    expect(run.all("TaskFailed").map(({ subtask, failure }) => [subtask, failure])).toEqual(
      Array.from({ length: 3 }, () => ["K[0]", "INVALID_TRANSACTION_TIMEOUT"]),
    );
    expect(run.all("TaskStateChanged", { subtask: "K[0]", to: "FAILED" }).map(({ from }) => from)).toEqual(
      Array.from({ length: 3 }, () => "INITIALIZING"),
    );
    expect(run.all("TransactionBegun")).toEqual([]);
    expect(run.report.job.status).toBe("FAILED");
    expect(run.report.notices).toContainEqual(expect.objectContaining({ code: "TRANSACTION_TIMEOUT_ABOVE_BROKER" }));
  });

  test("SK-159: exactly the broker's maximum is allowed, a topic's own limit wins", () => {
    const fails = (timeout: string, broker: string, topic: Record<string, unknown> = {}): boolean =>
      story(
        small({
          ...lane(1, apart),
          vertices: [source("S"), counter("M"), sink("K", { properties: { "transaction.timeout.ms": timeout } })],
          topics: { out: { partitions: 1, ...topic } },
          broker: { "transaction.max.timeout.ms": broker },
          until: { time: 300 },
        }),
      ).all("TaskFailed").length > 0;
    expect([fails("15 min", "15 min"), fails("900001 ms", "15 min")]).toEqual([false, true]);
    expect(fails("15 min", "15 min", { "transaction.max.timeout.ms": "10 min" })).toBe(true);
  });

  test("SK-154: a transaction that was begun but has no record is unknown to the log: it cannot time out, and holds no reader back", () => {
    const run = story(
      small(
        line({
          vertices: [source("S"), counter("M"), sink("K", { properties: { "transaction.timeout.ms": "1 s" } })],
          topics: { in: { records: 0 } },
          initialDelay: 60_000,
          until: { time: 30_000 },
        }),
      ),
    );
    expect(run.all("TransactionBegun")).toHaveLength(1);
    expect(run.all("TransactionTimedOut")).toEqual([]);
  });

  test("SK-154, KF-013: its clock starts with the first record, not with the begin", () => {
    // The filter drops record 0, so the first one that is written is that of 5 s. The log looks every second.
    const run = story(
      small({
        vertices: [
          source("S"),
          { uid: "F", type: "filter", chain: false },
          sink("K", { properties: { "transaction.timeout.ms": "10 s" } }),
        ],
        edges: ["S forward F", "F forward K"],
        topics: {
          in: {
            partitions: 1,
            every: "5 s",
            values: [
              { key: "a", value: 1 },
              { key: "a", value: 2 },
            ],
          },
        },
        broker: { "transaction.abort.timed.out.transaction.cleanup.interval.ms": "1 s" },
        initialDelay: 60_000,
        until: { time: 40_000 },
      }),
    );
    const written = run.first("RecordWritten").clock;
    expect([run.first("TransactionBegun").clock < 100, written > 5000 && written < 5050]).toEqual([true, true]);
    expect(run.times("TransactionTimedOut")).toEqual([16_000]);
  });

  test("a record that is on its way when its sink dies still arrives, in a transaction that is settled later", () => {
    const run = killed(1, [], {
      faults: [
        ...triggersAfter("in-0@3"),
        before("RecordWritten", { record: "in-0@6" }, "restart-taskmanager", { target: "tm-1" }),
      ],
    });
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});
