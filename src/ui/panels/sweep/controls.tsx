/** What is asked, the button that begins, pauses and goes on, and how far it is. */
import { Pause, Play, Square, Zap } from "lucide-react";
import { type ReactElement, type RefObject, useLayoutEffect, useRef } from "react";
import type { SweepTotals } from "../../../scenario/exploration.ts";
import { changeSettings } from "../../app-actions.ts";
import { percent } from "../../format.ts";
import type { Sweep } from "../../sweep.ts";
import { stepsOf } from "../../sweep.ts";
import type { SweepProgress } from "../../sweep-machine.ts";
import { useSweepText } from "../../text/sweep-text.ts";
import { useApp } from "../../use-app.ts";
import { type Shown, isRunning, tallied, tallies } from "./shown.ts";

interface ControlsProps {
  readonly sweep: Sweep;
  readonly shown: Shown;
  readonly main: RefObject<HTMLButtonElement | null>;
}

export function SweepControls({ sweep, shown, main }: ControlsProps): ReactElement {
  const running = isRunning(shown.state);
  return (
    <div className="sweep-controls">
      <div className="sweep-bar">
        <MainButton sweep={sweep} shown={shown} main={main} />
        {running ? <StopButton sweep={sweep} main={main} /> : null}
        <Question disabled={running} />
      </div>
      {shown.progress === null ? null : <Progress shown={shown} progress={shown.progress} />}
    </div>
  );
}

/** One button throughout, so that the focus stays where it is. */
function MainButton({ sweep, shown: { state, target }, main }: ControlsProps): ReactElement {
  const words = useSweepText();
  const branch = useApp((app) => app.branch);
  const computed = useApp(stepsOf) !== null;
  const { actor } = sweep;
  const button = (act: () => void, label: string, Icon: typeof Zap, primary: boolean): ReactElement => (
    <button
      ref={main}
      type="button"
      className={primary ? "button primary" : "button"}
      disabled={!computed && !isRunning(state)}
      onClick={act}
    >
      <Icon aria-hidden />
      {label}
    </button>
  );
  if (state === "going") return button(() => actor.send({ type: "pause" }), words.pause, Pause, false);
  if (state === "paused") return button(() => actor.send({ type: "resume" }), words.resume, Play, true);
  const label =
    state === "failed"
      ? words.retry
      : target === null
        ? words.start
        : target.branch === branch
          ? words.again
          : words.thisBranch;
  return button(() => sweep.start(), label, Zap, target === null || state === "failed");
}

function StopButton({ sweep, main }: Pick<ControlsProps, "sweep" | "main">): ReactElement {
  const { cancel } = useSweepText();
  const button = useRef<HTMLButtonElement>(null);
  // The button goes when the sweep ends: the focus must not go with it.
  useLayoutEffect(() => {
    const own = button.current;
    const other = main.current;
    return () => {
      if (document.activeElement === own) other?.focus();
    };
  }, [main]);
  return (
    <button ref={button} type="button" className="button" onClick={() => sweep.actor.send({ type: "cancel" })}>
      <Square aria-hidden />
      {cancel}
    </button>
  );
}

function Question({ disabled }: { readonly disabled: boolean }): ReactElement {
  const { question, questions } = useSweepText();
  const chosen = useApp((app) => app.settings.sweepFailures);
  return (
    <fieldset className="segments" disabled={disabled}>
      <legend className="visually-hidden">{question}</legend>
      {([1, 2] as const).map((failures) => (
        <label key={failures}>
          <input
            type="radio"
            name="sweep-failures"
            checked={chosen === failures}
            onChange={() => changeSettings({ sweepFailures: failures })}
          />
          <span>{questions[failures]}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ProgressProps {
  readonly shown: Shown;
  readonly progress: SweepProgress;
}

function Progress({ shown: { state }, progress }: ProgressProps): ReactElement {
  const words = useSweepText();
  const { done, total, totals } = progress;
  const share = total === 0 ? 0 : done / total;
  const said = wordsOf(state, progress, words);
  return (
    <div className="sweep-progress">
      <progress
        className="visually-hidden"
        aria-label={words.progress}
        max={100}
        value={Math.floor(share * 100)}
        aria-valuetext={said.join(", ")}
      />
      <div className="sweep-track" aria-hidden>
        <OutcomeBar totals={totals} share={share} />
      </div>
      <p className="sweep-figures" data-testid="sweep-figures">
        {said.map((each, index) => (
          <span key={index}>{each}</span>
        ))}
      </p>
    </div>
  );
}

/** What has been done, in the colours of what it came to. */
function OutcomeBar({ totals, share }: { readonly totals: SweepTotals; readonly share: number }): ReactElement {
  const sums = tallied(totals);
  return (
    <div className="sweep-done" style={{ width: `${share * 100}%` }}>
      {tallies.map((tally) =>
        sums[tally] === 0 ? null : <i key={tally} data-outcome={tally} style={{ flexGrow: sums[tally] }} />,
      )}
    </div>
  );
}

function wordsOf(
  state: Shown["state"],
  { done, total, totals, ran }: SweepProgress,
  words: ReturnType<typeof useSweepText>,
): readonly string[] {
  const seconds = ran / 1000;
  const share = percent(done, total);
  if (state === "done") return [words.done(totals.runs, seconds), words.rate(perSecond(totals, seconds))];
  if (state === "stopped" || state === "failed") return [words.runs(totals.runs), words.stopped(share)];
  const figures = [share, words.runs(totals.runs)];
  if (state === "paused") return [...figures, words.paused];
  if (seconds < 0.5 || done === 0) return figures;
  const left = Math.ceil((seconds * (total - done)) / done);
  return [...figures, words.rate(perSecond(totals, seconds)), words.left(left)];
}

function perSecond({ runs }: SweepTotals, seconds: number): number {
  return Math.round(runs / Math.max(seconds, 0.001));
}
