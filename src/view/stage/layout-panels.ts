/**
 * The strips around the graph. Wide: sources and storage at the left, the JobManager on top, the outside world at the
 * bottom. Narrow: all of it in one column, in the order in which records pass through.
 */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { Size } from "./layout-types.ts";
import type { Box } from "./path.ts";

export const MARGIN = 12;
export const GAP = 12;
export const TITLE_HEIGHT = 30;
const SIDE_WIDTH = 176;
const JOB_MANAGER_HEIGHT = 88;
const OUTPUT_ROW = 30;
const TASK_MANAGER_HEIGHT = 26;
const TASK_MANAGER_WIDTH = 112;
/** Room beside the graph for the lines from the sources and to the outside. */
const GUTTER = 24;
/** More partitions than this are one line each. */
const TALL_INPUTS = 4;

export interface Panels {
  readonly jobManager: Box;
  readonly sources: Box;
  readonly inputs: readonly Box[];
  readonly storage: Box;
  readonly outside: Box;
  readonly outputs: readonly Box[];
  readonly taskManagers: readonly Box[];
  /** Where the graph may stand. */
  readonly graph: Box;
  readonly width: number;
  readonly height: number;
}

/** `content` is what the graph turned out to need; at first nothing. */
export function widePanels(graph: ExecutionGraph, size: Size, content: Size): Panels {
  const left = MARGIN + SIDE_WIDTH + GAP;
  const top = MARGIN + JOB_MANAGER_HEIGHT + GAP;
  const inputHeight = graph.inputs.length > TALL_INPUTS ? 24 : 56;
  const sourcesHeight = TITLE_HEIGHT + graph.inputs.length * inputHeight + 8;
  const outsideHeight = TITLE_HEIGHT + Math.max(1, graph.outputs.length) * OUTPUT_ROW + 8;
  const below = TASK_MANAGER_HEIGHT + GAP + outsideHeight + MARGIN;
  const height = Math.max(
    size.height,
    top + content.height + GAP + below,
    MARGIN + sourcesHeight + 130 + GAP * 2 + outsideHeight,
  );
  const width = Math.max(size.width, left + GUTTER + content.width + GUTTER + MARGIN);
  const outside = { x: MARGIN, y: height - MARGIN - outsideHeight, width: width - MARGIN * 2, height: outsideHeight };
  const sources = { x: MARGIN, y: MARGIN, width: SIDE_WIDTH, height: sourcesHeight };
  const storageTop = MARGIN + sourcesHeight + GAP;
  const tasksTop = outside.y - GAP - TASK_MANAGER_HEIGHT;
  return {
    jobManager: { x: left, y: MARGIN, width: width - left - MARGIN, height: JOB_MANAGER_HEIGHT },
    sources,
    inputs: rows(graph.inputs.length, sources.x + 10, sources.y + TITLE_HEIGHT, sources.width - 20, inputHeight),
    storage: { x: MARGIN, y: storageTop, width: SIDE_WIDTH, height: outside.y - GAP - storageTop },
    outside,
    outputs: rows(graph.outputs.length, outside.x + 10, outside.y + TITLE_HEIGHT, outside.width - 20, OUTPUT_ROW),
    taskManagers: chips(graph.taskManagers.length, left, tasksTop, width - left - MARGIN),
    graph: { x: left + GUTTER, y: top, width: width - left - GUTTER * 2 - MARGIN, height: tasksTop - GAP - top },
    width,
    height,
  };
}

const NARROW_JOB_MANAGER = 74;
const NARROW_INPUT = 24;
const NARROW_OUTPUT = 28;

export function narrowPanels(graph: ExecutionGraph, size: Size, content: Size): Panels {
  const width = Math.max(size.width, content.width + MARGIN * 2);
  const inner = width - MARGIN * 2;
  const gap = 8;
  const jobManager = { x: MARGIN, y: 8, width: inner, height: NARROW_JOB_MANAGER };
  const storage = { x: MARGIN, y: bottom(jobManager) + gap, width: inner, height: 30 };
  const sources = { x: MARGIN, y: bottom(storage) + gap, width: inner, height: 8 + graph.inputs.length * NARROW_INPUT };
  const graphTop = bottom(sources) + 10;
  const outsideHeight = 26 + Math.max(1, graph.outputs.length) * NARROW_OUTPUT + 6;
  const tasksHeight = TASK_MANAGER_HEIGHT + gap;
  const rest = size.height - graphTop - tasksHeight - outsideHeight - 10 - 8;
  const graphHeight = Math.max(rest, content.height);
  const outside = { x: MARGIN, y: graphTop + graphHeight + 10 + tasksHeight, width: inner, height: outsideHeight };
  return {
    jobManager,
    sources,
    inputs: rows(graph.inputs.length, sources.x + 10, sources.y + 4, inner - 20, NARROW_INPUT),
    storage,
    outside,
    outputs: rows(graph.outputs.length, outside.x + 8, outside.y + 26, inner - 16, NARROW_OUTPUT),
    taskManagers: chips(graph.taskManagers.length, MARGIN, graphTop + graphHeight + 10, inner),
    graph: { x: MARGIN, y: graphTop, width: inner, height: graphHeight },
    width,
    height: bottom(outside) + 8,
  };
}

export function bottom(box: Box): number {
  return box.y + box.height;
}

function rows(count: number, x: number, y: number, width: number, height: number): Box[] {
  return Array.from({ length: count }, (_, index) => ({ x, y: y + index * height, width, height }));
}

/** Chips side by side, narrower where there are many. */
function chips(count: number, x: number, y: number, width: number): Box[] {
  const each = Math.min(TASK_MANAGER_WIDTH, (width - (count - 1) * 8) / count);
  return Array.from({ length: count }, (_, index) => ({
    x: x + index * (each + 8),
    y,
    width: each,
    height: TASK_MANAGER_HEIGHT,
  }));
}
