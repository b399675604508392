/**
 * The Kafka source's reader (`KafkaSourceReader`, `KafkaPartitionSplitState`; SK-003, SK-004, SK-006, SK-008). Its state is
 * the next offset of each of its splits; a position moves when the record is emitted. Partition i belongs to subtask
 * i mod parallelism. Left out: discovery, the enumerator's own snapshot, fetching (a record can be emitted when the log
 * has it), retention.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { ReaderOffsets } from "../layout.ts";
import { Op } from "../ops.ts";
import { forward } from "../operators.ts";

/** The input partitions that a subtask reads, in the order of its state. */
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
export function startPosition(k: Kernel, task: number, partition: number): number {
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
      splitsOf(k, task).forEach((partition, place) =>
        k.next(Op.commitOffsets, task, task, checkpoint, partition, k.arena.sequences.item(snapshot, place)),
      );
    }
    readerOffsets.remove(row);
  }
}

/** Are all splits of the job read to their ends? */
export function allRead(k: Kernel): boolean {
  for (let task = 0; task < k.plan.source.length; task++) {
    const splits = splitsOf(k, task);
    for (let i = 0; i < splits.length; i++) {
      const length = k.plan.inputs[splits[i] as number]?.length ?? 0;
      if ((k.world.state[(k.plan.stateStart[task] as number) + i] as number) < length) return false;
    }
  }
  return true;
}
