import { describe, expect, test } from "vitest";
import { defaultMaxParallelism, javaHash, keyGroup, keyGroupOwner, keyGroupRange, murmur } from "./key-groups.ts";

/** Recomputed with Java 17: key, hash, murmur, key group, owners at parallelism 2, 3 and 4. */
const vectors = [
  [0, 0, 593689054, 94, [1, 2, 2]],
  [1, 1, 68075478, 86, [1, 2, 2]],
  [2, 2, 1085422463, 127, [1, 2, 3]],
  [42, 42, 1134849565, 29, [0, 0, 0]],
  [-1, -1, 1982413648, 80, [1, 1, 2]],
  [-2147483648, -2147483648, 1718298732, 108, [1, 2, 3]],
  ["a", 97, 1455541201, 81, [1, 1, 2]],
  ["user-1", -836031825, 1662039673, 121, [1, 2, 3]],
  ["user-2", -836031824, 2010244374, 22, [0, 0, 0]],
  ["flink", 97520992, 1330823394, 98, [1, 2, 3]],
  ["", 0, 593689054, 94, [1, 2, 2]],
] as const;

describe("keys find their subtask as in Flink", () => {
  test.each(vectors)(
    "CP-175, CP-176: key %j has hash %d, murmur %d and, of 128, key group %d",
    (key, hash, mixed, group, owners) => {
      expect(typeof key === "number" ? key : javaHash(key)).toBe(hash);
      expect(murmur(hash)).toBe(mixed);
      expect(keyGroup(hash, 128)).toBe(group);
      expect([2, 3, 4].map((parallelism) => keyGroupOwner(group, 128, parallelism))).toEqual(owners);
    },
  );

  test("CP-175: a murmur is never negative, whatever the hash", () => {
    let negative = 0;
    for (let hash = -2147483648; hash < 2147483647; hash += 65_521 * 13) if (murmur(hash) < 0) negative++;
    expect(negative).toBe(0);
  });
});

const ranges = (maxParallelism: number, parallelism: number): string =>
  Array.from({ length: parallelism }, (_, subtask) =>
    keyGroupRange(subtask, maxParallelism, parallelism).join("-"),
  ).join(" ");

describe("key groups are dealt to subtasks in ranges", () => {
  test("CP-177: the ranges of 128 key groups over 2, 3, 4 and 5 subtasks, and of 10 over 4", () => {
    expect(ranges(128, 2)).toBe("0-63 64-127");
    expect(ranges(128, 3)).toBe("0-42 43-85 86-127");
    expect(ranges(128, 4)).toBe("0-31 32-63 64-95 96-127");
    expect(ranges(128, 5)).toBe("0-25 26-51 52-76 77-102 103-127");
    expect(ranges(10, 4)).toBe("0-2 3-4 5-7 8-9");
  });

  test("CP-177: owner and range agree for every parallelism up to the maximum", () => {
    const wrong: string[] = [];
    for (const maxParallelism of [1, 2, 7, 10, 128, 200]) {
      for (let parallelism = 1; parallelism <= maxParallelism; parallelism++) {
        for (let group = 0; group < maxParallelism; group++) {
          const [first, last] = keyGroupRange(
            keyGroupOwner(group, maxParallelism, parallelism),
            maxParallelism,
            parallelism,
          );
          if (group < first || group > last) wrong.push(`${group} of ${maxParallelism} at ${parallelism}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

test.each([
  [1, 128],
  [85, 128],
  [86, 256],
  [171, 256],
  [172, 512],
  [1000, 2048],
  [32768, 32768],
])("CP-178: without a setting, parallelism %d has a maximum of %d", (parallelism, maximum) => {
  expect(defaultMaxParallelism(parallelism)).toBe(maximum);
});
