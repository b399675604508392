/** The runs in which records were lost or doubled, worst first; each opens as a branch. Where there is none, what that says. */
import { type ReactElement, useMemo, useState } from "react";
import type { HarmfulRun, SweepTotals } from "../../../scenario/exploration.ts";
import { changeSettings } from "../../app-actions.ts";
import { type Column, VirtualTable } from "../../controls/virtual-table.tsx";
import { count } from "../../format.ts";
import type { Session } from "../../store.ts";
import { type Sweep, branchOfRun, failureName } from "../../sweep.ts";
import type { SweepTarget } from "../../sweep-machine.ts";
import { useSweepText } from "../../text/sweep-text.ts";
import { useApp } from "../../use-app.ts";
import { type Shown, isRunning, onlyInState, outcomeOfRun } from "./shown.ts";
import { TallyWord } from "./tally-word.tsx";

interface HarmfulProps {
  readonly session: Session;
  readonly sweep: Sweep;
  readonly shown: Shown;
  readonly target: SweepTarget;
  readonly totals: SweepTotals;
}

export function HarmfulRuns(props: HarmfulProps): ReactElement {
  const words = useSweepText();
  const { shown, totals } = props;
  if (totals.harmfulCount > 0) return <List {...props} />;
  const trusted = totals.violations.length === 0;
  if (shown.state === "done" && trusted) return <Clean {...props} />;
  return (
    <section className="sweep-list" aria-label={words.harmful}>
      <p className="empty">{isRunning(shown.state) ? words.noneYet : trusted ? words.nonePart : words.noneTrusted}</p>
    </section>
  );
}

interface Row {
  readonly run: HarmfulRun;
  readonly index: number;
}

function List({ session, sweep, target, shown, totals }: HarmfulProps): ReactElement {
  const words = useSweepText();
  const current = useApp((app) => app.branch);
  const [held, hold] = useHeld(totals, isRunning(shown.state));
  const rows = useMemo(() => held.harmful.map((run, index): Row => ({ run, index })), [held.harmful]);
  const columns = useColumns(session, sweep, target);
  const more = totals.harmfulCount - held.harmfulCount;
  return (
    <section className="sweep-list" aria-label={words.harmful} {...hold}>
      <div className="panel-bar">
        <h3 className="sweep-title">
          {words.harmful} <span className="tab-count">{count(held.harmfulCount)}</span>
        </h3>
        <p className="muted">
          {more > 0
            ? words.held(more)
            : held.harmfulCount > rows.length
              ? words.shownOf(rows.length, held.harmfulCount)
              : words.openTitle}
        </p>
      </div>
      <VirtualTable
        label={words.harmfulCaption}
        className="sweep-table"
        columns={columns}
        rows={rows}
        isCurrent={({ run }) => branchOfRun(session, target, run) === current}
      />
    </section>
  );
}

/** While it grows, the list stands still under the pointer and while it has the focus: rows come in anywhere. */
function useHeld(totals: SweepTotals, grows: boolean): [SweepTotals, object] {
  const [held, setHeld] = useState<SweepTotals | null>(null);
  const hold = (): void => setHeld((before) => before ?? totals);
  const release = (): void => setHeld(null);
  const handlers = { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
  return [grows ? (held ?? totals) : totals, grows ? handlers : {}];
}

function useColumns(session: Session, sweep: Sweep, target: SweepTarget): readonly Column<Row>[] {
  const words = useSweepText();
  return useMemo(() => {
    const { columns } = words;
    return [
      { name: columns.outcome, cell: ({ run }) => <TallyWord tally={outcomeOfRun(run)} /> },
      {
        name: columns.failure,
        className: "sweep-failure",
        cell: ({ run }) => <Failure session={session} sweep={sweep} target={target} run={run} />,
      },
      { name: columns.lost, className: "number", cell: ({ run }) => figure(run.lost.length, words.lostTitle) },
      {
        name: columns.duplicated,
        className: "number",
        cell: ({ run }) => figure(run.duplicated.length, words.duplicatedTitle),
      },
      {
        name: columns.more,
        className: "muted sweep-more",
        cell: ({ run }) =>
          [...(onlyInState(run) ? [words.onlyInState] : []), ...run.flags.map((flag) => words.flagWords[flag])].join(
            ", ",
          ),
      },
    ];
  }, [session, sweep, target, words]);
}

function figure(value: number, title: string): ReactElement {
  return (
    <span className={value > 0 ? "sweep-count" : "sweep-count none"} title={title}>
      {count(value)}
    </span>
  );
}

interface FailureProps {
  readonly session: Session;
  readonly sweep: Sweep;
  readonly target: SweepTarget;
  readonly run: HarmfulRun;
}

/** The button is as large as its row. */
function Failure({ session, sweep, target, run }: FailureProps): ReactElement {
  const words = useSweepText();
  const open = branchOfRun(session, target, run);
  return (
    <>
      <button type="button" className="link-button row-button" onClick={() => sweep.open(run.injections)}>
        {failureName(session, target.branch, run.injections)}
      </button>
      {open === null ? null : <span className="tag">{words.opened}</span>}
    </>
  );
}

/** What a sweep without harm shows, and what it does not. */
function Clean({ shown, totals, target, sweep }: HarmfulProps): ReactElement {
  const words = useSweepText();
  const branch = useApp((app) => app.branch);
  const pairs = shown.question?.failures === 2;
  return (
    <section className="sweep-list sweep-clean" aria-label={words.harmful}>
      <h3 className="sweep-verdict">
        <TallyWord tally="OK" /> {words.clean}
      </h3>
      <p>{words.cleanBody(totals.runs, pairs)}</p>
      <p className="muted">
        <strong>{words.notProved}</strong> {words.notProvedBody(pairs)}
      </p>
      {pairs || branch !== target.branch ? null : (
        <button
          type="button"
          className="button small"
          onClick={() => {
            changeSettings({ sweepFailures: 2 });
            sweep.start();
          }}
        >
          {words.pairsNext}
        </button>
      )}
    </section>
  );
}
