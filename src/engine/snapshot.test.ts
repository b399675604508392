/** One checkpoint at one task (`checkpointing.md` 6 and 10). */
import { describe, expect, test } from "vitest";
import { MailKind, post } from "./mailbox.ts";
import {
  Drive,
  type Story,
  after,
  atTime,
  counter,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

/** The lines of one subtask, without its name. */
const linesOf = ({ entries, lines }: Story, subtask: string): string[] =>
  entries.flatMap((entry, i) => (entry["subtask"] === subtask ? [(lines[i] ?? "").replace(` ${subtask}`, "")] : []));

describe("what a task does for a checkpoint", () => {
  test("CP-030: the sinks' part, the barrier to all outputs, then the synchronous part; no record is worked on in between", () => {
    // Records come every 2 ms, and the synchronous part takes 30.
    const run = story(
      small({
        vertices: [source("S"), counter("M"), sink("K"), sink("L", { transactionalIdPrefix: "Q" })],
        edges: ["S forward M", "M forward K", "M forward L"],
        topics: { in: { records: 60, every: "2 ms" } },
        timing: { "snapshot.sync": 30 },
        faults: triggersAfter("in-0@30"),
      }),
    );
    const of = (task: string, from: string, to: string): string[] => {
      const lines = linesOf(run, task);
      return lines.slice(lines.indexOf(from), lines.indexOf(to) + 1);
    };
    expect(of("S[0]", "BarrierEmitted 1", "SnapshotTaken 1")).toEqual(["BarrierEmitted 1", "SnapshotTaken 1"]);
    expect(of("M[0]", "AlignmentCompleted 1", "SnapshotTaken 1")).toEqual([
      "AlignmentCompleted 1",
      "BarrierEmitted 1",
      "BarrierEmitted 1",
      "SnapshotTaken 1",
    ]);
    // The one thing that goes on is the producer's own sending, which the flush waits for.
    expect(
      of("K[0]", "AlignmentCompleted 1", "TransactionBegun P-0-2 2").filter(
        (line) => !line.startsWith("RecordWritten"),
      ),
    ).toEqual([
      "AlignmentCompleted 1",
      "TransactionPreCommitted P-0-1 1",
      "SnapshotTaken 1",
      "ProducerIdInitialized P-0-2 0",
      "TransactionBegun P-0-2 2",
    ]);
    expect(run.words("BarrierEmitted", "channel", { subtask: "M[0]", checkpoint: 1 })).toEqual([
      "M[0]->K[0]",
      "M[0]->L[0]",
    ]);
    expect(
      run.first("SnapshotTaken", { subtask: "M[0]" }).clock - run.first("BarrierEmitted", { subtask: "M[0]" }).clock,
    ).toBe(30);
  });

  test("CP-030: a checkpoint that is not above the task's last one is dropped: no barrier, no snapshot, no word", () => {
    const drive = new Drive(
      small({
        ...lane(1, { chain: false }),
        topics: { in: { records: 0 } },
        initialDelay: 100,
        checkpointing: { interval: "1 s" },
      }),
    );
    drive.until("CheckpointCompleted", { checkpoint: 2 });
    drive.pass(10);
    for (const old of [1, 2]) post(drive.kernel, drive.subtask("S[0]"), 0, MailKind.trigger, old, 0);
    expect(drive.pass(200)).toEqual([]);
    drive.until("CheckpointCompleted", { checkpoint: 3 });
  });

  test("CP-031: a source sends a barrier only when it is told to, between two records", () => {
    const run = story(
      small({
        vertices: [source("S", { cost: 30 }), sink("K")],
        edges: ["S forward K"],
        topics: { in: { records: 20, every: 0 } },
        faults: [atTime(140, "trigger-checkpoint")],
      }),
    );
    // It has its split from 52 on, so records end at 82, 112, 142; the message of 140 is there at 141 and waits for the record in hand.
    expect(run.times("RecordEmitted").slice(0, 3)).toEqual([82, 112, 142]);
    expect(run.first("BarrierEmitted")).toMatchObject({ clock: 142, checkpoint: 1 });
    expect(run.until(run.first("BarrierEmitted")).last("RecordEmitted")).toMatchObject({ clock: 142 });
    for (const { cause } of run.all("BarrierEmitted"))
      expect(run.entries[Number(cause)]?.type).toBe("CheckpointTriggered");
  });

  test("CP-033: operators of one chain have one snapshot and no barrier between them", () => {
    const run = story(small({ ...lane(1, { chain: true }), faults: triggersAfter("in-0@3") }));
    expect(run.result.graph.vertices.map(({ name }) => name)).toEqual(["S -> M -> K"]);
    expect(run.told("BarrierEmitted", "BarrierReceived")).toEqual([]);
    expect(run.told("SnapshotTaken")[0]).toBe("SnapshotTaken S[0] 1");
    expect(run.all("SnapshotTaken", { checkpoint: 1 })).toHaveLength(1);
    // One snapshot holds all of it: one split (16), one counter (8), one transaction to commit (16).
    expect(run.first("SnapshotPersisted")).toMatchObject({ bytes: 40 });
  });
});

describe("the two parts of a snapshot", () => {
  test("CP-100: records are worked on while the asynchronous part writes, and none in the synchronous part", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        topics: { in: { records: 40, every: "10 ms" } },
        timing: { "snapshot.sync": 25, "snapshot.async": 200 },
        faults: triggersAfter("in-0@10"),
      }),
    );
    for (const subtask of ["S[0]", "M[0]", "K[0]"]) {
      const taken = run.first("SnapshotTaken", { subtask });
      const work = subtask === "S[0]" ? "RecordEmitted" : "RecordProcessed";
      const within = run.all(work, { subtask }).map(({ clock }) => clock);
      expect(taken).toMatchObject({ duration: 25 });
      expect(within.filter((clock) => clock > taken.clock - 25 && clock < taken.clock)).toEqual([]);
      expect(within.filter((clock) => clock > taken.clock && clock < taken.clock + 200).length).toBeGreaterThan(5);
      expect(run.first("SnapshotPersisted", { subtask })).toMatchObject({ clock: taken.clock + 200, duration: 200 });
    }
  });

  test("CP-101: what is processed after the cut is not in the snapshot", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        timing: { "snapshot.async": 250 },
        faults: [...triggersAfter("in-0@3"), after("CheckpointCompleted", { checkpoint: 1 }, "fail-job")],
      }),
    );
    const restored = run.first("StateRestored");
    const counted = run.until(restored).values("RecordProcessed", "value", { subtask: "M[0]" });
    expect(counted.length).toBeGreaterThan(4);
    // The counter emits records as they are, and its entry says what it has counted: record 5 is its fifth again.
    expect(run.since(restored).first("RecordProcessed", { subtask: "M[0]" })).toMatchObject({
      record: "in-0@4",
      value: 5,
    });
    expect(run.since(restored).first("SourceRewound")).toMatchObject({ target: 4 });
  });

  test("CP-103: a task that ends closes its asynchronous part: no acknowledgement, no decline", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        timing: { "snapshot.async": 250 },
        faults: [
          ...triggersAfter("in-0@3"),
          after("SnapshotTaken", { subtask: "K[0]" }, "fail-task", { target: "M[0]" }),
        ],
      }),
    );
    const failed = run.first("TaskFailed");
    const { step } = run.last("TaskStateChanged", { to: "CANCELED" });
    const ending = run.entries.filter((entry) => entry.step <= step);
    expect(ending.filter(({ type }) => type === "SnapshotDiscarded").map(({ subtask }) => subtask)).toEqual([
      "M[0]",
      "S[0]",
      "K[0]",
    ]);
    expect(run.all("SnapshotPersisted", { checkpoint: 1 })).toEqual([]);
    expect(run.told("CheckpointAcknowledged", "CheckpointDeclined").filter((line) => line.endsWith(" 1"))).toEqual([]);
    expect(run.since(failed).first("CheckpointTriggered")).toMatchObject({ checkpoint: 2 });
  });

  test("CP-105, CP-207: a part waits for the thread that writes the one before it, and its duration says so", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        checkpointing: { "max-concurrent-checkpoints": 2 },
        faults: triggersAfter("in-0@3", "in-0@5"),
        timing: { overrides: [{ vertex: "M", checkpoint: 1, "snapshot.async": 400 }] },
      }),
    );
    expect(
      run
        .told("SnapshotTaken", "SnapshotPersisted", "SnapshotDiscarded")
        .filter((line) => line.includes("M[0]"))
        .slice(0, 4),
    ).toEqual(["SnapshotTaken M[0] 1", "SnapshotTaken M[0] 2", "SnapshotPersisted M[0] 1", "SnapshotPersisted M[0] 2"]);
    const [first, second] = run.all("SnapshotPersisted", { subtask: "M[0]" });
    const taken = run.first("SnapshotTaken", { subtask: "M[0]", checkpoint: 2 }).clock;
    expect(first).toMatchObject({ checkpoint: 1, duration: 400 });
    expect(second).toMatchObject({ clock: (first?.clock ?? 0) + 20, duration: (first?.clock ?? 0) + 20 - taken });
  });

  test("CP-106: the acknowledgement leaves when all is written, and the checkpoint holds what the parts say", () => {
    const run = story(
      small({
        vertices: [
          source("S"),
          { uid: "G", type: "keyed-sum", parallelism: 1, chain: false },
          counter("M"),
          { uid: "P", type: "map", chain: false },
          sink("K"),
        ],
        edges: ["S hash G", "G forward M", "M forward P", "P forward K"],
        topics: { in: { partitions: 2, records: 12, every: "100 ms", keys: 3 } },
        faults: [atTime(450, "trigger-checkpoint")],
      }),
    );
    // 16 a split, 24 a key with state, 8 a counter, 16 a transaction to commit; a map without state writes nothing.
    const bytes = Object.fromEntries(
      run.all("SnapshotPersisted", { checkpoint: 1 }).map(({ subtask, bytes: size }) => [subtask, size]),
    );
    expect(bytes).toEqual({ "S[0]": 32, "G[0]": 72, "M[0]": 8, "P[0]": 0, "K[0]": 16 });
    expect(run.report.checkpoints[0]).toMatchObject({ stateBytes: 128 });
    for (const { subtask, clock } of run.all("SnapshotPersisted", { checkpoint: 1 })) {
      expect(run.first("CheckpointAcknowledged", { subtask, checkpoint: 1 }).clock).toBe(clock + 1);
    }
  });
});

