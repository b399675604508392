/** Projector mode's words in the language that is shown. They are fetched with it. */
import { enProjector } from "./en-projector.ts";

export function useProjectorText(): typeof enProjector {
  return enProjector;
}
