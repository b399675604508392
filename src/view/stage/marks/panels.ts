/** Grounds and titles of the strips around the graph: what changes only with the layout. */
import type { Scene } from "../frame-types.ts";
import type { Box, Point } from "../path.ts";
import type { StageText } from "../text.ts";
import type { MarkContext } from "./context.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

export function drawPanels(pen: Pen, { layout }: Scene, { text }: MarkContext): void {
  const { sources, storage, outside, orientation } = layout;
  const wide = orientation === "horizontal";
  for (const box of [sources, storage, outside]) pen.rect(box, "panel", 10);
  if (wide) {
    pen.text(sources.x + 12, sources.y + 21, text.sources(), "panel-title");
    pen.text(storage.x + 12, storage.y + 21, text.storage(), "panel-title");
    const legend = fitted(`◀ ${text.restores()}`, storage.width - 24);
    pen.text(storage.x + 12, storage.y + storage.height - 12, legend, "panel-quiet");
  } else {
    pen.text(storage.x + 10, storage.y + 19, text.storage(), "panel-title");
  }
  pen.text(outside.x + 12, outside.y + (wide ? 21 : 18), text.outside(), "panel-title");
  // In the place of the last line, and beside the title.
  drawRest(pen, { x: sources.x + 10, y: sources.y + sources.height - 14 }, layout.inputs, text);
  const title = outside.x + 12 + textWidth(text.outside(), 12, 600);
  drawRest(pen, { x: title + 8, y: outside.y + (wide ? 21 : 18) }, layout.outputs, text);
}

/** How many partitions are not shown. */
function drawRest(pen: Pen, { x, y }: Point, places: readonly (Box | null)[], text: StageText): void {
  const left = places.filter((place) => place === null).length;
  if (left > 0) pen.text(x, y, text.moreBefore(left), "panel-quiet");
}

/** What readers outside see of all partitions together, at the right of the strip's title. */
export function drawReaders(pen: Pen, { layout, outputs }: Scene, { text }: MarkContext): void {
  pen.clear();
  const { outside, orientation } = layout;
  const right = outside.x + outside.width - 12;
  const y = outside.y + (orientation === "horizontal" ? 21 : 18);
  const sum = (of: "committed" | "uncommitted"): number => outputs.reduce((total, output) => total + output[of], 0);
  const committed = text.committedReader(sum("committed"));
  const all = text.uncommittedReader(sum("uncommitted"));
  const width = textWidth(all) + 18;
  const fits = textWidth(text.outside(), 12, 600) + textWidth(committed, 12, 600) + width + 42 < outside.width;
  if (fits) pen.text(right, y, all, "panel-note", "end");
  pen.text(fits ? right - width : right, y, committed, "panel-strong", "end");
}
