/**
 * The moves of the search: one choice and the chain that it begins, or a failure. A failure may come between any two
 * moves; inside a chain only one that takes the chain's process along.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { Choices, comesFirst, findChoices } from "../engine/choices.ts";
import { Due } from "../engine/layout.ts";
import { Actor, Op } from "../engine/ops.ts";
import { settle } from "../engine/schedules.ts";
import type { Simulation } from "../engine/simulation.ts";
import type { World } from "../engine/world.ts";
import type { Command } from "../scenario/scenario.ts";
import { isMoot } from "./moot.ts";

/** `choice` `-1`: nothing but the failure. `failure` `-1`: none; else it comes when the move has made `after` entries. */
export interface Move {
  readonly choice: number;
  readonly failure: number;
  readonly after: number;
}

/** What has been decided on the way: choices, with what the simulator would have taken, and failures. */
export interface Decision {
  readonly step: number;
  /** The place among the choices; `null`: `failure` is what comes here. */
  readonly choice: number | null;
  readonly own: boolean;
  readonly failure: number;
}

/** A move as one whole number, 32 bits wide. */
export function packed({ choice, failure, after }: Move): number {
  return ((choice + 1) << 20) | ((failure + 1) << 8) | after;
}

export function unpacked(word: number): Move {
  return { choice: (word >>> 20) - 1, failure: ((word >>> 8) & 0xfff) - 1, after: word & 0xff };
}

/**
 * What a thread does by itself in one go: it takes a record and has done with it; it starts and loads its state. Nothing
 * that happens elsewhere meanwhile makes a difference, and a failure in between is as one before.
 */
const inOneGo: ReadonlyMap<number, number> = new Map([
  [Op.taskRun, Op.recordDone],
  [Op.taskTurn, Op.recordDone],
  [Op.taskStart, Op.loadState],
]);

/** The operation in a row, and its task. */
export function begunBy({ agenda }: World, row: number): { op: number; task: number } {
  return { op: agenda.get(row, Due.op), task: agenda.get(row, Due.a) };
}

/** Room for the choices of one place. */
const choices = new Choices();

export class Mover {
  readonly failures: readonly Command[];
  /** By TaskManager: the failures that end its process. */
  readonly killsOf: readonly (readonly number[])[];
  /** Those that end the JobManager's. */
  readonly leaderKills: readonly number[];

  constructor({ taskManagers }: ExecutionGraph, failures: readonly Command[]) {
    this.failures = failures;
    this.killsOf = taskManagers.map((name) =>
      failures.flatMap(({ do: verb, target }, index) =>
        (verb === "kill-taskmanager" || verb === "restart-taskmanager") && target === name ? [index] : [],
      ),
    );
    this.leaderKills = failures.flatMap(({ do: verb }, index) => (verb === "kill-jobmanager" ? [index] : []));
  }

  /** Carries out a move again, from the world that it was found in. */
  play(simulation: Simulation, { choice, failure, after }: Move, decisions: Decision[]): void {
    const start = simulation.world.step;
    if (choice >= 0) {
      findChoices(simulation.kernel, choices);
      const row = at(choices.rows, choice);
      const { op, task } = begunBy(simulation.world, row);
      decisions.push({ step: start, choice, own: choice === choices.own, failure: -1 });
      simulation.take(choices, choice);
      this.finishTurn(simulation, op, task, decisions);
      while (simulation.kernel.inChain && !(failure >= 0 && simulation.world.step === start + after))
        this.goOn(simulation, decisions);
    }
    if (failure >= 0) {
      decisions.push({ step: simulation.world.step, choice: null, own: false, failure });
      this.fail(simulation, failure);
      simulation.goOn();
      while (simulation.kernel.inChain) this.goOn(simulation, decisions);
    }
    this.settle(simulation, decisions);
  }

  private goOn(simulation: Simulation, decisions: Decision[]): void {
    decisions.push({ step: simulation.world.step, choice: 0, own: true, failure: -1 });
    simulation.goOn();
  }

  /** What a thread has begun and does in one go. */
  finishTurn(simulation: Simulation, op: number, task: number, decisions: Decision[] | null): void {
    const rest = inOneGo.get(op);
    if (rest === undefined) return;
    const { agenda } = simulation.world;
    for (let row = agenda.count - 1; row >= 0; row--) {
      if (agenda.get(row, Due.op) !== rest || agenda.get(row, Due.a) !== task) continue;
      this.takeRow(simulation, row, decisions);
      return;
    }
  }

  /** What is left of a move when its chain is over: threads without work, and messages that come too late. */
  settle(simulation: Simulation, decisions: Decision[] | null): void {
    const { kernel } = simulation;
    settle(simulation);
    for (let row = kernel.world.agenda.count - 1; row >= 0; row--) {
      if (!isMoot(kernel, row) || !comesFirst(kernel, row)) continue;
      this.takeRow(simulation, row, decisions);
      settle(simulation);
      row = kernel.world.agenda.count;
    }
  }

  private takeRow(simulation: Simulation, row: number, decisions: Decision[] | null): void {
    settle(simulation);
    if (decisions !== null) {
      findChoices(simulation.kernel, choices);
      const choice = choices.rows.indexOf(row);
      decisions.push({ step: simulation.world.step, choice, own: choice === choices.own, failure: -1 });
    }
    simulation.takeRow(row);
  }

  /** Lets a failure act; what it brings about at once is a chain that is still to come. */
  fail(simulation: Simulation, failure: number): void {
    simulation.submit(at(this.failures, failure));
  }

  /** The failures that can interrupt the chain that is under way: those that end the process of its actor. */
  interrupting({ kernel, world, session }: Simulation): readonly number[] {
    const actor = world.agenda.get(world.agenda.count - 1, Due.actor);
    if (actor === Actor.jobManager) return kernel.inChain ? this.leaderKills : [];
    if (actor < 0) return [];
    const taskManager = world.slot(at(session.plan.graph.subtasks, actor).slot);
    return taskManager < 0 || !kernel.inChain ? [] : at(this.killsOf, taskManager);
  }
}
