/** Asks the narrator why, or asks no longer. */
import { changeSettings } from "./app-actions.ts";
import { phone } from "./media.ts";

/** A narrator that is out of sight comes to the front, and tells. */
export function toggleWhy(): void {
  const why = document.querySelector<HTMLButtonElement>("#why");
  if (why === null) return;
  const inSight = why.checkVisibility();
  if (!inSight) changeSettings(phone.matches ? { dock: "selected" } : { rail: "narrator" });
  if (inSight || why.ariaExpanded !== "true") why.click();
}
