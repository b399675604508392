/** What may happen next, and a scenario's schedule that chooses from it. */
import { expect, test } from "vitest";
import { scenarioFrom } from "../scenario/parse.ts";
import { linear } from "../scenario/library/linear.ts";
import { Choices, findChoices } from "./choices.ts";
import { Due } from "./layout.ts";
import { opNames } from "./ops.ts";
import { runScenario } from "./run.ts";
import { Simulation } from "./simulation.ts";
import { traceLines } from "../protocol/trace.ts";

function scenario(change: { readonly [key: string]: unknown } = {}) {
  const read = scenarioFrom({ ...linear, ...change });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

/** The operations that may come next, each with the first of its words; the simulator's own in brackets. */
function next(simulation: Simulation, freesTimers = false): string[] {
  const { kernel } = simulation;
  const { agenda } = simulation.world;
  const choices = new Choices();
  findChoices(kernel, choices, freesTimers);
  return Array.from({ length: choices.count }, (_, choice) => {
    const row = choices.rows[choice] as number;
    const told = `${opNames[agenda.get(row, Due.op)]} ${agenda.get(row, Due.a)}`;
    return choice === choices.own ? `[${told}]` : told;
  });
}

/** Steps until the simulator would take an operation. */
function until(simulation: Simulation, op: string): Simulation {
  for (let steps = 0; steps < 2000; steps++) {
    if (next(simulation)[0]?.startsWith(`[${op}`) === true) return simulation;
    simulation.step();
  }
  throw new Error(`${op} never came`);
}

const start = (change = {}): Simulation => Simulation.start(scenario(change), { log: null });

test("deployed tasks start in any order", () => {
  expect(next(until(start(), "taskStart"))).toEqual(["[taskStart 0]", "taskStart 1", "taskStart 2"]);
});

test("messages of one process come in the order in which they were sent, those of others at any time", () => {
  const simulation = until(start({ cluster: { taskManagers: 1, slots: 3 } }), "reportState");
  expect(next(simulation).filter((told) => told.includes("reportState"))).toHaveLength(1);
  expect(next(until(start(), "reportState")).filter((told) => told.includes("reportState")).length).toBeGreaterThan(1);
});

test("a chain goes on, whatever else there is", () => {
  const simulation = start();
  simulation.step();
  expect(next(simulation)).toEqual(["[setJobStatus 2]"]);
});

test("timers wait until nothing else can happen, unless they are freed", () => {
  const simulation = until(start(), "acknowledge");
  expect(next(simulation).some((told) => told.includes("expire"))).toBe(false);
  expect(next(simulation, true).at(-1)).toMatch(/^(periodicTrigger|expire|timeOutTransaction)/);
});

test("a schedule decides which of them comes, and after its end all goes on as ever", () => {
  const plain = runScenario(scenario(), { checkInvariants: true });
  const first = Array.from(traceLines(plain.graph, plain.log)).join("").split("\n");
  const step = first.findIndex((line) => line.includes('"to":"INITIALIZING"'));
  const planned = runScenario(scenario({ schedule: [[step, 1]] }), { checkInvariants: true });
  expect(planned.violations).toEqual([]);
  expect(planned.report.verdict.endToEnd).toBe("exactly-once");
  const lines = Array.from(traceLines(planned.graph, planned.log)).join("").split("\n");
  expect(lines.slice(0, step)).toEqual(first.slice(0, step));
  expect(lines[step]).not.toBe(first[step]);
});

test("an empty schedule, and choices that are not there, change nothing", () => {
  const lines = (change: { readonly [key: string]: unknown }): string => {
    const { graph, log } = runScenario(scenario(change));
    return Array.from(traceLines(graph, log)).join("");
  };
  expect(lines({ schedule: [] })).toBe(lines({}));
  expect(lines({ schedule: [[40, 999]] })).toBe(lines({}));
});
