/**
 * The ids by which operators find their state in a snapshot (`StreamGraphHasherV2`; CP-172): that of a uid, or, where none
 * was set, one that the graph around the operator gives it, so that it changes with the graph. Simpler than Flink: the
 * id is the text that Flink would hash.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";

/** By operator. */
export function operatorIds({ operators, edges }: ExecutionGraph): readonly string[] {
  const outputsOf = (operator: number): number[] => {
    const { chained, outputs } = at(operators, operator);
    return [...chained, ...outputs.map((edge) => at(edges, edge).toOperator)];
  };
  const inputs: number[][] = operators.map(() => []);
  for (const { index } of operators) for (const output of outputsOf(index)) at(inputs, output).push(index);
  const ids = new Map<number, string>();
  const queue = operators.flatMap(({ index }) => (at(inputs, index).length === 0 ? [index] : []));
  for (let operator = queue.shift(); operator !== undefined; operator = queue.shift()) {
    if (ids.has(operator) || !at(inputs, operator).every((input) => ids.has(input))) continue;
    const { vertex, chained } = at(operators, operator);
    const around = [ids.size, chained.length, ...at(inputs, operator).map((input) => ids.get(input))];
    ids.set(operator, vertex.generated === true ? JSON.stringify(around) : vertex.uid);
    queue.push(...outputsOf(operator));
  }
  return operators.map(({ index, vertex }) => ids.get(index) ?? vertex.uid);
}
