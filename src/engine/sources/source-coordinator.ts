/**
 * The operator coordinator of a Kafka source: which split is with whom (`SourceCoordinator`, `KafkaSourceEnumerator`,
 * `SplitAssignmentTracker`; CP-021, SK-003, SK-005, SK-007, FR-084, FR-093, FR-094). The first look for partitions is
 * taken when the coordinator begins, others every `partition.discovery.interval.ms`; a look takes no time. A split is pushed to its owner, the subtask i mod parallelism for partition i, once that has registered, and is
 * the owner's from then on. A reader that is reset alone keeps what its checkpoint holds; what it was given since then
 * comes back and is assigned again. Left out:
 * `KafkaSourceEnumerator` begins to count owners at a hash of the topic's name.
 */
import { at } from "../../base/assert.ts";
import type { TaskVertex } from "../../protocol/execution-graph.ts";
import type { Kernel } from "../kernel.ts";
import { Input, Split, Task } from "../layout.ts";
import { Actor, Op } from "../ops.ts";
import { ExecutionState } from "../states.ts";
import { splitsOf } from "./splits.ts";

const { jobManager } = Actor;
/** In the place of an event: more splits go into it. */
const NOT_YET = -1;
/** A split's word in the enumerator's snapshot, as bits: with a reader, found behind the first look; or not known at all. */
const Known = { assigned: 1, late: 2, not: 4 } as const;

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

/** Each enumerator's first look: it finds the partitions that are there. */
export function beginDiscovery(k: Kernel): void {
  k.plan.graph.sources.forEach((_, source) => {
    for (const { index } of k.plan.graph.inputs)
      if (isMissing(k, index)) k.world.setSplit(source, index, Split.undiscovered);
    lookAgain(k, source);
  });
}

/**
 * The operation `discoverPartitions`: the enumerator looks for partitions that it does not know. Nothing is due where it
 * knows all that can come: looks that find nothing do nothing.
 */
export function discoverPartitions(k: Kernel, source: number): void {
  k.cancel(Op.discoverPartitions, source);
  const { subtasks } = readersOf(k, source);
  const found = undiscovered(k, source).filter((partition) => !isMissing(k, partition));
  for (const partition of found) k.next(Op.partitionFound, jobManager, source, partition);
  if (found.length > 0) for (const task of subtasks) k.next(Op.assignSplits, jobManager, task);
  lookAgain(k, source);
}

/** The operation `partitionFound`: behind the first look, so that it is read from its beginning (SK-007). */
export function partitionFound(k: Kernel, source: number, partition: number): void {
  k.world.setSplit(source, partition, Split.unassigned);
  k.world.setLate(source, partition, true);
  k.emit("PartitionDiscovered", at(k.plan.graph.sources, source), partition);
}

function undiscovered(k: Kernel, source: number): number[] {
  const readers = at(k.plan.graph.readers, source);
  return readers.flatMap((reader, partition) =>
    reader >= 0 && k.world.split(source, partition) === Split.undiscovered ? [partition] : [],
  );
}

function lookAgain(k: Kernel, source: number): void {
  const { vertex } = at(k.plan.graph.operators, at(k.plan.graph.sources, source));
  const interval = vertex.type === "kafka-source" ? vertex.discoveryInterval : 0;
  if (interval > 0 && undiscovered(k, source).length > 0) k.after(interval, Op.discoverPartitions, jobManager, source);
}

function readersOf({ plan: { graph } }: Kernel, source: number): TaskVertex {
  return at(graph.vertices, at(graph.operators, at(graph.sources, source)).taskVertex);
}

function isMissing(k: Kernel, partition: number): boolean {
  return k.world.input(partition, Input.missing) === 1;
}

/** The coordinator's cut for a checkpoint: for each split of the job, whether this source has assigned it. */
export function cutCoordinator(k: Kernel, source: number, checkpoint: number): number {
  for (const { index } of k.plan.graph.inputs)
    if (k.world.split(source, index) === Split.assigned) k.world.setSplit(source, index, Split.assigned + checkpoint);
  return coordinatorWord(k, source, (partition) => k.world.split(source, partition) !== Split.unassigned);
}

/** What a coordinator's snapshot says of each split that it knows: that it is assigned, or is not. */
export function coordinatorWord(k: Kernel, source: number, isAssigned: (partition: number) => boolean): number {
  const words = k.plan.graph.inputs.map(({ index }) => {
    if (k.world.split(source, index) === Split.undiscovered) return Known.not;
    return (isAssigned(index) ? Known.assigned : 0) + (k.world.isLate(source, index) ? Known.late : 0);
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
    const word = handle >= 0 ? k.arena.sequences.item(handle, index) : isMissing(k, index) ? Known.not : 0;
    const assigned = (word & Known.assigned) !== 0;
    const split = word === Known.not ? Split.undiscovered : assigned ? Split.settled : Split.unassigned;
    k.world.setSplit(source, index, split);
    k.world.setLate(source, index, (word & Known.late) !== 0);
  }
  k.emit("CoordinatorReset", at(k.plan.graph.sources, source), checkpoint);
  k.next(Op.discoverPartitions, jobManager, source);
}
