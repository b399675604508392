import type { ReactElement } from "react";
import { type SweepTotals, sweepFlags } from "../../../scenario/exploration.ts";
import { count } from "../../format.ts";
import { useSweepText } from "../../text/sweep-text.ts";
import { tallied, tallies } from "./shown.ts";
import { TallyWord } from "./tally-word.tsx";

/** What else the runs show, and how many they are. */
export function Beside({ totals }: { readonly totals: SweepTotals }): ReactElement {
  const words = useSweepText();
  return (
    <>
      <Flags totals={totals} />
      {totals.covered === "" ? null : (
        <p className="sweep-note">
          <strong>{words.covered}</strong> {totals.covered}
        </p>
      )}
      <p className="sweep-note muted">{words.distinct(totals.distinct, totals.runs - totals.distinct)}</p>
    </>
  );
}

/** How many runs came to what. */
export function OutcomeCounts({ totals }: { readonly totals: SweepTotals }): ReactElement {
  const words = useSweepText();
  const sums = tallied(totals);
  const { broken, "effectively-once": effectively } = totals.outcomes;
  const notes: { readonly [T in (typeof tallies)[number]]: string } = {
    OK: effectively > 0 ? words.effectively(effectively) : words.outcomes.OK,
    DUPLICATE: words.outcomes.DUPLICATE,
    LOSS: broken > 0 ? words.both(broken) : words.outcomes.LOSS,
    pending: words.outcomes.pending,
  };
  return (
    <dl className="sweep-outcomes" aria-label={words.totals}>
      {tallies.map((tally) => (
        <div key={tally} className={sums[tally] === 0 ? "sweep-outcome none" : "sweep-outcome"}>
          <dt>
            <TallyWord tally={tally} />
          </dt>
          <dd data-testid={`sweep-${tally}`}>{count(sums[tally])}</dd>
          <dd className="muted">{notes[tally]}</dd>
        </div>
      ))}
    </dl>
  );
}

function Flags({ totals }: { readonly totals: SweepTotals }): ReactElement | null {
  const words = useSweepText();
  const raised = sweepFlags.filter((flag) => totals.flags[flag] > 0);
  if (raised.length === 0) return null;
  return (
    <div className="sweep-note">
      <strong>{words.flagTitle}</strong>
      <ul className="sweep-flags">
        {raised.map((flag) => (
          <li key={flag}>{words.flags[flag](totals.flags[flag])}</li>
        ))}
      </ul>
    </div>
  );
}
