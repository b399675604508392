/** The timeouts calculator's words in the language that is shown. They are fetched with its dialog. */
import { enTimeouts } from "./en-timeouts.ts";

export function useTimeoutsText(): typeof enTimeouts {
  return enTimeouts;
}
