/** When two graphs have the same layout, and when it flows to the right. */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { densityOf, type Folds, STRIPS } from "./density.ts";
import type { Size } from "./layout-types.ts";

/** Narrower stages flow downwards. */
export const WIDE_FROM = 640;

/** Below this the strips beside the graph are rails. */
const SLIM_BELOW = 900;

export function isSlim({ width }: Size, folds: Folds): boolean {
  return folds[STRIPS] === "closed" && width >= WIDE_FROM && width < SLIM_BELOW;
}

/** What of a graph decides its layout: two graphs with the same key stand the same. */
export function layoutKey(graph: ExecutionGraph, size: Size, folds: Folds): string {
  const shape = {
    vertices: graph.vertices.map(({ uid, parallelism }) => [uid, parallelism, densityOf({ uid, parallelism }, folds)]),
    edges: graph.edges.map(({ from, to, ship, capacity, channels }) => [from, to, ship, capacity, channels.length]),
    inputs: graph.inputs.length,
    outputs: graph.outputs.length,
    taskManagers: graph.taskManagers.length,
    size: [size.width, size.height, isSlim(size, folds)],
  };
  return JSON.stringify(shape);
}
