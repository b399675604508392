/**
 * Below a sink's partition what is outside the job: for each reader the cells that it gets, in line with the log above, so
 * that two readers differ just where isolation matters.
 */
import type { OutputFrame } from "../frame-types-outside.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { drawKey } from "./key-shape.ts";
import type { Pen } from "./pen.ts";

const ROW = 16;

/** `left`: where the cells begin. */
export function drawReaderRows(pen: Pen, output: OutputFrame, box: Box, left: number, { text }: MarkContext): void {
  output.readers.forEach(({ reader, sees, cells }, row) => {
    const middle = box.y + row * ROW + ROW / 2;
    pen.text(box.x, middle + 4.2, text.reader(reader, left - box.x > 120), row === 0 ? "panel-strong" : "panel-note");
    pen.text(left - 6, middle + 4.2, String(sees), row === 0 ? "panel-strong" : "panel-note", "end");
    pen.line(left, middle, box.x + box.width - 12, middle, "log-empty");
    output.cells.forEach((cell, index) => {
      const own = pen.inside(left + index * output.cellWidth, middle, "log-slot");
      if (cells[index] !== true) return;
      own.rect({ x: 0, y: -6, width: output.cellWidth - 2, height: 12 }, "reader-cell", 2);
      drawKey(own, cell.key, cell.name, output.cellWidth / 2 - 1, 0, 3.6, "log-key");
    });
  });
}
