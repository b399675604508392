/** What follows from the difference in each of two runs: each therefore is a way of causes that the log has. */
import { type ReactElement, useMemo } from "react";
import { consequences, ownSteps } from "../../projection/run-diff.ts";
import { factsOf } from "../facts.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import { useCompareText } from "../text/compare-text.ts";
import { useText } from "../text/use-text.ts";
import { nameOfRun } from "./names.ts";
import { SideMark } from "./side-mark.tsx";
import type { SideBySide } from "./side-by-side.ts";
import type { OneOfTwo, Two } from "./two.ts";

/** Consequences that are told of each run. */
const TOLD = 8;

interface FollowsProps {
  readonly side: SideBySide;
  readonly two: Two;
}

export function Follows({ side, two }: FollowsProps): ReactElement {
  const words = useCompareText();
  return (
    <section className="compare-part compare-follows" aria-label={words.follows}>
      <h3 className="small-title">{words.follows}</h3>
      <FollowsIn side={side} one={two.a} diff={two.diff} />
      <FollowsIn side={side} one={two.b} diff={two.diff} />
    </section>
  );
}

interface FollowsInProps {
  readonly side: SideBySide;
  readonly one: OneOfTwo;
  readonly diff: Two["diff"];
}

function FollowsIn({ side, one: { side: name, run, compared }, diff }: FollowsInProps): ReactElement {
  const words = useCompareText();
  const text = useText();
  const told = useMemo(() => {
    const { explainer } = factsOf(run);
    const isTold = (step: number): boolean => explainer.sentence(step).level === "headline";
    return consequences(run.log, ownSteps(diff, name), isTold).slice(0, TOLD);
  }, [run, diff, name]);
  return (
    <div>
      <p>
        <SideMark side={name} /> <strong>{nameOfRun(compared, words)}</strong>
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
