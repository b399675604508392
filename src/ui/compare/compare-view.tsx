/** Runs side by side, over the whole page. The run on screen waits behind it as it is. */
import "../styles/compare.css";
import { type ReactElement, useEffect, useState } from "react";
import { tinykeys } from "tinykeys";
import { useStore } from "zustand";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import type { BranchId } from "../../worker/port.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import { onControl } from "../keyboard.ts";
import { type Session, appStore } from "../store.ts";
import { useCompareText } from "../text/compare-text.ts";
import { useText } from "../text/use-text.ts";
import { Columns } from "./columns.tsx";
import { momentIn } from "./cursor.ts";
import { FiguresTable } from "./figures-table.tsx";
import { type ComparedRun, along } from "./runs.ts";
import { SideBySide } from "./side-by-side.ts";
import { Transport } from "./transport.tsx";
import { type Subject, comparisonOf, subjects } from "./what.ts";

export default function CompareView(): ReactElement | null {
  const words = useCompareText();
  const controller = useController();
  const [{ session, branch }] = useState(() => appStore.getState());
  const [subject, setSubject] = useState<Subject>("this");
  useEffect(() => controller.player.pause(), [controller]);
  if (session === null) return null;
  const title = subject === "this" ? session.scenario.title.en : words.example;
  return (
    <Modal
      className="dialog compare"
      title={words.title}
      description={words.input(title)}
      onClose={() => showDialog(null)}
    >
      <SubjectSelect subject={subject} choose={setSubject} />
      <Content key={subject} subject={subject} session={session} branch={branch} />
    </Modal>
  );
}

interface SubjectProps {
  readonly subject: Subject;
  readonly choose: (subject: Subject) => void;
}

function SubjectSelect({ subject, choose }: SubjectProps): ReactElement {
  const words = useCompareText();
  return (
    <label className="select compare-subject">
      <span>{words.subject}</span>
      <select
        value={subject}
        onChange={({ currentTarget }) => choose(subjects.find((each) => each === currentTarget.value) ?? "this")}
      >
        {subjects.map((each) => (
          <option key={each} value={each}>
            {words.subjects[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ContentProps {
  readonly subject: Subject;
  readonly session: Session;
  readonly branch: BranchId;
}

/** Computes while it is looked at. */
function Content({ subject, session, branch }: ContentProps): ReactElement {
  const { connect } = useController();
  const [side] = useState(() => new SideBySide(comparisonOf(subject, session, branch), connect));
  useEffect(() => side.start(), [side]);
  const runs = useStore(side.runs.store, (store) => store.runs);
  const [said, toCheckpoint] = useCheckpointSteps(side);
  useEffect(() => listen(side, toCheckpoint), [side, toCheckpoint]);
  return (
    <>
      <Failures runs={runs} />
      <Columns side={side} runs={runs} />
      <Transport side={side} runs={runs} toCheckpoint={toCheckpoint} />
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
        along(compared).map(
          (run) => `${words.short[compared.variant.id]} ${clockTime(momentIn(run, cursor)?.clock ?? 0)}`,
        ),
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
