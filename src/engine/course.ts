/** How a run goes on, entry by entry, and when it ends (the contract's `until`). */
import type { Ended } from "../scenario/report.ts";
import { isDrained } from "./drained.ts";
import { matches } from "./faults.ts";
import { Suppress } from "./causes.ts";
import { Due, Job } from "./layout.ts";
import { Op } from "./ops.ts";
import { isWithoutEnd } from "./restart-strategies.ts";
import type { Simulation } from "./simulation.ts";

/** A run that makes more entries than this is ended: a limit of the tool, not of Flink. */
const MOST_STEPS = 5_000_000;
/** As many restarts over the same failure, with no checkpoint completed in between, are without end. */
const ROUNDS = 3;
/** The same where chance decides whether a fault acts, so that the next one may go well. */
const ROUNDS_BY_CHANCE = 100;

/** Takes a simulation to the end that its scenario asks for, entry by entry. */
export class Course {
  readonly simulation: Simulation;
  ended: Ended | null = null;
  private readonly atRest: (() => boolean) | null;
  private matched = 0;

  constructor(simulation: Simulation) {
    this.simulation = simulation;
    this.atRest = atRestOf(simulation);
  }

  /**
   * One entry, or the end. Where an entry was left out, what follows may lean on it so that it cannot be carried out: then
   * the run ends there.
   */
  advance(): void {
    try {
      this.goOn();
    } catch (error) {
      if (this.simulation.world.job(Job.suppress) === Suppress.none) throw error;
      this.ended = "stuck";
    }
  }

  private goOn(): void {
    const { simulation } = this;
    const { until } = simulation.session.plan.scenario;
    const rest = until.kind === "drained" || until.kind === "time" ? until.kind : "stuck";
    if (this.atRest?.() === true) {
      this.ended = rest;
    } else if (simulation.nextDue === Infinity || !simulation.step(this.atRest)) {
      this.ended = this.atRest?.() === true ? rest : "stuck";
    } else if (isEndless(simulation)) {
      this.ended = "stuck";
    } else if (simulation.world.step >= (until.kind === "steps" ? until.steps : MOST_STEPS)) {
      this.ended = "steps";
    } else if (
      (until.kind === "before" || until.kind === "after") &&
      matches(simulation.kernel.plan.graph, until, simulation.kernel.draft)
    ) {
      this.matched++;
      if (this.matched === until.nth) this.ended = "event";
    }
  }
}

/** What ends a run between two entries; `null`: only an entry does. */
function atRestOf(simulation: Simulation): (() => boolean) | null {
  const { until } = simulation.session.plan.scenario;
  if (until.kind === "drained") return () => isDrained(simulation.kernel);
  return until.kind === "time" ? () => simulation.nextDue > until.time : null;
}

/** Restarts over the same failure without anything new completed, and without a fault to come that may change it. */
function isEndless({ world, kernel }: Simulation): boolean {
  if (world.job(Job.rounds) <= ROUNDS || !isWithoutEnd(kernel.plan.scenario.config.restartStrategy)) return false;
  const byChance = kernel.plan.scenario.faults.some(({ at }) => "probability" in at);
  if (byChance && world.job(Job.rounds) <= ROUNDS_BY_CHANCE) return false;
  for (let row = 0; row < world.agenda.count; row++) if (world.agenda.get(row, Due.op) === Op.fault) return false;
  return true;
}
