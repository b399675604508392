/**
 * The halves of what is not the same in one picture of two runs: each element's group shows its half, with a line between
 * the two and the letters of the runs above. Where only one run has an element, the other's half is an empty frame.
 */
import { select } from "d3";
import type { Layer } from "../painter.ts";
import { Pen, textWidth } from "../marks/pen.ts";
import type { Box, Point } from "../path.ts";
import { type Half, type HalvedLayer, type Halves, halvedLayers } from "./halves.ts";

type Side = "a" | "b";

/** The groups of each layer, of either run. */
export type LayerPairs = ReadonlyMap<Layer, { readonly a: SVGGElement; readonly b: SVGGElement }>;

interface Halved {
  readonly layer: HalvedLayer;
  readonly id: number;
  readonly half: Half;
  readonly a: SVGGElement | null;
  readonly b: SVGGElement | null;
  readonly box: Box;
  readonly states: States | null;
}

type States = { readonly a: string; readonly b: string };

/** Clips end so far outside of what they clip. */
const MARGIN = 60;
/** A box that is smaller has no room for letters. */
const LETTERS = { width: 56, height: 22 };
/** Layers whose halves have a line between them; what belongs to them is only cut. */
const lined: ReadonlySet<HalvedLayer> = new Set<HalvedLayer>([
  "subtasks",
  "transactions",
  "checkpoints",
  "stored",
  "jobManager",
  "inputs",
  "outputs",
  "taskManagers",
  "readers",
  "channels",
  "ships",
]);

let stages = 0;

export class BothMarks {
  private readonly defs: SVGGElement;
  private readonly marks: SVGGElement;
  private readonly layers: LayerPairs;
  private readonly prefix = `both-${stages++}`;
  private shown: Halved[] = [];

  constructor(world: SVGGElement, layers: LayerPairs) {
    this.layers = layers;
    this.defs = select(world).append("g").attr("class", "both-clips").node() as SVGGElement;
    this.marks = select(world)
      .append("g")
      .attr("class", "both-marks")
      .attr("aria-hidden", "true")
      .node() as SVGGElement;
  }

  /** After both runs have been painted. */
  show(halves: Halves, share: number, statesOf: (layer: HalvedLayer, id: number) => States | null): void {
    for (const layer of halvedLayers) this.reveal(layer, halves[layer]);
    this.shown = halvedLayers.flatMap((layer) => this.halvedIn(layer, halves[layer], statesOf));
    for (const { a, b } of this.layers.values())
      for (const node of [...a.children, ...b.children]) node.removeAttribute("clip-path");
    this.divide(share);
  }

  /** Moves the line between the halves. */
  divide(share: number): void {
    const pen = new Pen(this.marks);
    this.defs.replaceChildren();
    for (const halved of this.shown) {
      for (const side of ["a", "b"] as const) this.clip(halved, side, share);
      if (lined.has(halved.layer)) mark(pen, halved, share);
    }
    pen.finish();
  }

  /** What both have alike is the first run's. */
  private reveal(layer: HalvedLayer, halves: ReadonlyMap<number, Half>): void {
    for (const node of this.layers.get(layer)?.b.children ?? [])
      (node as SVGGElement).style.display = halves.has(idOf(node)) ? "" : "none";
  }

  private halvedIn(
    layer: HalvedLayer,
    halves: ReadonlyMap<number, Half>,
    statesOf: (layer: HalvedLayer, id: number) => States | null,
  ): Halved[] {
    const pair = this.layers.get(layer);
    if (pair === undefined || halves.size === 0) return [];
    const [inA, inB] = [byId(pair.a), byId(pair.b)];
    return [...halves].flatMap(([id, half]): Halved[] => {
      const [a, b] = [inA.get(id) ?? null, inB.get(id) ?? null];
      const box = boxOf(a ?? b) ?? around([a, b]);
      return box === null ? [] : [{ layer, id, half, a, b, box, states: statesOf(layer, id) }];
    });
  }

