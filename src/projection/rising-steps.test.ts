import fc from "fast-check";
import { expect, test } from "vitest";
import { RisingSteps } from "./rising-steps.ts";

const rising = fc.uniqueArray(fc.nat(300), { maxLength: 200 }).map((steps) => steps.toSorted((a, b) => a - b));

function listOf(steps: readonly number[]): RisingSteps {
  const list = new RisingSteps();
  for (const step of steps) list.push(step);
  return list;
}

test("a list of rising steps has what was put into it, with gaps and without, from the first or not", () => {
  fc.assert(
    fc.property(fc.nat(150), rising, (gapless, more) => {
      const steps = [...Array.from({ length: gapless }, (_, step) => step), ...more.map((step) => step + gapless)];
      const list = listOf(steps);
      expect(list.length).toBe(steps.length);
      expect(list.slice(0, steps.length)).toEqual(Int32Array.from(steps));
      expect(list.slice(3, 9)).toEqual(Int32Array.from(steps.slice(3, 9)));
      expect([list.at(-1), list.at(steps.length)]).toEqual([undefined, undefined]);
    }),
  );
});

test("the last step at or before another is found", () => {
  const list = listOf([3, 5, 9]);
  expect([2, 3, 4, 5, 8, 9, 100].map((step) => list.lastAtOrBefore(step))).toEqual([-1, 0, 0, 1, 1, 2, 2]);
  expect(listOf([0, 1, 2, 3]).lastAtOrBefore(2)).toBe(2);
  expect(listOf([]).lastAtOrBefore(5)).toBe(-1);
});
