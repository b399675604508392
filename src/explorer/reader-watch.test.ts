/** What holds committed readers up, as sweeps measure it. */
import { expect, test } from "vitest";
import { Course } from "../engine/course.ts";
import { Simulation } from "../engine/simulation.ts";
import { lane, small, story } from "../engine/testing/stories.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { ReaderWatch } from "./reader-watch.ts";

/** A sink alone on its topic, or beside another producer. */
const job = (out: object): Scenario => small({ ...lane(1), topics: { out } });

/** Milliseconds for which a committed reader stands still at most. */
function longestOf(scenario: Scenario): number {
  const simulation = Simulation.start(scenario, { log: null });
  const watch = new ReaderWatch(simulation.session.plan.graph.outputs.length);
  const course = new Course(simulation);
  while (course.ended === null) {
    course.advance();
    watch.observe(simulation.kernel);
  }
  return watch.longest(simulation.world.clock);
}

test("KF-033: another producer's records make a reader wait where a sink that is alone keeps nobody waiting", () => {
  expect(longestOf(job({}))).toBe(0);
  const beside = job({ background: { every: "90 ms" } });
  const [row] = story(beside).report.background;
  expect(longestOf(beside)).toBe(row?.longestDelay);
  expect(row?.longestDelay).toBeGreaterThan(1000);
});
