/** One sentence that says what just happened; why, where somebody asks. */
import { ChevronDown, ChevronRight } from "lucide-react";
import type { ReactElement } from "react";
import { later } from "../later.tsx";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import { type App, appStore, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { useToldStep } from "../use-told-step.ts";

const Quiet = later(() => import("../quiet/quiet.tsx"));
const WhyPanel = later(() => import("../why/why-panel.tsx"));

/** The cursor is behind all that the run has. */
function isAtEnd(app: App): boolean {
  const branch = branchOf(app);
  return branch !== null && branch.report !== null && app.panelStep >= branch.length - 1 && app.playback !== "playing";
}

export function Narrator(): ReactElement {
  const text = useText();
  const { narrator } = text.panels;
  const branch = useApp(branchOf);
  const step = useToldStep();
  const open = useApp((app) => app.whyOpen);
  const ended = useApp((app) => isAtEnd(app));
  const known = branch !== null && step < branch.length;
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
          onClick={() => appStore.setState({ whyOpen: !open })}
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          {narrator.why}
        </button>
      </div>
      <p className="narrator-sentence" data-testid="sentence">
        {known ? sentenceOf(branch.run, step, text) : narrator.empty}
      </p>
      {ended ? <Quiet /> : null}
      {open && known ? <WhyPanel /> : null}
    </section>
  );
}
