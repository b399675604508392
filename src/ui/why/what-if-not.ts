/**
 * What if not: a cause is left out in a run beside the one on screen, and there the fact is looked for again. A fault
 * does not act, a record is passed by, an entry does not come, or comes behind one that it does not bring about; an option
 * is at its default from the start of the run on, and what was decided acts at the times at which it acted.
 */
import { at } from "../../base/assert.ts";
import { type Fate, fateOf } from "../../projection/fact.ts";
import type { Explanation } from "../../projection/sentences.ts";
import { timedFault } from "../../scenario/comparison.ts";
import { reverted } from "../../scenario/reverted.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import type { Outcome } from "../../view/theme.ts";
import type { BranchId } from "../../worker/port.ts";
import type { Controller } from "../controller.ts";
import { fetched } from "../fetched.ts";
import { decisionsOf } from "../link.ts";
import { outcomeOfReport } from "../outcome.ts";
import { ownerOf } from "../branch-owner.ts";
import { prettyJson } from "../pretty-json.ts";
import type { Session } from "../store.ts";
import { OtherRuns } from "../what-if/runs.ts";

const leaveOut: Command = { do: "suppress", target: null, rpc: null, checkpoint: null, count: 1, for: null };

/** An entry, that it came before another one, or an option by its name. */
export type Cause =
  | { readonly kind: "entry"; readonly step: number }
  | { readonly kind: "order"; readonly step: number; readonly other: number }
  | { readonly kind: "option"; readonly name: string };

export function keyOf(cause: Cause): string {
  return cause.kind === "option" ? cause.name : `${cause.kind} ${cause.step}`;
}

/** What becomes of the fact, and of the whole run; `null`: it could not be computed. */
export type Answer = { readonly fate: Fate; readonly outcome: Outcome | null } | null;

/** All that a fact comes of, each to be left out by itself: the entries of its chain, and the options that are set. */
export function causesOf(chain: readonly Explanation[], isSet: (option: string) => boolean): readonly Cause[] {
  const set = new Set(chain.flatMap(({ config }) => (config !== null && isSet(config.option) ? [config.option] : [])));
  return [
    ...chain.slice(1).map(({ step }): Cause => ({ kind: "entry", step })),
    ...[...set].map((name): Cause => ({ kind: "option", name })),
  ];
}

/** Of how many causes does a fact come that happens without any single one of them? `null`: it needs one, or not all are tried. */
export function overDetermined(
  causes: readonly Cause[],
  answerOf: (cause: Cause) => Answer | undefined,
): number | null {
  const survives = causes.every((cause) => answerOf(cause)?.fate.kind === "still");
  return causes.length > 0 && survives ? causes.length : null;
}

/** Of one branch. */
export class WhatIfNot {
  private readonly runs = new Map<BranchId, OtherRuns>();
  /** Of other scenarios, as long as they run. */
  private readonly others: OtherRuns[] = [];
  private readonly session: Session;
  private readonly branch: BranchId;
  private readonly controller: Pick<Controller, "connect" | "open" | "decide">;

  constructor(controller: Pick<Controller, "connect" | "open" | "decide">, session: Session, branch: BranchId) {
    this.controller = controller;
    this.session = session;
    this.branch = branch;
  }

  /** Without the cause: what becomes of the entry at `fact`? */
  async ask(cause: Cause, fact: number): Promise<Answer> {
    if (cause.kind === "option") return this.askDefault(cause.name, fact);
    const { log } = at(this.session.branches, this.branch).run;
    const { step } = cause;
    const run = await this.from(ownerOf(this.session, this.branch, step)).ask(step, this.commandFor(cause));
    if (run === null) return null;
    const answer = { fate: fateOf(log, fact, run.log, step), outcome: outcomeOfReport(run.report) };
    if (cause.kind === "entry") return answer;
    // The other way round only if it is: what a thread does at one go stays together.
    const [one, other] = [fateOf(log, step, run.log, step), fateOf(log, cause.other, run.log, step)];
    return other.kind !== "gone" && (one.kind === "gone" || other.step < one.step) ? answer : null;
  }

  private commandFor(cause: Exclude<Cause, { kind: "option" }>): Command {
    if (cause.kind === "entry") return leaveOut;
    const { log } = at(this.session.branches, this.branch).run;
    return { ...leaveOut, for: log.clock(cause.other) - log.clock(cause.step) };
  }

  private async askDefault(option: string, fact: number): Promise<Answer> {
    const opened = await this.atDefault(option);
    if (opened === null) return null;
    const runs = new OtherRuns(this.controller.connect, opened.scenario, []);
    this.others.push(runs);
    const run = await runs.whole();
    runs.close();
    const { log } = at(this.session.branches, this.branch).run;
    return run === null ? null : { fate: fateOf(log, fact, run.log, 0), outcome: outcomeOfReport(run.report) };
  }

  /** The scenario with the option at its default, and what was decided on the way to the branch; `null`: it is none. */
  private async atDefault(option: string): Promise<{ readonly text: string; readonly scenario: Scenario } | null> {
    const { session, branch } = this;
    const { log } = at(session.branches, branch).run;
    const source = reverted(JSON.parse(session.text), option);
    const reader = await fetched(import("../../scenario/parse.ts"));
    if (source === null || reader === null) return null;
    const faults = decisionsOf(session, branch).map(({ step, command }) =>
      timedFault(log.clock(Math.min(step, log.length - 1)), command),
    );
    const given = Array.isArray(source["faults"]) ? (source["faults"] as unknown[]) : [];
    const text = prettyJson({ ...source, faults: [...given, ...faults] });
    const read = reader.parseScenario(text);
    return read.ok ? { text, scenario: read.value } : null;
  }

  /** Is an option set to something else than its default? */
  isSet(option: string): boolean {
    return reverted(JSON.parse(this.session.text), option) !== null;
  }

  private from(owner: BranchId): OtherRuns {
    const known = this.runs.get(owner);
    if (known !== undefined) return known;
    const made = new OtherRuns(this.controller.connect, this.session.scenario, decisionsOf(this.session, owner));
    this.runs.set(owner, made);
    return made;
  }

  /** Shows that run: as a branch of its own, where it parts; or, from its start on another, as what is open. */
  open(cause: Cause): void {
    if (cause.kind === "option") {
      void this.atDefault(cause.name).then((opened) => {
        if (opened !== null) this.controller.open({ ...opened, library: null }, { keepTime: true, play: false });
      });
      return;
    }
    const { step } = cause;
    const owner = ownerOf(this.session, this.branch, step);
    this.controller.decide(owner, [{ step, command: this.commandFor(cause) }], step);
  }

  close(): void {
    for (const runs of this.runs.values()) runs.close();
    for (const runs of this.others.splice(0)) runs.close();
    this.runs.clear();
  }
}
