import { expect, test } from "vitest";
import { StatsSummary } from "./stats-summary.ts";

const told = (values: readonly number[], window = 10_000): string => {
  const summary = new StatsSummary(window);
  for (const value of values) summary.add(value);
  return Object.entries(summary.statistics())
    .map(([name, value]) => `${name} ${+value.toFixed(3)}`)
    .join(", ");
};
const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);

test.each([
  [[], "min 0, max 0, avg 0, p50 NaN, p90 NaN, p95 NaN, p99 NaN, p999 NaN"],
  [[7], "min 7, max 7, avg 7, p50 7, p90 7, p95 7, p99 7, p999 7"],
  [[1, 2], "min 1, max 2, avg 1, p50 1.5, p90 2, p95 2, p99 2, p999 2"],
  [[9, 4, 6], "min 4, max 9, avg 6, p50 6, p90 9, p95 9, p99 9, p999 9"],
  [upTo(10), "min 1, max 10, avg 5, p50 5.5, p90 9.9, p95 10, p99 10, p999 10"],
  [upTo(100), "min 1, max 100, avg 50, p50 50.5, p90 90.9, p95 95.95, p99 99.99, p999 100"],
])("CP-214: percentiles are between the values around p * (n + 1): %j", (values, expected) => {
  expect(told(values)).toBe(expected);
});

test("CP-214: percentiles look back on the newest values only, all else on all of them; unknown values are left out", () => {
  expect(told([100, -1, 1, 2, 3], 3)).toBe("min 1, max 100, avg 26, p50 2, p90 3, p95 3, p99 3, p999 3");
  expect(told([1, 3], 0)).toBe("min 1, max 3, avg 2, p50 NaN, p90 NaN, p95 NaN, p99 NaN, p999 NaN");
});
