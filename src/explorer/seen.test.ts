import { expect, test } from "vitest";
import { advance } from "../base/prng.ts";
import { Seen } from "./seen.ts";

test("a table of keys tells what was stored first under each, and nothing for others, however it grows", () => {
  const seen = new Seen();
  const known = new Map<string, number>();
  let state = 7;
  for (let i = 0; i < 4000; i++) {
    state = advance(state);
    const [low, high] = [state >> 20, state & 3];
    const key = `${low} ${high}`;
    expect(seen.get(low, high)).toBe(known.get(key) ?? -1);
    seen.add(low, high, i);
    if (!known.has(key)) known.set(key, i);
  }
  for (const [key, value] of known) {
    const [low, high] = key.split(" ").map(Number) as [number, number];
    expect(seen.get(low, high)).toBe(value);
  }
  expect(seen.get(0, 5)).toBe(-1);
});
