/** What a screen reader is told: each step at once, while playing a headline every second and a half at most. */
import { type ReactElement, useEffect, useState } from "react";
import { at } from "../../base/assert.ts";
import { type EventType, eventTypes } from "../../protocol/events.ts";
import { sentenceOf } from "../narration.ts";
import { branchOf, useApp } from "../store.ts";
import { currentText } from "../text/use-text.ts";

const EVERY = 1500;

/** Entries that are told while playing. */
const headlines: ReadonlySet<EventType> = new Set<EventType>([
  "JobStatusChanged", "TaskFailed", "TaskManagerLost", "TaskManagerRegistered", "FaultInjected", "RestartScheduled", "CheckpointTriggered",
  "CheckpointCompleted", "CheckpointAborted", "TransactionCommitted", "TransactionTimedOut", "CommitFailed",
]);

export function LiveRegion(): ReactElement {
  const [told, setTold] = useState("");
  const announcement = useApp((app) => app.announcement);
  useEffect(() => narrate(setTold), []);
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite" data-testid="narration">
        {told}
      </div>
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
      if (branch === null || app.session === null || step >= branch.length) return;
      const { log } = branch.run;
      if (app.playback !== "playing") {
        tell(sentenceOf(app.session.graph, log, step, currentText()));
        return;
      }
      if (performance.now() - last < EVERY) return;
      for (let entry = step; entry > before; entry--) {
        if (!headlines.has(at(eventTypes, log.type(entry)))) continue;
        last = performance.now();
        tell(sentenceOf(app.session.graph, log, entry, currentText()));
        return;
      }
    },
  );
}
