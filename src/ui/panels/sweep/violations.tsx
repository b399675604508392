import { TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { SweepTotals } from "../../../scenario/exploration.ts";
import type { Session } from "../../store.ts";
import { type Sweep, failureName } from "../../sweep.ts";
import type { SweepTarget } from "../../sweep-machine.ts";
import { useSweepText } from "../../text/sweep-text.ts";

/** Violations that are told one by one. */
const TOLD = 3;

interface ViolationsProps {
  readonly session: Session;
  readonly sweep: Sweep;
  readonly target: SweepTarget;
  readonly totals: SweepTotals;
}

/** Defects of this program that the sweep has found. */
export function Violations({ session, sweep, target, totals: { violations } }: ViolationsProps): ReactElement | null {
  const words = useSweepText();
  if (violations.length === 0) return null;
  return (
    <div className="sweep-trouble" role="alert">
      <TriangleAlert aria-hidden />
      <div>
        <p>{words.violations(violations.length)}</p>
        <ul>
          {violations.slice(0, TOLD).map(({ invariant, message, injections }) => {
            const name = failureName(session, target.branch, injections);
            return (
              <li key={`${invariant} ${name}`}>
                <strong>{words.violation(invariant)}</strong> {message}{" "}
                <button type="button" className="link-button" onClick={() => sweep.open(injections)}>
                  {name}
                </button>
              </li>
            );
          })}
        </ul>
        {violations.length > TOLD ? <p className="muted">{words.more(violations.length - TOLD)}</p> : null}
      </div>
    </div>
  );
}
