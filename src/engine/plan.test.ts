import { expect, test } from "vitest";
import { murmur2, partitionFor } from "./partitioner.ts";
import { compile } from "./plan.ts";
import { libraryScenario } from "./testing/runs.ts";

const bytes = (text: string): number[] => [...new TextEncoder().encode(text)];

test("a record's partition is Kafka's: murmur2 of the key's bytes", () => {
  // Vectors of Kafka's own UtilsTest.
  expect(murmur2(bytes("21"))).toBe(-973932308);
  expect(murmur2(bytes("foobar"))).toBe(-790332482);
  expect(murmur2(bytes("a-little-bit-long-string"))).toBe(-985981536);
  expect(murmur2(bytes("a-little-bit-longer-string"))).toBe(-1486304829);
  expect(murmur2(bytes("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8"))).toBe(-58897971);
  expect(partitionFor("21", 3)).toBe((-973932308 & 0x7fffffff) % 3);
});

test("FR-041: an all-to-all exchange joins everything into one region, forward lanes stay apart", () => {
  const regions = (id: string): number => new Set(compile(libraryScenario(id)).region).size;
  expect(regions("order-totals")).toBe(1);
  expect(regions("shuffle")).toBe(1);
  expect(regions("two-lanes")).toBe(2);
});
