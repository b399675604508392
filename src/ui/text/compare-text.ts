/** The words of comparisons in the language that is shown. They are fetched with their view. */
import { enCompare } from "./en-compare.ts";

export function useCompareText(): typeof enCompare {
  return enCompare;
}
