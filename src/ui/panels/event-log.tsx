/** Every entry of the branch up to its end: filtered, with the ways to its cause and to what it brought about. */
import "../styles/events.css";
import { X } from "lucide-react";
import { type ReactElement, useDeferredValue, useEffect, useMemo, useSyncExternalStore } from "react";
import { queryOf, useFilter, filters, changeFilter, noFilter } from "../events/filter.ts";
import { FilterBar } from "../events/filter-bar.tsx";
import { FilterChips } from "../events/filter-chips.tsx";
import { Rows } from "../events/rows.tsx";
import { RunningSearch } from "../events/running-search.ts";
import { sentenceOf } from "../narration.ts";
import { type BranchRun, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useEventsText } from "../text/events-text.ts";
import { useText } from "../text/use-text.ts";

export default function EventLog(): ReactElement | null {
  const branch = useApp(branchOf);
  return branch === null ? null : <Entries branch={branch} />;
}

function Entries({ branch }: { readonly branch: BranchRun }): ReactElement {
  const filter = useFilter();
  const search = useSearch(branch);
  return (
    <div className="events">
      <FilterBar branch={branch} found={search.found.length} done={search.done} />
      {filters(filter) ? <FilterChips /> : null}
      {search.found.length === 0 && search.done === 1 ? <NoMatch /> : <Rows branch={branch} steps={search.found} />}
    </div>
  );
}

function useSearch(branch: BranchRun): RunningSearch {
  const text = useText();
  const filter = useDeferredValue(useFilter());
  const { run, length } = branch;
  const search = useMemo(
    () => new RunningSearch(run, queryOf(filter), (step) => sentenceOf(run, step, text).toLowerCase()),
    [run, filter, text],
  );
  useSyncExternalStore(search.subscribe, () => search.version);
  useEffect(() => search.goOn(), [search, length]);
  return search;
}

function NoMatch(): ReactElement {
  const words = useEventsText();
  return (
    <div className="empty">
      <p>{words.none}</p>
      <button type="button" className="button small" onClick={() => changeFilter(noFilter)}>
        <X aria-hidden />
        {words.clear}
      </button>
    </div>
  );
}
