/** The words of causes in the language that is shown. They are fetched with their panel. */
import { enWhy } from "./en-why.ts";

export function useWhyText(): typeof enWhy {
  return enWhy;
}
