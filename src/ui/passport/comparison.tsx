/** Pinned records beside each other: a row a fact, and a sign where they differ. */
import type { ReactElement, ReactNode } from "react";
import { X } from "lucide-react";
import { useStore } from "zustand";
import { at } from "../../base/assert.ts";
import type { Account, LedgerView } from "../../projection/ledger.ts";
import { type Passport, type Passports, durableSince, passCount } from "../../projection/passport.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import { recordName } from "../../protocol/ids.ts";
import { isCommitted } from "../../protocol/sinks.ts";
import { clockTime } from "../format.ts";
import type { Run } from "../run.ts";
import { usePassportText } from "../text/passport-text.ts";
import { ask, askedStore, pinRecord } from "./asked.ts";
import { Time } from "./time.tsx";

interface ComparisonProps {
  readonly passports: Passports;
  readonly ledger: LedgerView;
  readonly run: Run;
}

/** A fact of each record: what is compared, and what is shown of it. */
interface Row {
  readonly name: string;
  readonly cells: readonly { readonly says: string; readonly shown: ReactNode }[];
}

export function Comparison(props: ComparisonProps): ReactElement | null {
  const words = usePassportText();
  const pinned = useStore(askedStore, (asked) => asked.pinned);
  if (pinned.length === 0) return null;
  const { graph } = props.passports.view.shared;
  const name = words.pinnedTitle(pinned.length);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways where there is no room
    <section className="passport-pinned" aria-label={name} tabIndex={0}>
      <h3 className="small-title">{name}</h3>
      {pinned.length === 1 ? <p className="muted">{words.pinAnother}</p> : null}
      <div className="passport-scroll">
        <table className="table">
          <caption className="visually-hidden">{name}</caption>
          <thead>
            <tr>
              <th scope="col">{words.fact}</th>
              {pinned.map((record) => (
                <th key={record} scope="col">
                  <Head record={record} name={recordName(graph, record)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rowsOf(props, pinned, words).map((row) => (
              <Facts key={row.name} row={row} pinned={pinned} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Head({ record, name }: { readonly record: number; readonly name: string }): ReactElement {
  const words = usePassportText();
  return (
    <span className="passport-column">
      <button type="button" className="link-button mono passport-time" onClick={() => ask({ record })}>
        {name}
      </button>
      <button
        type="button"
        className="icon-button small"
        aria-label={words.unpinOf(name)}
        onClick={() => pinRecord(record, false)}
      >
        <X aria-hidden />
      </button>
    </span>
  );
}

function Facts({ row, pinned }: { readonly row: Row; readonly pinned: readonly number[] }): ReactElement {
  const words = usePassportText();
  const differs = new Set(row.cells.map(({ says }) => says)).size > 1;
  return (
    <tr data-differs={differs || undefined}>
      <th scope="row">
        {row.name} {differs ? <span className="tag">{words.differs}</span> : null}
      </th>
      {pinned.map((record, place) => (
        <td key={record}>{at(row.cells, place).shown}</td>
      ))}
    </tr>
  );
}

function rowsOf(props: ComparisonProps, pinned: readonly number[], words: ReturnType<typeof usePassportText>): Row[] {
  const { passports, ledger, run } = props;
  const { shared } = passports.view;
  const all = pinned.map((record) => passports.byRecord.get(record) ?? nothingOf(record));
  const row = (name: string, says: (passport: Passport) => string): Row => ({
    name,
    cells: all.map((passport) => ({ says: says(passport), shown: says(passport) })),
  });
  const instant = (name: string, stepOf: (passport: Passport) => number): Row => ({
    name,
    cells: all.map((passport) => momentCell(run, stepOf(passport), name, words)),
  });
  const uidOf = (operator: number): string => at(shared.graph.operators, operator).vertex.uid;
  const seen = ledger.sinks.filter(({ reader }) => isCommitted(reader));
  return [
    row(words.key, ({ record }) => shared.graph.keys[keyOfRecord(shared, record)] ?? "–"),
    row(words.passes, (passport) => String(passCount(passport))),
    row(words.attempts, ({ passes }) => [...new Set(passes.map(({ attempt }) => `#${attempt}`))].join(" ")),
    instant(words.firstRead, ({ passes }) => passes.find(({ kind }) => kind === "read")?.step ?? -1),
    ...ledger.states.map((account) => effectRow(words.stateOf(uidOf(account.operator)), account, row, words)),
    ...seen.map((account) => effectRow(words.seenOf(uidOf(account.operator), account.reader), account, row, words)),
    row(words.outputs, ({ writes }) => String(writes.length)),
    instant(words.durable, durableSince),
    ...seen.map(({ operator, reader }) =>
      instant(words.firstSeen(uidOf(operator), reader), (passport) =>
        firstSeen(passport, at(shared.graph.identities, operator), reader),
      ),
    ),
  ];
}

function effectRow(
  name: string,
  { expected, counts }: Account,
  row: (name: string, says: (passport: Passport) => string) => Row,
  words: ReturnType<typeof usePassportText>,
): Row {
  return row(name, ({ record }) => words.ofExpected(counts[record] ?? 0, expected[record] ?? 0));
}

function momentCell(
  run: Run,
  step: number,
  what: string,
  words: ReturnType<typeof usePassportText>,
): { readonly says: string; readonly shown: ReactNode } {
  if (step < 0) return { says: words.never, shown: <span className="muted">{words.never}</span> };
  return { says: clockTime(run.log.clock(step)), shown: <Time run={run} step={step} what={what} /> };
}

function firstSeen({ writes }: Passport, operator: number, reader: string): number {
  const steps = writes
    .filter((write) => write.operator === operator)
    .flatMap(({ sights }) => sights.filter((sight) => sight.reader === reader && sight.since >= 0))
    .map(({ since }) => since);
  return steps.length === 0 ? -1 : Math.min(...steps);
}

function nothingOf(record: number): Passport {
  return { record, passes: [], applications: [], writes: [] };
}
