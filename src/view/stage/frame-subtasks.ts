/** What a subtask shows: its attempt's state, its part in the checkpoint under way, and what it holds in memory. */
import { isKeyed } from "../../protocol/job-graph.ts";
import { at } from "../../base/assert.ts";
import { transactionName } from "../../protocol/ids.ts";
import { partOf } from "../../projection/checkpoints.ts";
import { snapshotDuration } from "../../projection/timing.ts";
import type { RunView, SubtaskView, TransactionView } from "../../projection/views.ts";
import type { HandlerState, MachineStates, TaskState, TransactionState } from "../machines/actors.ts";
import { taskLooks, transactionLooks } from "../machines/presentations.ts";
import { singles } from "../machines/seat.ts";
import type {
  Alignment,
  Later,
  LoadFrame,
  RegionFrame,
  Ring,
  RingPhase,
  StateEntry,
  SubtaskFrame,
  TransactionFrame,
} from "./frame-types.ts";

/** Transactions of a sink that are decided and still shown. */
const DECIDED_SHOWN = 1;
/** How far back decided transactions are looked for. */
const DECIDED_WITHIN = 64;

/** The state of a subtask's attempt: its machine's; of one of too many to have machines, the projection's. */
function taskState(view: RunView, states: MachineStates, subtask: number): TaskState {
  const state = states.task(subtask);
  if (state !== null) return state;
  return isSingle(view, subtask) ? "CREATED" : at(view.subtasks, subtask).state;
}

function isSingle(view: RunView, subtask: number): boolean {
  return at(singles(view.shared.graph), subtask);
}

export function subtaskFrames(
  view: RunView,
  states: MachineStates,
  pending: readonly number[],
  loads: readonly (LoadFrame | null)[],
  regions: readonly RegionFrame[],
  later: Later | null,
): SubtaskFrame[] {
  const transactions = transactionsBySubtask(view, states, later);
  const byId = new Map(regions.map((region) => [region.id, region]));
  return view.shared.graph.subtasks.map((subtask) => {
    const { graph } = view.shared;
    const vertex = at(graph.vertices, subtask.taskVertex);
    const shown = at(view.subtasks, subtask.index);
    const lives = shown.thread === "running";
    const watched = lives ? watchedBy(view, subtask.index, pending) : null;
    const ring = watched === null ? null : ringOf(view, states, subtask.index, watched);
    return {
      id: subtask.index,
      name: subtask.name,
      vertexName: vertex.name,
      number: subtask.number,
      parallelism: vertex.parallelism,
      look: taskLooks[taskState(view, states, subtask.index)],
      attempt: shown.attempt,
      taskManager: shown.thread === "none" || shown.taskManager < 0 ? null : at(graph.taskManagers, shown.taskManager),
      ring,
      alignment: ring === null ? null : alignmentOf(view, states, subtask.index, ring),
      load: at(loads, subtask.index),
      state: lives ? keyedState(view, subtask.index) : [],
      counter: lives ? counterOf(view, subtask.index) : null,
      positions: lives ? positionsOf(view, subtask.index) : [],
      transactions: transactions.get(subtask.index) ?? [],
      ghost: later?.ghostOf(view, subtask.index) ?? null,
      given: later?.givenTo(view, subtask.index) ?? [],
      region: regions.length === 1 ? null : (byId.get(at(view.shared.regions, subtask.index))?.number ?? null),
      restarts: byId.get(at(view.shared.regions, subtask.index))?.restarts === true,
      failure: failureOf(shown),
      dead: shown.thread === "ended" && (shown.ending === "FAILED" || shown.ending === "LOST"),
      stalled: shown.stalled !== null,
      blockedInputs: subtask.inputs.filter((channel) => at(view.channels, channel).blocked >= 0).length,
      working: shown.work?.kind === "record" ? shown.work.record : null,
      inputs: subtask.inputs.length,
    };
  });
}

/** What the JobManager was told; before it knows, how the thread ended. */
function failureOf({ failure, thread, ending }: SubtaskView): string | null {
  if (failure !== null) return failure;
  return thread === "ended" && (ending === "FAILED" || ending === "LOST") ? ending : null;
}

function keyedState(view: RunView, subtask: number): StateEntry[] {
  const { graph } = view.shared;
  return at(view.subtasks, subtask).held.operators.flatMap(({ operator, values, counts }) => {
    if (!isKeyed(at(graph.operators, operator).vertex)) return [];
    return graph.keys.flatMap((name, key) => (at(counts, key) > 0 ? [{ key, name, value: at(values, key) }] : []));
  });
}

function counterOf(view: RunView, subtask: number): number | null {
  const { graph } = view.shared;
  const counter = at(view.subtasks, subtask).held.operators.find(
    ({ operator }) => at(graph.operators, operator).vertex.type === "map",
  );
  return counter === undefined ? null : at(counter.values, 0);
}

function positionsOf(view: RunView, subtask: number): SubtaskFrame["positions"] {
  const { graph, splits } = view.shared;
  const { positions } = at(view.subtasks, subtask).held;
  return at(splits, subtask).map((input, split) => ({
    input,
    name: at(graph.inputs, input).name,
    next: positions[split] ?? 0,
  }));
}

