import { expect, test } from "vitest";
import { type Reference, referenceOf } from "./reference.ts";
import { type Json, parsed, small } from "./testing/sources.ts";

interface Case {
  readonly vertices: Json[];
  readonly edges: readonly (readonly [from: string, to: string, ship: string])[];
  readonly topics: Json;
}

function reference({ vertices, edges, topics }: Case): Reference {
  return referenceOf(
    parsed(small({ job: { vertices, edges: edges.map(([from, to, ship]) => ({ from, to, ship })) }, topics })),
  );
}

/** `record:key=value` of each expected output, a text a sink. */
function outputs(given: Case): string[] {
  return reference(given).outputs.map((list) =>
    list.map(({ record, key, value }) => `${record}:${key}=${value}`).join(" "),
  );
}

const src = { uid: "src", type: "kafka-source", topic: "in" };
const out = { uid: "out", type: "kafka-sink", topic: "out" };
const values = (...pairs: readonly (readonly [string, number])[]): Json[] =>
  pairs.map(([key, value]) => ({ key, value }));

test("a map passes records on; their numbers are those of offset and partition", () => {
  const given = {
    vertices: [src, { uid: "map", type: "map" }, out],
    edges: [
      ["src", "map", "forward"],
      ["map", "out", "forward"],
    ] as const,
    topics: { in: { partitions: 2, values: values(["a", 5], ["b", 6], ["a", 7]) }, out: {} },
  };
  expect(outputs(given)).toEqual(["0:a=5 1:b=6 2:a=7"]);
});

test("a keyed sum gives each record its key's sum so far, a keyed count the number so far", () => {
  const topics = { in: { values: values(["a", 3], ["b", 10], ["a", 4], ["b", -1]), every: "1 ms" }, out: {} };
  const edges = [
    ["src", "op", "hash"],
    ["op", "out", "rebalance"],
  ] as const;
  expect(outputs({ vertices: [src, { uid: "op", type: "keyed-sum" }, out], edges, topics })).toEqual([
    "0:a=3 1:b=10 2:a=7 3:b=9",
  ]);
  expect(outputs({ vertices: [src, { uid: "op", type: "keyed-count" }, out], edges, topics })).toEqual([
    "0:a=1 1:b=1 2:a=2 3:b=2",
  ]);
});

test("a counter hands records on as they are, and holds each of them once", () => {
  const given = {
    vertices: [src, { uid: "map", type: "map", counter: true }, out],
    edges: [
      ["src", "map", "forward"],
      ["map", "out", "forward"],
    ] as const,
    topics: { in: { values: values(["a", 7], ["b", 9]) }, out: {} },
  };
  expect(outputs(given)).toEqual(["0:a=7 1:b=9"]);
  expect([...reference(given).inputs]).toEqual([["map", [0, 1]]]);
});

test("a filter lets even values through, a flat-map gives each record as often as it fans out", () => {
  const given = {
    vertices: [
      src,
      { uid: "even", type: "filter" },
      { uid: "twice", type: "flat-map", fanOut: 2 },
      { uid: "sum", type: "keyed-sum" },
      out,
    ],
    edges: [
      ["src", "even", "forward"],
      ["even", "twice", "forward"],
      ["twice", "sum", "hash"],
      ["sum", "out", "forward"],
    ] as const,
    topics: { in: { values: values(["a", 1], ["a", 2], ["b", 3], ["a", 4]) }, out: {} },
  };
  expect(outputs(given)).toEqual(["1:a=2 1:a=4 3:a=8 3:a=12"]);
  expect(reference(given).inputs.get("sum")).toEqual([1, 1, 3, 3]);
});

test("a union takes what all its inputs give, in the order in which the log has it", () => {
  const given = {
    vertices: [
      { ...src, uid: "one" },
      { ...src, uid: "two", topic: "more" },
      { uid: "both", type: "union" },
      { uid: "count", type: "keyed-count" },
      out,
    ],
    edges: [
      ["one", "both", "rebalance"],
      ["two", "both", "rebalance"],
      ["both", "count", "hash"],
      ["count", "out", "forward"],
    ] as const,
    topics: {
      in: { values: values(["a", 1], ["a", 2]), every: "20 ms" },
      more: { values: values(["a", 3], ["a", 4]), every: "30 ms" },
      out: {},
    },
  };
  expect(outputs(given)).toEqual(["0:a=1 1:a=2 2:a=3 3:a=4"]);
});

test("a broadcast reaches every subtask, and two sinks both get everything", () => {
  const given = {
    vertices: [
      src,
      { uid: "all", type: "map", parallelism: 3, counter: true },
      out,
      { uid: "dump", type: "kafka-sink", topic: "dump" },
    ],
    edges: [
      ["src", "all", "broadcast"],
      ["all", "out", "rebalance"],
      ["src", "dump", "forward"],
    ] as const,
    topics: { in: { values: values(["a", 1], ["b", 2]) }, out: {}, dump: {} },
  };
  expect(outputs(given)).toEqual(["0:a=1 0:a=1 0:a=1 1:b=2 1:b=2 1:b=2", "0:a=1 1:b=2"]);
  expect(reference(given).inputs.get("all")).toEqual([0, 0, 0, 1, 1, 1]);
});

test("sums wrap as Java's int does", () => {
  const many = Array.from({ length: 2148 }, () => ({ key: "a", value: 1_000_000 }));
  const given = {
    vertices: [src, { uid: "sum", type: "keyed-sum" }, out],
    edges: [
      ["src", "sum", "hash"],
      ["sum", "out", "forward"],
    ] as const,
    topics: { in: { values: many }, out: {} },
  };
  expect(reference(given).outputs[0]?.at(-1)?.value).toBe(2_148_000_000 - 2 ** 32);
});
