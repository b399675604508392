import type { ReactElement } from "react";
import { type TimeoutField, type Timeouts, bounds, outOfBounds } from "../../scenario/timeouts/timeouts.ts";
import { useTimeoutsText } from "../text/timeouts-text.ts";

export type Texts = { readonly [F in TimeoutField]: string };

const groups = {
  checkpoints: ["interval", "duration", "checkpointTimeout"],
  restarts: ["outage", "detection", "attempts", "delay", "slotTimeout", "redeploy"],
  transactions: ["transactionTimeout", "brokerLimit", "cleanup"],
} as const satisfies { readonly [group: string]: readonly TimeoutField[] };

interface TimeoutFieldsProps {
  readonly texts: Texts;
  readonly timeouts: Timeouts;
  readonly wrong: readonly TimeoutField[];
  readonly change: (texts: Texts) => void;
}

export function TimeoutFields({ texts, timeouts, wrong, change }: TimeoutFieldsProps): ReactElement {
  const words = useTimeoutsText();
  return (
    <form className="timeouts-form" onSubmit={(event) => event.preventDefault()}>
      {(["transactions", "checkpoints", "restarts"] as const).map((group) => (
        <fieldset key={group}>
          <legend>{words.groups[group]}</legend>
          {groups[group].map((field) => (
            <Field
              key={field}
              field={field}
              text={texts[field]}
              problem={wrong.includes(field) ? (outOfBounds(timeouts, field) ?? bounds[field]) : null}
              change={(text) => change({ ...texts, [field]: text })}
            />
          ))}
        </fieldset>
      ))}
    </form>
  );
}

interface FieldProps {
  readonly field: TimeoutField;
  readonly text: string;
  readonly problem: { readonly least: number; readonly most: number } | null;
  readonly change: (text: string) => void;
}

function Field({ field, text, problem, change }: FieldProps): ReactElement {
  const words = useTimeoutsText();
  const id = `timeouts-${field}`;
  const { label, key } = words.fields[field];
  const attempts = field === "attempts";
  return (
    <div className="timeouts-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="text-input"
        inputMode={attempts ? "numeric" : "text"}
        autoComplete="off"
        spellCheck={false}
        value={text}
        placeholder={attempts ? words.unlimited : undefined}
        aria-describedby={`${id}-key`}
        aria-invalid={problem !== null}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <p id={`${id}-key`} className={problem === null ? "timeouts-key" : "timeouts-key wrong"}>
        {problem === null
          ? key
          : attempts
            ? words.notNumber(problem.least, problem.most)
            : words.notDuration(problem.least, problem.most)}
      </p>
    </div>
  );
}
