/**
 * The sink's side of the log: partitions as append-only sequences in which control markers take offsets too (KF-001,
 * KF-030 to KF-032). An entry is a handle of (kind, record, value, transaction, epoch, operator); a partition is a list of
 * them.
 * Left out: replication, so the high watermark is the log's end (KF-002); producer sequences (KF-003).
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { Ongoing, OutputPartition } from "../layout.ts";

/**
 * A listing says that a table lists a data file once more, whose records are there once more; it has no offset.
 * A truncation cuts a part file back: of the records of its `transaction` before it, the first `value` are still there.
 * Words of an entry. `transaction` is `-1` for a record outside of one, `operator` the sink that
 * wrote a record (`ExecutionGraph.identities`).
 */
export const Entry = { kind: 0, record: 1, value: 2, transaction: 3, epoch: 4, operator: 5 } as const;
export const EntryKind = { record: 0, commitMarker: 1, abortMarker: 2, truncation: 3, listing: 4 } as const;

/** Appends an entry and returns its offset. */
export function appendEntry(
  k: Kernel,
  partition: number,
  ...entry: readonly [kind: number, record: number, value: number, transaction: number, epoch: number, operator: number]
): number {
  const { world, arena } = k;
  const handle = arena.sequences.intern(entry);
  world.setOutput(
    partition,
    OutputPartition.content,
    arena.lists.append(world.output(partition, OutputPartition.content), handle),
  );
  const offset = world.output(partition, OutputPartition.next);
  world.setOutput(partition, OutputPartition.next, offset + 1);
  return offset;
}

/**
 * The last stable offset: where the earliest transaction under way on the partition begins (KF-030). Nobody waits behind
 * an open transaction of a database (SK-131): its readers get to the end.
 */
export function lastStableOffset(k: Kernel, partition: number): number {
  const { ongoing } = k.world;
  let offset = k.world.output(partition, OutputPartition.next);
  if (at(k.plan.graph.outputs, partition).store !== "log") return offset;
  for (let row = 0; row < ongoing.count; row++) {
    if (ongoing.get(row, Ongoing.partition) === partition) offset = Math.min(offset, ongoing.get(row, Ongoing.first));
  }
  return offset;
}
