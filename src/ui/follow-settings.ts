/** All that acts as the settings say beside what reads them itself. It comes with the shell. */
import { followChosenColours } from "./chosen-colours.ts";
import type { Controller } from "./controller.ts";
import { followFolding } from "./fold-idle.ts";
import { groupBy } from "./format.ts";
import { followChanges } from "./history.ts";
import { Paces, followMotion } from "./paces.ts";
import { allowed } from "./setting-choices.ts";
import { appStore } from "./store.ts";

/** Until the returned function is called. */
export function followSettings(controller: Controller): () => void {
  const { settings } = appStore.getState();
  appStore.setState({ settings: allowed(settings) });
  controller.player.pace = new Paces(controller.player);
  const stops = [followFolding(), followChanges(), followChosenColours(), followMotion(), followNumbers()];
  return () => stops.forEach((stop) => stop());
}

/** What stands between the thousands. */
function followNumbers(): () => void {
  const follow = (): void => groupBy(appStore.getState().settings.numbers.slice(1, -3).replace(" ", "\u202F"));
  follow();
  return appStore.subscribe((app) => app.settings.numbers, follow);
}
