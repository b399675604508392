/** Every entry of the branch up to its end: filtered, each with the way to its cause. */
import { X } from "lucide-react";
import { type ReactElement, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { at } from "../../base/assert.ts";
import { eventTypes } from "../../protocol/events.ts";
import type { Controller } from "../controller.ts";
import { useController } from "../controller-context.ts";
import { type Column, VirtualTable, type VirtualTableHandle } from "../controls/virtual-table.tsx";
import { matchingEntries } from "../event-filter.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import type { Run } from "../run.ts";
import { type BranchRun, branchOf } from "../store.ts";
import { useApp } from "../use-app.ts";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";

export default function EventLog(): ReactElement | null {
  const branch = useApp(branchOf);
  return branch === null ? null : <Entries branch={branch} />;
}

function Entries({ branch }: { readonly branch: BranchRun }): ReactElement {
  const text = useText();
  const { events } = text.panels;
  const [filter, setFilter] = useState("");
  const wanted = useDeferredValue(filter);
  const steps = useMemo(() => matchingEntries(branch.run, branch.length, wanted, text), [branch, wanted, text]);
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
        <output className="muted">{events.found(steps.length, branch.length)}</output>
      </div>
      {steps.length === 0 ? (
        <NoMatch filter={wanted} clear={() => setFilter("")} />
      ) : (
        <Rows branch={branch} steps={steps} />
      )}
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

function Rows({ branch, steps }: { readonly branch: BranchRun; readonly steps: readonly number[] }): ReactElement {
  const text = useText();
  const controller = useController();
  const current = useApp((app) => app.step);
  const table = useRef<VirtualTableHandle>(null);
  const index = lastAtOrBefore(steps, current);
  useEffect(() => {
    if (index >= 0) table.current?.reveal(index);
  }, [index]);
  const columns = useMemo(() => columnsOf(branch.run, controller, text), [branch, controller, text]);
  return (
    <VirtualTable
      ref={table}
      label={text.panels.events.caption}
      className="event-table"
      columns={columns}
      rows={steps}
      rowKey={(step) => step}
      isCurrent={(step) => step === current}
      isFuture={(step) => step > current}
    />
  );
}

function columnsOf(run: Run, controller: Controller, text: Text): readonly Column<number>[] {
  const { log } = run;
  const { columns, cause } = text.panels.events;
  const jump = (step: number, label: string): ReactElement => (
    <button type="button" className="link-button" onClick={() => controller.goTo(step)} aria-label={label}>
      {step}
    </button>
  );
  return [
    { name: columns.step, cell: (step) => jump(step, text.common.goTo(step)) },
    { name: columns.time, className: "muted", cell: (step) => clockTime(log.clock(step)) },
    { name: columns.type, className: "mono event-type", cell: (step) => at(eventTypes, log.type(step)) },
    { name: columns.what, className: "event-what", cell: (step) => sentenceOf(run, step, text) },
    {
      name: columns.cause,
      className: "event-cause",
      cell: (step) => (log.cause(step) < 0 ? null : jump(log.cause(step), cause(log.cause(step)))),
    },
  ];
}

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
