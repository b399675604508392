/**
 * How subtasks and vertices spend their time, and who holds whom back, as the stage shows it. Figures that change with
 * every step are apart from what is shown of a subtask besides, so that a card is not painted anew for them.
 */
import { at } from "../../base/assert.ts";
import { type LoadShares, type SubtaskLoad, levelOf } from "../../projection/backpressure.ts";
import type { RunView } from "../../projection/views.ts";
import type { LoadFrame, VertexLoadFrame } from "./frame-types.ts";

/** By subtask; `null`: it has not run. */
export function loadFrames(view: RunView, loads: readonly SubtaskLoad[]): (LoadFrame | null)[] {
  const names = (subtasks: readonly number[]): string[] =>
    subtasks.map((subtask) => at(view.shared.graph.subtasks, subtask).name);
  return loads.map(({ shares, level, holds, heldBy }) =>
    shares === null ? null : { level, holds: names(holds), heldBy: names(heldBy) },
  );
}

/** Vertices that have run: the largest figures, as Flink's job graph shows them. */
export function vertexLoads(view: RunView, loads: readonly SubtaskLoad[]): VertexLoadFrame[] {
  return view.shared.graph.vertices.flatMap(({ index, subtasks }) => {
    const worst = worstOf(subtasks, loads);
    if (worst === null) return [];
    return [
      {
        id: index,
        busy: Math.max(...subtasks.map((subtask) => at(loads, subtask).shares?.busy ?? 0)),
        backpressured: worst.backpressured,
        level: levelOf(worst.backpressured),
        cause: subtasks.some((subtask) => at(loads, subtask).holds.length > 0),
      },
    ];
  });
}

/** Shares of the subtask that is held back most, or else works most. */
function worstOf(subtasks: readonly number[], loads: readonly SubtaskLoad[]): LoadShares | null {
  const [worst] = subtasks
    .flatMap((subtask) => at(loads, subtask).shares ?? [])
    .toSorted((a, b) => b.backpressured - a.backpressured || b.busy - a.busy);
  return worst ?? null;
}

/** Percents between two tints that an eye can tell apart. */
const TINTS = 10;

export function tintOf(subtasks: readonly number[], loads: readonly SubtaskLoad[]): LoadShares | null {
  const worst = worstOf(subtasks, loads);
  if (worst === null) return null;
  const backpressured = Math.round(worst.backpressured / TINTS) * TINTS;
  const busy = Math.min(100 - backpressured, Math.round(worst.busy / TINTS) * TINTS);
  return { busy, backpressured, idle: 100 - backpressured - busy };
}
