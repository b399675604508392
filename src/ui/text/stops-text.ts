/** The words of breakpoints and loops in the language that is shown. They are fetched with them. */
import { enStops } from "./en-stops.ts";

export function stopsText(): typeof enStops {
  return enStops;
}

export function useStopsText(): typeof enStops {
  return stopsText();
}
