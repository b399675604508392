/** A key of the form: what it is called, its value and defaults, what it does and where, and what is said of it. */
import { Crosshair } from "lucide-react";
import { type ReactElement, type ReactNode, useId } from "react";
import type { Option } from "../../scenario/options.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import { Control } from "./control.tsx";
import type { Draft, Said } from "./draft.ts";
import type { Rule } from "./look.ts";
import { type Place, pulse } from "./where.ts";

interface OptionRowProps {
  /** By which it is known here. */
  readonly name: string;
  readonly spelling: string;
  readonly option: Pick<Option, "kind" | "only">;
  readonly standard: string | null;
  readonly lab: string | undefined;
  readonly place: Place;
  readonly value: string | null;
  readonly isChanged: boolean;
  readonly set: (value: string | null) => void;
  readonly said: readonly Said[];
  readonly rules: readonly Rule[];
  readonly mend: (draft: Draft) => void;
  /** Its sentence, and what else is to be known of it. */
  readonly children: ReactNode;
}

export function OptionRow(props: OptionRowProps): ReactElement {
  const words = useConfigurationText();
  const id = useId();
  const { name, spelling, option, standard, value, isChanged, set, said, children } = props;
  return (
    <div className={`configuration-row${isChanged ? " changed" : ""}`} data-key={name}>
      <div className="configuration-key">
        <label htmlFor={id} className="mono">
          {spelling}
        </label>
        {isChanged ? (
          <span className="tag">{words.changed}</span>
        ) : value === null ? null : (
          <span className="tag">{words.set}</span>
        )}
      </div>
      <div className="configuration-control">
        <Control id={id} option={option} standard={standard} value={value} set={set} said={said} />
        {value === null ? null : (
          <button type="button" className="link-button" aria-label={words.reset(spelling)} onClick={() => set(null)}>
            {words.resetShort}
          </button>
        )}
      </div>
      <p id={`${id}-help`} className="configuration-help">
        {children} <Defaults {...props} />
      </p>
      <SaidList id={`${id}-said`} {...props} />
    </div>
  );
}

function Defaults({ spelling, standard, lab, place, value, set }: OptionRowProps): ReactElement {
  const words = useConfigurationText();
  return (
    <span className="muted">
      {words.standard(standard)}
      {lab === undefined || lab === standard ? null : (
        <>
          {" · "}
          {lab === value ? (
            words.lab(lab)
          ) : (
            <button
              type="button"
              className="link-button"
              aria-label={words.useLab(spelling, lab)}
              onClick={() => set(lab)}
            >
              {words.lab(lab)}
            </button>
          )}
        </>
      )}
      {" · "}
      <button
        type="button"
        className="link-button"
        aria-label={words.showWhere(spelling, words.places[place])}
        onClick={() => pulse(place)}
      >
        <Crosshair aria-hidden size={12} /> {words.where(words.places[place])}
      </button>
    </span>
  );
}

function SaidList({ id, said, rules, mend }: OptionRowProps & { readonly id: string }): ReactElement {
  const words = useConfigurationText();
  return (
    <div id={id} aria-live="polite">
      {said.map(({ kind, message }) => (
        <p key={message} className={`configuration-said ${kind}`}>
          <strong>{kind === "problem" ? words.saysProblem : words.saysNotice}:</strong> {message}
        </p>
      ))}
      {rules.map((rule) => (
        <p key={rule.id} className={`configuration-said rule ${rule.kind}`}>
          <span className="mono-small">{rule.id}</span> {rule.message}{" "}
          {rule.fixes.map(({ label, to }) => (
            <button key={label} type="button" className="button small" onClick={() => mend(to)}>
              {label}
            </button>
          ))}
        </p>
      ))}
    </div>
  );
}
