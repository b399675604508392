/**
 * How operator state is dealt out when the parallelism changes (`RoundRobinOperatorStateRepartitioner`; CP-180 to CP-182).
 */
import { at } from "../base/assert.ts";

/** `split`: each element goes to one subtask; `union`: all go to all; `broadcast`: all subtasks have the same. */
export type Distribution = "split" | "union" | "broadcast";

/** One state of an operator, by old subtask its elements; of a broadcast state a subtask's copy is one element. */
export interface ListState<T> {
  readonly name: string;
  readonly distribution: Distribution;
  readonly elements: readonly (readonly T[])[];
}

/** By state, in the order of their names (Flink's is that of a hash map), and by new subtask: its elements. */
export function repartition<T>(states: readonly ListState<T>[], parallelism: number): Map<string, T[][]> {
  const dealt = new Map<string, T[][]>();
  let start = 0;
  for (const { name, distribution, elements } of states.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const same = elements.length === parallelism;
    const all = elements.flat();
    if (distribution === "union") {
      dealt.set(
        name,
        Array.from({ length: parallelism }, () => all),
      );
    } else if (same) {
      dealt.set(
        name,
        elements.map((list) => [...list]),
      );
    } else if (distribution === "broadcast") {
      dealt.set(
        name,
        Array.from({ length: parallelism }, (_, subtask) => [...at(elements, subtask % elements.length)]),
      );
    } else {
      dealt.set(name, split(all, parallelism, start));
      start = (start + (all.length % parallelism)) % parallelism;
    }
  }
  return dealt;
}

/** Consecutive runs, from subtask `start` on in turn; the first that are visited get one element more where some are over. */
function split<T>(elements: readonly T[], parallelism: number, start: number): T[][] {
  const runs: T[][] = Array.from({ length: parallelism }, () => []);
  const [each, over] = [Math.floor(elements.length / parallelism), elements.length % parallelism];
  let from = 0;
  for (let turn = 0; turn < parallelism; turn++) {
    const length = each + (turn < over ? 1 : 0);
    runs[(start + turn) % parallelism] = elements.slice(from, from + length);
    from += length;
  }
  return runs;
}
