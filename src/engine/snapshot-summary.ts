/** What a snapshot holds by operator, for whoever asks what would become of it (`scenario/restore-check.ts`). */
import { at } from "../base/assert.ts";
import { operatorIds } from "../scenario/operator-ids.ts";
import type { SnapshotSummary } from "../scenario/restore-check.ts";
import type { Arena } from "./arena.ts";
import { handleOf, isFinishedWord } from "./checkpoint-plan.ts";
import type { Stored } from "./shelf.ts";
import { NOT_HERE } from "./sources/positions.ts";

export function snapshotSummary(arena: Arena, { plan, words }: Stored): SnapshotSummary {
  const { graph } = plan;
  const ids = operatorIds(graph);
  const subtasksOf = (operator: number): readonly number[] =>
    at(graph.vertices, at(graph.operators, operator).taskVertex).subtasks;
  const stateOf = (subtask: number): readonly number[] => arena.sequences.toArray(handleOf(at(words, subtask)));
  const offsets = graph.inputs.map(() => -1);
  for (const operator of graph.sources) {
    const { splits, state } = at(plan.operators, operator);
    subtasksOf(operator).forEach((subtask, number) =>
      at(splits, number).forEach((partition, place) => {
        offsets[partition] = Math.max(at(offsets, partition), at(stateOf(subtask), state + place));
      }),
    );
  }
  const inFlight = graph.channels.filter(({ index, from, to }) =>
    [from, to].some((subtask) => {
      const { inputs, outputs } = at(graph.subtasks, subtask);
      const place = inputs.includes(index) ? inputs.indexOf(index) : inputs.length + outputs.indexOf(index);
      return (stateOf(subtask)[(plan.stateSize[subtask] as number) + place] ?? 0) !== 0;
    }),
  );
  return {
    operators: graph.operators.map(({ index, vertex, taskVertex }) => ({
      id: at(ids, index),
      uid: vertex.uid,
      maxParallelism: at(graph.vertices, taskVertex).maxParallelism,
      hasState: subtasksOf(index).some((subtask) => hasState(plan, index, subtask, stateOf(subtask))),
      finished: subtasksOf(index).every((subtask) => isFinishedWord(at(words, subtask))),
    })),
    inFlight: inFlight.map(({ edge }) => {
      const { fromOperator, toOperator } = at(graph.edges, edge);
      return [at(ids, fromOperator), at(ids, toOperator)] as const;
    }),
    offsets,
  };
}

/** A counter, an exactly-once sink and the committer of any Kafka sink have an element in each subtask's state, whatever is in it. */
function hasState(plan: Stored["plan"], operator: number, subtask: number, words: readonly number[]): boolean {
  const { kind, state, splits, sink, keyOwner } = at(plan.operators, operator);
  const { number } = at(plan.graph.subtasks, subtask);
  if (kind === "counter") return true;
  if (sink?.kind === "writeAheadLog" || kind === "committer") return true;
  if (sink?.kind === "tableWriter") return false;
  if (kind === "sink") return sink?.guarantee === "exactly-once" || sink?.store === "log";
  if (kind === "source") return at(splits, number).some((_, place) => at(words, state + place) !== NOT_HERE);
  const keys = keyOwner.filter((owner) => owner === number).length;
  return Array.from({ length: keys }, (_, key) => at(words, state + 2 * key + 1)).some((list) => list !== 0);
}
