/** The seats that a projection gives to the actors: what a jump leads to, and what playing must have led to as well. */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { snapshotNumber } from "../../protocol/ids.ts";
import { Machine } from "../../protocol/machines/all.ts";
import type { RunView } from "../../projection/views.ts";

/** The state that one instance of a machine is in. */
export interface Seat {
  readonly machine: number;
  readonly instance: number;
  readonly state: string;
}

/** Checkpoints and transactions that have actors at most: the newest. */
export const CHECKPOINTS_MAX = 16;
export const TRANSACTIONS_MAX = 64;
/** Checkpoints whose parts have actors. */
export const SNAPSHOTS_OF_MAX = 3;
/** Subtasks that have actors at most, and how many of a vertex may: those of larger ones read the projection. */
const SINGLE_MAX = 200;
const SINGLE_PARALLELISM = 16;

const known = new WeakMap<ExecutionGraph, readonly boolean[]>();

/** By subtask: has it actors of its own? Of the others the projection tells the states. */
export function singles(graph: ExecutionGraph): readonly boolean[] {
  let single = known.get(graph);
  if (single === undefined) {
    let count = 0;
    single = graph.subtasks.map(
      ({ taskVertex }) => at(graph.vertices, taskVertex).parallelism <= SINGLE_PARALLELISM && count++ < SINGLE_MAX,
    );
    known.set(graph, single);
  }
  return single;
}

export function seatsOf(view: RunView): Seat[] {
  const { graph } = view.shared;
  const single = singles(graph);
  const seats: Seat[] = [{ machine: Machine.jobStatus, instance: 0, state: view.job.status }];
  for (const { index, inputs } of graph.subtasks) {
    if (single[index] !== true) continue;
    const { state, handler } = at(view.subtasks, index);
    seats.push({ machine: Machine.executionState, instance: index, state });
    if (inputs.length > 0) seats.push({ machine: Machine.barrierHandler, instance: index, state: handler.state });
  }
  return [...seats, ...checkpointSeats(view, single), ...transactionSeats(view)];
}

function checkpointSeats(view: RunView, single: readonly boolean[]): Seat[] {
  const recent = view.checkpoints.slice(-CHECKPOINTS_MAX);
  const seats = recent.map(({ id, state }): Seat => ({ machine: Machine.checkpoint, instance: id, state }));
  for (const { id, parts } of recent.slice(-SNAPSHOTS_OF_MAX)) {
    for (const [subtask, part] of parts.entries()) {
      if (part === null || part.state === "NONE" || single[subtask] !== true) continue;
      seats.push({ machine: Machine.subtaskSnapshot, instance: snapshotNumber(subtask, id), state: part.state });
    }
  }
  return seats;
}

/** A transactional id is used again after a recovery: the newest transaction of a number has the actor. */
function transactionSeats(view: RunView): Seat[] {
  const newest = new Map<number, Seat>();
  for (let place = view.transactions.length - 1; place >= 0 && newest.size < TRANSACTIONS_MAX; place--) {
    const { number, state } = at(view.transactions, place);
    if (state !== "NONE" && !newest.has(number))
      newest.set(number, { machine: Machine.transaction, instance: number, state });
  }
  return [...newest.values()].toReversed();
}
