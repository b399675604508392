/**
 * The microscope: a ruler of all boundaries that the log has of a checkpoint or a transaction, and for each window
 * who knows what and what a crash there comes to. Widths are schematic, above a bar in true scale.
 */
import "../styles/windows.css";
import { type ReactElement, useState } from "react";
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { transactionName } from "../../protocol/ids.ts";
import { type Ruler, rulerOf } from "../../projection/windows.ts";
import { Modal } from "../controls/modal.tsx";
import { useController } from "../controller-context.ts";
import { WhatFails } from "../crash/what-fails.tsx";
import { useCrashAt } from "../crash/use-crash-drag.ts";
import { type BranchRun, type Session, branchOf } from "../store.ts";
import { useWindowsText } from "../text/windows-text.ts";
import { useApp } from "../use-app.ts";
import { RulerRadios } from "./ruler.tsx";
import { WindowDetail } from "./window-detail.tsx";
import { WindowsTable } from "./windows-table.tsx";
import { type Answers, placesOf } from "./answers.ts";

interface WindowsDialogProps {
  readonly step: number;
  readonly close: () => void;
}

export default function WindowsDialog({ step, close }: WindowsDialogProps): ReactElement | null {
  const words = useWindowsText();
  const session = useApp((app) => app.session);
  const branch = useApp(branchOf);
  const ruler = branch === null ? null : rulerOf(branch.run.log, step);
  if (session === null || branch === null || ruler === null) return null;
  const { graph } = branch.run.jobs.at(step);
  const what =
    ruler.kind === "checkpoint" ? words.checkpoint(ruler.checkpoint) : transactionName(graph, ruler.transaction);
  return (
    <Modal className="dialog windows" title={words.title(what)} description={words.description} onClose={close}>
      {ruler.windows.length === 0 ? (
        <p>{words.none}</p>
      ) : branch.report === null ? (
        <p>{words.unfinished}</p>
      ) : (
        <Microscope session={session} branch={branch} ruler={ruler} graph={graph} close={close} />
      )}
    </Modal>
  );
}

interface MicroscopeProps {
  readonly session: Session;
  readonly branch: BranchRun;
  readonly ruler: Ruler;
  readonly graph: ExecutionGraph;
  readonly close: () => void;
}

function Microscope({ session, branch, ruler, graph, close }: MicroscopeProps): ReactElement {
  const words = useWindowsText();
  const controller = useController();
  const [shown, setShown] = useState(0);
  const { id } = branch.branch;
  const subtask = ruler.subtask < 0 ? null : at(graph.subtasks, ruler.subtask).name;
  const [drag, state] = useCrashAt(session, id, subtask, ruler.windows.flatMap(placesOf));
  const answers: Answers = {
    ...state,
    crash: (step) => {
      const injection = drag.injection(step);
      close();
      controller.decide(id, [injection], injection.step);
    },
  };
  return (
    <div className="windows-body">
      <WhatFails drag={drag} state={state} />
      <RulerRadios ruler={ruler} answers={answers} shown={shown} show={setShown} />
      <WindowDetail window={at(ruler.windows, shown)} index={shown} answers={answers} />
      <details className="windows-all">
        <summary>{words.table}</summary>
        <WindowsTable ruler={ruler} answers={answers} />
      </details>
    </div>
  );
}
