import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { EventNumber } from "../../protocol/events.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { library } from "../../scenario/library.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Stop } from "../../view/stage/elements.ts";
import { Run } from "../run.ts";
import { enPlan } from "../text/en-plan.ts";
import { instantName, instantsOf, passed } from "./instants.ts";

type Json = Record<string, unknown>;

const source = structuredClone(library.find(({ id }) => id === "order-totals")?.source) as Json;

function read(faults: readonly Json[]): Scenario {
  const result = scenarioFrom({ ...source, until: { time: "2500 ms" }, faults });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

const clean = read([]);
const graph = executionGraph(clean);
const stops: readonly Stop[] = [
  ...graph.subtasks.map(({ index }) => ({ kind: "subtask", id: index }) as const),
  ...graph.vertices.map(({ index }) => ({ kind: "vertex", id: index }) as const),
  { kind: "jobManager", id: 0 },
];

test("at each instant of each element a planned fault acts, and nowhere else", () => {
  const names = new Set<string>();
  for (const stop of stops) {
    for (const instant of instantsOf(graph, stop)) {
      names.add(instant.name);
      const at = { [instant.kind]: instant.event, ...instant.match };
      const { log } = runScenario(read([{ at, do: "lose-rpc", rpc: "decline" }]));
      const acted = Array.from({ length: log.length }, (_, step) => log.type(step)).indexOf(EventNumber.FaultInjected);
      expect(acted, `${stop.kind} ${instant.name}`).toBeGreaterThan(0);
      expect(log.type(acted + (instant.kind === "before" ? 1 : -1))).toBe(EventNumber[instant.event]);
      expect(instantName(instant)).toBe(instant.name);
    }
  }
  expect([...names].sort()).toEqual(Object.keys(enPlan.instants).toSorted());
});

test("instants that have passed are counted, so that a plan leaves alone what has happened", () => {
  const { log } = runScenario(clean);
  const run = new Run({ graph, scenario: clean, parent: null, base: 0, commands: [] });
  run.append(log.chunk(0));
  const [instant] = instantsOf(graph, { kind: "jobManager", id: 0 });
  const triggers = Array.from({ length: log.length }, (_, step) => step).filter(
    (step) => log.type(step) === EventNumber.CheckpointTriggered,
  );
  expect(triggers).toHaveLength(2);
  expect(instant && [0, ...triggers, log.length - 1].map((step) => passed(run, instant, step))).toEqual([0, 1, 2, 2]);
});

test("what a list of planned faults says is in plain words", () => {
  expect(enPlan.nth("after the trigger", 1, false, null)).toBe("after the trigger");
  expect(enPlan.nth("after the trigger", 3, false, null)).toBe("after the trigger, the 3rd");
  expect(enPlan.nth("after the trigger", 1, true, null)).toBe("after the trigger, every time");
  expect(enPlan.nth("after the trigger", 12, true, null)).toBe("after the trigger, every time from the 12th on");
  expect(enPlan.nth("after the trigger", 2, true, 0.07)).toBe("after the trigger, every time from the 2nd on with 7 %");
});
