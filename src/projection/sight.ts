/** Whether a sink's reader sees what is at one offset. */
import { at } from "../base/assert.ts";
import { type Reader, isCommitted } from "../protocol/sinks.ts";
import type { RunView } from "./views.ts";

/** Whether a reader sees a transaction's records that are below the last stable offset: yes, not yet, never. */
export const SEEN = 0;
export const WAITS = 1;
export const GONE = 2;
type Sight = typeof SEEN | typeof WAITS | typeof GONE;

/** `read_uncommitted` sees every record (KF-031, KF-032). `transaction`: a place; `-1`: written outside of one. */
export function sightOf(view: RunView, reader: Reader, transaction: number): Sight {
  if (transaction < 0 || !isCommitted(reader)) return SEEN;
  const { state } = at(view.transactions, transaction);
  if (state === "COMMITTED" || state === "PREPARE_COMMIT") return SEEN;
  return state === "ABORTED" || state === "TIMED_OUT" ? GONE : WAITS;
}

/** Was a record in a part file cut off since? */
export function isCutOff(view: RunView, partition: number, offset: number): boolean {
  const { transaction, place } = at(view.shared.cells, partition).columns;
  const of = at(transaction, offset);
  if (of < 0) return false;
  const { truncated } = at(view.transactions, of);
  return truncated.some((cut) => cut.offset > offset && cut.length <= at(place, offset));
}

function sightAt(view: RunView, reader: Reader, partition: number, offset: number): Sight {
  if (isCutOff(view, partition, offset)) return GONE;
  const sight = sightOf(view, reader, at(at(view.shared.cells, partition).columns.transaction, offset));
  return sight === SEEN && isUnstable(view, reader, partition, offset) ? WAITS : sight;
}

/** Committed readers wait at the last stable offset (KF-030). */
function isUnstable(view: RunView, reader: Reader, partition: number, offset: number): boolean {
  return isCommitted(reader) && offset >= at(view.outputs, partition).lastStableOffset;
}

/** Can a reader see what is at this offset? Only records can be seen. */
export function isVisibleTo(view: RunView, reader: Reader, partition: number, offset: number): boolean {
  return at(view.shared.cells, partition).isRecord(offset) && sightAt(view, reader, partition, offset) === SEEN;
}

/** Is it out of committed readers' sight for good? */
export function isTakenBack(view: RunView, partition: number, offset: number): boolean {
  return sightAt(view, "read_committed", partition, offset) === GONE;
}
