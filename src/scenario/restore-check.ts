/**
 * What would become of a snapshot if a job were started from it (`Checkpoints.loadAndValidateCheckpoint`,
 * `StateAssignmentOperation.checkParallelismPreconditions`; CP-172, CP-178, FR-116): the engine asks it before it restores,
 * and whoever wants to know beforehand may ask it too. Nothing is changed by asking.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { RestoreRefusal } from "../protocol/reasons.ts";
import { operatorIds } from "./operator-ids.ts";

/** One operator in a snapshot. */
export interface StoredOperator {
  readonly id: string;
  readonly uid: string;
  readonly maxParallelism: number;
  readonly hasState: boolean;
  /** Had all its subtasks finished (CP-194)? */
  readonly finished: boolean;
}

/** What a snapshot holds, as far as it decides whether a job can start from it. */
export interface SnapshotSummary {
  readonly operators: readonly StoredOperator[];
  /** Pairs of operator ids between which it has records in flight. */
  readonly inFlight: readonly (readonly [from: string, to: string])[];
  /** By input partition: the next offset that a source has; `-1`: none has it. */
  readonly offsets: readonly number[];
}

/** `new`: the snapshot knows nothing of it, so it starts empty; `dropped`: its state is left out; `gone`: it had none. */
export type OperatorFate = "restored" | "new" | "dropped" | "gone" | "refused";

export interface RestoreCheck {
  readonly operators: readonly { readonly uid: string; readonly fate: OperatorFate }[];
  /** The first reason for which the job does not start. */
  readonly refusal: { readonly reason: RestoreRefusal; readonly uid: string } | null;
  /** Where each input partition is read on, and how many of its records are read again. */
  readonly offsets: readonly { readonly partition: string; readonly offset: number; readonly readAgain: number }[];
}

export interface Restoring {
  /** The job to start. */
  readonly graph: ExecutionGraph;
  /** Is its maximum parallelism set? Else the snapshot's is taken. */
  readonly maximumIsSet: boolean;
  readonly allowNonRestoredState: boolean;
  /** By input partition: the end of what was ever read of it. */
  readonly furthest: readonly number[];
}

export function checkRestore(snapshot: SnapshotSummary, restoring: Restoring): RestoreCheck {
  const { graph, furthest } = restoring;
  const ids = operatorIds(graph);
  const known = new Set(snapshot.operators.map(({ id }) => id));
  const judged = snapshot.operators.map((stored) => ({ uid: stored.uid, ...judge(stored, ids, restoring) }));
  const read = new Set(
    ids.flatMap((id, index) => (known.has(id) && graph.sources.includes(index) ? [graph.sources.indexOf(index)] : [])),
  );
  const refused = judged.find(({ reason }) => reason !== null);
  return {
    operators: [
      ...judged.map(({ uid, fate }) => ({ uid, fate })),
      ...ids.flatMap((id, index) =>
        known.has(id) ? [] : [{ uid: at(graph.operators, index).vertex.uid, fate: "new" as const }],
      ),
    ],
    refusal:
      refused?.reason === undefined || refused.reason === null
        ? misplaced(snapshot, graph, ids)
        : { reason: refused.reason, uid: refused.uid },
    offsets: graph.inputs.map(({ index, name }) => {
      const stored = [...read].some((source) => at(at(graph.readers, source), index) >= 0);
      const offset = stored ? Math.max(0, at(snapshot.offsets, index)) : 0;
      return { partition: name, offset, readAgain: Math.max(0, at(furthest, index) - offset) };
    }),
  };
}

function judge(
  { id, maxParallelism, hasState }: StoredOperator,
  ids: readonly string[],
  { graph, maximumIsSet, allowNonRestoredState }: Restoring,
): { fate: OperatorFate; reason: RestoreRefusal | null } {
  const operator = graph.operators[ids.indexOf(id)];
  if (operator === undefined) {
    if (hasState && !allowNonRestoredState) return { fate: "refused", reason: "OPERATOR_MISSING" };
    return { fate: hasState ? "dropped" : "gone", reason: null };
  }
  const vertex = at(graph.vertices, operator.taskVertex);
  if (maximumIsSet && vertex.maxParallelism !== maxParallelism)
    return { fate: "refused", reason: "MAX_PARALLELISM_CHANGED" };
  if (vertex.parallelism > maxParallelism) return { fate: "refused", reason: "PARALLELISM_ABOVE_MAXIMUM" };
  return { fate: "restored", reason: null };
}

/** CP-090: records in flight need the channel that they were on. CP-196: what had finished needs finished producers. */
function misplaced(snapshot: SnapshotSummary, graph: ExecutionGraph, ids: readonly string[]): RestoreCheck["refusal"] {
  const uidOf = (id: string): string => snapshot.operators.find((stored) => stored.id === id)?.uid ?? id;
  const joined = (from: string, to: string): boolean =>
    graph.edges.some((edge) => ids[edge.fromOperator] === from && ids[edge.toOperator] === to);
  const lost = snapshot.inFlight.find(([from, to]) => !joined(from, to));
  if (lost !== undefined) return { reason: "CHANNEL_STATE_WITHOUT_CHANNEL", uid: uidOf(lost[1]) };
  const finished = new Set(snapshot.operators.flatMap((stored) => (stored.finished ? [stored.id] : [])));
  const behind = graph.edges.find(
    (edge) => finished.has(at(ids, edge.toOperator)) && !finished.has(at(ids, edge.fromOperator)),
  );
  return behind === undefined ? null : { reason: "FINISHED_BEHIND_UNFINISHED", uid: uidOf(at(ids, behind.toOperator)) };
}
