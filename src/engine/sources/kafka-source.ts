/**
 * The Kafka source's reader (`KafkaSourceReader`, `KafkaPartitionSplitState`; SK-003, SK-004, SK-006, SK-008). Its state is
 * the next offset of each of its splits; a position moves when the record is emitted. It reads the splits that its
 * coordinator has given it (`source-coordinator.ts`) and those of its restored state. Left out: fetching (a record can be
 * emitted when the log has it), retention.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { Due, Life, Mail, OperatorEvent, ReaderOffsets, RestoredAs, Split, Task } from "../layout.ts";
import { MailKind, wake } from "../mailbox.ts";
import { Actor, Op } from "../ops.ts";
import { forward } from "../operators.ts";

/** In the place of a position: the reader does not have this split. */
export const NOT_HERE = -1;

/** The input partitions that a subtask owns, in the order of its state. */
export function splitsOf(k: Kernel, task: number): readonly number[] {
  const source = k.plan.source[task] as number;
  return source < 0 ? [] : at(at(k.plan.operators, source).splits, at(k.plan.graph.subtasks, task).number);
}

/**
 * The split whose next record the log has had for longest, as a place in `splitsOf`; `-1` where there is none now, and
 * then `times.arrival` is when one comes (`-1`: none will).
 */
export function nextSplit(k: Kernel, task: number, times: { arrival: number }): number {
  const splits = splitsOf(k, task);
  const start = k.plan.stateStart[task] as number;
  let best = -1;
  let earliest = 0;
  for (let i = 0; i < splits.length; i++) {
    const record = k.plan.inputs[splits[i] as number]?.[k.world.state[start + i] as number];
    if (record === undefined || (best >= 0 && record.at >= earliest)) continue;
    best = i;
    earliest = record.at;
  }
  times.arrival = best < 0 ? -1 : earliest;
  return best >= 0 && earliest <= k.now ? best : -1;
}

/** A reader whose operators are open registers with its coordinator, before its task is reported RUNNING. */
export function register(k: Kernel, task: number): void {
  if ((k.plan.source[task] as number) < 0 || k.world.task(task, Task.restoredAs) === RestoredAs.finished) return;
  k.after(k.plan.scenario.timing.rpc, Op.registerReader, Actor.wire, task, k.world.task(task, Task.attempt));
}

/** The operation `receiveEvent`: an event of the coordinator is in the mailbox, and its TaskManager says so. */
export function receiveEvent(k: Kernel, task: number, attempt: number, splits: number, noMore: number): void {
  const { world } = k;
  const life = world.task(task, Task.life);
  const runs = world.task(task, Task.attempt) === attempt && (life === Life.initializing || life === Life.running);
  if (runs) {
    world.mails.push(task, 0, MailKind.event, splits, noMore, k.cause);
    wake(k, task, k.now);
  }
  k.after(k.plan.scenario.timing.rpc, Op.eventAnswered, Actor.wire, task, attempt, splits, runs ? 1 : 0);
}

/** A reader takes an event in: the splits it brings, and whether they are the last. */
export function addSplits(k: Kernel, task: number, splits: number, noMore: number): void {
  for (const place of k.arena.sequences.toArray(splits)) k.next(Op.splitAdded, task, task, place);
  if (noMore === 1) k.world.setTask(task, Task.noMoreSplits, 1);
  k.next(Op.taskTurn, task, task);
}

export function splitAdded(k: Kernel, task: number, place: number): void {
  const partition = at(splitsOf(k, task), place);
  const position = startPosition(k, task, partition);
  k.world.state[(k.plan.stateStart[task] as number) + place] = position;
  k.emit("SplitAdded", task, partition, position);
}

/** Does a bounded reader know that it will get no further split? One that is finished needs none. */
export function hasAllSplits(k: Kernel, task: number): boolean {
  return k.world.task(task, Task.noMoreSplits) === 1 || k.world.task(task, Task.restoredAs) === RestoredAs.finished;
}

