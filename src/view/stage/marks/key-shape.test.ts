import { expect, test } from "vitest";
import { keyLetter } from "./key-shape.ts";

test("keys without a shape are told apart by the end of their name, or by its parts", () => {
  expect(["A", "k7", "key-4", "key-17", "key-104", "red-shoe", "laptop"].map(keyLetter)).toEqual([
    "A",
    "k7",
    "4",
    "17",
    "04",
    "rs",
    "la",
  ]);
});
