/** What a kill sweep tells of a scenario's many runs (the contract's section 5), the same at the terminal and in the app. */
import { type CommandText, commandText } from "./command-text.ts";
import type { VerdictWord } from "./report.ts";
import type { Command, Scenario } from "./scenario.ts";

/** A command that acts just before the entry at `step` would be produced. */
export interface Injection {
  readonly step: number;
  readonly command: Command;
}

/** A fault as a scenario file writes it. */
export type FaultText = { readonly at: { readonly step: number } } & CommandText;

export function faultText({ step, command }: Injection): FaultText {
  return { at: { step }, ...commandText(command) };
}

/**
 * What a run shows beside its verdict. `late`: it ends later than the run without the failures. `regressed`: a reader saw a
 * key's value go back. `readerBlocked`: a committed reader stood still behind an open transaction for longer than without
 * the failures. `stuck`: it made no further progress. `jobFailed`: no restart was granted.
 */
export const sweepFlags = ["late", "regressed", "readerBlocked", "stuck", "jobFailed"] as const;
export type SweepFlag = (typeof sweepFlags)[number];

/** A run in which records were lost or doubled, or of which it cannot be told. */
export interface HarmfulRun {
  /** End to end, as the committed reader of the worst sink sees it. */
  readonly verdict: VerdictWord;
  readonly state: VerdictWord;
  /** In the order in which they act. */
  readonly injections: readonly Injection[];
  /** Input records, each once, over all sinks. */
  readonly lost: readonly string[];
  readonly duplicated: readonly string[];
  readonly flags: readonly SweepFlag[];
}

/** A run that showed a defect of this program. */
export interface ViolatingRun {
  readonly invariant: string;
  readonly message: string;
  readonly injections: readonly Injection[];
}

/** What some of a sweep's runs, or all of them, have come to. */
export interface SweepCounts {
  readonly runs: number;
  /** Those that were taken to an end of their own; the others came to a world that an earlier one had been in. */
  readonly distinct: number;
  readonly outcomes: { readonly [V in VerdictWord]: number };
  readonly flags: { readonly [F in SweepFlag]: number };
  /** Worst first, then the simplest and earliest; not all of `harmfulCount` where there are very many. */
  readonly harmful: readonly HarmfulRun[];
  readonly harmfulCount: number;
  readonly violations: readonly ViolatingRun[];
}

export interface SweepTotals extends SweepCounts {
  /** What was covered, in words. */
  readonly covered: string;
}

/** Pairs of failures that a sweep takes where nobody says how many. */
export const USUAL_PAIRS = 10_000;

/** What is asked of a sweep. */
export interface SweepQuestion {
  /** How many failures a run gets: each single one, or pairs too. */
  readonly failures: 1 | 2;
  /** How many pairs at most. */
  readonly pairs: number;
}

/** A run along which a failure is to be moved. */
export interface ProbeTask {
  readonly scenario: Scenario;
  readonly decisions: readonly Injection[];
  /** Entries that it has, as far as is known. */
  readonly length: number;
}

export interface ProbeSurvey {
  /** A failure can act just before the entries from `from` up to `length`, without it. */
  readonly from: number;
  readonly length: number;
  /** Of the run as it is. */
  readonly verdict: VerdictWord;
  /** Simulated milliseconds at which it ends. */
  readonly ends: number;
}

/** What a run comes to when one failure strikes at one place. */
export interface Landing {
  readonly verdict: VerdictWord;
  /** Input records, each once, over all sinks. */
  readonly lost: readonly string[];
  readonly duplicated: readonly string[];
  readonly flags: readonly SweepFlag[];
  /** Simulated milliseconds at which it ends. */
  readonly ends: number;
  /** Its entries. */
  readonly length: number;
  /** Of the world that it ends in: the same failure at the same place always has the same. */
  readonly fingerprint: number;
}
