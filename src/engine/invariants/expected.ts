/** What a scenario's job is to make of its input, by the reference evaluator: worked out once, however many runs ask. */
import { type Reference, referenceOf } from "../../scenario/reference.ts";
import type { Scenario } from "../../scenario/scenario.ts";

interface Expected {
  readonly reference: Reference;
  /** By sink operator's place among sinks: how often each input record may come out. */
  readonly allowance: readonly ReadonlyMap<number, number>[];
}

const known = new WeakMap<Scenario, Expected>();

export function expectedOf(scenario: Scenario): Expected {
  const before = known.get(scenario);
  if (before !== undefined) return before;
  const reference = referenceOf(scenario);
  const allowance = reference.outputs.map((outputs) => {
    const counts = new Map<number, number>();
    for (const { record } of outputs) counts.set(record, (counts.get(record) ?? 0) + 1);
    return counts;
  });
  const expected = { reference, allowance };
  known.set(scenario, expected);
  return expected;
}
