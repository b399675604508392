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

test("what is for a process, for storage or for a whole vertex says why it does nothing, and where it would", () => {
  const kill = { at: { time: "1500 ms" }, do: "kill-taskmanager", target: "tm-1" };
  const again = { ...kill, at: { time: "1600 ms" } };
  const [works, gone] = told(kill, again);
  expect(works).toBeNull();
  expect(gone).toMatchObject({ says: "moot", clock: 1600, why: "gone" });
  const up = { at: { time: "1500 ms" }, do: "storage-up" };
  const down = { at: { time: "1500 ms" }, do: "storage-down" };
  expect(told(up)).toEqual([{ says: "moot", clock: 1500, why: "storageThere", moveTo: null }]);
  expect(told(down, { ...up, at: { time: "1700 ms" } })).toEqual([null, null]);
  expect(told({ at: { time: "1500 ms" }, do: "resume", target: "total[0]" })).toMatchObject([{ why: "notStalled" }]);
  const vertex = { at: { time: "1700 ms" }, do: "fail-vertex", target: "total" };
  const [, none] = told(first, vertex);
  expect(none).toMatchObject({ says: "moot", why: "noneRuns" });
  const moveTo = none?.says === "moot" ? none.moveTo : null;
  expect(moveTo).toBeGreaterThan(2000);
  expect(told(first, { ...vertex, at: { time: `${moveTo} ms` } })).toEqual([null, null]);
  const ends = { at: { time: "1500 ms" }, do: "cancel" };
  expect(told(ends, { at: { time: "3000 ms" }, do: "trigger-savepoint", path: "s3://demo/s" })[1]).toMatchObject({
    why: "jobOver",
  });
});
