import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { EventNumber } from "../../protocol/events.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { library } from "../../scenario/library.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import { Run } from "../run.ts";
import { ordersRun } from "./orders-run.ts";
import { nextOf, placesOf, processedTwice } from "./places.ts";

const source = library.find(({ id }) => id === "orders")?.source ?? {};

function runWith(faults: readonly object[]): Run {
  const read = scenarioFrom({ ...source, faults });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const graph = executionGraph(read.value);
  const run = new Run({ graph, scenario: read.value, parent: null, base: 0, commands: read.value.faults });
  run.append(runScenario(read.value).log.chunk(0));
  return run;
}

test("JSON carries what a first visit opens with whole, so the build may ship it so", () => {
  expect(JSON.parse(JSON.stringify(ordersRun))).toStrictEqual(ordersRun);
});

test("it stops while checkpoint 2 is under way, behind its first barrier and its first seconds", () => {
  const run = runWith([]);
  const places = placesOf(run);
  const { log, clock } = run;
  const complete = nextOf(log, "CheckpointCompleted", 0) ?? -1;
  const second = nextOf(log, "CheckpointCompleted", complete + 1) ?? -1;
  expect(complete).toBeLessThan(places?.barrier ?? -1);
  expect(places?.first).toBeLessThan(places?.barrier ?? -1);
  expect(places?.barrier).toBeLessThan(places?.kill ?? -1);
  expect(places?.kill).toBeLessThan(second);
  expect(log.type(places?.barrier ?? 0)).toBe(EventNumber.BarrierReceived);
  // At half speed: the barrier within five seconds, the click within eight.
  const from = clock.presentationOf(places?.first ?? 0);
  expect((clock.presentationOf(places?.barrier ?? 0) - from) * 2).toBeLessThan(5500);
  expect((clock.presentationOf(places?.kill ?? 0) - from) * 2).toBeLessThan(8000);
});

test("A, B and C are counted by the first subtask, D by the second (CP-175)", () => {
  const { log, graph, scenario } = runWith([]);
  const view = initialView(scenario, graph);
  for (let step = 0; step < log.length; step++) advance(view, log, step);
  const counted = graph.vertices[1]?.subtasks.map((subtask) => {
    const counts = view.subtasks[subtask]?.held.operators[0]?.counts ?? [];
    return graph.keys.filter((_, key) => (counts[key] ?? 0) > 0);
  });
  expect(counted).toEqual([["A", "B", "C"], ["D"]]);
});

test("a crash there costs nothing, and what was processed twice is counted", () => {
  expect(processedTwice(runWith([]))).toBe(0);
  const target = "count[0]";
  const crash = { at: { after: "BarrierReceived", subtask: target, checkpoint: 2 }, do: "fail-task", target };
  expect(processedTwice(runWith([crash]))).toBeGreaterThan(2);
});
