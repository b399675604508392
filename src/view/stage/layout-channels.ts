/**
 * Channels as lines from port to port. Each ends in a straight tray before the receiver, in which what has arrived waits
 * in its order. A large exchange has one bundle in the place of its channels.
 */
import { at } from "../../base/assert.ts";
import type { Channel, Edge, ExecutionGraph } from "../../protocol/execution-graph.ts";
import { acrossOffset, clamp, type PlacedGraph } from "./layout-graph.ts";
import { HEADER } from "./layout-vertex.ts";
import type { ChannelPlace, EdgePlace, Orientation } from "./layout-types.ts";
import { type Box, makePath, type Point, type Segment } from "./path.ts";

/** An exchange with more channels is drawn as one bundle. */
const SINGLE_MAX = 16;
/** A job with more channels in all is drawn in bundles only. */
const CHANNELS_MAX = 400;
/** Buffers that have their own place in a tray. */
const SLOTS_MAX = 6;
const STUB = 8;
/** What lies between tray and port: where records flow downwards, the vertex's heading, which the tray keeps clear of. */
const REST = { horizontal: 5, vertical: HEADER + 3 } as const;
/** What of a gap the tray leaves to the curve. */
const CURVE_MIN = 44;
/** Ports closer than this are merged into one. */
const PORT_MIN = 10;

/** A point by its place along the flow and across it. */
interface Turned {
  readonly u: number;
  readonly v: number;
}

function turn({ u, v }: Turned, orientation: Orientation): Point {
  return orientation === "horizontal" ? { x: u, y: v } : { x: v, y: u };
}

interface Side {
  /** Where the side lies along the flow, and the range across it. */
  readonly u: number;
  readonly from: number;
  readonly to: number;
}

function side(box: Box, end: "in" | "out", orientation: Orientation): Side {
  if (orientation === "horizontal")
    return { u: end === "in" ? box.x : box.x + box.width, from: box.y, to: box.y + box.height };
  return { u: end === "in" ? box.y : box.y + box.height, from: box.x, to: box.x + box.width };
}

/** The place of the `index`-th of `count` ports on a side; the outer ones keep clear of the corners. */
function port(range: Side, index: number, count: number, spacing: number): Turned {
  const middle = (range.from + range.to) / 2;
  const free = range.to - range.from - 20;
  const step = count < 2 ? 0 : Math.min(spacing, free / (count - 1));
  return { u: range.u, v: step < PORT_MIN ? middle : middle + (index - (count - 1) / 2) * step };
}

function isBundled(graph: ExecutionGraph, placed: PlacedGraph, edge: Edge): boolean {
  if (edge.channels.length > SINGLE_MAX || graph.channels.length > CHANNELS_MAX) return true;
  // Cells, and rows behind others, have no side of their own for ports.
  return [edge.from, edge.to].some((vertex) => {
    const { density, columns } = at(placed.vertices, vertex);
    return (
      density === "cells" || (density === "compact" && (columns > 1 || placed.measures.orientation === "vertical"))
    );
  });
}

/** The channels at a subtask's side, in the order of what lies at their other end, so that few lines cross. */
function ordered(
  graph: ExecutionGraph,
  placed: PlacedGraph,
  channels: readonly number[],
  other: "from" | "to",
): number[] {
  const { orientation } = placed.measures;
  const key = (channel: number): number => {
    const { box } = at(placed.subtasks, at(graph.channels, channel)[other]);
    return orientation === "horizontal" ? box.y : box.x;
  };
  return channels.toSorted((a, b) => key(a) - key(b) || a - b);
}

/** Places every channel, or its edge's bundle. */
export function placeChannels(
  graph: ExecutionGraph,
  placed: PlacedGraph,
): { channels: (ChannelPlace | null)[]; edges: EdgePlace[] } {
  const channels: (ChannelPlace | null)[] = graph.channels.map(() => null);
  const bundled = graph.edges.map((edge) => isBundled(graph, placed, edge));
  for (const subtask of graph.subtasks) {
    for (const channel of subtask.inputs) {
      const { edge } = at(graph.channels, channel);
      if (bundled[edge] !== true) channels[channel] = singleChannel(graph, placed, at(graph.channels, channel));
    }
  }
  const edges = graph.edges.map((edge): EdgePlace => {
    const bundle = bundled[edge.index] === true ? bundleOf(graph, placed, edge) : null;
    return { bundle, label: labelOf(placed, edge) };
  });
  return { channels, edges };
}

