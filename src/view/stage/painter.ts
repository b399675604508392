/**
 * Layers of SVG groups, one group an element, painted anew only where the element's data is another object than the one
 * shown. Elements that can be selected are buttons with a name; everything else is hidden from assistive technology.
 */
import { select } from "d3";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { elementKey, type ElementKind } from "./elements.ts";
import type { VertexFrame } from "./frame-types.ts";
import type { MarkContext } from "./marks/context.ts";
import { type Pen, repaint } from "./marks/pen.ts";
import type { Box } from "./path.ts";

/** From bottom to top. */
const LAYERS = [
  "panels",
  "connectors",
  "vertices",
  "regions",
  "edges",
  "threads",
  "channels",
  "links",
  "headings",
  "ships",
  "subtasks",
  "ghosts",
  "loads",
  "vertexLoads",
  "summaries",
  "mores",
  "rows",
  "names",
  "transactions",
  "timeouts",
  "jobManager",
  "leader",
  "checkpoints",
  "storage",
  "stored",
  "earlier",
  "legend",
  "inputs",
  "outputs",
  "entries",
  "readers",
  "taskManagers",
] as const;
export type Layer = (typeof LAYERS)[number];

/** What is drawn of one kind of element. */
export interface Mark<T> {
  readonly kind: ElementKind;
  readonly layer: Layer;
  readonly describe: (datum: T) => string;
  readonly paint: (pen: Pen, datum: T, box: Box) => void;
  /** The element is reached elsewhere: here it only can be clicked. */
  readonly isSecond?: (id: number) => boolean;
}

interface Placed<T> {
  readonly id: number;
  readonly data: T;
  readonly box: Box;
}

interface Numbered {
  readonly id: number;
}

export class Painter {
  readonly layers: { readonly [L in Layer]: SVGGElement };
  private graph: ExecutionGraph | null = null;
  private context: MarkContext | null = null;
  /** Data with their places, by layer: the same object as long as both are the same, so that nothing is painted twice. */
  private readonly kept = new Map<Layer, WeakMap<object, Placed<unknown>>>();

  constructor(world: SVGGElement) {
    this.layers = Object.fromEntries(
      LAYERS.map((name) => [name, select(world).append("g").attr("class", `layer layer-${name}`).node()]),
    ) as { readonly [L in Layer]: SVGGElement };
  }

  /** Another graph, layout, theme or language: whatever is shown is out of date. */
  restart(graph: ExecutionGraph, context: MarkContext): void {
    const another = graph !== this.graph;
    this.graph = graph;
    this.context = context;
    this.kept.clear();
    for (const layer of Object.values(this.layers)) {
      // Elements of another graph have other names; those of the same one stay, and with them the focus.
      if (another) layer.replaceChildren();
      for (const node of layer.children) (node as { shown?: unknown }).shown = undefined;
    }
  }

  /** What is only looked at. */
  still<T>(layer: Layer, data: readonly T[], key: (datum: T) => string, paint: (pen: Pen, datum: T) => void): void {
    repaint(this.layers[layer], data, key, paint, (pen) => pen.group.attr("aria-hidden", "true"));
  }

  /** Headings of vertices: buttons that open and close them, reached from the subtasks. */
  headings(
    vertices: readonly VertexFrame[],
    describe: (vertex: VertexFrame) => string,
    paint: (pen: Pen, vertex: VertexFrame) => void,
  ): void {
    repaint(
      this.layers.headings,
      vertices,
      ({ id }) => String(id),
      (pen, vertex) => {
        paint(pen, vertex);
        pen.group.attr("aria-expanded", String(vertex.density !== "cells"));
      },
      (pen, { id }) =>
        pen.group
          .attr("class", "heading")
          .attr("role", "button")
          .attr("tabindex", -1)
          .attr("aria-roledescription", this.context?.text.role("vertex") ?? "vertex")
          .attr("data-heading", id),
    );
    for (const [index, vertex] of vertices.entries())
      this.layers.headings.children[index]?.setAttribute("aria-label", describe(vertex));
  }

  /** Elements, each in the box that `boxOf` gives it; those without are not drawn. */
  elements<T extends Numbered>(
    mark: Mark<T>,
    data: readonly T[],
    boxOf: (index: number, datum: T) => Box | null,
  ): void {
    const placed = data.flatMap((datum, index) => this.place(mark.layer, datum, boxOf(index, datum)));
    const key = ({ id }: Placed<T>): string => this.key(mark.kind, id);
    repaint(
      this.layers[mark.layer],
      placed,
      key,
      (pen, { data: datum, box }) => {
        // First: what comes after it differs from picture to picture, and it stays.
        if (box.width > 0) outline(pen, box);
        mark.paint(pen, datum, box);
        pen.group
          .attr("aria-roledescription", this.context?.text.role(mark.kind) ?? mark.kind)
          .attr("aria-label", mark.describe(datum));
      },
      (pen, { id }) => this.begin(pen, mark.kind, id),
    );
    const { isSecond } = mark;
    if (isSecond === undefined) return;
    for (const node of this.layers[mark.layer].children) {
      const id = Number(node.getAttribute("data-id"));
      if (isSecond(id)) node.removeAttribute("data-element");
      else node.setAttribute("data-element", this.key(mark.kind, id));
    }
  }

  private place<T extends Numbered>(layer: Layer, data: T, box: Box | null): Placed<T>[] {
    if (box === null) return [];
    const kept = this.kept.get(layer) ?? new WeakMap<object, Placed<unknown>>();
    this.kept.set(layer, kept);
    const before = kept.get(data);
    if (before !== undefined && isSameBox(before.box, box)) return [before as Placed<T>];
    const made = { id: data.id, data, box };
    kept.set(data, made);
    return [made];
  }

  private key(kind: ElementKind, id: number): string {
    return elementKey(this.graph as ExecutionGraph, { kind, id });
  }

  private begin(pen: Pen, kind: ElementKind, id: number): void {
    pen.group
      .attr("class", `element element-${kind}`)
      .attr("role", "button")
      .attr("tabindex", -1)
      .attr("aria-haspopup", "menu")
      .attr("data-kind", kind)
      .attr("data-id", id)
      .attr("data-element", this.key(kind, id));
  }
}

function isSameBox(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** The outline that shows focus and selection; invisible otherwise. Around a cell it keeps clear of the next. */
function outline(pen: Pen, { x, y, width, height }: Box): void {
  const apart = Math.min(3, height * 0.15);
  const box = { x: x - apart, y: y - apart, width: width + apart * 2, height: height + apart * 2 };
  pen.rect(box, "focus-ring", Math.min(8, height * 0.4));
}
