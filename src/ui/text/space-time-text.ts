/** The words of the space–time diagram in the language that is shown. They are fetched with it. */
import { enSpaceTime } from "./en-space-time.ts";

export function useSpaceTimeText(): typeof enSpaceTime {
  return enSpaceTime;
}
