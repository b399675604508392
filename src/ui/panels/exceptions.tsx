/** Flink's "Exceptions" tab at the cursor: the root exception, and the history with fault and restart decision. */
import "../styles/inspect.css";
import type { ReactElement } from "react";
import { at } from "../../base/assert.ts";
import { type ExceptionEntry, attemptsOf } from "../../projection/attempts.ts";
import { useController } from "../controller-context.ts";
import { ElementLink } from "../controls/element-link.tsx";
import { clockTime } from "../format.ts";
import { faultName } from "../fault-name.ts";
import { branchOf } from "../store.ts";
import type { Text } from "../text/en.ts";
import { useInspectorText } from "../text/inspector-text.ts";
import { useText } from "../text/use-text.ts";
import { useApp } from "../use-app.ts";
import { TroubleNotes } from "../troubles/trouble-notes.tsx";
import { type Moment, useMoment } from "../use-view.ts";
import { Table } from "../controls/table.tsx";

export default function Exceptions(): ReactElement | null {
  const words = useInspectorText().exceptions;
  const moment = useMoment();
  if (moment === null) return null;
  const entries = attemptsOf(moment.log).exceptions(moment.step);
  if (entries.length === 0) return <p className="empty">{words.none}</p>;
  const root = entries.find(({ concurrent }) => !concurrent);
  return (
    <div className="exceptions">
      <TroubleNotes element={{ kind: "jobManager", id: 0 }} moment={moment} />
      {root === undefined ? null : <Root entry={root} moment={moment} />}
      <Table caption={words.history} columns={words.columns} titled>
        {entries.map((entry) => (
          <Row key={`${entry.step} ${entry.subtask}`} entry={entry} moment={moment} />
        ))}
      </Table>
    </div>
  );
}

interface EntryProps {
  readonly entry: ExceptionEntry;
  readonly moment: Moment;
}

function Root({ entry, moment }: EntryProps): ReactElement {
  const words = useInspectorText().exceptions;
  const { stageText } = useText();
  return (
    <section className="root-exception" aria-label={words.root}>
      <h3 className="small-title">{words.root}</h3>
      <p>
        <strong>{stageText.reason(entry.failure)}</strong>{" "}
        <span className="muted">
          {clockTime(entry.clock)}, {nameOf(entry, useGraph(entry, moment), words.job)}
        </span>
      </p>
    </section>
  );
}

/** Of the job that was there then. */
function useGraph({ step }: ExceptionEntry, moment: Moment): Moment["graph"] {
  return useApp(branchOf)?.run.jobs.at(step).graph ?? moment.graph;
}

function nameOf({ subtask }: ExceptionEntry, { subtasks }: Moment["graph"], job: string): string {
  return subtask < 0 ? job : at(subtasks, subtask).name;
}

function nameOfFault({ view, graph }: Moment, step: number, text: Text): string {
  const fault = view.faults.find((each) => each.step === step);
  return fault === undefined ? "" : faultName(graph, fault, text);
}

function Row({ entry, moment }: EntryProps): ReactElement {
  const words = useInspectorText().exceptions;
  const text = useText();
  const { stageText } = text;
  const controller = useController();
  const graph = useGraph(entry, moment);
  const { step, clock, subtask, attempt, taskManager, failure, fault, decision, concurrent } = entry;
  const jump = (to: number, name: string): ReactElement => (
    <button type="button" className="link-button" onClick={() => controller.goTo(to)}>
      {name}
    </button>
  );
  const decided =
    decision === null
      ? null
      : decision.restart === null
        ? words.denied
        : words.restart(decision.restart.delay, decision.restart.tasks);
  return (
    <tr>
      <td>{jump(step, clockTime(clock))}</td>
      <td>
        {stageText.reason(failure)}
        {concurrent ? <span className="tag">{words.concurrent}</span> : null}
      </td>
      <td>
        {subtask >= 0 && graph === moment.graph ? (
          <ElementLink element={{ kind: "subtask", id: subtask }} name={nameOf(entry, graph, words.job)} />
        ) : (
          nameOf(entry, graph, words.job)
        )}
      </td>
      <td>{taskManager < 0 ? words.unassigned : at(graph.taskManagers, taskManager)}</td>
      <td>{attempt < 0 ? "" : attempt}</td>
      <td>{fault === null ? words.noFault : jump(fault.step, nameOfFault(moment, fault.step, text))}</td>
      <td>{decision === null || decided === null ? words.undecided : jump(decision.step, decided)}</td>
    </tr>
  );
}
