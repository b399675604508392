/**
 * Vertices, their subtasks and the channels between them. A ranking says in which order the vertices stand; all else is
 * arithmetic: subtasks side by side inside their vertex, channels from port to port with a tray before the receiver.
 */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph, TaskVertex } from "../../protocol/execution-graph.ts";
import type { RankVertices, RankedGraph } from "./layout-ranks.ts";
import { densityOf, type Folds } from "./density.ts";
import type { Orientation, Size, SubtaskPlace, VertexPlace } from "./layout-types.ts";
import {
  FOOTER,
  formOf,
  HEADER,
  type Measures,
  MIN_WIDTH,
  PAD,
  SUBTASK_GAP,
  subtaskPlace,
  summaryPlace,
} from "./layout-vertex.ts";
import type { Box } from "./path.ts";

export interface PlacedGraph {
  readonly vertices: readonly (VertexPlace & { readonly columns: number })[];
  readonly subtasks: readonly SubtaskPlace[];
  readonly ranked: RankedGraph;
  readonly measures: Measures;
  readonly width: number;
  readonly height: number;
}

const BETWEEN = 22;
const WIDTH_MAX = 180;
/** Where records flow downwards the page scrolls: so high a vertex may be. */
const VERTICAL_HEIGHT = 320;
const MIN_GAP = { horizontal: 96, vertical: 72 } as const;
const MAX_GAP = { horizontal: 250, vertical: 120 } as const;

/** Sizes that suit the room, which could be `spare` higher; a graph that does not fit keeps them and takes more room. */
export function measureGraph(
  rankVertices: RankVertices,
  graph: ExecutionGraph,
  room: Box,
  orientation: Orientation,
  folds: Folds,
  spare: number,
): Measures {
  const nominal = rankVertices(
    graph,
    graph.vertices.map(() => ({ width: 100, height: 100 })),
    BETWEEN,
    orientation,
  );
  return { ...measure(graph, nominal, room, orientation, folds), spare };
}

/** Places the graph in `room`, or in more where that is too small; the caller reads how much it took. */
export function placeGraph(
  rankVertices: RankVertices,
  graph: ExecutionGraph,
  room: Box,
  measures: Measures,
): PlacedGraph {
  const { orientation } = measures;
  const sizes = graph.vertices.map((vertex) => formOf(vertex, measures));
  const ranked = rankVertices(graph, sizes, BETWEEN, orientation);
  const boxes = placeVertices(ranked, sizes, measures, room);
  const subtasks: SubtaskPlace[] = [];
  graph.vertices.forEach((vertex, index) => {
    for (const [number, subtask] of vertex.subtasks.entries())
      subtasks[subtask] = subtaskPlace(vertex, at(sizes, index), number, at(boxes, index), measures);
  });
  const vertices = boxes.map((box, index) => {
    const form = at(sizes, index);
    const summary = summaryPlace(form, at(graph.vertices, index).parallelism, box);
    return { box, density: form.density, columns: form.columns, summary };
  });
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const low = Math.max(...boxes.map((box) => box.y + box.height));
  const left = Math.min(room.x, ...boxes.map((box) => box.x));
  return {
    vertices,
    subtasks,
    ranked,
    measures,
    width: right - left,
    height: low - Math.min(room.y, ...boxes.map((box) => box.y)),
  };
}

function measure(
  graph: ExecutionGraph,
  ranked: RankedGraph,
  room: Box,
  orientation: Orientation,
  folds: Folds,
): Omit<Measures, "spare"> {
  const layers = Array.from({ length: ranked.ranks }, (_, rank) =>
    graph.vertices.filter((_vertex, index) => at(ranked.vertices, index).rank === rank),
  );
  const gaps = Math.max(1, ranked.ranks - 1);
  if (orientation === "horizontal") {
    // A graph that is panned anyway has room for its names.
    const panned = ranked.ranks * (MIN_WIDTH + MIN_GAP.horizontal) - MIN_GAP.horizontal > room.width;
    const least = panned ? clamp(namesOf(graph), MIN_WIDTH, WIDTH_MAX) : MIN_WIDTH;
    const vertexWidth = Math.floor(clamp((room.width - gaps * 118) / ranked.ranks, least, WIDTH_MAX));
    const gap = Math.floor(
      clamp((room.width - vertexWidth * ranked.ranks) / gaps, MIN_GAP.horizontal, MAX_GAP.horizontal),
    );
    const height = Math.floor(Math.min(...layers.map((layer) => fullHeight(layer, room.height, folds))));
    const heights = graph.vertices.map((_, index) => {
      const { length } = at(layers, at(ranked.vertices, index).rank);
      return (room.height - (length - 1) * BETWEEN) / length;
    });
    return { orientation, folds, vertexWidth, subtask: { width: vertexWidth - PAD * 2, height }, gap, heights };
  }
  const width = Math.floor(Math.min(...layers.map((layer) => fullWidth(layer, room.width, folds))));
  const subtask = { width, height: 54 };
  const used = ranked.ranks * (HEADER + subtask.height + FOOTER);
  const most = Math.max(...layers.map(({ length }) => length));
  const vertexWidth = Math.floor(clamp((room.width - (most - 1) * BETWEEN) / most, MIN_WIDTH, 340));
  const gap = Math.floor(clamp((room.height - used) / gaps, MIN_GAP.vertical, MAX_GAP.vertical));
  return { orientation, folds, vertexWidth, subtask, gap, heights: graph.vertices.map(() => VERTICAL_HEIGHT) };
}

