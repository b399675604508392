import fc from "fast-check";
import { expect, test } from "vitest";
import { OutputCells } from "./output-cells.ts";
import type { CellView } from "./output-view.ts";

const int = fc.integer({ min: -2_147_483_648, max: 2_147_483_647 });
const cell: fc.Arbitrary<CellView> = fc.record({
  kind: fc.constantFrom("record", "commit-marker", "abort-marker", "truncation", "background"),
  record: int,
  value: int,
  transaction: int,
  place: fc.nat(),
  operator: int,
  pass: fc.nat({ max: 1_000_000 }),
});

test("what lies in a partition is what was put there, and a branch's copy goes its own way", () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, size: "+1" }), cell, fc.nat(), (list, more, cut) => {
      const cells = new OutputCells();
      for (const each of list) cells.push(each);
      expect(cells.slice(0, list.length)).toEqual(list);
      expect(list.map((_, offset) => cells.isRecord(offset))).toEqual(list.map(({ kind }) => kind === "record"));
      const length = cut % list.length;
      const copy = cells.first(length);
      copy.push(more);
      expect(copy.slice(0, copy.length)).toEqual([...list.slice(0, length), more]);
      expect(cells.slice(0, cells.length)).toEqual(list);
      expect(() => copy.get(length + 1)).toThrow("no offset");
    }),
  );
});
