/** Attempts, their threads and what they do, and the barrier handler (FR-002, FR-005, FR-008, FR-020, CP-040 to CP-048). */
import { at } from "../base/assert.ts";
import { endings, failureCauses, faultVerbs } from "../protocol/reasons.ts";
import { clearChannel, dropResult } from "./channels.ts";
import { type Handler, executionStates, places } from "./fields.ts";
import { emptySinks, emptyState } from "./initial.ts";
import { beginPass } from "./inputs.ts";
import { frozen, ownSubtask } from "./own.ts";
import type { RunView, StateView } from "./views.ts";

const created = places("AttemptCreated");
const changed = places("TaskStateChanged");
const stopped = places("TaskStopped");
const failed = places("TaskFailed");
const fault = places("FaultInjected");
const barrier = places("BarrierReceived");
const alignmentAborted = places("AlignmentAborted");

/** Is some of what was lost not there again? A state is as far as its positions and the records that are in it. */
function isBehind({ positions, operators }: StateView, lost: StateView): boolean {
  return (
    lost.positions.some((next, split) => at(positions, split) < next) ||
    lost.operators.some(({ counts }, place) =>
      counts.some((count, key) => at(at(operators, place).counts, key) < count),
    )
  );
}

const waiting = { state: "WAITING", checkpoint: -1, aligned: [], since: -1 } as const;

/** A new attempt knows nothing, and its channels on both sides are new (FR-005, FR-092). */
export const attemptCreated: Handler = (view, log, step, clock) => {
  const index = log.field(step, created.subtask);
  const node = ownSubtask(view, index);
  leave(view, index, node.taskManager);
  node.attempt = log.field(step, created.attempt);
  node.state = "CREATED";
  node.since = clock;
  node.taskManager = -1;
  node.thread = "none";
  node.ending = null;
  node.failure = null;
  node.stalled = null;
  node.handler = waiting;
  node.work = null;
  node.restored = -1;
  node.finishedOnRestore = false;
  node.held = emptyState(view.shared, index, view.owner);
  node.sinks = emptySinks(view.shared, index);
  const { inputs, outputs } = at(view.shared.graph.subtasks, index);
  for (const channel of inputs) clearChannel(view, channel);
  for (const channel of outputs) {
    dropResult(view, channel);
    clearChannel(view, channel);
  }
  for (const input of at(view.shared.inputsOf, index)) beginPass(at(view.inputs, input), 0);
};

export const taskStateChanged: Handler = (view, log, step, clock) => {
  const index = log.field(step, changed.subtask);
  const node = ownSubtask(view, index);
  const taskManager = log.field(step, changed.taskManager);
  node.since = clock;
  const to = at(executionStates, log.field(step, changed.to));
  if (to === "INITIALIZING" && node.thread === "none") node.thread = "running";
  if (taskManager < 0 || taskManager === node.taskManager) return;
  leave(view, index, node.taskManager);
  node.taskManager = taskManager;
  const there = at(view.taskManagers, taskManager);
  view.taskManagers[taskManager] = { ...there, subtasks: [...there.subtasks, index].sort((a, b) => a - b) };
};

function leave(view: RunView, subtask: number, taskManager: number): void {
  if (taskManager < 0) return;
  const there = at(view.taskManagers, taskManager);
  view.taskManagers[taskManager] = { ...there, subtasks: there.subtasks.filter((other) => other !== subtask) };
}

/**
 * The thread is over: what it had in hand and in its input buffers is gone; what it held is not used any more. What an
 * earlier attempt had counts until a later one has as much.
 */
export const taskStopped: Handler = (view, log, step) => {
  const index = log.field(step, stopped.subtask);
  const node = ownSubtask(view, index);
  node.thread = "ended";
  node.ending = at(endings, log.field(step, stopped.ending));
  node.work = null;
  node.stalled = null;
  if (node.ending !== "FINISHED" && (node.lost === null || !isBehind(node.held, node.lost)))
    node.lost = frozen(node.held);
  node.sinks = emptySinks(view.shared, index);
  for (const channel of at(view.shared.graph.subtasks, index).inputs) clearChannel(view, channel);
};

export const taskFailed: Handler = (view, log, step) => {
  ownSubtask(view, log.field(step, failed.subtask)).failure = at(failureCauses, log.field(step, failed.failure));
};

/** A stall ends by itself where its command says so, without an entry of its own. With a TaskManager all its tasks stand still. */
export const taskStalled: Handler = (view, log, step, clock) => {
  const verb = faultVerbs[log.field(step, fault.do)];
  if (verb !== "stall" && verb !== "resume") return;
  const [subtask, process] = [log.field(step, fault.subtask), log.field(step, fault.taskManager)];
  const duration = view.shared.commands[log.field(step, fault.fault)]?.for ?? null;
  for (const [index, { taskManager }] of view.subtasks.entries()) {
    if (index !== subtask && (process < 0 || taskManager !== process)) continue;
    const node = ownSubtask(view, index);
    if (verb === "resume") {
      node.stalled = null;
    } else if (node.stalled === null && node.thread === "running") {
      node.stalled = { since: clock, until: duration === null ? -1 : clock + duration };
      if (duration !== null) view.stalls = [...view.stalls, index];
    }
  }
};

/** Stalls whose time has come are over. */
export function endStalls(view: RunView, clock: number): void {
  const over = view.stalls.filter((subtask) => (at(view.subtasks, subtask).stalled?.until ?? -1) <= clock);
  if (over.length === 0) return;
  for (const subtask of over) if (at(view.subtasks, subtask).stalled !== null) ownSubtask(view, subtask).stalled = null;
  view.stalls = view.stalls.filter((subtask) => !over.includes(subtask));
}

export const barrierCollected: Handler = (view, log, step, clock) => {
  const count = log.field(step, barrier.aligned);
  if (count <= 0) return;
  const node = ownSubtask(view, log.field(step, barrier.subtask));
  const checkpoint = log.field(step, barrier.checkpoint);
  const channel = log.field(step, barrier.channel);
  const { handler } = node;
  node.handler =
    count === 1 || handler.checkpoint !== checkpoint
      ? { state: handler.state, checkpoint, aligned: [channel], since: clock }
      : { ...handler, aligned: [...handler.aligned, channel] };
};

export const collectingAborted: Handler = (view, log, step) => {
  const node = ownSubtask(view, log.field(step, alignmentAborted.subtask));
  node.handler = { ...node.handler, aligned: [] };
};
