/** The entries that were found, a row each. */
import { FastForward } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useRef } from "react";
import { at } from "../../base/assert.ts";
import { elementsOf, isAbout, isEntryElement } from "../../projection/entry-elements.ts";
import type { RisingSteps } from "../../projection/rising-steps.ts";
import { eventTypes } from "../../protocol/events.ts";
import type { Controller } from "../controller.ts";
import { useController } from "../controller-context.ts";
import { ElementLink } from "../controls/element-link.tsx";
import { type Along, type Column, VirtualTable, type VirtualTableHandle } from "../controls/virtual-table.tsx";
import { elementName } from "../element-name.ts";
import { factsOf } from "../facts.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import type { Run } from "../run.ts";
import type { BranchRun } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useEventsText } from "../text/events-text.ts";
import type { Text } from "../text/en.ts";
import { useText } from "../text/use-text.ts";
import { changeFilter } from "./filter.ts";
import { MOST, Part } from "./part.ts";

type Words = ReturnType<typeof useEventsText>;

interface RowsProps {
  readonly branch: BranchRun;
  readonly steps: RisingSteps;
}

export function Rows({ branch, steps }: RowsProps): ReactElement {
  const text = useText();
  const words = useEventsText();
  const controller = useController();
  const current = useApp((app) => app.panelStep);
  const selection = useApp((app) => app.selection);
  const lit = useApp((app) => (app.lit?.branch === branch.branch.id ? app.lit.steps : null));
  const table = useRef<VirtualTableHandle>(null);
  const { run } = branch;
  const index = steps.lastAtOrBefore(current);
  const { length } = steps;
  const part = useMemo(() => new Part(steps), [steps]);
  const from = part.around(index);
  const to = Math.min(length, from + MOST);
  const rows = useMemo(() => steps.slice(from, to), [steps, from, to]);
  const scrolled = useRef<RisingSteps>(null);
  useEffect(() => {
    const row = Math.max(0, index - from);
    if (scrolled.current === steps) table.current?.reveal(row);
    else table.current?.centre(row);
    scrolled.current = steps;
  }, [index, from, steps]);
  const columns = useMemo(() => columnsOf(run, controller, text, words), [run, controller, text, words]);
  const move = (along: Along): void => {
    const next = stepAlong(along, steps, current, run);
    if (next !== undefined && next >= 0) controller.goTo(next);
  };
  return (
    <>
      {length > MOST ? <p className="events-part muted">{words.part(from + 1, from + rows.length, length)}</p> : null}
      <VirtualTable
        ref={table}
        label={words.caption}
        className="event-table"
        columns={columns}
        rows={rows}
        isCurrent={(step) => step === current}
        isFuture={(step) => step > current}
        isLit={(step) => lit?.has(step) === true}
        isMarked={(step) =>
          selection !== null && isEntryElement(selection) && isAbout(run.jobs.at(step).graph, run.log, step, selection)
        }
        onMove={move}
      />
    </>
  );
}

/** Where a key leads from the cursor; a cause or an effect need not be among the rows. Nothing: there is none. */
function stepAlong(along: Along, steps: RisingSteps, current: number, run: Run): number | undefined {
  const index = steps.lastAtOrBefore(current);
  switch (along) {
    case "next":
      return steps.at(index + 1);
    case "before":
      return steps.at(steps.at(index) === current ? index - 1 : index);
    case "first":
      return steps.at(0);
    case "last":
      return steps.at(steps.length - 1);
    case "cause":
      return run.log.cause(current);
    case "effect":
      return factsOf(run).effects.of(current)[0];
  }
}

function columnsOf(run: Run, controller: Controller, text: Text, words: Words): readonly Column<number>[] {
  const { log } = run;
  const { columns } = words;
  const jump = (step: number, label: string): ReactElement => (
    <button
      key={step}
      type="button"
      className="link-button event-jump"
      onClick={() => controller.goTo(step)}
      aria-label={label}
    >
      {step}
    </button>
  );
  return [
    { name: columns.step, className: "event-step", cell: (step) => jump(step, text.common.goTo(step)) },
    { name: columns.time, className: "muted event-time", cell: (step) => clockTime(log.clock(step)) },
    { name: columns.type, className: "mono event-type", cell: (step) => at(eventTypes, log.type(step)) },
    { name: columns.what, className: "event-what", cell: (step) => sentenceOf(run, step, text) },
    { name: columns.where, className: "event-where", cell: (step) => <Where run={run} step={step} /> },
    {
      name: columns.cause,
      className: "event-cause",
      cell: (step) => (log.cause(step) < 0 ? null : jump(log.cause(step), words.cause(log.cause(step)))),
    },
    { name: columns.effects, className: "event-effects", cell: (step) => effectsCell(run, step, words, jump) },
    {
      name: columns.run,
      className: "event-run",
      cell: (step) => (
        <button
          type="button"
          className="icon-button small"
          aria-label={words.runTo(step)}
          title={words.runTo(step)}
          onClick={() => controller.player.runTo(step)}
        >
          <FastForward aria-hidden />
        </button>
      ),
    },
  ];
}

/** Elements that are told in a row. */
const PLACES = 2;

function Where({ run, step }: { readonly run: Run; readonly step: number }): ReactElement {
  const text = useText();
  const { graph } = run.jobs.at(step);
  return (
    <>
      {elementsOf(graph, run.log, step)
        .slice(0, PLACES)
        .map((element) => (
          <ElementLink
            key={`${element.kind}:${element.id}`}
            element={element}
            name={elementName(graph, element, text)}
          />
        ))}
    </>
  );
}

/** Effects that are told in a row; all of them are a filter. */
const EFFECTS = 2;

function effectsCell(
  run: Run,
  step: number,
  words: Words,
  jump: (step: number, label: string) => ReactElement,
): ReactElement {
  const effects = factsOf(run).effects.of(step);
  return (
    <>
      {effects.slice(0, EFFECTS).map((effect) => jump(effect, words.effect(effect)))}
      {effects.length > EFFECTS ? (
        <button
          type="button"
          className="link-button event-jump"
          aria-label={words.effects(effects.length, step)}
          onClick={() => changeFilter({ causedBy: step })}
        >
          {words.more(effects.length - EFFECTS)}
        </button>
      ) : null}
    </>
  );
}
