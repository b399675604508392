/** A task vertex: the ground under its subtasks, and its heading: name and how many of its subtasks run. */
import type { VertexFrame } from "../frame-types.ts";
import type { VertexPlace } from "../layout-types.ts";
import type { MarkContext } from "./context.ts";
import { loadGround } from "../../theme.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

export function drawVertex(pen: Pen, { tint }: VertexFrame, { box }: VertexPlace, { theme }: MarkContext): void {
  pen.clear();
  pen.rect(box, "vertex", 10).attr("fill", loadGround(theme, tint));
  // Black vanishes on a dark ground, so there backpressure is hatched.
  if (theme.name === "dark" && tint !== null && tint.backpressured > 10)
    pen.rect(box, "vertex-hatch", 10).attr("fill", "url(#stage-hatch-load)");
}

/** Drawn above the channels, which may pass through it on their way to the cards. */
export function drawHeading(pen: Pen, vertex: VertexFrame, { box }: VertexPlace, context: MarkContext): void {
  pen.clear();
  const { theme } = context;
  const { running, parallelism, tint } = vertex;
  pen.group.style("--vertex-ground", loadGround(theme, tint));
  const count = `${running}/${parallelism}`;
  const width = textWidth(count);
  const right = box.x + box.width - 12;
  pen.text(box.x + 12, box.y + 20, fitted(vertex.name, box.width - 44 - width, 13.5, 650), "vertex-name");
  pen.text(right, box.y + 20, count, "vertex-count", "end");
  const { fill, edge } = theme.tones.running;
  const all = running === parallelism;
  pen
    .circle(right - width - 8, box.y + 15.8, 3.5, "vertex-dot")
    .attr("fill", all ? fill : theme.canvas)
    .attr("stroke", all ? edge : theme.line);
}
