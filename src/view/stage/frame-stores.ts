/** Who sees what of a sink's partition, and what its store has now: rows of a table by key, part files. */
import { at } from "../../base/assert.ts";
import { visibleTo } from "../../projection/outputs.ts";
import type { CellView, OutputView } from "../../projection/output-view.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import type { RunView } from "../../projection/views.ts";
import { transactionName } from "../../protocol/ids.ts";
import { isCommitted, type Reader, readersOf } from "../../protocol/sinks.ts";
import type { MachineStates } from "../machines/actors.ts";
import { transactionLooks } from "../machines/presentations.ts";
import { transactionState } from "./frame-subtasks.ts";
import type { ReaderFrame, StoreEntry } from "./frame-types-outside.ts";

/** Values of a row that are kept for its line. */
const HISTORY = 8;
/** Part files that are looked at. */
const FILES = 12;

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
  if (store === "table") return rowsOf(view, output, cells).size;
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
function rowsOf({ shared }: RunView, { length }: OutputView, cells: readonly CellView[]): Map<number, number[]> {
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

export function entriesOf(
  view: RunView,
  states: MachineStates,
  newest: ReadonlyMap<number, number>,
  index: number,
): StoreEntry[] {
  const { graph, cells } = view.shared;
  const { store } = at(graph.outputs, index);
  if (store === "table")
    return [...rowsOf(view, at(view.outputs, index), at(cells, index))]
      .toSorted(([a], [b]) => a - b)
      .map(([key, values]) => ({
        is: "row",
        key,
        name: graph.keys[key] ?? "",
        history: values.slice(-HISTORY),
        back: at(values, values.length - 1) < Math.max(...values),
      }));
  if (store !== "files") return [];
  return view.transactions
    .flatMap((transaction, place) => (transaction.partitions.includes(index) ? [{ transaction, place }] : []))
    .slice(-FILES)
    .map(({ transaction, place }) => ({
      is: "file",
      name: transactionName(graph, transaction.number),
      look: transactionLooks[transactionState(view, states, newest, place)],
      records: transaction.records,
    }));
}
