/** The stage's own elements: the SVG, the canvas above it, the zoom buttons, and a region that speaks. */
import { select, type Selection } from "d3";
import type { Size } from "./layout-types.ts";
import type { StageText } from "./text.ts";
import type { ZoomWay } from "./zoom.ts";

/** Milliseconds that a message of the stage stays. */
const SAID_FOR = 2500;

export interface Scaffold {
  readonly root: HTMLElement;
  readonly svg: SVGSVGElement;
  readonly world: SVGGElement;
  readonly canvas: HTMLCanvasElement;
  readonly countdown: SVGTextElement;
  measure(): Size;
  label(text: StageText, zoom: (way: ZoomWay) => void): void;
  /** The accessible name of the whole. */
  describe(words: string): void;
  remove(): void;
  /** Says something once to screen readers. */
  say(words: string): void;
}

const ZOOMS: readonly (readonly [ZoomWay, string])[] = [
  ["in", "M8,3v10M3,8h10"],
  ["out", "M3,8h10"],
  ["fit", "M3,6V3h3M10,3h3v3M13,10v3h-3M6,13H3v-3"],
];

export function createScaffold(container: HTMLElement): Scaffold {
  const root = select(container).append("div").attr("class", "stage");
  const svg = root.append("svg").attr("class", "stage-structure").attr("role", "group");
  addPatterns(svg.append("defs"));
  const world = svg.append("g").attr("class", "world");
  const canvas = root.append("canvas").attr("class", "stage-moving").attr("aria-hidden", "true");
  const buttons = root.append("div").attr("class", "stage-zoom");
  const region = root.append("div").attr("class", "stage-says").attr("role", "status").attr("aria-live", "polite");
  let silence: ReturnType<typeof setTimeout> | undefined;
  const countdown = world.append("text").attr("class", "countdown").attr("aria-hidden", "true");
  return {
    root: root.node() as HTMLDivElement,
    svg: svg.node() as SVGSVGElement,
    world: world.node() as SVGGElement,
    canvas: canvas.node() as HTMLCanvasElement,
    countdown: countdown.node() as SVGTextElement,
    measure() {
      const { width, height } = (root.node() as HTMLDivElement).getBoundingClientRect();
      return { width: Math.round(width), height: Math.round(height) };
    },
    label(text, zoom) {
      svg.attr("aria-roledescription", text.role("graph"));
      const names = { in: text.zoomIn(), out: text.zoomOut(), fit: text.zoomFit() };
      buttons
        .selectAll<HTMLButtonElement, (typeof ZOOMS)[number]>("button")
        .data(ZOOMS)
        .join((enter) => {
          const button = enter.append("button").attr("type", "button");
          button
            .append("svg")
            .attr("viewBox", "0 0 16 16")
            .attr("aria-hidden", "true")
            .append("path")
            .attr("d", ([, d]) => d);
          return button;
        })
        .attr("aria-label", ([way]) => names[way])
        .attr("title", ([way]) => names[way])
        .on("click", (_event, [way]) => zoom(way));
    },
    remove: () => void root.remove(),
    describe: (words) => void svg.attr("aria-label", words),
    say(words) {
      clearTimeout(silence);
      region.text(words);
      silence = setTimeout(() => region.text(""), SAID_FOR);
    },
  };
}

function addPatterns(defs: Selection<SVGDefsElement, unknown, null, undefined>): void {
  for (const [id, size, width] of [
    ["stage-hatch", 6, 1.2],
    ["stage-hatch-open", 5, 1.6],
    ["stage-hatch-load", 4, 0.6],
  ] as const) {
    defs
      .append("pattern")
      .attr("id", id)
      .attr("patternUnits", "userSpaceOnUse")
      .attr("patternTransform", "rotate(45)")
      .attr("width", size)
      .attr("height", size)
      .append("line")
      .attr("class", `${id}-line`)
      .attr("y2", size)
      .attr("stroke-width", width * 2);
  }
}
