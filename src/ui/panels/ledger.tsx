/** What became of every input record at the cursor: in state, and as each sink's readers see it. */
import { type ReactElement, useDeferredValue, useMemo, useState } from "react";
import { VList } from "virtua";
import { at } from "../../base/assert.ts";
import type { LedgerView } from "../../projection/ledger.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import { recordName } from "../../protocol/ids.ts";
import { type Fate, type LedgerFilter, ledgerRows } from "../ledger-rows.ts";
import { branchOf, useApp } from "../store.ts";
import { useText } from "../text/use-text.ts";
import { type Moment, useLedger, useMoment } from "../use-view.ts";
import { LedgerReaders } from "./ledger-readers.tsx";
import { LedgerTotals } from "./ledger-totals.tsx";

export default function Ledger(): ReactElement | null {
  const moment = useMoment();
  const ledger = useLedger();
  const report = useApp((app) => branchOf(app)?.report ?? null);
  if (moment === null || ledger === null) return null;
  const ended = report !== null && moment.step >= moment.log.length - 1;
  return (
    <div className="ledger">
      <LedgerTotals ledger={ledger} report={ended ? report : null} />
      <LedgerReaders ledger={ledger} moment={moment} />
      <Records ledger={ledger} moment={moment} />
    </div>
  );
}

interface RecordsProps {
  readonly ledger: LedgerView;
  readonly moment: Moment;
}

function Records({ ledger, moment }: RecordsProps): ReactElement {
  const words = useText().panels.ledger;
  const [filter, setFilter] = useState<LedgerFilter>("all");
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search).toLowerCase();
  const all = useMemo(() => ledgerRows(ledger, filter), [ledger, filter]);
  const { graph, view } = moment;
  const name = (record: number): string => recordName(graph, record);
  const key = (record: number): string => graph.keys[keyOfRecord(view.shared, record)] ?? "";
  const rows = wanted === "" ? all : all.filter(({ record }) => `${name(record)} ${key(record)}`.toLowerCase().includes(wanted));
  const columns = [words.columns.record, words.columns.key, words.columns.inState, words.columns.committed, words.columns.uncommitted, words.columns.fate];
  return (
    <section className="ledger-list" aria-label={words.caption}>
      <div className="panel-bar">
        <input type="search" className="text-input grow" aria-label={words.filter} placeholder={words.filterHint} value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
        <FilterSelect filter={filter} choose={setFilter} />
      </div>
      <div className="ledger-table" role="table" aria-label={words.caption} aria-rowcount={rows.length + 1}>
        <div className="ledger-row head" role="row">
          {columns.map((column) => (
            <span key={column} role="columnheader">
              {column}
            </span>
          ))}
        </div>
        {rows.length === 0 ? <p className="empty">{words.noMatch}</p> : null}
        <VList className="ledger-rows" role="rowgroup" tabIndex={0} aria-label={words.caption} data={rows}>
          {({ record, inState, committed, uncommitted, fate }, index) => (
            <div key={record} className="ledger-row" role="row" aria-rowindex={index + 2}>
              <span role="cell" className="mono">
                {name(record)}
              </span>
              <span role="cell">{key(record)}</span>
              <span role="cell">{inState === null ? "" : words.times(inState)}</span>
              <span role="cell">{committed === null ? "" : words.times(committed)}</span>
              <span role="cell">{uncommitted === null ? "" : words.times(uncommitted)}</span>
              <FateCell fate={fate} />
            </div>
          )}
        </VList>
      </div>
    </section>
  );
}

function FateCell({ fate }: { readonly fate: Fate }): ReactElement {
  const words = useText().panels.ledger;
  return (
    <span role="cell" className={`fate-${fate}`}>
      {words.fates[fate]}
    </span>
  );
}

const filters: readonly LedgerFilter[] = ["all", "problems", "pending"];

function FilterSelect({ filter, choose }: { readonly filter: LedgerFilter; readonly choose: (filter: LedgerFilter) => void }): ReactElement {
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
