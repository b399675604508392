/**
 * Entries that are remembered as causes of what comes much later: by which one a source's reader got a split, or a position
 * in it, which one began the trigger phase that is under way, and for which one a sink waits until its writes are in their
 * store. They lie behind the times of a world and decide nothing.
 */
import type { World } from "./world.ts";

/** Is an entry left out (`Job.suppress`): the next one, or was one? From `later` on it comes so many milliseconds later. */
export const Suppress = { none: 0, next: 1, done: 2, later: 3 } as const;

/** `-1`: none. */
export function givenBy(world: World, source: number, partition: number): number {
  return world.jobTime(placeOf(world, source, partition)) - 1;
}

export function setGivenBy(world: World, source: number, partition: number, step: number): void {
  world.setJobTime(placeOf(world, source, partition), step + 1);
}

/** Why the sinks of a subtask wait until what they wrote is in its store. */
export function flushedFor(world: World, task: number): number {
  return world.jobTime(flushPlace(world, task)) - 1;
}

export function setFlushedFor(world: World, task: number, step: number): void {
  world.setJobTime(flushPlace(world, task), step + 1);
}

function flushPlace({ layout }: World, task: number): number {
  return layout.flushed + task;
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
