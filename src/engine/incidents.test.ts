/** Public incident reports about when checkpoints are taken and how many may fail, as scenario files with their exact figures. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "../scenario/parse.ts";
import { type Story, story } from "./testing/stories.ts";

type Json = { [key: string]: unknown };
const seconds = (times: readonly number[]): number[] => times.map((time) => time / 1000);

/** The file of an incident, with these options changed. */
function incident(id: string, config: Json = {}, more: Json = {}): Story {
  const file = path.resolve(import.meta.dirname, `../../scenarios/incidents/${id}.scenario.json`);
  const source = JSON.parse(readFileSync(file, "utf8")) as Json & { config: Json };
  const options = Object.entries(config).map(([key, value]) => [`execution.checkpointing.${key}`, value]);
  const parsed = scenarioFrom({ ...source, ...more, config: { ...source.config, ...Object.fromEntries(options) } });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return story(parsed.value);
}

describe("P-08: the minimum pause runs from the last completion, and only from there", () => {
  test("P-08, CP-009, CP-010: case A, completed at 150 s: the waiting request is dropped, and triggers follow at 180, 240 and 300 s", () => {
    const run = incident("P-08");
    expect(run.report.checkpoints[0]).toMatchObject({ id: 1, triggered: 60_000, ended: 150_000, status: "COMPLETED" });
    expect(seconds(run.times("CheckpointTriggered"))).toEqual([60, 180, 240, 300]);
    expect(run.report.rejectedTriggers).toEqual([
      { at: 150_000, kind: "CHECKPOINT", reason: "MINIMUM_TIME_BETWEEN_CHECKPOINTS" },
    ]);
    expect(run.report.checkpoints.map(({ countsAsFailure }) => countsAsFailure)).not.toContain(true);
  });

  test("P-08, CP-010: case B, expired at 150 s: the waiting request runs at 150 s", () => {
    const run = incident("P-08", { timeout: "90 s" });
    expect(run.report.checkpoints.slice(0, 2)).toMatchObject([
      { id: 1, triggered: 60_000, ended: 150_000, failure: "CHECKPOINT_EXPIRED", countsAsFailure: true },
      { id: 2, triggered: 150_000, ended: 151_000, status: "COMPLETED" },
    ]);
  });
});

describe("P-09: a checkpoint that takes longer than its interval", () => {
  const busy = (run: Story): number => {
    const rows = run.report.checkpoints.filter(({ ended }) => ended !== null);
    const last = rows.at(-1)?.triggered ?? 0;
    const taken = rows.filter(({ triggered }) => triggered < last).map((row) => (row.ended ?? 0) - row.triggered);
    return Math.round((100 * taken.reduce((sum, duration) => sum + duration, 0)) / (last - (rows[0]?.triggered ?? 0)));
  };

  test("P-09, CP-009: triggers at 0, 25, 50 …, always one under way", () => {
    const run = incident("P-09");
    expect(seconds(run.times("CheckpointTriggered"))).toEqual([0, 25, 50, 75, 100, 125]);
    expect(busy(run)).toBe(100);
  });

  test("P-09, CP-009: with a minimum pause of 5 s at 0, 30, 60 …, 83 % of the time", () => {
    const run = incident("P-09", { "min-pause": "5 s" });
    expect(seconds(run.times("CheckpointTriggered"))).toEqual([0, 30, 60, 90, 120]);
    expect(busy(run)).toBe(83);
  });
});

test("P-10, CP-001: an interval of 5 s below a pause of 30 s is one of 30 s, and the gap is never below the pause", () => {
  const run = incident("P-10");
  const [triggers, ends] = [run.times("CheckpointTriggered"), run.times("CheckpointCompleted")];
  for (const [index, end] of ends.entries())
    expect((triggers[index + 1] ?? Infinity) - end).toBeGreaterThanOrEqual(30_000);
  expect(seconds(triggers)).toEqual([30, 61, 92, 123, 154, 185]);
});

describe("P-01: a source that never answers, and nothing tolerable", () => {
  test("P-01, CP-020, CP-151: expired after 180000 ms to the millisecond, the whole job restarts without state and reads from the beginning, again and again", () => {
    const run = incident("P-01");
    expect(run.report.checkpoints.slice(0, 3)).toMatchObject(
      [1, 2, 3].map((id) => ({ id, failure: "CHECKPOINT_EXPIRED", consecutiveFailures: 1, countsAsFailure: true })),
    );
    for (const { triggered, ended } of run.report.checkpoints.slice(0, 3))
      expect((ended ?? 0) - triggered).toBe(180_000);
    expect(seconds(run.times("CheckpointTriggered")).slice(0, 3)).toEqual([300, 780, 1260]);
    expect(run.report.recoveries.slice(0, 3)).toMatchObject(
      [480, 960, 1440].map((at) => ({ at: at * 1000, scope: "global", restoredFrom: null, granted: true })),
    );
    expect(run.all("RecordEmitted", { record: "in-0@0" }).length).toBeGreaterThanOrEqual(4);
  });

  test("P-01, CP-153: with 100 tolerable nothing restarts, and the first checkpoint that completes clears the counter", () => {
    const lost = { at: { time: "0 ms" }, do: "lose-rpc", rpc: "trigger", target: "source[0]", count: 2 };
    const run = incident("P-01", { "tolerable-failed-checkpoints": 100 }, { faults: [lost] });
    expect(run.report.recoveries).toEqual([]);
    expect(
      run.report.checkpoints.slice(0, 3).map(({ status, consecutiveFailures }) => [status, consecutiveFailures]),
    ).toEqual([
      ["FAILED", 1],
      ["FAILED", 2],
      ["COMPLETED", 0],
    ]);
  });
});
