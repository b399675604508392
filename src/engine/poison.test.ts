/** A record that fails its task each time it is processed (`recovery-and-sinks.md` 13.6). */
import { expect, test } from "vitest";
import { type Story, atTime, fixedDelay, lane, small, story, triggersAfter } from "./testing/stories.ts";

const run = (restart: object, more: object = {}, fault: object = { record: "in-0@6" }): Story =>
  story(
    small({
      ...lane(1, { chain: false }),
      topics: { in: { records: 12, every: "100 ms" } },
      checkpointing: { interval: "1 h" },
      faults: [...triggersAfter("in-0@3"), atTime(0, "poison-record", fault as never)] as never[],
      ...(restart as { restart: never }),
      ...more,
    }),
  );

test("FI-56, FR-061: fixed delay: each attempt fails at the record, all go back to checkpoint 1, and the job fails", () => {
  const told = run({ restart: fixedDelay(3, "1 s") });
  expect(told.values("TaskFailed", "subtask")).toEqual(["M[0]", "M[0]", "M[0]", "M[0]"]);
  expect(told.report.recoveries.map(({ granted, restoredFrom }) => [granted, restoredFrom])).toEqual([
    [true, 1],
    [true, 1],
    [true, 1],
    [false, null],
  ]);
  expect(told.report.job).toMatchObject({ status: "FAILED", restarts: 3 });
  expect(told.all("RecordProcessed", { subtask: "M[0]", record: "in-0@6" })).toEqual([]);
  const [committed] = told.report.delivery;
  expect(committed).toMatchObject({ seen: 4 });
});

test("FI-56, FR-064: exponential delay goes on for ever with a growing delay, and the run is told to be stuck", () => {
  const told = run({ restart: undefined }, { config: { "restart-strategy.type": "exponential-delay" } });
  expect(told.report.ended).toBe("stuck");
  const delays = told.report.recoveries.map(({ delay }) => delay ?? 0);
  expect(delays).toHaveLength(3);
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(told.report.recoveries.every(({ restoredFrom }) => restoredFrom === 1)).toBe(true);
});

test("FI-56: in one operator only: the record is processed before it, and fails its task there", () => {
  const told = run({ restart: fixedDelay(0, "1 s") }, {}, { record: "in-0@6", vertex: "K" });
  expect(told.values("TaskFailed", "subtask")).toEqual(["K[0]"]);
  expect(told.all("RecordProcessed", { subtask: "M[0]", record: "in-0@6" })).toHaveLength(1);
});

test("poison-record names a record that a source reads", () => {
  expect(() => run({ restart: fixedDelay(0, "1 s") }, {}, { record: "out-0@6" })).toThrow(/No source reads/);
});
