/** What the figures come to: the verdict, the inequalities, and the transaction that decides it as two bars of time. */
import { Check, TriangleAlert, X } from "lucide-react";
import type { ReactElement } from "react";
import type { TimeoutsOutcome } from "../../scenario/timeouts/first-loss.ts";
import { type Inequality, inequalitiesOf } from "../../scenario/timeouts/inequalities.ts";
import type { Timeouts } from "../../scenario/timeouts/timeouts.ts";
import type { Outcome } from "../../view/theme.ts";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { useTimeoutsText } from "../text/timeouts-text.ts";
import { Bars } from "./bars.tsx";
import { exactly } from "./figures.ts";

const wordOf: { readonly [K in TimeoutsOutcome["kind"]]: Outcome } = {
  none: "OK",
  loss: "LOSS",
  "restart-loop": "STUCK",
};

/** `null`: some figure cannot be read. */
export function VerdictOf({ outcome }: { readonly outcome: TimeoutsOutcome | null }): ReactElement {
  const words = useTimeoutsText();
  const word = outcome === null ? null : wordOf[outcome.kind];
  const { title, body } = outcome === null ? { title: words.unread, body: "" } : words.verdict(outcome);
  return (
    <section className="timeouts-verdict" data-outcome={word} aria-label={words.verdictLabel}>
      <h3>
        {word === null ? null : <OutcomeWord outcome={word} />} {title}
      </h3>
      <p>{body}</p>
      <output className="visually-hidden">{title}</output>
    </section>
  );
}

export function Result({ timeouts }: { readonly timeouts: Timeouts }): ReactElement {
  const words = useTimeoutsText();
  const inequalities = inequalitiesOf(timeouts);
  const survived = inequalities.find(({ id }) => id === "outage-survived");
  return (
    <div className="timeouts-result">
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
  const there = Number.isFinite(have) ? exactly(have) : words.noLimit;
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
        <span>{of.map(({ name, value }) => `${words.summand(name)} ${exactly(value)}`).join(" + ")}</span>{" "}
        {need === null ? (
          <strong>{words.never}</strong>
        ) : (
          <>
            {of.length > 1 ? <strong>= {exactly(need)} </strong> : null}
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
