/** The words of a run that takes long to compute, in the language that is shown. They are fetched with them. */
import { enComputing } from "./en-computing.ts";

export function useComputingText(): typeof enComputing {
  return enComputing;
}
