/** The words of the failure that is dragged, in the language that is shown. They are fetched with it. */
import { enCrash } from "./en-crash.ts";

export function useCrashText(): typeof enCrash {
  return enCrash;
}
