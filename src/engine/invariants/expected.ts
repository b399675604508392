/** How often a scenario's records may come out, by the reference evaluator: worked out once, however many runs ask. */
import { type ExpectedOutput, wholeReferenceOf } from "../../scenario/reference.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** By input record; behind its end, never. */
export type Allowance = Int32Array;

const known = new WeakMap<Scenario, readonly Allowance[]>();

/** By sink operator's place among sinks. */
export function allowanceOf(scenario: Scenario): readonly Allowance[] {
  const found = known.get(scenario) ?? wholeReferenceOf(scenario).outputs.map(counted);
  known.set(scenario, found);
  return found;
}

function counted(outputs: readonly ExpectedOutput[]): Allowance {
  const length = outputs.reduce((most, { record }) => Math.max(most, record + 1), 0);
  const counts = new Int32Array(length);
  for (const { record } of outputs) counts[record] = (counts[record] as number) + 1;
  return counts;
}
