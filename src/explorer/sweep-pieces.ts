/**
 * A sweep cut into pieces of work that threads take one by one. All of it is plain data, and a piece's result depends on
 * the piece alone, so the totals are the same however many threads there are.
 */
import type { Injection, SweepCounts, SweepQuestion } from "../scenario/exploration.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";

export interface SweepTask {
  readonly scenario: Scenario;
  readonly decisions: readonly Injection[];
  readonly question: SweepQuestion;
}

/** What a sweep must know of the base run before it can be cut. */
export interface Survey {
  /** Failures act before the entries `from` to `length - 1`. */
  readonly from: number;
  readonly length: number;
  /** Each (thing, way) that single failures take; the first `crashes` of them make the pairs at phase boundaries. */
  readonly commands: readonly Command[];
  readonly crashes: number;
  /** Steps just behind a phase boundary. */
  readonly boundaries: readonly number[];
}

/** A first failure of pairs, and how many seconds it gets. */
export interface First {
  readonly step: number;
  readonly command: number;
  readonly seconds: number;
}

export type Piece =
  | { readonly kind: "single"; readonly from: number; readonly to: number }
  /** Seconds at the phase boundaries that come behind the first failure. */
  | { readonly kind: "boundaries"; readonly firsts: readonly First[]; readonly seed: number }
  /** Seconds anywhere behind the first failure. */
  | { readonly kind: "samples"; readonly firsts: readonly First[]; readonly seed: number };

export interface PieceResult extends SweepCounts {
  /** Pairs that its firsts have in all, taken or not. */
  readonly possible: number;
}

/** Harmful runs that are told one by one; all are counted. */
export const MOST_HARMFUL = 1000;
/** Violating runs that are told: one is enough to know that we are wrong. */
export const MOST_VIOLATIONS = 20;

/** A count of nothing yet for each word. */
export function zeros<W extends string>(words: readonly W[]): { [V in W]: number } {
  return Object.fromEntries(words.map((word) => [word, 0])) as { [V in W]: number };
}
