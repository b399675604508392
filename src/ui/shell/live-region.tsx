/** What a screen reader is told: each step at once, while playing a headline every second and a half at most. */
import { type ReactElement, useEffect, useState } from "react";
import { at } from "../../base/assert.ts";
import { jobStatuses, places } from "../../projection/fields.ts";
import { EventNumber } from "../../protocol/events.ts";
import { nameOfBranch } from "../branches.ts";
import { factsOf } from "../facts.ts";
import { sentenceOf } from "../narration.ts";
import type { Run } from "../run.ts";
import { type Announcement, type Session, branchOf, appStore } from "../store.ts";
import { useApp } from "../use-app.ts";
import { currentText } from "../text/use-text.ts";

const EVERY = 1500;

/** What the two regions say: steps politely, what fails at once. */
interface Told {
  readonly polite: string;
  readonly assertive: string;
}

export function LiveRegion(): ReactElement {
  const [told, setTold] = useState<Told>({ polite: "", assertive: "" });
  const announcement = useApp((app) => (app.announcement === null ? "" : wordsOf(app.announcement, app.session)));
  useEffect(() => narrate((more) => setTold((before) => ({ ...before, ...more }))), []);
  return (
    <>
      <output className="visually-hidden" data-testid="narration">
        {told.polite}
      </output>
      <output className="visually-hidden">{announcement}</output>
      <div className="visually-hidden" aria-live="assertive" data-testid="alarm">
        {told.assertive}
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
function narrate(tell: (told: Partial<Told>) => void): () => void {
  let last = -Infinity;
  /** A headline that came too soon after another: the newest is told when its time has come. */
  let waiting: string | null = null;
  return appStore.subscribe(
    (app) => app.step,
    (step, before) => {
      const app = appStore.getState();
      const branch = branchOf(app);
      if (branch === null || step >= branch.length || !app.settings.liveRegion) return;
      const { run } = branch;
      const alarm = lastOf(run, before, step, isAlarm);
      if (alarm !== null) tell({ assertive: sentenceOf(run, alarm, currentText()) });
      if (app.playback !== "playing") {
        waiting = null;
        tell({ polite: digest(run, before, step) });
        return;
      }
      const headline = mostTelling(run, before, step, levels[app.settings.narration]);
      if (headline !== null && headline !== alarm) waiting = sentenceOf(run, headline, currentText());
      if (waiting === null || performance.now() - last < EVERY) return;
      last = performance.now();
      tell({ polite: waiting });
      waiting = null;
    },
  );
}

/** What is told while it plays, the most telling first. */
const levels = {
  headlines: ["headline"],
  protocol: ["headline", "protocol"],
  everything: ["headline", "protocol", "everything"],
} as const;

/** The last entry of the first of these levels that there is one of; `null`: there is none. */
function mostTelling(run: Run, before: number, step: number, among: readonly string[]): number | null {
  for (const level of among) {
    const found = lastOf(run, before, step, (entry) => factsOf(run).explainer.sentence(entry).level === level);
    if (found !== null) return found;
  }
  return null;
}

function isHeadline(run: Run, entry: number): boolean {
  return factsOf(run).explainer.sentence(entry).level === "headline";
}

const failing: ReadonlySet<string> = new Set(["FAILING", "FAILED", "SUSPENDED"]);
const jobChanges = places("JobStatusChanged");

/** A fault has struck, or the job is failing. */
function isAlarm(entry: number, { log }: Run): boolean {
  const type = log.type(entry);
  if (type === EventNumber.FaultInjected) return true;
  return type === EventNumber.JobStatusChanged && failing.has(at(jobStatuses, log.field(entry, jobChanges.to)));
}

/** The last entry behind `before` up to `step` that counts; `null`: none does. */
function lastOf(run: Run, before: number, step: number, counts: (entry: number, run: Run) => boolean): number | null {
  for (let entry = step; entry > Math.max(before, step - FAR); entry--) if (counts(entry, run)) return entry;
  return null;
}

/** A jump over more is told by where it leads to. */
const FAR = 400;
const HEADLINES = 2;

/** One step is told as it is; several at once by their number, the last headlines among them, and the last. */
function digest(run: Run, before: number, step: number): string {
  const text = currentText();
  const sentence = sentenceOf(run, step, text);
  const count = step - before;
  if (count < 2) return sentence;
  const headlines: string[] = [];
  for (let entry = step - 1; entry > Math.max(before, step - FAR) && headlines.length < HEADLINES; entry--)
    if (isHeadline(run, entry)) headlines.unshift(sentenceOf(run, entry, text));
  return text.live.digest(count, [...headlines, sentence]);
}
