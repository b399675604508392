/** What a screen reader is told: each step at once, while playing a headline every second and a half at most. */
import { type ReactElement, useEffect, useState } from "react";
import { inWords, sentenceOf } from "../narration.ts";
import { branchOf, useApp } from "../store.ts";
import { currentText } from "../text/use-text.ts";

const EVERY = 1500;

export function LiveRegion(): ReactElement {
  const [told, setTold] = useState("");
  const announcement = useApp((app) => app.announcement);
  useEffect(() => narrate(setTold), []);
  return (
    <>
      <output className="visually-hidden" data-testid="narration">
        {told}
      </output>
      <div className="visually-hidden" aria-live="assertive">
        {announcement}
      </div>
    </>
  );
}

/** Calls `tell` with what has happened, until the returned function is called. */
function narrate(tell: (sentence: string) => void): () => void {
  let last = -Infinity;
  return useApp.subscribe(
    (app) => app.step,
    (step, before) => {
      const app = useApp.getState();
      const branch = branchOf(app);
      if (branch === null || step >= branch.length) return;
      if (app.playback !== "playing") {
        tell(sentenceOf(branch.run, step, currentText()));
        return;
      }
      if (performance.now() - last < EVERY) return;
      for (let entry = step; entry > before; entry--) {
        const sentence = branch.run.explainer.sentence(entry);
        if (sentence.level !== "headline") continue;
        last = performance.now();
        tell(inWords(sentence, currentText()));
        return;
      }
    },
  );
}
