/** A region: a band behind its subtasks and the channels between them; of a restart set it is lit, and its cards are framed. */
import { at } from "../../../base/assert.ts";
import type { RegionFrame, Scene } from "../frame-types.ts";
import type { MarkContext } from "./context.ts";
import { type Pen, textWidth } from "./pen.ts";

const AROUND = 2.5;

/** One region alone is shown while it restarts. */
export function drawRegion(
  pen: Pen,
  region: RegionFrame,
  { layout, graph, regions }: Scene,
  { text }: MarkContext,
): void {
  const { subtasks, restarts, number } = region;
  if (regions.length === 1 && !restarts) return;
  const members = new Set(subtasks);
  const boxes = subtasks
    .map((subtask) => at(layout.subtasks, subtask).box)
    .map(({ x, y, width, height }) => ({
      x: x - AROUND,
      y: y - AROUND,
      width: width + 2 * AROUND,
      height: height + 2 * AROUND,
    }));
  const band = pen.inside(0, 0, restarts ? "region restarts" : "region");
  for (const box of boxes) band.rect(box, "region-ground", 9);
  for (const { index, edge, from } of graph.channels) {
    const place = members.has(from) ? (layout.channels[index] ?? at(layout.edges, edge).bundle) : null;
    if (place !== null) band.path(place.path.d, "region-line");
  }
  if (restarts) for (const box of boxes) pen.rect(box, "region-frame", 9);
  const [first] = boxes;
  if (regions.length === 1 || first === undefined || layout.orientation === "vertical") return;
  const words = text.region(number);
  pen.text(first.x + first.width + 6 + textWidth(words) / 2, first.y + 16, words, "region-name", "middle");
}