/** About as wide as the longest name with what stands beside it. */
function namesOf({ vertices }: ExecutionGraph): number {
  return Math.max(...vertices.map(({ name }) => name.length)) * 8.2 + 74;
}

/** Height of a subtask's card so that the vertices of one layer fit below one another. */
function fullHeight(layer: readonly TaskVertex[], height: number, folds: Folds): number {
  const full = layer.filter((vertex) => densityOf(vertex, folds) === "full");
  const count = full.reduce((sum, vertex) => sum + vertex.parallelism, 0);
  if (count === 0) return 78;
  const rest = full.length * (HEADER + FOOTER) + (layer.length - 1) * BETWEEN + (count - full.length) * SUBTASK_GAP;
  return clamp((height - rest) / count, 50, 78);
}

/** Width of a subtask's card so that the vertices of one layer fit side by side. */
function fullWidth(layer: readonly TaskVertex[], width: number, folds: Folds): number {
  const full = layer.filter((vertex) => densityOf(vertex, folds) === "full");
  const count = full.reduce((sum, vertex) => sum + vertex.parallelism, 0);
  if (count === 0) return 160;
  const rest = layer.length * PAD * 2 + (layer.length - 1) * BETWEEN + (count - full.length) * SUBTASK_GAP;
  return clamp((width - rest) / count, 78, 176);
}

/** Spreads the layers over the room and keeps the ranking's places across it, centred. */
function placeVertices(ranked: RankedGraph, sizes: readonly Size[], measures: Measures, room: Box): Box[] {
  const horizontal = measures.orientation === "horizontal";
  const along = (size: Size): number => (horizontal ? size.width : size.height);
  const across = (size: Size): number => (horizontal ? size.height : size.width);
  const depths = Array.from({ length: ranked.ranks }, (_, rank) =>
    Math.max(...sizes.filter((_size, index) => at(ranked.vertices, index).rank === rank).map(along)),
  );
  const length = depths.reduce((sum, depth) => sum + depth, 0) + (ranked.ranks - 1) * measures.gap;
  const low = Math.min(...sizes.map((size, index) => at(ranked.vertices, index).across - across(size) / 2));
  const high = Math.max(...sizes.map((size, index) => at(ranked.vertices, index).across + across(size) / 2));
  const flowRoom = horizontal ? room.width : room.height;
  const acrossRoom = horizontal ? room.height : room.width;
  const flowFrom = (horizontal ? room.x : room.y) + Math.max(0, (flowRoom - length) / 2);
  const acrossFrom = (horizontal ? room.y : room.x) + Math.max(0, (acrossRoom - (high - low)) / 2) - low;
  return sizes.map((size, index) => {
    const { rank, across: middle } = at(ranked.vertices, index);
    const before = depths.slice(0, rank).reduce((sum, depth) => sum + depth + measures.gap, 0);
    const u = Math.round(flowFrom + before + (at(depths, rank) - along(size)) / 2);
    const v = Math.round(acrossFrom + middle - across(size) / 2);
    const { width, height } = size;
    return horizontal ? { x: u, y: v, width, height } : { x: v, y: u, width, height };
  });
}

/** Where across the stage a long edge passes a layer, in stage coordinates. */
export function acrossOffset(placed: PlacedGraph): number {
  const box = at(placed.vertices, 0).box;
  const middle = placed.measures.orientation === "horizontal" ? box.y + box.height / 2 : box.x + box.width / 2;
  return middle - at(placed.ranked.vertices, 0).across;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
