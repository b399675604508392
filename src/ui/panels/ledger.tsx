/** What became of every input record at the cursor: in state, and as each sink's readers see it. */
import { type ReactElement, useDeferredValue, useState } from "react";
import { at } from "../../base/assert.ts";
import type { LedgerView } from "../../projection/ledger.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import { recordName } from "../../protocol/ids.ts";
import { RecordButton } from "../passport/record-button.tsx";
import { type Column, VirtualTable } from "../controls/virtual-table.tsx";
import { type LedgerFilter, type LedgerRow, ledgerRecords, ledgerRow } from "../ledger-rows.ts";
import { branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";
import { type Moment, useLedger, useMoment } from "../use-view.ts";
import { LedgerReaders } from "./ledger-readers.tsx";
import { LedgerTotals } from "./ledger-totals.tsx";

export default function Ledger(): ReactElement | null {
  const words = useText().panels.ledger;
  const moment = useMoment();
  const ledger = useLedger();
  const report = useApp((app) => branchOf(app)?.report ?? null);
  if (moment === null || ledger === null) return null;
  const ended = report !== null && moment.step >= moment.log.length - 1;
  return (
    <div className="ledger">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <section className="ledger-summary" tabIndex={0} aria-label={words.summary}>
        <LedgerTotals ledger={ledger} report={ended ? report : null} />
        <LedgerReaders ledger={ledger} moment={moment} />
      </section>
      <Records ledger={ledger} moment={moment} />
    </div>
  );
}

interface RecordsProps {
  readonly ledger: LedgerView;
  readonly moment: Moment;
}

function Records({ ledger, moment }: RecordsProps): ReactElement {
  const text = useText();
  const words = text.panels.ledger;
  const [filter, setFilter] = useState<LedgerFilter>("all");
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search).toLowerCase();
  const all = ledgerRecords(ledger, filter);
  const rows = wanted === "" ? all : all.filter((record) => namesOf(moment, record).includes(wanted));
  return (
    <section className="ledger-list" aria-label={words.caption}>
      <div className="panel-bar">
        <input
          type="search"
          className="text-input grow"
          aria-label={words.filter}
          placeholder={words.filterHint}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <FilterSelect filter={filter} choose={setFilter} />
      </div>
      <VirtualTable
        label={words.caption}
        className="ledger-table"
        columns={columnsOf(ledger, moment, text)}
        rows={rows}
      />
      {rows.length === 0 ? <p className="empty">{words.noMatch}</p> : null}
    </section>
  );
}

function keyOf({ graph, view }: Moment, record: number): string {
  return graph.keys[keyOfRecord(view.shared, record)] ?? "";
}

function namesOf(moment: Moment, record: number): string {
  return `${recordName(moment.graph, record)} ${keyOf(moment, record)}`.toLowerCase();
}

function columnsOf(ledger: LedgerView, moment: Moment, text: Text): readonly Column<number>[] {
  const { columns, times, fates } = text.panels.ledger;
  const count = (value: number | null): string => (value === null ? "" : times(value));
  const fateWord = ({ fate }: LedgerRow): ReactElement => <span className={`fate-${fate}`}>{fates[fate]}</span>;
  return [
    { name: columns.record, className: "mono", cell: (record) => <RecordButton record={record} /> },
    { name: columns.key, cell: (record) => keyOf(moment, record) },
    { name: columns.inState, cell: (record) => count(ledgerRow(ledger, record).inState) },
    { name: columns.committed, cell: (record) => count(ledgerRow(ledger, record).committed) },
    { name: columns.uncommitted, cell: (record) => count(ledgerRow(ledger, record).uncommitted) },
    { name: columns.fate, cell: (record) => fateWord(ledgerRow(ledger, record)) },
  ];
}

const filters: readonly LedgerFilter[] = ["all", "problems", "pending"];

interface FilterSelectProps {
  readonly filter: LedgerFilter;
  readonly choose: (filter: LedgerFilter) => void;
}

function FilterSelect({ filter, choose }: FilterSelectProps): ReactElement {
  const words = useText().panels.ledger;
  return (
    <label className="select">
      {words.show}
      <select value={filter} onChange={(event) => choose(at(filters, event.currentTarget.selectedIndex))}>
        {filters.map((each) => (
          <option key={each} value={each}>
            {words.only[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
