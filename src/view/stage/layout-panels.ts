/**
 * The strips around the graph. Wide: sources and storage at the left, the JobManager on top, the outside world at the
 * bottom. Narrow: all of it in one column, in the order in which records pass through.
 */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { clamp } from "./layout-graph.ts";
import type { Size } from "./layout-types.ts";
import type { Box } from "./path.ts";

const MARGIN = 12;
const GAP = 12;
const TITLE_HEIGHT = 30;
/** At the upper right, for the zoom buttons that stand above the stage (`stage.css`). */
const BUTTONS = 34;
const NARROW_BUTTONS = 52;
const SIDE_WIDTH = 184;
/** Of a rail: what there is, by number. */
const RAIL_WIDTH = 40;
const RAIL_INPUT = 36;
const JOB_MANAGER_HEIGHT = 102;
/** What its three parts need side by side: the job, a checkpoint in progress with its name and its count, the store. */
const JOB_MANAGER_LEAST = 540;
const TASK_MANAGER_HEIGHT = 26;
const TASK_MANAGER_WIDTH = 140;
/** Two rows and the legend. */
const STORAGE_MIN = 112;
/** Room beside the graph for the lines from the sources and to the outside. */
const GUTTER = 24;
/** More partitions than this are one line each. */
const TALL_INPUTS = 4;
const TALL_OUTPUTS = 2;
/** Lines for what readers see. */
const READERS = 34;
/** More than these are told by a number. */
const INPUTS_MAX = 10;
const INPUTS_MIN = 4;
const OUTPUTS_MAX = 4;
/** So few are left where the graph needs the room. */
const OUTPUTS_MIN = 2;

export interface Panels {
  readonly jobManager: Box;
  readonly sources: Box;
  readonly inputs: readonly (Box | null)[];
  readonly storage: Box;
  readonly outside: Box;
  readonly outputs: readonly (Box | null)[];
  readonly taskManagers: readonly Box[];
  /** Where the graph may stand. */
  readonly graph: Box;
  /** By how much it could be higher if the strip below showed fewer partitions. */
  readonly spare: number;
  readonly width: number;
  readonly height: number;
}

/** `content` is what the graph turned out to need; at first nothing. `slim`: the strips at the left are rails. */
export function widePanels(graph: ExecutionGraph, size: Size, content: Size, slim: boolean): Panels {
  const side = slim ? RAIL_WIDTH : SIDE_WIDTH;
  const inset = slim ? 4 : 10;
  const left = MARGIN + side + GAP;
  const top = MARGIN + JOB_MANAGER_HEIGHT + GAP;
  const tall = slim ? RAIL_INPUT : graph.inputs.length > 2 ? 54 : 60;
  const inputHeight = graph.inputs.length > TALL_INPUTS ? 24 : tall;
  const around = top + GAP + TASK_MANAGER_HEIGHT + GAP + TITLE_HEIGHT + 8 + MARGIN;
  const most = linesOf(graph.outputs.length, OUTPUTS_MAX);
  const least = Math.min(most, OUTPUTS_MIN);
  const room = size.height - around - content.height;
  const outputHeight = heightOfOutput(graph.outputs.length, content.height > 0 ? room : 0);
  const fit = Math.floor(room / outputHeight);
  // Where fewer partitions are of no help either, all are shown.
  const lines = fit < least ? most : Math.min(most, fit);
  const outsideHeight = TITLE_HEIGHT + lines * outputHeight + 8;
  const below = TASK_MANAGER_HEIGHT + GAP + outsideHeight + MARGIN;
  const leftRoom = size.height - MARGIN * 2 - GAP * 2 - TITLE_HEIGHT - 8 - STORAGE_MIN - outsideHeight;
  const inputLines = clamp(Math.floor(leftRoom / inputHeight), INPUTS_MIN, INPUTS_MAX);
  const sourcesHeight = TITLE_HEIGHT + linesOf(graph.inputs.length, inputLines) * inputHeight + 8;
  const height = Math.max(
    size.height,
    top + content.height + GAP + below,
    MARGIN + sourcesHeight + STORAGE_MIN + GAP * 2 + outsideHeight + MARGIN,
  );
  const width = Math.max(size.width, left + GUTTER + content.width + GUTTER + MARGIN);
  // Where the stage is panned all of it is in sight at first, left of the buttons. Between strips that can be less than it
  // needs: there it reaches beyond, as far as the stage does.
  const needed = slim ? 0 : Math.min(width - left - MARGIN, JOB_MANAGER_LEAST);
  const jobManager = Math.max(size.width - left - MARGIN - BUTTONS, needed);
  const outside = { x: MARGIN, y: height - MARGIN - outsideHeight, width: width - MARGIN * 2, height: outsideHeight };
  const inputs = { x: MARGIN + inset, y: MARGIN + TITLE_HEIGHT, width: side - inset * 2 };
  const outputs = { x: outside.x + 10, y: outside.y + TITLE_HEIGHT, width: outside.width - 20 };
  const sources = { x: MARGIN, y: MARGIN, width: side, height: sourcesHeight };
  const storageTop = MARGIN + sourcesHeight + GAP;
  const tasksTop = outside.y - GAP - TASK_MANAGER_HEIGHT;
  return {
    jobManager: { x: left, y: MARGIN, width: jobManager, height: JOB_MANAGER_HEIGHT },
    sources,
    inputs: rows(graph.inputs.length, inputLines, inputs, inputHeight),
    storage: { x: MARGIN, y: storageTop, width: side, height: outside.y - GAP - storageTop },
    outside,
    outputs: firstRows(graph.outputs.length, lines, outputs, outputHeight),
    taskManagers: chips(graph.taskManagers.length, left, tasksTop, width - left - MARGIN),
    graph: { x: left + GUTTER, y: top, width: width - left - GUTTER * 2 - MARGIN, height: tasksTop - GAP - top },
    spare: (most - least) * outputHeight,
    width,
    height,
  };
}

