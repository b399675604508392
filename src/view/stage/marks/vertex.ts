/** A task vertex: the frame around its subtasks, with name, parallelism, and how many of them run. */
import type { VertexFrame } from "../frame-types.ts";
import type { VertexPlace } from "../layout-types.ts";
import type { MarkContext } from "./context.ts";
import { fitted, type Pen } from "./pen.ts";

export function drawVertex(pen: Pen, vertex: VertexFrame, { box }: VertexPlace, { text, theme }: MarkContext): void {
  pen.clear();
  pen.rect(box, "vertex", 10);
  const all = vertex.running === vertex.parallelism;
  const count = text.running(vertex.running, vertex.parallelism);
  const countWidth = count.length * 6.8 + 12;
  pen.text(box.x + 12, box.y + 20, fitted(vertex.name, box.width - 22 - countWidth, 7.4), "vertex-name");
  pen.text(box.x + box.width - 12, box.y + 20, count, "vertex-count", "end");
  const dot = theme.tones[all ? "running" : "failed"];
  pen
    .circle(box.x + box.width - 12 - countWidth + 6, box.y + 16, 3.5, "vertex-dot")
    .attr("fill", all ? dot.fill : theme.canvas)
    .attr("stroke", all ? dot.edge : theme.line);
}
