/**
 * Vertices, their subtasks and the channels between them. A ranking says in which order the vertices stand; all else is
 * arithmetic: subtasks side by side inside their vertex, channels from port to port with a tray before the receiver.
 */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph, TaskVertex } from "../../protocol/execution-graph.ts";
import type { RankVertices, RankedGraph } from "./layout-ranks.ts";
import type { Density, Orientation, Size, SubtaskPlace, VertexPlace } from "./layout-types.ts";
import type { Box } from "./path.ts";

export const HEADER = 30;
/** How its subtasks spend their time, below them. */
const FOOTER = 20;
/** Narrower a vertex has no room for its words. */
const MIN_WIDTH = 134;
const PAD = 8;
const SUBTASK_GAP = 8;
const FULL_MAX = 4;
const COMPACT_MAX = 16;
const COMPACT_HEIGHT = 22;
const COMPACT_GAP = 3;
/** Edge of a subtask's cell with its gap: smaller, the more there are. */
function cellSize(count: number): number {
  if (count <= 48) return 15;
  return count <= 160 ? 11 : 6;
}

function densityOf(parallelism: number): Density {
  if (parallelism <= FULL_MAX) return "full";
  return parallelism <= COMPACT_MAX ? "compact" : "cells";
}

/** What the room there is makes of the sizes that can vary. */
export interface Measures {
  readonly orientation: Orientation;
  /** Width of a vertex where subtasks stand below one another. */
  readonly vertexWidth: number;
  /** Of a subtask drawn in full. */
  readonly subtask: Size;
  /** Between the layers, where the channels run. */
  readonly gap: number;
}

export interface PlacedGraph {
  readonly vertices: readonly VertexPlace[];
  readonly subtasks: readonly SubtaskPlace[];
  readonly ranked: RankedGraph;
  readonly measures: Measures;
  readonly width: number;
  readonly height: number;
}

const BETWEEN = 22;
const MIN_GAP = { horizontal: 96, vertical: 72 } as const;
const MAX_GAP = { horizontal: 250, vertical: 120 } as const;

/** Sizes that suit the room; a graph that does not fit keeps them and takes more room. */
export function measureGraph(
  rankVertices: RankVertices,
  graph: ExecutionGraph,
  room: Box,
  orientation: Orientation,
): Measures {
  const nominal = rankVertices(
    graph,
    graph.vertices.map(() => ({ width: 100, height: 100 })),
    BETWEEN,
    orientation,
  );
  return measure(graph, nominal, room, orientation);
}

