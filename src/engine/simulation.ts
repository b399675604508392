/**
 * One run: a world that goes from entry to entry. It can be cloned at any step, and clones go their own way; that is all
 * that time travel, forks and sweeps need. Faults act between two entries: `after` one before the next, `before` one by
 * looking at what the next entry would be.
 */
import { stream } from "../base/prng.ts";
import { EventLog } from "../protocol/log.ts";
import type { BrokenRule, Command, Scenario } from "../scenario/scenario.ts";
import { Arena } from "./arena.ts";
import { type Decisions, flink } from "./decisions.ts";
import { dispatch } from "./dispatch.ts";
import { matches } from "./faults.ts";
import { Kernel, type Session } from "./kernel.ts";
import { Due, Job, Process, TaskManager, TaskTime, layoutOf } from "./layout.ts";
import { STALLED } from "./mailbox.ts";
import { Actor, Op } from "./ops.ts";
import { compile } from "./plan.ts";
import { World } from "./world.ts";

/** A scenario's broken rules as what decides in their place. */
const broken: { readonly [R in BrokenRule]: Partial<Decisions> } = {
  "commit-at-barrier": { commitWaits: () => false },
  "no-alignment": { blocksChannel: () => false },
  "source-forgets-offset": { restoredPosition: (_, end) => end },
};

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
    const session: Session = { plan, arena: new Arena(), decisions, commands: [...scenario.faults] };
    const layout = layoutOf(plan);
    const widest = Math.max(0, ...plan.capacity);
    const room = widest + 16 + scenario.config.checkpointing.maxConcurrent * 2;
    const world = new World(layout, plan.stateWords, plan.graph.channels.length, room);
    const log = options.log === undefined ? new EventLog() : options.log;
    const simulation = new Simulation(session, world, log, options.observer ?? null);
    simulation.prepare();
    return simulation;
  }

  private prepare(): void {
    const { kernel, session } = this;
    const { world } = kernel;
    const { seed, faults } = session.plan.scenario;
    world.setJob(Job.nextCheckpoint, 1);
    world.setJob(Job.initialDelayStream, stream(seed, "initial delay"));
    world.setJob(Job.jitterStream, stream(seed, "jitter"));
    world.setJob(Job.routingStream, stream(seed, "routing"));
    for (const { index, taskManager } of session.plan.graph.slots) world.setSlot(index, taskManager);
    session.plan.graph.taskManagers.forEach((_, taskManager) => {
      world.setTaskManager(taskManager, TaskManager.alive, Process.running);
      world.setTaskManager(taskManager, TaskManager.registered, 1);
    });
    for (let task = 0; task < world.layout.tasks; task++) world.setTaskTime(task, TaskTime.wake, -1);
    kernel.after(0, Op.startJob, Actor.jobManager);
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
    this.kernel.interrupt(Op.fault, known < 0 ? commands.length - 1 : known);
  }

  /** Makes one entry. False: nothing is due any more, or the run has come to rest (`atRest`) before another entry. */
  step(atRest: (() => boolean) | null = null): boolean {
    this.applyStepFaults();
    if (!this.waitsForBefore()) return this.advance(atRest);
    for (;;) {
      const length = this.kernel.log?.length ?? 0;
      const before = this.world.clone();
      if (!this.kernel.step(dispatch, atRest)) return false;
      const fault = this.firstMatch("before");
      if (fault < 0) {
        this.finish();
        return true;
      }
      this.kernel.world = before;
      this.kernel.log?.truncate(length);
      before.setFault(fault, 1, 1);
      this.kernel.interrupt(Op.fault, fault);
      return this.advance(atRest);
    }
  }

  private advance(atRest: (() => boolean) | null): boolean {
    if (!this.kernel.step(dispatch, atRest)) return false;
    this.finish();
    return true;
  }

  private finish(): void {
    this.observer?.observe(this.kernel);
    const fault = this.session.plan.scenario.faults.length === 0 ? -1 : this.firstMatch("after");
    if (fault < 0) return;
    this.world.setFault(fault, 1, 1);
    this.kernel.interrupt(Op.fault, fault);
  }

  private applyStepFaults(): void {
    const { faults } = this.session.plan.scenario;
    for (let i = 0; i < faults.length; i++) {
      const moment = faults[i]?.at;
      if (moment?.kind !== "step" || moment.step !== this.world.step || this.world.fault(i, 1) === 1) continue;
      this.world.setFault(i, 1, 1);
      this.kernel.interrupt(Op.fault, i);
    }
  }

  private waitsForBefore(): boolean {
    const { faults } = this.session.plan.scenario;
    for (let i = 0; i < faults.length; i++)
      if (faults[i]?.at.kind === "before" && this.world.fault(i, 1) === 0) return true;
    return false;
  }

  /** Counts the entry for every fault whose pattern it fits; the first that has its `nth` match now acts. */
  private firstMatch(kind: "before" | "after"): number {
    const { faults } = this.session.plan.scenario;
    let found = -1;
    for (let i = 0; i < faults.length; i++) {
      const moment = faults[i]?.at;
      if (moment === undefined || moment.kind !== kind || this.world.fault(i, 1) === 1) continue;
      if (!matches(this.session.plan.graph, moment, this.kernel.draft)) continue;
      const count = this.world.fault(i, 0) + 1;
      this.world.setFault(i, 0, count);
      if (count === moment.nth && found < 0) found = i;
    }
    return found;
  }

  /** When the next operation is due; `Infinity`: only what waits for someone to resume it, or nothing. */
  get nextDue(): number {
    const { agenda } = this.world;
    if (agenda.count === 0) return Infinity;
    const time = agenda.get(agenda.count - 1, Due.time);
    return time >= STALLED ? Infinity : time;
  }
}
