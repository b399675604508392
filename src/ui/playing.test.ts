import { describe, expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { libraryScenario } from "../engine/testing/runs.ts";
import { PresentationClock } from "../view/clock.ts";
import { type Loop, played } from "./playing.ts";

const scenario = libraryScenario("order-totals");
const { graph, log } = runScenario(scenario);
const clock = new PresentationClock(graph, scenario.timing);
clock.extend(log);

const stopsAt =
  (...steps: number[]) =>
  (from: number, to: number): number | null =>
    steps.find((step) => step > from && step <= to) ?? null;

/** Frames of `pace` milliseconds until something stops it, or `most` are over: the steps at which it stood. */
function frames(pace: number, stop: ReturnType<typeof stopsAt>, loop: Loop | null, most = 100_000): number[] {
  const steps: number[] = [];
  let presentation = 0;
  for (let frame = 0; frame < most; frame++) {
    const next = played({ clock, loop, stop }, presentation, presentation + pace);
    ({ presentation } = next);
    steps.push(clock.stepAt(presentation));
    if (next.stopped || presentation >= clock.total) break;
  }
  return steps;
}

describe("playing", () => {
  test("stops exactly at an entry, whatever the pace, all that there is at once included", () => {
    for (const pace of [1, 16, 160, 1600, Infinity])
      for (const step of [1, 57, 300, log.length - 1]) expect(frames(pace, stopsAt(step), null).at(-1)).toBe(step);
  });

  test("goes on from an entry that stopped it to the next", () => {
    const from = clock.presentationOf(57);
    const way = { clock, loop: null, stop: stopsAt(57, 60) };
    expect(clock.stepAt(played(way, from, Infinity).presentation)).toBe(60);
  });

  test("never comes behind a loop, and begins it anew", () => {
    const loop = { from: 100, to: 140 };
    const steps = frames(40, stopsAt(), loop, 1000);
    expect(Math.max(...steps)).toBe(140);
    expect(steps.filter((step) => step === 100).length).toBeGreaterThan(2);
    expect(frames(Infinity, stopsAt(), loop, 3)).toEqual([140, 100, 140]);
  });

  test("stops within a loop, at its last entry too", () => {
    expect(frames(Infinity, stopsAt(140), { from: 100, to: 140 })).toEqual([140]);
    expect(frames(Infinity, stopsAt(141), { from: 100, to: 140 }, 5)).toEqual([140, 100, 140, 100, 140]);
  });

  test("a cursor behind a loop goes to its beginning", () => {
    const way = { clock, loop: { from: 10, to: 20 }, stop: stopsAt() };
    const from = clock.presentationOf(200);
    expect(clock.stepAt(played(way, from, from + 16).presentation)).toBe(10);
  });

  test("a loop up to the run's end never ends it", () => {
    const steps = frames(200, stopsAt(), { from: log.length - 50, to: log.length - 1 }, 2000);
    expect(steps).toHaveLength(2000);
  });
});
