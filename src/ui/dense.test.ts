import { expect, test } from "vitest";
import { dense } from "./dense.ts";

const mark = (left: number, kind = "completed", width = 1) => ({ left, right: left + width, kind });
const shown = (marks: readonly ReturnType<typeof mark>[], total: number): string[] =>
  dense(marks, total, ({ kind }) => kind).map(({ marks: list, left, right }) => `${list.length}× ${left}–${right}`);

test("marks that can be told apart stay what they are", () => {
  expect(shown([mark(0), mark(10), mark(20)], 1000)).toEqual(["1× 0–1", "1× 10–11", "1× 20–21"]);
});

test("marks nearer than a 400th of the track are one, and one that failed among them is not hidden", () => {
  const marks = [mark(0), mark(2), mark(4), mark(6, "aborted"), mark(8), mark(12)];
  expect(shown(marks, 4000)).toEqual(["3× 0–5", "1× 6–7", "2× 8–13"]);
});

test("one that lasts is not put together with short ones", () => {
  expect(shown([mark(0), mark(2, "completed", 500), mark(4)], 4000)).toEqual(["1× 0–1", "1× 2–502", "1× 4–5"]);
});

test("a track of a hundred thousand marks has at most about 400 of them", () => {
  const marks = Array.from({ length: 100_000 }, (_, index) => mark(index * 10));
  expect(dense(marks, 1_000_000, ({ kind }) => kind).length).toBeLessThanOrEqual(410);
});
