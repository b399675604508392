/** Folded idle time along a track: a notch for each span, with its length where there is room for it. */
import type { ReactElement } from "react";
import type { Fold } from "../../view/clock.ts";
import { useText } from "../text/use-text.ts";
import { notches } from "./notches.ts";

interface FoldMarksProps {
  readonly folds: readonly Fold[];
  readonly total: number;
  /** Of the track, in CSS pixels. */
  readonly width: number;
}

export function FoldMarks({ folds, total, width }: FoldMarksProps): ReactElement {
  const { transport } = useText();
  return (
    <>
      {notches(folds, total, width).map(({ fold: { from, to, simulated }, labelled }) => (
        <i
          key={from}
          className="fold"
          style={{ left: `${((from + to) / 2 / total) * 100}%` }}
          title={transport.folded(simulated)}
        >
          {labelled ? <span className="fold-label">{transport.fold(simulated)}</span> : null}
        </i>
      ))}
    </>
  );
}
