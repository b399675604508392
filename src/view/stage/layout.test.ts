import { describe, expect, test } from "vitest";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { graphs } from "../testing/graphs.ts";
import { STRIPS } from "./density.ts";
import { stageLayout } from "./layout.ts";
import type { StageLayout } from "./layout-types.ts";
import { storeWidth } from "./marks/checkpoint.ts";
import { JOB_RIGHT } from "./marks/leader-name.ts";
import type { Box } from "./path.ts";

const sizes = [
  { width: 960, height: 560 },
  { width: 390, height: 620 },
  { width: 1400, height: 900 },
  { width: 700, height: 420 },
];

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function inside(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width + 0.01 &&
    inner.y + inner.height <= outer.y + outer.height + 0.01
  );
}

/** Boxes of which no two may overlap, by name. */
function apart(graph: ExecutionGraph, layout: StageLayout): [string, Box][] {
  return [
    ["JobManager", layout.jobManager],
    ["sources", layout.sources],
    ["storage", layout.storage],
    ["outside", layout.outside],
    ...layout.taskManagers.map((box, index): [string, Box] => [graph.taskManagers[index] ?? "", box]),
    ...layout.vertices.map(({ box }, index): [string, Box] => [graph.vertices[index]?.uid ?? "", box]),
  ];
}

function overlaps(boxes: readonly (readonly [string, Box])[]): string[] {
  return boxes.flatMap(([name, box], index) =>
    boxes.slice(index + 1).flatMap(([other, otherBox]) => (overlap(box, otherBox) ? [`${name} and ${other}`] : [])),
  );
}

for (const [name, graph] of Object.entries(graphs)) {
  for (const size of sizes) {
    describe(`${name} in ${size.width} x ${size.height}`, async () => {
      // As the app asks for it: narrow strips where there is little room.
      const folds = { [STRIPS]: "closed" } as const;
      const layout = await stageLayout(graph, size, folds);

      test("the same graph in the same room stands the same", async () => {
        expect(await stageLayout(structuredClone(graph), size, folds)).toEqual(layout);
      });

      test("nothing stands on anything else, and all is on the stage", () => {
        const boxes = apart(graph, layout);
        expect(overlaps(boxes)).toEqual([]);
        const stage = { x: 0, y: 0, width: layout.width, height: layout.height };
        expect(boxes.filter(([, box]) => !inside(box, stage))).toEqual([]);
      });

      test("the corner in which the zoom buttons stand is free", () => {
        const [top, wide, high] = layout.orientation === "horizontal" ? [12, 26, 74] : [8, 46, 134];
        const buttons = { x: size.width - 12 - wide, y: top, width: wide, height: high };
        expect(overlaps([["zoom buttons", buttons], ...apart(graph, layout)])).toEqual([]);
      });

      test("subtasks stand apart, inside their vertex", () => {
        const named = layout.subtasks.map(({ box }, index): [string, Box] => [graph.subtasks[index]?.name ?? "", box]);
        expect(overlaps(named)).toEqual([]);
        const outside = graph.subtasks.filter(
          ({ index, taskVertex }) => !inside(layout.subtasks[index]!.box, layout.vertices[taskVertex]!.box),
        );
        expect(outside.map((subtask) => subtask.name)).toEqual([]);
      });

      test("a channel begins at its sender, ends at its receiver, and runs forwards", () => {
        for (const channel of graph.channels) {
          const place = layout.channels[channel.index] ?? layout.edges[channel.edge]!.bundle!;
          const { points } = place.path;
          const u = layout.orientation === "horizontal" ? 0 : 1;
          for (let i = 2 + u; i < points.length; i += 2)
            expect(points[i], channel.name).toBeGreaterThanOrEqual(points[i - 2]! - 0.01);
          expect(place.path.length).toBeGreaterThan(40);
        }
      });
    });
  }
}

test("twenty vertices keep a legible size: the stage grows past the room", async () => {
  const layout = await stageLayout(graphs.twenty, sizes[0]!);
  expect(layout.width).toBeGreaterThan(2000);
  for (const { box } of layout.subtasks) expect(box.width).toBeGreaterThanOrEqual(100);
});

test("the orders job fits the stage of a desk and the width of a phone", async () => {
  expect(await stageLayout(graphs.orders, sizes[0]!)).toMatchObject({
    width: 960,
    height: 560,
    orientation: "horizontal",
  });
  expect(await stageLayout(graphs.orders, sizes[1]!)).toMatchObject({ width: 390, orientation: "vertical" });
});

test("the JobManager of the orders job has room for its three parts in a room that is narrow, between strips and between rails", async () => {
  for (const width of [640, 720, 800, 900])
    for (const folds of [{ [STRIPS]: "open" }, { [STRIPS]: "closed" }] as const) {
      const layout = await stageLayout(graphs.orders, { width, height: 1 }, folds);
      const { checkpoint, store } = threeParts(layout.jobManager);
      expect(checkpoint, `${width}`).toBeGreaterThanOrEqual(180);
      expect(store).toBeLessThanOrEqual(layout.width);
    }
});

/** How wide what is told of a checkpoint in progress may be, and where the store ends. */
function threeParts(box: Box): { checkpoint: number; store: number } {
  const left = box.x + JOB_RIGHT + 22;
  return { checkpoint: box.x + box.width - storeWidth(box) - 12 - left, store: box.x + box.width };
}
