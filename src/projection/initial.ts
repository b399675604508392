/** A run before its first entry. */
import { at } from "../base/assert.ts";
import { noMemory } from "./coordinator-view.ts";
import { initialLog } from "./input-log.ts";
import { noLoad } from "./loads.ts";
import { nextOwner } from "./own.ts";
import { forgotten } from "./restart-budget.ts";
import type { Shared } from "./shared.ts";
import type { SinkView } from "./sink-view.ts";
import type { InputView, JobView, RunView, StateView, SubtaskView } from "./views.ts";

const job: JobView = {
  status: "INITIALIZING",
  since: 0,
  restarts: 0,
  restarting: [],
  failing: [],
  memory: forgotten,
  leader: 1,
  led: true,
};

export function initialView(shared: Shared): RunView {
  const { graph } = shared;
  const owner = nextOwner();
  return {
    step: -1,
    clock: 0,
    job,
    coordinator: { ...noMemory, completed: [], restoreCandidate: -1, forgotten: 0 },
    subtasks: graph.subtasks.map(({ index }) => noAttempt(shared, index, owner)),
    channels: graph.channels.map(() => ({
      queue: [],
      fill: 0,
      blocked: -1,
      blockedSince: -1,
      persisting: -1,
      result: null,
      owner,
    })),
    taskManagers: graph.taskManagers.map(() => ({ alive: true, registered: true, subtasks: [] })),
    outputs: graph.outputs.map(() => ({ length: 0, lastStableOffset: 0, ongoing: [] })),
    inputs: inputs(shared),
    inputLog: initialLog(shared),
    checkpoints: [],
    transactions: [],
    undecided: [],
    messages: [],
    faults: [],
    stalls: [],
    passing: null,
    past: [],
    applied: 0,
    shared,
    owner,
  };
}

function inputs(shared: Shared): InputView[] {
  return shared.splits.flatMap((splits, subtask) =>
    splits.map((partition, split) => ({
      partition,
      operator: at(at(shared.graph.vertices, at(shared.graph.subtasks, subtask).taskVertex).operators, 0),
      subtask,
      split,
      position: 0,
      furthest: 0,
      begin: -1,
      checkpointed: -1,
      groupOffset: -1,
      cuts: [],
      passFrom: 0,
      passes: [],
    })),
  );
}

function noAttempt(shared: Shared, subtask: number, owner: number): SubtaskView {
  return {
    attempt: -1,
    state: "CREATED",
    since: 0,
    taskManager: -1,
    thread: "none",
    ending: null,
    failure: null,
    stalled: null,
    handler: { state: "WAITING", checkpoint: -1, aligned: [], since: -1 },
    work: null,
    restored: -1,
    finishedOnRestore: false,
    held: emptyState(shared, subtask, owner),
    lost: null,
    sinks: emptySinks(shared, subtask),
    load: noLoad(),
    owner,
  };
}

/** What an attempt holds that nothing was given to. */
export function emptyState(shared: Shared, subtask: number, owner: number): StateView {
  return {
    positions: at(shared.splits, subtask).map(() => 0),
    operators: at(shared.stateful, subtask).map((operator) => {
      const places = at(shared.graph.operators, operator).vertex.type === "map" ? 1 : shared.graph.keys.length;
      return { operator, values: new Int32Array(places), counts: new Int32Array(places), newest: -1 };
    }),
    committables: at(shared.sinks, subtask).map(() => []),
    logged: at(shared.sinks, subtask).map(() => []),
    owner,
  };
}

export function emptySinks(shared: Shared, subtask: number): SinkView[] {
  return at(shared.sinks, subtask).map((operator) => ({ operator, current: -1, committing: -1, unwritten: [] }));
}
