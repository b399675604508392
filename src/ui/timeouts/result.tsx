/** What the figures come to: the verdict, the inequalities, and the transaction that decides it as two bars of time. */
import { Check, TriangleAlert, X } from "lucide-react";
import type { ReactElement } from "react";
import type { TimeoutsOutcome } from "../../scenario/timeouts/first-loss.ts";
import { type Inequality, inequalitiesOf } from "../../scenario/timeouts/inequalities.ts";
import type { Timeouts } from "../../scenario/timeouts/timeouts.ts";
import type { Outcome } from "../../view/theme.ts";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { duration } from "../format.ts";
import { useTimeoutsText } from "../text/timeouts-text.ts";
import { Bars } from "./bars.tsx";

interface ResultProps {
  readonly timeouts: Timeouts;
  /** `null`: some figure cannot be read. */
  readonly outcome: TimeoutsOutcome | null;
}

const wordOf: { readonly [K in TimeoutsOutcome["kind"]]: Outcome } = {
  none: "OK",
  loss: "LOSS",
  "restart-loop": "STUCK",
};

export function Result({ timeouts, outcome }: ResultProps): ReactElement {
  const words = useTimeoutsText();
  if (outcome === null) return <p className="timeouts-result muted">{words.unread}</p>;
  const { title, body } = words.verdict(outcome);
  const inequalities = inequalitiesOf(timeouts);
  const survived = inequalities.find(({ id }) => id === "outage-survived");
  return (
    <div className="timeouts-result">
      <section className="timeouts-verdict" data-outcome={wordOf[outcome.kind]} aria-label={words.verdictLabel}>
        <h3>
          <OutcomeWord outcome={wordOf[outcome.kind]} /> {title}
        </h3>
        <p>{body}</p>
        <output className="visually-hidden">{title}</output>
      </section>
      {survived === undefined ? null : <Bars survived={survived} timeouts={timeouts} />}
      <h3 className="timeouts-heading">{words.inequalitiesLabel}</h3>
      <ul className="timeouts-inequalities" aria-label={words.inequalitiesLabel}>
        {inequalities.map((each) => (
          <InequalityRow key={each.id} inequality={each} />
        ))}
      </ul>
      <p className="timeouts-note">{words.equal}</p>
      <p className="timeouts-note">
        <strong>{words.classic.title}.</strong> {words.classic.body}
      </p>
    </div>
  );
}

function InequalityRow({ inequality }: { readonly inequality: Inequality }): ReactElement {
  const words = useTimeoutsText();
  const { id, holds, have, need, of, rules, source } = inequality;
  const { title, have: haveName, fails } = words.inequalities[id];
  const state = holds ? "holds" : id === "room" ? "advice" : "fails";
  const Icon = { holds: Check, fails: X, advice: TriangleAlert }[state];
  const there = Number.isFinite(have) ? duration(have) : words.noLimit;
  return (
    <li data-state={state} data-inequality={id}>
      <p className="timeouts-title">
        <span className="timeouts-state">
          <Icon aria-hidden />
          {words[state]}
        </span>
        {title}
      </p>
      <p className="timeouts-figures">
        <span>{of.map(({ name, value }) => `${words.summand(name)} ${duration(value)}`).join(" + ")}</span>{" "}
        {need === null ? (
          <strong>{words.never}</strong>
        ) : (
          <>
            {of.length > 1 ? <strong>= {duration(need)} </strong> : null}
            <strong aria-hidden>{holds ? "≤" : ">"}</strong> {haveName} <strong>{there}</strong>
            {Number.isFinite(have) ? (
              <span className="muted">, {have >= need ? words.spare(have - need) : words.short(need - have)}</span>
            ) : null}
          </>
        )}
      </p>
      {holds ? null : <p className="timeouts-fails">{fails}</p>}
      <p className="timeouts-source">{words.source(rules, source)}</p>
    </li>
  );
}
