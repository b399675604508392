/** A choice from a list. */
import type { ReactElement } from "react";

interface ChooseProps {
  readonly label: string;
  /** Is the label seen, or only read out? */
  readonly named?: boolean;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly choose: (value: string) => void;
}

export function Choose({ label, named = false, value, options, choose }: ChooseProps): ReactElement {
  return (
    <label className="select">
      {named ? <span className="select-name">{label}</span> : null}
      <select
        aria-label={named ? undefined : label}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
