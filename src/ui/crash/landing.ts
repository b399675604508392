import type { Landing } from "../../scenario/exploration.ts";
import type { Outcome } from "../../view/theme.ts";
import { outcomeOfVerdict } from "../outcome.ts";

/** The app's word for what a run comes to; `null`: it ends before it can be told. */
export function outcomeOfLanding({ verdict, flags }: Landing): Outcome | null {
  return outcomeOfVerdict(verdict, flags.includes("stuck") || flags.includes("jobFailed"));
}
