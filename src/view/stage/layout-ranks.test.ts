import fc from "fast-check";
import { expect, test } from "vitest";
import { graphs } from "../testing/graphs.ts";
import { rankByDagre } from "./layout-dagre.ts";
import { type Flow, rankLine, rankingOf } from "./layout-ranks.ts";

/** A line through vertices in the given order, its edges in another. */
function lineOf(order: readonly number[], turned: boolean): Flow {
  const pairs = order.slice(1).map((to, index) => ({ from: order[index] ?? 0, to }));
  const edges = (turned ? pairs.toReversed() : pairs).map((pair, index) => ({ ...pair, index }));
  return { vertices: order.map(() => ({})), edges };
}

test("a line stands as dagre would have it", () => {
  const side = fc.integer({ min: 20, max: 700 });
  const lines = fc
    .integer({ min: 1, max: 9 })
    .chain((length) =>
      fc.tuple(
        fc.shuffledSubarray([...Array(length).keys()], { minLength: length }),
        fc.array(fc.record({ width: side, height: side }), { minLength: length, maxLength: length }),
        fc.boolean(),
        fc.constantFrom("horizontal" as const, "vertical" as const),
      ),
    );
  fc.assert(
    fc.property(lines, ([order, sizes, turned, orientation]) => {
      const graph = lineOf(order, turned);
      expect(rankLine(graph, sizes, 22, orientation)).toEqual(rankByDagre(graph, sizes, 22, orientation));
    }),
  );
});

test("dagre ranks what is not a line: several inputs, parallel edges, parts that do not hang together", async () => {
  const apart = { ...lineOf([0, 1, 2], false), edges: [{ from: 0, to: 1, index: 0 }] };
  const twice = { ...apart, edges: [...apart.edges, ...apart.edges] };
  for (const graph of [graphs.twoInputs, graphs.twenty, apart, twice]) expect(await rankingOf(graph)).toBe(rankByDagre);
  for (const graph of [graphs.orders, lineOf([2, 0, 1], true)]) expect(await rankingOf(graph)).toBe(rankLine);
});
