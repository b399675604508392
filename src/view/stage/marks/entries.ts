/** Below a sink's partition what its store has: a table's rows with the values that they had, part files. */
import type { OutputFrame, StoreEntry } from "../frame-types-outside.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { drawKey } from "./key-shape.ts";
import { cellsBox, hasReaders, readersBox } from "./output-place.ts";
import { drawReader } from "./store.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

/** As many as there is room for, the newest files first; how many more there are is told at the end. */
export function drawEntries(pen: Pen, { entries, readers }: OutputFrame, place: Box, context: MarkContext): void {
  if (!hasReaders(place)) return;
  const [box, left] = [readersBox(place), cellsBox(place).x];
  const y = box.y + 3;
  let x = left;
  for (const reader of readers.slice(0, 1))
    drawReader(pen, reader, { x: box.x, y: y + 15, end: left - 6 }, true, context.text);
  const all = entries.at(-1)?.is === "file" ? entries.toReversed() : entries;
  for (const [index, entry] of all.entries()) {
    const words =
      entry.is === "row"
        ? `${entry.history.at(-1)}${entry.back ? " ↺" : ""}`
        : `${entry.name} ${context.text.file(entry.look.label)} ${entry.records}`;
    const width = entry.is === "row" ? 28 + textWidth(words, 12, 600) + SPARK : 24 + textWidth(words);
    const rest = index === all.length - 1 ? 0 : 34;
    if (x + width + rest > box.x + box.width - 8) {
      pen.text(x, y + 15, context.text.moreBefore(all.length - index), "panel-quiet");
      return;
    }
    drawEntry(pen, entry, words, { x, y, width, height: 22 }, context);
    x += width + 6;
  }
}

const SPARK = 34;

function drawEntry(pen: Pen, entry: StoreEntry, words: string, box: Box, { theme }: MarkContext): void {
  const middle = box.y + box.height / 2;
  if (entry.is === "file") {
    const { edge } = theme.tones[entry.look.tone];
    pen.rect(box, `store-entry ${entry.look.label.toLowerCase()}`, 4).attr("stroke", edge);
    pen.text(box.x + 6, middle + 4.2, entry.look.icon, "capsule-icon").style("fill", edge);
    pen.text(box.x + 19, middle + 4.2, fitted(words, box.width - 20), "log-value");
    return;
  }
  pen.rect(box, "store-entry", 4);
  drawKey(pen, entry.key, entry.name, box.x + 10, middle, 4.4, "log-key");
  pen.text(box.x + 19, middle + 4.2, words, "log-value strong");
  pen.path(
    sparkline(entry.history, { x: box.x + box.width - SPARK + 2, y: box.y + 5, width: SPARK - 8, height: 12 }),
    "spark",
  );
}

/** The values of a row, oldest at the left. */
function sparkline(values: readonly number[], { x, y, width, height }: Box): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const points = values.map((value, index) => {
    const up = high === low ? 0.5 : (value - low) / (high - low);
    return `${x + index * step},${y + height * (1 - up)}`;
  });
  return `M${points.length === 1 ? `${x},${y + height / 2}h${width}` : points.join("L")}`;
}
