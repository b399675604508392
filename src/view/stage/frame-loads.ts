/** How subtasks and vertices spend their time, and who holds whom back, as the stage shows it. */
import { at } from "../../base/assert.ts";
import { levelOf, subtaskLoads } from "../../projection/backpressure.ts";
import type { RunView } from "../../projection/views.ts";
import type { LoadFrame, VertexLoad } from "./frame-types.ts";

/** By subtask; `null`: it has not run. */
export function loadFrames(view: RunView): (LoadFrame | null)[] {
  const names = (subtasks: readonly number[]): string[] =>
    subtasks.map((subtask) => at(view.shared.graph.subtasks, subtask).name);
  return subtaskLoads(view).map(({ shares, level, holds, heldBy }) =>
    shares === null ? null : { ...shares, level, holds: names(holds), heldBy: names(heldBy) },
  );
}

/** The largest figures, as Flink's job graph shows them. */
export function vertexLoad(loads: readonly LoadFrame[]): VertexLoad | null {
  const [worst] = loads.toSorted((a, b) => b.backpressured - a.backpressured || b.busy - a.busy);
  if (worst === undefined) return null;
  return {
    busy: Math.max(...loads.map(({ busy }) => busy)),
    backpressured: worst.backpressured,
    level: levelOf(worst.backpressured),
    cause: loads.some(({ holds }) => holds.length > 0),
    worst: { busy: worst.busy, backpressured: worst.backpressured, idle: worst.idle },
  };
}
