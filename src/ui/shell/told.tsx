/** What just happened, where the narrator is out of sight. */
import type { ReactElement } from "react";
import { sentenceOf } from "../narration.ts";
import { branchOf } from "../store.ts";
import { toggleWhy } from "../toggle-why.ts";
import { useApp } from "../use-app.ts";
import { usePhone, useSharedRail } from "../use-media.ts";
import { useText } from "../text/use-text.ts";
import { useToldStep } from "../use-told-step.ts";

export function Told(): ReactElement | null {
  const text = useText();
  const phone = usePhone();
  const shared = useSharedRail();
  const { front, dock, rail } = useApp((app) => app.settings);
  const branch = useApp(branchOf);
  const step = useToldStep();
  const inSight = phone ? front === "panel" && dock === "selected" : !shared || rail === "narrator";
  if (inSight || branch === null || step >= branch.length) return null;
  return (
    <div className="transport-told">
      <p aria-hidden>{sentenceOf(branch.run, step, text)}</p>
      <button type="button" className="button small" onClick={toggleWhy}>
        {text.panels.narrator.why}
      </button>
    </div>
  );
}
