/** Runs that follow a schedule: not what is due first comes next, but one of the things that may (`findChoices`). */
import { Choices, findChoices, isIdle } from "./choices.ts";
import { dispatch } from "./dispatch.ts";
import type { Simulation } from "./simulation.ts";

/** Room for the choices of one place. */
const choices = new Choices();

/** Lets threads that would be next and have nothing to do find that out. */
export function settle({ world, kernel }: Simulation): void {
  const { agenda } = world;
  for (let top = agenda.count - 1; top >= 0 && isIdle(kernel, top); top--) kernel.take(dispatch, top);
}

/** What a schedule says for this step: choices one after the other until one makes an entry. False: none did. */
export function follow(simulation: Simulation, scheduled: readonly number[]): boolean {
  settle(simulation);
  for (const choice of scheduled) {
    findChoices(simulation.kernel, choices);
    if (choice < choices.count && simulation.take(choices, choice)) return true;
    settle(simulation);
  }
  return false;
}
