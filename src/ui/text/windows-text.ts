/** The words of the crash windows in the language that is shown. They are fetched with their dialog. */
import { enWindows } from "./en-windows.ts";

export function useWindowsText(): typeof enWindows {
  return enWindows;
}
