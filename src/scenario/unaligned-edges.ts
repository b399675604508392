/** Which exchanges let a barrier overtake data (`StreamGraphGenerator`, `RecordWriterOutput`; CP-037). */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";

/** Pointwise and broadcast exchanges carry no unaligned barrier. */
const unable: ReadonlySet<string> = new Set(["forward", "rescale", "broadcast"]);

/** By edge. One input that is not able keeps all inputs of its operator from it; so it is in every version from 1.18 on. */
export function overtakingEdges({ edges }: ExecutionGraph): boolean[] {
  const kept = new Set(edges.filter(({ ship }) => unable.has(ship)).map(({ toOperator }) => toOperator));
  return edges.map(({ toOperator }) => !kept.has(toOperator));
}
