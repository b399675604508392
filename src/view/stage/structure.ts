/** All that stands still, as SVG: each part of a scene in its layer. */
import { at } from "../../base/assert.ts";
import { connectors, threads } from "./connectors.ts";
import { elementKey, type StageElement, type Stop } from "./elements.ts";
import type { Frame, Scene } from "./frame-types.ts";
import type { StageLayout } from "./layout-types.ts";
import { drawChannel } from "./marks/channel.ts";
import { cardBox, drawCard, drawStored, storageBox } from "./marks/checkpoint.ts";
import type { MarkContext } from "./marks/context.ts";
import { drawBundle, drawShip, shipBox } from "./marks/edge.ts";
import { drawInput } from "./marks/input.ts";
import { drawJobManager } from "./marks/job-manager.ts";
import { drawOutput } from "./marks/output.ts";
import { drawLoadBar, drawVertexLoad } from "./marks/load.ts";
import { drawPanels, drawReaders } from "./marks/panels.ts";
import { Pen } from "./marks/pen.ts";
import { drawSubtask } from "./marks/subtask.ts";
import { drawTaskManager } from "./marks/task-manager.ts";
import { capsuleBox, drawTransaction } from "./marks/transaction.ts";
import { drawHeading, drawName, drawVertex } from "./marks/vertex.ts";
import { Painter } from "./painter.ts";
import type { LaterStructure } from "./structure-later.ts";
import type { Lit } from "./structure-legend.ts";
import { createSummaries } from "./structure-summaries.ts";
import type { StageText } from "./text.ts";

/** What somebody looks at: selected, under the mouse or in focus, and subtasks that are seen from near. */
export interface Pointed {
  readonly selected: StageElement | null;
  readonly hovered: StageElement | null;
  readonly near: readonly number[];
}

export interface Structure {
  paint(scene: Scene, context: MarkContext): void;
  /** Shows one by one the channels, of those that a bundle stands for, of subtasks that somebody looks at. */
  unravel(pointed: Pointed): void;
  /** What runs with time within a step. */
  run(frame: Frame, still: boolean): void;
  /** Lets everything fade but these; `null`: nothing fades. */
  light(elements: readonly StageElement[] | null): void;
  /** The group of an element, or of a heading, that is drawn. */
  element(stop: Stop): SVGGElement | null;
  /** By its `data-element`. */
  named(key: string): SVGGElement | null;
}

/** `onLit` is told what the legend lights, and when it lights nothing any more. */
export function createStructure(
  world: SVGGElement,
  words: StageText["later"],
  onLit: (lit: Lit | null) => void,
): Structure {
  const painter = new Painter(world);
  let shown: Scene | null = null;
  let context: MarkContext | null = null;
  let pointed: Pointed = { selected: null, hovered: null, near: [] };
  const paintSummaries = createSummaries(painter);
  let later: LaterStructure | null = null;
  let lit: readonly StageElement[] | null = null;
  // What explains the picture comes after the picture.
  void Promise.all([import("./structure-later.ts"), words()]).then(([{ createLater }, spoken]) => {
    later = createLater(world, painter, spoken, onLit);
    if (shown !== null && context !== null) later.paint(shown, context);
    later.light(lit);
  });
  return {
    light(elements) {
      lit = elements;
      later?.light(elements);
    },
    run: (frame, still) => later?.run(frame, still),
    paint(scene, next) {
      const relaid = scene.layout !== shown?.layout || scene.graph !== shown.graph;
      if (relaid || next !== context) {
        painter.restart(scene.graph, next);
        paintGround(painter, scene, next);
      }
      shown = scene;
      context = next;
      for (const paint of paints) paint(painter, scene, next);
      paintSummaries(scene, next, pointed.selected);
      later?.paint(scene, next);
      if (relaid) paintThreads(painter, scene, pointed);
    },
    unravel(next) {
      pointed = next;
      if (shown === null || context === null) return;
      paintThreads(painter, shown, next);
      paintSummaries(shown, context, next.selected);
    },
    element(stop) {
      if (shown === null) return null;
      if (stop.kind === "vertex") return world.querySelector(`[data-heading="${stop.id}"]`);
      return this.named(elementKey(shown.graph, stop));
    },
    named: (key) => world.querySelector(`[data-element="${CSS.escape(key)}"]`),
  };
}