/** The operation `recordDone` of a source: the record it has read leaves, and its position moves behind it. */
export function emitRecord(k: Kernel, task: number, place: number): void {
  const position = (k.plan.stateStart[task] as number) + place;
  const partition = at(splitsOf(k, task), place);
  const offset = k.world.state[position] as number;
  const record = offset * k.plan.inputs.length + partition;
  const { value } = at(at(k.plan.inputs, partition), offset);
  const source = k.plan.source[task] as number;
  k.emit("RecordEmitted", task, source, record, value);
  k.world.state[position] = offset + 1;
  if (offset >= k.world.furthest(partition)) k.world.setFurthest(partition, offset + 1);
  forward(k, task, source, record, value);
}

/** Where a split is read from when no state says so (SK-006). */
function startPosition(k: Kernel, task: number, partition: number): number {
  const { vertex } = at(k.plan.graph.operators, k.plan.source[task] as number);
  if (vertex.type !== "kafka-source" || vertex.startingOffsets === "earliest") return 0;
  return at(k.plan.inputs, partition).filter(({ at: time }) => time <= k.now).length;
}

/** The operation `rewind`: one split of a restored source seeks to the position in its state. */
export function rewind(k: Kernel, task: number, place: number, from: number): void {
  const splits = splitsOf(k, task);
  const position = k.world.state[(k.plan.stateStart[task] as number) + place] as number;
  k.emit("SourceRewound", task, at(splits, place), from, position);
}

/** Keeps what a snapshot holds until its checkpoint is complete, for the consumer group (SK-008). */
export function rememberOffsets(k: Kernel, task: number, checkpoint: number, snapshot: number): void {
  const { vertex } = at(k.plan.graph.operators, k.plan.source[task] as number);
  if (vertex.type === "kafka-source" && vertex.groupId !== null) k.world.readerOffsets.push(task, checkpoint, snapshot);
}

/** Commits the offsets of a completed checkpoint, and forgets those of older ones. */
export function commitOffsets(k: Kernel, task: number, checkpoint: number): void {
  const { readerOffsets } = k.world;
  for (let row = readerOffsets.count - 1; row >= 0; row--) {
    if (
      readerOffsets.get(row, ReaderOffsets.task) !== task ||
      readerOffsets.get(row, ReaderOffsets.checkpoint) > checkpoint
    )
      continue;
    if (readerOffsets.get(row, ReaderOffsets.checkpoint) === checkpoint) {
      const snapshot = readerOffsets.get(row, ReaderOffsets.snapshot);
      splitsOf(k, task).forEach((partition, place) => {
        const position = k.arena.sequences.item(snapshot, place);
        if (position !== NOT_HERE) k.next(Op.commitOffsets, task, task, checkpoint, partition, position);
      });
    }
    readerOffsets.remove(row);
  }
}

/** Are all splits of the job read to their ends, but for those that nobody has? */
export function allRead(k: Kernel): boolean {
  for (let task = 0; task < k.plan.source.length; task++) {
    const splits = splitsOf(k, task);
    for (let i = 0; i < splits.length; i++) {
      const length = k.plan.inputs[splits[i] as number]?.length ?? 0;
      const position = k.world.state[(k.plan.stateStart[task] as number) + i] as number;
      if (position < length && !(position === NOT_HERE && isNobodys(k, task, i))) return false;
    }
  }
  return true;
}

const bringsSplits: ReadonlySet<number> = new Set([Op.splitAssigned, Op.sendEvent, Op.receiveEvent, Op.splitAdded]);

/**
 * Does nobody have this split? Its coordinator takes it for assigned, but its reader runs without it and nothing brings it.
 * So ends a restore from a checkpoint whose urgent trigger overtook the event that brought the split (`mailbox.ts`).
 */
export function isNobodys(k: Kernel, task: number, place: number): boolean {
  const { world, plan } = k;
  if ((world.state[(plan.stateStart[task] as number) + place] as number) !== NOT_HERE) return false;
  if (world.task(task, Task.life) !== Life.running || world.task(task, Task.registered) === 0) return false;
  if (world.split(plan.coordinator[task] as number, at(splitsOf(k, task), place)) === Split.unassigned) return false;
  if (world.operatorEvents.find(OperatorEvent.task, task) >= 0) return false;
  for (let row = 0; row < world.mails.count; row++)
    if (world.mails.get(row, Mail.task) === task && world.mails.get(row, Mail.kind) === MailKind.event) return false;
  for (let row = 0; row < world.agenda.count; row++)
    if (bringsSplits.has(world.agenda.get(row, Due.op)) && world.agenda.get(row, Due.a) === task) return false;
  return true;
}
