/** The app's kill sweep: one at a time, of the branch that was on screen when it was begun. */
import { createActor } from "xstate";
import { at } from "../base/assert.ts";
import { type HarmfulRun, type Injection, type SweepTotals, USUAL_PAIRS } from "../scenario/exploration.ts";
import { crashes, lostMessages, sameCommand } from "../scenario/targets.ts";
import type { BranchId } from "../worker/port.ts";
import { nameOfBranch } from "./branches.ts";
import type { Controller } from "./controller.ts";
import { commandName } from "./fault-name.ts";
import { clockTime, count, percent } from "./format.ts";
import { decisionsOf } from "./link.ts";
import { type Session, appStore, branchOf } from "./store.ts";
import { type SweepActor, type SweepTarget, sweepMachine } from "./sweep-machine.ts";
import { currentSweepText } from "./text/sweep-text.ts";
import { currentText } from "./text/use-text.ts";

export class Sweep {
  readonly actor: SweepActor;
  private readonly controller: Controller;

  constructor(controller: Controller) {
    this.controller = controller;
    this.actor = createActor(sweepMachine, { input: { connect: controller.connectSweep } });
    let state = "";
    this.actor.subscribe((snapshot) => {
      const word = typeof snapshot.value === "string" ? snapshot.value : snapshot.value.running;
      this.sign();
      if (word !== state) this.announce(word);
      state = word;
    });
    this.actor.start();
    appStore.subscribe(
      (app) => app.session,
      (session) => {
        const { target } = this.actor.getSnapshot().context;
        if (target !== null && !isOpen(target, session)) this.actor.send({ type: "left" });
        this.sign();
      },
    );
  }

  /** Sweeps the branch on screen. */
  start(): void {
    const { session, branch, settings } = appStore.getState();
    if (session === null) return;
    this.actor.send({
      type: "start",
      target: { scenario: session.scenario, branch, name: nameOfTarget(session, branch) },
      request: {
        scenario: session.scenario,
        decisions: decisionsOf(session, branch),
        question: { failures: settings.sweepFailures, pairs: USUAL_PAIRS },
      },
    });
  }

  /** Shows a run of the sweep, its first failure just happening: as the branch that it already is, or as a new one. */
  open(injections: readonly Injection[]): void {
    const { session } = appStore.getState();
    const { target } = this.actor.getSnapshot().context;
    const [first] = injections;
    if (session === null || target === null || first === undefined || !isOpen(target, session)) return;
    const { branch, ahead } = follow(session, target.branch, injections);
    if (ahead.length === 0) this.controller.showAt(branch, first.step);
    else this.controller.decide(branch, ahead, first.step);
  }

  private announce(state: string): void {
    const { context } = this.actor.getSnapshot();
    const { live } = currentSweepText();
    const words = live.of(state, context.progress?.totals ?? null, context.message);
    if (words !== null) this.controller.announce({ says: "words", words });
  }

  /** A word for the tab, so that a sweep is seen from the other panels too. */
  private sign(): void {
    const { value, context } = this.actor.getSnapshot();
    const { target, progress } = context;
    const { session, sweepSign } = appStore.getState();
    const open = target !== null && isOpen(target, session);
    const sign = !open || progress === null || value === "failed" ? null : signOf(value, progress);
    if (sign !== sweepSign) appStore.setState({ sweepSign: sign });
  }
}

function signOf(value: unknown, progress: { done: number; total: number; totals: SweepTotals }): string {
  if (value !== "done") return percent(progress.done, progress.total);
  const { harmfulCount, violations } = progress.totals;
  if (violations.length > 0) return "!";
  return harmfulCount === 0 ? currentText().outcome.words.OK : count(harmfulCount);
}

const made = new WeakMap<Controller, Sweep>();

export function sweepOf(controller: Controller): Sweep {
  const sweep = made.get(controller) ?? new Sweep(controller);
  made.set(controller, sweep);
  return sweep;
}

export function isOpen({ scenario, branch }: SweepTarget, session: Session | null): boolean {
  return session !== null && session.scenario === scenario && session.branches[branch] !== undefined;
}

/** `Kafka to Kafka · sink delivery at-least-once · fail total[1] at 3.020 s`. */
function nameOfTarget(session: Session, branch: BranchId): string {
  const { scenario } = session;
  const sink = scenario.job.vertices.find((vertex) => vertex.type === "kafka-sink");
  const delivery = sink?.type === "kafka-sink" ? currentText().header.deliveries[sink.delivery] : "";
  return currentSweepText().target(scenario.title.en, delivery, branch === 0 ? "" : nameOfBranch(session, branch));
}

/** As far as a run is already there as branches of branches; `ahead`: what is still to be decided in the last of them. */
function follow(
  session: Session,
  branch: BranchId,
  injections: readonly Injection[],
): { readonly branch: BranchId; readonly ahead: readonly Injection[] } {
  const [first, ...others] = injections;
  if (first === undefined) return { branch, ahead: [] };
  const child = session.branches.find(
    ({ branch: { parent, step, command } }) =>
      parent === branch && step === first.step && command !== null && sameCommand(command, first.command),
  );
  return child === undefined ? { branch, ahead: injections } : follow(session, child.branch.id, others);
}

/** The branch that a run of the sweep is open as; `null`: it is not. */
export function branchOfRun(session: Session, target: SweepTarget, { injections }: HarmfulRun): BranchId | null {
  const { branch, ahead } = follow(session, target.branch, injections);
  return ahead.length === 0 ? branch : null;
}

/** `fail total[1] at event 364, 3.020 s`: the time is that of the branch that is swept, so only a first failure has one. */
export function failureName(session: Session, branch: BranchId, injections: readonly Injection[]): string {
  const words = currentSweepText();
  const { log } = at(session.branches, branch).run;
  const parts = injections.map(({ step, command }, index) => {
    const name = commandName(command, currentText());
    if (index > 0) return words.second(name, step);
    return words.failure(name, step, clockTime(step === 0 ? 0 : log.clock(Math.min(step, log.length) - 1)));
  });
  return parts.join(words.between);
}

/** How many things can fail in how many ways: what a sweep does at each step. */
export function failuresOf({ graph, scenario }: Session): number {
  return crashes(graph, scenario).length + lostMessages(graph).length;
}

/** Entries of the branch on screen before which failures act: its own; `null`: it is still being computed. */
export function stepsOf(app: ReturnType<typeof appStore.getState>): number | null {
  const branch = branchOf(app);
  return branch === null || (branch.report === null && branch.violation === null)
    ? null
    : branch.length - branch.branch.step;
}
