/** The timeouts calculator: figures on one side, what follows from them on the other, and a button that plays it. */
import "../styles/timeouts.css";
import { Play } from "lucide-react";
import { type ReactElement, useState } from "react";
import { parseScenario } from "../../scenario/parse.ts";
import { outcomeOf } from "../../scenario/timeouts/first-loss.ts";
import { playOf } from "../../scenario/timeouts/play.ts";
import { timeoutsOf } from "../../scenario/timeouts/prefill.ts";
import { type TimeoutField, type Timeouts, bounds, outOfBounds } from "../../scenario/timeouts/timeouts.ts";
import { changeSettings, showDialog } from "../app-actions.ts";
import type { Controller } from "../controller.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { prettyJson } from "../pretty-json.ts";
import { appStore, branchOf } from "../store.ts";
import { useTimeoutsText } from "../text/timeouts-text.ts";
import { type Texts, TimeoutFields } from "./fields.tsx";
import { figureOf, textOf } from "./figures.ts";
import { Result, VerdictOf } from "./result.tsx";

/** Milliseconds before what is played that the cursor is put at. */
const BEFORE = 5;

export default function TimeoutsView(): ReactElement | null {
  const words = useTimeoutsText();
  const controller = useController();
  const [texts, setTexts] = useState<Texts | null>(prefilled);
  if (texts === null) return null;
  const timeouts = figuresOf(texts);
  const wrong = fieldsOf().filter((field) => Number.isNaN(timeouts[field]) || outOfBounds(timeouts, field) !== null);
  const outcome = wrong.length === 0 ? outcomeOf(timeouts) : null;
  const foot = (
    <>
      <button type="button" className="button" onClick={() => showDialog(null)}>
        {words.close}
      </button>
      <button
        type="button"
        className="button primary"
        disabled={outcome === null}
        onClick={() => play(controller, timeouts, words.playTitle)}
      >
        <Play aria-hidden />
        {outcome?.kind === "none" ? words.playNone : words.play}
      </button>
    </>
  );
  return (
    <Modal
      className="dialog timeouts"
      title={words.title}
      description={words.description}
      onClose={() => showDialog(null)}
      foot={foot}
    >
      <div className="timeouts-columns">
        <VerdictOf outcome={outcome} />
        <TimeoutFields texts={texts} timeouts={timeouts} wrong={wrong} change={setTexts} />
        {outcome === null ? null : <Result timeouts={timeouts} />}
      </div>
    </Modal>
  );
}

function fieldsOf(): readonly TimeoutField[] {
  return Object.keys(bounds) as TimeoutField[];
}

/** The figures of the run on screen. */
function prefilled(): Texts | null {
  const app = appStore.getState();
  if (app.session === null) return null;
  const timeouts = timeoutsOf(app.session.scenario, branchOf(app)?.report ?? null);
  return Object.fromEntries(fieldsOf().map((field) => [field, textOf(field, timeouts[field])])) as Texts;
}

function figuresOf(texts: Texts): Timeouts {
  return Object.fromEntries(fieldsOf().map((field) => [field, figureOf(field, texts[field])])) as {
    [F in TimeoutField]: number;
  };
}

/** Opens the run, shortly before what was calculated, with the ledger in sight. */
function play(controller: Controller, timeouts: Timeouts, title: { readonly en: string; readonly zh: string }): void {
  const outcome = outcomeOf(timeouts);
  const text = prettyJson(playOf(timeouts, title));
  const parsed = parseScenario(text);
  if (!parsed.ok) {
    appStore.setState({ refused: { name: "timeouts", text, problems: parsed.problems } });
    return;
  }
  changeSettings({ dock: "ledger" });
  const time = outcome.kind === "none" ? {} : { time: Math.max(0, outcome.at - BEFORE) };
  controller.open({ scenario: parsed.value, text, library: null }, { keepTime: false, play: true, ...time });
}
