/**
 * What would become of a snapshot if a job were started from it, before anybody does so: which operators find their state,
 * which lose it, why the job would not start, what would be read again, and where each piece of state would go (CP-172,
 * CP-175 to CP-180, FR-115, FR-116). Told by the view alone; the engine asks the same (`scenario/restore-check.ts`).
 *
 * For a job that is stopped with a savepoint first, the savepoint is taken to hold what the job holds now: it will hold that
 * or more, and nothing is read again.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { type JobVertex, canRewind, isSource } from "../protocol/job-graph.ts";
import type { RestoreRefusal } from "../protocol/reasons.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { operatorIds } from "../scenario/operator-ids.ts";
import { type RestoreCheck, type SnapshotSummary, checkRestore } from "../scenario/restore-check.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { matchedOperators, readersAfter } from "../scenario/state-mapping.ts";
import type { Shared } from "./shared.ts";
import { type StoredSnapshot, contentsOf } from "./shelf.ts";
import { type StateMove, keepsElements, stateMoves } from "./state-moves.ts";
import type { RunView, SnapshotView } from "./views.ts";

export interface RestorePreview extends RestoreCheck {
  /** The job to start, and the one whose state it takes; `null`: no state is found. */
  readonly graph: ExecutionGraph;
  readonly from: ExecutionGraph | null;
  readonly moves: readonly StateMove[];
  /** Records in flight that are put into channels again. */
  readonly inFlight: number;
  /** Slots that it needs, and those that the TaskManagers have which the JobManager knows (FR-035). */
  readonly slots: { readonly needed: number; readonly there: number };
}

/** `now`: a savepoint that is taken now; `null`: no state at all. */
export type PreviewFrom = StoredSnapshot | "now" | null;

export interface PreviewOptions extends Pick<Command, "submission" | "allowNonRestoredState"> {
  /** Storage is not there: nobody can read metadata. */
  readonly storageIsDown?: boolean;
}

export function restorePreview(view: RunView, snapshot: PreviewFrom, options: PreviewOptions): RestorePreview {
  const scenario: Scenario = { ...view.shared.scenario, ...options.submission };
  const before = view.shared.graph;
  const unread = snapshot === null || snapshot === "now" ? null : whyNotRead(view, snapshot, options);
  const stored = snapshot === null || unread !== null ? null : partsOf(view, snapshot);
  const draft = executionGraph(scenario, { graph: before, readers: stored === null ? null : [] });
  const furthest = draft.inputs.map(({ index }) =>
    Math.max(0, ...view.inputs.filter(({ partition }) => partition === index).map((input) => input.furthest)),
  );
  const graph = stored === null ? draft : { ...draft, readers: readersOf(stored.shared, draft) };
  const check = checkRestore(stored === null ? nothingIn(graph) : summaryOf(stored), {
    graph,
    maximumIsSet: scenario.job.maxParallelism !== null,
    allowNonRestoredState: options.allowNonRestoredState === true,
    furthest,
  });
  const refusal = unread === null ? check.refusal : { reason: unread, uid: "" };
  return {
    ...check,
    refusal,
    graph,
    from: stored?.shared.graph ?? null,
    moves: stored === null || refusal !== null ? [] : stateMoves(stored.shared, graph),
    slots: {
      needed: graph.slots.length,
      there: scenario.cluster.slots * view.taskManagers.filter(({ registered }) => registered).length,
    },
    inFlight: (stored?.parts ?? []).reduce((sum, part) => sum + (part?.inFlight.length ?? 0), 0),
  };
}

/** FR-115: it is gone, or its metadata cannot be read. */
function whyNotRead(
  view: RunView,
  snapshot: StoredSnapshot,
  { storageIsDown = false }: PreviewOptions,
): RestoreRefusal | null {
  if (snapshot.deletedAt >= 0 || contentsOf(snapshot, view) === null) return "NO_SUCH_SNAPSHOT";
  return snapshot.damage === "all" || storageIsDown ? "METADATA_NOT_READABLE" : null;
}

interface Parts {
  readonly shared: Shared;
  readonly parts: readonly (Pick<SnapshotView, "contents" | "finished" | "inFlight"> | null)[];
}

function partsOf(view: RunView, snapshot: StoredSnapshot | "now"): Parts | null {
  if (snapshot === "now")
    return {
      shared: view.shared,
      parts: view.subtasks.map(({ held, state }) => ({ contents: held, finished: state === "FINISHED", inFlight: [] })),
    };
  const found = contentsOf(snapshot, view);
  return found === null ? null : { shared: found.shared, parts: found.snapshot.parts };
}

function nothingIn({ inputs }: ExecutionGraph): SnapshotSummary {
  return { operators: [], inFlight: [], offsets: inputs.map(() => -1) };
}

function readersOf(from: Shared, graph: ExecutionGraph): (readonly number[])[] {
  const matched = matchedOperators(from.graph, graph);
  return graph.sources.map((operator) => {
    const old = from.graph.operators[at(matched, operator)];
    const had = old === undefined ? [] : at(from.graph.vertices, old.taskVertex).subtasks;
    const splits = had.map((subtask) => at(from.splits, subtask));
    return readersAfter(at(graph.operators, operator).vertex, graph.inputs, splits);
  });
}

function summaryOf({ shared, parts }: Parts): SnapshotSummary {
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
        hasState: subtasks.some((subtask) => hasState(shared, index, parts[subtask]?.contents ?? null)),
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

function hasState({ graph }: Shared, operator: number, contents: SnapshotView["contents"]): boolean {
  const { vertex } = at(graph.operators, operator);
  if (contents === null) return false;
  if (isSource(vertex)) return canRewind(vertex) && contents.positions.length > 0;
  if (keepsElements(graph, operator)) return true;
  const state = contents.operators.find((known) => known.operator === operator);
  return state?.counts.some((count) => count > 0) === true;
}
