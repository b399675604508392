/**
 * Backpressure as Flink tells it (`JobVertexBackPressureHandler`): shares of a thread's time, a level, and, beyond Flink,
 * who holds whom back. The cause is the first subtask down the stream that is busy and could send: those before it wait
 * for it.
 */
import { at } from "../base/assert.ts";
import { loadOf } from "./loads.ts";
import type { RunView } from "./views.ts";

export type BackpressureLevel = "OK" | "LOW" | "HIGH";

/** Whole percents that add up to 100. */
export interface LoadShares {
  readonly busy: number;
  readonly backpressured: number;
  readonly idle: number;
}

export interface SubtaskLoad {
  /** `null`: it has not run in the window. */
  readonly shares: LoadShares | null;
  readonly level: BackpressureLevel;
  /** Subtasks before it that are backpressured because of it: it is the cause. */
  readonly holds: readonly number[];
  /** The causes that keep it from sending: it is a victim. */
  readonly heldBy: readonly number[];
}

/** More of its time than this a cause works. */
const BUSY = 50;

/** Of percents that were not rounded yet. */
export function levelOf(percent: number): BackpressureLevel {
  if (percent <= 10) return "OK";
  return percent <= 50 ? "LOW" : "HIGH";
}

export function subtaskLoads(view: RunView): SubtaskLoad[] {
  const { subtasks, channels } = view.shared.graph;
  const measured = subtasks.map(({ index }) => measure(view, index));
  const holds: number[][] = subtasks.map(() => []);
  const heldBy: number[][] = subtasks.map(() => []);
  const causesOf = (subtask: number): number[] => {
    const found = new Set<number>();
    const seen = new Set([subtask]);
    const waiting = [subtask];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const channel of at(subtasks, next).outputs) {
        const { to } = at(channels, channel);
        if (seen.has(to)) continue;
        seen.add(to);
        const { level, shares } = at(measured, to);
        if (level !== "OK") waiting.push(to);
        else if (shares !== null && shares.busy > BUSY) found.add(to);
      }
    }
    return [...found].sort((a, b) => a - b);
  };
  measured.forEach(({ level }, subtask) => {
    if (level === "OK") return;
    const causes = causesOf(subtask);
    heldBy[subtask] = causes;
    for (const cause of causes) at(holds, cause).push(subtask);
  });
  return measured.map((own, subtask) => ({ ...own, holds: at(holds, subtask), heldBy: at(heldBy, subtask) }));
}

function measure(view: RunView, subtask: number): Pick<SubtaskLoad, "shares" | "level"> {
  const { busy, backpressured, idle } = loadOf(view, subtask);
  const total = busy + backpressured + idle;
  if (total === 0) return { shares: null, level: "OK" };
  const held = Math.round((backpressured * 100) / total);
  const works = Math.min(100 - held, Math.round((busy * 100) / total));
  return {
    shares: { busy: works, backpressured: held, idle: 100 - held - works },
    level: levelOf((backpressured * 100) / total),
  };
}
