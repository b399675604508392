/** What if not: a cause is left out in a run beside the one on screen, and there the fact is looked for again. */
import { at } from "../../base/assert.ts";
import { type Fate, fateOf } from "../../projection/fact.ts";
import type { Command } from "../../scenario/scenario.ts";
import type { Outcome } from "../../view/theme.ts";
import type { BranchId } from "../../worker/port.ts";
import type { Controller } from "../controller.ts";
import { decisionsOf } from "../link.ts";
import { outcomeOfReport } from "../outcome.ts";
import { ownerOf } from "../branch-owner.ts";
import type { Session } from "../store.ts";
import { OtherRuns } from "../what-if/runs.ts";

const leaveOut: Command = { do: "suppress", target: null, rpc: null, checkpoint: null, count: 1, for: null };

/** What becomes of the fact, and of the whole run; `null`: it could not be computed. */
export type Answer = { readonly fate: Fate; readonly outcome: Outcome | null } | null;

/** Of one branch. */
export class WhatIfNot {
  private readonly runs = new Map<BranchId, OtherRuns>();
  private readonly session: Session;
  private readonly branch: BranchId;
  private readonly controller: Controller;

  constructor(controller: Controller, session: Session, branch: BranchId) {
    this.controller = controller;
    this.session = session;
    this.branch = branch;
  }

  /** Without the entry at `cause`: what becomes of the one at `fact`? */
  async ask(cause: number, fact: number): Promise<Answer> {
    const { log } = at(this.session.branches, this.branch).run;
    const run = await this.from(ownerOf(this.session, this.branch, cause)).ask(cause, leaveOut);
    if (run === null) return null;
    return { fate: fateOf(log, fact, run.log, cause), outcome: outcomeOfReport(run.report) };
  }

  private from(owner: BranchId): OtherRuns {
    const known = this.runs.get(owner);
    if (known !== undefined) return known;
    const made = new OtherRuns(this.controller.connect, this.session.scenario, decisionsOf(this.session, owner));
    this.runs.set(owner, made);
    return made;
  }

  /** Shows that run as a branch of its own, where it parts. */
  open(cause: number): void {
    this.controller.decide(ownerOf(this.session, this.branch, cause), [{ step: cause, command: leaveOut }], cause);
  }

  close(): void {
    for (const runs of this.runs.values()) runs.close();
    this.runs.clear();
  }
}
