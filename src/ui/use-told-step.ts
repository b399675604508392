/** Which entry the narrator speaks of: the one at the cursor; while playing one that matters, long enough to be read. */
import { useEffect, useState } from "react";
import { factsOf } from "./facts.ts";
import type { Run } from "./run.ts";
import { appStore, branchOf } from "./store.ts";

const READ = 1300;

export function useToldStep(): number {
  const [told, setTold] = useState(() => appStore.getState().panelStep);
  useEffect(() => follow(setTold), []);
  return told;
}

/** Calls `tell` with steps until the returned function is called. */
function follow(tell: (step: number) => void): () => void {
  let last = { step: appStore.getState().panelStep, at: -Infinity };
  return appStore.subscribe((app, before) => {
    const branch = branchOf(app);
    if (branch === null) return;
    const jumped = app.branch !== before.branch || app.session !== before.session || app.panelStep < last.step;
    if (app.playback !== "playing" || jumped) {
      last = { step: app.panelStep, at: -Infinity };
      tell(app.panelStep);
      return;
    }
    if (app.panelStep === before.panelStep || performance.now() - last.at < READ) return;
    const step = worthTelling(branch.run, last.step + 1, app.panelStep);
    if (step === null) return;
    last = { step, at: performance.now() };
    tell(step);
  });
}

/** The last headline among these entries, or the last that is more than a record on its way, where not all is wanted. */
function worthTelling(run: Run, from: number, to: number): number | null {
  const { explainer } = factsOf(run);
  const everything = appStore.getState().settings.narration === "everything";
  let found: number | null = null;
  for (let step = to; step >= from; step--) {
    const { level } = explainer.sentence(step);
    if (level === "headline") return step;
    if (level === "protocol" || everything) found ??= step;
  }
  return found;
}
