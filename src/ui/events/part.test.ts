import fc from "fast-check";
import { expect, test } from "vitest";
import { Part } from "./part.ts";

test("the part of a long list has the row at the cursor and lies within the list, wherever the cursor goes", () => {
  const places = fc.array(fc.oneof(fc.nat({ max: 999 }), fc.integer({ min: -3, max: 3 })), { minLength: 1 });
  fc.assert(
    fc.property(places, (list) => {
      const part = new Part({ length: 1000 }, 100);
      let index = 0;
      for (const place of list) {
        index = Math.min(999, Math.max(0, place <= 3 ? index + place : place));
        const from = part.around(index);
        expect(from).toBeGreaterThanOrEqual(0);
        expect(from + 100).toBeLessThanOrEqual(1000);
        expect(index).toBeGreaterThanOrEqual(from);
        expect(index).toBeLessThan(from + 100);
      }
    }),
  );
});

test("step by step it stays for many steps, away from its edges", () => {
  const part = new Part({ length: 1000 }, 100);
  const froms = Array.from({ length: 1000 }, (_, index) => part.around(index));
  expect(new Set(froms).size).toBeLessThanOrEqual(1000 / 30);
  expect(froms.every((from, index) => from === 0 || from === 900 || (index >= from + 12 && index < from + 88))).toBe(
    true,
  );
});

test("after a leap the cursor's row is where it was in the table, and of a short list all is there", () => {
  const part = new Part({ length: 10_000 }, 1000);
  const before = 5000 - part.around(5000);
  expect(8000 - part.around(8000)).toBe(before);
  expect(2000 - part.around(2000)).toBe(before);
  expect(2010 - part.around(2010)).toBe(before + 10);
  expect(new Part({ length: 100 }, 100).around(60)).toBe(0);
  expect(new Part({ length: 1000 }, 100).around(-1)).toBe(0);
});
