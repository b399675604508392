/**
 * Runs that part from one base run by a failure and go to their own ends. Two runs that come to one world go on alike, so
 * the later one is given the outcome of the earlier (merging): the key of a world is its fingerprint with the clock and
 * with what its readers have seen so far. Where the scenario ends a run by step or event, or still waits for a step to
 * act, the number of the step matters, and nothing is merged.
 */
import { at } from "../base/assert.ts";
import { mix } from "../base/hash.ts";
import { Invariants } from "../engine/invariants.ts";
import type { Decisions } from "../engine/decisions.ts";
import type { Kernel } from "../engine/kernel.ts";
import { Simulation } from "../engine/simulation.ts";
import { completeEngine } from "../engine/whole.ts";
import { EventNumber } from "../protocol/events.ts";
import type { Injection } from "../scenario/exploration.ts";
import { type Reference, referenceOf } from "../scenario/reference.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { LiveRun } from "./live-run.ts";
import { type Outcome, type Yardstick, outcomeOf } from "./outcome.ts";
import { Seen } from "./seen.ts";

completeEngine();

export interface RunnerOptions {
  readonly checkInvariants: boolean;
  readonly merge: boolean;
  /** Another seed gives other keys, and so must not change anything. */
  readonly fingerprintSeed: number;
  /** After so many times the entries of the base run, a run is stopped and judged where it stands; left out: never. */
  readonly longest?: number;
  /** Wrong decisions of the engine; tests use them to see that a sweep bites. */
  readonly defects?: Partial<Decisions>;
}

export const usualOptions: RunnerOptions = { checkInvariants: true, merge: true, fingerprintSeed: 1 };

/**
 * Worlds are compared after entries that come again in every run that has recovered: those of checkpoints, and of every
 * eighth record that leaves its source. A key costs as much as a few entries.
 */
const comparing: ReadonlySet<number> = new Set([
  EventNumber.StateRestored,
  EventNumber.CheckpointTriggered,
  EventNumber.CheckpointCompleted,
  EventNumber.NotificationDelivered,
]);
const COMPARED_RECORDS = 8;

function isCompared(type: number, { draft }: Kernel): boolean {
  if (type === EventNumber.RecordEmitted) return (draft.fields[2] as number) % COMPARED_RECORDS === 0;
  return comparing.has(type);
}

/** What runs have come to, and which worlds they passed through. */
export interface Memory {
  readonly seen: Seen;
  readonly outcomes: Outcome[];
}

export interface Finished {
  readonly outcome: Outcome;
  /** It came to a world that another run had been in. */
  readonly merged: boolean;
}

export class Runner {
  readonly scenario: Scenario;
  readonly options: RunnerOptions;
  /** Where failures begin: behind all that was decided. */
  readonly from: number;
  /** Entries of the base run. */
  readonly length: number;
  /** Types of the base run's entries. */
  readonly types: Uint8Array;
  readonly outcome: Outcome;
  private readonly merges: boolean;
  private readonly reference: Reference;
  private readonly yardstick: Yardstick;
  private readonly decisions: readonly Injection[];
  private readonly every: number;
  private readonly keyframes: LiveRun[] = [];
  private readonly baseTrail: number[] = [];
  private trail: number[] = [];

  constructor(scenario: Scenario, decisions: readonly Injection[], options: RunnerOptions, every: number) {
    this.scenario = scenario;
    this.options = options;
    this.every = every;
    this.decisions = decisions;
    this.from = Math.max(0, ...decisions.map(({ step }) => step));
    this.reference = referenceOf(scenario);
    this.merges = options.merge && canMerge(scenario);
    const run = this.begin();
    const types: number[] = [];
    while (!run.over) {
      this.decide(run);
      if (run.step % every === 0) this.keyframes[run.step / every] = run.clone();
      const type = run.advance();
      if (type >= 0) types.push(type);
      if (isCompared(type, run.simulation.kernel)) this.key(run, this.baseTrail, Infinity);
    }
    this.length = types.length;
    this.types = Uint8Array.from(types);
    this.yardstick = { clock: run.simulation.kernel.now, blocked: run.reader.longest(run.simulation.kernel.now) };
    this.outcome = outcomeOf(run.course, this.reference, this.yardstick.blocked, this.yardstick);
  }

  private decide(run: LiveRun): void {
    for (const { step, command } of this.decisions) if (step === run.step) run.submit(command);
  }

  private begin(): LiveRun {
    const { checkInvariants, defects } = this.options;
    const observer = checkInvariants ? new Invariants() : null;
    return new LiveRun(Simulation.start(this.scenario, { log: null, observer, ...(defects && { defects }) }));
  }

  /** A memory that knows the base run: a failure that changes nothing comes to one of its worlds. */
  remember(): Memory {
    const memory: Memory = { seen: new Seen(), outcomes: [this.outcome] };
    this.store(memory, this.baseTrail, 0);
    return memory;
  }

  /** The base run just before its entry at `step`. */
  at(step: number): LiveRun {
    const run = at(this.keyframes, Math.floor(step / this.every)).clone();
    while (run.step < step) {
      run.advance();
      this.decide(run);
    }
    return run;
  }

  /** Simulated milliseconds at which the base run ends. */
  get ends(): number {
    return this.yardstick.clock;
  }

  /** Takes a run that has parted from the base run to its end. */
  finish(run: LiveRun, memory: Memory): Finished {
    this.trail.length = 0;
    const last = this.length * (this.options.longest ?? Infinity);
    while (!run.over && run.step < last) {
      const type = run.advance();
      if (!this.merges || !isCompared(type, run.simulation.kernel)) continue;
      const known = this.key(run, this.trail, this.yardstick.blocked, memory.seen);
      if (known < 0) continue;
      this.store(memory, this.trail, known);
      return { outcome: at(memory.outcomes, known), merged: true };
    }
    const blocked = run.reader.longest(run.simulation.kernel.now);
    const outcome = outcomeOf(run.course, this.reference, blocked, this.yardstick);
    memory.outcomes.push(outcome);
    this.store(memory, this.trail, memory.outcomes.length - 1);
    return { outcome, merged: false };
  }

  /** Puts the key of a run's world on a trail, and tells what is known of that world. */
  private key({ simulation, reader }: LiveRun, trail: number[], blocked: number, seen?: Seen): number {
    const { world } = simulation;
    let low = world.fingerprint(this.options.fingerprintSeed);
    let high = world.fingerprint(~this.options.fingerprintSeed);
    low = mix(low, world.clock);
    high = mix(high, world.clock);
    for (let partition = 0; partition < simulation.session.plan.graph.outputs.length; partition++) {
      low = mix(low, reader.since(partition));
      high = mix(high, reader.since(partition));
    }
    low = mix(low, reader.longest(0) > blocked ? 1 : 0);
    trail.push(low, high);
    return seen?.get(low, high) ?? -1;
  }

  private store({ seen }: Memory, trail: readonly number[], outcome: number): void {
    for (let i = 0; i < trail.length; i += 2) seen.add(trail[i] as number, trail[i + 1] as number, outcome);
  }
}

function canMerge({ until, faults }: Scenario): boolean {
  return (until.kind === "drained" || until.kind === "time") && faults.every(({ at }) => at.kind !== "step");
}
