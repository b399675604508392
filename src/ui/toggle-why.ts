/** Asks the narrator why, or asks no longer. */
import { changeSettings } from "./app-actions.ts";
import { phone } from "./media.ts";
import { appStore } from "./store.ts";

/** A narrator that is out of sight comes to the front, and tells; asked before a run is there, it tells once one is. */
export function toggleWhy(): void {
  const why = document.querySelector("#why");
  if (why === null) return;
  const inSight = why.checkVisibility();
  if (!inSight) changeSettings(phone.matches ? { dock: "selected" } : { rail: "narrator" });
  appStore.setState({ whyOpen: !(inSight && appStore.getState().whyOpen) });
}