/** One channel's own line. */
function singleChannel(graph: ExecutionGraph, placed: PlacedGraph, channel: Channel): ChannelPlace {
  const { orientation } = placed.measures;
  const sender = at(graph.subtasks, channel.from);
  const receiver = at(graph.subtasks, channel.to);
  const outputs = ordered(graph, placed, sender.outputs, "to");
  const inputs = ordered(graph, placed, receiver.inputs, "from");
  const from = port(
    side(at(placed.subtasks, channel.from).box, "out", orientation),
    outputs.indexOf(channel.index),
    outputs.length,
    14,
  );
  const to = port(
    side(at(placed.subtasks, channel.to).box, "in", orientation),
    inputs.indexOf(channel.index),
    inputs.length,
    30,
  );
  return channelLine(placed, at(graph.edges, channel.edge), from, to);
}

function bundleOf(graph: ExecutionGraph, placed: PlacedGraph, edge: Edge): ChannelPlace {
  const { orientation } = placed.measures;
  const from = port(side(at(placed.vertices, edge.from).box, "out", orientation), 0, 1, 0);
  const incoming = graph.edges.filter((other) => other.to === edge.to);
  const to = port(
    side(at(placed.vertices, edge.to).box, "in", orientation),
    incoming.indexOf(edge),
    incoming.length,
    40,
  );
  return channelLine(placed, edge, from, to);
}

function channelLine(placed: PlacedGraph, edge: Edge, from: Turned, to: Turned): ChannelPlace {
  const { orientation } = placed.measures;
  const slot = 12;
  const slots = Math.min(edge.capacity, clamp(Math.floor((placed.measures.gap - CURVE_MIN) / slot), 2, SLOTS_MAX));
  const tray: Turned = { u: to.u - REST[orientation] - slots * slot, v: to.v };
  const begin: Turned = { u: from.u + STUB, v: from.v };
  const waypoints = waypointsOf(placed, edge);
  const segments: Segment[] = [{ to: turn(begin, orientation) }];
  let last = begin;
  for (const next of [...waypoints, tray]) {
    segments.push(curve(last, next, orientation));
    last = next;
  }
  segments.push({ to: turn(to, orientation) });
  return { path: makePath(turn(from, orientation), segments), slot, slots, rest: REST[orientation] };
}

/** Where a long edge passes the layers between its ends. */
function waypointsOf(placed: PlacedGraph, edge: Edge): Turned[] {
  const offset = acrossOffset(placed);
  const passes = at(placed.ranked.passes, edge.index);
  return passes.flatMap(({ rank, across }) => {
    const { from, to } = layer(placed, rank);
    const v = across + offset;
    return [
      { u: from, v },
      { u: to, v },
    ];
  });
}

/** The extent of a layer along the flow. */
function layer(placed: PlacedGraph, rank: number): { from: number; to: number } {
  const boxes = placed.vertices
    .filter((_vertex, index) => at(placed.ranked.vertices, index).rank === rank)
    .map(({ box }) => box);
  const horizontal = placed.measures.orientation === "horizontal";
  return {
    from: Math.min(...boxes.map((box) => (horizontal ? box.x : box.y))),
    to: Math.max(...boxes.map((box) => (horizontal ? box.x + box.width : box.y + box.height))),
  };
}

function curve(from: Turned, to: Turned, orientation: Orientation): Segment {
  if (Math.abs(from.v - to.v) < 0.5) return { to: turn(to, orientation) };
  const reach = (to.u - from.u) * 0.5;
  const handles = [
    turn({ u: from.u + reach, v: from.v }, orientation),
    turn({ u: to.u - reach, v: to.v }, orientation),
  ] as const;
  return { to: turn(to, orientation), handles };
}

/** The ship strategy stands where the exchange begins, beside the sending vertex's heading, clear of the channels. */
function labelOf(placed: PlacedGraph, edge: Edge): Point {
  const { box } = at(placed.vertices, edge.from);
  if (placed.measures.orientation === "horizontal") return { x: box.x + box.width + 10, y: box.y + 20 };
  return { x: box.x + 10, y: box.y + box.height + 15 };
}
