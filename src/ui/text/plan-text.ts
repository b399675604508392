/** The words of planned faults, in the language that is shown. Fetched with what shows them. */
import { enPlan } from "./en-plan.ts";

export function usePlanText(): typeof enPlan {
  return enPlan;
}