/** Places the graph in `room`, or in more where that is too small; the caller reads how much it took. */
export function placeGraph(
  rankVertices: RankVertices,
  graph: ExecutionGraph,
  room: Box,
  measures: Measures,
): PlacedGraph {
  const { orientation } = measures;
  const sizes = graph.vertices.map((vertex) => vertexSize(vertex, measures));
  const ranked = rankVertices(graph, sizes, BETWEEN, orientation);
  const boxes = placeVertices(ranked, sizes, measures, room);
  const subtasks: SubtaskPlace[] = [];
  graph.vertices.forEach((vertex, index) => {
    for (const [number, subtask] of vertex.subtasks.entries())
      subtasks[subtask] = subtaskPlace(vertex, number, at(boxes, index), measures);
  });
  const vertices = boxes.map((box, index) => ({ box, density: densityOf(at(graph.vertices, index).parallelism) }));
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

function measure(graph: ExecutionGraph, ranked: RankedGraph, room: Box, orientation: Orientation): Measures {
  const layers = Array.from({ length: ranked.ranks }, (_, rank) =>
    graph.vertices.filter((_vertex, index) => at(ranked.vertices, index).rank === rank),
  );
  const gaps = Math.max(1, ranked.ranks - 1);
  if (orientation === "horizontal") {
    const vertexWidth = Math.floor(clamp((room.width - gaps * 118) / ranked.ranks, MIN_WIDTH, 180));
    const gap = Math.floor(
      clamp((room.width - vertexWidth * ranked.ranks) / gaps, MIN_GAP.horizontal, MAX_GAP.horizontal),
    );
    const height = Math.floor(Math.min(...layers.map((layer) => fullHeight(layer, room.height))));
    return { orientation, vertexWidth, subtask: { width: vertexWidth - PAD * 2, height }, gap };
  }
  const width = Math.floor(Math.min(...layers.map((layer) => fullWidth(layer, room.width))));
  const subtask = { width, height: 54 };
  const used = ranked.ranks * (HEADER + subtask.height + FOOTER);
  return {
    orientation,
    vertexWidth: width + PAD * 2,
    subtask,
    gap: Math.floor(clamp((room.height - used) / gaps, MIN_GAP.vertical, MAX_GAP.vertical)),
  };
}

/** Height of a subtask's card so that the vertices of one layer fit below one another. */
function fullHeight(layer: readonly TaskVertex[], height: number): number {
  const full = layer.filter(({ parallelism }) => densityOf(parallelism) === "full");
  const count = full.reduce((sum, vertex) => sum + vertex.parallelism, 0);
  if (count === 0) return 78;
  const rest = full.length * (HEADER + FOOTER) + (layer.length - 1) * BETWEEN + (count - full.length) * SUBTASK_GAP;
  return clamp((height - rest) / count, 50, 78);
}

/** Width of a subtask's card so that the vertices of one layer fit side by side. */
function fullWidth(layer: readonly TaskVertex[], width: number): number {
  const full = layer.filter(({ parallelism }) => densityOf(parallelism) === "full");
  const count = full.reduce((sum, vertex) => sum + vertex.parallelism, 0);
  if (count === 0) return 160;
  const rest = layer.length * PAD * 2 + (layer.length - 1) * BETWEEN + (count - full.length) * SUBTASK_GAP;
  return clamp((width - rest) / count, 78, 176);
}

function vertexSize(vertex: TaskVertex, measures: Measures): Size {
  const count = vertex.parallelism;
  const density = densityOf(count);
  if (measures.orientation === "vertical" && density === "full") {
    return {
      width: count * (measures.subtask.width + SUBTASK_GAP) - SUBTASK_GAP + PAD * 2,
      height: HEADER + measures.subtask.height + FOOTER,
    };
  }
  const width = Math.max(measures.vertexWidth, MIN_WIDTH);
  if (density === "full")
    return { width, height: HEADER + count * (measures.subtask.height + SUBTASK_GAP) - SUBTASK_GAP + FOOTER };
  if (density === "compact") {
    const rows = measures.orientation === "vertical" ? Math.ceil(count / 4) : count;
    const broad = measures.orientation === "vertical" ? 340 : width;
    return { width: broad, height: HEADER + rows * (COMPACT_HEIGHT + COMPACT_GAP) - COMPACT_GAP + FOOTER };
  }
  return { width, height: HEADER + Math.ceil(count / cellColumns(width, count)) * cellSize(count) + FOOTER };
}

function cellColumns(width: number, count: number): number {
  return Math.max(1, Math.floor((width - PAD * 2) / cellSize(count)));
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
    return horizontal ? { x: u, y: v, ...size } : { x: v, y: u, ...size };
  });
}

/** Where across the stage a long edge passes a layer, in stage coordinates. */
export function acrossOffset(placed: PlacedGraph): number {
  const box = at(placed.vertices, 0).box;
  const middle = placed.measures.orientation === "horizontal" ? box.y + box.height / 2 : box.x + box.width / 2;
  return middle - at(placed.ranked.vertices, 0).across;
}

function subtaskPlace(vertex: TaskVertex, number: number, box: Box, measures: Measures): SubtaskPlace {
  const density = densityOf(vertex.parallelism);
  const x = box.x + PAD;
  const y = box.y + HEADER;
  const width = box.width - PAD * 2;
  if (density === "full") {
    const { subtask, orientation } = measures;
    if (orientation === "horizontal")
      return { density, box: { x, y: y + number * (subtask.height + SUBTASK_GAP), width, height: subtask.height } };
    return { density, box: { x: x + number * (subtask.width + SUBTASK_GAP), y, ...subtask } };
  }
  if (density === "compact") {
    const columns = measures.orientation === "vertical" ? 4 : 1;
    const each = (width - (columns - 1) * 6) / columns;
    const row = Math.floor(number / columns);
    return {
      density,
      box: {
        x: x + (number % columns) * (each + 6),
        y: y + row * (COMPACT_HEIGHT + COMPACT_GAP),
        width: each,
        height: COMPACT_HEIGHT,
      },
    };
  }
  const size = cellSize(vertex.parallelism);
  const columns = cellColumns(box.width, vertex.parallelism);
  const inside = size - (size > 8 ? 2 : 1);
  return {
    density,
    box: {
      x: x + (number % columns) * size,
      y: y + Math.floor(number / columns) * size,
      width: inside,
      height: inside,
    },
  };
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
