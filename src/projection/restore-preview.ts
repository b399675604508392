/**
 * What would become of a snapshot if a job were started from it, before anybody does so: which operators find their state,
 * which lose it, why the job would not start, and what would be read again (CP-172, CP-178, FR-116). Told by the view
 * alone; the engine asks the same (`scenario/restore-check.ts`).
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { type JobVertex, canRewind, isSource } from "../protocol/job-graph.ts";
import { isSink, traitsOf } from "../protocol/sinks.ts";
import { operatorIds } from "../scenario/operator-ids.ts";
import { type RestoreCheck, type SnapshotSummary, checkRestore } from "../scenario/restore-check.ts";
import { type Shared, isStateful } from "./shared.ts";
import type { CheckpointView, RunView, SnapshotView } from "./views.ts";

/** `checkpoint`: one whose contents the view still has; `null`: it has not. `graph`: that of the job to start. */
export function restorePreview(
  view: RunView,
  checkpoint: number,
  graph: ExecutionGraph,
  options: { readonly maximumIsSet: boolean; readonly allowNonRestoredState: boolean },
): RestoreCheck | null {
  const found = view.checkpoints.findLast(({ id }) => id === checkpoint);
  if (found === undefined || found.parts.every((part) => part?.contents === null)) return null;
  const furthest = graph.inputs.map(({ index }) =>
    Math.max(0, ...view.inputs.filter(({ partition }) => partition === index).map((input) => input.furthest)),
  );
  return checkRestore(summaryOf(view.shared, found), { graph, furthest, ...options });
}

function summaryOf(shared: Shared, { parts }: CheckpointView): SnapshotSummary {
  const { graph } = shared;
  const ids = operatorIds(graph);
  const offsets = graph.inputs.map(() => -1);
  shared.splits.forEach((splits, subtask) =>
    splits.forEach((partition, split) => {
      if (canRewind(headOf(graph, subtask)))
        offsets[partition] = Math.max(at(offsets, partition), parts[subtask]?.contents?.positions[split] ?? -1);
    }),
  );
  const inFlight = parts.flatMap((part) =>
    (part?.inFlight ?? []).map(({ channel }) => {
      const { fromOperator, toOperator } = at(graph.edges, at(graph.channels, channel).edge);
      return [at(ids, fromOperator), at(ids, toOperator)] as const;
    }),
  );
  return {
    operators: graph.operators.map(({ index, vertex, taskVertex }) => {
      const { subtasks, maxParallelism } = at(graph.vertices, taskVertex);
      return {
        id: at(ids, index),
        uid: vertex.uid,
        maxParallelism,
        hasState: subtasks.some((subtask) => hasState(shared, index, parts[subtask] ?? null)),
        finished: subtasks.every((subtask) => parts[subtask]?.finished === true),
      };
    }),
    inFlight,
    offsets,
  };
}

function headOf(graph: ExecutionGraph, subtask: number): JobVertex {
  const [head] = at(graph.vertices, at(graph.subtasks, subtask).taskVertex).operators;
  return at(graph.operators, head ?? 0).vertex;
}

/** A counter and an exactly-once sink have an element in each subtask's state, whatever is in it. */
function hasState({ graph }: Shared, operator: number, part: SnapshotView | null): boolean {
  const { vertex } = at(graph.operators, operator);
  if (part?.contents === undefined || part.contents === null) return false;
  if (isSource(vertex)) return canRewind(vertex) && part.contents.positions.length > 0;
  if (isSink(vertex)) return traitsOf(vertex).commits === "when-complete";
  if (!isStateful(graph, operator)) return false;
  const state = part.contents.operators.find((known) => known.operator === operator);
  return vertex.type === "map" || state?.counts.some((count) => count > 0) === true;
}
