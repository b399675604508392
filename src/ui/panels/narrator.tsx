/** One sentence that says what just happened and why, and the chain of causes behind it. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { Explanation } from "../../projection/sentences.ts";
import { useController } from "../controller-context.ts";
import { clockTime, duration } from "../format.ts";
import { inWords, sentenceOf } from "../narration.ts";
import { branchOf, useApp } from "../store.ts";
import { useText } from "../text/use-text.ts";

export function Narrator(): ReactElement {
  const text = useText();
  const { narrator } = text.panels;
  const branch = useApp(branchOf);
  const step = useApp((app) => app.step);
  const [open, setOpen] = useState(false);
  const known = branch !== null && step < branch.length;
  const chain = known && open ? branch.run.explainer.why(step) : [];
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
      {open ? <Causes chain={chain} /> : null}
    </section>
  );
}

/** Each entry's cause, back to an option, a person, or the input. */
function Causes({ chain }: { readonly chain: readonly Explanation[] }): ReactElement {
  const text = useText();
  const { narrator } = text.panels;
  const controller = useController();
  return (
    <ol className="why-list">
      {chain.map(({ step, sentence, config }, index) => (
        <li key={step} className={sentence.says === "fault" ? "fault" : undefined}>
          {index === 0 ? null : (
            <>
              {narrator.because} {lowerFirst(inWords(sentence, text))}{" "}
              <button
                type="button"
                className="link-button"
                aria-label={text.common.goTo(step)}
                onClick={() => controller.goTo(step)}
              >
                {narrator.show}
              </button>
            </>
          )}
          {config === null ? null : (
            <p>
              {narrator.because} <code>{config.option}</code> {narrator.is} {duration(config.ms)}
            </p>
          )}
          {index === 0 && chain.length === 1 && config === null ? narrator.rootOf[rootKind(sentence.says)] : null}
        </li>
      ))}
    </ol>
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
