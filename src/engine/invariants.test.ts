/** The observer itself: what it watches, that it cries only when there is cause, and that clones go their own way. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { referenceOf } from "../scenario/reference.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import * as defects from "./defects.ts";
import { Invariants } from "./invariants.ts";
import { Counts } from "./invariants/counts.ts";
import { ledgerOf } from "./ledger.ts";
import { Course } from "./course.ts";
import { Simulation } from "./simulation.ts";
import { Draw, randomCommand, randomSource } from "./testing/random-jobs.ts";
import { command, libraryScenario, setDelivery } from "./testing/runs.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";
/** More entries than a run of a random job has that does anything new. */
const MOST_STEPS = 20_000;

function observed(scenario: Scenario): { simulation: Simulation; invariants: Invariants; course: Course } {
  const invariants = new Invariants();
  const simulation = Simulation.start(scenario, { log: null, observer: invariants });
  return { simulation, invariants, course: new Course(simulation) };
}

/** Takes a run to its end and gives what it violates, in one line each. */
function violations(course: Course): string[] {
  const { simulation } = course;
  const { observer } = simulation;
  if (!(observer instanceof Invariants)) return ["nobody watches"];
  while (course.ended === null && observer.violations.length === 0 && simulation.world.step < MOST_STEPS)
    course.advance();
  const outcome = ledgerOf(simulation.kernel, referenceOf(simulation.session.plan.scenario));
  return observer
    .atEnd(simulation.kernel, outcome, course.ended ?? "steps")
    .map(({ invariant, step, message }) => `${invariant} at ${step}: ${message}`);
}

describe("no false alarm", () => {
  for (const delivery of ["exactly-once", "at-least-once", "none"]) {
    test(`single failures at 300 drawn steps of order-totals, delivery ${delivery}`, () => {
      const draw = new Draw(delivery.length);
      const { simulation, course } = observed(
        libraryScenario("order-totals", (source) => setDelivery(source, delivery)),
      );
      const { subtasks, taskManagers } = simulation.session.plan.graph;
      const failures = [
        ...subtasks.map(({ name }) => command("fail-task", name)),
        ...taskManagers.map((name) => command("kill-taskmanager", name)),
      ];
      let runs = 0;
      while (course.ended === null) {
        if (draw.upTo(1500) < 320) {
          const tried = long ? failures : [draw.one(...failures), draw.one(...failures)];
          for (const failure of tried) {
            const clone = simulation.clone();
            clone.submit(failure);
            runs++;
            expect(
              violations(new Course(clone)),
              `${failure.do} ${failure.target} at ${simulation.world.step}`,
            ).toEqual([]);
          }
        }
        course.advance();
      }
      expect(runs).toBeGreaterThan(500);
    });
  }

  test("drawn jobs, configurations and failures", () => {
    for (let number = 0; number < (long ? 3000 : 400); number++) {
      const draw = new Draw(number);
      const parsed = scenarioFrom(randomSource(draw));
      if (!parsed.ok) throw new Error(`job ${number}: ${JSON.stringify(parsed.problems)}`);
      const { simulation, course } = observed(parsed.value);
      const steps = Array.from({ length: draw.upTo(5) }, () => draw.upTo(900)).sort((a, b) => a - b);
      for (const step of steps) {
        while (course.ended === null && simulation.world.step < step) course.advance();
        if (course.ended === null) simulation.submit(randomCommand(draw, simulation.session.plan.graph));
      }
      expect(violations(course), `job ${number}`).toEqual([]);
    }
  });
});

describe("what is watched", () => {
  test("a broken rule waives what follows from it, and nothing else", () => {
    const { invariants, course } = observed(
      libraryScenario("order-totals", (source) => {
        source["broken"] = ["commit-at-barrier"];
      }),
    );
    expect(violations(course)).toEqual([]);
    expect(invariants.checked).not.toContain("INV-113");
    expect(invariants.checked).toContain("INV-033");
    expect(new Invariants().checked).toContain("INV-113");
  });

  test("nothing is claimed of a filter that decides by interleaving", () => {
    const scenario = libraryScenario("order-totals", (source) => {
      const job = source["job"] as { vertices: { [key: string]: unknown }[]; edges: { [key: string]: unknown }[] };
      job.vertices.splice(2, 0, { uid: "even", type: "filter" });
      job.edges = [
        { from: "orders", to: "total", ship: "hash" },
        { from: "total", to: "even", ship: "rebalance" },
        { from: "even", to: "out", ship: "rebalance" },
      ];
    });
    const { invariants, course } = observed(scenario);
    course.advance();
    expect(invariants.checked).not.toContain("INV-120");
    expect(invariants.checked).toContain("INV-113");
  });
});

test("a clone keeps what was seen and goes its own way", () => {
  const invariants = new Invariants({ stopsRun: false });
  const scenario = libraryScenario("order-totals");
  const simulation = Simulation.start(scenario, { log: null, observer: invariants, defects: defects.commitsAtBarrier });
  while (invariants.violations.length === 0) simulation.step();
  const first = at(invariants.violations, 0);
  const clone = simulation.clone();
  for (let i = 0; i < 400; i++) clone.step();
  expect(invariants.violations).toEqual([first]);
  expect(at((clone.observer as Invariants).violations, 0)).toEqual(first);
  expect((clone.observer as Invariants).violations.length).toBeGreaterThan(1);
});

test("a violation names the invariant, the step, what is the case instead, and the entities", () => {
  const invariants = new Invariants();
  const simulation = Simulation.start(libraryScenario("order-totals"), {
    observer: invariants,
    defects: defects.offsetTakenAfterBarrier,
  });
  while (invariants.violations.length === 0) simulation.step();
  expect(invariants.stopsRun).toBe(true);
  expect(at(invariants.violations, 0)).toMatchInlineSnapshot(`
    {
      "entities": [
        "orders[0]",
        "orders-0",
        "checkpoint 1",
      ],
      "invariant": "INV-007",
      "message": "checkpoint 1 holds offset 21 of orders-0; orders[0] stood at 20 at its barrier",
      "step": 412,
    }
  `);
});

test("counts are shared between clones until one of them counts", () => {
  const counts = new Counts();
  counts.add(3);
  const clone = counts.clone();
  expect([counts.add(3), clone.add(3), clone.add(3), counts.add(1000), clone.add(1000)]).toEqual([2, 2, 3, 1, 1]);
});
