/** Sinks that write each record at once: the append sink and the print sink. */
import { describe, expect, test } from "vitest";
import {
  type Small,
  after,
  apart,
  counter,
  fixedDelay,
  small,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";
import { recordsOf } from "../testing/sinks.ts";

const job = (type: string, more: Partial<Small> = {}): Small => ({
  vertices: [source("S"), counter("M"), { uid: "K", type, chain: false }],
  edges: ["S forward M", "M forward K"],
  ...more,
});

describe.each(["append-sink", "print-sink"])("%s", (type) => {
  test("SK-100: each record is there at once, in a store of the sink's own, for both kinds of readers", () => {
    const run = story(small(job(type)));
    expect(run.sorted("RecordWritten", "partition")).toEqual(Array.from({ length: 12 }, () => "K"));
    expect(run.values("RecordWritten", "transaction")).toEqual(Array.from({ length: 12 }, () => null));
    expect(run.report.delivery.map(({ reader, seen, expected }) => [reader, seen, expected])).toEqual([
      ["read_committed", 12, 12],
      ["read_uncommitted", 12, 12],
    ]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
    expect(run.report.transactions).toEqual([]);
  });

  test("SK-101, FI-80: what came behind the restored checkpoint's barrier is written twice, and nothing is lost", () => {
    const faults = [
      ...triggersAfter("in-0@3", "in-0@7"),
      after("SnapshotTaken", { checkpoint: 2, subtask: "K[0]" }, "fail-task", { target: "M[0]" }),
    ];
    const { report } = story(small(job(type, { faults })));
    expect(report.delivery[0]).toMatchObject({ lost: [], duplicated: recordsOf(4, 7), seen: 16 });
    expect(report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
  });

  test("SK-101: once its checkpoint is complete, a record is not written again", () => {
    const faults = [
      ...triggersAfter("in-0@3", "in-0@7"),
      after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "K[0]" }),
    ];
    const { report } = story(small(job(type, { faults })));
    expect(report.delivery[0]?.lost).toEqual([]);
    expect(report.delivery[0]?.duplicated).not.toContain("in-0@7");
  });
});

test("SK-100: an append sink waits at the barrier until all it wrote is in the store", () => {
  const run = story(small(job("append-sink", { faults: triggersAfter("in-0@3"), timing: { network: "30 ms" } })));
  const written = run.all("RecordWritten", { record: "in-0@3" })[0];
  expect(run.first("SnapshotTaken", { subtask: "K[0]", checkpoint: 1 }).step).toBeGreaterThan(
    written?.step ?? Infinity,
  );
});

test("a print sink's record is there with the step that processes it, whatever the network takes", () => {
  const run = story(small(job("print-sink", { timing: { network: "30 ms" } })));
  const processed = run.all("RecordProcessed", { vertex: "K" });
  const written = run.all("RecordWritten");
  expect(written.map(({ clock }) => clock)).toEqual(processed.map(({ clock }) => clock));
});

test("SK-101: a cut between a TaskManager and Kafka does not keep an append sink from its store", () => {
  const cluster = apart();
  const vertices = [
    ...cluster.vertices.slice(0, 2),
    { uid: "K", type: "append-sink", slotSharingGroup: "k", chain: false },
  ];
  const faults = [{ at: { time: "500 ms" }, do: "partition", between: [["tm-3"], ["kafka"]], for: "2 s" }];
  const { report } = story(small({ ...cluster, vertices, faults, restart: fixedDelay(3, "1 s") }));
  expect(report.recoveries).toEqual([]);
  expect(report.verdict.endToEnd).toBe("exactly-once");
});
