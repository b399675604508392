import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { EventLog } from "../protocol/log.ts";
import { firstDifference, marksOf } from "./log-marks.ts";

const fault = (step: number): ReturnType<typeof withFaults> =>
  withFaults("order-totals", [{ at: { step }, do: "fail-task", target: "out[0]" }]);

test("a run agrees with its own marks, however it came about", () => {
  const { log } = runScenario(libraryScenario("order-totals"));
  const marks = marksOf(log);
  expect(marks).toHaveLength(8);
  expect(marks.at(-1)?.[0]).toBe(log.length - 1);
  expect(firstDifference(runScenario(libraryScenario("order-totals")).log, marks)).toBeNull();
  expect(firstDifference(log, [...marks].reverse())).toBeNull();
});

test("another run differs between the marks around its first other entry", () => {
  const { log } = runScenario(libraryScenario("order-totals"));
  const marks = marksOf(log);
  for (const step of [3, 400, 800, 1500]) {
    const other = runScenario(fault(step)).log;
    const span = firstDifference(other, marks);
    expect(span).not.toBeNull();
    expect(span!.from).toBeLessThanOrEqual(step);
    expect(span!.to).toBeGreaterThanOrEqual(step);
  }
});

test("a run that is shorter, and one that has no entry, differ too", () => {
  const { log } = runScenario(libraryScenario("order-totals"));
  const marks = marksOf(log);
  expect(firstDifference(new EventLog(log, 1000), marks)).toMatchObject({
    to: marks.find(([step]) => step >= 1000)?.[0],
  });
  expect(marksOf(new EventLog())).toEqual([]);
  expect(firstDifference(new EventLog(), marks)).toMatchObject({ from: 0 });
});
