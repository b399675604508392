/** All that stands still, as SVG: each part of a scene in its layer. */
import { at } from "../../base/assert.ts";
import { connectors, threads } from "./connectors.ts";
import { elementKey, type StageElement } from "./elements.ts";
import type { Scene } from "./frame-types.ts";
import { drawChannel } from "./marks/channel.ts";
import { cardBox, drawCard, drawStored, storageBox } from "./marks/checkpoint.ts";
import type { MarkContext } from "./marks/context.ts";
import { drawBundle, drawShip } from "./marks/edge.ts";
import { drawInput } from "./marks/input.ts";
import { drawJobManager } from "./marks/job-manager.ts";
import { drawOutput } from "./marks/output.ts";
import { drawLoadBar, drawVertexLoad } from "./marks/load.ts";
import { drawLegend, legendOf } from "./marks/legend.ts";
import { drawPanels, drawReaders } from "./marks/panels.ts";
import { Pen } from "./marks/pen.ts";
import { drawRegion } from "./marks/region.ts";
import { drawSubtask } from "./marks/subtask.ts";
import { drawTaskManager } from "./marks/task-manager.ts";
import { capsuleBox, drawTransaction } from "./marks/transaction.ts";
import { drawHeading, drawVertex } from "./marks/vertex.ts";
import { Painter } from "./painter.ts";

export interface Structure {
  paint(scene: Scene, context: MarkContext): void;
  /** Shows one by one those channels of the selected subtask that a bundle stands for. */
  unravel(selected: StageElement | null): void;
  /** The group of an element that is drawn. */
  element(element: StageElement): SVGGElement | null;
}

export function createStructure(world: SVGGElement): Structure {
  const painter = new Painter(world);
  let shown: Scene | null = null;
  let context: MarkContext | null = null;
  return {
    paint(scene, next) {
      if (scene.layout !== shown?.layout || scene.graph !== shown.graph || next !== context) {
        painter.restart(scene.graph, next);
        paintGround(painter, scene, next);
      }
      shown = scene;
      context = next;
      paintGraph(painter, scene, next);
      paintLoads(painter, scene, next);
      paintTransactions(painter, scene, next);
      paintManagers(painter, scene, next);
      paintStorage(painter, scene, next);
      paintOutside(painter, scene, next);
    },
    unravel(selected) {
      const pen = new Pen(painter.layers.threads);
      pen.clear();
      if (shown === null || selected?.kind !== "subtask") return;
      for (const { d } of threads(shown.graph, shown.layout, selected.id)) pen.path(d, "thread");
    },
    element(element) {
      if (shown === null) return null;
      return world.querySelector(`[data-element="${CSS.escape(elementKey(shown.graph, element))}"]`);
    },
  };
}

/** What changes only with the layout. */
function paintGround({ layers }: Painter, scene: Scene, context: MarkContext): void {
  const panels = new Pen(layers.panels);
  panels.clear();
  drawPanels(panels, scene, context);
  const lines = new Pen(layers.connectors);
  lines.clear();
  for (const { d } of connectors(scene.graph, scene.layout)) lines.path(d, "connector");
}

function paintGraph(painter: Painter, scene: Scene, context: MarkContext): void {
  const { layout, vertices, edges, channels, subtasks, regions } = scene;
  const { text } = context;
  const id = (datum: { id: number }): string => String(datum.id);
  painter.still("vertices", vertices, id, (pen, vertex) =>
    drawVertex(pen, vertex, at(layout.vertices, vertex.id), context),
  );
  if (vertices.every((vertex) => at(layout.vertices, vertex.id).density !== "cells"))
    painter.still("regions", regions, id, (pen, region) => drawRegion(pen, region, scene, context));
  painter.still("headings", vertices, id, (pen, vertex) =>
    drawHeading(pen, vertex, at(layout.vertices, vertex.id), context),
  );
  painter.still("edges", edges, id, (pen, edge) => drawBundle(pen, edge, at(layout.edges, edge.id), context));
  painter.still("ships", edges, id, (pen, edge) => drawShip(pen, edge, at(layout.edges, edge.id), context));
  painter.elements(
    {
      kind: "channel",
      layer: "channels",
      describe: text.describeChannel,
      paint(pen, channel) {
        const place = layout.channels[channel.id] ?? null;
        if (place !== null) drawChannel(pen, channel, place, layout.orientation, context);
      },
    },
    channels,
    () => NOWHERE,
  );
  painter.elements(
    {
      kind: "subtask",
      layer: "subtasks",
      describe: (subtask) => text.describeSubtask(subtask, scene),
      paint: (pen, subtask) => drawSubtask(pen, subtask, at(layout.subtasks, subtask.id), context),
    },
    subtasks,
    (index) => at(layout.subtasks, index).box,
  );
}

