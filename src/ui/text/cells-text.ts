/** What is told of records in the picture, in the language that is shown. */
import { enCells } from "./en-cells.ts";

export function currentCellsText(): typeof enCells {
  return enCells;
}
