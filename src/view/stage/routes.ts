/** Ways outside the channels: messages to and from the JobManager, files to the storage, writes and commits to the outside. */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { writeLine } from "./connectors.ts";
import type { StageLayout } from "./layout-types.ts";
import { storageBox } from "./marks/checkpoint.ts";
import { makePath, type Path, type Point, type Segment } from "./path.ts";

export interface Routes {
  fromJobManager(subtask: number): Path;
  toJobManager(subtask: number): Path;
  toStorage(subtask: number, row: number): Path;
  toOutside(subtask: number): Path;
  /** To a place on the subtask's card. */
  fromStorage(subtask: number, row: number, to: Point): Path;
}

/** Routes depend on the layout alone and are made when first asked for. */
const kept = new WeakMap<StageLayout, Routes>();

export function routesOf(graph: ExecutionGraph, layout: StageLayout): Routes {
  const known = kept.get(layout);
  if (known !== undefined) return known;
  const made = makeRoutes(graph, layout);
  kept.set(layout, made);
  return made;
}

function makeRoutes(graph: ExecutionGraph, layout: StageLayout): Routes {
  const paths = new Map<string, Path>();
  const once = (key: string, make: () => Path): Path => {
    const path = paths.get(key) ?? make();
    paths.set(key, path);
    return path;
  };
  return {
    fromJobManager: (subtask) => once(`d${subtask}`, () => lane(graph, layout, subtask)),
    toJobManager: (subtask) => once(`u${subtask}`, () => reversed(lane(graph, layout, subtask))),
    toStorage: (subtask, row) => once(`s${subtask} ${row}`, () => pipe(graph, layout, subtask, shelf(layout, row))),
    fromStorage: (subtask, row, to) =>
      once(`r${subtask} ${row} ${to.x} ${to.y}`, () =>
        reversed(pipe(graph, layout, subtask, shelf(layout, row)), [to]),
      ),
    toOutside: (subtask) => once(`o${subtask}`, () => writeLine(graph, layout, subtask)),
  };
}

/** How far beside a card messages fall and rise, so that they hide nothing on the cards they pass. */
const ASIDE = 13;

/** From the JobManager down beside the subtask's column, and in from the side. */
function lane(graph: ExecutionGraph, layout: StageLayout, subtask: number): Path {
  const place = at(layout.subtasks, subtask);
  const { box: vertex } = at(layout.vertices, at(graph.subtasks, subtask).taskVertex);
  const card = place.density === "cells" ? vertex : place.box;
  const top = layout.jobManager.y + layout.jobManager.height;
  if (layout.orientation === "horizontal") {
    const x = vertex.x - ASIDE;
    const y = card.y + Math.min(16, card.height / 2);
    const corner = { x, y: y - 12 };
    return makePath({ x, y: top }, [
      { to: corner },
      {
        to: { x: card.x, y },
        handles: [
          { x, y },
          { x, y },
        ],
      },
    ]);
  }
  const x = card.x + 2;
  return makePath({ x, y: top }, [{ to: { x, y: card.y + 8 } }]);
}

/** The same way back, and on. */
function reversed(path: Path, on: readonly Point[] = []): Path {
  const points: Point[] = [];
  for (let i = path.points.length - 2; i >= 0; i -= 2)
    points.push({ x: at(path.points, i), y: at(path.points, i + 1) });
  return makePath(
    at(points, 0),
    [...points.slice(1), ...on].map((to) => ({ to })),
  );
}

/** From a card to its place in the storage, beside and below the cards. */
function pipe(graph: ExecutionGraph, layout: StageLayout, subtask: number, to: Point): Path {
  const place = at(layout.subtasks, subtask);
  const { box: vertex } = at(layout.vertices, at(graph.subtasks, subtask).taskVertex);
  const card = place.density === "cells" ? vertex : place.box;
  if (layout.orientation === "vertical") {
    const x = card.x + 2;
    return rounded([{ x, y: card.y + 8 }, { x, y: to.y + 12 }, { x: to.x, y: to.y + 12 }, to]);
  }
  const y = card.y + card.height - 12;
  const x = vertex.x - ASIDE;
  const below = (layout.taskManagers[0]?.y ?? layout.outside.y) - 14;
  const before = to.x + 10;
  if (x <= before + 20) return rounded([{ x: card.x, y }, { x: before, y }, { x: before, y: to.y }, to]);
  return rounded([{ x: card.x, y }, { x, y }, { x, y: below }, { x: before, y: below }, { x: before, y: to.y }, to]);
}

/** Straight lines with soft corners. */
function rounded(points: readonly Point[]): Path {
  const radius = 8;
  const segments: Segment[] = [];
  points.slice(1).forEach((to, index) => {
    const next = points[index + 2];
    if (next === undefined) {
      segments.push({ to });
      return;
    }
    const corner = [toward(to, at(points, index), radius), toward(to, next, radius)] as const;
    segments.push({ to: corner[0] }, { to: corner[1], handles: [to, to] });
  });
  return makePath(at(points, 0), segments);
}

function toward(from: Point, to: Point, by: number): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const share = distance === 0 ? 0 : Math.min(by / distance, 0.5);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** The place of a checkpoint in the storage. */
function shelf(layout: StageLayout, row: number): Point {
  const box = storageBox(layout, row) ?? layout.storage;
  return layout.orientation === "horizontal"
    ? { x: box.x + box.width, y: box.y + box.height / 2 }
    : { x: box.x + box.width / 2, y: box.y + box.height };
}
