/** What operators do with records, and which channel each output takes (`checkpointing.md` 13). */
import { describe, expect, test } from "vitest";
import { keyGroup, keyGroupOwner, javaHash } from "../protocol/key-groups.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { type Story, after, sink, small, source, story, triggersAfter } from "./testing/stories.ts";

/** Keys with their owner at parallelism 2, 3 and 4, of 128 key groups: the vectors of CP-176, written down here once more. */
const owners: readonly (readonly [key: string, owners: readonly [number, number, number]])[] = [
  ["a", [1, 1, 2]],
  ["user-1", [1, 2, 3]],
  ["user-2", [0, 0, 0]],
  ["flink", [1, 2, 3]],
  ["", [1, 2, 2]],
];

const literal = (keys: readonly string[], rounds: number): { key: string; value: number }[] =>
  Array.from({ length: rounds * keys.length }, (_, i) => ({ key: keys[i % keys.length] ?? "", value: i + 1 }));

/** A keyed operator with these keys; the 15 records come 100 ms apart. */
function keyed(
  parallelism: number,
  type: "keyed-sum" | "keyed-count",
  faults: readonly Record<string, unknown>[] = [],
): Story {
  return story(
    small({
      vertices: [source("S"), { uid: "G", type, parallelism, chain: false }, sink("K")],
      edges: ["S hash G", "G rebalance K"],
      topics: {
        in: {
          partitions: 1,
          every: "100 ms",
          values: literal(
            owners.map(([key]) => key),
            3,
          ),
        },
      },
      faults,
    }),
  );
}

