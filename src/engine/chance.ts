/** Faults that act each time with a probability: whether one acts this time is drawn from a stream of its own. */
import { at } from "../base/assert.ts";
import { advance, below, stream } from "../base/prng.ts";
import type { Kernel } from "./kernel.ts";
import { Fault } from "./layout.ts";

/** As many outcomes as a draw has. */
const WHOLE = 2 ** 32;

/** The match of a fault has come: does it act? */
export function isDrawn(k: Kernel, fault: number, probability: number): boolean {
  const before = k.world.fault(fault, Fault.chance);
  const state = advance(before === 0 ? beginning(k, fault) : before);
  k.world.setFault(fault, Fault.chance, state);
  return below(state, WHOLE) < probability * WHOLE;
}

/**
 * The purpose of its stream is what the fault says, and which of those it is that say the same: no other fault changes
 * anything in what it draws.
 */
function beginning({ plan }: Kernel, fault: number): number {
  const { seed, faults } = plan.scenario;
  const own = JSON.stringify(at(faults, fault));
  const same = faults.slice(0, fault).filter((other) => JSON.stringify(other) === own).length;
  return stream(seed, `fault ${same} ${own}`);
}
