/** The run as the scenario says and what was made of it: every branch with where it begins and how it ends. */
import { Columns3, CornerDownRight, Undo2 } from "lucide-react";
import type { ReactElement } from "react";
import { at } from "../../base/assert.ts";
import { showDialog } from "../app-actions.ts";
import { nameOfBranch } from "../branches.ts";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { outcomeOfReport } from "../outcome.ts";
import type { BranchRun, Session } from "../store.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { Planned } from "./planned.tsx";
import { OutcomeWord } from "../controls/outcome-word.tsx";

export default function Branches(): ReactElement | null {
  const { branches } = useText().panels;
  const controller = useController();
  const session = useApp((app) => app.session);
  const current = useApp((app) => app.branch);
  if (session === null) return null;
  return (
    <div className="branches">
      <div className="panel-bar">
        <p className="muted grow">{branches.hint}</p>
        <button type="button" className="button small" onClick={() => showDialog("compare")}>
          <Columns3 aria-hidden />
          {branches.compare}
        </button>
        <button type="button" className="button small" disabled={current === 0} onClick={() => controller.undo()}>
          <Undo2 aria-hidden />
          {branches.undo}
        </button>
      </div>
      <Planned />
      <table className="table">
        <caption className="visually-hidden">{branches.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{branches.columns.branch}</th>
            <th scope="col">{branches.columns.from}</th>
            <th scope="col">{branches.columns.outcome}</th>
            <th scope="col">{branches.columns.ended}</th>
          </tr>
        </thead>
        <tbody>
          {inTreeOrder(session.branches).map(({ branch, depth }) => (
            <BranchRow
              key={branch.branch.id}
              session={session}
              branch={branch}
              depth={depth}
              shown={branch.branch.id === current}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BranchRowProps {
  readonly session: Session;
  readonly branch: BranchRun;
  readonly depth: number;
  readonly shown: boolean;
}

function BranchRow({ session, branch, depth, shown }: BranchRowProps): ReactElement {
  const { branches } = useText().panels;
  const controller = useController();
  const { id, parent, step } = branch.branch;
  const name = nameOfBranch(session, id);
  const { report } = branch;
  return (
    <tr aria-current={shown || undefined}>
      <td>
        <span className="branch-cell" style={{ paddingInlineStart: depth * 20 }}>
          {depth > 0 ? <CornerDownRight aria-hidden /> : null}
          <button
            type="button"
            className="link-button"
            aria-pressed={shown}
            onClick={() => controller.switchBranch(id)}
          >
            {name}
          </button>
          {shown ? <span className="tag">{branches.current}</span> : null}
        </span>
      </td>
      <td>{parent === null ? "–" : branches.from(nameOfBranch(session, parent), step)}</td>
      <td>{report === null ? branches.computing : <OutcomeWord outcome={outcomeOfReport(report)} />}</td>
      <td>{report === null ? "" : branches.ends(clockTime(branch.run.log.clock(branch.length - 1)), branch.length)}</td>
    </tr>
  );
}

/** Children under their parents, in the order of their making. */
function inTreeOrder(branches: readonly BranchRun[]): { readonly branch: BranchRun; readonly depth: number }[] {
  const list: { branch: BranchRun; depth: number }[] = [];
  const visit = (branch: BranchRun, depth: number): void => {
    list.push({ branch, depth });
    for (const child of branches) if (child.branch.parent === branch.branch.id) visit(child, depth + 1);
  };
  if (branches.length > 0) visit(at(branches, 0), 0);
  return list;
}
