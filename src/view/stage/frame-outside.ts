/** The partitions outside the job: what sources read and how far, what sinks have written. */
import { at } from "../../base/assert.ts";
import { writtenAt } from "../../projection/input-log.ts";
import { isCutOff } from "../../projection/sight.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import type { OutputCells } from "../../projection/output-cells.ts";
import type { CellView } from "../../projection/output-view.ts";
import type { InputView, RunView } from "../../projection/views.ts";
import type { MachineStates } from "../machines/actors.ts";
import { readerOf } from "./connectors.ts";
import { readerFrames, rowsOf } from "./frame-stores.ts";
import { newestTransactions, transactionState } from "./frame-subtasks.ts";
import type { InputCell, InputFrame, OutputCell, OutputFate, OutputFrame } from "./frame-types-outside.ts";
import type { Later } from "./frame-types.ts";
import type { StageLayout } from "./layout-types.ts";
import { inputCellCount } from "./marks/input.ts";
import { outputCellCount, outputCellWidth } from "./marks/output.ts";

/** Unread cells that are kept in sight behind a source's position. */
const AHEAD = 3;
/** Cells that decide how wide all are. */
const NEWEST = 32;
/** Barriers whose cuts are flagged. */
const FLAGS_MAX = 2;

export function inputFrames(view: RunView, layout: StageLayout): InputFrame[] {
  const { graph, records } = view.shared;
  return graph.inputs.map(({ index, name }) => {
    const input = view.inputs.find(({ partition }) => partition === index);
    const position = input?.position ?? 0;
    const length = at(records, index).length;
    const count = inputCellCount(layout, index);
    const first = Math.max(0, Math.min(position - (count - AHEAD), length - count));
    return {
      id: index,
      name,
      length,
      position,
      restorePosition: input === undefined || input.checkpointed < 0 ? null : input.checkpointed,
      groupOffset: input === undefined || input.groupOffset < 0 ? null : input.groupOffset,
      start: at(view.inputLog.starts, index),
      flags: flagsOf(input),
      cells: Array.from({ length: Math.min(count, length - first) }, (_, cell) =>
        inputCell(view, index, first + cell, position),
      ),
      reader: input?.subtask ?? readerOf(graph, index),
    };
  });
}

function flagsOf(input: InputView | undefined): InputFrame["flags"] {
  return (input?.cuts ?? []).slice(-FLAGS_MAX).map(({ checkpoint, position }) => ({ checkpoint, position }));
}

function inputCell(view: RunView, partition: number, offset: number, position: number): InputCell {
  const record = at(at(view.shared.records, partition), offset);
  return {
    offset,
    key: at(view.shared.keys, partition)[offset] ?? -1,
    name: record.key,
    there: writtenAt(view, partition, offset) <= view.clock || offset < position,
    read: offset < position,
    gone: offset < at(view.inputLog.starts, partition),
  };
}

export function outputFrames(
  view: RunView,
  states: MachineStates,
  layout: StageLayout,
  later: Later | null,
): OutputFrame[] {
  const newest = newestTransactions(view);
  return view.shared.graph.outputs.map(({ index, name, store }) => {
    const output = at(view.outputs, index);
    const cells = at(view.shared.cells, index);
    const cellWidth = outputCellWidth(greatestOf(cells, output.length));
    const first = Math.max(0, output.length - outputCellCount(layout, index, cellWidth));
    return {
      id: index,
      name,
      length: output.length,
      lastStable: output.lastStableOffset,
      cellWidth,
      cells: cells
        .slice(first, output.length)
        .map((cell, place) => outputCell(view, states, newest, cell, { partition: index, offset: first + place })),
      store,
      readers: readerFrames(view, index, first),
      entries:
        later?.entriesOf(
          view,
          index,
          () => rowsOf(view, index),
          (place) => transactionState(view, states, newest, place),
        ) ?? [],
    };
  });
}

/** The greatest value among the newest cells; a marker needs as much room as two digits. */
function greatestOf(cells: OutputCells, length: number): number {
  let greatest = 10;
  for (let offset = Math.max(0, length - NEWEST); offset < length; offset++)
    greatest = Math.max(greatest, at(cells.columns.value, offset));
  return greatest;
}

const CELL_KINDS = {
  record: "record",
  "commit-marker": "commit",
  "abort-marker": "abort",
  truncation: "cut",
  background: "other",
} as const satisfies { readonly [K in CellView["kind"]]: OutputCell["kind"] };

function outputCell(
  view: RunView,
  states: MachineStates,
  newest: ReadonlyMap<number, number>,
  cell: CellView,
  { partition, offset }: { readonly partition: number; readonly offset: number },
): OutputCell {
  const transaction = cell.transaction < 0 ? null : at(view.transactions, cell.transaction);
  const key = cell.kind === "record" ? keyOfRecord(view.shared, cell.record) : -1;
  return {
    offset,
    kind: CELL_KINDS[cell.kind],
    key,
    name: view.shared.graph.keys[key] ?? "",
    value: cell.value,
    fate: isCutOff(view, partition, offset)
      ? "aborted"
      : transaction === null
        ? "committed"
        : fateOf(transactionState(view, states, newest, cell.transaction)),
    again: cell.pass > 1,
    transaction: transaction === null ? null : transaction.number,
    checkpoint: transaction === null ? null : transaction.checkpoint,
  };
}

function fateOf(state: string): OutputFate {
  if (state === "COMMITTED") return "committed";
  return state === "ABORTED" || state === "TIMED_OUT" ? "aborted" : "open";
}
