/**
 * Below a sink's partition what is outside the job: for each reader the cells that it gets, in line with the log above, so
 * that two readers differ just where isolation matters.
 */
import type { OutputFrame, ReaderFrame } from "../frame-types-outside.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { drawKey } from "./key-shape.ts";
import type { StageText } from "../text.ts";
import { fitted, type Pen, textWidth } from "./pen.ts";

const ROW = 16;

/** A reader's name and how many it sees, in so much room: the name is cut before the number is. */
export function drawReader(
  pen: Pen,
  { reader, sees }: Pick<ReaderFrame, "reader" | "sees">,
  { x, y, end }: { readonly x: number; readonly y: number; readonly end: number },
  isFirst: boolean,
  text: StageText,
): void {
  const [mark, weight] = isFirst ? (["panel-strong", 600] as const) : (["panel-note", 400] as const);
  const room = end - x - textWidth(String(sees), 12, weight) - 6;
  const whole = text.reader(reader, true);
  const name = textWidth(whole, 12, weight) <= room ? whole : fitted(text.reader(reader, false), room, 12, weight);
  pen.text(x, y, name, mark);
  pen.text(end, y, String(sees), mark, "end");
}

/** `left`: where the cells begin. */
export function drawReaderRows(pen: Pen, output: OutputFrame, box: Box, left: number, { text }: MarkContext): void {
  output.readers.forEach(({ reader, sees, cells }, row) => {
    const middle = box.y + row * ROW + ROW / 2;
    drawReader(pen, { reader, sees }, { x: box.x, y: middle + 4.2, end: left - 6 }, row === 0, text);
    pen.line(left, middle, box.x + box.width - 12, middle, "log-empty");
    output.cells.forEach((cell, index) => {
      const own = pen.inside(left + index * output.cellWidth, middle, "log-slot");
      if (cells[index] !== true) return;
      own.rect({ x: 0, y: -6, width: output.cellWidth - 2, height: 12 }, "reader-cell", 2);
      drawKey(own, cell.key, cell.name, output.cellWidth / 2 - 1, 0, 3.6, "log-key");
    });
  });
}
