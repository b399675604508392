/**
 * The place of everything on the stage: a pure function of the graph and the room. Below a certain width records flow
 * downwards, so that cards keep a legible size; a graph that needs more than the room gets it, and the stage pans.
 */
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { type Folds, noFolds } from "./density.ts";
import { placeChannels } from "./layout-channels.ts";
import { measureGraph, placeGraph } from "./layout-graph.ts";
import { isSlim, WIDE_FROM } from "./layout-key.ts";
import { narrowPanels, widePanels } from "./layout-panels.ts";
import { rankingOf } from "./layout-ranks.ts";
import type { Orientation, Size, StageLayout } from "./layout-types.ts";

function orientationFor(size: Size): Orientation {
  return size.width >= WIDE_FROM ? "horizontal" : "vertical";
}

export async function stageLayout(graph: ExecutionGraph, size: Size, folds: Folds = noFolds): Promise<StageLayout> {
  const rankVertices = await rankingOf(graph);
  const orientation = orientationFor(size);
  const panelsFor = orientation === "horizontal" ? widePanels : narrowPanels;
  const slim = isSlim(size, folds);
  const { graph: room, spare } = panelsFor(graph, size, { width: 0, height: 0 }, slim);
  const measures = measureGraph(rankVertices, graph, room, orientation, folds, spare);
  const panels = panelsFor(graph, size, placeGraph(rankVertices, graph, room, measures), slim);
  const placed = placeGraph(rankVertices, graph, panels.graph, measures);
  const { channels, edges } = placeChannels(graph, placed);
  return {
    orientation,
    width: panels.width,
    height: panels.height,
    jobManager: panels.jobManager,
    sources: panels.sources,
    inputs: panels.inputs,
    storage: panels.storage,
    outside: panels.outside,
    outputs: panels.outputs,
    taskManagers: panels.taskManagers,
    vertices: placed.vertices.map(({ box, density, summary }) => ({ box, density, summary })),
    subtasks: placed.subtasks,
    channels,
    edges,
  };
}
