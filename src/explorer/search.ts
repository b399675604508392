/**
 * The search: every order of what nothing orders, with a failure between any two entries, breadth first over the worlds
 * of one scenario. Worlds are kept while they wait to be looked into; of the others there is only where they came from,
 * so that the shortest way to what is wrong can be played again. A world that differs from one seen before in nothing
 * that decides the future (`search-fingerprint.ts`) is not looked into twice.
 */
import { at } from "../base/assert.ts";
import { Choices, findChoices, isTimer } from "../engine/choices.ts";
import type { Decisions } from "../engine/decisions.ts";
import { isDrained } from "../engine/drained.ts";
import { Due } from "../engine/layout.ts";
import { Invariants } from "../engine/invariants.ts";
import { type Observer, Simulation } from "../engine/simulation.ts";
import { completeEngine } from "../engine/whole.ts";
import type { World } from "../engine/world.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { Judge, type Wrong } from "./properties.ts";
import { enough } from "./reduction.ts";
import { searched } from "./schedule.ts";
import { Seen } from "./seen.ts";
import { Fingerprint } from "./search-fingerprint.ts";
import { type Move, Mover, begunBy, packed, unpacked } from "./search-moves.ts";
import { crashes } from "../scenario/targets.ts";

completeEngine();

export interface SearchOptions {
  /** How many failures a run gets at most, and what can fail: by default what `crashes` says. */
  readonly failures?: number;
  readonly targets?: readonly Command[];
  /** States at most. */
  readonly states?: number;
  /** May timers fire while something else can happen? */
  readonly freesTimers?: boolean;
  /** Are the invariants watched on the way to every state (as they are unless this says no)? */
  readonly invariants?: boolean;
  /** Is this what is asked for? By default all is. */
  readonly asks?: (wrong: Wrong) => boolean;
  /** Is a doubled record wrong even where the checkpointing mode allows it? */
  readonly strict?: boolean;
  /** Does the first finding end the search? Else the shortest of each property is kept. */
  readonly stopsAtFirst?: boolean;
  /** May it pass by orders that make no difference (`reduction.ts`)? As it does unless this says no. */
  readonly reduces?: boolean;
  readonly seed?: number;
  readonly defects?: Partial<Decisions>;
  readonly onProgress?: (progress: SearchProgress) => void;
}

export interface SearchProgress {
  readonly states: number;
  readonly transitions: number;
  /** States that wait to be looked into. */
  readonly waiting: number;
  /** Moves from the beginning to those that are looked into now. */
  readonly depth: number;
}

/** What was found: the property, how, and the moves that lead there. */
export interface Finding extends Wrong {
  readonly moves: readonly Move[];
}

export interface SearchOutcome {
  readonly states: number;
  readonly transitions: number;
  /** States in which a run is over. */
  readonly ends: number;
  readonly depth: number;
  readonly exhaustive: boolean;
  readonly findings: readonly Finding[];
}

/** A state that waits to be looked into. */
interface Waiting {
  readonly id: number;
  readonly world: World;
  readonly observer: Observer | null;
  readonly failures: number;
  /** How often a timer had to fire since the run last came forward, and where it was then. */
  readonly rounds: number;
  readonly forward: number;
}

const MOST_STATES = 300_000;
const PROGRESS_EVERY = 8192;

export function search(scenario: Scenario, options: SearchOptions = {}): SearchOutcome {
  return new Search(scenario, options).run();
}

class Search {
  private readonly options: SearchOptions;
  private readonly most: number;
  private readonly simulation: Simulation;
  private readonly mover: Mover;
  private readonly judge: Judge;
  private readonly fingerprint: Fingerprint;
  private readonly visited = new Seen();
  private readonly choices = new Choices();
  /** By state: the one it came from, and by which move. */
  private readonly parents: number[] = [-1];
  private readonly moves: number[] = [0];
  private readonly free: World[] = [];
  private waiting: Waiting[] = [];
  private next: Waiting[] = [];
  private transitions = 0;
  private ends = 0;
  private depth = 0;
  /** The move that is being made. */
  private move: Move = { choice: -1, failure: -1, after: 0 };
  private bounded = false;
  private readonly findings = new Map<string, Finding>();