/** More channels at once would be a bundle again. */
const THREADS_MAX = 600;

/** Channels of the subtasks that are seen from near, of the one under the mouse, and of the one that is selected. */
function paintThreads({ layers }: Painter, { graph, layout }: Scene, { selected, hovered, near }: Pointed): void {
  const pen = new Pen(layers.threads);
  const draw = (subtask: number, name: string): number => {
    const paths = subtask < graph.subtasks.length ? threads(graph, layout, subtask) : [];
    for (const { d } of paths) pen.path(d, name);
    return paths.length;
  };
  let drawn = 0;
  for (const subtask of near) if (drawn < THREADS_MAX) drawn += draw(subtask, "thread near");
  if (hovered?.kind === "subtask") draw(hovered.id, "thread hovered");
  if (selected?.kind === "subtask") draw(selected.id, "thread");
  pen.finish();
}

/** What changes only with the layout. */
function paintGround({ layers }: Painter, scene: Scene, context: MarkContext): void {
  const panels = new Pen(layers.panels);
  drawPanels(panels, scene, context);
  panels.finish();
  const lines = new Pen(layers.connectors);
  for (const { d } of connectors(scene.graph, scene.layout)) lines.path(d, "connector");
  lines.finish();
}

function paintGraph(painter: Painter, scene: Scene, context: MarkContext): void {
  const { layout, vertices, edges, subtasks } = scene;
  const { text } = context;
  const id = (datum: { id: number }): string => String(datum.id);
  painter.still("vertices", vertices, id, (pen, vertex) =>
    drawVertex(pen, vertex, at(layout.vertices, vertex.id), context),
  );
  painter.headings(
    vertices,
    (vertex) => text.describeVertex(vertex, scene.summaries.find((summary) => summary.id === vertex.id) ?? null, scene),
    (pen, vertex) => drawHeading(pen, vertex, at(layout.vertices, vertex.id), context),
  );
  painter.still("names", vertices, id, (pen, vertex) =>
    drawName(pen, vertex, at(layout.vertices, vertex.id), gapOf(layout), context),
  );
  painter.still("edges", edges, id, (pen, edge) => drawBundle(pen, edge, at(layout.edges, edge.id), context));
  painter.elements(
    {
      kind: "edge",
      layer: "ships",
      describe: (edge) => text.describeEdge(edge, scene),
      paint: (pen, edge) => drawShip(pen, edge, at(layout.edges, edge.id), context),
    },
    edges,
    (index, edge) => shipBox(at(layout.edges, index), edge, context),
  );
  paintChannels(painter, scene, context);
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

function paintChannels(painter: Painter, { layout, channels }: Scene, context: MarkContext): void {
  const { text } = context;
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
}

/** How far apart the layers are: beyond its sides a name has half of that. */
function gapOf({ vertices, orientation }: StageLayout): number {
  const [first, ...others] = vertices.map(({ box }) => box);
  if (first === undefined || orientation === "vertical") return 0;
  const right = first.x + first.width;
  const gaps = others.flatMap(({ x }) => (x > right ? [x - right] : []));
  return gaps.length === 0 ? 0 : Math.min(...gaps);
}

/** Figures that change with every step, above the cards that do not. */
function paintLoads(painter: Painter, { layout, loads, vertexLoads }: Scene, context: MarkContext): void {
  const id = (datum: { id: number }): string => String(datum.id);
  painter.still("loads", loads, id, (pen, { id: subtask, shares }) => {
    if (shares !== null) drawLoadBar(pen, shares, at(layout.subtasks, subtask));
  });
  painter.still("vertexLoads", vertexLoads, id, (pen, load) => {
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
      describe: context.text.describeStorage,
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

const paints = [paintGraph, paintLoads, paintTransactions, paintManagers, paintStorage, paintOutside] as const;
