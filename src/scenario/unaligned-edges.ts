/** Which exchanges let a barrier overtake data (`StreamGraphGenerator`, `RecordWriterOutput`; CP-037, SK-151). */
import { at } from "../base/assert.ts";
import type { Edge, ExecutionGraph } from "../protocol/execution-graph.ts";
import { commitsApart } from "../protocol/sinks.ts";
import type { FlinkVersion } from "./scenario.ts";

/** Pointwise and broadcast exchanges carry no unaligned barrier. */
const unable: ReadonlySet<string> = new Set(["forward", "rescale", "broadcast"]);

/** By edge. One input that is not able keeps all inputs of its operator from it; so it is in every version from 1.18 on. */
export function overtakingEdges(graph: ExecutionGraph, flink: FlinkVersion): boolean[] {
  const { edges } = graph;
  const isUnable = (edge: Edge): boolean => unable.has(edge.ship) || (flink !== "1.18" && isOfSink(graph, edge));
  const kept = new Set(edges.filter(isUnable).map(({ toOperator }) => toOperator));
  return edges.map(({ toOperator }) => !kept.has(toOperator));
}

/**
 * SK-151: is it inside a sink of Flink's? No barrier overtakes committables there since 2.0, and in 1.19 and 1.20 since
 * their last releases (`SinkTransformationTranslator.disallowUnalignedCheckpoint`, FLINK-36287; read in 1.20.5).
 */
function isOfSink({ operators }: ExecutionGraph, { fromOperator, toOperator }: Edge): boolean {
  const { vertex } = at(operators, fromOperator);
  if (at(operators, toOperator).vertex.type !== "committer") return false;
  return !commitsApart(vertex) || vertex.topology === "sink";
}