  constructor(scenario: Scenario, options: SearchOptions) {
    this.options = options;
    this.most = options.states ?? MOST_STATES;
    const own = searched(scenario);
    this.simulation = Simulation.start(own, {
      log: null,
      observer: options.invariants !== false ? new Invariants() : null,
      ...(options.defects && { defects: options.defects }),
    });
    const { graph } = this.simulation.session.plan;
    this.mover = new Mover(graph, options.targets ?? crashes(graph, own));
    this.simulation.session.commands.push(...this.mover.failures);
    this.judge = new Judge(own, options.strict === true);
    this.fingerprint = new Fingerprint(this.simulation.world, options.seed ?? 1, own);
  }

  run(): SearchOutcome {
    const { simulation } = this;
    this.mover.settle(simulation, null);
    this.fingerprint.take(simulation.kernel);
    this.visited.add(this.fingerprint.low, this.fingerprint.high, 0);
    const { observer } = simulation;
    this.waiting.push({ id: 0, world: simulation.world.clone(), observer, failures: 0, rounds: 0, forward: 0 });
    while (this.waiting.length > 0 && !this.isOver()) {
      this.depth++;
      for (const state of this.waiting) {
        if (this.isOver()) break;
        this.visit(state);
        this.free.push(state.world);
      }
      [this.waiting, this.next] = [this.next, []];
    }
    const exhaustive = this.waiting.length === 0 && !this.bounded && !this.stopped;
    if (exhaustive && this.findings.size === 0 && !this.judge.sawAll) this.found(this.judge.neverAll(), 0, null);
    return {
      states: this.parents.length,
      transitions: this.transitions,
      ends: this.ends,
      depth: this.depth,
      exhaustive,
      findings: [...this.findings.values()],
    };
  }

  private get reduces(): boolean {
    return this.options.reduces !== false && this.options.freesTimers !== true;
  }

  private get stopped(): boolean {
    return this.options.stopsAtFirst === true && this.findings.size > 0;
  }

  private isOver(): boolean {
    if (this.parents.length >= this.most) this.bounded = true;
    return this.bounded || this.stopped;
  }

  /** Looks into a state. That the engine's own assertion fails there is a finding, and the last one. */
  private visit(state: Waiting): void {
    try {
      this.lookInto(state);
    } catch (error) {
      this.bounded = true;
      const message = error instanceof Error ? error.message : String(error);
      this.found({ property: "assertion", message }, state.id, this.move);
    }
  }

  /** Every move from a state. */
  private lookInto(state: Waiting): void {
    const { simulation, choices } = this;
    const { kernel } = simulation;
    kernel.world.copyFrom(state.world);
    findChoices(kernel, choices, this.options.freesTimers === true);
    const { count } = choices;
    if (count === 0) this.found(this.judge.stuck(kernel), state.id, null);
    const canFail = state.failures < (this.options.failures ?? 1);
    const byTimer = count === 1 && isTimer(kernel.world.agenda.get(at(choices.rows, 0), Due.op));
    const only = canFail || !this.reduces ? -1 : enough(kernel, choices);
    for (let choice = Math.max(0, only); choice < (only < 0 ? count : only + 1); choice++) {
      this.goBack(state);
      this.move = { choice, failure: -1, after: 0 };
      const { op, task } = begunBy(kernel.world, at(choices.rows, choice));
      simulation.take(choices, choice);
      this.mover.finishTurn(simulation, op, task, null);
      this.finishChain(state, choice, canFail);
      this.arrive(state, { choice, failure: -1, after: 0 }, byTimer);
    }
    if (!canFail) return;
    for (let failure = 0; failure < this.mover.failures.length; failure++) {
      this.goBack(state);
      this.failHere(state, { choice: -1, failure, after: 0 });
    }
  }

