/** Two sinks of a job with one transactional id prefix (`recovery-and-sinks.md` 10.5, SK-161; FI-74 within one job). */
import { describe, expect, test } from "vitest";
import { type Small, type Story, counter, fixedDelay, sink, small, source, story } from "../testing/stories.ts";

/** K and L, each fed by a source of its own, both under the prefix P. */
const two = (flink: string, more: Partial<Small> = {}): Small => ({
  flink,
  vertices: [
    source("A", { slotSharingGroup: "a" }),
    source("B", { topic: "other", slotSharingGroup: "b" }),
    counter("M", { slotSharingGroup: "a" }),
    counter("N", { slotSharingGroup: "b" }),
    sink("K", { slotSharingGroup: "a" }),
    sink("L", { slotSharingGroup: "b" }),
  ],
  edges: ["A forward M", "M forward K", "B forward N", "N forward L"],
  restart: fixedDelay(4, "1 s"),
  topics: {
    in: { partitions: 1, records: 30, every: "100 ms", keys: 3 },
    other: { partitions: 1, records: 30, every: "100 ms", keys: 3 },
  },
  initialDelay: 1000,
  checkpointing: { interval: "1 s" },
  until: { time: 30_000 },
  ...more,
});
const fenced = (told: Story): unknown[] => told.values("TaskFailed", "subtask", { failure: "PRODUCER_FENCED" });

describe("one prefix, two sinks", () => {
  test("SK-161: a scenario that does so is told what will happen", () => {
    expect(small(two("2.2")).notices).toEqual([
      expect.objectContaining({
        code: "TRANSACTIONAL_ID_PREFIX_SHARED",
        path: "job.vertices[5].transactionalIdPrefix",
      }),
    ]);
  });

  test("SK-161, FI-74: with a connector 3.x they fence each other, write by write and restart by restart", () => {
    const told = story(small(two("1.20")));
    expect(new Set(fenced(told))).toEqual(new Set(["K[0]", "L[0]"]));
    expect(told.report.recoveries.length).toBeGreaterThan(1);
  });

  test("SK-161: since 4.0 the second one in a process is found out before it writes anything, and fails at every start", () => {
    const config = { "jobmanager.execution.failover-strategy": "full" };
    const told = story(small(two("2.2", { cluster: { taskManagers: 1, slots: 2 }, config })));
    expect(new Set(told.values("TaskFailed", "failure"))).toEqual(new Set(["DUPLICATE_TRANSACTIONAL_ID_PREFIX"]));
    expect(new Set(told.values("TaskFailed", "subtask"))).toEqual(new Set(["L[0]"]));
    expect(told.all("RecordWritten", { vertex: "L" })).toEqual([]);
    expect(told.report.job.status).toBe("FAILED");
  });

  test("SK-161: what tells them apart is the attempt: where one alone restarts it is not found out again, and fences the other", () => {
    const told = story(small(two("2.2", { cluster: { taskManagers: 1, slots: 2 } })));
    expect(told.values("TaskFailed", "failure").slice(0, 2)).toEqual([
      "DUPLICATE_TRANSACTIONAL_ID_PREFIX",
      "PRODUCER_FENCED",
    ]);
  });

  test("SK-161, FI-74: in two processes nobody finds out, and they fence each other as before", () => {
    const told = story(small(two("2.2", { cluster: { taskManagers: 2, slots: 1 } })));
    expect(told.all("TaskFailed", { failure: "DUPLICATE_TRANSACTIONAL_ID_PREFIX" })).toEqual([]);
    expect(fenced(told).length).toBeGreaterThan(0);
  });

  test("SK-157, SK-161: what was pre-committed when the other one takes its name is dropped at its commit: lost, though nothing failed", () => {
    const told = story(
      small(
        two("1.20", {
          // L starts its second transaction while the commit of K's first is on its way.
          timing: { commit: "400 ms" },
          vertices: two("1.20").vertices.map((vertex) =>
            vertex["uid"] === "N" ? { ...vertex, cost: "150 ms" } : vertex,
          ),
          restart: fixedDelay(9, "1 s"),
        }),
      ),
    );
    const refused = told.all("CommitFailed", { answer: "PRODUCER_FENCED" });
    expect(refused.length).toBeGreaterThan(0);
    expect(
      told.report.delivery.filter(({ reader }) => reader === "read_committed").some(({ lost }) => lost.length > 0),
    ).toBe(true);
  });
});
