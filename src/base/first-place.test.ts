import fc from "fast-check";
import { expect, test } from "vitest";
import { firstPlace } from "./first-place.ts";

test("the first place at which it holds is that of a search from the beginning", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 })), fc.integer({ min: -1, max: 41 }), (numbers, limit) => {
      const rising = numbers.toSorted((a, b) => a - b);
      const found = rising.findIndex((number) => number >= limit);
      expect(firstPlace(rising.length, (place) => (rising[place] as number) >= limit)).toBe(
        found < 0 ? rising.length : found,
      );
    }),
  );
});
