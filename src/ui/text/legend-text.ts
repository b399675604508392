/** The words of the legend in the language that is shown. They are fetched with it. */
import { enLegend } from "./en-legend.ts";

export function legendText(): typeof enLegend {
  return enLegend;
}