/** Of the pending checkpoints the oldest that it has not acknowledged, else the newest. */
function watchedBy(view: RunView, subtask: number, pending: readonly number[]): number | null {
  const open = pending.find((id) => (partOf(view, id, subtask)?.acknowledgedAt ?? -1) < 0);
  return open ?? pending.at(-1) ?? null;
}

/** Nothing waits where at-least-once only counts, nor at a source whose barrier could not overtake. */
function alignmentOf(
  view: RunView,
  states: MachineStates,
  subtask: number,
  { checkpoint, phase }: Ring,
): Alignment | null {
  const { mode, unaligned } = view.shared.scenario.config.checkpointing;
  const source = at(view.shared.graph.subtasks, subtask).inputs.length === 0;
  if (mode === "AT_LEAST_ONCE" || (source && !unaligned) || phase === "acknowledged" || phase === "discarded")
    return null;
  const part = partOf(view, checkpoint, subtask);
  if (part === null) return null;
  if (part.convertedAt >= 0) return "converted";
  if (part.unaligned || isCollecting(view, states, subtask, checkpoint, "COLLECTING_UNALIGNED")) return "unaligned";
  return part.startedAt >= 0 || isCollecting(view, states, subtask, checkpoint, "COLLECTING") ? "aligned" : null;
}

/** Is its handler in one of these states, for this checkpoint? */
function isCollecting(
  view: RunView,
  states: MachineStates,
  subtask: number,
  checkpoint: number,
  ...wanted: readonly HandlerState[]
): boolean {
  const state = isSingle(view, subtask) ? states.handler(subtask) : at(view.subtasks, subtask).handler.state;
  return state !== null && wanted.includes(state) && at(view.subtasks, subtask).handler.checkpoint === checkpoint;
}

function ringOf(view: RunView, states: MachineStates, subtask: number, checkpoint: number): Ring {
  const { graph } = view.shared;
  const { handler } = at(view.subtasks, subtask);
  const part = partOf(view, checkpoint, subtask);
  const machine = isSingle(view, subtask) ? states.snapshot(subtask, checkpoint) : (part?.state ?? null);
  const expected = at(graph.subtasks, subtask).inputs.length;
  const collecting = isCollecting(view, states, subtask, checkpoint, "COLLECTING", "COLLECTING_UNALIGNED");
  const phase = phaseOf(machine, collecting, part !== null && part.startedAt >= 0 && part.takenAt < 0);
  const from = part === null ? -1 : phase === "async" ? part.takenAt : part.startedAt;
  const work = snapshotDuration(view.shared, subtask, checkpoint, phase === "async" ? "snapshotAsync" : "snapshotSync");
  return { checkpoint, phase, arrived: collecting ? handler.aligned.length : 0, expected, from, to: from + work };
}

function phaseOf(machine: string | null, collecting: boolean, freezing: boolean): RingPhase {
  switch (machine) {
    case "RUNNING":
      return "async";
    case "COMPLETED":
      return "written";
    case "ACKNOWLEDGED":
      return "acknowledged";
    case "DISCARDED":
      return "discarded";
    default:
      return freezing ? "sync" : collecting ? "aligning" : "expected";
  }
}

/** The state of a transaction: its machine's where it is the newest of its number, else how it ended. */
export function transactionState(
  view: RunView,
  states: MachineStates,
  newest: ReadonlyMap<number, number>,
  place: number,
): TransactionState {
  const transaction = at(view.transactions, place);
  const machine = newest.get(transaction.number) === place ? states.transaction(transaction.number) : null;
  return machine ?? transaction.state;
}

/** For each number among the recent transactions the place of the newest: a number is used again after a recovery. */
export function newestTransactions(view: RunView): Map<number, number> {
  const newest = new Map<number, number>();
  for (const place of view.undecided) newest.set(at(view.transactions, place).number, place);
  for (let place = Math.max(0, view.transactions.length - DECIDED_WITHIN); place < view.transactions.length; place++) {
    newest.set(at(view.transactions, place).number, place);
  }
  return newest;
}

function transactionsBySubtask(
  view: RunView,
  states: MachineStates,
  later: Later | null,
): Map<number, TransactionFrame[]> {
  const bySubtask = new Map<number, TransactionFrame[]>();
  const decided = new Map<number, number>();
  const newest = newestTransactions(view);
  const places = [...newest.values()].toSorted((a, b) => b - a);
  for (const place of places) {
    const transaction = at(view.transactions, place);
    const state = transactionState(view, states, newest, place);
    if (state === "NONE" || state === "RECYCLED") continue;
    if (state !== "OPEN" && state !== "PRE_COMMITTED") {
      const shown = decided.get(transaction.subtask) ?? 0;
      if (shown >= DECIDED_SHOWN) continue;
      decided.set(transaction.subtask, shown + 1);
    }
    const list = bySubtask.get(transaction.subtask) ?? [];
    list.unshift(transactionFrame(view, transaction, state, later));
    bySubtask.set(transaction.subtask, list);
  }
  return bySubtask;
}

function transactionFrame(
  view: RunView,
  transaction: TransactionView,
  state: TransactionState,
  later: Later | null,
): TransactionFrame {
  const { number, records, checkpoint } = transaction;
  return {
    id: number,
    name: transactionName(view.shared.graph, number),
    look: transactionLooks[state],
    records,
    checkpoint,
    clock: later?.clockOf(view, transaction, state) ?? null,
  };
}
