/** Faint lines from the partitions outside to the sources that read them, and from the sinks to the topics they write. */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { StageLayout } from "./layout-types.ts";
import { type Box, makePath, type Path, type Point } from "./path.ts";

/** The subtask that reads an input partition; `-1`: none does. */
export function readerOf(graph: ExecutionGraph, input: number): number {
  for (const [index, source] of graph.sources.entries()) {
    const number = graph.readers[index]?.[input] ?? -1;
    if (number >= 0) return at(graph.vertices, at(graph.operators, source).taskVertex).subtasks[number] ?? -1;
  }
  return -1;
}

/** The subtasks that write to the outside. */
function writersOf(graph: ExecutionGraph): readonly number[] {
  return graph.sinks.flatMap((sink) => at(graph.vertices, at(graph.operators, sink).taskVertex).subtasks);
}

export function connectors(graph: ExecutionGraph, layout: StageLayout): readonly Path[] {
  const reads = graph.inputs.flatMap((_, input) => {
    const reader = readerOf(graph, input);
    const partition = layout.inputs[input] ?? null;
    if (reader < 0 || partition === null) return [];
    return [readLine(layout, partition, endOf(graph, layout, reader))];
  });
  return [...reads, ...writersOf(graph).map((writer) => writeLine(graph, layout, writer))];
}

/** A subtask's card; of one that is only a cell, its vertex. */
function endOf(graph: ExecutionGraph, layout: StageLayout, subtask: number): Box {
  const place = at(layout.subtasks, subtask);
  return place.density === "cells" ? at(layout.vertices, at(graph.subtasks, subtask).taskVertex).box : place.box;
}

/** The channels of one subtask that are drawn only as part of a bundle, one by one. */
export function threads(graph: ExecutionGraph, layout: StageLayout, subtask: number): readonly Path[] {
  const { inputs, outputs } = at(graph.subtasks, subtask);
  const horizontal = layout.orientation === "horizontal";
  return [...inputs, ...outputs].flatMap((channel) => {
    if (layout.channels[channel] !== null) return [];
    const { from, to } = at(graph.channels, channel);
    const a = at(layout.subtasks, from).box;
    const b = at(layout.subtasks, to).box;
    const begin = horizontal
      ? { x: a.x + a.width, y: a.y + a.height / 2 }
      : { x: a.x + a.width / 2, y: a.y + a.height };
    const end = horizontal ? { x: b.x, y: b.y + b.height / 2 } : { x: b.x + b.width / 2, y: b.y };
    return [smooth(begin, end, horizontal)];
  });
}

function smooth(from: Point, to: Point, horizontal: boolean): Path {
  const half = horizontal ? (to.x - from.x) / 2 : (to.y - from.y) / 2;
  const handles = horizontal
    ? ([
        { x: from.x + half, y: from.y },
        { x: to.x - half, y: to.y },
      ] as const)
    : ([
        { x: from.x, y: from.y + half },
        { x: to.x, y: to.y - half },
      ] as const);
  return makePath(from, [{ to, handles }]);
}

function readLine(layout: StageLayout, partition: Box, reader: Box): Path {
  if (layout.orientation === "horizontal") {
    const from = { x: layout.sources.x + layout.sources.width, y: partition.y + Math.min(partition.height / 2, 36) };
    return smooth(from, { x: reader.x, y: reader.y + reader.height / 2 }, true);
  }
  const bottom = layout.sources.y + layout.sources.height;
  return smooth({ x: reader.x + reader.width / 2, y: bottom }, { x: reader.x + reader.width / 2, y: reader.y }, false);
}

/** From a sink's far side round to the strip below; the lines of one vertex run beside one another. */
export function writeLine(graph: ExecutionGraph, layout: StageLayout, subtask: number): Path {
  const { outside } = layout;
  const writer = endOf(graph, layout, subtask);
  if (layout.orientation === "vertical") {
    const x = writer.x + writer.width / 2;
    return smooth({ x, y: writer.y + writer.height }, { x, y: outside.y }, false);
  }
  const { number, taskVertex } = at(graph.subtasks, subtask);
  const right = writer.x + writer.width;
  const x =
    at(layout.vertices, taskVertex).box.x + at(layout.vertices, taskVertex).box.width + Math.max(4, 16 - number * 4);
  const y = writer.y + writer.height / 2;
  return makePath({ x: right, y }, [
    { to: { x: x - 6, y } },
    {
      to: { x, y: y + 6 },
      handles: [
        { x: x - 3, y },
        { x, y: y + 3 },
      ],
    },
    { to: { x, y: outside.y } },
  ]);
}
