/** What a person does to the tree of branches itself: names, putting away, bringing back. The runs stay as they are. */
import { at } from "../base/assert.ts";
import type { BranchId } from "../worker/port.ts";
import { type BranchRun, type Session, appStore } from "./store.ts";

function change(ids: ReadonlySet<BranchId>, update: Partial<BranchRun>): void {
  const { session } = appStore.getState();
  if (session === null) return;
  const branches = session.branches.map((branch) => (ids.has(branch.branch.id) ? { ...branch, ...update } : branch));
  appStore.setState({ session: { ...session, branches } });
}

/** An empty name gives back the one that says what was decided. */
export function renameBranch(id: BranchId, name: string): void {
  const written = name.trim();
  change(new Set([id]), { name: written === "" ? null : written.slice(0, 80) });
}

/** The branch and all that branch off from it, as far as they are there. */
export function withDescendants({ branches }: Session, id: BranchId): ReadonlySet<BranchId> {
  const found = new Set([id]);
  // A child has a higher number than its parent.
  for (const { branch, removed } of branches)
    if (branch.parent !== null && found.has(branch.parent) && !removed) found.add(branch.id);
  return found;
}

/** Puts a branch away, with what hangs on it; where it is shown, `show` shows its parent. What was put away is returned. */
export function removeBranch(show: (branch: BranchId) => void, id: BranchId): ReadonlySet<BranchId> {
  const { session, branch } = appStore.getState();
  if (session === null || id === 0) return new Set();
  const gone = withDescendants(session, id);
  change(gone, { removed: true });
  if (gone.has(branch)) show(at(session.branches, id).branch.parent ?? 0);
  return gone;
}

export function bringBack(ids: ReadonlySet<BranchId>): void {
  change(ids, { removed: false });
}
