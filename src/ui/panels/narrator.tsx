/** One sentence that says what just happened and why, and the chain of causes behind it. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { ConfigReason, Explanation, Sentence } from "../../projection/sentences.ts";
import { useController } from "../controller-context.ts";
import { clockTime, duration } from "../format.ts";
import { factsOf } from "../facts.ts";
import { inWords, sentenceOf } from "../narration.ts";
import { branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { useToldStep } from "../use-told-step.ts";

export function Narrator(): ReactElement {
  const text = useText();
  const { narrator } = text.panels;
  const branch = useApp(branchOf);
  const step = useToldStep();
  const [open, setOpen] = useState(false);
  const known = branch !== null && step < branch.length;
  const chain = known && open ? factsOf(branch.run).explainer.why(step) : [];
  return (
    <section className="narrator" aria-label={narrator.title}>
      <div className="narrator-head">
        <h2 className="small-title">{narrator.title}</h2>
        <span className="muted">{known ? clockTime(branch.run.log.clock(step)) : ""}</span>
        <button
          id="why"
          type="button"
          className="button small"
          aria-expanded={open}
          disabled={!known}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          {narrator.why}
        </button>
      </div>
      <p className="narrator-sentence" data-testid="sentence">
        {known ? sentenceOf(branch.run, step, text) : narrator.empty}
      </p>
      {open ? (
        <div className="why">
          <Causes chain={chain} />
        </div>
      ) : null}
    </section>
  );
}

/** Reasons that are told at first. */
const TOLD = 5;

/** Each entry's cause, back to an option, a person, or the input. */
function Causes({ chain }: { readonly chain: readonly Explanation[] }): ReactElement {
  const { narrator } = useText().panels;
  const [all, setAll] = useState(false);
  const reasons = chain.flatMap(reasonsOf);
  const [first] = chain;
  if (reasons.length === 0)
    return <p className="muted">{first === undefined ? "" : narrator.rootOf[rootKind(first.sentence.says)]}</p>;
  const shown = all ? reasons : reasons.slice(0, TOLD);
  return (
    <>
      <ol className="why-list">
        {shown.map((reason) => (
          <Reason key={"option" in reason ? reason.option : reason.step} reason={reason} />
        ))}
      </ol>
      {reasons.length > shown.length ? (
        <button type="button" className="link-button why-more" onClick={() => setAll(true)}>
          {narrator.more(reasons.length - shown.length)}
        </button>
      ) : null}
    </>
  );
}

type Because = ConfigReason | { readonly step: number; readonly sentence: Sentence };

/** What an entry rests on: the option that set its time, the entry before it. The first is the one that is asked about. */
function reasonsOf({ step, sentence, config }: Explanation, index: number): Because[] {
  return [...(index === 0 ? [] : [{ step, sentence }]), ...(config === null ? [] : [config])];
}

function Reason({ reason }: { readonly reason: Because }): ReactElement {
  const text = useText();
  const { narrator } = text.panels;
  const controller = useController();
  if ("option" in reason) {
    return (
      <li className="option">
        {narrator.because} <code>{reason.option}</code> {narrator.is} {duration(reason.ms)}
      </li>
    );
  }
  const { step, sentence } = reason;
  return (
    <li className={sentence.says === "fault" ? "fault" : undefined}>
      {narrator.because} {lowerFirst(inWords(sentence, text))}{" "}
      <button
        type="button"
        className="link-button"
        aria-label={text.common.goTo(step)}
        onClick={() => controller.goTo(step)}
      >
        {narrator.show}
      </button>
    </li>
  );
}

function rootKind(says: string): "input" | "fault" | "start" {
  if (says === "fault") return "fault";
  return says === "src.emit" ? "input" : "start";
}

/** Names keep their capitals: only an article or the like is made small. */
function lowerFirst(sentence: string): string {
  return sentence.replace(/^(The|A|An|All|No|Restart|Attempt|Fault|Checkpoint|Barrier)\b/, (word) =>
    word.toLowerCase(),
  );
}
