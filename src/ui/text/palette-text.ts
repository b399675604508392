/** The palette's words in the language that is shown. They are fetched with it. */
import { enPalette } from "./en-palette.ts";

export function usePaletteText(): typeof enPalette {
  return enPalette;
}
