/** The upsert sink: rows by key, and what a reader sees while a job goes back and on again. */
import { expect, test } from "vitest";
import { recordsOf } from "../testing/sinks.ts";
import { type Small, type Story, after, counter, small, source, story, triggersAfter } from "../testing/stories.ts";

type Json = NonNullable<Small["faults"]>[number];

/** One key, with the values 1, 2, … in the order of its records. */
const oneKey = {
  in: { partitions: 1, every: "100 ms", values: Array.from({ length: 12 }, (_, i) => ({ key: "k", value: i + 1 })) },
};

const run = (faults: readonly Json[], more: Partial<Small> = {}): Story =>
  story(
    small({
      vertices: [source("S"), counter("M"), { uid: "K", type: "upsert-sink", chain: false }],
      edges: ["S forward M", "M forward K"],
      topics: oneKey,
      faults: [...triggersAfter("in-0@3", "in-0@7"), ...faults],
      ...more,
    }),
  );

const table = (told: Story): unknown => told.report.delivery[0];

test("SK-110: its one reader sees each key's last row; without a failure nothing is put twice", () => {
  expect(table(run([]))).toMatchObject({
    reader: "table",
    expected: 12,
    seen: 12,
    duplicated: [],
    differing: [],
    regressions: 0,
  });
  expect(run([]).report.verdict.endToEnd).toBe("exactly-once");
});

test("SK-111, FI-81: a row of a key that was written more than once since the barrier steps back once, and is right at rest", () => {
  const told = run([after("RecordWritten", { record: "in-0@6" }, "fail-task", { target: "M[0]" })]);
  expect(told.report.recoveries[0]?.restoredFrom).toBe(1);
  expect(table(told)).toMatchObject({ lost: [], duplicated: recordsOf(4, 6), differing: [], regressions: 1, seen: 15 });
  expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "effectively-once" });
});

test("SK-111: a key that was written once since the barrier is written again with the same value: nothing steps back", () => {
  const topics = { in: { partitions: 1, records: 12, every: "100 ms", keys: 12 } };
  const told = run([after("RecordWritten", { record: "in-0@6" }, "fail-task", { target: "M[0]" })], { topics });
  expect(table(told)).toMatchObject({ lost: [], duplicated: recordsOf(4, 6), regressions: 0 });
  expect(told.report.verdict.endToEnd).toBe("effectively-once");
});

/** Two sources, of whose channels into the sum one is slow while a checkpoint passes. */
const sums = (mode: string): Story =>
  run([], {
    vertices: [
      source("S", { parallelism: 2 }),
      { uid: "T", type: "keyed-sum", chain: false },
      { uid: "K", type: "upsert-sink", chain: false },
    ],
    edges: ["S hash T", "T forward K"],
    topics: { in: { partitions: 2, records: 40, every: "20 ms", keys: 1 } },
    checkpointing: { mode, interval: "200 ms" },
    initialDelay: 200,
    faults: [
      { at: { time: "150 ms" }, do: "slow", target: "S[1]->T[0]", factor: 100, for: "600 ms" },
      after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "T[0]" }),
    ],
  });

test("SK-112, INV-123: an aggregate is right at rest where state is exactly-once", () => {
  const { report } = sums("EXACTLY_ONCE");
  expect(report.delivery[0]).toMatchObject({ lost: [], differing: [] });
  expect(report.verdict).toEqual({ state: "exactly-once", endToEnd: "effectively-once" });
});

test("SK-112: and wrong in AT_LEAST_ONCE mode, once a restore has brought a record into it twice", () => {
  const { report } = sums("AT_LEAST_ONCE");
  expect(report.state[0]?.duplicated).not.toEqual([]);
  expect(report.delivery[0]?.differing).not.toEqual([]);
  expect(report.verdict).toEqual({ state: "at-least-once", endToEnd: "at-least-once" });
});
