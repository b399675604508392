/** A task vertex: the ground under its subtasks, and its heading: name and how many of its subtasks run. */
import type { VertexFrame } from "../frame-types.ts";
import type { VertexPlace } from "../layout-types.ts";
import type { MarkContext } from "./context.ts";
import { loadGround } from "../../theme.ts";
import { HEADER } from "../layout-vertex.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

export function drawVertex(pen: Pen, { tint }: VertexFrame, { box }: VertexPlace, { theme }: MarkContext): void {
  pen.rect(box, "vertex", 10).attr("fill", loadGround(theme, tint));
  // Black vanishes on a dark ground, so there backpressure is hatched.
  if (theme.name === "dark" && tint !== null && tint.backpressured > 10)
    pen.rect(box, "vertex-hatch", 10).attr("fill", "url(#stage-hatch-load)");
}

/** Drawn above the channels, which may pass through it on their way to the cards. Pressed, it opens or closes the vertex. */
export function drawHeading(pen: Pen, vertex: VertexFrame, { box }: VertexPlace, context: MarkContext): void {
  const { theme } = context;
  const { parallelism, tint, density } = vertex;
  pen.group.style("--vertex-ground", loadGround(theme, tint));
  const foldable = parallelism > 1;
  const left = box.x + (foldable ? 22 : 12);
  let right = box.x + box.width - 12;
  if (foldable) {
    pen.rect({ x: box.x, y: box.y, width: box.width, height: HEADER - 4 }, "hit heading-hit", 10);
    pen
      .path(density === "cells" ? CLOSED : OPEN, "chevron")
      .attr("transform", `translate(${box.x + 12},${box.y + 15})`);
    pen.rect({ x: box.x + 2, y: box.y + 2, width: box.width - 4, height: HEADER - 7 }, "focus-ring", 8);
  }
  // Where the subtasks are cells, the line below counts them.
  if (density !== "cells") right -= drawRunning(pen, vertex, left, right, box.y, context) + 6;
  pen.text(left, box.y + 20, fitted(vertex.name, right - left, 13.5, 650), "vertex-name");
}

const OPEN = "M-4,-2l4,4l4,-4";
const CLOSED = "M-2,-4l4,4l-4,4";

/**
 * How many run, with a dot, in as many words as the name leaves room for; returns how wide that is. The count gives way to
 * the name, a hollow dot says that some do not run; where even a dot would cost the name a letter, a full one goes too.
 */
function drawRunning(
  pen: Pen,
  { name, running, parallelism }: VertexFrame,
  left: number,
  right: number,
  top: number,
  { theme, text }: MarkContext,
): number {
  const all = running === parallelism;
  const room = right - left - textWidth(name, 13.5, 650) - 18;
  const words = [text.ratio(running, parallelism), ...(all ? [text.parallelism(parallelism)] : [])];
  const count = words.find((each) => textWidth(each) <= room) ?? "";
  if (count === "" && all && room < -4) return -6;
  const width = count === "" ? -4 : textWidth(count);
  pen.text(right, top + 20, count, "vertex-count", "end");
  const { fill, edge } = theme.tones.running;
  pen
    .circle(right - width - 8, top + 15.8, 3.5, "vertex-dot")
    .attr("fill", all ? fill : theme.canvas)
    .attr("stroke", all ? edge : theme.text2);
  return width + 12;
}

/** From far away: the name across the vertex, in letters that can still be read, over as many lines as there is room for. */
export function drawName(
  pen: Pen,
  { name }: VertexFrame,
  { box }: VertexPlace,
  gap: number,
  { detail }: MarkContext,
): void {
  if (detail >= 1) return;
  const size = 10.5 / detail;
  const words = name.split(/(?<=[\s>_-])/u);
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ""}${word}`;
    if (lines.length > 0 && textWidth(longer, size, 650) <= box.width + gap * 0.7) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const shown = lines.slice(0, Math.max(1, Math.floor(box.height / size)));
  const top = box.y + box.height / 2 - ((shown.length - 1) * size) / 2 + size * 0.35;
  shown.forEach((line, index) =>
    pen
      .text(
        box.x + box.width / 2,
        top + index * size,
        fitted(line, box.width + gap * 0.7, size, 650),
        "far-name",
        "middle",
      )
      .style("font-size", `${size}px`),
  );
}
