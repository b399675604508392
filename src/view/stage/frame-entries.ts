/** What a sink's store has now: rows of a table by key with the values that they had, part files. */
import { at } from "../../base/assert.ts";
import type { RunView } from "../../projection/views.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { TransactionState } from "../machines/actors.ts";
import { transactionLooks } from "../machines/presentations.ts";
import type { StoreEntry } from "./frame-types-outside.ts";

/** Values of a row that are kept for its line. */
const HISTORY = 8;
/** Part files that are looked at. */
const FILES = 12;

/** `rows`: of a table the values of each key; `stateOf`: a transaction's state, by its place. */
export function entriesOf(
  view: RunView,
  index: number,
  rows: () => ReadonlyMap<number, readonly number[]>,
  stateOf: (place: number) => TransactionState,
): StoreEntry[] {
  const { graph } = view.shared;
  const { store } = at(graph.outputs, index);
  if (store === "table")
    return [...rows()]
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
      look: transactionLooks[stateOf(place)],
      records: transaction.records,
    }));
}
