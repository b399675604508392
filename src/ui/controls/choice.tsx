/** A list to choose from, with its name before it, or told to screen readers only. */
import type { ReactElement, ReactNode } from "react";

interface ChoiceProps {
  readonly label: string;
  readonly quiet?: boolean;
  readonly value: string;
  readonly choose: (value: string) => void;
  readonly invalid?: boolean;
  /** Id of the words that say what is wrong. */
  readonly describedBy?: string;
  readonly children: ReactNode;
}

export function Choice({ label, quiet, value, choose, invalid, describedBy, children }: ChoiceProps): ReactElement {
  return (
    <label className="select">
      <span className={quiet === true ? "visually-hidden" : undefined}>{label}</span>
      <select
        value={value}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {children}
      </select>
    </label>
  );
}
