import fc from "fast-check";
import { expect, test } from "vitest";
import { keepSame } from "./frame-same.ts";

test("what is equal is what was there before, at every depth", () => {
  const before = { a: { list: [{ x: 1 }, { x: 2 }] }, b: { y: 1 } };
  const after = keepSame(before, { a: { list: [{ x: 1 }, { x: 3 }] }, b: { y: 1 } });
  expect(after).toEqual({ a: { list: [{ x: 1 }, { x: 3 }] }, b: { y: 1 } });
  expect(after).not.toBe(before);
  expect(after.b).toBe(before.b);
  expect(after.a.list[0]).toBe(before.a.list[0]);
  expect(keepSame(before, structuredClone(before))).toBe(before);
});

test("sharing never changes a value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (before, after) => {
      expect(keepSame(before, after)).toEqual(after);
    }),
  );
});
