import { describe, expect, test } from "vitest";
import { type Change, changedBy, difference } from "./json-difference.ts";

const pairs: [string, unknown, unknown][] = [
  ["nothing", { a: 1 }, { a: 1 }],
  ["a value", { a: 1, b: { c: [1, 2] } }, { a: 1, b: { c: [1, 3] } }],
  ["a member that is new, and one that is gone", { a: 1, b: 2 }, { a: 1, c: null }],
  ["a value that is null", { a: { b: 1 } }, { a: { b: null } }],
  ["a longer list", { a: [1, { b: 2 }] }, { a: [1, { b: 3 }, { c: 4 }, 5] }],
  ["a shorter list", { a: [1, 2, 3] }, { a: [1, 2] }],
  ["another kind", { a: [1] }, { a: { b: 1 } }],
  ["the whole", [1], "text"],
  ["a member called __proto__", JSON.parse('{"a":1}'), JSON.parse('{"a":1,"__proto__":{"b":2}}')],
];

describe("a difference", () => {
  test.each(pairs)("of %s makes the second of the first, both ways, and is JSON", (_, from, to) => {
    for (const [a, b] of [[from, to] as const, [to, from] as const]) {
      const changes = JSON.parse(JSON.stringify(difference(a, b))) as ReturnType<typeof difference>;
      expect(JSON.stringify(changedBy(a, changes))).toBe(JSON.stringify(b));
    }
  });

  test("says the places, not the whole", () => {
    expect(
      difference({ job: { vertices: [{ p: 1 }, { p: 2 }] }, x: 1 }, { job: { vertices: [{ p: 1 }, { p: 3 }] } }),
    ).toEqual([[["x"]], [["job", "vertices", 1, "p"], 3]]);
  });

  test.each([
    ["a member of none", [[["a", "b"], 1]]],
    ["an item far behind the end", [[["l", 5], 1]]],
    ["a member of a list", [[["l", "x"], 1]]],
    ["an item of an item that is not there", [[["l", 1, "x"], 1]]],
    ["nothing at all", [[[]]]],
  ] as [string, Change[]][])("that changes %s is refused", (_, changes) => {
    expect(changedBy({ l: [1] }, changes)).toBeNull();
  });
});
