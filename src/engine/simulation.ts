/**
 * One run: a world that goes from entry to entry. It can be cloned at any step, and clones go their own way; that is all
 * that time travel, forks and sweeps need. Faults act between two entries: `after` one before the next, `before` one by
 * looking at what the next entry would be.
 */
import { at } from "../base/assert.ts";
import { EventLog } from "../protocol/log.ts";
import type { BrokenRule, Command, Scenario } from "../scenario/scenario.ts";
import { Arena } from "./arena.ts";
import type { Choices } from "./choices.ts";
import { type Decisions, flink } from "./decisions.ts";
import { dispatch } from "./dispatch.ts";
import { isSpent } from "./faults.ts";
import { Kernel, type Session } from "./kernel.ts";
import { lateParts } from "./late-parts.ts";
import { Suppress } from "./causes.ts";
import { Due, Fault, Job, Task } from "./layout.ts";
import { STALLED } from "./mailbox.ts";
import { Actor, Op } from "./ops.ts";
import { compile } from "./plan.ts";
import { beginRun, emptyWorld } from "./first-job.ts";
import { submitIfOver } from "./waiting-submission.ts";
import type { World } from "./world.ts";

/** A scenario's broken rules as what decides in their place. */
const broken: { readonly [R in BrokenRule]: Partial<Decisions> } = {
  "commit-at-barrier": { commitWaits: () => false },
  "no-alignment": { blocksChannel: () => false },
  "late-files-replace": { filesTogether: () => false },
  "summaries-of-new-subtasks": { committersOf: (_, now) => now },
  "source-forgets-offset": { restoredPosition: (_, end) => end },
};

function byStep(schedule: NonNullable<Scenario["schedule"]>): Map<number, number[]> {
  const steps = new Map<number, number[]>();
  for (const [step, choice] of schedule) steps.set(step, [...(steps.get(step) ?? []), choice]);
  return steps;
}

/** Sees every entry of a run as it is made. */
export interface Observer {
  observe(kernel: Kernel): void;
  clone(): Observer;
}

export class Simulation {
  readonly session: Session;
  readonly kernel: Kernel;
  observer: Observer | null;

  private constructor(session: Session, world: World, log: EventLog | null, observer: Observer | null) {
    this.session = session;
    this.kernel = new Kernel(session, world, log);
    this.observer = observer;
  }

  /** A run at its beginning. `defects` replaces decisions of the engine; tests use it to see that their checks bite. */
  static start(
    scenario: Scenario,
    options: { log?: EventLog | null; defects?: Partial<Decisions>; observer?: Observer | null } = {},
  ): Simulation {
    const plan = compile(scenario);
    const decisions = Object.assign(
      {},
      flink,
      ...scenario.broken.map((rule) => broken[rule]),
      options.defects,
    ) as Decisions;
    const session: Session = {
      plan,
      submissions: [{ plan, number: 0, before: -1, command: -1 }],
      arena: new Arena(),
      decisions,
      commands: [...scenario.faults],
      schedule: scenario.schedule === null ? null : byStep(scenario.schedule),
    };
    const world = emptyWorld(plan);
    const log = options.log === undefined ? new EventLog() : options.log;
    const simulation = new Simulation(session, world, log, options.observer ?? null);
    simulation.prepare();
    return simulation;
  }

  private prepare(): void {
    const { kernel, session } = this;
    beginRun(kernel);
    const { faults } = session.plan.scenario;
    faults.forEach(({ at: moment }, index) => {
      if (moment.kind === "time") kernel.after(moment.time, Op.fault, Actor.world, index);
    });
  }

  get world(): World {
    return this.kernel.world;
  }

  /** A run that stands where this one stands and goes its own way. Its log, if any, is the caller's. */
  clone(log: EventLog | null = null): Simulation {
    return new Simulation(this.session, this.world.clone(), log, this.observer?.clone() ?? null);
  }

  /** What a person does now: it acts before the next entry that would have come. The same command keeps its number. */
  submit(command: Command): void {
    const { commands } = this.session;
    const known = commands.indexOf(command);
    if (known < 0) commands.push(command);
    this.leaveOut();
    // A fault of this step that is left out must be due before it is.
    if (command.do === "suppress") this.applyStepFaults();
    this.kernel.interrupt(Op.fault, known < 0 ? commands.length - 1 : known);
  }

