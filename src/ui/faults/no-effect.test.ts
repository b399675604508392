import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { library } from "../../scenario/library.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import { Run } from "../run.ts";
import { type NoEffect, noEffectOf } from "./no-effect.ts";

const source = library.find(({ id }) => id === "order-totals")?.source as object;
const first = { at: { time: "1500 ms" }, do: "fail-task", target: "total[1]" };

function told(...faults: object[]): (NoEffect | null)[] {
  const read = scenarioFrom({ ...source, until: { time: "6 s" }, faults });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const scenario = read.value;
  const { log, report } = runScenario(scenario);
  const run = new Run({ graph: executionGraph(scenario), scenario, parent: null, base: 0, commands: scenario.faults });
  run.append(log.chunk(0));
  return faults.map((_, index) => noEffectOf(run, report, index));
}

test("a fault of a task that does not run does nothing, and is moved to where it does", () => {
  const idle = { at: { time: "1700 ms" }, do: "fail-task", target: "total[1]" };
  const [works, nothing] = told(first, idle);
  expect(works).toBeNull();
  expect(nothing).toMatchObject({ says: "notRunning", clock: 1700, subtask: "total[1]" });
  const moveTo = nothing?.says === "notRunning" ? nothing.moveTo : null;
  expect(moveTo).toBeGreaterThan(2000);
  expect(told(first, { ...idle, at: { time: `${moveTo} ms` } })).toEqual([null, null]);
});

test("one whose event never comes is told, and one that chance decided against", () => {
  const never = { ...first, at: { after: "CheckpointCompleted", checkpoint: 900 } };
  const unlucky = { ...first, at: { after: "RecordWritten", every: true, probability: 1e-9 } };
  expect(told(never, unlucky)).toEqual([{ says: "neverActed" }, { says: "byChance" }]);
});
