/** The search's bench: states a second, with and without the invariants watched. */
import { scenarioOf, type Document } from "../explorer/schedule.ts";
import { search } from "../explorer/search.ts";
import { shortened } from "../explorer/minimise.ts";
import { linear } from "../scenario/library/linear.ts";
import type { Bench } from "./measure.ts";

const STATES = 20_000;
const scenario = scenarioOf(shortened(linear as Document, 4));

function statesPerSecond(invariants: boolean): number {
  const started = performance.now();
  const { states } = search(scenario, { failures: 1, states: STATES, invariants });
  return states / ((performance.now() - started) / 1000);
}

export function searchBenches(): Bench[] {
  return [true, false].map((invariants) => ({
    name: `search of linear, one failure, ${invariants ? "invariants watched" : "ends only"}`,
    unit: "states/s",
    floor: null,
    aim: 50_000,
    more: true,
    run: () => statesPerSecond(invariants),
  }));
}
