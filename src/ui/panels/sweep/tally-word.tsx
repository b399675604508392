import type { ReactElement } from "react";
import { OutcomeGlyph } from "../../controls/outcome-word.tsx";
import { useSweepText } from "../../text/sweep-text.ts";
import { useText } from "../../text/use-text.ts";
import type { Tally } from "./shown.ts";

/** An outcome in the app's words, or that there is none: a shape, a word and a colour. */
export function TallyWord({ tally }: { readonly tally: Tally }): ReactElement {
  const { outcome } = useText();
  const { pending } = useSweepText();
  return (
    <span className="outcome-word" data-outcome={tally}>
      {tally === "pending" ? (
        <svg className="outcome-glyph" viewBox="0 0 12 12" aria-hidden focusable="false">
          <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.2 1.6" />
        </svg>
      ) : (
        <OutcomeGlyph outcome={tally} solid />
      )}
      {tally === "pending" ? pending : outcome.words[tally]}
    </span>
  );
}
