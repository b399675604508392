/** What a log would say of a fault, in the language that is shown. Fetched with the menu that says it. */
import { enFaultLogs } from "./en-fault-logs.ts";

export function useFaultLogs(): { readonly [key: string]: string } {
  return enFaultLogs;
}
