/** How the place of a sink's partition is shared out. */
import type { Box } from "../path.ts";

export const CELL_HEIGHT = 20;

export function nameWidth(box: Box): number {
  return box.width > 600 ? 150 : 118;
}

export function cellsBox(box: Box): Box {
  return { x: box.x + nameWidth(box), y: box.y + 2, width: box.width - nameWidth(box), height: CELL_HEIGHT };
}

/** Is there room for what readers see? */
export function hasReaders({ height }: Box): boolean {
  return height >= 50;
}

/** Where they, or what the store has, are told. */
export function readersBox(box: Box): Box {
  return { ...box, y: box.y + CELL_HEIGHT + 10, height: box.height - CELL_HEIGHT - 10 };
}
