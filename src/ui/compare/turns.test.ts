import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Turns } from "./turns.ts";

let frames: (() => void)[] = [];
let clock = 0;

beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
  vi.stubGlobal("performance", { now: () => clock });
});
afterEach(() => vi.unstubAllGlobals());

const nextFrame = (): void => frames.shift()?.();

/** Stages that ask again with each drawing, as while something plays. */
function playing(turns: Turns, cost: number, names: readonly string[], drawn: string[]): void {
  for (const name of names) {
    const draw = (): void => {
      clock += cost;
      drawn.push(name);
      turns.ask(() => draw());
    };
    turns.ask(draw);
  }
}

test("cheap stages are all drawn in one frame", () => {
  const drawn: string[] = [];
  const turns = new Turns();
  for (const name of ["a", "b", "c"]) turns.ask(() => drawn.push(name));
  expect(frames).toHaveLength(1);
  nextFrame();
  expect(drawn).toEqual(["a", "b", "c"]);
  expect(frames).toEqual([]);
});

test("dear ones take turns, and none starves though all ask again", () => {
  const drawn: string[] = [];
  playing(new Turns(), 5, ["a", "b", "c"], drawn);
  for (let frame = 0; frame < 6; frame++) nextFrame();
  expect(drawn).toEqual(["a", "b", "c", "a", "b", "c"]);
});

test("one that is taken back is not drawn", () => {
  const drawn: string[] = [];
  const turns = new Turns();
  const takeBack = turns.ask(() => drawn.push("a"));
  turns.ask(() => drawn.push("b"));
  takeBack();
  nextFrame();
  expect(drawn).toEqual(["b"]);
});
