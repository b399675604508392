/** The contract's words for what became of records, and the worst of them (SK-032). */
import type { VerdictWord } from "../scenario/report.ts";

/** Numbers of input records, by what became of them. */
export interface Fates {
  readonly lost: number[];
  readonly duplicated: number[];
  readonly pending: number[];
  readonly unprocessed: number[];
}

export function wordOf({ lost, duplicated, pending, unprocessed }: Fates): VerdictWord {
  if (lost.length > 0) return duplicated.length > 0 ? "broken" : "at-most-once";
  if (duplicated.length > 0) return "at-least-once";
  return pending.length + unprocessed.length > 0 ? "pending" : "exactly-once";
}

/** Who reads by key sees no double (SK-032); a row that is wrong at rest holds some record twice (SK-112). */
export function wordOfTable(fates: Fates, wrong: readonly number[]): VerdictWord {
  const { lost, duplicated, pending, unprocessed } = fates;
  if (lost.length > 0) return "at-most-once";
  if (pending.length + unprocessed.length > 0) return "pending";
  if (wrong.length > 0) return "at-least-once";
  return duplicated.length > 0 ? "effectively-once" : "exactly-once";
}

const order: readonly VerdictWord[] = [
  "exactly-once",
  "effectively-once",
  "pending",
  "at-least-once",
  "at-most-once",
  "broken",
];

export function worst(words: readonly VerdictWord[]): VerdictWord {
  return words.reduce((a, b) => (order.indexOf(a) >= order.indexOf(b) ? a : b), "exactly-once");
}
