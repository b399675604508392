/** Every entry of the branch up to its end: filtered, virtualised, each with the way to its cause. */
import { X } from "lucide-react";
import { type ReactElement, memo, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { VList, type VListHandle } from "virtua";
import { at } from "../../base/assert.ts";
import { eventTypes } from "../../protocol/events.ts";
import { useController } from "../controller-context.ts";
import { matchingEntries } from "../event-filter.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import { type BranchRun, type Session, branchOf, useApp } from "../store.ts";
import { useText } from "../text/use-text.ts";

export default function EventLog(): ReactElement | null {
  const session = useApp((app) => app.session);
  const branch = useApp(branchOf);
  return session === null || branch === null ? null : <Entries session={session} branch={branch} />;
}

interface EntriesProps {
  readonly session: Session;
  readonly branch: BranchRun;
}

function Entries({ session, branch }: EntriesProps): ReactElement {
  const text = useText();
  const [filter, setFilter] = useState("");
  const wanted = useDeferredValue(filter);
  const steps = useMemo(
    () => matchingEntries(session.graph, branch.run.log, branch.length, wanted, text),
    [session, branch, wanted, text],
  );
  const { events } = text.panels;
  const count = steps === null ? branch.length : steps.length;
  return (
    <div className="events">
      <div className="panel-bar">
        <input
          type="search"
          className="text-input grow"
          aria-label={events.filter}
          placeholder={events.filterHint}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <span className="muted" role="status">
          {events.found(count, branch.length)}
        </span>
      </div>
      {count === 0 ? <NoMatch filter={wanted} clear={() => setFilter("")} /> : <Rows session={session} branch={branch} steps={steps} />}
    </div>
  );
}

function NoMatch({ filter, clear }: { readonly filter: string; readonly clear: () => void }): ReactElement {
  const { events } = useText().panels;
  return (
    <div className="empty">
      <p>{events.none(filter)}</p>
      <button type="button" className="button small" onClick={clear}>
        <X aria-hidden />
        {events.clear}
      </button>
    </div>
  );
}

/** `steps`: the entries shown; `null`: all of them. */
function Rows({ session, branch, steps }: EntriesProps & { readonly steps: readonly number[] | null }): ReactElement {
  const { events } = useText().panels;
  const current = useApp((app) => app.step);
  const list = useRef<VListHandle>(null);
  const count = steps?.length ?? branch.length;
  const index = steps === null ? current : lastAtOrBefore(steps, current);
  useEffect(() => {
    if (index >= 0) list.current?.scrollToIndex(index, { align: "nearest" });
  }, [index]);
  return (
    <div className="event-table" role="table" aria-label={events.caption} aria-rowcount={count + 1}>
      <div className="event-row head" role="row">
        {[events.columns.step, events.columns.time, events.columns.type, events.columns.what, events.columns.cause].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <VList ref={list} className="event-list" role="rowgroup" tabIndex={0} aria-label={events.caption}>
        {Array.from({ length: count }, (_, row) => {
          const step = steps === null ? row : at(steps, row);
          return <EntryRow key={step} session={session} branch={branch} step={step} now={step === current} future={step > current} />;
        })}
      </VList>
    </div>
  );
}

interface EntryRowProps extends EntriesProps {
  readonly step: number;
  readonly now: boolean;
  readonly future: boolean;
}

const EntryRow = memo(function EntryRow({ session, branch, step, now, future }: EntryRowProps): ReactElement {
  const text = useText();
  const controller = useController();
  const { log } = branch.run;
  const cause = log.cause(step);
  const type = at(eventTypes, log.type(step));
  return (
    <div className="event-row" role="row" aria-rowindex={step + 2} aria-current={now ? "step" : undefined} data-future={future || undefined}>
      <span role="cell">
        <button type="button" className="link-button" onClick={() => controller.goTo(step)} aria-label={text.common.goTo(step)}>
          {step}
        </button>
      </span>
      <span role="cell" className="muted">
        {clockTime(log.clock(step))}
      </span>
      <span role="cell" className="mono event-type">
        {type}
      </span>
      <span role="cell" className="event-what">
        {sentenceOf(session.graph, log, step, text)}
      </span>
      <span role="cell">
        {cause < 0 ? null : (
          <button type="button" className="link-button" onClick={() => controller.goTo(cause)} aria-label={text.panels.events.cause(cause)}>
            {cause}
          </button>
        )}
      </span>
    </div>
  );
});

/** Index of the last step that is not behind `step`; `-1`: all are. */
function lastAtOrBefore(steps: readonly number[], step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(steps, middle) <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
