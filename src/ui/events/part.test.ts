import { expect, test } from "vitest";
import { partAround } from "./part.ts";

test("the part of a long list has the row at the cursor, away from its edges, and does not move with every step", () => {
  const parts = new Set<number>();
  for (let index = 0; index < 1000; index++) {
    const from = partAround(1000, index, 100);
    parts.add(from);
    expect(from).toBeGreaterThanOrEqual(0);
    expect(from + 100).toBeLessThanOrEqual(1000);
    expect(index).toBeGreaterThanOrEqual(from);
    expect(index).toBeLessThan(from + 100);
  }
  expect(parts.size).toBeLessThanOrEqual(1000 / 50);
  expect(partAround(100, 60, 100)).toBe(0);
  expect(partAround(1000, -1, 100)).toBe(0);
});