  private clip({ layer, id, box, ...nodes }: Halved, side: Side, share: number): void {
    const node = nodes[side];
    if (node === null) return;
    const name = `${this.prefix}-${layer}-${id}-${side}`;
    // An own box: a card stands elsewhere in the other run.
    const { x, y, width, height } = halfWithMargin(boxOf(node) ?? box, side, share);
    select(this.defs)
      .append("clipPath")
      .attr("id", name)
      .append("rect")
      .attr("x", x)
      .attr("y", y)
      .attr("width", width)
      .attr("height", height);
    node.setAttribute("clip-path", `url(#${name})`);
  }
}

/** With all of it on one side nothing of the other is left, nor of what it draws around its box. */
function halfWithMargin(box: Box, side: Side, share: number): Box {
  const [left, right] = [box.x - MARGIN, box.x + box.width + MARGIN];
  const split = share === 0 ? right : share === 1 ? left : box.x + box.width * (1 - share);
  const [from, to] = side === "a" ? [left, split] : [split, right];
  return { x: from, y: box.y - MARGIN, width: Math.max(0, to - from), height: box.height + MARGIN * 2 };
}

function mark(pen: Pen, { layer, half, box, states }: Halved, share: number): void {
  const split = box.x + box.width * (1 - share);
  const isLine = layer === "channels" || layer === "ships";
  const middle = box.y + box.height / 2;
  if (half !== "differs") frame(pen, half, box, split);
  if (share > 0 && share < 1)
    pen.line(split, isLine ? middle - 7 : box.y - 2, split, isLine ? middle + 7 : box.y + box.height + 2, "both-line");
  if (isLine || box.width < LETTERS.width || box.height < LETTERS.height) return;
  // The JobManager's box has cards in it that are halved as well: its letters stand below theirs.
  const top = layer === "jobManager" ? box.y + box.height - 2 : box.y - 8;
  const told = { a: `A ${states?.a ?? ""}`, b: `B ${states?.b ?? ""}` };
  const fits = states !== null && tagWidth(told.a) + tagWidth(told.b) <= box.width + TAG;
  const words = fits ? told : { a: "A", b: "B" };
  const widths = { a: tagWidth(words.a), b: tagWidth(words.b) };
  // At the rims the letters stay over the box.
  const place = Math.min(
    Math.max(split, box.x + (share < 1 ? widths.a : 0)),
    box.x + box.width - (share > 0 ? widths.b : 0),
  );
  if (share < 1) tag(pen, "a", words.a, { x: place - widths.a, y: top }, half === "b");
  if (share > 0) tag(pen, "b", words.b, { x: place, y: top }, half === "a");
}

/** The half of the run that does not have it. */
function frame(pen: Pen, half: Side, box: Box, split: number): void {
  const empty =
    half === "a" ? { ...box, x: split, width: box.x + box.width - split } : { ...box, width: split - box.x };
  if (empty.width > 0) pen.rect(empty, "both-empty", 3);
}

const TAG = 13;

function tagWidth(words: string): number {
  return words.length === 1 ? TAG : textWidth(words, 11, 700) + 8;
}

/** Whose half it is, and its state where that differs; of a run that does not have the element it is only framed. */
function tag(pen: Pen, side: Side, words: string, { x, y }: Point, absent: boolean): void {
  const names = absent ? `${side} absent` : side;
  pen.rect({ x, y, width: tagWidth(words), height: TAG }, `both-letter ${names}`, 2);
  pen.text(x + tagWidth(words) / 2, y + 10.5, words, `both-word ${names}`, "middle");
}

function byId(layer: SVGGElement): Map<number, SVGGElement> {
  return new Map([...layer.children].map((node) => [idOf(node), node as SVGGElement]));
}

interface Datum {
  readonly id?: number;
  readonly box?: Box;
}

/** By what D3 has bound to the group. */
function idOf(node: Element): number {
  const datum = select(node).datum() as Datum | string;
  return typeof datum === "string" ? Number(datum.split(" ")[0]) : (datum.id ?? -1);
}

function boxOf(node: SVGGElement | null): Box | null {
  const datum = node === null ? undefined : (select(node).datum() as Datum | string);
  const box = typeof datum === "object" ? datum.box : undefined;
  return box === undefined || box.width === 0 ? null : box;
}

/** The box around what is drawn. */
function around(nodes: readonly (SVGGElement | null)[]): Box | null {
  const boxes = nodes.flatMap((node) => (node === null ? [] : [node.getBBox()])).filter(({ width }) => width > 0);
  if (boxes.length === 0) return null;
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