describe("what a checkpoint tells of its subtasks (CP-200 to CP-215)", () => {
  /** B's barrier is 300 ms under way and A's 2; the synchronous part takes 7, the asynchronous one 40, a flush 2. */
  const run = story(
    small({
      vertices: [
        source("A"),
        source("B", { topic: "other" }),
        counter("T"),
        sink("K", { properties: { "transaction.timeout.ms": "15 min", "linger.ms": 50 } }),
      ],
      edges: ["A forward T", "B forward T latency=300", "T forward K"],
      topics: { in: { records: 80, every: "10 ms" }, other: { records: 8, every: "100 ms" } },
      timing: { "snapshot.sync": 7, "snapshot.async": 40 },
      faults: [atTime(405, "trigger-checkpoint")],
    }),
  );
  const [row] = run.report.checkpoints;
  const part = (subtask: string): unknown => row?.subtasks.find((candidate) => candidate.subtask === subtask);

  test("CP-202, CP-203: the start delay ends with the first barrier, alignment runs from there to the last", () => {
    // Triggered at 405, at the sources at 406; A's barrier at T at 408, B's at 706. K has it when T has sent it, 2 ms later.
    expect(part("A[0]")).toMatchObject({ startDelay: 1, alignment: 0 });
    expect(part("T[0]")).toMatchObject({ startDelay: 3, alignment: 298 });
    expect(part("K[0]")).toMatchObject({ alignment: 0 });
    expect(run.first("BarrierReceived", { subtask: "K[0]" }).clock - 405).toBe(
      Number(run.first("SnapshotTaken", { subtask: "K[0]" })["startDelay"]),
    );
  });

  test("CP-206, CP-207: the synchronous part is told without the sink's flush, the asynchronous one from its end on", () => {
    for (const subtask of ["A[0]", "B[0]", "T[0]", "K[0]"]) expect(part(subtask)).toMatchObject({ sync: 7, async: 40 });
    const flush = run.first("TransactionPreCommitted").clock - run.first("BarrierReceived", { subtask: "K[0]" }).clock;
    expect(flush).toBeGreaterThan(0);
    const taken = run.first("SnapshotTaken", { subtask: "K[0]" }).clock;
    expect([taken - 7, run.first("SnapshotPersisted", { subtask: "K[0]" }).clock - 40]).toEqual([
      run.first("TransactionPreCommitted").clock,
      taken,
    ]);
  });

  test("CP-200, CP-211, CP-215: acknowledged when the coordinator has heard of it; the last one makes the checkpoint's duration", () => {
    const acked = (row?.subtasks ?? []).map(({ acked: time }) => time ?? 0);
    for (const { subtask, acked: time } of row?.subtasks ?? [])
      expect(run.first("CheckpointAcknowledged", { subtask }).clock).toBe(time);
    expect(row).toMatchObject({ triggered: 405, ended: Math.max(...acked), persistedInFlight: 0, unaligned: false });
    for (const { startDelay, alignment, sync, acked: time } of row?.subtasks ?? []) {
      expect((startDelay ?? 0) + (alignment ?? 0)).toBeLessThanOrEqual((time ?? 0) - 405);
      expect(sync).toBeLessThanOrEqual((time ?? 0) - 405);
    }
  });
});
