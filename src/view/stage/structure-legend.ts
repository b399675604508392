/** The legend: its lines, and the light on what carries the mark of the line that somebody points at. */
import type { StageElement } from "./elements.ts";
import type { Scene, Token } from "./frame-types.ts";
import type { MarkContext } from "./marks/context.ts";
import {
  carriersOf,
  drawLegendLine,
  type LegendLine,
  legendLines,
  legendTop,
  type LegendMark,
  legendOf,
} from "./marks/legend.ts";
import { type Pen, repaint } from "./marks/pen.ts";
import type { LaterText } from "./text.ts";

interface Legend {
  /** Returns how far down the strip is free of it. */
  paint(scene: Scene, context: MarkContext): number;
  /** What is lit while nobody points at a line; `null`: everything. */
  light(elements: readonly StageElement[] | null): void;
}

export interface Lit {
  /** Things that move and carry the mark. */
  readonly token: (token: Token) => boolean;
}

/**
 * Paints into `layer`; `lit` is told whenever somebody points at a line, by mouse or by key, and when nobody does. A press
 * keeps the light on until the next.
 */
export function createLegend(
  world: SVGGElement,
  layer: SVGGElement,
  words: LaterText,
  lit: (lit: Lit | null) => void,
): Legend {
  let pointed: LegendMark | null = null;
  let held: LegendMark | null = null;
  let shown: Scene | null = null;
  let others: readonly StageElement[] | null = null;
  let lines: LegendLine[] = [];
  const light = (): void => {
    const mark = pointed ?? held;
    if (shown !== null) lightElements(world, mark === null ? others : bearersOf(shown, mark));
    for (const node of layer.children)
      node.setAttribute("aria-pressed", String((node as SVGElement).dataset["legend"] === held));
    lit(mark === null ? null : carriersOf(mark));
  };
  const point = (mark: LegendMark | null): void => {
    if (mark === pointed) return;
    pointed = mark;
    light();
  };
  listen(layer, point, (mark) => {
    held = mark === held ? null : mark;
    light();
  });
  return {
    light(elements) {
      others = elements;
      light();
    },
    paint(scene, context) {
      shown = scene;
      const marks = legendOf(scene);
      lines = kept(lines, legendLines(scene, marks));
      repaint(
        layer,
        lines,
        ({ mark }) => mark,
        (pen, line) => drawLegendLine(pen, line, scene, context, words),
        (pen, line) => begin(pen, line, words),
      );
      [held, pointed] = [stillThere(held, marks), stillThere(pointed, marks)];
      light();
      return legendTop(scene, lines);
    },
  };
}

/** Lines that are as they were stay the same objects, and are not painted again. */
function kept(before: readonly LegendLine[], lines: readonly LegendLine[]): LegendLine[] {
  return lines.map((line) => before.find((old) => old.mark === line.mark && old.y === line.y) ?? line);
}

function stillThere(mark: LegendMark | null, marks: readonly LegendMark[]): LegendMark | null {
  return mark !== null && marks.includes(mark) ? mark : null;
}

function begin(pen: Pen, { mark }: LegendLine, words: LaterText): void {
  pen.group
    .attr("class", "legend-line")
    .attr("role", "button")
    .attr("tabindex", 0)
    .attr("aria-label", words.highlight(mark))
    .attr("data-legend", mark);
}

function markAt(target: EventTarget | null): LegendMark | null {
  const node = target instanceof Element ? target.closest<SVGGElement>("[data-legend]") : null;
  return node === null ? null : (node.dataset["legend"] as LegendMark);
}

function listen(
  layer: SVGGElement,
  point: (mark: LegendMark | null) => void,
  press: (mark: LegendMark | null) => void,
): void {
  layer.addEventListener("pointerover", ({ target }) => point(markAt(target)));
  layer.addEventListener("pointerleave", () => point(null));
  // Chromium makes a tab stop of whatever in an SVG listens for the focus: the element around it listens.
  const around = layer.closest("div") ?? layer;
  around.addEventListener("focusin", ({ target }) => point(markAt(target)));
  around.addEventListener("focusout", () => point(null));
  layer.addEventListener("click", (event) => {
    event.stopPropagation();
    press(markAt(event.target));
  });
  layer.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press(markAt(event.target));
  });
}

function bearersOf(scene: Scene, mark: LegendMark): StageElement[] {
  const { channels, subtasks, partitions } = carriersOf(mark);
  return [
    ...channels(scene).map((id) => ({ kind: "channel" as const, id })),
    ...subtasks(scene).map((id) => ({ kind: "subtask" as const, id })),
    ...partitions(scene),
  ];
}

/** What is lit keeps its colours, all else fades. */
function lightElements(world: SVGGElement, elements: readonly StageElement[] | null): void {
  world.classList.toggle("lighting", elements !== null);
  for (const node of world.querySelectorAll(".lit")) node.classList.remove("lit");
  for (const { kind, id } of elements ?? [])
    for (const node of world.querySelectorAll(`[data-kind="${kind}"][data-id="${id}"]`)) node.classList.add("lit");
}
