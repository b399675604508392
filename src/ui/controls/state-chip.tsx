import type { ReactElement } from "react";
import type { Look } from "../../view/machines/presentations.ts";

/** A state as Flink's dashboard colours it: swatch and icon carry the hue, the word stays in text colour. */
export function StateChip({ look, label }: { readonly look: Look; readonly label?: string }): ReactElement {
  return (
    <span className="state-chip">
      <i
        className="state-swatch"
        style={{ background: `var(--tone-${look.tone})`, borderColor: `var(--tone-${look.tone}-edge)` }}
        aria-hidden
      />
      {label ?? look.label}
    </span>
  );
}
