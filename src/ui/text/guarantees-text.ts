/** The guarantee table's words in the language that is shown. They are fetched with its dialog. */
import { enGuarantees } from "./en-guarantees.ts";

export function useGuaranteesText(): typeof enGuarantees {
  return enGuarantees;
}
