/** The app's four words for what a run came to: labels of the report's verdict and of how the run ended. */
import type { EndToEnd } from "../projection/ledger.ts";
import type { Report, VerdictWord } from "../scenario/report.ts";
import type { Outcome } from "../view/theme.ts";

const words: { readonly [V in VerdictWord]: Outcome | null } = {
  "exactly-once": "OK",
  "effectively-once": "OK",
  "at-least-once": "DUPLICATE",
  "at-most-once": "LOSS",
  broken: "LOSS",
  pending: null,
};

/** `null`: the run ended before it could be told. */
export function outcomeOfReport({ verdict, ended, job }: Report): Outcome | null {
  const stuck = ended === "stuck" || job.status === "FAILED" || job.status === "SUSPENDED";
  return outcomeOfVerdict(verdict.endToEnd, stuck);
}

/** `stuck`: the run cannot go on by itself. */
export function outcomeOfVerdict(verdict: VerdictWord, stuck: boolean): Outcome | null {
  const word = words[verdict];
  return (word === null || word === "OK") && stuck ? "STUCK" : word;
}

export interface OutcomeNow {
  readonly outcome: Outcome;
  /** The run has ended, and nothing can change it any more. */
  readonly settled: boolean;
}

/** At a cursor. `report`: of the run, where the cursor stands at its end. */
export function outcomeAt({ soFar }: EndToEnd, report: Report | null): OutcomeNow {
  const told = report === null ? null : outcomeOfReport(report);
  if (told !== null) return { outcome: told, settled: true };
  return { outcome: words[soFar] ?? "OK", settled: false };
}
