/** The guarantee table as it is read and kept: its rows and columns, Markdown, CSV and the object of the command line. */
import type { Reader } from "../../protocol/sinks.ts";
import { type FaultText, faultText } from "../exploration.ts";
import { runLink } from "../run-link.ts";
import { cellScenario } from "./cell-scenario.ts";
import { type Cell, type ModeId, type MomentId, momentIds, sinkKinds, sourceKinds } from "./kinds.ts";
import { type CellResult, type Harm, type HarmsSeen, harms, harmsOf, runsOf, seesNothing } from "./result.ts";

interface Row {
  readonly source: string;
  readonly mode: ModeId;
}

export interface ColumnOfTable {
  readonly sink: string;
  readonly reader: Reader;
  /** Is it the only reader of this kind of sink that the table shows? */
  readonly alone: boolean;
}

function rowsOfTable(): readonly Row[] {
  return sourceKinds.flatMap(({ id: source, modes }) => modes.map((mode) => ({ source, mode })));
}

export function columnsOfTable(): readonly ColumnOfTable[] {
  return sinkKinds.flatMap(({ id: sink, readers }) =>
    readers.map((reader) => ({ sink, reader, alone: readers.length === 1 })),
  );
}

export function resultIn(results: readonly CellResult[], { source, mode, sink }: Cell): CellResult | undefined {
  return results.find(({ cell }) => cell.source === source && cell.mode === mode && cell.sink === sink);
}

/** What a reader of a cell can meet, in words; `null`: the cell is not there yet. */
export function wordsOf(result: CellResult | undefined, reader: Reader, moment: MomentId | null): string | null {
  if (result === undefined) return null;
  if (result.refused !== null) return "refused";
  if (runsOf(result, moment) === 0) return "no such moment";
  if (seesNothing(result, reader)) return "never visible";
  const seen = harmsOf(result, reader, moment);
  return harms.filter((harm) => seen[harm] !== undefined).join(", ") || "exact";
}

export function columnName({ sink, reader, alone }: ColumnOfTable): string {
  return alone ? sink : `${sink}, ${reader}`;
}

/** Rows of sources and modes, columns of sinks, and in a second table each cell by the moment of the failure. */
export function markdownOf(results: readonly CellResult[]): string {
  const columns = columnsOfTable();
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const head = ["source", "checkpointing", ...columns.map(columnName)];
  const whole = rowsOfTable().map((row) => [
    row.source,
    row.mode,
    ...columns.map(({ sink, reader }) => wordsOf(resultIn(results, { ...row, sink }), reader, null) ?? ""),
  ]);
  const byMoment = results.flatMap((result) =>
    columns
      .filter(({ sink }) => sink === result.cell.sink && result.refused === null)
      .map((column) => [
        result.cell.source,
        result.cell.mode,
        columnName(column),
        ...momentIds.map((moment) => wordsOf(result, column.reader, moment) ?? ""),
      ]),
  );
  const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] => [
    line(heads),
    line(heads.map(() => "---")),
    ...rows.map(line),
  ];
  return `${[
    ...table(head, whole),
    "",
    ...table(["source", "checkpointing", "sink", ...momentIds.map((moment) => momentNames[moment])], byMoment),
  ].join("\n")}\n`;
}

/** The moments as the export calls them. */
const momentNames: { readonly [M in MomentId]: string } = {
  before: "before the first barrier",
  barrier: "barrier to pre-commit",
  "pre-committed": "pre-commit to completed",
  completed: "completed to commit",
  after: "after the commit",
};

/** One line for each source, mode, sink, reader and moment: how many runs show each harm, and the run that shows the first. */
export function csvOf(results: readonly CellResult[]): string {
  const head = ["source", "checkpointing", "sink", "reader", "moment", "runs", ...harms, "run"];
  const lines = results.flatMap((result) =>
    result.moments.flatMap(({ moment, runs, readers }) =>
      readers.map(({ reader, harms: seen }) => [
        result.cell.source,
        result.cell.mode,
        result.cell.sink,
        reader,
        moment,
        String(runs),
        ...harms.map((harm) => String(seen[harm]?.runs ?? 0)),
        linkOf(result, seen),
      ]),
    ),
  );
  return `${[head, ...lines].map((cells) => cells.map(quoted).join(",")).join("\n")}\n`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function linkOf({ cell }: CellResult, seen: HarmsSeen): string {
  const worst = harms.map((harm) => seen[harm]?.worst).find((injection) => injection !== undefined);
  return worst === undefined ? "" : runLink(cellScenario(cell), [faultText(worst)]);
}

/** The object of the command line. */
export function guaranteesJson(results: readonly CellResult[], seconds: number): object {
  return {
    runs: results.reduce((sum, { runs }) => sum + runs, 0),
    seconds,
    cells: results.map(({ cell, refused, entries, runs, without, moments, violations }) => ({
      ...cell,
      refused,
      entries,
      runs,
      without,
      moments: moments.map(({ moment, runs: of, readers }) => ({
        moment,
        runs: of,
        readers: readers.map(({ reader, harms: seen }) => ({ reader, harms: harmsJson(cell, seen) })),
      })),
      violations: violations.map(({ invariant, injection }) => ({
        invariant,
        faults: injection === null ? [] : [faultText(injection)],
      })),
    })),
  };
}

interface HarmJson {
  readonly runs: number;
  readonly faults: readonly FaultText[];
  readonly link: string;
}

function harmsJson(cell: Cell, seen: HarmsSeen): { readonly [H in Harm]?: HarmJson } {
  const told = harms.flatMap((harm) => {
    const shown = seen[harm];
    if (shown === undefined) return [];
    const faults = [faultText(shown.worst)];
    return [[harm, { runs: shown.runs, faults, link: runLink(cellScenario(cell), faults) }] as const];
  });
  return Object.fromEntries(told);
}