describe("keys and their owners", () => {
  test.each([2, 3, 4])(
    "CP-175, CP-176, CP-177: at parallelism %i each record goes to the subtask that owns its key's group",
    (parallelism) => {
      const run = keyed(parallelism, "keyed-sum");
      const taken = run
        .all("RecordProcessed")
        .filter(({ vertex }) => vertex === "G")
        .map(({ subtask }) => subtask);
      expect(taken).toEqual(
        literal(
          owners.map(([key]) => key),
          3,
        ).map(({ key }) => `G[${owners.find(([known]) => known === key)?.[1][parallelism - 2]}]`),
      );
    },
  );

  test("CP-178: where no maximum parallelism is set the number of key groups follows from the parallelism, and routing uses it", () => {
    const maxOf = (parallelism: number): number | undefined =>
      executionGraph(
        small({
          vertices: [source("S"), { uid: "G", type: "keyed-sum", parallelism, chain: false }, sink("K")],
          edges: ["S hash G", "G rebalance K"],
        }),
      ).vertices[1]?.maxParallelism;
    expect([1, 85, 86, 171, 172].map(maxOf)).toEqual([128, 128, 256, 256, 512]);
    // 86 subtasks, 256 groups: "flink" is in group 1330823394 mod 256, its owner floor(group * 86 / 256).
    const group = 1330823394 % 256;
    expect([keyGroup(javaHash("flink"), 256), keyGroupOwner(group, 256, 86)]).toEqual([
      group,
      Math.floor((group * 86) / 256),
    ]);
    const run = story(
      small({
        vertices: [source("S"), { uid: "G", type: "keyed-sum", parallelism: 86, chain: false }, sink("K")],
        edges: ["S hash G", "G rebalance K"],
        topics: { in: { partitions: 1, values: [{ key: "flink", value: 1 }] } },
      }),
    );
    expect(run.words("RecordSent", "channel").find((channel) => channel.startsWith("S"))).toBe(
      `S[0]->G[${Math.floor((group * 86) / 256)}]`,
    );
  });

  test("CP-177, CP-179, FR-085: after a restart each key's state is with its owner again and goes on where checkpoint 1 left it", () => {
    // Checkpoint 1 covers records 0 to 6; the job fails when 12 is out.
    const run = keyed(3, "keyed-sum", [
      ...triggersAfter("in-0@6"),
      after("RecordEmitted", { record: "in-0@12" }, "fail-job"),
    ]);
    const restored = run.first("StateRestored", { subtask: "G[0]" });
    expect(restored).toMatchObject({ checkpoint: 1 });
    const sums = new Map<string, number>();
    const expected = literal(
      owners.map(([key]) => key),
      3,
    ).map(({ key, value }) => {
      sums.set(key, (sums.get(key) ?? 0) + value);
      return [`G[${owners.find(([known]) => known === key)?.[1][1]}]`, sums.get(key)];
    });
    const again = run
      .since(restored)
      .all("RecordProcessed")
      .filter(({ vertex }) => vertex === "G")
      .map(({ subtask, value }) => [subtask, value]);
    expect(again).toEqual(expected.slice(7));
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

describe("what operators do", () => {
  const through = (vertex: Record<string, unknown>, ship = "forward"): unknown[] => {
    const run = story(
      small({
        vertices: [source("S"), { chain: false, ...vertex }, sink("K", { delivery: "at-least-once" })],
        edges: [`S ${ship} ${String(vertex["uid"])}`, `${String(vertex["uid"])} rebalance K`],
        topics: {
          in: {
            partitions: 1,
            every: "10 ms",
            values: [
              ["a", 3],
              ["b", 4],
              ["a", 5],
              ["a", 6],
            ].map(([key, value]) => ({ key, value })),
          },
        },
      }),
    );
    return run.all("RecordWritten").map(({ record, value }) => `${(record as string).slice(-1)}:${Number(value)}`);
  };

  test("a map and a counter pass records on, a filter passes even values, a flat-map copies", () => {
    expect(through({ uid: "M", type: "map" })).toEqual(["0:3", "1:4", "2:5", "3:6"]);
    expect(through({ uid: "M", type: "map", counter: true })).toEqual(["0:3", "1:4", "2:5", "3:6"]);
    expect(through({ uid: "M", type: "filter" })).toEqual(["1:4", "3:6"]);
    expect(through({ uid: "M", type: "flat-map", fanOut: 3 })).toEqual([
      "0:3",
      "0:3",
      "0:3",
      "1:4",
      "1:4",
      "1:4",
      "2:5",
      "2:5",
      "2:5",
      "3:6",
      "3:6",
      "3:6",
    ]);
  });

  test("a keyed sum adds values by key, a keyed count counts, both emit the key's new state", () => {
    expect(through({ uid: "G", type: "keyed-sum" }, "hash")).toEqual(["0:3", "1:4", "2:8", "3:14"]);
    expect(through({ uid: "G", type: "keyed-count" }, "hash")).toEqual(["0:1", "1:1", "2:2", "3:3"]);
  });
});

describe("ways of shipping", () => {
  const receivers = (ship: string, from: number, to: number, records = 12): string[][] => {
    const run = story(
      small({
        vertices: [
          source("S", { parallelism: from }),
          { uid: "M", type: "map", parallelism: to, chain: false },
          sink("K", { delivery: "at-least-once" }),
        ],
        edges: [`S ${ship} M`, "M rebalance K"],
        topics: { in: { partitions: from, records, every: "10 ms", keys: 5 } },
      }),
    );
    return Array.from({ length: from }, (_, i) =>
      run
        .words("RecordSent", "channel", { subtask: `S[${i}]` })
        .map((channel) => channel.slice(channel.indexOf("->") + 2)),
    );
  };

  test("rebalance takes the channels in turn from a drawn one on", () => {
    for (const list of receivers("rebalance", 2, 3)) {
      const [first = ""] = list;
      const start = Number(first.slice(2, 3));
      expect(list).toEqual(list.map((_, i) => `M[${(start + i) % 3}]`));
    }
  });

  test("rescale stays within the group: 2 to 4 gives each sender two receivers, 4 to 2 one", () => {
    expect(receivers("rescale", 2, 4).map((list) => [...new Set(list)].toSorted())).toEqual([
      ["M[0]", "M[1]"],
      ["M[2]", "M[3]"],
    ]);
    expect(receivers("rescale", 4, 2).map((list) => [...new Set(list)])).toEqual([
      ["M[0]"],
      ["M[0]"],
      ["M[1]"],
      ["M[1]"],
    ]);
  });

  test("broadcast reaches every receiver, global the first, forward the one of the same number, shuffle any", () => {
    expect(receivers("broadcast", 1, 3, 2)).toEqual([["M[0]", "M[1]", "M[2]", "M[0]", "M[1]", "M[2]"]]);
    expect(
      receivers("global", 2, 3)
        .flat()
        .every((receiver) => receiver === "M[0]"),
    ).toBe(true);
    expect(receivers("forward", 3, 3).map((list) => [...new Set(list)])).toEqual([["M[0]"], ["M[1]"], ["M[2]"]]);
    expect(new Set(receivers("shuffle", 1, 3, 60).flat()).size).toBe(3);
  });
});
