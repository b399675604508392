/** Tells tests and tools when nothing is going on: `data-idle` on the document's root element. */
import { appStore } from "./store.ts";

function busy(): boolean {
  const { session, pending, playback, step, panelStep, failure } = appStore.getState();
  return pending > 0 || playback === "playing" || step !== panelStep || (session === null && failure === null);
}

export function watchIdle(): () => void {
  const { dataset } = document.documentElement;
  let generation = 0;
  const update = (): void => {
    generation++;
    if (busy()) {
      dataset["idle"] = "false";
      return;
    }
    // What has just been decided is painted by the second frame.
    const mine = generation;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (mine === generation) dataset["idle"] = "true";
      }),
    );
    dataset["idle"] = "false";
  };
  update();
  return appStore.subscribe(update);
}
