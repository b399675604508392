/** The options of the version and the keys at Kafka, by section; what is searched for is looked for in names and sentences. */
import { type ReactElement, type ReactNode, useState } from "react";
import type { Scenario } from "../../scenario/scenario.ts";
import { kafkaHelp, optionHelp } from "../text/en-configuration.ts";
import { useConfigurationText } from "../text/configuration-text.ts";
import { type Checked, type Draft, type Row, changed, plainPath, saidOf, sections, valueIn } from "./draft.ts";
import { Elsewhere } from "./elsewhere.tsx";
import { type KafkaRow, kafkaRows } from "./kafka.ts";
import { labDefaults } from "./lab-defaults.ts";
import type { Given, Rule } from "./look.ts";
import { OptionRow } from "./option-row.tsx";
import { keysAsked } from "./search-asked.ts";
import { rulesOf } from "./rules.ts";
import { placeOf } from "./where.ts";

interface FormProps {
  readonly draft: Draft;
  readonly before: Draft;
  readonly state: Checked;
  /** The last that could be read. */
  readonly scenario: Scenario;
  readonly longest: Given["longest"];
  readonly keyGroups: Given["keyGroups"];
  readonly change: (draft: Draft, key: string) => void;
}

export function Form(props: FormProps): ReactElement {
  const words = useConfigurationText();
  const { draft, state, scenario, longest, keyGroups } = props;
  const [query, setQuery] = useState(keysAsked);
  const [onlySet, setOnlySet] = useState(false);
  const rules = rulesOf({ draft, text: state.text, scenario, longest, keyGroups });
  const options = sections(scenario.flink, query, (key) => optionHelp[key] ?? "")
    .map(({ name, rows }) => ({
      name,
      rows: onlySet ? rows.filter(({ option }) => valueIn(draft, option) !== null) : rows,
    }))
    .filter(({ rows }) => rows.length > 0);
  const all = kafkaRows(scenario);
  const kafka = all.filter((row) => isFound(row, query) && (!onlySet || row.key in draft));
  const count = options.reduce((sum, { rows }) => sum + rows.length, kafka.length);
  const paths = new Set(all.map(({ path }) => path));
  const elsewhere = state.elsewhere.filter(({ path }) => !paths.has(plainPath(path)));
  return (
    <>
      <Search query={query} setQuery={setQuery} onlySet={onlySet} setOnlySet={setOnlySet} count={count} />
      <Elsewhere state={{ elsewhere }} />
      {count === 0 ? <p className="empty">{words.none(query)}</p> : null}
      {options.map(({ name, rows }) => (
        <Section key={name} name={words.sections[name]}>
          {rows.map((row) => (
            <FlinkRow key={row.option.key} row={row} rules={rules} {...props} />
          ))}
        </Section>
      ))}
      {kafka.length === 0 ? null : (
        <Section name={words.sections.kafka}>
          {kafka.map((row) => (
            <LogRow key={row.key} row={row} rules={rules} {...props} />
          ))}
        </Section>
      )}
    </>
  );
}

interface RowProps<R> extends FormProps {
  readonly row: R;
  readonly rules: readonly Rule[];
}

function FlinkRow({ row, rules, draft, before, state, scenario, change }: RowProps<Row>): ReactElement {
  const words = useConfigurationText();
  const { option, spelling, standard } = row;
  return (
    <OptionRow
      name={option.key}
      spelling={spelling}
      option={option}
      standard={standard}
      lab={labDefaults[option.key]}
      place={placeOf(option.key)}
      value={valueIn(draft, option)}
      isChanged={valueIn(draft, option) !== valueIn(before, option)}
      set={(to) => change(changed(draft, option, to, scenario.flink), option.key)}
      said={saidOf(state, option)}
      rules={rules.filter(({ key }) => key === option.key)}
      mend={(to) => change(to, "mend")}
    >
      {optionHelp[option.key]}
      {option.effect ? null : <span className="muted"> {words.noEffect}.</span>}
      {option.older.length === 0 ? null : <span className="muted mono-small"> {words.older(option.older)}</span>}
    </OptionRow>
  );
}

function LogRow({ row, rules, draft, before, state, change }: RowProps<KafkaRow>): ReactElement {
  const words = useConfigurationText();
  return (
    <OptionRow
      name={row.key}
      spelling={row.of.name}
      option={{ kind: row.of.choices ?? "string", only: null }}
      standard={row.of.standard}
      lab={labDefaults[row.of.name]}
      place={placeOf(row.of.name)}
      value={row.key in draft ? String(draft[row.key]) : null}
      isChanged={draft[row.key] !== before[row.key]}
      set={(to) => change(withValue(draft, row.key, to), row.key)}
      said={state.said.get(row.path) ?? []}
      rules={rules.filter(({ key }) => key === row.key)}
      mend={(to) => change(to, "mend")}
    >
      {row.uid === null ? words.ofBroker : words.ofVertex(row.uid)} {kafkaHelp[row.of.name]}
    </OptionRow>
  );
}

function isFound({ uid, of }: KafkaRow, query: string): boolean {
  const words = [uid ?? "broker", of.name, kafkaHelp[of.name] ?? ""].join(" ").toLowerCase();
  return query
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

function withValue(draft: Draft, key: string, value: string | null): Draft {
  const { [key]: _, ...rest } = draft;
  const text = value?.trim() ?? "";
  return text === "" ? rest : { ...rest, [key]: text === "true" || text === "false" ? text === "true" : text };
}

function Section({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <section className="configuration-section" aria-label={name}>
      <h3 className="small-title">{name}</h3>
      {children}
    </section>
  );
}

interface SearchProps {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly onlySet: boolean;
  readonly setOnlySet: (onlySet: boolean) => void;
  readonly count: number;
}

function Search({ query, setQuery, onlySet, setOnlySet, count }: SearchProps): ReactElement {
  const words = useConfigurationText();
  return (
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
  );
}
