/** A failure as a handle on the timeline: dragged, or moved by keys, while what the run would come to is computed anew. */
import { type KeyboardEvent, type ReactElement, type ReactNode, memo, useEffect, useRef, useState } from "react";
import type { Outcome } from "../../view/theme.ts";
import { OutcomeGlyph } from "../controls/outcome-word.tsx";
import { useController } from "../controller-context.ts";
import type { Controller } from "../controller.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import { Row } from "../panels/timeline-span.tsx";
import type { BranchRun, Session } from "../store.ts";
import { useCrashText } from "../text/crash-text.ts";
import { useText } from "../text/use-text.ts";
import type { TimelineMarks } from "../timeline-marks.ts";
import { CrashBar } from "./crash-bar.tsx";
import type { CrashDrag, CrashState } from "./crash-drag.ts";
import { outcomeOfLanding } from "./landing.ts";
import { phaseFrom } from "./phase-from.ts";
import { type Given, givenBy, useCrashDrag } from "./use-crash-drag.ts";
import "../styles/crash.css";

interface CrashRowsProps {
  readonly session: Session;
  readonly branch: BranchRun;
  readonly marks: TimelineMarks;
  readonly toggle: ReactNode;
}

export default function CrashRows({ session, branch, marks, toggle }: CrashRowsProps): ReactElement {
  const controller = useController();
  const [given] = useState(() => givenBy(session, branch.branch.id));
  // A failure that struck is taken up again where it did: in the run that it had struck.
  useEffect(() => {
    if (given !== null) controller.showAt(given.parent, Math.max(0, given.step - 1));
  }, [controller, given]);
  const { id } = branch.branch;
  if (branch.report === null) return <Row name={toggle}>{null}</Row>;
  const mine = id === given?.parent ? given : null;
  return (
    <Dragged
      key={`${session.number}:${id}`}
      session={session}
      branch={branch}
      marks={marks}
      toggle={toggle}
      given={mine}
    />
  );
}

function Dragged({
  session,
  branch,
  marks,
  toggle,
  given,
}: CrashRowsProps & { readonly given: Given | null }): ReactElement {
  const controller = useController();
  const [drag, state] = useCrashDrag(session, branch.branch.id, given);
  const open = (): void => {
    const injection = drag.injection();
    controller.decide(branch.branch.id, [injection], injection.step);
  };
  return (
    <>
      <Row name={toggle} className="crash-row">
        <Track branch={branch} marks={marks} drag={drag} state={state} open={open} />
      </Row>
      <CrashBar branch={branch} drag={drag} state={state} open={open} />
    </>
  );
}

interface TrackProps {
  readonly branch: BranchRun;
  readonly marks: TimelineMarks;
  readonly drag: CrashDrag;
  readonly state: CrashState;
  readonly open: () => void;
}

function Track({ branch, marks, drag, state, open }: TrackProps): ReactElement {
  return (
    <div className="crash-track">
      <Strip branch={branch} total={marks.total} landings={state.landings} />
      <Handle branch={branch} total={marks.total} drag={drag} state={state} open={open} />
    </div>
  );
}

/** The stage shows the instant at which it strikes. */
function moveTo(drag: CrashDrag, controller: Controller, step: number): void {
  drag.move(step);
  controller.goTo(drag.store.getState().step);
}

/**
 * While a hand drags, the stage follows with the next picture: the verdict does not wait for it, and places that were passed
 * meanwhile are not drawn.
 */
function useFollowing(drag: CrashDrag): () => void {
  const controller = useController();
  const asked = useRef(0);
  useEffect(() => () => cancelAnimationFrame(asked.current), []);
  return () => {
    cancelAnimationFrame(asked.current);
    asked.current = requestAnimationFrame(() => controller.goTo(drag.store.getState().step));
  };
}

/** What each place that is known comes to, up to where the next one is known. Drawn again only when more is known. */
const Strip = memo(function Strip({
  branch,
  total,
  landings,
}: {
  readonly branch: BranchRun;
  readonly total: number;
  readonly landings: CrashState["landings"];
}): ReactElement {
  const { clock } = branch.run;
  const steps = [...landings.keys()].sort((a, b) => a - b);
  return (
    <>
      {steps.map((step, index) => {
        const from = clock.presentationOf(step);
        const next = steps[index + 1];
        const to = next === undefined ? total : clock.presentationOf(next);
        const landing = landings.get(step);
        return (
          <i
            key={step}
            className="crash-column"
            data-outcome={landing === undefined ? undefined : outcomeOfLanding(landing)}
            style={{ left: `${(from / total) * 100}%`, width: `${((to - from) / total) * 100}%` }}
          />
        );
      })}
    </>
  );
});

type HandleProps = Omit<TrackProps, "marks"> & { readonly total: number };

function Handle(props: HandleProps): ReactElement {
  const { branch, total, state } = props;
  const landing = state.landings.get(state.step);
  const outcome = landing === undefined ? null : outcomeOfLanding(landing);
  const place = branch.run.clock.presentationOf(state.step);
  return (
    <>
      <span
        className="crash-handle"
        data-outcome={outcome ?? undefined}
        style={{ left: `${(place / total) * 100}%` }}
        aria-hidden
      >
        {outcome === null ? "…" : <OutcomeGlyph outcome={outcome} solid />}
      </span>
      <HandleInput {...props} place={place} outcome={outcome} />
    </>
  );
}

/** What a hand and the keys move: it lies over the handle, and is not seen. */
function HandleInput({
  branch,
  total,
  drag,
  state,
  open,
  place,
  outcome,
}: HandleProps & { readonly place: number; readonly outcome: Outcome | null }): ReactElement {
  const text = useText();
  const crash = useCrashText();
  const controller = useController();
  const follow = useFollowing(drag);
  const { clock, log } = branch.run;
  const failure = commandName(drag.injection().command, text);
  const comesTo = outcome === null ? crash.computing : text.outcome.words[outcome];
  const keys = (event: KeyboardEvent): void => {
    const act = handleKeys(drag, controller, branch, open)[`${event.shiftKey ? "Shift+" : ""}${event.key}`];
    if (act === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <input
      type="range"
      min={0}
      max={total}
      step="any"
      value={place}
      disabled={state.survey === null}
      aria-label={crash.handle}
      aria-valuetext={crash.value(failure, clockTime(log.clock(state.step)), comesTo)}
      onChange={(event) => {
        drag.move(clock.stepAt(Number(event.currentTarget.value)));
        follow();
      }}
      onKeyDown={keys}
    />
  );
}

function handleKeys(
  drag: CrashDrag,
  controller: Controller,
  branch: BranchRun,
  open: () => void,
): { readonly [key: string]: () => void } {
  const { step, chosen, survey } = drag.store.getState();
  const to = (target: number): void => moveTo(drag, controller, target);
  return {
    ArrowRight: () => to(step + 1),
    ArrowLeft: () => to(step - 1),
    "Shift+ArrowRight": () => to(phaseFrom(branch.run, step, 1)),
    "Shift+ArrowLeft": () => to(phaseFrom(branch.run, step, -1)),
    ArrowUp: () => drag.choose(chosen - 1),
    ArrowDown: () => drag.choose(chosen + 1),
    Home: () => to(0),
    End: () => to(survey?.length ?? 0),
    Enter: open,
  };
}
