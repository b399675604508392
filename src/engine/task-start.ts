/**
 * How a task's thread begins on its TaskManager (`StreamTask.restoreInternal`, FR-097): start, restore, open, run.
 */
import { at } from "../base/assert.ts";
import { failureCauses } from "../protocol/reasons.ts";
import { requestResults } from "./blocking-results.ts";
import { restoreChannels } from "./channel-state.ts";
import { readObjects } from "./checkpoint-storage.ts";
import { isReachable } from "./host.ts";
import type { Kernel } from "./kernel.ts";
import { Life, RestoredAs, Task } from "./layout.ts";
import { occupy } from "./mailbox.ts";
import { Actor, Op } from "./ops.ts";
import { resetWriter } from "./sinks/sink.ts";
import { isLocal } from "./state-files.ts";
import { armAutoCommit } from "./sources/consumer-group.ts";
import { askAnew, register } from "./sources/kafka-source.ts";
import { NOT_HERE, isAsked, positionIn } from "./sources/positions.ts";
import { beginByItself } from "./sources/source-function.ts";
import { splitsOf } from "./sources/splits.ts";
import { ExecutionState } from "./states.ts";

/** The operation `taskStart`: the deployment has arrived; without its TaskManager nothing starts. */
export function taskStart(k: Kernel, task: number, attempt: number): void {
  const { world } = k;
  const taskManager = world.slot(at(k.plan.graph.subtasks, task).slot);
  if (world.task(task, Task.attempt) !== attempt || !isReachable(k, taskManager)) return;
  world.setTask(task, Task.life, Life.initializing);
  world.setTask(task, Task.host, taskManager);
  occupy(k, task);
  reportState(k, task, ExecutionState.initializing);
  const { restore, localRestore } = k.plan.scenario.timing;
  const checkpoint = world.task(task, Task.restore);
  const duration = isLocal(k, task, checkpoint, taskManager) ? localRestore : restore;
  k.after(checkpoint > 0 ? duration : 0, Op.loadState, task, task);
}

/** Tells the JobManager of a new state; the message arrives even if the task ends meanwhile. */
export function reportState(k: Kernel, task: number, state: number): void {
  k.after(k.plan.scenario.timing.rpc, Op.reportState, Actor.wire, task, k.world.task(task, Task.attempt), state);
}

/** The operation `loadState`: the state of the restored checkpoint, or none; then operators open. */
export function loadState(k: Kernel, task: number): void {
  const { world, arena, plan } = k;
  const [start, size] = [plan.stateStart[task] as number, plan.stateSize[task] as number];
  const restored = world.task(task, Task.restore);
  if (!readObjects(k, task, restored, world.task(task, Task.restoreFrom))) {
    k.next(Op.taskFail, task, task, world.task(task, Task.attempt), failureCauses.indexOf("STATE_NOT_READABLE"));
    return;
  }
  const splits = splitsOf(k, task);
  const kept = keptOutside(k, task);
  if (world.task(task, Task.restoredAs) !== RestoredAs.running) {
    // It reads no split and gets no record: what it had in state only says what has become of those it had read.
    arena.sequences.copyInto(world.task(task, Task.restoreFrom), world.state, start);
  } else if (restored > 0) {
    const before = splits.map((_, place) => world.state[start + place] as number);
    if (k.decisions.loadsState())
      arena.sequences.copyInto(world.task(task, Task.restoreFrom), world.state, start, size);
    splits.forEach((partition, place) => {
      const word = world.state[start + place] as number;
      if (word === NOT_HERE || !askAnew(k, task, place)) return;
      if (!isAsked(word))
        world.state[start + place] = k.decisions.restoredPosition(word, at(plan.inputs, partition).length);
      k.next(Op.rewind, task, task, place, Math.max(0, positionIn(before[place] as number)));
    });
  } else {
    world.state.fill(0, start, start + size);
    world.state.fill(NOT_HERE, start, start + splits.length);
  }
  for (const [place, word] of kept) world.state[place] = word;
  for (const [field, value] of [
    [Task.current, -1],
    [Task.done, -1],
    [Task.aligned, 0],
    [Task.aborted, 0],
    [Task.flushing, 0],
    [Task.mode, 0],
    [Task.noMoreSplits, 0],
  ] as const) {
    world.setTask(task, field, value);
  }
  world.setTask(task, Task.lastCheckpoint, restored);
  world.setTask(task, Task.reported, restored);
  for (const operator of at(plan.sinksOf, task)) resetWriter(k, task, operator);
  restoreChannels(k, task, "output");
  k.next(Op.openOperators, task, task, 0);
}

/** Words of state that are kept in a store outside: no restore touches them. */
function keptOutside({ plan, world }: Kernel, task: number): (readonly [place: number, word: number])[] {
  const { taskVertex, number } = at(plan.graph.subtasks, task);
  return at(plan.graph.vertices, taskVertex).operators.flatMap((operator) => {
    const { outside, state, keyOwner } = at(plan.operators, operator);
    const words = outside ? 2 * keyOwner.filter((owner) => owner === number).length : 0;
    const start = (plan.stateStart[task] as number) + state;
    return Array.from({ length: words }, (_, i) => [start + i, world.state[start + i] as number] as const);
  });
}

/** The operation `taskRunning`: operators are open; recovered input is consumed before the real one is asked for. */
export function taskRunning(k: Kernel, task: number): void {
  if (restoreChannels(k, task, "input") > 0 && k.decisions.waitsForRecovered())
    k.world.setTask(task, Task.life, Life.recovering);
  else run(k, task);
  k.next(Op.taskFree, task, task);
}

/** All that comes first is done: the task reads its inputs, and tells the JobManager so. */
export function run(k: Kernel, task: number): void {
  k.world.setTask(task, Task.life, Life.running);
  register(k, task);
  if (k.world.task(task, Task.restoredAs) === RestoredAs.running) beginByItself(k, task);
  armAutoCommit(k, task);
  requestResults(k, task);
  reportState(k, task, ExecutionState.running);
}