/** What readers see has its place where the graph leaves so much room. */
function heightOfOutput(outputs: number, room: number): number {
  if (outputs > TALL_OUTPUTS) return 26;
  return room >= outputs * (30 + READERS) ? 30 + READERS : 30;
}

const NARROW_JOB_MANAGER = 88;
const NARROW_INPUT = 24;
const NARROW_OUTPUT = 28;

export function narrowPanels(graph: ExecutionGraph, size: Size, content: Size): Panels {
  const width = Math.max(size.width, content.width + MARGIN * 2);
  const inner = width - MARGIN * 2;
  const gap = 8;
  const beside = size.width - MARGIN * 2 - NARROW_BUTTONS;
  const jobManager = { x: MARGIN, y: 8, width: beside, height: NARROW_JOB_MANAGER };
  const storage = { x: MARGIN, y: bottom(jobManager) + gap, width: beside, height: 30 };
  const sources = {
    x: MARGIN,
    y: bottom(storage) + gap,
    width: inner,
    height: 8 + linesOf(graph.inputs.length, INPUTS_MAX) * NARROW_INPUT,
  };
  const graphTop = bottom(sources) + 10;
  const outputHeight = NARROW_OUTPUT + (graph.outputs.length <= TALL_OUTPUTS ? READERS : 0);
  const outsideHeight = 26 + linesOf(graph.outputs.length, OUTPUTS_MAX) * outputHeight + 6;
  const tasksHeight = TASK_MANAGER_HEIGHT + gap;
  const rest = size.height - graphTop - tasksHeight - outsideHeight - 10 - 8;
  const graphHeight = Math.max(rest, content.height);
  const outside = { x: MARGIN, y: graphTop + graphHeight + 10 + tasksHeight, width: inner, height: outsideHeight };
  return {
    jobManager,
    sources,
    inputs: rows(
      graph.inputs.length,
      INPUTS_MAX,
      { x: sources.x + 10, y: sources.y + 4, width: inner - 20 },
      NARROW_INPUT,
    ),
    storage,
    outside,
    outputs: firstRows(
      graph.outputs.length,
      OUTPUTS_MAX,
      { x: outside.x + 8, y: outside.y + 26, width: inner - 16 },
      outputHeight,
    ),
    taskManagers: chips(graph.taskManagers.length, MARGIN, graphTop + graphHeight + 10, inner),
    graph: { x: MARGIN, y: graphTop, width: inner, height: graphHeight },
    spare: 0,
    width,
    height: bottom(outside) + 8,
  };
}

function bottom(box: Box): number {
  return box.y + box.height;
}

/** Lines that a list takes; what is left out of it is told in the last one. */
function linesOf(count: number, most: number): number {
  return Math.max(1, Math.min(count, most));
}

type Strip = Omit<Box, "height">;

/** A row for each of a list; for those behind the last line but one of a list that is too long, none. */
function rows(count: number, most: number, strip: Strip, height: number): (Box | null)[] {
  return firstRows(count, count > most ? most - 1 : count, strip, height);
}

/** A row for each of the first of a list; how many there are besides stands elsewhere. */
function firstRows(count: number, shown: number, { x, y, width }: Strip, height: number): (Box | null)[] {
  return Array.from({ length: count }, (_, index) =>
    index < shown ? { x, y: y + index * height, width, height } : null,
  );
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
