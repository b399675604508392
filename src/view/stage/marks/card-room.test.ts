import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { placed, roomOn } from "./card-room.ts";
import { textWidth } from "./pen.ts";

// Without a canvas widths are of the mean character.
vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) });

const box = { x: 0, y: 0, width: 142, height: 80 };

test("what fits has its place, and the number of the rest stands beside the last of it, never on it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 30, max: 60 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 110, max: 220 }),
      fc.constantFrom(60, 80),
      fc.boolean(),
      (widths, width, height, noted) => {
        const room = roomOn({ ...box, width, height }, noted);
        const places = placed(widths, room);
        places.forEach(({ x, row }, index) => {
          expect(row).toBeLessThan(room.rows);
          const before = places[index - 1];
          if (before?.row === row) expect(x).toBe(before.x + widths[index - 1]!);
          else expect(x).toBe(0);
        });
        const last = places.at(-1);
        const more = widths.length - places.length;
        if (more === 0 || last === undefined || last.row < room.rows - 1 || last.x === 0) return;
        // A value's width has the gap behind it.
        const end = last.x + widths[places.length - 1]! - 8;
        expect(end).toBeLessThanOrEqual(room.lastWidth - textWidth(`+${more}`));
      },
    ),
  );
});

test("nothing is left out that has room", () => {
  expect(placed([40, 40, 40, 40], roomOn(box, true))).toHaveLength(4);
  expect(placed([40], roomOn(box, true))).toEqual([{ x: 0, row: 0 }]);
  // Of four in two rows of three and two all are there; a sixth and what it needs for its number are not.
  expect(placed([40, 40, 40, 40, 40], roomOn(box, true))).toHaveLength(5);
  expect(placed([40, 40, 40, 40, 40, 40], roomOn(box, true))).toHaveLength(4);
});
