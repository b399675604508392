/** Where two runs first differ. */
import { Crosshair } from "lucide-react";
import type { ReactElement } from "react";
import { isEmpty } from "../../projection/run-diff.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import { useCompareText } from "../text/compare-text.ts";
import { useText } from "../text/use-text.ts";
import { nameOfRun } from "./names.ts";
import { SideMark } from "./side-mark.tsx";
import type { SideBySide } from "./side-by-side.ts";
import type { OneOfTwo, Two } from "./two.ts";

interface DifferenceProps {
  readonly side: SideBySide;
  /** `null`: one of them is not over. */
  readonly two: Two | null;
}

export function Difference({ side, two }: DifferenceProps): ReactElement {
  const words = useCompareText();
  return (
    <section className="compare-part compare-difference" aria-label={words.difference}>
      <h3 className="small-title">{words.difference}</h3>
      {two === null ? <p className="muted">{words.notOver}</p> : <Found side={side} two={two} />}
    </section>
  );
}

function Found({ side, two }: { readonly side: SideBySide; readonly two: Two }): ReactElement {
  const words = useCompareText();
  const { diff, a, b } = two;
  const { divergence } = diff;
  if (isEmpty(diff) || divergence === null) return <p>{words.identical}</p>;
  return (
    <>
      <ul>
        {[a, b].map((one) => (
          <AtDivergence key={one.side} one={one} step={divergence} />
        ))}
      </ul>
      <p className="compare-divergence-foot">
        <button type="button" className="button small" onClick={() => side.toEvent(divergence)}>
          <Crosshair aria-hidden />
          {words.goThere}
        </button>
        <span className="muted">
          {words.counts(diff.onlyA.length, diff.onlyB.length, diff.changed.length, diff.moved.length)}
        </span>
      </p>
    </>
  );
}

function AtDivergence({ one, step }: { readonly one: OneOfTwo; readonly step: number }): ReactElement {
  const words = useCompareText();
  const text = useText();
  const { run, compared } = one;
  return (
    <li>
      <SideMark side={one.side} /> <strong>{words.inRun(nameOfRun(compared, words))}</strong>{" "}
      {step >= run.log.length ? (
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
