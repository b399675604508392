/**
 * All that stands still, as SVG: layers of groups, one group an element, repainted only where an element's data is another
 * than the one shown. Elements that can be selected are buttons with a name; everything else is hidden from assistive
 * technology.
 */
import { select } from "d3";
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { connectors } from "./connectors.ts";
import { elementKey, type ElementKind, type StageElement } from "./elements.ts";
import type { Scene } from "./frame-types.ts";
import { drawChannel } from "./marks/channel.ts";
import { cardBox, drawCard, drawStored, storageBox } from "./marks/checkpoint.ts";
import type { MarkContext } from "./marks/context.ts";
import { drawEdge } from "./marks/edge.ts";
import { drawInput } from "./marks/input.ts";
import { drawJobManager } from "./marks/job-manager.ts";
import { drawOutput } from "./marks/output.ts";
import { Pen, repaint } from "./marks/pen.ts";
import { drawPanels, drawReaders } from "./marks/panels.ts";
import { drawSubtask } from "./marks/subtask.ts";
import { drawTaskManager } from "./marks/task-manager.ts";
import { capsuleBox, drawTransaction } from "./marks/transaction.ts";
import { drawVertex } from "./marks/vertex.ts";
import type { Box } from "./path.ts";

const LAYERS = [
  "panels",
  "connectors",
  "vertices",
  "edges",
  "channels",
  "subtasks",
  "transactions",
  "jobManager",
  "checkpoints",
  "storage",
  "inputs",
  "outputs",
  "readers",
  "taskManagers",
] as const;
type Layer = (typeof LAYERS)[number];

export interface Structure {
  paint(scene: Scene, context: MarkContext): void;
  element(element: StageElement): SVGGElement | null;
}

interface Placed<T> {
  readonly id: number;
  readonly data: T;
  readonly box: Box;
}

export function createStructure(world: SVGGElement): Structure {
  const layers = Object.fromEntries(
    LAYERS.map((name) => [name, select(world).append("g").attr("class", `layer layer-${name}`).node() as SVGGElement]),
  ) as { readonly [L in Layer]: SVGGElement };
  const painter = new Painter(layers);
  let shown: Scene | null = null;
  return {
    paint(scene, context) {
      if (scene.layout !== shown?.layout || scene.graph !== shown.graph || context !== painter.context)
        painter.restart(scene, context);
      painter.paint(scene);
      shown = scene;
    },
    element: (element) =>
      shown === null ? null : world.querySelector(`[data-element="${CSS.escape(elementKey(shown.graph, element))}"]`),
  };
}

class Painter {
  context: MarkContext | null = null;
  private readonly layers: { readonly [L in Layer]: SVGGElement };
  private graph!: ExecutionGraph;
  /** Data with its place, kept as long as the data is the same object: so nothing is painted twice. */
  private readonly kept = new WeakMap<object, Placed<unknown>>();

  constructor(layers: { readonly [L in Layer]: SVGGElement }) {
    this.layers = layers;
  }

  /** Another graph, layout, theme or language: everything is drawn anew. */
  restart(scene: Scene, context: MarkContext): void {
    this.context = context;
    this.graph = scene.graph;
    for (const layer of Object.values(this.layers))
      for (const node of layer.children) (node as { shown?: unknown }).shown = undefined;
    const panels = new Pen(this.layers.panels);
    panels.clear();
    drawPanels(panels, scene, context);
    const lines = new Pen(this.layers.connectors);
    lines.clear();
    for (const { d } of connectors(scene.graph, scene.layout)) lines.path(d, "connector");
  }

  paint(scene: Scene): void {
    const { layout } = scene;
    const context = this.context as MarkContext;
    const { text } = context;
    this.still(
      "vertices",
      scene.vertices,
      ({ id }) => `v${id}`,
      (pen, vertex) => drawVertex(pen, vertex, at(layout.vertices, vertex.id), context),
    );
    this.still(
      "edges",
      scene.edges,
      ({ id }) => `e${id}`,
      (pen, edge) => drawEdge(pen, edge, at(layout.edges, edge.id), context),
    );
    this.buttons(
      "channel",
      "channels",
      scene.channels.filter(({ id }) => layout.channels[id] !== null),
      text.describeChannel,
      (pen, channel) => {
        const place = layout.channels[channel.id];
        if (place !== null && place !== undefined) drawChannel(pen, channel, place, layout.orientation, context);
      },
    );
    this.buttons(
      "subtask",
      "subtasks",
      scene.subtasks,
      (subtask) => text.describeSubtask(subtask, scene),
      (pen, subtask) => {
        const place = at(layout.subtasks, subtask.id);
        drawSubtask(pen, subtask, place, context);
        ring(pen, place.box);
      },
    );
    this.paintStrips(scene, context);
  }

