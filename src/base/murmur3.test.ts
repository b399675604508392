import { expect, test } from "vitest";
import { murmur3 } from "./murmur3.ts";

test.each([
  ["", "00000000000000000000000000000000"],
  ["abc", "6778ad3f3f3f96b4522dca264174a23b"],
  ["The quick brown fox jumps over the lazy dog", "6c1b07bc7bbc4be347939ac4a93c437a"],
])("murmur3 of %j is what Guava's murmur3_128 gives", (text, hash) => {
  expect(murmur3(new TextEncoder().encode(text))).toBe(hash);
});
