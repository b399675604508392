/** Whose an entry is: those before a branch's begin are its parent's. */
import { at } from "../base/assert.ts";
import type { BranchId } from "../worker/port.ts";
import type { Session } from "./store.ts";

/** The branch whose own entry is at a step. */
export function ownerOf(session: Session, branch: BranchId, step: number): BranchId {
  const { branch: own } = at(session.branches, branch);
  return own.parent === null || step >= own.step ? branch : ownerOf(session, own.parent, step);
}
