import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { Controller } from "../controller.ts";
import { fetched } from "../fetched.ts";
import { hasRuns } from "../sessions/has-runs.ts";
import { type App, appStore } from "../store.ts";
import { openLinked } from "../with-opening.ts";
import { AppRoot } from "./app-root.tsx";

/** Puts the app in the place of what stands in `root`. */
export function showApp(controller: Controller, root: Element): void {
  createRoot(root).render(
    <StrictMode>
      <AppRoot controller={controller} />
    </StrictMode>,
  );
  const openLink = (fragment: string): void => {
    if (fragment !== "") void openLinked(controller, fragment);
  };
  openLink(location.hash);
  seeToSessions(controller);
  addEventListener("hashchange", ({ newURL }) => openLink(new URL(newURL).hash));
}

/** Fetches what opens, brings back, saves and names runs, once there is something for it to do. */
function seeToSessions(controller: Controller): void {
  const begin = (fragment: string, address = location.href): void =>
    void fetched(import("../sessions/begin.ts")).then((sessions) => sessions?.begin(controller, fragment, address));
  addEventListener("hashchange", ({ newURL }) => begin(new URL(newURL).hash, newURL));
  if (location.hash.startsWith("#at=") || (location.hash === "" && hasRuns())) {
    begin(location.hash);
    return;
  }
  const stop = appStore.subscribe(hasMoment, (has) => {
    if (!has) return;
    stop();
    begin("#");
  });
}

/** Somebody has decided, selected or stopped at something: from here on the address names it. */
function hasMoment({ session, playback, step, selection, tour }: App): boolean {
  if (session === null || tour) return false;
  const isAnother = session.number > 1 || session.branches.length > 1;
  return isAnother || selection !== null || (step > 0 && playback !== "playing");
}
