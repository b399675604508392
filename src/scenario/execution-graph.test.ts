import { describe, expect, test } from "vitest";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { executionGraph } from "./execution-graph.ts";
import { type Json, parsed, small } from "./testing/sources.ts";

function graphOf(
  vertices: Json[],
  edges: readonly (readonly [from: string, to: string, ship: string])[],
  more: Json = {},
): ExecutionGraph {
  return executionGraph(
    parsed(small({ job: { vertices, edges: edges.map(([from, to, ship]) => ({ from, to, ship })) }, ...more })),
  );
}

const src = (parallelism: number, more: Json = {}): Json => ({
  uid: "src",
  type: "kafka-source",
  topic: "in",
  parallelism,
  ...more,
});
const map = (parallelism: number, more: Json = {}): Json => ({ uid: "map", type: "map", parallelism, ...more });
const out = (parallelism: number, more: Json = {}): Json => ({
  uid: "out",
  type: "kafka-sink",
  topic: "out",
  parallelism,
  ...more,
});
const tasks = ({ vertices, operators }: ExecutionGraph): string[] =>
  vertices.map((vertex) => vertex.operators.map((operator) => operators[operator]?.vertex.uid).join(">"));

describe("chains", () => {
  const line = [
    ["src", "map", "forward"],
    ["map", "out", "forward"],
  ] as const;

  test("neighbours joined by forward at equal parallelism are one task, called by its head", () => {
    const graph = graphOf([src(2), map(2), out(2)], line);
    expect(tasks(graph)).toEqual(["src>map>out"]);
    expect(graph.vertices[0]).toMatchObject({
      uid: "src",
      name: "src -> map -> out",
      parallelism: 2,
      maxParallelism: 128,
    });
    expect(graph.subtasks.map(({ name }) => name)).toEqual(["src[0]", "src[1]"]);
    expect(graph.channels).toEqual([]);
  });

  test.each<[string, Json[], string[]]>([
    ["one of them says chain: false", [src(2), map(2, { chain: false }), out(2)], ["src", "map", "out"]],
    ["they are in other sharing groups", [src(2), map(2), out(2, { slotSharingGroup: "sinks" })], ["src>map", "out"]],
  ])("they are not where %s", (_, vertices, expected) => {
    expect(tasks(graphOf(vertices, line))).toEqual(expected);
  });

  test("an operator with two inputs, and one whose input comes by key, begin a chain", () => {
    const both = [
      ["src", "map", "forward"],
      ["two", "map", "forward"],
      ["map", "out", "forward"],
    ] as const;
    expect(tasks(graphOf([src(1), src(1, { uid: "two" }), map(1), out(1)], both))).toEqual(["src", "two", "map>out"]);
    expect(
      tasks(
        graphOf(
          [src(2), { uid: "map", type: "keyed-sum", parallelism: 2 }, out(2)],
          [
            ["src", "map", "hash"],
            ["map", "out", "forward"],
          ],
        ),
      ),
    ).toEqual(["src", "map>out"]);
  });
});

describe("channels", () => {
  const between = (p: number, q: number, ship: string): string =>
    graphOf([src(p, { chain: false }), out(q, { chain: false })], [["src", "out", ship]])
      .channels.map(({ from, to }) => `${from}-${to - p}`)
      .join(" ");

  test.each([
    [2, 2, "forward", "0-0 1-1"],
    [2, 4, "rescale", "0-0 0-1 1-2 1-3"],
    [4, 2, "rescale", "0-0 1-0 2-1 3-1"],
    [2, 3, "rescale", "0-0 0-1 1-2"],
    [3, 2, "rescale", "0-0 1-1 2-1"],
    [2, 3, "rebalance", "0-0 0-1 0-2 1-0 1-1 1-2"],
    [2, 2, "broadcast", "0-0 0-1 1-0 1-1"],
  ])("%d subtasks reach %d by %s over %s", (p, q, ship, channels) => {
    expect(between(p, q, ship)).toBe(channels);
  });
});

describe("slots", () => {
  test("FR-035: slots of a sharing group hold the i-th subtask of each vertex and fill TaskManagers round-robin", () => {
    const vertices = [src(2, { slotSharingGroup: "sources" }), map(3), out(1)];
    const graph = graphOf(
      vertices,
      [
        ["src", "map", "rebalance"],
        ["map", "out", "rebalance"],
      ],
      { cluster: { taskManagers: 2, slots: 3 } },
    );
    expect(graph.slots.map(({ group, number, taskManager }) => `${group}-${number} tm-${taskManager + 1}`)).toEqual([
      "sources-0 tm-1",
      "sources-1 tm-2",
      "default-0 tm-1",
      "default-1 tm-2",
      "default-2 tm-1",
    ]);
    expect(graph.subtasks.map(({ name, slot }) => `${name}@${slot}`)).toEqual([
      "src[0]@0",
      "src[1]@1",
      "map[0]@2",
      "map[1]@3",
      "map[2]@4",
      "out[0]@2",
    ]);
  });

  test("too few slots are a run that waits, not bad input", () => {
    const graph = graphOf([src(3), out(1)], [["src", "out", "rebalance"]], { cluster: { taskManagers: 1, slots: 2 } });
    expect(graph.slots.map(({ taskManager }) => taskManager)).toEqual([0, 0, -1]);
  });
});

test("outside are the partitions that sources read and sinks write, and the keys in the order in which records are dealt", () => {
  const topics = { out: { partitions: 2 }, in: { partitions: 3, records: 7, keys: 4 }, other: { records: 1 } };
  const graph = graphOf([src(2), out(1)], [["src", "out", "rebalance"]], { topics });
  expect(graph.inputs.map(({ name }) => name)).toEqual(["in-0", "in-1", "in-2"]);
  expect(graph.outputs.map(({ name }) => name)).toEqual(["out-0", "out-1"]);
  expect(graph.readers).toEqual([[0, 1, 0]]);
  expect(graph.keys.slice(0, 4)).toEqual(["key-0", "key-1", "key-2", "key-3"]);
});
