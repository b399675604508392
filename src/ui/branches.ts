/** Branches as people speak of them. */
import { at } from "../base/assert.ts";
import type { BranchId } from "../worker/port.ts";
import { branchName } from "./fault-name.ts";
import { clockTime } from "./format.ts";
import type { Session } from "./store.ts";
import { currentText } from "./text/use-text.ts";

/** As somebody called it, or `fail total[1] at 3.02 s`. */
export function nameOfBranch(session: Session, id: BranchId): string {
  const { branch, run, name } = at(session.branches, id);
  if (name !== null) return name;
  const time = branch.step === 0 ? 0 : run.log.clock(branch.step - 1);
  return branchName(branch.command, clockTime(time), currentText());
}
