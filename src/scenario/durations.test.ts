import { describe, expect, test } from "vitest";
import { LONGEST, formatDuration, parseDuration } from "./durations.ts";

describe("durations are read as Flink's TimeUtils reads them", () => {
  test.each([
    ["500 ms", 500],
    ["500ms", 500],
    [" 10  s ", 10_000],
    ["10 sec", 10_000],
    ["10 secs", 10_000],
    ["1 second", 1000],
    ["2 seconds", 2000],
    ["10 min", 600_000],
    ["10 m", 600_000],
    ["1 MINUTE", 60_000],
    ["3 minutes", 180_000],
    ["1 h", 3_600_000],
    ["2 hours", 7_200_000],
    ["2 d", 172_800_000],
    ["1 day", 86_400_000],
    ["7 millis", 7],
    ["1500 micros", 1],
    ["999 µs", 0],
    ["2000000 ns", 2],
    ["42", 42],
    [42, 42],
    ["0", 0],
  ])("%j is %d ms", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each([
    "",
    " ",
    "ms",
    "-1 s",
    "-5",
    "1.5 s",
    1.5,
    "1 week",
    "1 ds",
    "1 mins",
    "s 1",
    "1 s 5 ms",
    "1e3",
    "∞",
    "PT1S",
  ])("%j is rejected", (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  test("what is longer than the simulator's clock can count is rejected", () => {
    expect(parseDuration(LONGEST)).toBe(LONGEST);
    expect(parseDuration(LONGEST + 1)).toBeNull();
    expect(parseDuration("365 d")).toBeNull();
    expect(parseDuration("9".repeat(400))).toBeNull();
  });
});

test.each([
  [0, "0 ms"],
  [90_000, "90 s"],
  [120_000, "2 min"],
  [3_600_000, "1 h"],
  [1001, "1001 ms"],
])("%d ms is written as %s", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
  expect(parseDuration(text)).toBe(milliseconds);
});
