/** A kind of entries, or several that belong together, as people speak of them. */
import { eventFamilyNames } from "../../projection/event-families.ts";
import { eventsText } from "../text/events-text.ts";
import type { KindChip } from "./filter.ts";

export function nameOfKind(kind: KindChip): string {
  const family = eventFamilyNames.find((name) => name === kind);
  return family === undefined ? kind : eventsText().families[family];
}
