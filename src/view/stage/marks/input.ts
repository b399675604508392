/**
 * A source partition: cells by offset, a solid caret where reading goes on, a hollow one where a recovery would go on, a
 * flag between the cells that a barrier has parted, a k where the consumer group stands; hatched is what retention took.
 */
import type { InputCell, InputFrame } from "../frame-types-outside.ts";
import type { StageLayout } from "../layout-types.ts";
import type { Box } from "../path.ts";
import type { MarkContext } from "./context.ts";
import { drawFlag } from "./checkpoint.ts";
import { drawKey } from "./key-shape.ts";
import { drawLetters, fitted, type Pen } from "./pen.ts";

const INPUT_CELL = 20;
const NAME_WIDTH = 78;

interface Form {
  readonly tall: boolean;
  readonly cells: Box;
}

function formOf(box: Box): Form {
  if (box.height >= 50)
    return { tall: true, cells: { x: box.x, y: box.y + box.height - 27, width: box.width, height: 17 } };
  return { tall: false, cells: { x: box.x + NAME_WIDTH, y: box.y + 2, width: box.width - NAME_WIDTH, height: 16 } };
}

/** How many cells of a partition are shown. */
export function inputCellCount(layout: StageLayout, input: number): number {
  const box = layout.inputs[input];
  return box === undefined || box === null || box.width < NAME_WIDTH
    ? 0
    : Math.max(1, Math.floor(formOf(box).cells.width / INPUT_CELL));
}

export function drawInput(pen: Pen, input: InputFrame, box: Box, context: MarkContext): void {
  if (box.width < NAME_WIDTH) return drawNumber(pen, input, box);
  const { tall, cells } = formOf(box);
  pen.rect({ x: box.x - 6, y: box.y, width: box.width + 12, height: box.height - 2 }, "hit", 5);
  const name = tall ? fitted(input.name, box.width - 50) : fitted(input.name, NAME_WIDTH - 8);
  pen.text(box.x, box.y + 14, name, "partition-name");
  if (tall) pen.text(box.x + box.width, box.y + 14, `@${input.position}`, "partition-position", "end");
  const first = input.cells[0]?.offset ?? 0;
  const cellBox = { x: 0.5, y: 0.5, width: INPUT_CELL - 1, height: cells.height - 1 };
  input.cells.forEach((cell, index) =>
    drawCell(pen.inside(cells.x + index * INPUT_CELL, cells.y, "log-slot"), cell, cellBox),
  );
  drawLetters(
    pen,
    input.cells.map(({ gone }) => gone),
    "gone",
    cells,
    INPUT_CELL,
    context,
  );
  const last = first + input.cells.length;
  const x = (offset: number): number => cells.x + (Math.min(Math.max(offset, first), last) - first) * INPUT_CELL;
  const below = cells.y + cells.height;
  if (input.restorePosition !== null && input.restorePosition >= first)
    drawCaret(pen, x(input.restorePosition), below, "caret hollow");
  drawCaret(pen, x(input.position), below, "caret");
  if (!tall) return;
  if (input.groupOffset !== null && input.groupOffset > first)
    pen.text(x(input.groupOffset) - 5, below + 9, context.text.groupOffset(), "group-mark", "end");
  for (const { checkpoint, position } of input.flags)
    if (position >= first && position <= last) drawFlag(pen, checkpoint, x(position), cells.y - 12, context);
}

function drawCell(pen: Pen, cell: InputCell, box: Box): void {
  const drawn = pen.rect(box, cell.there ? (cell.read ? "log-cell read" : "log-cell") : "log-cell absent", 2);
  if (cell.there) drawn.attr("data-offset", cell.offset);
  if (cell.gone) pen.rect(box, "log-hatch", 2).attr("fill", "url(#stage-hatch-open)");
  if (!cell.there) return;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  drawKey(pen, cell.key, cell.name, x, y, 4.6, cell.read ? "log-key read" : "log-key");
}

/** On a rail: the partition's number, and where reading goes on. */
function drawNumber(pen: Pen, { name, position }: InputFrame, box: Box): void {
  const middle = box.x + box.width / 2;
  pen.rect({ x: box.x - 2, y: box.y, width: box.width + 4, height: box.height - 2 }, "hit", 5);
  if (box.height > 24) pen.text(middle, box.y + 13, name.slice(name.lastIndexOf("-") + 1), "partition-name", "middle");
  const words = fitted(`@${position}`, box.width + 4);
  pen.text(middle, box.y + box.height - 7, words, "partition-position", "middle");
}

function drawCaret(pen: Pen, x: number, y: number, className: string): void {
  pen.path(`M${x},${y + 1}l4.2,6h-8.4Z`, className);
}
