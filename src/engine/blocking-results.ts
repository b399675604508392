/**
 * Results of `BLOCKING` exchanges (`SortMergeResultPartition`, `PipelinedRegionSchedulingStrategy`,
 * `JobMasterPartitionTrackerImpl`; FR-041, FR-042, FR-044). A producer writes all of its result to its TaskManager's disk and
 * is FINISHED; then the regions that read it are scheduled, and each attempt of a consumer reads it from the beginning. The
 * result is gone with the TaskManager. A job that has one is executed as in BATCH mode: without checkpoints.
 *
 * Simpler than Flink: a consumer's input is not sorted by key, a result is kept until the job has ended, and the JobManager
 * knows that a result is gone as soon as it is.
 */
import { at } from "../base/assert.ts";
import { failureCauses } from "../protocol/reasons.ts";
import type { Kernel } from "./kernel.ts";
import { Channel, Element, ElementKind, Task } from "./layout.ts";
import { latencyOf } from "./slow.ts";
import { isAlive } from "./host.ts";
import { Op } from "./ops.ts";
import { ExecutionState, isTerminal } from "./states.ts";

export function isBlocking({ plan }: Kernel, channel: number): boolean {
  return plan.blocking[channel] === 1;
}

/** The end of the partition is in: what the channel holds is a result that can be read any number of times. */
export function keepResult(k: Kernel, channel: number): void {
  const { world, arena } = k;
  if (!isBlocking(k, channel)) return;
  let list = 0;
  while (world.channel(channel, Channel.length) > 0) {
    const [kind, id, value] = [Element.kind, Element.id, Element.value].map((field) =>
      world.element(channel, 0, field),
    );
    if (kind === ElementKind.record) list = arena.lists.append(arena.lists.append(list, id ?? 0), value ?? 0);
    world.dequeue(channel);
  }
  world.setChannel(channel, Channel.result, list + 1);
}

/** Records and values of a result, in order; `null`: it is not there. */
export function resultOf({ world, arena }: Kernel, channel: number): readonly number[] | null {
  const result = world.channel(channel, Channel.result);
  return result === 0 ? null : arena.lists.toArray(result - 1);
}

/** A channel begins anew; its result stays for the next consumer. */
export function clearReading({ world }: Kernel, channel: number): void {
  const result = world.channel(channel, Channel.result);
  world.clearChannel(channel);
  world.setChannel(channel, Channel.result, result);
}

/** A task begins to read: results come as soon as they are asked for. */
export function requestResults(k: Kernel, task: number): void {
  for (const channel of at(k.plan.graph.subtasks, task).inputs)
    if (isBlocking(k, channel)) k.next(Op.requestSubpartition, task, task, channel);
}

/** The operation `requestSubpartition`: all of a result is on its way, or it is not there any more (`PartitionNotFoundException`). */
export function requestSubpartition(k: Kernel, task: number, channel: number): void {
  const { world } = k;
  const result = resultOf(k, channel);
  if (result === null) {
    const cause = failureCauses.indexOf("PARTITION_NOT_FOUND");
    k.next(Op.taskFail, task, task, world.task(task, Task.attempt), cause);
    return;
  }
  k.emit("SubpartitionRequested", task, channel, result.length / 2);
  const arrival = k.now + latencyOf(k, channel);
  const put = (kind: number, id: number, value: number): void =>
    world.enqueue(channel, kind, id, value, arrival, world.step - 1);
  for (let i = 0; i < result.length; i += 2) put(ElementKind.record, at(result, i), at(result, i + 1));
  put(ElementKind.endOfData, 0, 0);
  put(ElementKind.endOfPartition, 0, 0);
}

/** A TaskManager's process is gone, and with it what tasks that have finished there have left. */
export function loseResults(k: Kernel, gone: ReadonlySet<number>): void {
  for (const { index, from } of k.plan.graph.channels)
    if (gone.has(from) && isBlocking(k, index)) k.world.setChannel(index, Channel.result, 0);
}

/** FR-042: is what a producer leaves tracked, because it is deployed, and not lost since it has FINISHED? */
export function isThere(k: Kernel, producer: number): boolean {
  const state = k.world.task(producer, Task.state);
  if (state !== ExecutionState.finished)
    return !isTerminal(state) && state !== ExecutionState.created && state !== ExecutionState.scheduled;
  return at(k.plan.graph.subtasks, producer).outputs.every(
    (channel) => !isBlocking(k, channel) || k.world.channel(channel, Channel.result) > 0,
  );
}

/** Does a task read a result of a process that is gone? One that is not there yet will find out when it asks. */
export function isReading(k: Kernel, channel: number): boolean {
  return !isBlocking(k, channel) || isAlive(k, at(k.plan.graph.channels, channel).to);
}

/** Of these subtasks, which are created anew, those whose regions have all that they read (`onExecutionStateChange`). */
export function schedulable(k: Kernel, created: readonly number[]): number[] {
  const { region, graph } = k.plan;
  const anew = new Set(created);
  const waiting = new Set<number>();
  for (const { index, from, to } of graph.channels) {
    if (!isBlocking(k, index) || !anew.has(to)) continue;
    if (anew.has(from) || k.world.task(from, Task.state) !== ExecutionState.finished) waiting.add(at(region, to));
  }
  return created.filter((task) => !waiting.has(at(region, task)));
}

/** The regions that read what a task which has finished has left, as far as they wait for it. */
export function waitingConsumers(k: Kernel, task: number): number[] {
  const { region, graph } = k.plan;
  const regions = new Set(
    at(graph.subtasks, task)
      .outputs.filter((channel) => isBlocking(k, channel))
      .map((channel) => at(region, at(graph.channels, channel).to)),
  );
  const members = [...graph.subtasks.keys()].filter((other) => regions.has(at(region, other)));
  return schedulable(
    k,
    members.filter((other) => k.world.task(other, Task.state) === ExecutionState.created),
  );
}
