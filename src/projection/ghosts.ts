/**
 * State that failures took from a subtask and that replay has not brought back yet: what it had before, as long as it has
 * less (FR-082, FR-085). An attempt that ends before it has caught up adds nothing: what the one before had still counts.
 * Behind the end of its thread all of it is missing. Told from the view alone; an end with the job is told like a failure.
 */
import { at } from "../base/assert.ts";
import { isKeyed } from "../protocol/job-graph.ts";
import type { Shared } from "./shared.ts";
import type { RunView } from "./views.ts";

/** A number before the failure, and what it is now; `null`: there is none. */
export interface Ghost {
  readonly before: number;
  readonly now: number | null;
}

export interface Ghosts {
  /** By stateful operator of the chain and key; a counter has the key -1. */
  readonly values: readonly (Ghost & { readonly operator: number; readonly key: number })[];
  /** By split of the subtask: next offsets. */
  readonly positions: readonly (Ghost & { readonly split: number })[];
}

export function ghostsOf(view: RunView, subtask: number): Ghosts | null {
  const node = at(view.subtasks, subtask);
  const gone = node.thread === "ended" && node.ending !== "FINISHED";
  const { held, lost } = node;
  if (lost === null || node.finishedOnRestore) return null;
  const values = lost.operators.flatMap(({ operator, values: before, counts }, place) => {
    const now = at(held.operators, place);
    return [...counts].flatMap((count, key) => {
      const there = gone ? 0 : at(now.counts, key);
      if (count <= there) return [];
      const shown = there > 0 ? at(now.values, key) : null;
      return [{ operator, key: keyOf(view.shared, operator, key), before: at(before, key), now: shown }];
    });
  });
  const positions = lost.positions.flatMap((before, split) => {
    const now = gone ? null : at(held.positions, split);
    return now !== null && now >= before ? [] : [{ split, before, now }];
  });
  return values.length + positions.length === 0 ? null : { values, positions };
}

function keyOf({ graph }: Shared, operator: number, key: number): number {
  return isKeyed(at(graph.operators, operator).vertex) ? key : -1;
}
