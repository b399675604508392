/**
 * Which of a scenario's faults act at an entry: those whose pattern it fits, at their `nth` match, every time from then on, or
 * each time by chance, drawn from a stream of their own. Only a run with faults needs this.
 */
import { at } from "../base/assert.ts";
import { advance, below, stream } from "../base/prng.ts";
import { finish, mix } from "../base/hash.ts";
import type { Draft } from "../protocol/log.ts";
import { isSpent, matches } from "./faults.ts";
import type { Kernel } from "./kernel.ts";
import { Fault } from "./layout.ts";
import type { World } from "./world.ts";

/** As many outcomes as a draw has. */
const WHOLE = 2 ** 32;

/**
 * Counts the entry for every fault whose pattern it fits; those that have their `nth` match now act, in their order, and
 * those that act every time from then on. What one has acted before is what it has just held up, and comes now.
 */
export function matching(k: Kernel, kind: "before" | "after"): number[] {
  const { world, draft, plan } = k;
  const found: number[] = [];
  for (let i = 0; k.momentOf(i) !== undefined; i++) {
    const moment = k.momentOf(i);
    if (moment?.kind !== kind || isSpent(k, i) || !matches(plan.graph, moment, draft)) continue;
    const served = world.fault(i, Fault.served);
    world.setFault(i, Fault.served, 0);
    if (served !== 0 && served === hashOf(draft)) continue;
    const count = Math.min(world.fault(i, Fault.matched) + 1, moment.nth);
    world.setFault(i, Fault.matched, count);
    if (count === moment.nth && isDrawn(k, i, moment.probability ?? 1)) found.push(i);
  }
  return found;
}

/** The match of a fault has come: does it act? */
function isDrawn(k: Kernel, fault: number, probability: number): boolean {
  if (probability === 1) return true;
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

/** In the world before the entry that the draft holds the fault has had its turn; the entry itself is still to come. */
export function serve({ world, draft }: Kernel, before: World, fault: number): void {
  before.setFault(fault, Fault.acted, 1);
  before.setFault(fault, Fault.served, hashOf(draft));
  before.setFault(fault, Fault.chance, world.fault(fault, Fault.chance));
}

/** What an entry says, whenever it is said: never 0. */
function hashOf({ type, fields, fieldCount, submission }: Draft): number {
  let hash = mix(type, submission);
  for (let i = 0; i < fieldCount; i++) hash = mix(hash, fields[i] as number);
  return finish(hash) | 1;
}
