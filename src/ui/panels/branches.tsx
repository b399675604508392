/** The run as the scenario says and what was made of it: every branch with where it begins and how it ends. */
import { Columns3, CornerDownRight, Pencil, RotateCcw, Trash2, Undo2 } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useState } from "react";
import { at } from "../../base/assert.ts";
import type { BranchId } from "../../worker/port.ts";
import { showDialog } from "../app-actions.ts";
import { bringBack, removeBranch, renameBranch } from "../branch-edits.ts";
import { nameOfBranch } from "../branches.ts";
import { useController } from "../controller-context.ts";
import { clockTime } from "../format.ts";
import { outcomeOfReport } from "../outcome.ts";
import type { BranchRun, Session } from "../store.ts";
import { undo, useCanUndo } from "../history.ts";
import { useApp } from "../use-app.ts";
import { useBranchesText } from "../text/branches-text.ts";
import { useText } from "../text/use-text.ts";
import { Planned } from "./planned.tsx";
import { OutcomeWord } from "../controls/outcome-word.tsx";
import { Table } from "../controls/table.tsx";

export default function Branches(): ReactElement | null {
  const { branches } = useText().panels;
  const session = useApp((app) => app.session);
  const current = useApp((app) => app.branch);
  const [gone, setGone] = useState<ReadonlySet<BranchId>>(new Set());
  if (session === null) return null;
  return (
    <div className="branches">
      <Bar session={session} gone={gone} setGone={setGone} />
      <Planned />
      <Table caption={branches.caption} columns={branches.columns}>
        {inTreeOrder(session.branches).map(({ branch, depth }) => (
          <BranchRow
            key={branch.branch.id}
            session={session}
            branch={branch}
            depth={depth}
            shown={branch.branch.id === current}
            setGone={setGone}
          />
        ))}
      </Table>
    </div>
  );
}

interface GoneProps {
  readonly session: Session;
  /** What was put away last. */
  readonly setGone: (ids: ReadonlySet<BranchId>) => void;
}

function Bar({ session, gone, setGone }: GoneProps & { readonly gone: ReadonlySet<BranchId> }): ReactElement {
  const { branches } = useText().panels;
  const words = useBranchesText();
  const controller = useController();
  const canUndo = useCanUndo();
  const back = [...gone].filter((id) => session.branches[id]?.removed === true);
  const takeBack = (): void => {
    bringBack(new Set(back));
    setGone(new Set());
  };
  return (
    <div className="panel-bar">
      {back.length > 0 ? (
        <output className="grow">{words.gone(back.length)}</output>
      ) : (
        <p className="muted grow">{branches.hint}</p>
      )}
      {back.length > 0 ? (
        <button type="button" className="button small" onClick={takeBack}>
          <RotateCcw aria-hidden />
          {words.bringBack}
        </button>
      ) : null}
      <button type="button" className="button small" onClick={() => showDialog("diff")}>
        <Columns3 aria-hidden />
        {branches.compare}
      </button>
      <button type="button" className="button small" disabled={!canUndo} onClick={() => undo(controller)}>
        <Undo2 aria-hidden />
        {branches.undo}
      </button>
    </div>
  );
}

interface BranchRowProps extends GoneProps {
  readonly branch: BranchRun;
  readonly depth: number;
  readonly shown: boolean;
}

function BranchRow({ session, branch, depth, shown, setGone }: BranchRowProps): ReactElement {
  const { branches } = useText().panels;
  const { id, parent, step } = branch.branch;
  const { report } = branch;
  return (
    <tr aria-current={shown || undefined}>
      <td>
        <span className="branch-cell" style={{ paddingInlineStart: depth * 20 }}>
          {depth > 0 ? <CornerDownRight aria-hidden /> : null}
          <Name session={session} id={id} shown={shown} />
          {shown ? <span className="tag">{branches.current}</span> : null}
        </span>
      </td>
      <td>{parent === null ? "–" : branches.from(nameOfBranch(session, parent), step)}</td>
      <td>
        {report === null ? (
          branch.paused ? (
            branches.paused
          ) : (
            branches.computing
          )
        ) : (
          <OutcomeWord outcome={outcomeOfReport(report)} />
        )}
      </td>
      <td>{report === null ? "" : branches.ends(clockTime(branch.run.log.clock(branch.length - 1)), branch.length)}</td>
      <td>
        <Remove session={session} id={id} setGone={setGone} />
      </td>
    </tr>
  );
}

function Remove({ session, id, setGone }: GoneProps & { readonly id: BranchId }): ReactElement | null {
  const words = useBranchesText();
  const controller = useController();
  if (id === 0) return null;
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={words.remove(nameOfBranch(session, id))}
      onClick={() => setGone(removeBranch((parent) => controller.switchBranch(parent), id))}
    >
      <Trash2 aria-hidden />
    </button>
  );
}

interface NameProps {
  readonly session: Session;
  readonly id: BranchId;
  readonly shown: boolean;
}

/** Shows the branch; the pencil beside it gives it a name. */
function Name({ session, id, shown }: NameProps): ReactElement {
  const words = useBranchesText();
  const controller = useController();
  const [edited, setEdited] = useState(false);
  const name = nameOfBranch(session, id);
  const done = (written: string | null): void => {
    if (written !== null) renameBranch(id, written);
    setEdited(false);
  };
  const keys = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void => {
    if (key === "Enter") done(currentTarget.value);
    if (key === "Escape") done(null);
  };
  const focus = (field: HTMLInputElement | null): void => field?.select();
  if (edited)
    return (
      <input
        ref={focus}
        className="text-input"
        aria-label={words.nameOf(name)}
        defaultValue={name}
        maxLength={80}
        onKeyDown={keys}
        onBlur={({ currentTarget }) => done(currentTarget.value === name ? null : currentTarget.value)}
      />
    );
  return (
    <>
      <button type="button" className="link-button" aria-pressed={shown} onClick={() => controller.switchBranch(id)}>
        {name}
      </button>
      {id === 0 ? null : (
        <button type="button" className="icon-button" aria-label={words.rename(name)} onClick={() => setEdited(true)}>
          <Pencil aria-hidden />
        </button>
      )}
    </>
  );
}

/** Children under their parents, in the order of their making. */
function inTreeOrder(branches: readonly BranchRun[]): { readonly branch: BranchRun; readonly depth: number }[] {
  const list: { branch: BranchRun; depth: number }[] = [];
  const visit = (branch: BranchRun, depth: number): void => {
    list.push({ branch, depth });
    for (const child of branches)
      if (child.branch.parent === branch.branch.id && !child.removed) visit(child, depth + 1);
  };
  if (branches.length > 0) visit(at(branches, 0), 0);
  return list;
}