  private paintStrips(scene: Scene, context: MarkContext): void {
    const { layout, jobManager } = scene;
    const { text } = context;
    const capsules = scene.subtasks.flatMap((subtask) =>
      this.placed(subtask.transactions, (index) => capsuleBox(at(layout.subtasks, subtask.id), index)),
    );
    this.boxes("transaction", "transactions", capsules, text.describeTransaction, (pen, data, box) =>
      drawTransaction(pen, data, box, context),
    );
    const whole = this.placed([{ ...jobManager, id: 0 }], () => layout.jobManager, jobManager);
    this.boxes("jobManager", "jobManager", whole, text.describeJobManager, (pen, data) =>
      drawJobManager(pen, data, layout, context),
    );
    const cards = this.placed(jobManager.current, (index) => cardBox(layout, index, jobManager.current.length));
    this.boxes("checkpoint", "checkpoints", cards, text.describeCheckpoint, (pen, data, box) =>
      drawCard(pen, data, box, context),
    );
    const rows = this.placed(scene.storage, (index) => storageBox(layout, index));
    const isCard = (id: number): boolean => jobManager.current.some((card) => card.id === id);
    this.boxes(
      "checkpoint",
      "storage",
      rows,
      text.describeCheckpoint,
      (pen, data, box) => drawStored(pen, data, box, layout.orientation, context),
      isCard,
    );
    this.boxes(
      "input",
      "inputs",
      this.placed(scene.inputs, (index) => at(layout.inputs, index)),
      text.describeInput,
      (pen, data, box) => drawInput(pen, data, box, context),
    );
    this.boxes(
      "output",
      "outputs",
      this.placed(scene.outputs, (index) => at(layout.outputs, index)),
      text.describeOutput,
      (pen, data, box) => drawOutput(pen, data, box, context),
    );
    this.still(
      "readers",
      [scene.outputs],
      () => "readers",
      (pen) => drawReaders(pen, scene, context),
    );
    const managers = this.placed(scene.taskManagers, (index) => at(layout.taskManagers, index));
    this.boxes(
      "taskManager",
      "taskManagers",
      managers,
      (data) => text.describeTaskManager(data, scene),
      (pen, data, box) => drawTaskManager(pen, data, box, context),
    );
  }

  /** Each datum with its box; the same object as before while datum and box are the same. */
  private placed<T extends { readonly id: number }>(
    list: readonly T[],
    boxOf: (index: number) => Box | null,
    identity: object | null = null,
  ): Placed<T>[] {
    return list.flatMap((data, index) => {
      const box = boxOf(index);
      if (box === null) return [];
      const before = this.kept.get(identity ?? data);
      if (before !== undefined && before.box.x === box.x && before.box.y === box.y && before.box.width === box.width)
        return [before as Placed<T>];
      const made: Placed<T> = { id: data.id, data, box };
      this.kept.set(identity ?? data, made);
      return [made];
    });
  }

  private still<T>(
    layer: Layer,
    data: readonly T[],
    key: (datum: T) => string,
    paint: (pen: Pen, datum: T) => void,
  ): void {
    repaint(this.layers[layer], data, key, paint, (pen) => pen.group.attr("aria-hidden", "true"));
  }

  private buttons<T extends { readonly id: number }>(
    kind: ElementKind,
    layer: Layer,
    data: readonly T[],
    describe: (datum: T) => string,
    paint: (pen: Pen, datum: T) => void,
  ): void {
    const key = (datum: T): string => elementKey(this.graph, { kind, id: datum.id });
    repaint(
      this.layers[layer],
      data,
      key,
      (pen, datum) => {
        paint(pen, datum);
        pen.group.attr("aria-label", describe(datum));
      },
      (pen, datum) => this.beginButton(pen, kind, key(datum), datum.id),
    );
  }

  private boxes<T extends { readonly id: number }>(
    kind: ElementKind,
    layer: Layer,
    data: readonly Placed<T>[],
    describe: (datum: T) => string,
    paint: (pen: Pen, datum: T, box: Box) => void,
    isShownElsewhere: (id: number) => boolean = () => false,
  ): void {
    this.buttons(
      kind,
      layer,
      data,
      ({ data: datum }) => describe(datum),
      (pen, { data: datum, box }) => {
        paint(pen, datum, box);
        ring(pen, box);
      },
    );
    for (const node of this.layers[layer].children) {
      const id = Number(node.getAttribute("data-id"));
      if (isShownElsewhere(id)) node.removeAttribute("data-element");
      else node.setAttribute("data-element", elementKey(this.graph, { kind, id }));
    }
  }

  private beginButton(pen: Pen, kind: ElementKind, key: string, id: number): void {
    pen.group
      .attr("class", `element element-${kind}`)
      .attr("role", "button")
      .attr("tabindex", -1)
      .attr("aria-haspopup", "menu")
      .attr("aria-roledescription", (this.context as MarkContext).text.role(kind))
      .attr("data-kind", kind)
      .attr("data-id", id)
      .attr("data-element", key);
  }
}

/** The outline that shows focus and selection; hidden otherwise. */
function ring(pen: Pen, box: Box): void {
  pen.rect({ x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6 }, "focus-ring", 8);
}
