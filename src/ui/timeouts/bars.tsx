/** What a transaction needs over the outage, and how long the broker waits, on one scale. */
import type { ReactElement } from "react";
import type { Inequality, Summand } from "../../scenario/timeouts/inequalities.ts";
import type { Timeouts } from "../../scenario/timeouts/timeouts.ts";
import { useTimeoutsText } from "../text/timeouts-text.ts";
import { exactly } from "./figures.ts";

/** The parts that are drawn one by one; what is shorter is told in the list. */
const drawn: readonly Summand[] = ["period", "duration", "recovery", "redeploy"];

interface BarsProps {
  readonly survived: Inequality;
  readonly timeouts: Timeouts;
}

export function Bars({ survived, timeouts }: BarsProps): ReactElement {
  const words = useTimeoutsText();
  const { of, need } = survived;
  const { transactionTimeout, cleanup } = timeouts;
  const needed = of.reduce((sum, { value }) => sum + value, 0);
  const scale = Math.max(needed, transactionTimeout + cleanup);
  const share = (value: number): string => `${(100 * value) / scale}%`;
  return (
    <dl className="timeouts-bars" aria-label={words.barLabel}>
      <div>
        <dt>{words.needs}</dt>
        <dd>
          <div className="timeouts-bar" aria-hidden>
            {of.map(({ name, value }) => (
              <i key={name} data-part={name} style={{ width: share(value) }} title={words.summand(name)} />
            ))}
            {need === null ? <i data-part="never" /> : null}
          </div>
          <p>
            {need === null ? words.never : exactly(needed)}
            <span className="timeouts-legend">
              {of
                .filter(({ name, value }) => drawn.includes(name) && value > 0)
                .map(({ name, value }) => (
                  <span key={name} data-part={name}>
                    {words.summand(name)} {exactly(value)}
                  </span>
                ))}
            </span>
          </p>
        </dd>
      </div>
      <div>
        <dt>{words.has}</dt>
        <dd>
          <div className="timeouts-bar" aria-hidden>
            <i data-part="timeout" style={{ width: share(transactionTimeout) }} />
            <i data-part="late" style={{ width: share(cleanup) }} />
          </div>
          <p>
            {exactly(transactionTimeout)}
            <span className="timeouts-legend">
              <span data-part="late">{words.looks(cleanup)}</span>
            </span>
          </p>
        </dd>
      </div>
    </dl>
  );
}
