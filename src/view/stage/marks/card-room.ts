/** What there is room for on a subtask's card below its heading. */
import type { Box } from "../path.ts";
import { type Pen, textWidth } from "./pen.ts";

export const ROW = 22;
/** Room that the TaskManager's name takes at the end of the last row. */
export const NOTE_WIDTH = 36;
/** Two values stand at least so far apart. */
const SLACK = 8;

export interface Room {
  readonly width: number;
  /** Of the last row. */
  readonly lastWidth: number;
  readonly rows: number;
}

export function roomOn(box: Box, noted: boolean): Room {
  const width = box.width - 22;
  return { width, lastWidth: width - (noted ? NOTE_WIDTH : 0), rows: box.height >= 74 ? 2 : 1 };
}

export interface Placed {
  readonly x: number;
  readonly row: number;
}

/**
 * Where things that are so wide stand, row by row; those for which no place is left have none. How many these are is told
 * at the end of the last row (`drawMore`), and has room there.
 */
export function placed(widths: readonly number[], { width, lastWidth, rows }: Room): readonly Placed[] {
  const places: Placed[] = [];
  let [x, row] = [0, 0];
  for (const wide of widths) {
    if (x > 0 && x + wide > (row === rows - 1 ? lastWidth : width) + SLACK) [x, row] = [0, row + 1];
    if (row >= rows) break;
    places.push({ x, row });
    x += wide;
  }
  for (let last = places.at(-1); last !== undefined && places.length < widths.length; last = places.at(-1)) {
    const end = last.x + (widths[places.length - 1] ?? 0) - SLACK;
    const free = lastWidth - textWidth(moreThan(widths.length - places.length)) - SLACK / 2;
    if (last.row < rows - 1 || last.x === 0 || end <= free) break;
    places.pop();
  }
  return places;
}

const moreThan = (count: number): string => `+${count}`;

/** At the end of the last row: how many more there are than were drawn. */
export function drawMore(body: Pen, more: number, { lastWidth, rows }: Room): void {
  if (more > 0) body.text(lastWidth, 15.5 + (rows - 1) * ROW, moreThan(more), "card-more", "end");
}
