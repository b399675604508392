/** Where two runs first differ, and what follows from that: each therefore is a way of causes that the log has. */
import { Crosshair } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { type RunDiff, consequences, isEmpty, runDiff } from "../../projection/run-diff.ts";
import { factsOf } from "../facts.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import type { Run } from "../run.ts";
import { useCompareText } from "../text/compare-text.ts";
import { useText } from "../text/use-text.ts";
import { nameOfRun } from "./names.ts";
import type { ComparedRun } from "./runs.ts";
import type { SideBySide } from "./side-by-side.ts";

/** The difference of two runs that have ended; `null`: they are not two, or not over. */
export function useDifference(runs: readonly ComparedRun[]): RunDiff | null {
  const over = runs.flatMap(({ run, report }) => (run === null || report === null ? [] : [run]));
  const two = runs.length === 2 && over.length === 2;
  const [first = null, second = null] = over;
  return useMemo(
    () => (two && first !== null && second !== null ? runDiff(first, second) : null),
    [two, first, second],
  );
}

interface DifferenceProps {
  readonly side: SideBySide;
  readonly runs: readonly ComparedRun[];
  readonly diff: RunDiff;
}

export function Difference({ side, runs, diff }: DifferenceProps): ReactElement {
  const words = useCompareText();
  const { divergence } = diff;
  return (
    <section className="compare-difference" aria-label={words.difference}>
      <h3 className="small-title">{words.difference}</h3>
      {isEmpty(diff) || divergence === null ? (
        <p>{words.identical}</p>
      ) : (
        <>
          <ul>
            {runs.map((compared) => (
              <AtDivergence key={compared.id} compared={compared} step={divergence} />
            ))}
          </ul>
          <button type="button" className="button small" onClick={() => side.toEvent(divergence)}>
            <Crosshair aria-hidden />
            {words.goThere}
          </button>
          <p className="muted">
            {words.counts(diff.onlyA.length, diff.onlyB.length, diff.changed.length, diff.moved.length)}
          </p>
        </>
      )}
    </section>
  );
}

function AtDivergence({ compared, step }: { readonly compared: ComparedRun; readonly step: number }): ReactElement {
  const words = useCompareText();
  const text = useText();
  const { run } = compared;
  return (
    <li>
      <strong>{words.inRun(nameOfRun(compared, words))}</strong>{" "}
      {run === null || step >= run.log.length ? (
        words.isOver
      ) : (
        <>
          <span className="muted">{words.diverges(step, clockTime(run.log.clock(step)))}</span>{" "}
          {sentenceOf(run, step, text)}
        </>
      )}
    </li>
  );
}

/** Consequences that are told of each run. */
const TOLD = 8;

export function Follows({ side, runs, diff }: DifferenceProps): ReactElement {
  const words = useCompareText();
  return (
    <section className="compare-difference compare-follows" aria-label={words.follows}>
      <h3 className="small-title">{words.follows}</h3>
      {runs.map((compared, index) => {
        const own =
          index === 0
            ? new Set([...diff.onlyA, ...[...diff.changed, ...diff.moved].map(({ a }) => a)])
            : new Set([...diff.onlyB, ...[...diff.changed, ...diff.moved].map(({ b }) => b)]);
        return compared.run === null ? null : (
          <FollowsIn key={compared.id} side={side} compared={compared} run={compared.run} own={own} />
        );
      })}
    </section>
  );
}

interface FollowsInProps {
  readonly side: SideBySide;
  readonly compared: ComparedRun;
  readonly run: Run;
  readonly own: ReadonlySet<number>;
}

function FollowsIn({ side, compared, run, own }: FollowsInProps): ReactElement {
  const words = useCompareText();
  const text = useText();
  const told = useMemo(() => {
    const { explainer } = factsOf(run);
    return consequences(run.log, own, (step) => explainer.sentence(step).level === "headline").slice(0, TOLD);
  }, [run, own]);
  return (
    <div>
      <p>
        <strong>{nameOfRun(compared, words)}</strong>
      </p>
      {told.length === 0 ? <p className="muted">{words.nothingFollows}</p> : null}
      <ol>
        {told.map(({ step, because }) => (
          <li key={step}>
            <button
              type="button"
              className="link-button event-jump"
              aria-label={words.showIn(step)}
              onClick={() => side.toEvent(step)}
            >
              {clockTime(run.log.clock(step))}
            </button>{" "}
            {because === null ? null : <em>{words.therefore} </em>}
            {sentenceOf(run, step, text)}
          </li>
        ))}
      </ol>
    </div>
  );
}
