/**
 * What a vertex needs for its subtasks, and where each of them stands in it: cards, rows in as many columns as the room
 * asks for, or cells, with a line that counts them and places for the few that stand out. All of it is arithmetic.
 */
import type { TaskVertex } from "../../protocol/execution-graph.ts";
import { densityOf, type Density, type Folds, NAMED_MAX } from "./density.ts";
import type { Orientation, Size, SubtaskPlace, SummaryPlace } from "./layout-types.ts";
import type { Box } from "./path.ts";

export const HEADER = 30;
/** How its subtasks spend their time, below them. */
export const FOOTER = 20;
/** Narrower a vertex has no room for its words. */
export const MIN_WIDTH = 134;
export const PAD = 8;
export const SUBTASK_GAP = 8;

const ROW_HEIGHT = 20;
const ROW_GAP = 2;
const COLUMN_GAP = 4;
/** A row has at least its number and its ring. */
const ROW_MIN = 57;
/** One that stands out has words as well. */
const NAMED_ROW_MIN = 104;
/** Rows of a column that a vertex may have beyond what there is room for. */
const ROWS_MAX = 16;
/** Where records flow downwards, a row is as wide as this. */
const ROW_WIDE = 78;

/** The line that counts the states of cells. */
const COUNTS = 17;
/** Bars for how full the inputs are and how far the alignment is. */
const BARS = 34;
const BARS_FROM = 49;
/** Those that stand out have so many places; where there is room, one more than may be named, for the number of the rest. */
const PLACES_MIN = 3;
const PLACES_MAX = NAMED_MAX + 1;
/** Edges of a cell with its gap: the largest that fits is taken. */
const CELLS = [15, 11, 8, 6] as const;

/** From this size on a cell's marks can be told; more subtasks than this are drawn no larger. */
const CELL_LEGIBLE = 8;
const MANY = 160;

/** What the room there is makes of the sizes that can vary. */
export interface Measures {
  readonly orientation: Orientation;
  readonly folds: Folds;
  /** Width of a vertex where subtasks stand below one another. */
  readonly vertexWidth: number;
  /** Of a subtask drawn in full. */
  readonly subtask: Size;
  /** Between the layers, where the channels run. */
  readonly gap: number;
  /** By vertex: how high it may be and still fit. */
  readonly heights: readonly number[];
  /** By how much the room could be made higher, where that is what a vertex needs to fit. */
  readonly spare: number;
}

/** How a vertex is filled. */
export interface Form extends Size {
  readonly density: Density;
  readonly columns: number;
  /** Edge of a cell with its gap. */
  readonly cell: number;
  readonly bars: boolean;
  /** Places for subtasks that stand out, and in how many columns. */
  readonly places: number;
  readonly placeColumns: number;
}

const plain = { columns: 1, cell: 0, bars: false, places: 0, placeColumns: 1 } as const;

export function formOf(vertex: TaskVertex, measures: Measures): Form {
  const density = densityOf(vertex, measures.folds);
  if (density === "full") return fullForm(vertex.parallelism, measures);
  return density === "compact" ? compactForm(vertex, measures) : cellsForm(vertex, measures);
}

function fullForm(count: number, { orientation, vertexWidth, subtask }: Measures): Form {
  if (orientation === "vertical") {
    const width = count * (subtask.width + SUBTASK_GAP) - SUBTASK_GAP + PAD * 2;
    return { ...plain, density: "full", columns: count, width, height: HEADER + subtask.height + FOOTER };
  }
  const height = HEADER + count * (subtask.height + SUBTASK_GAP) - SUBTASK_GAP + FOOTER;
  return { ...plain, density: "full", width: Math.max(vertexWidth, MIN_WIDTH), height };
}

function compactForm({ index, parallelism }: TaskVertex, measures: Measures): Form {
  const width = Math.max(measures.vertexWidth, MIN_WIDTH);
  const inner = width - PAD * 2;
  const fits = Math.floor(((measures.heights[index] ?? 0) - HEADER - FOOTER + ROW_GAP) / (ROW_HEIGHT + ROW_GAP));
  const wanted =
    measures.orientation === "vertical"
      ? Math.floor((inner + COLUMN_GAP) / (ROW_WIDE + COLUMN_GAP))
      : Math.min(Math.ceil(parallelism / Math.max(1, fits)), Math.floor((inner + COLUMN_GAP) / (ROW_MIN + COLUMN_GAP)));
  const columns = Math.max(1, wanted, Math.ceil(parallelism / ROWS_MAX));
  const rows = Math.ceil(parallelism / columns);
  return {
    ...plain,
    density: "compact",
    columns,
    width: Math.max(width, columns * (ROW_MIN + COLUMN_GAP) - COLUMN_GAP + PAD * 2),
    height: HEADER + rows * (ROW_HEIGHT + ROW_GAP) - ROW_GAP + FOOTER,
  };
}

