/**
 * Who is cut off from whom (the contract's `partition`; FR-023 to FR-025). What cuts and heals, and what becomes of what is
 * sent meanwhile, is `cutting.ts`, which few runs need.
 */
import { at } from "../base/assert.ts";
import { hostOf } from "./host.ts";
import type { Kernel } from "./kernel.ts";
import { Cut } from "./layout.ts";

/** The ends of a cut: these, then the TaskManagers. A channel that is stalled by itself is both ends of one, behind them. */
export const Node = { jobManager: 0, kafka: 1, storage: 2, firstTaskManager: 3 } as const;

/** Where a subtask runs; `-1`: nowhere. */
export function nodeOf(k: Kernel, task: number): number {
  const taskManager = hostOf(k, task);
  return taskManager < 0 ? -1 : Node.firstTaskManager + taskManager;
}

/** Since when two ends have not heard of each other; `-1`: they do. */
function cutSince(k: Kernel, a: number, b: number): number {
  const { cuts } = k.world;
  for (let row = 0; row < cuts.count; row++) {
    const [from, to] = [cuts.get(row, Cut.a), cuts.get(row, Cut.b)];
    if (joins(from, to, a, b)) return cuts.get(row, Cut.since);
    if (from === Node.kafka && to === Node.kafka && (a === from || b === from)) return cuts.get(row, Cut.since);
  }
  return -1;
}

export function joins(from: number, to: number, a: number, b: number): boolean {
  return (from === a && to === b) || (from === b && to === a);
}

export function isCut(k: Kernel, a: number, b: number): boolean {
  return k.world.cuts.count > 0 && cutSince(k, a, b) >= 0;
}

/** Does a subtask hear nothing of this end? */
export function isCutOff(k: Kernel, task: number, node: number): boolean {
  return k.world.cuts.count > 0 && cutSince(k, nodeOf(k, task), node) >= 0;
}

/** Has what would arrive at this time on a channel not arrived, because its ends are cut off from each other? */
export function isHeldBack(k: Kernel, channel: number, arrival: number): boolean {
  if (k.world.cuts.count === 0) return false;
  const { from, to } = at(k.plan.graph.channels, channel);
  const own = cutSince(k, nodeOfChannel(k, channel), nodeOfChannel(k, channel));
  const since = own >= 0 ? own : cutSince(k, nodeOf(k, from), nodeOf(k, to));
  return since >= 0 && arrival > since;
}

export function nodeOfChannel(k: Kernel, channel: number): number {
  return Node.firstTaskManager + k.plan.graph.taskManagers.length + channel;
}
