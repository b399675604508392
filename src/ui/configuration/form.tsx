import { type ReactElement, useId, useState } from "react";
import type { FlinkVersion } from "../../scenario/scenario.ts";
import { optionHelp } from "../text/en-configuration.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import { type Checked, type Draft, type Row, type Said, changed, saidOf, sections, valueIn } from "./draft.ts";

interface FormProps {
  readonly draft: Draft;
  readonly before: Draft;
  readonly state: Checked;
  readonly version: FlinkVersion;
  readonly change: (draft: Draft, key: string) => void;
}

export function Form(props: FormProps): ReactElement {
  const words = useConfigurationText();
  const { draft, state, version } = props;
  const [query, setQuery] = useState("");
  const [onlySet, setOnlySet] = useState(false);
  const shown = sections(version, query, (key) => optionHelp[key] ?? "")
    .map(({ name, rows }) => ({
      name,
      rows: onlySet ? rows.filter(({ option }) => valueIn(draft, option) !== null) : rows,
    }))
    .filter(({ rows }) => rows.length > 0);
  const count = shown.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <>
      <div className="configuration-search">
        <input
          type="search"
          className="text-input"
          aria-label={words.search}
          placeholder={words.searchHint}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <label className="configuration-only">
          <input type="checkbox" checked={onlySet} onChange={(event) => setOnlySet(event.currentTarget.checked)} />
          {words.onlySet}
        </label>
        <output className="muted">{words.found(count)}</output>
      </div>
      <Elsewhere state={state} />
      {count === 0 ? <p className="empty">{words.none(query)}</p> : null}
      {shown.map(({ name, rows }) => (
        <section key={name} className="configuration-section" aria-label={words.sections[name]}>
          <h3 className="small-title">{words.sections[name]}</h3>
          {rows.map((row) => (
            <OptionRow key={row.option.key} row={row} {...props} />
          ))}
        </section>
      ))}
    </>
  );
}

/** What is wrong beside the configuration: the scenario that is open had nothing of that. */
export function Elsewhere({ state: { elsewhere } }: { readonly state: Checked }): ReactElement | null {
  const words = useConfigurationText();
  if (elsewhere.length === 0) return null;
  return (
    <div role="alert" className="configuration-said problem">
      <strong>{words.elsewhere}</strong>
      {elsewhere.map(({ path, message }) => (
        <p key={path}>
          <span className="mono">{path}</span> {message}
        </p>
      ))}
    </div>
  );
}

function OptionRow({ row, draft, before, state, version, change }: FormProps & { readonly row: Row }): ReactElement {
  const words = useConfigurationText();
  const id = useId();
  const { option, spelling, standard } = row;
  const value = valueIn(draft, option);
  const said = saidOf(state, option);
  const set = (to: string | null): void => change(changed(draft, option, to, version), option.key);
  const isChanged = value !== valueIn(before, option);
  return (
    <div className={`configuration-row${isChanged ? " changed" : ""}`} data-key={option.key}>
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
        <Control id={id} row={row} value={value} set={set} said={said} />
        {value === null ? null : (
          <button type="button" className="link-button" aria-label={words.reset(spelling)} onClick={() => set(null)}>
            {words.resetShort}
          </button>
        )}
      </div>
      <p id={`${id}-help`} className="configuration-help">
        {optionHelp[option.key]} <span className="muted">{words.standard(standard)}</span>
        {option.effect ? null : <span className="muted"> · {words.noEffect}</span>}
        {option.older.length === 0 ? null : <span className="muted mono-small"> · {words.older(option.older)}</span>}
      </p>
      <SaidList id={`${id}-said`} said={said} />
    </div>
  );
}

function SaidList({ id, said }: { readonly id: string; readonly said: readonly Said[] }): ReactElement {
  const words = useConfigurationText();
  return (
    <div id={id} aria-live="polite">
      {said.map(({ kind, message }) => (
        <p key={message} className={`configuration-said ${kind}`}>
          <strong>{kind === "problem" ? words.saysProblem : words.saysNotice}:</strong> {message}
        </p>
      ))}
    </div>
  );
}

interface ControlProps {
  readonly id: string;
  readonly row: Row;
  readonly value: string | null;
  readonly set: (value: string | null) => void;
  readonly said: readonly Said[];
}

/** A choice where there are only so many values, else a text. */
function Control({ id, row: { option, standard }, value, set, said }: ControlProps): ReactElement {
  const words = useConfigurationText();
  const { kind, only } = option;
  const invalid = said.some((each) => each.kind === "problem");
  const described = { "aria-describedby": `${id}-help ${id}-said`, "aria-invalid": invalid };
  const choices = kind === "boolean" ? ["true", "false"] : typeof kind === "string" ? null : kind;
  if (choices === null)
    return (
      <input
        id={id}
        className="text-input"
        spellCheck={false}
        autoComplete="off"
        value={value ?? ""}
        placeholder={standard ?? ""}
        onChange={(event) => set(event.currentTarget.value)}
        {...described}
      />
    );
  // A value that is none of them, as a file may have it, can still be seen.
  const known = choices.find((each) => each.toUpperCase() === value?.toUpperCase()) ?? value ?? "";
  const listed = known === "" || choices.includes(known) ? choices : [known, ...choices];
  return (
    <span className="select">
      <select id={id} value={known} onChange={(event) => set(event.currentTarget.value)} {...described}>
        <option value="">{words.useDefault(standard)}</option>
        {listed.map((each) => (
          <option key={each} value={each} disabled={only !== null && !only.values.includes(each)}>
            {each}
          </option>
        ))}
      </select>
    </span>
  );
}
