/** The words of the checkpoints panel in the language that is shown. They are fetched with the panel. */
import { enCheckpoints } from "./en-checkpoints.ts";

export function useCheckpointsText(): typeof enCheckpoints {
  return enCheckpoints;
}
