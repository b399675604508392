/**
 * The order of the task vertices. Those of a line stand one behind the other, which needs no library; every other graph is
 * dagre's, whose code is fetched with the first such graph.
 */
import { at } from "../../base/assert.ts";
import type { Edge } from "../../protocol/execution-graph.ts";
import type { Orientation, Size } from "./layout-types.ts";

/** What of an execution graph decides the order of its vertices. */
export interface Flow {
  readonly vertices: readonly unknown[];
  readonly edges: readonly Pick<Edge, "index" | "from" | "to">[];
}

/** Middle of a vertex along the flow (`rank`: its layer) and across it. */
export interface Ranked {
  readonly rank: number;
  readonly across: number;
}

export interface RankedGraph {
  readonly vertices: readonly Ranked[];
  readonly ranks: number;
  /** By edge: for each rank that a long edge passes, where across it passes. */
  readonly passes: readonly (readonly Ranked[])[];
}

/** Sizes are those of the vertices' boxes; `between` is the least distance of two vertices in a layer. */
export type RankVertices = (
  graph: Flow,
  sizes: readonly Size[],
  between: number,
  orientation: Orientation,
) => RankedGraph;

/** Who ranks the vertices of a graph. */
export async function rankingOf(graph: Flow): Promise<RankVertices> {
  return isLine(graph) ? rankLine : (await import("./layout-dagre.ts")).rankByDagre;
}

/** Each vertex has at most one edge in and one out, and all hang together. */
function isLine({ vertices, edges }: Flow): boolean {
  return (
    edges.length === vertices.length - 1 &&
    new Set(edges.map(({ from }) => from)).size === edges.length &&
    new Set(edges.map(({ to }) => to)).size === edges.length
  );
}

/** As dagre would: all on one axis, where the broadest has its middle. */
export const rankLine: RankVertices = ({ vertices, edges }, sizes, _between, orientation) => {
  const ranks = vertices.map(() => 0);
  let vertex = vertices.findIndex((_, index) => edges.every(({ to }) => to !== index));
  for (let rank = 0; rank < vertices.length; rank++) {
    ranks[vertex] = rank;
    vertex = edges.find(({ from }) => from === vertex)?.to ?? -1;
  }
  const across = Math.max(...sizes.map(({ width, height }) => (orientation === "horizontal" ? height : width))) / 2;
  return {
    vertices: vertices.map((_, index) => ({ rank: at(ranks, index), across })),
    ranks: vertices.length,
    passes: edges.map(() => []),
  };
};
