/** The runs of a sweep: surveys the base run, then carries out pieces (`sweep-pieces.ts`). One in each thread. */
import { at } from "../base/assert.ts";
import { advance, below, stream } from "../base/prng.ts";
import { type EventType, EventNumber } from "../protocol/events.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { type Injection, sweepFlags } from "../scenario/exploration.ts";
import { verdictWords } from "../scenario/report.ts";
import type { Command } from "../scenario/scenario.ts";
import type { LiveRun } from "./live-run.ts";
import type { Outcome } from "./outcome.ts";
import { isHarmful } from "./severity.ts";
import { type Memory, Runner, type RunnerOptions, usualOptions } from "./runner.ts";
import {
  type First,
  MOST_HARMFUL,
  MOST_VIOLATIONS,
  type Piece,
  type PieceResult,
  type Survey,
  type SweepTask,
  zeros,
} from "./sweep-pieces.ts";
import { crashes, lostMessages } from "../scenario/targets.ts";

/** Entries of the base run between two keyframes. */
const EVERY = 16;

/** The phases of a checkpoint, by the entry that opens each: trigger, barrier, acknowledgement, store, notification, commit. */
const phases: readonly EventType[] = [
  "CheckpointTriggered",
  "BarrierEmitted",
  "CheckpointAcknowledged",
  "CheckpointCompleted",
  "NotificationDelivered",
  "TransactionCommitted",
];
const phaseNumbers: readonly number[] = phases.map((type) => EventNumber[type]);

export class Sweeper {
  private readonly runner: Runner;
  private readonly commands: readonly Command[];
  private readonly crashCount: number;

  constructor({ scenario, decisions }: SweepTask, options: RunnerOptions = usualOptions) {
    this.runner = new Runner(scenario, decisions, options, EVERY);
    const graph = executionGraph(scenario);
    const crashing = crashes(graph, scenario);
    this.commands = [...crashing, ...lostMessages(graph)];
    this.crashCount = crashing.length;
  }

  /** The base run's own outcome. */
  get outcome(): Outcome {
    return this.runner.outcome;
  }

  survey(): Survey {
    const { from, length, types } = this.runner;
    const boundaries = boundarySteps(types, 0).filter((step) => step >= from && step < length);
    return { from, length, boundaries, commands: this.commands, crashes: this.crashCount };
  }

  carryOut(piece: Piece): PieceResult {
    const result = new Result();
    const memory = this.runner.remember();
    if (piece.kind === "single") this.singles(piece.from, piece.to, memory, result);
    else for (const first of piece.firsts) this.pairs(first, piece.kind, piece.seed, memory, result);
    return result;
  }

  private singles(from: number, to: number, memory: Memory, result: Result): void {
    for (let step = from; step < to; step++) {
      const base = this.runner.at(step);
      for (const command of this.commands) this.fail(base, [{ step, command }], memory, result);
    }
  }

  /** A clone of a run gets the last of the injections and goes to its end. */
  private fail(run: LiveRun, injections: readonly Injection[], memory: Memory, result: Result): void {
    const clone = run.clone();
    clone.submit(at(injections, injections.length - 1).command);
    const { outcome, merged } = this.runner.finish(clone, memory);
    result.add(outcome, merged, injections);
  }

  private pairs(first: First, kind: "boundaries" | "samples", seed: number, memory: Memory, result: Result): void {
    const injection = { step: first.step, command: at(this.commands, first.command) };
    const begun = this.runner.at(first.step);
    begun.submit(injection.command);
    const types = typesOf(begun.clone());
    const steps =
      kind === "boundaries"
        ? boundarySteps(types, first.step)
        : types.map((_, index) => first.step + 1 + index).slice(0, -1);
    const ways = kind === "boundaries" ? this.crashCount : this.commands.length;
    const possible = steps.length * ways;
    result.possible += possible;
    let walking = begun;
    for (const choice of choose(possible, first.seconds, stream(seed, `${kind} ${first.step} ${first.command}`))) {
      const step = at(steps, Math.floor(choice / ways));
      if (walking.step > step) walking = begun;
      while (walking.step < step) walking.advance();
      this.fail(walking, [injection, { step, command: at(this.commands, choice % ways) }], memory, result);
    }
  }
}

/** Types of a run's entries from where it stands to its end. */
function typesOf(run: LiveRun): number[] {
  const types: number[] = [];
  while (!run.over) {
    const type = run.advance();
    if (type >= 0) types.push(type);
  }
  return types;
}

/**
 * Steps just behind the entries that open a phase: the first and the last of each unbroken run of one phase's entries, so
 * that both "one subtask has" and "all subtasks have" are there. `first` is the step of the first type.
 */
function boundarySteps(types: ArrayLike<number>, first: number): number[] {
  const steps = new Set<number>();
  let phase = -1;
  let last = -1;
  for (let i = 0; i < types.length; i++) {
    const number = types[i] as number;
    if (!phaseNumbers.includes(number)) continue;
    if (number !== phase) {
      if (last >= 0) steps.add(last);
      steps.add(first + i + 1);
      phase = number;
    }
    last = first + i + 1;
  }
  if (last >= 0) steps.add(last);
  return [...steps].filter((step) => step < first + types.length).sort((a, b) => a - b);
}

/** `count` different numbers below `bound` in ascending order, all of them where there are no more. */
function choose(bound: number, count: number, seed: number): number[] {
  if (count >= bound) return Array.from({ length: bound }, (_, index) => index);
  const chosen = new Set<number>();
  for (let state = advance(seed); chosen.size < count; state = advance(state)) chosen.add(below(state, bound));
  return [...chosen].sort((a, b) => a - b);
}

class Result implements PieceResult {
  runs = 0;
  distinct = 0;
  readonly outcomes = zeros(verdictWords);
  readonly flags = zeros(sweepFlags);
  readonly harmful: PieceResult["harmful"][number][] = [];
  harmfulCount = 0;
  readonly violations: PieceResult["violations"][number][] = [];
  possible = 0;

  add(outcome: Outcome, merged: boolean, injections: readonly Injection[]): void {
    this.runs++;
    if (!merged) this.distinct++;
    this.outcomes[outcome.verdict]++;
    for (const flag of outcome.flags) this.flags[flag]++;
    const { violation, readers: _, ...told } = outcome;
    if (violation !== null && this.violations.length < MOST_VIOLATIONS)
      this.violations.push({ invariant: violation.invariant, message: violation.message, injections });
    if (!isHarmful(outcome)) return;
    this.harmfulCount++;
    if (this.harmful.length < MOST_HARMFUL) this.harmful.push({ ...told, injections });
  }
}
