/** Sweeps as the tests ask for them: in one thread, to the end. */
import type { SweepTotals } from "../../scenario/exploration.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type RunnerOptions, usualOptions } from "../runner.ts";
import { Sweep } from "../sweep.ts";
import { Sweeper } from "../sweeper.ts";

interface Asked extends Partial<RunnerOptions> {
  /** 0: single failures only. */
  readonly pairs?: number;
  /** Every how many pieces one is carried out; 1: all. */
  readonly every?: number;
}

export function sweepOf(scenario: Scenario, { pairs = 0, every = 1, ...options }: Asked = {}): SweepTotals {
  const task = { scenario, decisions: [], question: { failures: pairs > 0 ? 2 : 1, pairs } } as const;
  const sweeper = new Sweeper(task, { ...usualOptions, ...options });
  const sweep = new Sweep(task, sweeper.survey());
  for (let count = 0; !sweep.finished; count++) {
    const piece = sweep.next();
    if (piece === null) throw new Error("a sweep that is not finished has a piece");
    if (count % every === 0) sweep.add(piece, sweeper.carryOut(piece));
    else sweep.skip();
  }
  return sweep.totals();
}
