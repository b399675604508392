/** What is played over and over, and running to the next event of what is selected. */
import { FastForward, Repeat, X } from "lucide-react";
import type { ReactElement } from "react";
import { useController } from "../controller-context.ts";
import { Choice } from "../controls/choice.tsx";
import { elementName } from "../element-name.ts";
import { factsOf } from "../facts.ts";
import { clockTime } from "../format.ts";
import type { BranchRun } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useStopsText } from "../text/stops-text.ts";
import { useText } from "../text/use-text.ts";
import { loopEdge, runToSelected, setLoop } from "./stop-keys.ts";

export function LoopControls({ branch }: { readonly branch: BranchRun }): ReactElement {
  const words = useStopsText();
  const controller = useController();
  const loop = useApp((app) => app.loop);
  const { log } = branch.run;
  const spans = factsOf(branch.run).timeline.checkpoints.filter(({ toStep }) => toStep >= 0);
  const choose = (value: string): void => {
    const span = spans.find(({ fromStep }) => String(fromStep) === value);
    if (span === undefined) return;
    setLoop(controller, { from: span.fromStep, to: span.toStep });
    controller.goTo(span.fromStep);
  };
  const told =
    loop === null || loop.to >= log.length
      ? words.noLoop
      : words.loopOf(loop.from, loop.to, `${clockTime(log.clock(loop.from))} – ${clockTime(log.clock(loop.to))}`);
  return (
    <fieldset className="stops-loop">
      <legend className="small-title">{words.loop}</legend>
      <button type="button" className="button small" aria-keyshortcuts="{" onClick={() => loopEdge(controller, "from")}>
        <Repeat aria-hidden />
        {words.loopFrom}
      </button>
      <button type="button" className="button small" aria-keyshortcuts="}" onClick={() => loopEdge(controller, "to")}>
        <Repeat aria-hidden />
        {words.loopTo}
      </button>
      <Choice label={words.loopCheckpoint.replace("…", "")} quiet value="" choose={choose}>
        <option value="">{words.loopCheckpoint}</option>
        {spans.map(({ id, fromStep }) => (
          <option key={fromStep} value={fromStep}>
            {words.checkpoint(id)}
          </option>
        ))}
      </Choice>
      <output className="muted">{told}</output>
      {loop === null ? null : (
        <button type="button" className="button small" aria-keyshortcuts="\" onClick={() => setLoop(controller, null)}>
          <X aria-hidden />
          {words.stopLoop}
        </button>
      )}
      <RunToSelected branch={branch} />
    </fieldset>
  );
}

function RunToSelected({ branch }: { readonly branch: BranchRun }): ReactElement {
  const words = useStopsText();
  const text = useText();
  const controller = useController();
  const selection = useApp((app) => app.selection);
  const step = useApp((app) => app.step);
  if (selection === null) return <p className="muted stops-run">{words.selectFirst}</p>;
  const name = elementName(branch.run.jobs.at(step).graph, selection, text);
  return (
    <button
      type="button"
      className="button small stops-run"
      aria-keyshortcuts="Shift+R"
      onClick={() => runToSelected(controller)}
    >
      <FastForward aria-hidden />
      {words.runToSelected(name)}
    </button>
  );
}
