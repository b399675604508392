/** The first minute's words in the language that is shown. They are fetched with it. */
import { enTour } from "./en-tour.ts";

export function currentTourText(): typeof enTour {
  return enTour;
}

export function useTourText(): typeof enTour {
  return currentTourText();
}
