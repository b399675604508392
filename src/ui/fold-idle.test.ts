import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { library } from "../scenario/library.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import { samePlace } from "./same-place.ts";
import { Run } from "./run.ts";
import { notches } from "./shell/notches.ts";

const source = library.find(({ id }) => id === "order-totals")?.source as { config?: object };
const failure = { at: { time: "1500 ms" }, do: "fail-task", target: "total[1]" };
const restart = {
  "restart-strategy.type": "fixed-delay",
  "restart-strategy.fixed-delay.attempts": 3,
  "restart-strategy.fixed-delay.delay": "3 s",
};

function runWith(): Run {
  const read = scenarioFrom({ ...source, config: { ...source.config, ...restart }, faults: [failure] });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const graph = executionGraph(read.value);
  const run = new Run({ graph, scenario: read.value, parent: null, base: 0, commands: read.value.faults });
  run.append(runScenario(read.value).log.chunk(0));
  return run;
}

test("a restart delay of three seconds is folded, and stands at its full length where nothing is", () => {
  const run = runWith();
  const folded = run.clock;
  const [fold] = folded.folds;
  expect(fold?.simulated).toBeGreaterThan(2900);
  expect((fold?.to ?? 0) - (fold?.from ?? 0)).toBe(400);
  run.fold(false);
  expect(run.clock.folds).toEqual([]);
  expect(run.clock.total).toBeGreaterThan(folded.total + 29_000);
});

test("folded or not, every place has the same entry and the same simulated time", () => {
  const run = runWith();
  const folded = run.clock;
  run.fold(false);
  const full = run.clock;
  const elsewhere = [];
  for (let place = 0; place <= full.total; place += 37) {
    const there = folded.momentAt(samePlace(full, folded, place));
    const { step, clock } = full.momentAt(place);
    if (there.step !== step || Math.abs(there.clock - clock) > 1e-6) elsewhere.push(place);
  }
  for (let step = 0; step < run.log.length; step++)
    if (Math.abs(samePlace(folded, full, folded.presentationOf(step)) - full.presentationOf(step)) > 1e-6)
      elsewhere.push(step);
  expect(elsewhere).toEqual([]);
});

test("notches do not lie on one another, and a label does not reach into the next", () => {
  const at = (from: number): { simulated: number; from: number; to: number } => ({
    simulated: 500,
    from,
    to: from + 2,
  });
  const folds = [at(100), at(103), at(130), at(400), at(990)];
  expect(notches(folds, 1000, 1000).map(({ fold, labelled }) => [fold.from, labelled])).toEqual([
    [100, true],
    [130, false],
    [400, true],
    [990, false],
  ]);
});
