/** Grounds and titles of the strips around the graph: what changes only with the layout. */
import type { Scene } from "../frame-types.ts";
import type { Box, Point } from "../path.ts";
import type { StageText } from "../text.ts";
import type { Reader } from "../../../protocol/sinks.ts";
import type { MarkContext } from "./context.ts";
import { hasReaders } from "./output-place.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

export function drawPanels(pen: Pen, { layout }: Scene, { text }: MarkContext): void {
  const { sources, storage, outside, orientation } = layout;
  const wide = orientation === "horizontal";
  for (const box of [sources, storage, outside]) pen.rect(box, "panel", 10);
  const slim = wide && sources.width < 60;
  if (slim) drawRailTitles(pen, [sources, storage], text);
  else if (wide) {
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

/** Rails have no room for words: an arrow out of the log, a shelf. They are wide as soon as something in them has the focus. */
function drawRailTitles(pen: Pen, [sources, storage]: readonly [Box, Box], text: StageText): void {
  const icons = [
    [sources, "M-8,0H7M2,-5L7,0L2,5", text.sources()],
    [storage, "M-8,-6H8V-1H-8ZM-8,1H8V6H-8Z", text.storage()],
  ] as const;
  for (const [{ x, y, width }, d, name] of icons) {
    const icon = pen.inside(x + width / 2, y + 16, "rail-head");
    icon.path(d, "rail-icon");
    icon.shape("title").text(name);
  }
}

/** How many partitions are not shown. */
function drawRest(pen: Pen, { x, y }: Point, places: readonly (Box | null)[], text: StageText): void {
  const left = places.filter((place) => place === null).length;
  if (left > 0) pen.text(x, y, text.moreBefore(left), "panel-quiet");
}

/** What readers outside see of all partitions together, at the right of the strip's title, where no partition says it. */
export function drawReaders(pen: Pen, { layout, outputs }: Scene, { text }: MarkContext): void {
  const { outside, orientation } = layout;
  if (layout.outputs.every((box) => box !== null && hasReaders(box))) return;
  const y = outside.y + (orientation === "horizontal" ? 21 : 18);
  let right = outside.x + outside.width - 12;
  const sees = new Map<Reader, number>();
  for (const { readers } of outputs)
    for (const { reader, sees: seen } of readers) sees.set(reader, (sees.get(reader) ?? 0) + seen);
  const all = [...sees].map(([reader, seen]) => text.sees(reader, seen));
  const left = outside.x + 42 + textWidth(text.outside(), 12, 600);
  // The reader of committed data stands first, and is the one that stays where there is no room for all.
  const fits = all.reduce((width, words) => width + textWidth(words, 12, 600) + 18, left) < right;
  for (const words of fits ? all.toReversed() : all.slice(0, 1)) {
    pen.text(right, y, words, words === all[0] ? "panel-strong" : "panel-note", "end");
    right -= textWidth(words) + 18;
  }
}
