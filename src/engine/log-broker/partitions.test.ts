/** Partitions and their readers (`recovery-and-sinks.md` 11.1 and 11.4). */
import { describe, expect, test } from "vitest";
import { libraryScenario, withFaults } from "../testing/runs.ts";
import {
  Drive,
  type Small,
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
} from "../testing/stories.ts";
import { lastStableOffset } from "./partitions.ts";

const seen = (run: Story, sinkUid: string, reader: string): number | undefined =>
  run.report.delivery.find((row) => row.sink === sinkUid && row.reader === reader)?.seen;

describe("offsets", () => {
  test("KF-001: each entry takes the next offset of its partition, a marker too, so committed output has gaps", () => {
    const run = story(small({ ...lane(1, { chain: false }), faults: triggersAfter("in-0@3", "in-0@7") }));
    // Records 0 to 3, a marker at 4, records 4 to 7 at 5 to 8. The commit of P-0-1 comes before record 4 does.
    expect(run.all("RecordWritten").map(({ record, offset }) => [record, offset])).toEqual([
      ...[0, 1, 2, 3].map((i) => [`in-0@${i}`, i]),
      ...[4, 5, 6, 7].map((i) => [`in-0@${i}`, i + 1]),
      ...[8, 9, 10, 11].map((i) => [`in-0@${i}`, i + 2]),
    ]);
  });

  test("KF-001: an aborted transaction's marker takes an offset as well, and partitions count apart", () => {
    const run = story(
      small({
        ...lane(2, { chain: false }),
        topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 8 }, out: { partitions: 2 } },
        faults: [atTime(350, "fail-task", { target: "M[0]" })],
      }),
    );
    for (const partition of ["out-0", "out-1"]) {
      const offsets = run.values("RecordWritten", "offset", { partition }) as number[];
      expect(offsets).toEqual([...new Set(offsets)].toSorted((a, b) => a - b));
    }
    const aborted = run.first("TransactionAborted", { transaction: "P-0-1" });
    const touched = new Set(
      run
        .until(aborted)
        .all("RecordWritten", { transaction: "P-0-1" })
        .map(({ partition }) => partition),
    );
    for (const partition of touched) {
      const last = run.until(aborted).last("RecordWritten", { partition })["offset"] as number;
      expect(run.since(aborted).first("RecordWritten", { partition })["offset"]).toBe(last + 2);
    }
  });
});

/** Two sinks into one partition. K's first transaction stays undecided until the second checkpoint; L's is committed at the first. */
const shared = (more: Partial<Small> = {}): Small => ({
  vertices: [
    source("S"),
    sink("K"),
    source("T", { topic: "other" }),
    sink("L", { transactionalIdPrefix: "Q" }),
    source("U", { topic: "third" }),
    sink("A", { delivery: "at-least-once" }),
  ],
  edges: ["S forward K", "T forward L", "U forward A"],
  topics: {
    in: { records: 6, every: "100 ms" },
    other: { records: 6, every: "100 ms" },
    third: { records: 6, every: "100 ms" },
  },
  faults: [
    ...triggersAfter("in-0@3"),
    atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
  ],
  ...more,
});

