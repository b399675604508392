/**
 * A job is submitted anew: the picture is that of its graph from here on. What is outside of jobs stays as it is: the log,
 * its transactions, TaskManagers, how far partitions were read. What a snapshot holds is dealt out to the new subtasks as the
 * JobManager does it (CP-172, CP-175 to CP-182), so that a restored attempt shows what it was given.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { operatorOfTransaction, ownerOfTransaction } from "../protocol/ids.ts";
import { channelAfter, dealtOut, matchedEdges, matchedOperators, ownerOfKey } from "../scenario/state-mapping.ts";
import { type Handler, places } from "./fields.ts";
import { emptyState, initialView } from "./initial.ts";
import { beginPass } from "./inputs.ts";
import { NOBODY } from "./own.ts";
import { type Shared, keyOfRecord } from "./shared.ts";
import { sharedAfter } from "./submitted-job.ts";
import type { InFlightView } from "./element-view.ts";
import type { CheckpointView, InputView, OperatorStateView, RunView, SnapshotView, StateView } from "./views.ts";

const submitted = places("JobSubmitted");

export const jobSubmitted: Handler = (view, log, step, clock) => {
  const before = view.shared;
  const next = sharedAfter(before, log, step);
  const { coordinator, ...fresh } = initialView(next);
  const past = [...view.past, { shared: before, checkpoints: view.checkpoints }];
  const checkpoint = log.field(step, submitted.checkpoint);
  const source = past[log.field(step, submitted.from)];
  const found = source?.checkpoints.findLast(({ id }) => id === checkpoint);
  const {
    step: place,
    transactions,
    undecided,
    faults,
    taskManagers,
    outputs,
    inputs,
    inputLog,
    applied,
    owner,
  } = view;
  Object.assign(view, fresh, {
    step: place,
    clock,
    // Whose they are is told in the numbers of this job; `-1`: it has no such sink or subtask.
    transactions: transactions.map((transaction) => ({
      ...transaction,
      operator: operatorOfTransaction(next.graph, transaction.number),
      subtask: ownerOfTransaction(next.graph, transaction.number),
    })),
    undecided,
    faults,
    outputs,
    inputLog,
    applied,
    owner,
    past,
    taskManagers: taskManagers.map((taskManager) => ({ ...taskManager, subtasks: [] })),
    coordinator,
    inputs: fresh.inputs.map((input) => readOn(input, inputs)),
  });
  if (found === undefined || source === undefined) return;
  const restored = restoredSnapshot(view, source.shared, found);
  view.checkpoints.push(restored);
  view.coordinator = { ...coordinator, completed: [checkpoint], restoreCandidate: checkpoint, forgotten: 1 };
};

/** How far a partition was read outlives the job that read it. */
function readOn(input: InputView, before: readonly InputView[]): InputView {
  const same = before.find(({ partition }) => partition === input.partition);
  if (same === undefined) return input;
  const { position, furthest, begin, groupOffset, passFrom, passes } = same;
  const read = { ...input, position, furthest, begin, groupOffset, passFrom, passes };
  beginPass(read, 0);
  return read;
}

/** The snapshot in the numbers of the new job, as the newest entry of its store. */
function restoredSnapshot(view: RunView, from: Shared, snapshot: CheckpointView): CheckpointView {
  const dealt = new Dealt(view, from, snapshot);
  const [some] = snapshot.parts.filter((part) => part !== null);
  const parts = view.shared.graph.subtasks.map(({ index }): SnapshotView | null =>
    some === undefined ? null : { ...some, contents: dealt.contents(index), inFlight: dealt.inFlight(index) },
  );
  return { ...snapshot, parts, restores: 0, notified: 0, subsumedAt: -1, owner: NOBODY };
}

class Dealt {
  private readonly view: RunView;
  private readonly from: Shared;
  private readonly snapshot: CheckpointView;
  private readonly matched: readonly number[];

  constructor(view: RunView, from: Shared, snapshot: CheckpointView) {
    this.view = view;
    this.from = from;
    this.snapshot = snapshot;
    this.matched = matchedOperators(from.graph, view.shared.graph);
  }

  private old(subtask: number): StateView | null {
    return this.snapshot.parts[subtask]?.contents ?? null;
  }

  private oldSubtasks(operator: number): readonly number[] {
    const { graph } = this.from;
    return operator < 0 ? [] : at(graph.vertices, at(graph.operators, operator).taskVertex).subtasks;
  }

  /** The old subtasks whose element of list state a new one gets. */
  private elements(operator: number, subtask: number): readonly number[] {
    const { graph } = this.view.shared;
    const { parallelism } = at(graph.vertices, at(graph.operators, operator).taskVertex);
    const dealt = dealtOut(this.oldSubtasks(at(this.matched, operator)), parallelism);
    return dealt[at(graph.subtasks, subtask).number] ?? [];
  }

