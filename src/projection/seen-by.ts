/** What a sink's readers see of all that lies in its partitions. */
import { at } from "../base/assert.ts";
import { type Reader, isCommitted } from "../protocol/sinks.ts";
import { TableRows } from "../scenario/table-rows.ts";
import { keyOfRecord } from "./shared.ts";
import { GONE, SEEN, WAITS, isCutOff, sightOf } from "./sight.ts";
import type { RunView } from "./views.ts";

export interface Seen {
  /** By record: how often the reader sees it, and whether it is there and not yet decided. */
  readonly counts: Int32Array;
  readonly undecided: Uint8Array;
  /** All of `counts` together. */
  total: number;
  /** What a table's reader sees by key. */
  readonly table: TableRows | null;
}

/** `records`: how many there can be. */
export function seenBy(view: RunView, operator: number, reader: Reader, records: number): Seen {
  const table = reader === "table" ? new TableRows() : null;
  const seen = { counts: new Int32Array(records), undecided: new Uint8Array(records), total: 0, table };
  view.outputs.forEach((_, partition) => {
    addPartition(view, operator, reader, partition, seen);
  });
  return seen;
}

/** Of a long run these are as many cells as records: each transaction is looked at once, and a cell costs a few words. */
function addPartition(view: RunView, operator: number, reader: Reader, partition: number, seen: Seen): void {
  const { shared, transactions } = view;
  const { length, lastStableOffset } = at(view.outputs, partition);
  const { columns } = at(shared.cells, partition);
  const { counts, undecided, table } = seen;
  const own = at(shared.graph.identities, operator);
  const stable = isCommitted(reader) ? lastStableOffset : length;
  const sights = Uint8Array.from(transactions, (_, place) => sightOf(view, reader, place));
  const times = Int32Array.from(transactions, ({ listedAgain }) => 1 + listedAgain);
  const cut = transactions.map(({ truncated }) => truncated.length > 0);
  for (let offset = 0; offset < length; offset++) {
    if (columns.operator[offset] !== own) continue;
    const record = columns.record[offset] as number;
    const transaction = columns.transaction[offset] as number;
    let sight = transaction < 0 ? SEEN : sights[transaction];
    if (offset >= stable && sight === SEEN) sight = WAITS;
    if (cut[transaction] === true && isCutOff(view, partition, offset)) sight = GONE;
    if (sight === SEEN) {
      const more = transaction < 0 ? 1 : (times[transaction] as number);
      counts[record] = (counts[record] as number) + more;
      seen.total += more;
      table?.put(at(shared.graph.keys, keyOfRecord(shared, record)), record, at(columns.value, offset));
    } else if (sight === WAITS) undecided[record] = 1;
  }
}
