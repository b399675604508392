/** Branches as people speak of them, and what two of them have in common. */
import { at } from "../base/assert.ts";
import type { BranchId } from "../worker/port.ts";
import { branchName } from "./fault-menu-items.ts";
import { clockTime } from "./format.ts";
import type { BranchRun, Session } from "./store.ts";
import { currentText } from "./text/use-text.ts";

/** `fail total[1] at 3.02 s`. */
export function nameOfBranch(session: Session, id: BranchId): string {
  const { branch, run } = at(session.branches, id);
  const time = branch.step === 0 ? 0 : run.log.clock(branch.step - 1);
  return branchName(branch.command, clockTime(time), currentText());
}

/** How many entries two branches share. */
export function sharedEntries(branches: readonly BranchRun[], a: BranchId, b: BranchId): number {
  const others = new Map(lineage(branches, b).map(({ branch, until }) => [branch, until]));
  for (const { branch, until } of lineage(branches, a)) {
    const other = others.get(branch);
    if (other !== undefined) return Math.min(until, other);
  }
  return 0;
}

/** The branch and its ancestors, nearest first, each with the step at which the way leaves it. */
function lineage(
  branches: readonly BranchRun[],
  id: BranchId,
): { readonly branch: BranchId; readonly until: number }[] {
  const way: { branch: BranchId; until: number }[] = [];
  let until = at(branches, id).length;
  for (let next: BranchId | null = id; next !== null;) {
    const { branch }: BranchRun = at(branches, next);
    way.push({ branch: next, until });
    until = branch.step;
    next = branch.parent;
  }
  return way;
}
