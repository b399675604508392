/** Ways outside the channels: messages to and from the JobManager, files to the storage, writes and commits to the outside. */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { writeLine } from "./connectors.ts";
import type { StageLayout } from "./layout-types.ts";
import { storageBox } from "./marks/checkpoint.ts";
import { arc, type Box, type Path, type Point } from "./path.ts";

export interface Routes {
  fromJobManager(subtask: number): Path;
  toJobManager(subtask: number): Path;
  toStorage(subtask: number, row: number): Path;
  toOutside(subtask: number): Path;
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
  const card = (subtask: number): Box => at(layout.subtasks, subtask).box;
  return {
    fromJobManager: (subtask) =>
      once(`d${subtask}`, () => arc(desk(layout, card(subtask), -6), top(card(subtask), -7))),
    toJobManager: (subtask) => once(`u${subtask}`, () => arc(top(card(subtask), 7), desk(layout, card(subtask), 6))),
    toStorage: (subtask, row) =>
      once(`s${subtask} ${row}`, () => arc(corner(layout, card(subtask)), shelf(layout, row))),
    toOutside: (subtask) => once(`o${subtask}`, () => writeLine(graph, layout, subtask)),
  };
}

/** Where messages leave the JobManager: straight above the subtask, so that they fall and rise without crossing. */
function desk({ jobManager }: StageLayout, card: Box, aside: number): Point {
  const x = Math.min(Math.max(card.x + card.width / 2, jobManager.x + 20), jobManager.x + jobManager.width - 20);
  return { x: x + aside, y: jobManager.y + jobManager.height };
}

function top(card: Box, aside: number): Point {
  return { x: card.x + card.width / 2 + aside, y: card.y };
}

function corner({ orientation }: StageLayout, card: Box): Point {
  return orientation === "horizontal" ? { x: card.x, y: card.y + card.height - 10 } : { x: card.x + 14, y: card.y };
}

/** The place of a checkpoint in the storage. */
function shelf(layout: StageLayout, row: number): Point {
  const box = storageBox(layout, row) ?? layout.storage;
  return layout.orientation === "horizontal"
    ? { x: box.x + box.width, y: box.y + box.height / 2 }
    : { x: box.x + box.width / 2, y: box.y + box.height };
}
