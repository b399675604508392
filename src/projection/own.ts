/**
 * Copies that share: a view may write only nodes that bear its owner number, and takes a copy of any other first. A node
 * that a snapshot holds belongs to nobody.
 */
import { at } from "../base/assert.ts";
import type {
  ChannelView,
  CheckpointView,
  OperatorStateView,
  RunView,
  StateView,
  SubtaskView,
  TransactionView,
} from "./views.ts";

/** The owner of what nobody may write any more. */
export const NOBODY = -1;

let owners = 0;

/** A number that no view had before. */
export function nextOwner(): number {
  return owners++;
}

/** A view that goes its own way from here; both share what neither has written since. */
export function copyView(view: RunView): RunView {
  view.owner = nextOwner();
  return {
    ...view,
    subtasks: view.subtasks.slice(),
    channels: view.channels.slice(),
    taskManagers: view.taskManagers.slice(),
    outputs: view.outputs.map((output) => ({ ...output })),
    inputs: view.inputs.map((input) => ({ ...input })),
    checkpoints: view.checkpoints.slice(),
    transactions: view.transactions.slice(),
    owner: nextOwner(),
  };
}

/** The subtask, to be written. */
export function ownSubtask(view: RunView, index: number): SubtaskView {
  const node = at(view.subtasks, index);
  if (node.owner === view.owner) return node;
  const sinks = node.sinks.map((sink) => ({ ...sink, unwritten: sink.unwritten.slice() }));
  const load = { ...node.load, spent: node.load.spent.slice() };
  return (view.subtasks[index] = { ...node, sinks, load, owner: view.owner });
}

/** What the subtask holds in memory, to be written. */
export function ownState(view: RunView, index: number): StateView {
  const subtask = at(view.subtasks, index);
  if (subtask.held.owner === view.owner) return subtask.held;
  return (ownSubtask(view, index).held = copyState(subtask.held, view.owner));
}

/** Nobody writes it any more: whoever goes on from it takes a copy. */
export function frozen(state: StateView): StateView {
  state.owner = NOBODY;
  return state;
}

function copyState(state: StateView, owner: number): StateView {
  return {
    positions: state.positions.slice(),
    operators: state.operators.map(copyOperator),
    committables: state.committables.slice(),
    logged: state.logged.slice(),
    owner,
  };
}

function copyOperator(operator: OperatorStateView): OperatorStateView {
  return { ...operator, values: operator.values.slice(), counts: operator.counts.slice() };
}

export function ownChannel(view: RunView, index: number): ChannelView {
  const node = at(view.channels, index);
  if (node.owner === view.owner) return node;
  return (view.channels[index] = { ...node, queue: node.queue.slice(), owner: view.owner });
}

/** The place of a checkpoint in `checkpoints`; `-1`: there is none of that id. The newest are looked at first. */
export function checkpointPlace(view: RunView, id: number): number {
  for (let place = view.checkpoints.length - 1; place >= 0; place--) {
    const found = at(view.checkpoints, place).id;
    if (found === id) return place;
    if (found < id) break;
  }
  return -1;
}

/** The checkpoint, to be written; `null`: there is none of that id. */
export function ownCheckpoint(view: RunView, id: number): CheckpointView | null {
  const place = checkpointPlace(view, id);
  if (place < 0) return null;
  const node = at(view.checkpoints, place);
  if (node.owner === view.owner) return node;
  return (view.checkpoints[place] = { ...node, parts: node.parts.slice(), owner: view.owner });
}

/** The place in `transactions` of the newest with a transactional id; `-1`: there is none. */
export function transactionPlace(view: RunView, number: number): number {
  for (let place = view.transactions.length - 1; place >= 0; place--) {
    if (at(view.transactions, place).number === number) return place;
  }
  return -1;
}

export function ownTransaction(view: RunView, place: number): TransactionView {
  const node = at(view.transactions, place);
  if (node.owner === view.owner) return node;
  return (view.transactions[place] = { ...node, owner: view.owner });
}
