/**
 * A checkpoint whose pointer is in the high-availability store though its coordinator was not told so, and took it for
 * failed (`PossibleInconsistentStateException`; CP-124, FI-25): the newest such, beside the completed ones.
 */
import { Job, Pending } from "./layout.ts";
import type { World } from "./world.ts";

/** The pointer of a pending checkpoint is written. */
export function keepUncertain(world: World, row: number): void {
  const { uncertain, pendingSize } = world.layout;
  for (let field = 0; field < pendingSize; field++) world.setJob(uncertain + field, world.pending(row, field));
  world.setJob(Job.uncertain, 1);
}

/** Can nobody tell whether the pointer of this checkpoint is written? */
export function isUncertain(world: World, checkpoint: number): boolean {
  return world.job(Job.uncertain) === 1 && world.job(world.layout.uncertain + Pending.id) === checkpoint;
}

/**
 * Whoever reads the store finds it, if it is the newest there; so the leader had time to subsume what was before it, and
 * there is room. Gives its id; 0: there is none.
 */
export function findUncertain(world: World): number {
  const { uncertain, completed, pendingSize } = world.layout;
  const count = world.job(Job.completed);
  const id = world.job(Job.uncertain) === 0 ? 0 : world.job(uncertain + Pending.id);
  world.setJob(Job.uncertain, 0);
  if (id === 0 || (count > 0 && world.completed(count - 1, Pending.id) > id)) return 0;
  for (let field = 0; field < pendingSize; field++)
    world.setJob(completed + count * pendingSize + field, world.job(uncertain + field));
  world.setJob(Job.completed, count + 1);
  return id;
}
