/** Durations of the model that the log leaves to be told from the scenario. */
import { at } from "../base/assert.ts";
import { isSink, writeDelay } from "../protocol/sinks.ts";
import type { Shared } from "./shared.ts";

/** Milliseconds of a subtask's synchronous or asynchronous part of a checkpoint: the first override that fits. */
export function snapshotDuration(
  { scenario: { timing }, graph }: Shared,
  subtask: number,
  checkpoint: number,
  part: "snapshotSync" | "snapshotAsync",
): number {
  if (timing.overrides.length === 0) return timing[part];
  const { taskVertex, number } = at(graph.subtasks, subtask);
  const { uid } = at(graph.vertices, taskVertex);
  const found = timing.overrides.find(
    (override) =>
      override.vertex === uid &&
      (override.index ?? number) === number &&
      (override.checkpoint ?? checkpoint) === checkpoint &&
      override[part] !== null,
  );
  return found?.[part] ?? timing[part];
}

/** Milliseconds from a sink's hand to the log, where nothing flushes earlier. */
export function writeDuration({ scenario: { timing }, graph }: Shared, operator: number): number {
  const { vertex } = at(graph.operators, operator);
  return isSink(vertex) ? writeDelay(vertex, timing.network) : 0;
}
