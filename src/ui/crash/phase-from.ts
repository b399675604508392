import { nextPhase, previousPhase } from "../../projection/phases.ts";
import { factsOf } from "../facts.ts";
import type { Direction } from "../steps.ts";
import type { Run } from "../run.ts";

/** The next boundary of a phase of the protocol from `step` on; where there is none, the end or the start of the run. */
export function phaseFrom(run: Run, step: number, direction: Direction): number {
  const { index } = factsOf(run);
  const phase = (direction === 1 ? nextPhase : previousPhase)(index, step);
  return phase?.step ?? (direction === 1 ? run.log.length : 0);
}
