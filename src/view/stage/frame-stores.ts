/** Who sees what of a sink's partition. */
import { at } from "../../base/assert.ts";
import { visibleTo } from "../../projection/outputs.ts";
import type { CellView, OutputView } from "../../projection/output-view.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import type { RunView } from "../../projection/views.ts";
import { isCommitted, type Reader, readersOf } from "../../protocol/sinks.ts";
import type { ReaderFrame } from "./frame-types-outside.ts";

/** `first`: the offset of the first cell that is shown. */
export function readerFrames(view: RunView, index: number, first: number): ReaderFrame[] {
  const output = at(view.outputs, index);
  const cells = at(view.shared.cells, index);
  return readersOf[at(view.shared.graph.outputs, index).store].map((reader) => ({
    reader,
    sees: seenBy(view, reader, index),
    cells: cells.slice(first, output.length).map((cell, place) => visibleTo(view, reader, output, cell, first + place)),
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
    const cell = at(cells, offset);
    // A lake's reader sees a data file as often as it is listed.
    const times = 1 + (isCommitted(reader) ? (view.transactions[cell.transaction]?.listedAgain ?? 0) : 0);
    if (visibleTo(view, reader, output, cell, offset)) seen += times;
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

const sums = new WeakMap<readonly CellView[], Sums>();

function sumOf(view: RunView, output: OutputView, cells: readonly CellView[]): { committed: number; all: number } {
  const known = sums.get(cells) ?? { all: [0], committed: [0] };
  sums.set(cells, known);
  for (let offset = known.all.length - 1; offset < output.length; offset++) {
    known.all.push(at(known.all, offset) + (at(cells, offset).kind === "record" ? 1 : 0));
  }
  for (let offset = known.committed.length - 1; offset < output.lastStableOffset; offset++) {
    const { kind, transaction } = at(cells, offset);
    const counts = kind === "record" && (transaction < 0 || at(view.transactions, transaction).state === "COMMITTED");
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
    const { kind, record, value } = at(cells, offset);
    if (kind !== "record") continue;
    const key = keyOfRecord(shared, record);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [value]);
    else row.push(value);
  }
  return rows;
}
