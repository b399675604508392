/** Opens Why for an element, or for the entry at the cursor, and brings the narrator to the front where it is out of sight. */
import type { StageElement } from "../../view/stage/elements.ts";
import { changeSettings, select } from "../app-actions.ts";
import { phone } from "../media.ts";

/** `null`: for the entry. */
export function explain(element: StageElement | null): void {
  select(element);
  const why = document.querySelector<HTMLButtonElement>("#why");
  if (why === null) return;
  if (!why.checkVisibility()) changeSettings(phone.matches ? { dock: "selected" } : { rail: "narrator" });
  if (why.ariaExpanded !== "true") why.click();
  requestAnimationFrame(() => why.focus({ preventScroll: true }));
}
