import type { ReactElement } from "react";
import type { Outcome } from "../../view/theme.ts";
import { useText } from "../text/use-text.ts";

/** `null`: it cannot be told yet. */
export function OutcomeWord({ outcome }: { readonly outcome: Outcome | null }): ReactElement {
  const text = useText();
  if (outcome === null) return <span className="muted">{text.outcome.untold}</span>;
  return (
    <span className="outcome-word" data-outcome={outcome}>
      <OutcomeGlyph outcome={outcome} solid />
      {text.outcome.words[outcome]}
    </span>
  );
}

/** A shape for each outcome, so that none is told by its colour alone. */
export function OutcomeGlyph({ outcome, solid }: { readonly outcome: Outcome; readonly solid: boolean }): ReactElement {
  const paint = solid ? { fill: "currentColor" } : { fill: "none", stroke: "currentColor", strokeWidth: 1.6 };
  return (
    <svg className="outcome-glyph" viewBox="0 0 12 12" aria-hidden focusable="false">
      {outcome === "OK" ? <path d="M6 1 11 6 6 11 1 6z" {...paint} /> : null}
      {outcome === "DUPLICATE" ? (
        <>
          <path d="M4.5 1.5h6v6h-6z" {...paint} />
          <path d="M2.6 4.4H1.4v6.2h6.2V9.4" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </>
      ) : null}
      {outcome === "LOSS" ? <path d="m2 2 8 8M10 2l-8 8" fill="none" stroke="currentColor" strokeWidth="2.2" /> : null}
      {outcome === "STUCK" ? (
        <path d="M2.5 1.5v9M6 1.5v9M9.5 1.5v9" fill="none" stroke="currentColor" strokeWidth="1.9" />
      ) : null}
    </svg>
  );
}
