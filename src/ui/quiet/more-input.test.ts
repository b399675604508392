import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { EventNumber } from "../../protocol/events.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { library } from "../../scenario/library.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import { prettyJson } from "../pretty-json.ts";
import type { Session } from "../store.ts";
import { moreInput } from "./more-input.ts";

function session(id: string, more: object = {}): Session {
  const source = { ...library.find((each) => each.id === id)?.source, ...more };
  const read = scenarioFrom(source);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const branch = { id: 0, parent: null, step: 0, command: null };
  return {
    number: 1,
    scenario: read.value,
    text: prettyJson(source),
    library: null,
    planned: 0,
    graph: executionGraph(read.value),
    commands: [],
    branches: [{ branch } as Session["branches"][number]],
  };
}

function emitted({ log }: ReturnType<typeof runScenario>): number {
  let count = 0;
  for (let step = 0; step < log.length; step++) if (log.type(step) === EventNumber.RecordEmitted) count++;
  return count;
}

test.each(["orders", "two-lanes"])("%s with as much input again: twice the records, and the run begins alike", (id) => {
  const given = session(id);
  const more = moreInput(given, 0);
  if (more === null) throw new Error("nothing to grow");
  const before = runScenario(given.scenario);
  const after = runScenario(more.scenario);
  expect(emitted(after)).toBe(emitted(before) * 2);
  expect([after.log.type(40), after.log.clock(40)]).toEqual([before.log.type(40), before.log.clock(40)]);
});

test("a run that ends by the clock is not longer for more input", () => {
  expect(moreInput(session("orders", { until: { time: "200 ms" } }), 0)).toBeNull();
});
