/**
 * The panels follow the cursor behind the picture: whoever seeks sees the stage at once, and reads about it a moment later.
 * Another branch or session is shown by both with one stroke.
 */
import { type App, appStore } from "./store.ts";

/** How late the panels come where the pictures leave no time for them: as often as while playing. */
const LATEST = 100;

/** Calls `act` in the time that the next picture leaves; where nobody sees the page, at once. */
function afterPicture(act: () => void): void {
  if (document.hidden) act();
  else if ("requestIdleCallback" in globalThis)
    requestAnimationFrame(() => requestIdleCallback(act, { timeout: LATEST }));
  else requestAnimationFrame(() => setTimeout(act));
}

export function bringPanelsBehind(): () => void {
  let asked = false;
  const follow = (): void => {
    asked = false;
    const { step, panelStep } = appStore.getState();
    if (step !== panelStep) appStore.setState({ panelStep: step });
  };
  follow();
  return appStore.subscribe((app: App, before: App) => {
    if (app.step === app.panelStep) return;
    if (app.branch !== before.branch || app.session !== before.session) follow();
    else if (!asked) {
      asked = true;
      afterPicture(follow);
    }
  });
}
