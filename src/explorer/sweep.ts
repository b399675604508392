/**
 * A kill sweep: cuts the question into pieces, hands them out and adds up what comes back. Single failures come first,
 * then pairs within a budget: those at phase boundaries, then pairs drawn anywhere.
 */
import { advance, below, stream } from "../base/prng.ts";
import { type HarmfulRun, type SweepTotals, type ViolatingRun, sweepFlags } from "../scenario/exploration.ts";
import { verdictWords } from "../scenario/report.ts";
import { type Coverage, coveredText } from "./covered.ts";
import { severity } from "./severity.ts";
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

/** Pieces of single failures, about; and firsts in a piece of pairs. */
const SINGLE_PIECES = 60;
const FIRSTS = 4;
/** Seconds that share a first failure where pairs are drawn anywhere. */
const SECONDS = 10;

export class Sweep {
  private readonly task: SweepTask;
  private readonly survey: Survey;
  private waiting: Piece[];
  /** Pieces handed out and not back yet. */
  private out = 0;
  private done = 0;
  private phase: Piece["kind"] = "single";
  private runs = 0;
  private distinct = 0;
  private readonly outcomes = zeros(verdictWords);
  private readonly flags = zeros(sweepFlags);
  private harmful: HarmfulRun[] = [];
  private harmfulCount = 0;
  private readonly violations: ViolatingRun[] = [];
  private coverage: Coverage = { singles: 0, boundaryPairs: 0, boundaryPossible: 0, samples: 0 };

  constructor(task: SweepTask, survey: Survey) {
    this.task = task;
    this.survey = survey;
    this.waiting = singlePieces(survey);
    this.turn();
  }

  /** The next piece; `null`: nothing can be begun before something has come back, or all is done. */
  next(): Piece | null {
    const piece = this.waiting.shift();
    if (piece === undefined) return null;
    this.out++;
    return piece;
  }

  add(piece: Piece, result: PieceResult): void {
    this.out--;
    this.done++;
    this.runs += result.runs;
    this.distinct += result.distinct;
    for (const word of verdictWords) this.outcomes[word] += result.outcomes[word];
    for (const flag of sweepFlags) this.flags[flag] += result.flags[flag];
    this.harmfulCount += result.harmfulCount;
    if (result.harmful.length > 0)
      this.harmful = [...this.harmful, ...result.harmful].sort(worstFirst).slice(0, MOST_HARMFUL);
    this.violations.push(...result.violations.slice(0, MOST_VIOLATIONS - this.violations.length));
    this.cover(piece, result);
    this.turn();
  }

  private cover({ kind }: Piece, { runs, possible }: PieceResult): void {
    const { singles, boundaryPairs, boundaryPossible, samples } = this.coverage;
    this.coverage = {
      singles: singles + (kind === "single" ? runs : 0),
      boundaryPairs: boundaryPairs + (kind === "boundaries" ? runs : 0),
      boundaryPossible: boundaryPossible + (kind === "boundaries" ? possible : 0),
      samples: samples + (kind === "samples" ? runs : 0),
    };
  }

  /** Goes on to the next phase when all of this one is back. */
  private turn(): void {
    const { question, scenario } = this.task;
    while (this.waiting.length === 0 && this.out === 0 && this.phase !== "samples" && question.failures === 2) {
      this.phase = this.phase === "single" ? "boundaries" : "samples";
      this.waiting =
        this.phase === "boundaries"
          ? boundaryPieces(this.survey, question.pairs, scenario.seed)
          : samplePieces(this.survey, question.pairs - this.coverage.boundaryPairs, scenario.seed);
    }
  }

  get finished(): boolean {
    return this.waiting.length === 0 && this.out === 0;
  }

  /** Pieces that are done, and all that are known of. */
  get progress(): { readonly done: number; readonly total: number } {
    return { done: this.done, total: this.done + this.out + this.waiting.length };
  }

  totals(): SweepTotals {
    return {
      runs: this.runs,
      distinct: this.distinct,
      outcomes: { ...this.outcomes },
      flags: { ...this.flags },
      harmful: this.harmful,
      harmfulCount: this.harmfulCount,
      violations: this.violations,
      covered: coveredText(this.survey, this.task.question, this.coverage),
    };
  }
}

/** Worst first; then those that explain themselves best: fewer failures, crashes before lost messages, earlier. */
function worstFirst(a: HarmfulRun, b: HarmfulRun): number {
  const worst = ({ verdict, state }: HarmfulRun): number => Math.max(severity(verdict), severity(state));
  if (worst(a) !== worst(b)) return worst(b) - worst(a);
  if (a.injections.length !== b.injections.length) return a.injections.length - b.injections.length;
  const lost = ({ injections }: HarmfulRun): number => injections.filter(({ command }) => command.rpc !== null).length;
  if (lost(a) !== lost(b)) return lost(a) - lost(b);
  for (let i = 0; i < a.injections.length; i++) {
    const difference = (a.injections[i]?.step ?? 0) - (b.injections[i]?.step ?? 0);
    if (difference !== 0) return difference;
  }
  return a.injections.map(nameOf).join() < b.injections.map(nameOf).join() ? -1 : 1;
}

const nameOf = ({ command }: HarmfulRun["injections"][number]): string =>
  `${command.do} ${command.rpc ?? ""} ${command.target ?? ""}`;

function singlePieces({ from, length }: Survey): Piece[] {
  const size = Math.max(8, Math.ceil((length - from) / SINGLE_PIECES));
  const count = Math.ceil((length - from) / size);
  return Array.from({ length: count }, (_, index) => ({
    kind: "single",
    from: from + index * size,
    to: Math.min(length, from + (index + 1) * size),
  }));
}

/** Every crash at every phase boundary as a first failure; the budget is dealt out evenly. */
function boundaryPieces({ boundaries, crashes }: Survey, pairs: number, seed: number): Piece[] {
  const count = boundaries.length * crashes;
  const share = (index: number): number =>
    Math.floor(((index + 1) * pairs) / count) - Math.floor((index * pairs) / count);
  const firsts = boundaries
    .flatMap((step, place) =>
      Array.from({ length: crashes }, (_, command) => ({ step, command, seconds: share(place * crashes + command) })),
    )
    .filter(({ seconds }) => seconds > 0);
  return grouped(firsts, "boundaries", seed);
}

function samplePieces({ from, length, commands }: Survey, pairs: number, seed: number): Piece[] {
  const firsts: First[] = [];
  let state = advance(stream(seed, "pairs"));
  for (let left = pairs; left > 0; left -= SECONDS) {
    const step = from + below(state, length - from);
    state = advance(state);
    firsts.push({ step, command: below(state, commands.length), seconds: Math.min(SECONDS, left) });
    state = advance(state);
  }
  return grouped(firsts, "samples", seed);
}

function grouped(firsts: readonly First[], kind: "boundaries" | "samples", seed: number): Piece[] {
  return Array.from({ length: Math.ceil(firsts.length / FIRSTS) }, (_, index) => ({
    kind,
    firsts: firsts.slice(index * FIRSTS, (index + 1) * FIRSTS),
    seed,
  }));
}