  /**
   * Makes one entry: by the scenario's schedule where that says so, else what is due first. False: nothing is due any more,
   * or the run has come to rest (`atRest`) before another entry.
   */
  step(atRest: (() => boolean) | null = null): boolean {
    const { schedule } = this.session;
    if (schedule !== null) {
      if (lateParts().follow(this, schedule.get(this.world.step) ?? [])) return true;
      if (atRest !== null && atRest()) return false;
    }
    this.applyStepFaults();
    return this.make(-1, atRest);
  }

  /** Takes one of the things that may happen next (`findChoices`). False: it made no entry. */
  take({ rows, places, arrivals, urgent }: Choices, choice: number): boolean {
    const { world, kernel } = this;
    const [row, place] = [at(rows, choice), at(places, choice)];
    world.clock = Math.max(world.clock, at(arrivals, choice));
    if (at(urgent, choice)) {
      kernel.firstInput = place;
      const made = this.make(row, null);
      kernel.firstInput = 0;
      return made;
    }
    if (place >= 0) {
      const task = world.agenda.get(row, Due.a);
      const { length } = at(this.kernel.plan.graph.subtasks, task).inputs;
      world.setTask(task, Task.inChannel, (place + length - 1) % length);
    }
    return this.make(row, null);
  }

  /** Goes on with the chain that is under way; false: there is none. */
  goOn(): boolean {
    if (!this.kernel.inChain) return false;
    this.takeRow(this.world.agenda.count - 1);
    return true;
  }

  /** Takes what is in one row of the agenda. */
  takeRow(row: number): void {
    this.make(row, null);
  }

  /** Makes an entry by what is in `row` (`-1`: by what is due first), or lets a fault act that was set before it. */
  private make(row: number, atRest: (() => boolean) | null): boolean {
    const { kernel } = this;
    this.leaveOut();
    const before = this.waitsForBefore() ? this.world.clone() : null;
    const length = kernel.log?.length ?? 0;
    if (!(row < 0 ? kernel.step(dispatch, atRest) : kernel.take(dispatch, row))) return false;
    const [fault] = before === null ? [] : this.matching("before");
    if (before !== null && fault !== undefined) {
      lateParts().serve(kernel, before, fault);
      kernel.enter(before);
      kernel.log?.truncate(length);
      kernel.interrupt(Op.fault, fault);
      kernel.step(dispatch, null);
    }
    this.finish();
    return true;
  }

  /** What is to be left out is, before anything else comes. */
  private leaveOut(): void {
    const wanted = this.world.job(Job.suppress);
    if (wanted === Suppress.none || wanted === Suppress.done) return;
    const before = (): number | undefined => (this.waitsForBefore() ? this.matching("before")[0] : undefined);
    lateParts().leaveOut(this.kernel, dispatch, before);
  }

  private finish(): void {
    this.observer?.observe(this.kernel);
    submitIfOver(this.kernel);
    if (this.world.cutParts.count > 0) lateParts().drawnCut.watch(this.kernel);
    if (this.session.plan.scenario.faults.length === 0) return;
    for (const fault of this.matching("after").reverse()) {
      this.world.setFault(fault, Fault.acted, 1);
      this.kernel.interrupt(Op.fault, fault);
    }
  }

  private applyStepFaults(): void {
    const { faults } = this.session.plan.scenario;
    for (let i = 0; i < faults.length; i++) {
      const moment = faults[i]?.at;
      if (moment?.kind !== "step" || moment.step !== this.world.step || this.world.fault(i, Fault.acted) === 1)
        continue;
      this.world.setFault(i, Fault.acted, 1);
      this.kernel.interrupt(Op.fault, i);
    }
  }

  private waitsForBefore(): boolean {
    const { faults } = this.session.plan.scenario;
    for (let i = 0; i < faults.length; i++)
      if (faults[i]?.at.kind === "before" && !isSpent(this.kernel, i)) return true;
    return false;
  }

  private matching(kind: "before" | "after"): number[] {
    return lateParts().matching(this.kernel, kind);
  }

  /** When the next operation is due; `Infinity`: only what waits for someone to resume it, or nothing. */
  get nextDue(): number {
    const { agenda } = this.world;
    if (agenda.count === 0) return Infinity;
    const time = agenda.get(agenda.count - 1, Due.time);
    return time >= STALLED ? Infinity : time;
  }
}
