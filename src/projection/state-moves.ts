/**
 * Where each piece of a snapshot's state goes when a job starts from it: key groups by their ranges, a source's splits and
 * the elements of list state one by one (`StateAssignmentOperation`; CP-175 to CP-180). With the parallelism as it was
 * everything goes to the subtask of the same number. Records in flight are not among them.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph, TaskVertex } from "../protocol/execution-graph.ts";
import { canRewind, isSource } from "../protocol/job-graph.ts";
import { keyGroupRange } from "../protocol/key-groups.ts";
import { isSink, traitsOf } from "../protocol/sinks.ts";
import { dealtOut, matchedOperators } from "../scenario/state-mapping.ts";
import { type Shared, isStateful } from "./shared.ts";
import type { RunView } from "./views.ts";

/** One piece of an operator's state. Subtasks by their numbers within it: the old job's, and the new one's. */
export interface StateMove {
  /** `element`: of list state, a counter's or what a committer holds. */
  readonly kind: "key-groups" | "split" | "element";
  /** The new job's. */
  readonly operator: number;
  readonly from: number;
  readonly to: number;
  /** Key groups, both included; of a split its partition, twice; of an element `-1`. */
  readonly first: number;
  readonly last: number;
}

/**
 * Has each subtask of it an element of list state, whatever is in that? A counter has, and a sink that commits later or
 * keeps a write-ahead log.
 */
export function keepsElements(graph: ExecutionGraph, operator: number): boolean {
  const { vertex } = at(graph.operators, operator);
  if (!isSink(vertex)) return vertex.type === "map" && isStateful(graph, operator);
  return vertex.type === "write-ahead-log-sink" || traitsOf(vertex).commits === "when-complete";
}

/** By operator, of each by new subtask. */
export function stateMoves(from: Shared, graph: ExecutionGraph): StateMove[] {
  const matched = matchedOperators(from.graph, graph);
  return graph.operators.flatMap(({ index, vertex }) => {
    const old = from.graph.operators[at(matched, index)];
    if (old === undefined || old.vertex.type !== vertex.type) return [];
    const before = at(from.graph.vertices, old.taskVertex);
    if (isSource(vertex)) return canRewind(vertex) ? splitMoves(from, before, graph, index) : [];
    if (keepsElements(graph, index)) return elementMoves(before, graph, index);
    return isStateful(graph, index) ? keyMoves(before, graph, index) : [];
  });
}

function splitMoves(from: Shared, before: TaskVertex, graph: ExecutionGraph, operator: number): StateMove[] {
  const readers = at(graph.readers, graph.sources.indexOf(operator));
  return before.subtasks
    .flatMap((subtask, number) =>
      at(from.splits, subtask).map((partition): StateMove => ({
        kind: "split",
        operator,
        from: number,
        to: at(readers, partition),
        first: partition,
        last: partition,
      })),
    )
    .toSorted((a, b) => a.to - b.to || a.first - b.first);
}

function elementMoves(before: TaskVertex, graph: ExecutionGraph, operator: number): StateMove[] {
  const { parallelism } = at(graph.vertices, at(graph.operators, operator).taskVertex);
  return dealtOut([...before.subtasks.keys()], parallelism).flatMap((olds, to) =>
    olds.map((from): StateMove => ({ kind: "element", operator, from, to, first: -1, last: -1 })),
  );
}

function keyMoves(before: TaskVertex, graph: ExecutionGraph, operator: number): StateMove[] {
  const after = at(graph.vertices, at(graph.operators, operator).taskVertex);
  const ranges = ({ maxParallelism, parallelism, subtasks }: TaskVertex): (readonly [number, number])[] =>
    subtasks.map((_, number) => keyGroupRange(number, maxParallelism, parallelism));
  return ranges(after).flatMap(([low, high], to) =>
    ranges(before).flatMap(([begin, end], from): StateMove[] => {
      const [first, last] = [Math.max(low, begin), Math.min(high, end)];
      return first > last ? [] : [{ kind: "key-groups", operator, from, to, first, last }];
    }),
  );
}

const known = new WeakMap<Shared, readonly StateMove[]>();

/** What a job was given when it was submitted; nothing where it started without state. `job`: the run's jobs by number. */
export function movesInto(shared: Shared, job: (submission: number) => Shared | undefined): readonly StateMove[] {
  const made = known.get(shared);
  if (made !== undefined) return made;
  const from = shared.origin === null ? undefined : job(shared.origin.submission);
  const moves = from === undefined ? [] : stateMoves(from, shared.graph);
  known.set(shared, moves);
  return moves;
}

/** What one of its subtasks was given. */
export function movesTo({ shared, past }: Pick<RunView, "shared" | "past">, subtask: number): readonly StateMove[] {
  return toSubtask(
    shared,
    movesInto(shared, (submission) => past[submission]?.shared),
    subtask,
  );
}

export function toSubtask({ graph }: Shared, moves: readonly StateMove[], subtask: number): readonly StateMove[] {
  const { taskVertex, number } = at(graph.subtasks, subtask);
  const { operators } = at(graph.vertices, taskVertex);
  return moves.filter(({ to, operator }) => to === number && operators.includes(operator));
}

/** Whose a piece was: `total[0]`. */
export function ownerBefore({ graph }: Shared, { operator, from }: StateMove): string {
  return `${at(graph.operators, operator).vertex.uid}[${from}]`;
}

/** Its key groups or its partition; `null`: it is an element of list state. */
export function pieceName({ inputs }: ExecutionGraph, { kind, first, last }: StateMove): string | null {
  if (kind === "element") return null;
  return kind === "split" ? at(inputs, first).name : first === last ? String(first) : `${first}–${last}`;
}
