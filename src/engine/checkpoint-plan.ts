/**
 * The plan of a checkpoint: whom to trigger, wait for and commit to (`DefaultCheckpointPlanCalculator`,
 * `DefaultCheckpointPlan`; CP-014, CP-190, CP-194, CP-196), and when all tasks have reached the end of their data
 * (`VertexEndOfDataListener`: a final checkpoint is then triggered at once). Left out: union list state (no operator here
 * has any, CP-195), and that the listener forgets vertices one by one in the order of a hash map.
 *
 * A finished subtask has no state in a checkpoint. Its word in the store is `-2 - handle`: the handle is of what its
 * operators had in state when they finished, and serves only to tell what became of each record.
 */
import { at } from "../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import { Pending, RestoredAs, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { ExecutionState } from "./states.ts";

/** What the listener knows of a task. */
const Reported = { no: 0, yes: 1, all: 2 } as const;

/** The word of a finished subtask whose state was `handle`, and the other way round. */
export function finishedWord(handle: number): number {
  return -2 - handle;
}

export function isFinishedWord(word: number): boolean {
  return word <= -2;
}

/** The handle behind a word of the store. */
export function handleOf(word: number): number {
  return isFinishedWord(word) ? finishedWord(word) : word;
}

/** The handle of the state that a subtask's operators have now. */
export function stateHandle({ world, arena, plan }: Kernel, task: number): number {
  return arena.sequences.intern(world.state, plan.stateStart[task] as number, plan.stateSize[task] as number);
}

export function isFinished(k: Kernel, task: number): boolean {
  return k.world.task(task, Task.state) === ExecutionState.finished;
}

function hasFinishedTasks(k: Kernel): boolean {
  for (let task = 0; task < k.world.layout.tasks; task++) if (isFinished(k, task)) return true;
  return false;
}

/** CP-197: without the feature no checkpoint is taken once a task has finished. */
export function admitsFinishedTasks(k: Kernel): boolean {
  return k.plan.scenario.config.checkpointing.afterTasksFinish || !hasFinishedTasks(k);
}

/** Finished tasks are not waited for: they count as acknowledged (CP-190). */
export function leaveOutFinished(k: Kernel, row: number): void {
  const { world } = k;
  for (let task = 0; task < world.layout.tasks; task++) {
    if (!isFinished(k, task)) continue;
    world.setPending(row, Pending.SIZE + task, finishedWord(stateHandle(k, task)));
    world.setPending(row, Pending.acknowledged, world.pending(row, Pending.acknowledged) + 1);
  }
}

/** Is a task triggered by message: does it run, and none of those it reads from (CP-190)? */
export function isTriggered(k: Kernel, task: number): boolean {
  if (isFinished(k, task)) return false;
  const { inputs } = at(k.plan.graph.subtasks, task);
  return inputs.every((channel) => isFinished(k, at(k.plan.graph.channels, channel).from));
}

/** As what a subtask is restored from a row of the store: finished, if its whole vertex was (CP-194, CP-196). */
export function restoredAs(k: Kernel, row: number, task: number): number {
  const finished = (other: number): boolean => isFinishedWord(k.world.completed(row, Pending.SIZE + other));
  if (!finished(task)) return RestoredAs.running;
  const { subtasks } = at(k.plan.graph.vertices, at(k.plan.graph.subtasks, task).taskVertex);
  return subtasks.every(finished) && k.decisions.restoresFinished() ? RestoredAs.finished : RestoredAs.withoutState;
}

/**
 * The operation `notifyEndOfData`: a task has finished its operators. With the last of them a checkpoint is triggered at
 * once, as a request by hand, so that the job need not wait for the next periodic one.
 */
export function notifyEndOfData(k: Kernel, task: number): void {
  const { world } = k;
  const { interval, afterTasksFinish } = k.plan.scenario.config.checkpointing;
  if (interval === null || !afterTasksFinish) return;
  world.setTask(task, Task.endReported, Reported.yes);
  for (let other = 0; other < world.layout.tasks; other++)
    if (world.task(other, Task.endReported) === Reported.no) return;
  for (let other = 0; other < world.layout.tasks; other++) world.setTask(other, Task.endReported, Reported.all);
  k.next(Op.submit, Actor.jobManager, 0);
}

/**
 * A restarted subtask has its end of data before it again. Of a vertex that was wholly there and is forgotten, the
 * listener then knows none: only a periodic checkpoint will end such a job.
 */
export function forgetEndOfData(k: Kernel, task: number): void {
  const { world } = k;
  const all = world.task(task, Task.endReported) === Reported.all;
  const { subtasks } = at(k.plan.graph.vertices, at(k.plan.graph.subtasks, task).taskVertex);
  for (const other of all ? subtasks : [task]) world.setTask(other, Task.endReported, Reported.no);
}
