/** The rows of a storage strip that stands beside the graph. */
import type { Box } from "./path.ts";

const ROW = 30;
/** A strip so narrow is a rail, with room for a flag and a mark. */
const RAIL_MAX = 60;

/** Is a strip, or a row of it, so narrow? */
export function isRail({ width }: Box): boolean {
  return width < RAIL_MAX;
}

/** The `index`-th row, whether there is room for it or not. */
export function storageRow(strip: Box, index: number): Box {
  const { x, y, width } = strip;
  const margin = isRail(strip) ? 3 : 8;
  return { x: x + margin, y: y + 32 + index * ROW, width: width - 2 * margin, height: ROW - 2 };
}