  private goBack({ world, observer }: Waiting): void {
    this.simulation.kernel.world.copyFrom(world);
    if (observer !== null) this.simulation.observer = observer.clone();
  }

  /** The chain behind a choice, and the failures that can interrupt it. */
  private finishChain(state: Waiting, choice: number, canFail: boolean): void {
    const { simulation } = this;
    const { kernel } = simulation;
    while (kernel.inChain) {
      const after = kernel.world.step - state.world.step;
      if (canFail && after > 0) {
        const interrupting = this.mover.interrupting(simulation);
        if (interrupting.length > 0) this.interrupt(state, choice, after, interrupting);
      }
      simulation.goOn();
    }
    this.mover.settle(simulation, null);
  }

  private interrupt(state: Waiting, choice: number, after: number, failures: readonly number[]): void {
    const { simulation } = this;
    const { observer } = simulation;
    const middle = this.copy(simulation.world);
    for (const failure of failures) {
      simulation.observer = observer?.clone() ?? null;
      this.failHere(state, { choice, failure, after });
      simulation.world.copyFrom(middle);
    }
    simulation.observer = observer;
    this.free.push(middle);
  }

  private failHere(state: Waiting, move: Move): void {
    const { simulation } = this;
    this.move = move;
    this.mover.fail(simulation, move.failure);
    while (simulation.goOn());
    this.mover.settle(simulation, null);
    this.arrive(state, move, false);
  }

  /** The state that a move has led to: seen before, the end of a run, or one that is to be looked into. */
  private arrive(from: Waiting, move: Move, byTimer: boolean): void {
    const { kernel } = this.simulation;
    const { observer } = this.simulation;
    const invariants = observer instanceof Invariants ? observer : null;
    this.transitions++;
    if (invariants !== null && this.isViolated(invariants, from, move)) return;
    const failures = from.failures + (move.failure < 0 ? 0 : 1);
    this.fingerprint.take(kernel);
    if (!this.visited.add(this.fingerprint.low, this.fingerprint.high ^ failures, 0)) return;
    const id = this.parents.length;
    this.parents.push(from.id);
    this.moves.push(packed(move));
    if (this.options.onProgress !== undefined && id % PROGRESS_EVERY === 0) this.options.onProgress(this.progress());
    if (isDrained(kernel)) {
      this.ends++;
      for (const wrong of this.judge.end(kernel, invariants)) this.found(wrong, id, null);
      return;
    }
    const forward = this.judge.forward(kernel);
    const rounds = forward !== from.forward || move.failure >= 0 ? 0 : from.rounds + (byTimer ? 1 : 0);
    const endless = this.judge.endless(rounds);
    if (endless !== null) this.found(endless, id, null);
    else this.next.push({ id, world: this.copy(kernel.world), observer, failures, rounds, forward });
  }

  private copy(world: World): World {
    const copy = this.free.pop();
    if (copy === undefined) return world.clone();
    copy.copyFrom(world);
    return copy;
  }

  /** Behind what is violated nothing more is asked. */
  private isViolated({ violations }: Invariants, from: Waiting, move: Move): boolean {
    for (const { invariant, message } of violations)
      if (this.found({ property: invariant, message }, from.id, move)) return true;
    return false;
  }

  /** Keeps the first finding of each property. False: this is not what is asked for. */
  private found(wrong: Wrong, state: number, move: Move | null): boolean {
    if (this.options.asks?.(wrong) === false) return false;
    if (this.findings.has(wrong.property)) return true;
    const moves = move === null ? [] : [move];
    for (let id = state; id > 0; id = at(this.parents, id)) moves.unshift(unpacked(at(this.moves, id)));
    this.findings.set(wrong.property, { ...wrong, moves });
    return true;
  }

  private progress(): SearchProgress {
    return {
      states: this.parents.length,
      transitions: this.transitions,
      waiting: this.next.length,
      depth: this.depth,
    };
  }
}
