/** A condition in words. */
import { stopsText } from "../text/stops-text.ts";
import type { Condition } from "./breakpoints.ts";
import { nameOfKind } from "../events/kind-name.ts";

/** `BarrierReceived · total[1] · aligned ≥ 2 · from hit 3`. */
export function nameOfCondition({ kind, element, comparison, hit }: Condition): string {
  const words = stopsText();
  return [
    kind === null ? words.anyKind : nameOfKind(kind),
    ...(element === null ? [] : [element.name]),
    ...(comparison === null ? [] : [`${comparison.field} ${comparison.operator} ${comparison.value}`]),
    ...(hit <= 1 ? [] : [words.fromHit(hit)]),
  ].join(" · ");
}
