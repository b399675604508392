/** When committed readers stand still (`recovery-and-sinks.md` 11.4). */
import { describe, expect, test } from "vitest";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

/** Two sinks that write to one partition, each fed by a source of its own. */
const two = (more: Partial<Small> = {}): Small => ({
  vertices: [
    source("A"),
    source("B", { topic: "other" }),
    counter("M"),
    counter("N"),
    sink("K"),
    sink("L", { transactionalIdPrefix: "Q" }),
  ],
  edges: ["A forward M", "M forward K", "B forward N", "N forward L"],
  ...more,
  topics: { other: { partitions: 1, records: 12, every: "100 ms", keys: 3 }, ...more.topics },
});
const stalls = (told: Story, sink = "K", reader = "read_committed"): unknown =>
  told.report.delivery.find((row) => row.sink === sink && row.reader === reader)?.stalls;

describe("a committed reader", () => {
  test("KF-031, KF-033: what is committed behind an open transaction waits for that one's end, for both sinks' readers", () => {
    const told = story(
      small(
        two({
          initialDelay: 100_000,
          faults: [
            atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
            ...triggersAfter("in-0@4", "in-0@9"),
          ],
        }),
      ),
    );
    const [of1, of2] = ["P-0-1", "P-0-2"].map((transaction) => told.first("TransactionCommitted", { transaction }));
    const first = told.first("TransactionCommitted", { transaction: "Q-0-1" });
    expect(stalls(told)).toEqual([
      { from: first.clock, to: of1?.clock, partition: "out-0", transaction: "P-0-1" },
      // The next one of the same sink began before the last record of the other's.
      { from: of1?.clock, to: of2?.clock, partition: "out-0", transaction: "P-0-2" },
    ]);
    expect(stalls(told, "L")).toEqual(stalls(told));
    expect(stalls(told, "K", "read_uncommitted")).toEqual([]);
  });

  test("KF-030: an open transaction alone holds nobody up: there is nothing more to read", () => {
    const told = story(
      small({
        vertices: [source("S"), sink("K")],
        edges: ["S forward K"],
        faults: [
          atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
          ...triggersAfter("in-0@4"),
        ],
      }),
    );
    expect(stalls(told)).toEqual([]);
  });

  test("KF-033, KF-020: one that nobody ends holds readers up until the broker gives it up", () => {
    const told = story(
      small(
        two({
          vertices: [
            source("A", { slotSharingGroup: "a" }),
            source("B", { topic: "other", slotSharingGroup: "b" }),
            counter("M", { slotSharingGroup: "a" }),
            counter("N", { slotSharingGroup: "b" }),
            sink("K", { slotSharingGroup: "a", properties: { "transaction.timeout.ms": "20 s" } }),
            sink("L", { slotSharingGroup: "b", delivery: "at-least-once" }),
          ],
          cluster: { taskManagers: 2, slots: 1 },
          initialDelay: 500,
          config: { "slot.request.timeout": "10 min" },
          faults: [after("RecordWritten", { record: "in-0@3" }, "kill-taskmanager", { target: "tm-1" })],
          until: { time: 60_000 },
        }),
      ),
    );
    const ended = told.first("TransactionTimedOut", { transaction: "P-0-1" });
    expect(stalls(told, "L")).toMatchObject([{ to: ended.clock, transaction: "P-0-1" }]);
  });

  test("KF-033: still held up when the run ends: the stall has no end", () => {
    const told = story(
      small(
        two({
          initialDelay: 100_000,
          faults: [
            atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
            ...triggersAfter("in-0@4"),
          ],
          until: { time: 2000 },
        }),
      ),
    );
    expect(stalls(told)).toMatchObject([{ to: null, transaction: "P-0-1" }]);
  });

  test("KF-031: plain records behind an open transaction wait, too", () => {
    const told = story(
      small(
        two({
          vertices: [
            source("A"),
            source("B", { topic: "other" }),
            counter("M"),
            counter("N"),
            sink("K"),
            { uid: "L", type: "kafka-sink", topic: "out", delivery: "at-least-once", chain: false },
          ],
          initialDelay: 100_000,
          faults: triggersAfter("in-0@4"),
          until: { time: 1500 },
        }),
      ),
    );
    expect(stalls(told, "L")).toMatchObject([{ transaction: "P-0-1" }, { to: null, transaction: "P-0-2" }]);
    const row = told.report.delivery.find(({ sink, reader }) => sink === "L" && reader === "read_committed");
    expect(row?.pending.length).toBeGreaterThan(0);
    expect(row?.lost).toEqual([]);
  });
});
