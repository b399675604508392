/**
 * The space–time diagram (key M): processes as lines, messages as arrows, the cuts of checkpoints; a function of the log and
 * the stretch that is looked at. What is selected or lit elsewhere is so here.
 */
import "../styles/space-time.css";
import { Maximize, Minus, Plus, Scissors } from "lucide-react";
import { type ReactElement, useState } from "react";
import { at } from "../../base/assert.ts";
import { recordOf, takenCut } from "../../projection/drawn-cut.ts";
import { type Cut, cutAt, judgeCut } from "../../projection/global-cuts.ts";
import type { SpaceTime } from "../../projection/space-time.ts";
import { IconButton } from "../controls/icon-button.tsx";
import { factsOf } from "../facts.ts";
import { sentenceOf } from "../narration.ts";
import type { Run } from "../run.ts";
import { type BranchRun, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useSpaceTimeText } from "../text/space-time-text.ts";
import { useText } from "../text/use-text.ts";
import { Choose } from "./choose.tsx";
import { CutBar } from "./cut-bar.tsx";
import { Diagram } from "./diagram.tsx";
import { type Stretch, whole, zoomed } from "./geometry.ts";
import type { Axis, Places } from "./places.ts";
import type { BranchId } from "../../worker/port.ts";
import { type Around, AroundButtons, EventList } from "./list.tsx";
import { modelOf } from "./model.ts";
import { Restored } from "./restore-cut.tsx";

export default function SpaceTimePanel(): ReactElement | null {
  const branch = useApp(branchOf);
  return branch === null || branch.length === 0 ? null : <Shown branch={branch} />;
}

function Shown({ branch }: { readonly branch: BranchRun }): ReactElement {
  const words = useSpaceTimeText();
  const [axis, setAxis] = useState<Axis>("time");
  const { space, places, barriers } = modelOf(branch.run, axis);
  const all = whole(places);
  const [chosen, setStretch] = useState<Stretch | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const [own, setOwn] = useState<{ readonly branch: BranchId; readonly cut: Cut } | null>(null);
  const { id, command } = branch.branch;
  const drawn = own?.branch === id ? own.cut : null;
  const setCut = (cut: Cut | null): void => setOwn(cut === null ? null : { branch: id, cut });
  const isRestored = command?.do === "restore-cut";
  const taken = isRestored ? takenCut(space, branch.run.log, (each) => branch.run.jobs.at(each).graph) : null;
  const cut = drawn ?? taken;
  const [crowded, setCrowded] = useState(false);
  const [around, setAround] = useState<Around | null>(null);
  const step = useApp((app) => Math.min(app.step, branch.length - 1));
  const names = space.lifelines.map(({ kind, name }) => words.lifeline(kind, name));
  const stretch = chosen ?? all;
  const verdict = cut === null ? null : judgeCut(space, cut);
  const broken = verdict?.violations.filter((message) => recordOf(branch.run.log, message) >= 0) ?? [];
  // What a job was started from is told by its records: all else ended with the job before.
  const seen = drawn === null && verdict !== null ? { ...verdict, violations: broken } : verdict;
  const shown = { branch, space, places, names, axis, stretch, all, step, pointed, cut, verdict: seen, barriers };
  return (
    <div className="space-time">
      <Bar {...shown} cut={drawn} setAxis={setAxis} setStretch={setStretch} setCut={setCut} />
      <Diagram
        {...shown}
        movable={drawn !== null}
        setStretch={setStretch}
        setPointed={setPointed}
        setCut={setCut}
        tellCrowded={setCrowded}
      />
      {isRestored ? <Restored branch={branch} broken={taken === null ? null : broken.length} /> : null}
      {drawn === null || verdict === null ? null : (
        <CutBar {...{ space, names, verdict, branch, step, barriers, setCut }} cut={drawn} />
      )}
      <div className="space-time-told">
        <Told run={branch.run} space={space} names={names} step={pointed ?? step} />
        <AroundButtons step={pointed ?? step} setAround={setAround} />
      </div>
      <p className="muted space-time-hint">{crowded ? words.crowded : words.hint}</p>
      <EventList {...{ branch, space, places, names, stretch, around, setAround }} point={setPointed} />
    </div>
  );
}

interface ToldProps {
  readonly run: Run;
  readonly space: SpaceTime;
  readonly names: readonly string[];
  readonly step: number;
}

function Told({ run, space, names, step }: ToldProps): ReactElement {
  const text = useText();
  const words = useSpaceTimeText();
  return (
    <output className="space-time-says">
      {words.at(run.log.clock(step), at(names, space.lineOf(step)), sentenceOf(run, step, text))}
    </output>
  );
}

interface BarProps {
  readonly branch: BranchRun;
  readonly space: SpaceTime;
  readonly places: Places;
  readonly axis: Axis;
  readonly stretch: Stretch;
  readonly all: Stretch;
  readonly step: number;
  readonly pointed: number | null;
  readonly cut: Cut | null;
  readonly setAxis: (axis: Axis) => void;
  readonly setStretch: (stretch: Stretch | null) => void;
  readonly setCut: (cut: Cut | null) => void;
}

function Bar(props: BarProps): ReactElement {
  const { branch, space, axis, step, cut, setAxis, setStretch, setCut } = props;
  const words = useSpaceTimeText();
  const { checkpoints } = factsOf(branch.run).timeline;
  return (
    <div className="panel-bar">
      <Choose
        label={words.axis}
        named
        value={axis}
        options={(["time", "order"] as const).map((value) => ({ value, label: words.axes[value] }))}
        choose={(value) => {
          setAxis(value === "order" ? "order" : "time");
          setStretch(null);
        }}
      />
      <Choose
        label={words.zoomTo}
        value=""
        options={[
          { value: "", label: words.zoomTo },
          ...checkpoints.map(({ id }) => ({ value: String(id), label: words.alignment(id) })),
        ]}
        choose={(value) => setStretch(stretchOf(props, Number(value)))}
      />
      <IconButton label={words.nearer} onClick={() => setStretch(nearer(props, 0.5))}>
        <Plus aria-hidden />
      </IconButton>
      <IconButton label={words.farther} onClick={() => setStretch(nearer(props, 2))}>
        <Minus aria-hidden />
      </IconButton>
      <IconButton label={words.whole} onClick={() => setStretch(null)}>
        <Maximize aria-hidden />
      </IconButton>
      <button
        type="button"
        className="button small"
        aria-pressed={cut !== null}
        onClick={() => setCut(cut === null ? cutAt(space, step) : null)}
      >
        <Scissors aria-hidden />
        {words.cut.tool}
      </button>
      <Legend />
    </div>
  );
}

/** Around what is pointed at, or the cursor, or the middle. */
function nearer({ places, pointed, step, stretch, all }: BarProps, factor: number): Stretch {
  const place = places.at(pointed ?? step);
  const around = place >= stretch.from && place <= stretch.to ? place : (stretch.from + stretch.to) / 2;
  return zoomed(stretch, factor, around, all);
}

/** From a checkpoint's trigger to its end. */
function stretchOf({ branch, places, space }: BarProps, checkpoint: number): Stretch | null {
  const span = factsOf(branch.run).timeline.checkpoints.find(({ id }) => id === checkpoint);
  if (span === undefined) return null;
  const from = places.at(span.fromStep);
  const to = places.at(span.toStep < 0 ? space.length - 1 : span.toStep);
  const room = (to - from) * 0.05;
  return { from: from - room, to: to + room };
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
