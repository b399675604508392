/** The rows of a storage strip that stands beside the graph. */
import type { Box } from "./path.ts";

const ROW = 30;

/** The `index`-th row, whether there is room for it or not. */
export function storageRow({ x, y, width }: Box, index: number): Box {
  return { x: x + 8, y: y + 32 + index * ROW, width: width - 16, height: ROW - 2 };
}
