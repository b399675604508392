/** Which input partitions are whose. */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";

/** The input partitions that a subtask owns, in the order of its state. */
export function splitsOf(k: Kernel, task: number): readonly number[] {
  const source = k.plan.source[task] as number;
  return source < 0 ? [] : at(at(k.plan.operators, source).splits, at(k.plan.graph.subtasks, task).number);
}
