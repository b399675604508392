/** The record passport (key T): records by what is asked of them, and of the chosen one what it went through and what lasts. */
import "../styles/passport.css";
import { type ReactElement, useDeferredValue, useMemo, useState } from "react";
import { useStore } from "zustand";
import { at } from "../../base/assert.ts";
import type { LedgerView } from "../../projection/ledger.ts";
import {
  type Passport,
  type Passports,
  type Question,
  answers,
  passCount,
  passportsOf,
  questions,
} from "../../projection/passport.ts";
import { initialView } from "../../projection/fold.ts";
import { recordName } from "../../protocol/ids.ts";
import { isCommitted } from "../../protocol/sinks.ts";
import { showDialog } from "../app-actions.ts";
import { Choice } from "../controls/choice.tsx";
import { Modal } from "../controls/modal.tsx";
import { factsOf } from "../facts.ts";
import type { Run } from "../run.ts";
import { type BranchRun, appStore, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { usePassportText } from "../text/passport-text.ts";
import { ask, askedStore } from "./asked.ts";
import { Comparison } from "./comparison.tsx";
import { Tracks } from "./tracks.tsx";

/** Records that are listed; more are found by name. */
const LISTED = 300;

export default function PassportDialog(): ReactElement | null {
  const words = usePassportText();
  const branch = useApp(branchOf);
  if (branch === null || branch.length === 0) return null;
  return (
    <Modal
      className="dialog passport"
      title={words.title}
      description={words.description}
      onClose={() => showDialog(null)}
    >
      <Looked branch={branch} />
    </Modal>
  );
}

const known = new WeakMap<Run, { readonly length: number; readonly passports: Passports }>();

/** Of all that has been computed of a run. */
function passportsOfRun(run: Run): Passports {
  const { length } = run.log;
  const before = known.get(run);
  if (before?.length === length) return before.passports;
  const passports = passportsOf(initialView(run.scenario, run.graph, run.commands), run.log);
  known.set(run, { length, passports });
  return passports;
}

function Looked({ branch: { run } }: { readonly branch: BranchRun }): ReactElement {
  const words = usePassportText();
  const record = useStore(askedStore, (asked) => asked.record);
  const passports = passportsOfRun(run);
  const ledger = factsOf(run).ledgerAt(run.log.length - 1);
  const { graph } = passports.view.shared;
  const passport = record === null ? undefined : passports.byRecord.get(record);
  return (
    <div className="passport-columns">
      <Records passports={passports} ledger={ledger} chosen={record} />
      <section className="passport-told" aria-label={record === null ? words.choose : recordName(graph, record)}>
        <Comparison passports={passports} ledger={ledger} run={run} />
        {record === null ? <p className="empty">{words.choose}</p> : null}
        {record !== null && passport === undefined ? (
          <p className="empty">{words.unread(recordName(graph, record))}</p>
        ) : null}
        {passport === undefined ? null : <Tracks passport={passport} passports={passports} run={run} />}
      </section>
    </div>
  );
}

interface RecordsProps {
  readonly passports: Passports;
  readonly ledger: LedgerView;
  readonly chosen: number | null;
}

/** Where a partition is selected, its records come first to mind. */
function wordsAtFirst(passports: Passports): string {
  const { selection } = appStore.getState();
  return selection?.kind === "input" ? `${passports.view.shared.graph.inputs[selection.id]?.name ?? ""}@` : "";
}

function Records({ passports, ledger, chosen }: RecordsProps): ReactElement {
  const words = usePassportText();
  const asked = useStore(askedStore);
  const { graph } = passports.view.shared;
  const typed = asked.words ?? wordsAtFirst(passports);
  const wanted = useDeferredValue(typed).toLowerCase();
  const { question } = asked;
  const found = useMemo(
    () =>
      [...passports.byRecord.values()]
        .filter((passport) => recordName(graph, passport.record).toLowerCase().includes(wanted))
        .filter((passport) => answers(question, passport, ledger))
        .toSorted((a, b) => a.record - b.record),
    [passports, graph, wanted, question, ledger],
  );
  return (
    <section className="passport-records" aria-label={words.question}>
      <Choice
        label={words.question}
        quiet
        value={question}
        choose={(value) => ask({ question: questions.find((each): each is Question => each === value) ?? "all" })}
      >
        {questions.map((each) => (
          <option key={each} value={each}>
            {words.questions[each]}
          </option>
        ))}
      </Choice>
      <input
        type="search"
        className="text-input"
        aria-label={words.search}
        placeholder={words.search}
        value={typed}
        onChange={(event) => ask({ words: event.currentTarget.value })}
      />
      <output className="muted">
        {found.length === 0 ? words.none[question] : words.found(found.length, question)}
      </output>
      <List found={found.slice(0, LISTED)} passports={passports} ledger={ledger} chosen={chosen} />
      {found.length > LISTED ? <p className="muted">{words.more(found.length - LISTED)}</p> : null}
    </section>
  );
}

/** The record that the dialog opens with is in sight in the list, too. */
function reveal(button: HTMLButtonElement | null): void {
  button?.scrollIntoView({ block: "nearest" });
}

function List({
  found,
  passports,
  ledger,
  chosen,
}: RecordsProps & { readonly found: readonly Passport[] }): ReactElement {
  const words = usePassportText();
  const { graph } = passports.view.shared;
  const [openedWith] = useState(chosen);
  return (
    <ul className="passport-list">
      {found.map((passport) => (
        <li key={passport.record}>
          <button
            type="button"
            className="passport-record"
            aria-pressed={passport.record === chosen}
            ref={passport.record === openedWith ? reveal : undefined}
            onClick={() => ask({ record: passport.record })}
          >
            <span className="mono">{recordName(graph, passport.record)}</span>
            <span className="muted">{words.row(passCount(passport), effectsOf(ledger, passport.record, words))}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How often it is in each state and visible to each committed reader: the least and the most. */
function effectsOf(ledger: LedgerView, record: number, words: ReturnType<typeof usePassportText>): string {
  const accounts = [...ledger.states, ...ledger.sinks.filter(({ reader }) => isCommitted(reader))];
  const counts = accounts
    .filter(({ expected, counts: there }) => at(expected, record) > 0 || at(there, record) > 0)
    .map(({ counts: there }) => at(there, record));
  return counts.length === 0 ? words.noEffects : words.effects(Math.min(...counts), Math.max(...counts));
}
