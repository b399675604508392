/**
 * What a monitor says a consumer group lags behind (SK-008, SK-011): the end of a partition's log less the offset that the
 * group has committed, both in offsets of the log, where each marker of another producer's transaction takes one. A reader
 * gets no markers, so the group's offset is the one behind the last record that was delivered: behind the last transaction
 * a lag stays for as long as nothing more comes (FLINK-33484). It decides nothing: a restore goes on where its state says.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { arrivalOf, endOf, writtenAt } from "./input-log.ts";

/** `groupOffset`: the number of records before it, as the engine counts them. */
export function lagOf(k: Kernel, partition: number, groupOffset: number): number {
  const end = endOf(k, partition, false);
  const delivered = groupOffset === 0 ? -1 : writtenAt(k, partition, groupOffset - 1);
  return end - groupOffset + markers(k, partition, k.now) - markers(k, partition, delivered);
}

/** How many transactions of a partition have their marker by then. */
function markers(k: Kernel, partition: number, time: number): number {
  const batch = at(k.plan.batches, partition);
  if (batch === null) return 0;
  let count = 0;
  for (let first = 0; ; first += batch.records) {
    const committed = arrivalOf(k, partition, first, true);
    if (committed < 0 || committed > time) return count;
    count++;
  }
}
