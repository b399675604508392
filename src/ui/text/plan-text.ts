/** The words of planned faults and of what a log would say, in the language that is shown. Fetched with what shows them. */
import { enFaultLogs } from "./en-fault-logs.ts";
import { enPlan } from "./en-plan.ts";

export function usePlanText(): typeof enPlan {
  return enPlan;
}

export function useFaultLogs(): { readonly [key: string]: string } {
  return enFaultLogs;
}
