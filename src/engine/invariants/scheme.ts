/** Who has what in a job, worked out for the invariants from its graph alone: splits by reader, key groups by owner. */
import { isKeyed } from "../../protocol/job-graph.ts";
import { at } from "../../base/assert.ts";
import { javaHash, keyGroup, keyGroupRange } from "../../protocol/key-groups.ts";
import type { Plan } from "../plan.ts";

/** What does not change in a run: each task's splits in the order of its state, and each key's owner by operator. */
export interface Scheme {
  /** A split's row is its source's place among sources times the number of input partitions, plus its partition. */
  readonly splits: readonly (readonly number[])[];
  readonly owners: readonly (Int32Array | null)[];
}

const schemes = new WeakMap<Plan, Scheme>();

export function schemeOf(plan: Plan): Scheme {
  const known = schemes.get(plan);
  if (known !== undefined) return known;
  const { graph } = plan;
  const splits = graph.subtasks.map(({ taskVertex, number }) => {
    const source = graph.sources.indexOf(at(at(graph.vertices, taskVertex).operators, 0));
    if (source < 0) return [];
    return at(graph.readers, source).flatMap((reader, partition) =>
      reader === number ? [source * graph.inputs.length + partition] : [],
    );
  });
  const owners = graph.operators.map(({ vertex, taskVertex }) => {
    if (!isKeyed(vertex)) return null;
    const { maxParallelism, parallelism } = at(graph.vertices, taskVertex);
    const ranges = Array.from({ length: parallelism }, (_, subtask) =>
      keyGroupRange(subtask, maxParallelism, parallelism),
    );
    return Int32Array.from(graph.keys, (key) => {
      const group = keyGroup(javaHash(key), maxParallelism);
      return ranges.findIndex(([first, last]) => group >= first && group <= last);
    });
  });
  const scheme: Scheme = { splits, owners };
  schemes.set(plan, scheme);
  return scheme;
}
