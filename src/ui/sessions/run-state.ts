/** What is on screen as a run's document: for a link the way to the shown branch, for a file and the browser all of it. */
import { at } from "../../base/assert.ts";
import { marksOf } from "../../projection/log-marks.ts";
import { type RunDocument, type WrittenFork, documentOf, writtenFork } from "../../scenario/run-document.ts";
import type { BranchId } from "../../worker/port.ts";
import type { App, Session } from "../store.ts";
import { packed } from "./packed.ts";

export const PREFIX = "#at=";

/** Branches that are kept, in an order in which each comes behind its parent. */
function wayTo(session: Session, id: BranchId): BranchId[] {
  const { parent } = at(session.branches, id).branch;
  return parent === null ? [] : [...wayTo(session, parent), id];
}

/** `whole`: with all branches that were not put away. */
export function documentOnScreen(app: App, whole: boolean): RunDocument | null {
  const { session, branch, step, selection, settings } = app;
  if (session === null) return null;
  const kept = whole
    ? session.branches.filter(({ branch: { id }, removed }) => id > 0 && !removed).map(({ branch: { id } }) => id)
    : wayTo(session, branch);
  // Where the shown branch was put away, its parents stand for it.
  const place = (id: BranchId | null): number => (id === null ? 0 : kept.indexOf(id) + 1);
  const { run } = at(session.branches, branch);
  return documentOf(JSON.parse(session.text), {
    ...(kept.length > 0 && { forks: kept.map((id) => forkOf(session, id, place)) }),
    ...(place(branch) > 0 && { branch: place(branch) }),
    step,
    ...(selection !== null && { selection: `${selection.kind}:${selection.id}` }),
    panel: settings.dock,
    marks: marksOf(run.log),
  });
}

function forkOf(session: Session, id: BranchId, place: (id: BranchId | null) => number): WrittenFork {
  const { branch, name } = at(session.branches, id);
  if (branch.command === null) throw new Error(`assertion failed: branch ${id} was opened by nothing`);
  return writtenFork(place(branch.parent), branch.step, branch.command, name);
}

export async function fragmentOf(document: RunDocument): Promise<string> {
  return `${PREFIX}${await packed(JSON.stringify(document))}`;
}
