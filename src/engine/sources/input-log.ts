/**
 * The log as sources read it: which records it has by now, from which offset on, and what a consumer group has committed
 * there. It goes on whatever becomes of jobs. Faults change it: partitions are added, retention passes an offset, the
 * producers get faster or slower. Other producers may write in transactions; who reads committed records only gets them
 * with the commit, and none before an older one's (KF-030). Left out: that a marker takes an offset here.
 */
import { at } from "../../base/assert.ts";
import { firstPlace } from "../../base/first-place.ts";
import { javaHash } from "../../protocol/key-groups.ts";
import type { Command } from "../../scenario/scenario.ts";
import type { Kernel } from "../kernel.ts";
import { GroupOffset, Input, Omitted, Rate } from "../layout.ts";
import { wake } from "../mailbox.ts";

/** In the place of a time: it never comes, or not before a fault brings it. */
const NEVER = -1;
/** In the place of an offset: the group has committed none. */
export const NO_OFFSET = -1;

/** When the log has a record; `-1`: it never will, as things stand. */
export function writtenAt(k: Kernel, partition: number, offset: number): number {
  const record = at(k.plan.inputs, partition)[offset];
  if (record === undefined || k.world.input(partition, Input.missing) === 1) return NEVER;
  const { rates } = k.world;
  for (let row = rates.count - 1; row >= 0; row--) {
    if (rates.get(row, Rate.partition) !== partition || rates.get(row, Rate.from) > offset) continue;
    return rates.get(row, Rate.time) + (offset - rates.get(row, Rate.from)) * rates.get(row, Rate.every);
  }
  return record.at;
}

/** The first offset from a position on whose record is not left out. */
export function behindOmitted(k: Kernel, partition: number, position: number): number {
  let offset = position;
  while (isOmitted(k, partition, offset)) offset++;
  return offset;
}

function isOmitted({ world: { omitted } }: Kernel, partition: number, offset: number): boolean {
  for (let row = 0; row < omitted.count; row++)
    if (omitted.get(row, Omitted.partition) === partition && omitted.get(row, Omitted.offset) === offset) return true;
  return false;
}

/** When a reader can have a record, one of committed records only or any; `-1`: never, as things stand. */
export function arrivalOf(k: Kernel, partition: number, offset: number, committed: boolean): number {
  const batch = committed ? at(k.plan.batches, partition) : null;
  if (batch === null) return writtenAt(k, partition, offset);
  const { length } = at(k.plan.inputs, partition);
  const last = Math.min(length, (Math.floor(offset / batch.records) + 1) * batch.records) - 1;
  const written = offset > last ? NEVER : writtenAt(k, partition, last);
  return written === NEVER ? NEVER : written + batch.open;
}

/** Behind the last record that such a reader can have by now: the log's end, or the last stable offset. */
export function endOf(k: Kernel, partition: number, committed: boolean): number {
  return firstPlace(at(k.plan.inputs, partition).length, (offset) => {
    const time = arrivalOf(k, partition, offset, committed);
    return time === NEVER || time > k.now;
  });
}

/** The first record with this timestamp or a later one, else the log's end (`TimestampOffsetsInitializer`). */
export function offsetAt(k: Kernel, partition: number, time: number, committed: boolean): number {
  const end = endOf(k, partition, committed);
  for (let offset = k.world.input(partition, Input.start); offset < end; offset++)
    if (writtenAt(k, partition, offset) >= time) return offset;
  return end;
}

export function committedOffset(k: Kernel, groupId: string, partition: number): number {
  const row = rowOf(k, javaHash(groupId), partition);
  return row < 0 ? NO_OFFSET : k.world.groupOffsets.get(row, GroupOffset.offset);
}

export function commitOffset(k: Kernel, groupId: string, partition: number, offset: number): void {
  const { groupOffsets } = k.world;
  const row = rowOf(k, javaHash(groupId), partition);
  if (row < 0) groupOffsets.push(javaHash(groupId), partition, offset);
  else groupOffsets.set(row, GroupOffset.offset, offset);
}

function rowOf({ world: { groupOffsets } }: Kernel, group: number, partition: number): number {
  for (let row = 0; row < groupOffsets.count; row++)
    if (
      groupOffsets.get(row, GroupOffset.group) === group &&
      groupOffsets.get(row, GroupOffset.partition) === partition
    )
      return row;
  return -1;
}

/** Partitions that faults add are not there when the run begins: the last ones of their topics. */
export function withoutAdded(k: Kernel): void {
  const { inputs } = k.plan.graph;
  for (const { index, topic, partition } of inputs) {
    const { added, partitions } = k.plan.scenario.topics.find(({ name }) => name === topic) ?? {
      added: 0,
      partitions: [],
    };
    if (partition >= partitions.length - added) k.world.setInput(index, Input.missing, 1);
  }
}

/** `add-partition`: the first one that is missing is there from now on, and its producers begin. */
export function addPartition(k: Kernel, { topic }: Command): void {
  const found = k.plan.graph.inputs.find(
    (input) => input.topic === topic && k.world.input(input.index, Input.missing) === 1,
  );
  if (found === undefined) return;
  const [first, second] = at(k.plan.inputs, found.index);
  k.world.setInput(found.index, Input.missing, 0);
  k.world.rates.push(found.index, 0, k.now, (second?.at ?? 0) - (first?.at ?? 0));
}

/** `set-rate`: from now on so much time passes between two records of each partition. */
export function setRate(k: Kernel, { topic, every = 0 }: Command): void {
  for (const { index } of k.plan.graph.inputs.filter((input) => input.topic === topic)) {
    if (k.world.input(index, Input.missing) === 1) continue;
    k.world.rates.push(index, endOf(k, index, false), k.now + every, every);
    wakeReaders(k, index);
  }
}

/** `expire-records`: retention has passed this offset, or all there is. */
export function expireRecords(k: Kernel, { topic, partition, before = 0 }: Command): void {
  for (const input of k.plan.graph.inputs) {
    if (input.topic !== topic || (partition ?? input.partition) !== input.partition) continue;
    const start = Math.min(before, endOf(k, input.index, false));
    k.world.setInput(input.index, Input.start, Math.max(start, k.world.input(input.index, Input.start)));
    wakeReaders(k, input.index);
  }
}

function wakeReaders(k: Kernel, partition: number): void {
  k.plan.graph.readers.forEach((readers, source) => {
    const { taskVertex } = at(k.plan.graph.operators, at(k.plan.graph.sources, source));
    const reader = at(k.plan.graph.vertices, taskVertex).subtasks[at(readers, partition)];
    if (reader !== undefined) wake(k, reader, k.now);
  });
}
