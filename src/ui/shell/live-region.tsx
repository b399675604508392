/** What a screen reader is told: each step at once, while playing a headline every second and a half at most. */
import { type ReactElement, useEffect, useState } from "react";
import { nameOfBranch } from "../branches.ts";
import { factsOf } from "../facts.ts";
import { inWords, sentenceOf } from "../narration.ts";
import { type Announcement, type Session, branchOf, appStore } from "../store.ts";
import { useApp } from "../use-app.ts";
import { currentText } from "../text/use-text.ts";

const EVERY = 1500;

export function LiveRegion(): ReactElement {
  const [told, setTold] = useState("");
  const announcement = useApp((app) => (app.announcement === null ? "" : wordsOf(app.announcement, app.session)));
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

function wordsOf(announcement: Announcement, session: Session | null): string {
  const { live, outcome, transport } = currentText();
  switch (announcement.says) {
    case "opened":
      return live.opened(session?.scenario.title.en ?? "");
    case "moved":
      return session === null ? "" : live.moved(nameOfBranch(session, announcement.branch));
    case "noFurther":
      return live.noFurther(transport.groups[announcement.kind]);
    case "outcome":
      return outcome.changed(outcome.words[announcement.outcome]);
    case "words":
      return announcement.words;
    default:
      return live[announcement.says];
  }
}

/** Calls `tell` with what has happened, until the returned function is called. */
function narrate(tell: (sentence: string) => void): () => void {
  let last = -Infinity;
  return appStore.subscribe(
    (app) => app.step,
    (step, before) => {
      const app = appStore.getState();
      const branch = branchOf(app);
      if (branch === null || step >= branch.length) return;
      if (app.playback !== "playing") {
        tell(sentenceOf(branch.run, step, currentText()));
        return;
      }
      if (performance.now() - last < EVERY) return;
      for (let entry = step; entry > before; entry--) {
        const sentence = factsOf(branch.run).explainer.sentence(entry);
        if (sentence.level !== "headline") continue;
        last = performance.now();
        tell(inWords(sentence, currentText()));
        return;
      }
    },
  );
}
