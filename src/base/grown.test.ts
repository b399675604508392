import { expect, test } from "vitest";
import { grown } from "./grown.ts";

test("what was there is there, with room for what was asked for and for one more at least", () => {
  expect([...grown(Int32Array.of(1, 2, 3)).subarray(0, 3)]).toEqual([1, 2, 3]);
  expect([...grown(Float64Array.of(0.5)).subarray(0, 1)]).toEqual([0.5]);
  expect(grown(new Int32Array(0)).length).toBeGreaterThan(0);
  expect(grown(new Int32Array(10), 5000).length).toBe(5000);
});

test("small lists double; a large one takes a quarter more, so that little of it is nothing", () => {
  expect(grown(new Int32Array(1000)).length).toBe(2000);
  expect(grown(new Int32Array(1_000_000)).length).toBe(1_250_000);
  expect(grown(new Float64Array(1_000_000), 1_100_000).length).toBe(1_250_000);
});
