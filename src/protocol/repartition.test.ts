import { describe, expect, test } from "vitest";
import { repartition } from "./repartition.ts";

/** Elements `o.k`: element k of old subtask o. */
const old = (...sizes: readonly number[]): string[][] =>
  sizes.map((size, subtask) => Array.from({ length: size }, (_, element) => `${subtask}.${element}`));
const split = (sizes: readonly number[], parallelism: number): string =>
  (repartition([{ name: "s", distribution: "split", elements: old(...sizes) }], parallelism).get("s") ?? [])
    .map((list) => `[${list.join(",")}]`)
    .join(" ");

describe("list state when the parallelism changes", () => {
  test("CP-180: consecutive runs over the old subtasks in order, the first that are visited get one more", () => {
    expect(split([3, 2], 3)).toBe("[0.0,0.1] [0.2,1.0] [1.1]");
    expect(split([2, 2, 2], 4)).toBe("[0.0,0.1] [1.0,1.1] [2.0] [2.1]");
    expect(split([2, 2, 2], 2)).toBe("[0.0,0.1,1.0] [1.1,2.0,2.1]");
  });

  test("CP-180: with fewer elements than subtasks the last ones get none", () => {
    expect(split([1], 2)).toBe("[0.0] []");
    expect(split([1, 1], 5)).toBe("[0.0] [1.0] [] [] []");
    expect(split([0, 0], 3)).toBe("[] [] []");
  });

  test("CP-180: with the same parallelism nothing moves, however uneven it is", () => {
    expect(split([3, 0, 1], 3)).toBe("[0.0,0.1,0.2] [] [2.0]");
  });

  test("CP-180: the next state, by name, begins where the first one ran out of elements that were over", () => {
    const elements = old(2, 2);
    const dealt = repartition(
      [
        { name: "b", distribution: "split", elements },
        { name: "a", distribution: "split", elements },
      ],
      3,
    );
    expect(dealt.get("a")?.map(({ length }) => length)).toEqual([2, 1, 1]);
    expect(dealt.get("b")).toEqual([["1.1"], ["0.0", "0.1"], ["1.0"]]);
  });

  test("CP-181: union state goes whole to every subtask, with the same parallelism too", () => {
    for (const parallelism of [1, 2, 3]) {
      const dealt = repartition([{ name: "u", distribution: "union", elements: old(1, 2) }], parallelism);
      expect(dealt.get("u")).toEqual(Array.from({ length: parallelism }, () => ["0.0", "1.0", "1.1"]));
    }
  });

  test("CP-182: of broadcast state subtask i gets the copy of old subtask i mod the old parallelism", () => {
    const copies = [["x0"], ["x1"]];
    const dealt = (parallelism: number): string[][] | undefined =>
      repartition([{ name: "c", distribution: "broadcast", elements: copies }], parallelism).get("c");
    expect(dealt(3)).toEqual([["x0"], ["x1"], ["x0"]]);
    expect(dealt(1)).toEqual([["x0"]]);
    expect(dealt(2)).toEqual([["x0"], ["x1"]]);
  });
});
