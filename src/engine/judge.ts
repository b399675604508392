/**
 * Judges a branch that is at its end: goes through it once more from the beginning with the invariants watching, then says
 * what is reported of it. A run is determined by its decisions, so what is judged is what was seen; and whoever only
 * watches a run waits for no invariant.
 */
import { assert, at } from "../base/assert.ts";
import { EventLog } from "../protocol/log.ts";
import type { Violation } from "../protocol/violation.ts";
import { wholeReferenceOf } from "../scenario/reference.ts";
import type { Report } from "../scenario/report.ts";
import { conclude } from "./conclusion.ts";
import { Invariants, areWatched } from "./invariants.ts";
import type { Simulation } from "./simulation.ts";
import type { Timeline } from "./timeline.ts";

export class Judge {
  private readonly timeline: Timeline;
  private readonly branch: number;
  private readonly simulation: Simulation;
  private readonly invariants: Invariants | null;
  /** The branch's log; made again on the way, where not all of it is kept. */
  private readonly log: EventLog;
  private readonly goesThrough: boolean;
  private readonly decisions: ReturnType<Timeline["decisions"]>;

  /** Without `checkInvariants` there is nothing to go through, unless entries are missing. */
  constructor(timeline: Timeline, branch: number, checkInvariants: boolean) {
    this.timeline = timeline;
    this.branch = branch;
    this.decisions = timeline.decisions(branch);
    const { log } = at(timeline.branches, branch);
    this.log = log.isWhole ? log : new EventLog();
    this.simulation = timeline.simulationAt(0, 0).clone(log.isWhole ? null : this.log);
    const isWatched = areWatched(this.decisions.map(({ command }) => command));
    this.invariants = checkInvariants && isWatched ? new Invariants() : null;
    this.simulation.observer = this.invariants;
    this.goesThrough = this.invariants !== null || !log.isWhole;
  }

  /** Takes in that many entries more. False: it has seen all, or a violation. */
  advance(entries: number): boolean {
    for (let i = 0; i < entries && !this.isDone; i++) {
      const [next] = this.decisions;
      if (next !== undefined && next.step === this.simulation.world.step) {
        this.decisions.shift();
        this.simulation.submit(next.command);
      }
      assert(this.simulation.step(), "a branch can be gone through again to its end");
    }
    return !this.isDone;
  }

  /** So many have been seen. */
  get entries(): number {
    return this.simulation.world.step;
  }

  private get violated(): boolean {
    return (this.invariants?.violations.length ?? 0) > 0;
  }

  private get isDone(): boolean {
    const { step } = this.timeline.tip(this.branch).world;
    return !this.goesThrough || this.violated || this.simulation.world.step === step;
  }

  /** A run that violates an invariant is told as far as that entry, as `runScenario` does. */
  conclusion(): { readonly report: Report; readonly violations: readonly Violation[] } {
    const { timeline, branch, simulation, invariants, log } = this;
    const reference = wholeReferenceOf(timeline.scenario);
    return this.violated
      ? conclude(simulation, invariants, new EventLog(log, simulation.world.step), "stuck", reference)
      : conclude(timeline.tip(branch), invariants, log, timeline.ended(branch) ?? "stuck", reference);
  }
}
