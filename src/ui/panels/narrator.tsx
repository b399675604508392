/** One sentence that says what just happened and why, and the chain of causes behind it. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import { EventNumber } from "../../protocol/events.ts";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { causesOf, sentenceOf } from "../narration.ts";
import { type BranchRun, type Session, branchOf, useApp } from "../store.ts";
import { useText } from "../text/use-text.ts";

export function Narrator(): ReactElement {
  const text = useText();
  const session = useApp((app) => app.session);
  const branch = useApp(branchOf);
  const step = useApp((app) => app.step);
  const [open, setOpen] = useState(false);
  if (session === null || branch === null || step >= branch.length) {
    return <section className="narrator"><p className="narrator-sentence muted">{text.panels.narrator.empty}</p></section>;
  }
  const { narrator } = text.panels;
  const causes = causesOf(branch.run.log, step);
  return (
    <section className="narrator" aria-label={narrator.title}>
      <div className="narrator-head">
        <h2 className="small-title">{narrator.title}</h2>
        <span className="muted">{clockTime(branch.run.log.clock(step))}</span>
      </div>
      <p className="narrator-sentence" data-testid="sentence">
        {sentenceOf(session.graph, branch.run.log, step, text)}
      </p>
      <button id="why" type="button" className="button small" aria-expanded={open} disabled={causes.length === 0} onClick={() => setOpen(!open)}>
        {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        {narrator.why}
      </button>
      {open ? <Causes session={session} branch={branch} causes={causes} /> : null}
    </section>
  );
}

interface CausesProps {
  readonly session: Session;
  readonly branch: BranchRun;
  readonly causes: readonly number[];
}

function Causes({ session, branch, causes }: CausesProps): ReactElement {
  const text = useText();
  const controller = useController();
  const { log } = branch.run;
  return (
    <ol className="why-list">
      {causes.map((cause) => (
        <li key={cause} className={log.type(cause) === EventNumber.FaultInjected ? "fault" : undefined}>
          {text.panels.narrator.because} {lowerFirst(sentenceOf(session.graph, log, cause, text))}{" "}
          <button type="button" className="link-button" aria-label={text.common.goTo(cause)} onClick={() => controller.goTo(cause)}>
            {text.panels.narrator.show}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Names keep their capitals: only an article is made small. */
function lowerFirst(sentence: string): string {
  return sentence.replace(/^(The|A|An|All|No|From) /, (article) => article.toLowerCase());
}
