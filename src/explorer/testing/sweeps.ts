/** Sweeps as the tests ask for them: in one thread, to the end. */
import { type SweepTotals, sweepFlags } from "../../scenario/exploration.ts";
import { verdictWords } from "../../scenario/report.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type RunnerOptions, usualOptions } from "../runner.ts";
import { Sweep } from "../sweep.ts";
import { type PieceResult, zeros } from "../sweep-pieces.ts";
import { Sweeper } from "../sweeper.ts";

interface Asked extends Partial<RunnerOptions> {
  /** 0: single failures only. */
  readonly pairs?: number;
  /** Every how many pieces one is carried out; 1: all. */
  readonly every?: number;
}

/** Of a piece that was passed over. */
const nothing: PieceResult = {
  runs: 0,
  distinct: 0,
  outcomes: zeros(verdictWords),
  flags: zeros(sweepFlags),
  harmful: [],
  harmfulCount: 0,
  violations: [],
  possible: 0,
};

export function sweepOf(scenario: Scenario, { pairs = 0, every = 1, ...options }: Asked = {}): SweepTotals {
  const task = { scenario, decisions: [], question: { failures: pairs > 0 ? 2 : 1, pairs } } as const;
  const sweeper = new Sweeper(task, { ...usualOptions, ...options });
  const sweep = new Sweep(task, sweeper.survey());
  for (let count = 0; !sweep.finished; count++) {
    const piece = sweep.next();
    if (piece === null) throw new Error("a sweep that is not finished has a piece");
    sweep.add(piece, count % every === 0 ? sweeper.carryOut(piece) : nothing);
  }
  return sweep.totals();
}
