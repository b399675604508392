import { expect, test } from "vitest";
import { bandsOf } from "./bands.ts";
import { type PlacedToken, recordLook, thinned } from "./crowd.ts";
import { detailAt, formFor } from "./detail.ts";
import type { Token } from "./frame-types.ts";
import { mapScale, sightOn } from "./minimap.ts";
import { needsMap } from "./zoom.ts";
import { makePath, pointAt } from "./path.ts";

const path = makePath({ x: 0, y: 0 }, [{ to: { x: 160, y: 0 } }]);

function token(mark: number, distance: number, kind: Token["kind"] = "record"): PlacedToken {
  return {
    token: {
      kind,
      path,
      from: distance,
      to: distance,
      departure: 0,
      arrival: 0,
      waits: true,
      mark,
      letter: "",
      pass: 1,
      falls: null,
      captured: null,
      restored: false,
      overtakes: false,
    },
    place: pointAt(path, distance),
  };
}

test("records are glyphs, then dots, then bands, by how many are in sight and by the magnification", () => {
  expect([10, 400, 401, 4001].map((records) => recordLook(records, 1))).toEqual(["glyph", "glyph", "dot", "band"]);
  expect([1, 0.5, 0.2].map((magnification) => recordLook(300, magnification))).toEqual(["glyph", "dot", "dot"]);
  expect(recordLook(500, 0.2)).toBe("band");
});

test("bands count every record, each on its piece of the channel", () => {
  const records = [token(0, 1), token(1, 15), token(0, 17), token(2, 150)];
  const bands = bandsOf(records, ({ from }) => from);
  expect(bands.map(({ from, to, records: count }) => [from.x, to.x, count])).toEqual([
    [0, 16, 2],
    [16, 32, 1],
    [144, 160, 1],
  ]);
});

test("of many things in one place one is drawn for each look; few are all drawn", () => {
  const many = Array.from({ length: 100 }, (_, index) => token(index % 2, 40, "barrier"));
  expect(thinned(many).map(({ token: { mark } }) => mark)).toEqual([0, 1]);
  expect(thinned(many.slice(0, 20))).toHaveLength(20);
  const apart = Array.from({ length: 100 }, (_, index) => token(0, index * 1.6, "barrier"));
  expect(thinned(apart).length).toBeGreaterThan(25);
});

test("more is drawn the nearer one comes: a cell becomes a tile and a card, a row a card", () => {
  expect([0.1, 0.5, 0.7, 1, 2, 4, 8].map(detailAt)).toEqual([0.25, 0.5, 1, 1, 2, 4, 8]);
  expect([1, 2, 4, 8].map((units) => formFor(13 * units, 13 * units))).toEqual(["cell", "cell", "tile", "card"]);
  expect([1, 2, 4].map((units) => formFor(57 * units, 20 * units))).toEqual(["row", "row", "card"]);
});

test("the map is there where the stage is larger than the room, and frames what is in sight", () => {
  const world = { width: 1680, height: 800 };
  const room = { width: 840, height: 400 };
  expect([0.5, 1].map((k) => needsMap(world, k, room))).toEqual([false, true]);
  expect(mapScale(world)).toBeCloseTo(0.1);
  expect(sightOn(0.1, { x: -840, y: 0, k: 1 }, room)).toEqual({ x: 84, y: 0, width: 84, height: 40 });
});
