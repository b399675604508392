/**
 * A few words for drawing into an SVG group, so that a mark reads like what it draws. A mark says all of what it is each
 * time it is drawn; what the group has of it already stays, and only what differs is written.
 */
import { select, type Selection } from "d3";
import type { Box, Point } from "../path.ts";
import type { Hatched } from "../text.ts";
import type { MarkContext } from "./context.ts";

export type Group = Selection<SVGGElement, unknown, null, undefined>;

export type Anchor = "start" | "middle" | "end";

type Tag = "rect" | "text" | "path" | "circle" | "line" | "g" | "title";

interface Written extends SVGElement {
  /** Names of the attributes that it was drawn with; the text has none. */
  written?: Set<string>;
}

/** One element of a mark. What it has is asked of itself: others write as well, numbers that roll and arcs that shrink. */
class Shape {
  readonly node: Written;
  private readonly before: ReadonlySet<string>;
  private readonly written = new Set<string>();

  constructor(node: Written) {
    this.node = node;
    this.before = node.written ?? this.written;
    node.written = this.written;
  }

  attr(name: string, value: string | number): this {
    const text = String(value);
    this.written.add(name);
    if (this.node.getAttribute(name) !== text) this.node.setAttribute(name, text);
    return this;
  }

  /** The one property that it has of its own. */
  style(name: string, value: string): this {
    return this.attr("style", `${name}:${value}`);
  }

  text(content: string): this {
    this.written.add("");
    const { firstChild } = this.node;
    // Another text in the same node is laid out sooner than another node.
    if (firstChild instanceof Text && firstChild.nextSibling === null) {
      if (firstChild.data !== content) firstChild.data = content;
    } else if (this.node.textContent !== content) this.node.textContent = content;
    return this;
  }

  /** Takes back what it had when it was drawn before and has no more. */
  finish(): void {
    for (const name of this.before)
      if (!this.written.has(name)) {
        if (name === "") this.node.textContent = "";
        else this.node.removeAttribute(name);
      }
  }
}

/** Draws a group from its first element on. Whoever has made one calls `finish` when all is drawn. */
export class Pen {
  private readonly parent: SVGElement;
  private readonly shapes: Shape[] = [];
  private readonly inner: Pen[] = [];
  /** What may be drawn again; `null`: nothing is left. */
  private next: Element | null;

  constructor(parent: SVGElement) {
    this.parent = parent;
    this.next = parent.firstElementChild;
  }

  get group(): Group {
    return select<SVGGElement, unknown>(this.parent as SVGGElement);
  }

  /** The next element of the group. */
  shape(tag: Tag): Shape {
    let node = this.next;
    if (node?.localName === tag) this.next = node.nextElementSibling;
    else {
      node = document.createElementNS("http://www.w3.org/2000/svg", tag);
      this.parent.insertBefore(node, this.next);
    }
    const shape = new Shape(node as Written);
    this.shapes.push(shape);
    return shape;
  }

  /** Takes away what was drawn before and has not been drawn again. */
  finish(): void {
    while (this.next !== null) {
      const { nextElementSibling } = this.next;
      this.next.remove();
      this.next = nextElementSibling;
    }
    for (const each of [...this.shapes, ...this.inner]) each.finish();
  }

  rect(box: Box, className: string, radius = 0): Shape {
    return this.shape("rect")
      .attr("class", className)
      .attr("x", box.x)
      .attr("y", box.y)
      .attr("width", Math.max(0, box.width))
      .attr("height", Math.max(0, box.height))
      .attr("rx", radius);
  }

  text(x: number, y: number, content: string, className: string, anchor: Anchor = "start"): Shape {
    const made = this.shape("text").attr("class", className).attr("x", x).attr("y", y).text(content);
    return anchor === "start" ? made : made.attr("text-anchor", anchor);
  }

  path(d: string, className: string): Shape {
    return this.shape("path").attr("class", className).attr("d", d);
  }

