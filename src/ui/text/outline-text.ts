/** The outline's words in the language that is shown. They are fetched with its panel. */
import { enOutline } from "./en-outline.ts";

export function useOutlineText(): typeof enOutline {
  return enOutline;
}
