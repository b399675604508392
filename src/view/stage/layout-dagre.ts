/**
 * The order of the task vertices of any graph: dagre layers them along the flow and orders each layer so that few edges
 * cross. The distances between layers are not dagre's: the stage spreads them over the room there is.
 */
import { Graph, layout } from "@dagrejs/dagre";
import { at } from "../../base/assert.ts";
import type { Flow, RankVertices, RankedGraph } from "./layout-ranks.ts";
import type { Orientation } from "./layout-types.ts";
import type { Point } from "./path.ts";

const NOMINAL_RANK_GAP = 160;

export const rankByDagre: RankVertices = (graph, sizes, between, orientation) => {
  const drawn = new Graph<object, { width: number; height: number } & Point, { points: Point[] }>({ multigraph: true });
  drawn.setGraph({
    rankdir: orientation === "horizontal" ? "LR" : "TB",
    nodesep: between,
    edgesep: 24,
    ranksep: NOMINAL_RANK_GAP,
  });
  drawn.setDefaultEdgeLabel(() => ({ points: [] }));
  graph.vertices.forEach((_, index) => drawn.setNode(String(index), { ...at(sizes, index), x: 0, y: 0 }));
  for (const edge of graph.edges) drawn.setEdge(String(edge.from), String(edge.to), { points: [] }, String(edge.index));
  layout(drawn);
  return readRanks(graph, drawn, orientation);
};

type Drawn = Graph<object, { width: number; height: number } & Point, { points: Point[] }>;

function readRanks(graph: Flow, drawn: Drawn, orientation: Orientation): RankedGraph {
  const flow = (point: Point): number => (orientation === "horizontal" ? point.x : point.y);
  const across = (point: Point): number => (orientation === "horizontal" ? point.y : point.x);
  const nodes = graph.vertices.map((_, index) => drawn.node(String(index)));
  const centres = [...new Set(nodes.map((node) => Math.round(flow(node))))].sort((a, b) => a - b);
  const rankOf = (point: Point): number => centres.indexOf(Math.round(flow(point)));
  const passes = graph.edges.map((edge) => {
    const first = rankOf(at(nodes, edge.from));
    const last = rankOf(at(nodes, edge.to));
    const { points } = drawn.edge({ v: String(edge.from), w: String(edge.to), name: String(edge.index) });
    return centres.flatMap((centre, rank) => {
      if (rank <= Math.min(first, last) || rank >= Math.max(first, last)) return [];
      return [{ rank, across: across(nearest(points, (point) => Math.abs(flow(point) - centre))) }];
    });
  });
  return {
    vertices: nodes.map((node) => ({ rank: rankOf(node), across: across(node) })),
    ranks: centres.length,
    passes,
  };
}

function nearest(points: readonly Point[], distance: (point: Point) => number): Point {
  return points.reduce((best, point) => (distance(point) < distance(best) ? point : best));
}
