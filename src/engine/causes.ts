/**
 * Entries that are remembered as causes of what comes much later: by which one a source's reader got a split, or a position
 * in it, and which one began the trigger phase that is under way. They lie behind the times of a world and decide nothing.
 */
import type { World } from "./world.ts";

/** Is an entry left out (`Job.suppress`): the next one, or was one? */
export const Suppress = { none: 0, next: 1, done: 2 } as const;

/** `-1`: none. */
export function givenBy(world: World, source: number, partition: number): number {
  return world.jobTime(placeOf(world, source, partition)) - 1;
}

export function setGivenBy(world: World, source: number, partition: number, step: number): void {
  world.setJobTime(placeOf(world, source, partition), step + 1);
}

function placeOf({ layout }: World, source: number, partition: number): number {
  return layout.given + 1 + source * layout.inputs + partition;
}

export function triggeredBy(world: World): number {
  return world.jobTime(world.layout.given);
}

export function setTriggeredBy(world: World, step: number): void {
  world.setJobTime(world.layout.given, step);
}