  contents(subtask: number): StateView {
    const { shared } = this.view;
    const state = emptyState(shared, subtask, NOBODY);
    this.takePositions(subtask, state);
    for (const operator of state.operators) {
      const keyed = at(shared.graph.operators, operator.operator).vertex.type !== "map";
      if (keyed) this.takeKeys(subtask, operator);
      else this.takeCounters(subtask, operator);
    }
    at(shared.sinks, subtask).forEach((operator, index) => {
      state.committables[index] = this.elements(operator, subtask)
        .flatMap((old) => {
          const place = at(this.from.sinks, old).indexOf(at(this.matched, operator));
          return this.old(old)?.committables[place] ?? [];
        })
        .toSorted((a, b) => at(this.view.transactions, a).checkpoint - at(this.view.transactions, b).checkpoint);
      state.logged[index] = this.elements(operator, subtask)
        .flatMap((old) => {
          const place = at(this.from.sinks, old).indexOf(at(this.matched, operator));
          return this.old(old)?.logged[place] ?? [];
        })
        .toSorted((a, b) => a.checkpoint - b.checkpoint);
    });
    return state;
  }

  private takePositions(subtask: number, state: StateView): void {
    const { splits, graph } = this.view.shared;
    const head = at(at(graph.vertices, at(graph.subtasks, subtask).taskVertex).operators, 0);
    for (const old of this.oldSubtasks(at(this.matched, head))) {
      at(splits, subtask).forEach((partition, split) => {
        const place = at(this.from.splits, old).indexOf(partition);
        if (place >= 0) state.positions[split] = this.old(old)?.positions[place] ?? 0;
      });
    }
  }

  private oldOperator(old: number, operator: number): OperatorStateView | undefined {
    return this.old(old)?.operators.find((known) => known.operator === at(this.matched, operator));
  }

  private takeKeys(subtask: number, into: OperatorStateView): void {
    const { graph } = this.view.shared;
    const { taskVertex, number } = at(graph.subtasks, subtask);
    const owned = graph.keys.map((key) => ownerOfKey(at(graph.vertices, taskVertex), key) === number);
    for (const old of this.oldSubtasks(at(this.matched, into.operator))) {
      const state = this.oldOperator(old, into.operator);
      if (state === undefined) continue;
      owned.forEach((own, key) => {
        if (!own || state.counts[key] === 0) return;
        into.values[key] = state.values[key] as number;
        into.counts[key] = state.counts[key] as number;
      });
      this.takeRecords(state, into, (record) => owned[keyOfRecord(this.view.shared, record)] === true);
    }
  }

  private takeCounters(subtask: number, into: OperatorStateView): void {
    for (const old of this.elements(into.operator, subtask)) {
      const state = this.oldOperator(old, into.operator);
      if (state === undefined) continue;
      into.values[0] = (into.values[0] as number) + (state.values[0] as number);
      into.counts[0] = (into.counts[0] as number) + (state.counts[0] as number);
      this.takeRecords(state, into, () => true);
    }
  }

  /** Records of an old state as new nodes, the oldest first. */
  private takeRecords(from: OperatorStateView, into: OperatorStateView, wanted: (record: number) => boolean): void {
    const { applied } = this.view.shared;
    const records: number[] = [];
    for (let node = from.newest; node >= 0; node = applied.before(node)) records.push(applied.record(node));
    for (const record of records.reverse()) {
      if (!wanted(record)) continue;
      applied.set(this.view.applied, record, into.newest);
      into.newest = this.view.applied++;
    }
  }

  /** The records in flight that a new subtask has to put into its channels. */
  inFlight(subtask: number): InFlightView[] {
    const { graph } = this.view.shared;
    const old = this.from.graph;
    const edges = matchedEdges(old, graph);
    return this.snapshot.parts.flatMap((part) =>
      (part?.inFlight ?? []).flatMap((stored) => {
        const { edge, from, to } = at(old.channels, stored.channel);
        if (at(edges, edge) < 0) return [];
        const channel = this.channelOf(graph, at(edges, edge), from, to, stored);
        const ends = at(graph.channels, channel);
        return (stored.side === "input" ? ends.to : ends.from) === subtask ? [{ ...stored, channel }] : [];
      }),
    );
  }

  private channelOf(graph: ExecutionGraph, edge: number, from: number, to: number, { element }: InFlightView): number {
    const old = this.from.graph;
    const record = element.kind === "record" ? element.id : -1;
    const key = record < 0 ? "" : (graph.keys[keyOfRecord(this.view.shared, record)] ?? "");
    return channelAfter(graph, edge, at(old.subtasks, from).number, at(old.subtasks, to).number, key);
  }
}
