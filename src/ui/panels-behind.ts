/**
 * The panels follow the cursor behind the picture: whoever seeks sees the stage at once, and reads about it a moment later.
 * Another branch or session is shown by both with one stroke.
 */
import { type App, appStore } from "./store.ts";

/** How late the panels come where the pictures leave no time for them: as often as while playing. */
const LATEST = 100;
/** How late behind a picture that is the last for now: where nothing moves Chromium has no idle time to give for a third of a second. */
const AT_REST = 24;
/** Milliseconds in which what waits for a picture is told of it. */
const PAINT = 4;

export function bringPanelsBehind(): () => void {
  /** Since when they are behind; `null`: they are not. */
  let since: number | null = null;
  /** What waits for time that a picture leaves. */
  let waiting: number | null = null;
  /** Pictures that are to come: never do panels come between an input and its picture. */
  let pictures = 0;
  const follow = (): void => {
    if (waiting !== null) cancelIdleCallback(waiting);
    [since, waiting] = [null, null];
    const { step, panelStep } = appStore.getState();
    if (step !== panelStep) appStore.setState({ panelStep: step });
  };
  const inIdleTime = (): void => {
    waiting = null;
    if (pictures === 0) follow();
  };
  const painted = (): void => {
    pictures--;
    if (since === null) return;
    if (!("requestIdleCallback" in globalThis) || performance.now() - since >= LATEST) follow();
    else waiting ??= requestIdleCallback(inIdleTime, { timeout: AT_REST });
  };
  follow();
  return appStore.subscribe((app: App, before: App) => {
    if (app.step === app.panelStep) return;
    const isElsewhere = app.branch !== before.branch || app.session !== before.session;
    // Where nobody sees the page no picture comes.
    if (isElsewhere || document.hidden) follow();
    else if (app.step !== before.step) {
      since ??= performance.now();
      pictures++;
      requestAnimationFrame(() => setTimeout(painted, PAINT));
    }
  });
}
