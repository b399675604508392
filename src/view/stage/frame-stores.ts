/** Who sees what of a sink's partition. */
import { at } from "../../base/assert.ts";
import { isVisibleTo } from "../../projection/sight.ts";
import type { OutputCells } from "../../projection/output-cells.ts";
import type { OutputView } from "../../projection/output-view.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import type { RunView } from "../../projection/views.ts";
import { isCommitted, type Reader, readersOf } from "../../protocol/sinks.ts";
import type { ReaderFrame } from "./frame-types-outside.ts";

/** `first`: the offset of the first cell that is shown. */
export function readerFrames(view: RunView, index: number, first: number): ReaderFrame[] {
  const { length } = at(view.outputs, index);
  return readersOf[at(view.shared.graph.outputs, index).store].map((reader) => ({
    reader,
    sees: seenBy(view, reader, index),
    cells: Array.from({ length: length - first }, (_, place) => isVisibleTo(view, reader, index, first + place)),
  }));
}

function seenBy(view: RunView, reader: Reader, index: number): number {
  const output = at(view.outputs, index);
  const cells = at(view.shared.cells, index);
  const { store } = at(view.shared.graph.outputs, index);
  if (store === "table") return rowsOf(view, index).size;
  if (store === "log" || store === "console")
    return sumOf(view, output, cells)[isCommitted(reader) ? "committed" : "all"];
  // Where transactions stay undecided among records that readers see, each is looked at.
  let seen = 0;
  for (let offset = 0; offset < output.length; offset++) {
    // A lake's reader sees a data file as often as it is listed.
    const again = isCommitted(reader)
      ? (view.transactions[at(cells.columns.transaction, offset)]?.listedAgain ?? 0)
      : 0;
    if (isVisibleTo(view, reader, index, offset)) seen += 1 + again;
  }
  return seen;
}

/**
 * Records below each offset, for both kinds of reader. What lies below the last stable offset is decided for good, so both
 * sums hold for every cursor of a branch.
 */
interface Sums {
  readonly all: number[];
  readonly committed: number[];
}

const sums = new WeakMap<OutputCells, Sums>();

function sumOf(view: RunView, output: OutputView, cells: OutputCells): { committed: number; all: number } {
  const known = sums.get(cells) ?? { all: [0], committed: [0] };
  sums.set(cells, known);
  for (let offset = known.all.length - 1; offset < output.length; offset++) {
    known.all.push(at(known.all, offset) + (cells.isRecord(offset) ? 1 : 0));
  }
  for (let offset = known.committed.length - 1; offset < output.lastStableOffset; offset++) {
    const transaction = at(cells.columns.transaction, offset);
    const counts =
      cells.isRecord(offset) && (transaction < 0 || at(view.transactions, transaction).state === "COMMITTED");
    known.committed.push(at(known.committed, offset) + (counts ? 1 : 0));
  }
  return { committed: at(known.committed, output.lastStableOffset), all: at(known.all, output.length) };
}

/** By key the values that a row had, the newest last. */
export function rowsOf({ shared, outputs }: RunView, index: number): Map<number, number[]> {
  const { length } = at(outputs, index);
  const cells = at(shared.cells, index);
  const rows = new Map<number, number[]>();
  for (let offset = 0; offset < length; offset++) {
    if (!cells.isRecord(offset)) continue;
    const value = at(cells.columns.value, offset);
    const key = keyOfRecord(shared, at(cells.columns.record, offset));
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [value]);
    else row.push(value);
  }
  return rows;
}