  circle(x: number, y: number, radius: number, className: string): Shape {
    return this.shape("circle").attr("class", className).attr("cx", x).attr("cy", y).attr("r", radius);
  }

  line(x1: number, y1: number, x2: number, y2: number, className: string): Shape {
    return this.shape("line").attr("class", className).attr("x1", x1).attr("y1", y1).attr("x2", x2).attr("y2", y2);
  }

  /** A group of its own inside this one, with so many of its units in one of this one's. */
  inside(x: number, y: number, className: string, units = 1): Pen {
    const transform = `translate(${x},${y})${units === 1 ? "" : ` scale(${1 / units})`}`;
    const pen = new Pen(this.shape("g").attr("class", className).attr("transform", transform).node);
    this.inner.push(pen);
    return pen;
  }
}

interface Shown {
  shown?: unknown;
}

/**
 * One group for each datum, in the data's order; a group is painted anew only when its datum is another object than the
 * one it shows. `begin` runs once for each new group.
 */
export function repaint<T>(
  parent: SVGGElement,
  data: readonly T[],
  key: (datum: T) => string,
  paint: (pen: Pen, datum: T) => void,
  begin: (pen: Pen, datum: T) => void = () => {},
): void {
  select(parent)
    .selectAll<SVGGElement, T>(":scope > g")
    .data(
      data as T[],
      function (this: Element | SVGGElement, datum: T | undefined) {
        return datum === undefined ? "" : key(datum);
      } as (datum: T) => string,
    )
    .join((enter) =>
      enter.append("g").each(function (datum) {
        begin(new Pen(this), datum);
      }),
    )
    .order()
    .each(function (datum) {
      const node = this as SVGGElement & Shown;
      if (node.shown === datum) return;
      node.shown = datum;
      const pen = new Pen(node);
      paint(pen, datum);
      pen.finish();
    });
}

const FAMILY = "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const widths = new Map<string, number>();
let ruler: CanvasRenderingContext2D | null = null;

/**
 * Width of a text as the browser would set it; by the mean width of a character where there is no canvas. On the stage all
 * digits are of one width (`tabular-nums`), so what differs in its numbers only is measured once.
 */
export function textWidth(text: string, size = 12, weight = 400): number {
  const content = text.replaceAll(/\d/gu, "0");
  const key = `${size} ${weight} ${content}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  ruler ??= document.createElement("canvas").getContext("2d");
  if (ruler !== null) ruler.font = `${weight} ${size}px ${FAMILY}`;
  const width = ruler?.measureText(content).width ?? content.length * size * 0.56;
  if (widths.size > 4000) widths.clear();
  widths.set(key, width);
  return width;
}

/** Cuts a text to what fits into a width. */
export function fitted(content: string, width: number, size = 12, weight = 400): string {
  if (textWidth(content, size, weight) <= width) return content;
  let length = content.length - 1;
  while (length > 1 && textWidth(`${content.slice(0, length)}…`, size, weight) > width) length--;
  return `${content.slice(0, length)}…`;
}

/** Breaks a text into lines that fit; the last one is cut. */
export function wrapped(content: string, width: number, lines: number): string[] {
  const made: string[] = [];
  for (const word of content.split(" ")) {
    const last = made.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || (textWidth(longer) > width && made.length < lines)) made.push(word);
    else made[made.length - 1] = longer;
  }
  return made.map((line) => fitted(line, width));
}

/** Where nothing is hatched, what a hatch would tell of cells side by side is told by a letter on the first of each row of them. */
export function drawLetters(
  pen: Pen,
  hatched: readonly boolean[],
  what: Hatched,
  { x, y }: Point,
  width: number,
  { theme, text }: MarkContext,
): void {
  if (theme.solid === true)
    hatched.forEach((is, index) => {
      if (is && hatched[index - 1] !== true) pen.text(x + index * width, y + 4, text.hatched(what), "hatch-letter");
    });
}
