/** The kill sweep's bench: single failures of the first library scenario, on one core, with all invariants and without. */
import { Sweeper } from "../explorer/sweeper.ts";
import { usualOptions } from "../explorer/runner.ts";
import { orderTotals } from "../scenario/library/order-totals.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Bench } from "./measure.ts";

/** The budget counts runs in five seconds on one core. */
const [FLOOR, AIM] = [2000 / 5, 20_000 / 5];
/** Steps of the base run in a piece, and from one piece that is timed to the next: a sample of the whole run. */
const [SIZE, STRIDE] = [25, 400];

export function sweepBenches(): Bench[] {
  const scenario = scenarioFrom(orderTotals);
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.problems));
  const task = { scenario: scenario.value, decisions: [], question: { failures: 1, pairs: 0 } } as const;
  const bench = (name: string, checkInvariants: boolean): Bench => {
    const sweeper = new Sweeper(task, { ...usualOptions, checkInvariants });
    const { from, length } = sweeper.survey();
    return {
      name,
      unit: "runs/s",
      floor: FLOOR,
      aim: AIM,
      more: true,
      run: () => {
        const began = performance.now();
        let runs = 0;
        for (let step = from; step + SIZE <= length; step += STRIDE)
          runs += sweeper.carryOut({ kind: "single", from: step, to: step + SIZE }).runs;
        return runs / ((performance.now() - began) / 1000);
      },
    };
  };
  return [
    bench("kill sweep of order-totals, one core, all invariants", true),
    bench("kill sweep of order-totals, one core, no invariants", false),
  ];
}
