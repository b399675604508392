/** The words of what is told at the thing in trouble, in the language that is shown. */
import { enTroubles } from "./en-troubles.ts";

export function useTroublesText(): typeof enTroubles {
  return enTroubles;
}
