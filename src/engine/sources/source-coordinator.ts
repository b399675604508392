/**
 * The operator coordinator of a Kafka source: which split is with whom (`SourceCoordinator`, `KafkaSourceEnumerator`,
 * `SplitAssignmentTracker`; CP-021, SK-003, SK-005, FR-084, FR-093, FR-094). All partitions are discovered when the job
 * starts. A split is pushed to its owner, the subtask i mod parallelism for partition i, once that has registered, and is
 * the owner's from then on. A reader that is reset alone keeps what its checkpoint holds; what it was given since then
 * comes back and is assigned again. Left out: later discovery, so that nothing is assigned but at a registration;
 * `KafkaSourceEnumerator` begins to count owners at a hash of the topic's name.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { Split, Task } from "../layout.ts";
import { Actor, Op } from "../ops.ts";
import { ExecutionState } from "../states.ts";
import { splitsOf } from "./kafka-source.ts";

const { jobManager } = Actor;
/** In the place of an event: more splits go into it. */
const NOT_YET = -1;

/** The operation `registerReader`: a reader whose task the JobManager takes for running asks for its splits. */
export function registerReader(k: Kernel, task: number, attempt: number): void {
  const { world } = k;
  const state = world.task(task, Task.state);
  if (world.task(task, Task.attempt) !== attempt) return;
  if (state !== ExecutionState.initializing && state !== ExecutionState.running) return;
  world.setTask(task, Task.registered, 1);
  k.emit("ReaderRegistered", task, attempt);
  k.next(Op.assignSplits, jobManager, task);
}

/** The operation `assignSplits`: a registered reader gets those of its splits that nobody has; a bounded one, that these are all. */
export function assignSplits(k: Kernel, task: number): void {
  const { world, plan } = k;
  if (world.task(task, Task.registered) === 0) return;
  const source = plan.coordinator[task] as number;
  const places: number[] = [];
  splitsOf(k, task).forEach((partition, place) => {
    if (world.split(source, partition) !== Split.unassigned) return;
    world.setSplit(source, partition, Split.assigned);
    places.push(place);
  });
  const event = k.arena.sequences.intern(places);
  places.forEach((place, index) =>
    k.next(Op.splitAssigned, jobManager, task, place, index === places.length - 1 ? event : NOT_YET),
  );
  if (places.length === 0 && plan.bounded[task] === 1) send(k, task, event);
}

/** The operation `splitAssigned`; with the last split the event leaves that brings them all. */
export function splitAssigned(k: Kernel, task: number, place: number, event: number): void {
  k.emit("SplitAssigned", task, at(splitsOf(k, task), place));
  if (event !== NOT_YET) send(k, task, event);
}

function send(k: Kernel, task: number, event: number): void {
  k.next(Op.sendEvent, jobManager, task, k.world.task(task, Task.attempt), event, k.plan.bounded[task]);
}

/** The coordinator's cut for a checkpoint: for each split of the job, whether this source has assigned it. */
export function cutCoordinator(k: Kernel, source: number, checkpoint: number): number {
  const words = k.plan.graph.inputs.map(({ index }) => {
    const split = k.world.split(source, index);
    if (split === Split.assigned) k.world.setSplit(source, index, Split.assigned + checkpoint);
    return split === Split.unassigned ? 0 : 1;
  });
  return k.arena.sequences.intern(words);
}

/** A completed checkpoint holds what was assigned before its cut, so no reset brings it back. */
export function settleSplits(k: Kernel, checkpoint: number): void {
  k.plan.graph.sources.forEach((_, source) => {
    for (const { index } of k.plan.graph.inputs) {
      const since = k.world.split(source, index) - Split.assigned;
      if (since > 0 && since <= checkpoint) k.world.setSplit(source, index, Split.settled);
    }
  });
}

/** The operation `resetReader`: a reader alone goes back to a checkpoint, 0 where there is none (`subtaskReset`). */
export function resetReader(k: Kernel, task: number, checkpoint: number): void {
  const source = k.plan.coordinator[task] as number;
  for (const partition of splitsOf(k, task)) {
    const split = k.world.split(source, partition);
    if (split < Split.assigned || (split > Split.assigned && split - Split.assigned <= checkpoint)) continue;
    k.world.setSplit(source, partition, Split.unassigned);
    k.next(Op.splitReturned, jobManager, task, partition, checkpoint);
  }
  k.next(Op.assignSplits, jobManager, task);
}

/** The operation `resetCoordinator`: with a global failover it goes back to its snapshot, or begins anew (`handle` `-1`). */
export function resetCoordinator(k: Kernel, source: number, checkpoint: number, handle: number): void {
  for (const { index } of k.plan.graph.inputs) {
    const assigned = handle >= 0 && k.arena.sequences.item(handle, index) === 1;
    k.world.setSplit(source, index, assigned ? Split.settled : Split.unassigned);
  }
  k.emit("CoordinatorReset", at(k.plan.graph.sources, source), checkpoint);
}
