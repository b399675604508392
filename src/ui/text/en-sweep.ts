/** The kill sweep's panel. It is fetched apart from the other texts. */
import { type SweepFlag, type SweepTotals, USUAL_PAIRS } from "../../scenario/exploration.ts";
import { count } from "../format.ts";

function runs(value: number): string {
  return value === 1 ? "1 run" : `${count(value)} runs`;
}

/** Two digits that say something. */
function roundly(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.round(value / unit) * unit;
}

/** `3 runs end`, `1 run ends`. */
function verb(value: number, plural: string, singular: string): string {
  return `${runs(value)} ${value === 1 ? singular : plural}`;
}

const flags: { readonly [F in SweepFlag]: (value: number) => string } = {
  late: (value) => `${verb(value, "end", "ends")} later than the run without the failure`,
  regressed: (value) => `in ${runs(value)} a reader saw the value of a key go back`,
  readerBlocked: (value) => `in ${runs(value)} read_committed stood still behind an open transaction for longer`,
  stuck: (value) => `${verb(value, "make", "makes")} no further progress`,
  jobFailed: (value) => `${verb(value, "end", "ends")} with a failed job: no restart was granted`,
};

const flagWords: { readonly [F in SweepFlag]: string } = {
  late: "ends later",
  regressed: "a value went back",
  readerBlocked: "reader held up",
  stuck: "stuck",
  jobFailed: "job failed",
};

export const enSweep = {
  label: "Kill sweep",
  start: "Fail everything, everywhere",
  again: "Sweep again",
  thisBranch: "Sweep this branch",
  pause: "Pause the sweep",
  resume: "Go on",
  cancel: "Stop",
  retry: "Try again",
  what: "Repeats this run once for each event and each failure that can strike there, and tells in which of these runs a record was lost or counted twice.",
  /** Of single failures; `pairs`: how many runs of two more. */
  about: (steps: number, failures: number, pairs: number) =>
    `${count(steps)} events × ${count(failures)} failures${pairs > 0 ? ` + ${count(pairs)} pairs` : ""}: about ${runs(roundly(steps * failures + pairs))}.`,
  computing: "The run is still being computed.",
  question: "Failures in each run",
  questions: { 1: "Single failures", 2: `Pairs too (${USUAL_PAIRS.toLocaleString("en")})` },
  target: (title: string, delivery: string, branch: string) =>
    [title, delivery === "" ? "" : `sink delivery ${delivery}`, branch].filter((part) => part !== "").join(" · "),
  of: "Swept",
  elsewhere: (name: string) => `On screen is another branch: ${name}.`,
  before: "The sweep before",

  progress: "Progress of the sweep",
  runs: (value: number) => runs(value),
  rate: (value: number) => `${count(value)} a second`,
  left: (seconds: number) => (seconds < 90 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`),
  starting: "Starting…",
  paused: "Paused",
  done: (value: number, seconds: number) =>
    `${runs(value)} in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`,
  stopped: (share: string) => `Stopped at ${share}: what follows is of a part only.`,

  totals: "Runs by outcome",
  pending: "UNDECIDED",
  outcomes: {
    OK: "nothing lost or doubled",
    DUPLICATE: "records doubled",
    LOSS: "records missing for good",
    pending: "ended too early to tell",
  },
  both: (value: number) => `${count(value)} with others doubled`,
  effectively: (value: number) => `${count(value)} by repeated writes`,
  flags,
  flagWords,
  flagTitle: "Beside that",
  covered: "Covered",
  distinct: (distinct: number, merged: number) =>
    merged === 0
      ? `All of them were taken to an end of their own.`
      : `${runs(distinct)} taken to an end of their own; ${count(merged)} merged: each came to a state in which an earlier one had been, and from there both go the same way.`,

  harmful: "Harmful runs",
  harmfulCaption: "Harmful runs, worst first",
  shownOf: (shown: number, all: number) =>
    `The worst ${count(shown)} of ${count(all)}. Choose one: it opens as a branch, at the failure.`,
  held: (value: number) => `${count(value)} more found`,
  columns: { outcome: "Result", failure: "Failure", lost: "Lost", duplicated: "Doubled", more: "Also" },
  failure: (name: string, step: number, time: string) => `${name} at event ${count(step)}, ${time}`,
  /** Its time is that of a run that nobody has looked at yet. */
  second: (name: string, step: number) => `then ${name} at event ${count(step)}`,
  between: ", ",
  onlyInState: "only in state",
  opened: "open",
  lostTitle: "Input records that are missing for good",
  duplicatedTitle: "Input records that count more than once",
  openTitle: "Choose one: it opens as a branch, at the failure.",
  noneYet: "No harmful run so far.",
  noneTrusted: "No harmful run was found, but what the runs came to cannot be trusted: see beside.",
  nonePart: "No harmful run in the part that was swept.",

  clean: "Nothing lost, nothing doubled",
  cleanBody: (value: number, pairs: boolean) =>
    `In all ${runs(value)} every input record counts once, as committed readers see it, ${pairs ? "whichever one or two of these failures happen" : "whichever one of these failures happens"}.`,
  proves: "What this shows",
  notProved: "What it does not show",
  notProvedBody: (pairs: boolean) =>
    `${pairs ? "Three failures at once" : "Two failures at once"}, another input, other durations or another seed, stalls, and faults of the broker or the storage: none of these was tried here.`,
  pairsNext: "Try pairs too",

  violations: (value: number) =>
    `${value === 1 ? "One run" : runs(value)} broke a rule of this program's own. This is our fault, not Flink's, and what these runs came to cannot be trusted.`,
  violation: (invariant: string) => `Rule ${invariant}`,
  more: (value: number) => `and ${count(value)} more`,
  failed: "The sweep stopped",
  failedBody: "A mistake of ours, not of Flink. The run on screen is untouched.",

  live: {
    of: (state: string, totals: SweepTotals | null, message: string): string | null => {
      switch (state) {
        case "going":
          return "Kill sweep is running.";
        case "paused":
          return "Kill sweep paused.";
        case "stopped":
          return "Kill sweep stopped.";
        case "failed":
          return `Kill sweep failed: ${message}`;
        case "done":
          return totals === null
            ? null
            : `Kill sweep done: ${runs(totals.runs)}, ${totals.harmfulCount === 0 ? "none harmful" : `${count(totals.harmfulCount)} harmful`}.`;
        default:
          return null;
      }
    },
  },
} as const;