function cellsForm({ index, parallelism }: TaskVertex, measures: Measures): Form {
  const width = Math.max(measures.vertexWidth, MIN_WIDTH);
  const inner = width - PAD * 2;
  const bars = parallelism >= BARS_FROM;
  const placeColumns = Math.max(1, Math.floor((inner + COLUMN_GAP) / (NAMED_ROW_MIN + COLUMN_GAP)));
  const most = Math.min(parallelism, PLACES_MAX);
  const least = Math.min(parallelism, PLACES_MIN);
  const fixed = HEADER + COUNTS + (bars ? BARS : 0) + FOOTER;
  const heightOf = (cell: number, places: number): number =>
    fixed + cellRows(parallelism, inner, cell) * cell + Math.ceil(places / placeColumns) * (ROW_HEIGHT + ROW_GAP) + 2;
  const room = measures.heights[index] ?? 0;
  const sizes = CELLS.filter((each) => parallelism <= MANY || each <= CELL_LEGIBLE);
  const fitting = (height: number, from: number): number | undefined =>
    sizes.find((each) => each >= from && heightOf(each, least) <= height);
  const { spare } = measures;
  const cell = fitting(room, CELL_LEGIBLE) ?? fitting(room + spare, CELL_LEGIBLE) ?? fitting(room + spare, 0) ?? 6;
  // More places than the least only where the largest cells have theirs.
  const more =
    cell === sizes[0]
      ? [least + 1, least + 2, most].filter((each) => each <= most && heightOf(cell, each) <= room)
      : [];
  const places = Math.max(least, ...more);
  return {
    density: "cells",
    columns: cellColumns(inner, cell),
    cell,
    bars,
    places,
    placeColumns,
    width,
    height: heightOf(cell, places),
  };
}

function cellColumns(inner: number, cell: number): number {
  return Math.max(1, Math.floor(inner / cell));
}

function cellRows(count: number, inner: number, cell: number): number {
  return Math.ceil(count / cellColumns(inner, cell));
}

export function subtaskPlace(
  { parallelism }: TaskVertex,
  form: Form,
  number: number,
  vertex: Box,
  { subtask, orientation }: Measures,
): SubtaskPlace {
  const { density, columns } = form;
  const x = vertex.x + PAD;
  const y = vertex.y + HEADER;
  if (density === "full") {
    const across = orientation === "horizontal" ? 0 : number * (subtask.width + SUBTASK_GAP);
    const down = orientation === "horizontal" ? number * (subtask.height + SUBTASK_GAP) : 0;
    const width = orientation === "horizontal" ? vertex.width - PAD * 2 : subtask.width;
    return { density, box: { x: x + across, y: y + down, width, height: subtask.height } };
  }
  if (density === "compact") {
    // They are read downwards.
    const rows = Math.ceil(parallelism / columns);
    const place = (number % rows) * columns + Math.floor(number / rows);
    return { density, box: rowBox({ x, y }, vertex.width - PAD * 2, place, columns) };
  }
  const inside = form.cell - (form.cell > 8 ? 2 : 1);
  const row = Math.floor(number / columns);
  return {
    density,
    box: { x: x + (number % columns) * form.cell, y: y + COUNTS + row * form.cell, width: inside, height: inside },
  };
}

function rowBox({ x, y }: Pick<Box, "x" | "y">, width: number, number: number, columns: number): Box {
  const each = (width - (columns - 1) * COLUMN_GAP) / columns;
  return {
    x: x + (number % columns) * (each + COLUMN_GAP),
    y: y + Math.floor(number / columns) * (ROW_HEIGHT + ROW_GAP),
    width: each,
    height: ROW_HEIGHT,
  };
}

/** What stands beside the cells; `null`: the subtasks are no cells. */
export function summaryPlace(form: Form, parallelism: number, vertex: Box): SummaryPlace | null {
  if (form.density !== "cells") return null;
  const x = vertex.x + PAD;
  const width = vertex.width - PAD * 2;
  const cells = vertex.y + HEADER + COUNTS + Math.ceil(parallelism / form.columns) * form.cell;
  const below = cells + (form.bars ? BARS : 0) + 2;
  return {
    counts: { x, y: vertex.y + HEADER - 4, width, height: COUNTS },
    bars: form.bars ? { x, y: cells + 3, width, height: BARS - 6 } : null,
    rows: Array.from({ length: form.places }, (_, number) => rowBox({ x, y: below }, width, number, form.placeColumns)),
  };
}
