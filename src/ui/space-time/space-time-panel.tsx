/**
 * The space–time diagram (key M): processes as lines, messages as arrows, the cuts of checkpoints; a function of the log and
 * the stretch that is looked at. What is selected or lit elsewhere is so here.
 */
import "../styles/space-time.css";
import { Maximize, Minus, Plus, Scissors } from "lucide-react";
import { type ReactElement, useState } from "react";
import { at } from "../../base/assert.ts";
import { type Cut, judgeCut } from "../../projection/global-cuts.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { factsOf } from "../facts.ts";
import { sentenceOf } from "../narration.ts";
import { type BranchRun, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useSpaceTimeText } from "../text/space-time-text.ts";
import { useText } from "../text/use-text.ts";
import { CutBar } from "./cut-bar.tsx";
import { Diagram } from "./diagram.tsx";
import { type Axis, type Stretch, whole, zoomed } from "./geometry.ts";
import { EventList } from "./list.tsx";
import { modelOf } from "./model.ts";

export default function SpaceTimePanel(): ReactElement | null {
  const branch = useApp(branchOf);
  return branch === null || branch.length === 0 ? null : <Shown branch={branch} />;
}

function Shown({ branch }: { readonly branch: BranchRun }): ReactElement {
  const text = useText();
  const words = useSpaceTimeText();
  const [axis, setAxis] = useState<Axis>("time");
  const { space, places } = modelOf(branch.run, axis);
  const all = whole(places);
  const [chosen, setStretch] = useState<Stretch | null>(null);
  const stretch = chosen ?? all;
  const [pointed, setPointed] = useState<number | null>(null);
  const [cut, setCut] = useState<Cut | null>(null);
  const [crowded, setCrowded] = useState(false);
  const step = useApp((app) => Math.min(app.step, branch.length - 1));
  const names = space.lifelines.map(({ kind, name }) => words.lifeline(kind, name));
  const { checkpoints } = factsOf(branch.run).timeline;
  const zoom = (factor: number): void => {
    const middle = places[pointed ?? step] ?? 0;
    const around = middle >= stretch.from && middle <= stretch.to ? middle : (stretch.from + stretch.to) / 2;
    setStretch(zoomed(stretch, factor, around, all));
  };
  const zoomTo = (id: number): void => {
    const span = checkpoints.find((each) => each.id === id);
    if (span === undefined) return;
    const [from, to] = [places[span.fromStep] ?? 0, places[span.toStep < 0 ? space.length - 1 : span.toStep] ?? 0];
    setStretch({ from: from - (to - from) * 0.05, to: to + (to - from) * 0.05 });
  };
  const told = pointed ?? step;
  const verdict = cut === null ? null : judgeCut(space, cut);
  return (
    <div className="space-time">
      <div className="panel-bar">
        <label className="field">
          {words.axis}{" "}
          <select
            className="select"
            value={axis}
            onChange={(event) => {
              setAxis(event.currentTarget.value === "order" ? "order" : "time");
              setStretch(null);
            }}
          >
            <option value="time">{words.axes.time}</option>
            <option value="order">{words.axes.order}</option>
          </select>
        </label>
        <select
          className="select"
          aria-label={words.zoomTo}
          value=""
          onChange={(event) => zoomTo(Number(event.currentTarget.value))}
        >
          <option value="">{words.zoomTo}</option>
          {checkpoints.map(({ id }) => (
            <option key={id} value={id}>
              {words.alignment(id)}
            </option>
          ))}
        </select>
        <IconButton label={words.nearer} onClick={() => zoom(0.5)}>
          <Plus aria-hidden />
        </IconButton>
        <IconButton label={words.farther} onClick={() => zoom(2)}>
          <Minus aria-hidden />
        </IconButton>
        <IconButton label={words.whole} onClick={() => setStretch(null)}>
          <Maximize aria-hidden />
        </IconButton>
        <button
          type="button"
          className="button small"
          aria-pressed={cut !== null}
          onClick={() => setCut(cut === null ? space.lifelines.map(({ events }) => lastUpTo(events, step)) : null)}
        >
          <Scissors aria-hidden />
          {words.cut.tool}
        </button>
        <Legend />
      </div>
      {cut === null || verdict === null ? null : (
        <CutBar space={space} names={names} verdict={verdict} cut={cut} setCut={setCut} run={branch.run} step={step} />
      )}
      <Diagram
        branch={branch}
        space={space}
        places={places}
        names={names}
        axis={axis}
        stretch={stretch}
        setStretch={setStretch}
        all={all}
        pointed={pointed}
        setPointed={setPointed}
        cut={cut}
        setCut={setCut}
        verdict={verdict}
        step={step}
        tellCrowded={setCrowded}
      />
      <output className="space-time-says">
        {words.at(branch.run.log.clock(told), at(names, space.lineOf(told)), sentenceOf(branch.run, told, text))}
      </output>
      <p className="muted space-time-hint">{crowded ? words.crowded : words.hint}</p>
      <EventList branch={branch} space={space} places={places} names={names} stretch={stretch} point={setPointed} />
    </div>
  );
}

function lastUpTo(events: readonly number[], step: number): number {
  return events.findLast((each) => each <= step) ?? -1;
}

function Legend(): ReactElement {
  const { messages, legend } = useSpaceTimeText();
  return (
    <ul className="space-time-legend" aria-label={legend}>
      {(["record", "barrier", "rpc", "commit"] as const).map((kind) => (
        <li key={kind}>
          <span className="space-time-line" data-message={kind} aria-hidden />
          {messages[kind]}
        </li>
      ))}
    </ul>
  );
}