describe("readers", () => {
  test("KF-030: the last stable offset is where the first undecided transaction of the partition begins, else the end", () => {
    const drive = new Drive(small({ ...lane(1, { chain: false }), faults: triggersAfter("in-0@3") }));
    drive.until("TransactionBegun");
    expect(lastStableOffset(drive.kernel, 0)).toBe(0);
    drive.until("RecordWritten", { record: "in-0@3" });
    expect([lastStableOffset(drive.kernel, 0), drive.kernel.world.output(0, 1)]).toEqual([0, 4]);
    drive.until("TransactionCommitted");
    expect([lastStableOffset(drive.kernel, 0), drive.kernel.world.output(0, 1)]).toEqual([5, 5]);
    drive.until("RecordWritten", { record: "in-0@5" });
    expect([lastStableOffset(drive.kernel, 0), drive.kernel.world.output(0, 1)]).toEqual([5, 7]);
  });

  test.each([
    libraryScenario("order-totals"),
    withFaults("linear", [after("RecordWritten", { record: "in-0@6" }, "kill-taskmanager", { target: "tm-3" })]),
    withFaults("shuffle", [after("TransactionPreCommitted", { checkpoint: 2 }, "fail-task", { target: "MAP[0]" })]),
    withFaults("two-lanes", [
      after("CheckpointCompleted", { checkpoint: 2 }, "expire-transaction", { target: "SNK[0]" }),
    ]),
  ])("KF-030: it never goes back and never passes the end ($id)", (scenario) => {
    const drive = new Drive(scenario);
    const partitions = drive.graph.outputs.map(({ index }) => index);
    const last = partitions.map(() => 0);
    const wrong: number[][] = [];
    for (let steps = 0; steps < 3000 && drive.simulation.nextDue < Infinity && drive.simulation.step(); steps++) {
      for (const partition of partitions) {
        const stable = lastStableOffset(drive.kernel, partition);
        if (stable < (last[partition] ?? 0) || stable > drive.kernel.world.output(partition, 1))
          wrong.push([drive.log.length - 1, stable]);
        last[partition] = stable;
      }
    }
    expect(wrong).toEqual([]);
    expect(Math.min(...last)).toBeGreaterThan(0);
  });

  test("KF-031, KF-033: a committed reader goes by offset, so committed and plain records wait behind an older undecided transaction", () => {
    const waiting = story(small(shared({ until: { time: 2000 } })));
    expect(waiting.values("TransactionCommitted", "transaction")).toEqual(["Q-0-1"]);
    // K's first record has the first offset of all, or L's or A's has: what lies before it is seen.
    const first = waiting.first("RecordWritten", { vertex: "K" })["offset"] as number;
    const before1 = (vertex: string): number =>
      (waiting.values("RecordWritten", "offset", { vertex }) as number[]).filter((offset) => offset < first).length;
    expect(first).toBeLessThan(3);
    expect([
      seen(waiting, "K", "read_committed"),
      seen(waiting, "L", "read_committed"),
      seen(waiting, "A", "read_committed"),
    ]).toEqual([0, before1("L"), before1("A")]);
  });

  test("KF-031: once that one is decided, all of them are seen", () => {
    const done = story(small(shared()));
    expect(["K", "L", "A"].map((uid) => seen(done, uid, "read_committed"))).toEqual([6, 6, 6]);
  });

  test("KF-033: the log's own timeout ends the wait at the latest", () => {
    // K's job never completes another checkpoint: its process is gone for good, and nothing settles P-0-1 but the log.
    const run = story(
      small(
        shared({
          vertices: [
            source("S", { slotSharingGroup: "k" }),
            sink("K", { slotSharingGroup: "k", properties: { "transaction.timeout.ms": "30 s" } }),
            source("T", { topic: "other" }),
            sink("L", { transactionalIdPrefix: "Q" }),
            source("U", { topic: "third" }),
            sink("A", { delivery: "at-least-once" }),
          ],
          topics: {
            in: { records: 6, every: "100 ms" },
            other: { records: 4, every: "100 ms" },
            third: { records: 6, every: "100 ms" },
          },
          cluster: { taskManagers: 2, slots: 1 },
          restart: { type: "none" },
          timing: { "heartbeat.detect": "1 h" },
          faults: [
            ...triggersAfter("in-0@3"),
            atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
            atTime(400, "kill-taskmanager", { target: "tm-1" }),
          ],
          until: { time: 60_000 },
        }),
      ),
    );
    const decided = run.first("TransactionTimedOut", { transaction: "P-0-1" });
    expect(decided.clock).toBe(40_000);
    expect(run.until(decided).words("TransactionCommitted", "transaction")).toEqual(["Q-0-1"]);
    expect([
      seen(run, "K", "read_committed"),
      seen(run, "L", "read_committed"),
      seen(run, "A", "read_committed"),
    ]).toEqual([0, 4, 6]);
  });

  test("KF-032: a dirty reader sees everything, open, committed and aborted alike", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        faults: [
          ...triggersAfter("in-0@3"),
          after("RecordWritten", { record: "in-0@6" }, "fail-task", { target: "M[0]" }),
        ],
      }),
    );
    const written = run.all("RecordWritten").length;
    expect(written).toBe(12 + 3);
    expect([seen(run, "K", "read_uncommitted"), seen(run, "K", "read_committed")]).toEqual([15, 12]);
    expect(run.report.delivery.find(({ reader }) => reader === "read_uncommitted")?.duplicated).toEqual([
      "in-0@4",
      "in-0@5",
      "in-0@6",
    ]);
  });

  test("KF-032, KF-031: while a transaction is open the dirty reader has its records and the committed one has not", () => {
    const run = story(
      small({
        vertices: [source("S"), counter("M"), sink("K")],
        edges: ["S forward M", "M forward K"],
        until: { time: 600 },
      }),
    );
    expect([seen(run, "K", "read_uncommitted"), seen(run, "K", "read_committed")]).toEqual([6, 0]);
  });
});
