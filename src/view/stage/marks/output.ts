/**
 * A partition that sinks write: hatched while a record's transaction is open, struck through when it was aborted, with the
 * markers that end transactions, and ▲ where committed readers have to stop.
 */
import type { OutputCell, OutputFrame } from "../frame-types-outside.ts";
import type { StageLayout } from "../layout-types.ts";
import type { Box } from "../path.ts";
import { epochColour } from "../../theme.ts";
import type { MarkContext } from "./context.ts";
import { drawKey } from "./key-shape.ts";
import { drawLetters, fitted, type Pen } from "./pen.ts";
import { CELL_HEIGHT, cellsBox, hasReaders, nameWidth, readersBox } from "./output-place.ts";
import { drawReaderRows } from "./store.ts";

/** Width of a cell that holds values up to this one. */
export function outputCellWidth(greatest: number): number {
  return 26 + String(greatest).length * 7.5;
}

/** How many cells of this width are shown of a partition. */
export function outputCellCount(layout: StageLayout, output: number, width: number): number {
  const box = layout.outputs[output];
  return box === undefined || box === null ? 0 : Math.max(1, Math.floor((cellsBox(box).width - 8) / width));
}

export function drawOutput(pen: Pen, output: OutputFrame, box: Box, context: MarkContext): void {
  const cells = cellsBox(box);
  const first = output.cells[0]?.offset ?? 0;
  const { text } = context;
  pen.rect({ x: box.x - 6, y: box.y - 1, width: box.width + 12, height: box.height - 1 }, "hit", 5);
  pen.text(box.x, box.y + 16, fitted(output.name, nameWidth(box) - (first > 0 ? 42 : 8)), "partition-name");
  if (first > 0) pen.text(cells.x - 6, box.y + 16, text.moreBefore(first), "partition-more", "end");
  if (output.cells.length === 0)
    pen.line(cells.x, cells.y + CELL_HEIGHT / 2, cells.x + cells.width - 12, cells.y + CELL_HEIGHT / 2, "log-empty");
  const cellBox = { x: 0, y: 0, width: output.cellWidth - 2, height: CELL_HEIGHT };
  output.cells.forEach((cell, index) =>
    drawCell(pen.inside(cells.x + index * output.cellWidth, cells.y, "log-slot"), cell, cellBox, context),
  );
  drawLetters(
    pen,
    output.cells.map(({ fate }) => fate === "open"),
    "open",
    cells,
    output.cellWidth,
    context,
  );
  if (output.store === "log") drawLastStable(pen, output, first, cells);
  // In their place another mark draws what a table or a folder of files has.
  if (hasReaders(box) && output.entries.length === 0) drawReaderRows(pen, output, readersBox(box), cells.x, context);
}

function drawCell(pen: Pen, cell: OutputCell, box: Box, { theme }: MarkContext): void {
  const middle = box.y + box.height / 2;
  if (cell.kind === "cut") {
    pen.rect(box, "marker abort", 2);
    pen.text(box.x + box.width / 2, middle + 4.2, `↤${cell.value}`, "marker-text", "middle");
    return;
  }
  if (cell.kind === "other") {
    pen.rect(box, "log-cell committed", 2);
    pen.text(box.x + box.width / 2, middle + 4.2, "◦", "log-value", "middle");
    return;
  }
  if (cell.kind !== "record") {
    const { fill } = epochColour(theme, cell.checkpoint ?? 0);
    const commit = cell.kind === "commit";
    pen.rect(box, commit ? "marker" : "marker abort", 2);
    pen
      .path(`M${box.x + 4},${box.y + 3}v${box.height - 6}m3,0v${-(box.height - 6)}`, "marker-bars")
      .attr("stroke", commit ? fill : theme.line);
    pen.text(box.x + 21, middle + 4.2, `${commit ? "✓" : "✗"}${cell.checkpoint ?? ""}`, "marker-text", "middle");
    return;
  }
  pen.rect(box, `log-cell ${cell.fate}`, 2).attr("data-offset", cell.offset);
  pen.rect(box, "log-hatch", 2).attr("fill", cell.fate === "open" ? "url(#stage-hatch-open)" : "none");
  const value = fitted(String(cell.value), box.width - 16);
  pen.text(box.x + box.width - 4, middle + 4.2, value, `log-value ${cell.fate}`, "end");
  // A letter or a shape: what is drawn before it stays where the next cell has the other.
  drawKey(pen, cell.key, cell.name, box.x + 9, middle, 4.4, `log-key ${cell.fate}`);
  if (cell.fate === "aborted") pen.line(box.x + 2, middle, box.x + box.width - 2, middle, "log-strike");
  if (cell.again) pen.circle(box.x + box.width - 2, box.y + 2, 3.2, "log-again");
}

function drawLastStable(pen: Pen, output: OutputFrame, first: number, cells: Box): void {
  const index = output.lastStable - first;
  if (index < 0 || output.cells.length === 0) return;
  const x = cells.x + Math.min(index, output.cells.length) * output.cellWidth - 1;
  pen.line(x, cells.y - 2, x, cells.y + CELL_HEIGHT + 2, "stable-line");
  pen.path(`M${x},${cells.y + CELL_HEIGHT + 1}l4.2,6h-8.4Z`, "stable-mark");
}
