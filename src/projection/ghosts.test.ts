/** What is told of lost state, held against what the run before the failure had. */
import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { atTime, fixedDelay, lane, small } from "../engine/testing/stories.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { applyEntry, initialView } from "./fold.ts";
import { ghostsOf } from "./ghosts.ts";

const SOURCE = 0;
const COUNTER = 1;

const failing = (...times: readonly number[]): Scenario =>
  small({
    ...lane(1),
    topics: { in: { partitions: 1, records: 60, every: "100 ms", keys: 3 } },
    checkpointing: { interval: "2 s" },
    initialDelay: 1000,
    restart: fixedDelay(3, "500 ms"),
    faults: times.map((time) => atTime(time, "fail-task", { target: "M[0]" })),
    until: { time: "9 s" },
  });

/** The counter's count and its ghost at every entry, and the same of its source's position: each time one of them changes. */
function told(scenario: Scenario): { count: number; lost: number | null; next: number; position: number | null }[] {
  const { log, graph } = runScenario(scenario);
  const view = initialView(scenario, graph);
  const lines: ReturnType<typeof told> = [];
  for (let step = 0; step < log.length; step++) {
    applyEntry(view, log, step);
    const [ghosts, source] = [ghostsOf(view, COUNTER), ghostsOf(view, SOURCE)];
    const line = {
      count: at(at(at(view.subtasks, COUNTER).held.operators, 0).values, 0),
      lost: ghosts?.values[0]?.before ?? null,
      next: at(at(view.subtasks, SOURCE).held.positions, 0),
      position: source?.positions[0]?.before ?? null,
    };
    if (JSON.stringify(line) !== JSON.stringify(lines.at(-1))) lines.push(line);
  }
  return lines;
}

test("FR-082, FR-085: what a task had before its failure is told until its replay has as much again", () => {
  const lines = told(failing(2550));
  const crash = lines.findIndex(({ lost }) => lost !== null);
  const before = at(lines, crash - 1).count;
  expect(lines.slice(0, crash).every(({ lost, position }) => lost === null && position === null)).toBe(true);
  const ghosts = lines.filter(({ lost }) => lost !== null);
  expect(new Set(ghosts.map(({ lost }) => lost))).toEqual(new Set([before]));
  // The restore goes back to the checkpoint, and what is told ends with the record that brings the count back.
  expect(Math.min(...ghosts.map(({ count }) => count))).toBeLessThan(before - 5);
  const last = lines.findLastIndex(({ lost }) => lost !== null);
  expect([at(lines, last).count, at(lines, last + 1).count]).toEqual([before - 1, before]);
  const source = lines.findLastIndex(({ position }) => position !== null);
  expect(at(lines, source + 1).next).toBe(at(lines, source).position);
});

test("FR-085: a second failure before replay has caught up leaves the first one's state to be reached", () => {
  const once = told(failing(2550));
  const twice = told(failing(2550, 3120));
  const before = once.find(({ lost }) => lost !== null)?.lost;
  expect(new Set(twice.flatMap(({ lost }) => (lost === null ? [] : [lost])))).toEqual(new Set([before]));
  expect(twice.length).toBeGreaterThan(once.length);
});

test("nothing is told of a task that never failed, or that has finished", () => {
  expect(told(failing()).every(({ lost, position }) => lost === null && position === null)).toBe(true);
});
