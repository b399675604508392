/** The kill sweep's words in the language that is shown. They are fetched with its panel. */
import { enSweep } from "./en-sweep.ts";

export function currentSweepText(): typeof enSweep {
  return enSweep;
}

export function useSweepText(): typeof enSweep {
  return currentSweepText();
}