/** Figures that change with every step, above the cards that do not. */
function paintLoads(painter: Painter, { layout, loads, vertexLoads }: Scene, context: MarkContext): void {
  const id = (datum: { id: number }): string => String(datum.id);
  painter.still("loads", loads, id, (pen, { id: subtask, shares }) => {
    pen.clear();
    if (shares !== null) drawLoadBar(pen, shares, at(layout.subtasks, subtask));
  });
  painter.still("vertexLoads", vertexLoads, id, (pen, load) => {
    pen.clear();
    drawVertexLoad(pen, load, at(layout.vertices, load.id).box, context);
  });
}

/** A channel has a line and no box. */
const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

function paintTransactions(painter: Painter, { layout, subtasks }: Scene, context: MarkContext): void {
  const all = subtasks.flatMap(({ id, transactions }) =>
    transactions.map((transaction, index) => ({ transaction, place: at(layout.subtasks, id), index })),
  );
  painter.elements(
    {
      kind: "transaction",
      layer: "transactions",
      describe: context.text.describeTransaction,
      paint: (pen, transaction, box) => drawTransaction(pen, transaction, box, context),
    },
    all.map(({ transaction }) => transaction),
    (position) => {
      const { place, index } = at(all, position);
      return capsuleBox(place, index);
    },
  );
}

function paintManagers(painter: Painter, scene: Scene, context: MarkContext): void {
  const { layout, jobManager, taskManagers } = scene;
  const { text } = context;
  painter.elements(
    {
      kind: "jobManager",
      layer: "jobManager",
      describe: text.describeJobManager,
      paint: (pen, datum) => drawJobManager(pen, datum, layout, context),
    },
    [jobManager],
    () => layout.jobManager,
  );
  painter.elements(
    {
      kind: "checkpoint",
      layer: "checkpoints",
      describe: text.describeCheckpoint,
      paint: (pen, checkpoint, box) => drawCard(pen, checkpoint, box, context),
    },
    jobManager.current,
    (index) => cardBox(layout, jobManager, index),
  );
  painter.elements(
    {
      kind: "taskManager",
      layer: "taskManagers",
      describe: (taskManager) => text.describeTaskManager(taskManager, scene),
      paint: (pen, taskManager, box) => drawTaskManager(pen, taskManager, box, context),
    },
    taskManagers,
    (index) => at(layout.taskManagers, index),
  );
}

function paintStorage(painter: Painter, scene: Scene, context: MarkContext): void {
  const { layout, storage, jobManager } = scene;
  painter.elements(
    {
      kind: "storage",
      layer: "storage",
      describe: ({ checkpoints }) => context.text.describeStorage(checkpoints),
      paint: (pen, _datum, box) => void pen.rect(box, "hit"),
    },
    [storage],
    () => layout.storage,
  );
  painter.elements(
    {
      kind: "checkpoint",
      layer: "stored",
      describe: context.text.describeCheckpoint,
      paint: (pen, checkpoint, box) => drawStored(pen, checkpoint, box, layout.orientation, context),
      isSecond: (id) => jobManager.current.some((card) => card.id === id),
    },
    storage.checkpoints,
    (index) => storageBox(layout, index),
  );
  const legend = legendOf(scene);
  painter.still(
    "legend",
    [legend],
    () => "legend",
    (pen) => drawLegend(pen, legend, scene, context),
  );
}

function paintOutside(painter: Painter, scene: Scene, context: MarkContext): void {
  const { layout, inputs, outputs } = scene;
  const { text } = context;
  painter.elements(
    {
      kind: "input",
      layer: "inputs",
      describe: text.describeInput,
      paint: (pen, input, box) => drawInput(pen, input, box, context),
    },
    inputs,
    (index) => layout.inputs[index] ?? null,
  );
  painter.elements(
    {
      kind: "output",
      layer: "outputs",
      describe: text.describeOutput,
      paint: (pen, output, box) => drawOutput(pen, output, box, context),
    },
    outputs,
    (index) => layout.outputs[index] ?? null,
  );
  painter.still(
    "readers",
    [outputs],
    () => "readers",
    (pen) => drawReaders(pen, scene, context),
  );
}
