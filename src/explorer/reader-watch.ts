/**
 * How long a `read_committed` reader has stood still behind an open transaction while committed records lay behind it
 * (KF-031), or another producer's plain ones (KF-033). Told from the entries that decide a transaction or put such a record
 * there; nothing else moves the last stable offset past what can be read.
 */
import { EventNumber } from "../protocol/events.ts";
import type { Kernel } from "../engine/kernel.ts";
import { OutputPartition } from "../engine/layout.ts";
import { Entry, EntryKind, lastStableOffset } from "../engine/log-broker/partitions.ts";

const deciding: ReadonlySet<number> = new Set([
  EventNumber.TransactionCommitted,
  EventNumber.TransactionAborted,
  EventNumber.TransactionTimedOut,
  EventNumber.TransactionMarkerWritten,
  EventNumber.BackgroundRecordWritten,
]);

const NOWHERE = -1;

export class ReaderWatch {
  /** By partition: the offset of the newest thing that readers wait for, and since when it has been hidden. */
  private readonly readable: Int32Array;
  private readonly hiddenSince: Int32Array;
  /** Milliseconds of the longest standstill that is over. */
  private ended = 0;

  constructor(partitions: number) {
    this.readable = new Int32Array(partitions).fill(NOWHERE);
    this.hiddenSince = new Int32Array(partitions).fill(NOWHERE);
  }

  clone(): ReaderWatch {
    const clone = new ReaderWatch(this.readable.length);
    clone.readable.set(this.readable);
    clone.hiddenSince.set(this.hiddenSince);
    clone.ended = this.ended;
    return clone;
  }

  observe(k: Kernel): void {
    if (!deciding.has(k.draft.type)) return;
    for (let partition = 0; partition < this.readable.length; partition++) this.look(k, partition);
  }

  private look(k: Kernel, partition: number): void {
    const { world, arena } = k;
    const content = world.output(partition, OutputPartition.content);
    const last = content === 0 ? -1 : arena.lists.last(content);
    if (last >= 0 && isReadable(arena.sequences.toArray(last)))
      this.readable[partition] = world.output(partition, OutputPartition.next) - 1;
    const hidden = (this.readable[partition] as number) >= lastStableOffset(k, partition);
    const since = this.hiddenSince[partition] as number;
    if (hidden && since === NOWHERE) this.hiddenSince[partition] = world.clock;
    if (hidden || since === NOWHERE) return;
    this.ended = Math.max(this.ended, world.clock - since);
    this.hiddenSince[partition] = NOWHERE;
  }

  /** Milliseconds of the longest standstill up to `clock`. */
  longest(clock: number): number {
    return this.hiddenSince.reduce(
      (longest, since) => (since === NOWHERE ? longest : Math.max(longest, clock - since)),
      this.ended,
    );
  }

  /** Since when a partition has been hidden, for the key of a world; `-1`: it is not. */
  since(partition: number): number {
    return this.hiddenSince[partition] as number;
  }
}

/** A commit marker, or what another producer has written. */
function isReadable(entry: readonly number[]): boolean {
  const kind = entry[Entry.kind];
  return kind === EntryKind.commitMarker || (kind === EntryKind.record && (entry[Entry.record] as number) < 0);
}
