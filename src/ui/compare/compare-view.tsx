/** Runs side by side, over the whole page. The run on screen waits behind it as it is. */
import "../styles/compare.css";
import { type ReactElement, useEffect, useState } from "react";
import { tinykeys } from "tinykeys";
import { useStore } from "zustand";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { nameOfBranch } from "../branches.ts";
import type { Comparison } from "../../scenario/comparison.ts";
import { Choice } from "../controls/choice.tsx";
import { Modal } from "../controls/modal.tsx";
import type { BranchId } from "../../worker/port.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import { onControl } from "../keyboard-table.ts";
import { type Session, appStore } from "../store.ts";
import { useCompareText } from "../text/compare-text.ts";
import { useText } from "../text/use-text.ts";
import { Columns } from "./columns.tsx";
import { isEmpty } from "../../projection/run-diff.ts";
import { Difference, Follows, useDifference } from "./difference.tsx";
import { shortNameOf } from "./names.ts";
import { momentIn } from "./cursor.ts";
import { FiguresTable } from "./figures-table.tsx";
import { type ComparedRun, along, branchRuns } from "./runs.ts";
import { SideBySide } from "./side-by-side.ts";
import { Transport } from "./transport.tsx";
import { type Subject, comparisonOf, subjects } from "./what.ts";

export default function CompareView(): ReactElement | null {
  const words = useCompareText();
  const controller = useController();
  const [{ session, branch }] = useState(() => appStore.getState());
  const [subject, setSubject] = useState<Subject>("this");
  const [pair, setPair] = useState<readonly [BranchId, BranchId]>(() => pairOf(session, branch));
  useEffect(() => controller.player.pause(), [controller]);
  if (session === null) return null;
  const several = session.branches.filter(({ removed }) => !removed).length > 1;
  const offered = subjects.filter((each) => each !== "branches" || several);
  const title = subject === "example" ? words.example : session.scenario.title.en;
  return (
    <Modal
      className="dialog compare"
      title={subject === "branches" ? words.branchesTitle : words.title}
      description={subject === "branches" ? title : words.input(title)}
      onClose={() => showDialog(null)}
    >
      <div className="compare-subject">
        <SubjectSelect subject={subject} offered={offered} choose={setSubject} />
        {subject === "branches" ? <PairSelect session={session} pair={pair} choose={setPair} /> : null}
      </div>
      <Content
        key={subject === "branches" ? pair.join(" ") : subject}
        compared={subject === "branches" ? branchRuns(session, pair) : comparisonOf(subject, session, branch)}
      />
    </Modal>
  );
}

/** The branch on screen beside the one that it left, or the last one beside the run itself. */
function pairOf(session: Session | null, branch: BranchId): readonly [BranchId, BranchId] {
  const parent = session?.branches[branch]?.branch.parent ?? null;
  if (parent !== null) return [parent, branch];
  const last = session?.branches.findLast(({ removed }) => !removed)?.branch.id ?? 0;
  return [0, last];
}

interface SubjectProps {
  readonly subject: Subject;
  readonly offered: readonly Subject[];
  readonly choose: (subject: Subject) => void;
}

function SubjectSelect({ subject, offered, choose }: SubjectProps): ReactElement {
  const words = useCompareText();
  return (
    <Choice
      label={words.subject}
      value={subject}
      choose={(value) => choose(subjects.find((each) => each === value) ?? "this")}
    >
      {offered.map((each) => (
        <option key={each} value={each}>
          {words.subjects[each]}
        </option>
      ))}
    </Choice>
  );
}

interface PairProps {
  readonly session: Session;
  readonly pair: readonly [BranchId, BranchId];
  readonly choose: (pair: readonly [BranchId, BranchId]) => void;
}

/** Which two branches are put side by side. */
function PairSelect({ session, pair: [a, b], choose }: PairProps): ReactElement {
  const words = useCompareText();
  const options = session.branches
    .filter(({ removed }) => !removed)
    .map(({ branch: { id } }) => (
      <option key={id} value={id}>
        {nameOfBranch(session, id)}
      </option>
    ));
  return (
    <>
      <Choice label={words.branchA} value={String(a)} choose={(value) => choose([Number(value), b])}>
        {options}
      </Choice>
      <Choice label={words.branchB} value={String(b)} choose={(value) => choose([a, Number(value)])}>
        {options}
      </Choice>
    </>
  );
}

interface ContentProps {
  readonly compared: Comparison | readonly ComparedRun[];
}

/** Computes while it is looked at. */
function Content({ compared }: ContentProps): ReactElement {
  const { connect } = useController();
  const [side] = useState(() => new SideBySide(compared, connect));
  useEffect(() => side.start(), [side]);
  const runs = useStore(side.runs.store, (store) => store.runs);
  const [said, toCheckpoint] = useCheckpointSteps(side);
  useEffect(() => listen(side, toCheckpoint), [side, toCheckpoint]);
  const diff = useDifference(runs);
  return (
    <>
      {diff === null ? <Failures runs={runs} /> : <Difference side={side} runs={runs} diff={diff} />}
      <Columns side={side} runs={runs} />
      <Transport side={side} runs={runs} toCheckpoint={toCheckpoint} divergence={diff?.divergence ?? null} />
      {diff === null || isEmpty(diff) ? null : <Follows side={side} runs={runs} diff={diff} />}
      <FiguresTable runs={runs} />
      <output className="visually-hidden">{said}</output>
    </>
  );
}

/** What fails in all of them. */
function Failures({ runs }: { readonly runs: readonly ComparedRun[] }): ReactElement {
  const words = useCompareText();
  const text = useText();
  const faults = runs.find(({ scenario }) => scenario !== null)?.scenario?.faults ?? [];
  const names = faults
    .filter((fault) => fault.do !== "trigger-checkpoint")
    .map((fault) => {
      const name = commandName(fault, text);
      return fault.at.kind === "time" ? text.faults.at(name, clockTime(fault.at.time)) : name;
    });
  return <p className="compare-failures">{words.failures(names)}</p>;
}

/** Steps by checkpoint, and what a screen reader is told of them. */
function useCheckpointSteps(side: SideBySide): readonly [string, (direction: 1 | -1) => void] {
  const words = useCompareText();
  const [said, setSaid] = useState("");
  const [step] = useState(() => (direction: 1 | -1) => {
    const moved = side.toCheckpoint(direction);
    const cursor = side.cursor.getState();
    if (!moved || cursor.by !== "checkpoint") {
      setSaid(words.noFurther);
      return;
    }
    const times = side.runs.store
      .getState()
      .runs.flatMap((compared) =>
        along(compared).map((run) => `${shortNameOf(compared, words)} ${clockTime(momentIn(run, cursor)?.clock ?? 0)}`),
      );
    setSaid(words.at(cursor.nth, times.join(", ")));
  });
  return [said, step];
}

/** The app's own keys rest while a dialog is open. */
function listen(side: SideBySide, toCheckpoint: (direction: 1 | -1) => void): () => void {
  const key =
    (act: () => void) =>
    (event: KeyboardEvent): void => {
      event.preventDefault();
      act();
    };
  return tinykeys(window, {
    Space: (event) => (onControl(event.target) ? undefined : key(() => side.toggle())(event)),
    n: key(() => toCheckpoint(1)),
    "Shift+N": key(() => toCheckpoint(-1)),
    ".": key(() => side.step(1)),
    ",": key(() => side.step(-1)),
  });
}
