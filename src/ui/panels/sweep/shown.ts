/** What the panel shows of the one sweep there is, seen from the session on screen. */
import type { SnapshotFrom } from "xstate";
import type { HarmfulRun, SweepQuestion, SweepTotals } from "../../../scenario/exploration.ts";
import type { VerdictWord } from "../../../scenario/report.ts";
import type { Outcome } from "../../../view/theme.ts";
import { outcomeOfVerdict } from "../../outcome.ts";
import type { Session } from "../../store.ts";
import { isOpen } from "../../sweep.ts";
import type { SweepProgress, SweepResult, SweepTarget, sweepMachine } from "../../sweep-machine.ts";

export type SweepState = "idle" | "going" | "paused" | "done" | "stopped" | "failed";

export interface Shown {
  readonly state: SweepState;
  /** Of the session on screen; `null`: nothing in it has been swept. */
  readonly target: SweepTarget | null;
  readonly question: SweepQuestion | null;
  readonly progress: SweepProgress | null;
  readonly message: string;
  /** What another run came to. */
  readonly before: SweepResult | null;
}

export function shownOf({ value, context }: SnapshotFrom<typeof sweepMachine>, session: Session): Shown {
  const { target, request, progress, message, before } = context;
  const question = request?.question ?? null;
  const state = typeof value === "string" ? value : value.running;
  if (target !== null && isOpen(target, session)) return { state, target, question, progress, message, before };
  const done = state === "done" && target !== null && progress !== null;
  return {
    state: "idle",
    target: null,
    question,
    progress: null,
    message: "",
    before: done ? { target, totals: progress.totals } : before,
  };
}

export function isRunning(state: SweepState): boolean {
  return state === "going" || state === "paused";
}

/** `pending`: it cannot be told. */
export type Tally = Outcome | "pending";

export const tallies = ["OK", "DUPLICATE", "LOSS", "pending"] as const satisfies readonly Tally[];

const tallyOf: { readonly [V in VerdictWord]: (typeof tallies)[number] } = {
  "exactly-once": "OK",
  "effectively-once": "OK",
  "at-least-once": "DUPLICATE",
  "at-most-once": "LOSS",
  broken: "LOSS",
  pending: "pending",
};

/** Runs by outcome. A run that is stuck counts where its records do, and is told among the flags. */
export function tallied({ outcomes }: Pick<SweepTotals, "outcomes">): {
  readonly [T in (typeof tallies)[number]]: number;
} {
  const sums = { OK: 0, DUPLICATE: 0, LOSS: 0, pending: 0 };
  for (const [verdict, value] of Object.entries(outcomes)) sums[tallyOf[verdict as VerdictWord]] += value;
  return sums;
}

export function outcomeOfRun({ verdict, state, flags }: HarmfulRun): Tally {
  const stuck = flags.includes("stuck") || flags.includes("jobFailed");
  const outcome = outcomeOfVerdict(onlyInState({ verdict, state }) ? state : verdict, stuck);
  return outcome ?? "pending";
}

/** Readers see what is right, but the job's state is not. */
export function onlyInState({ verdict, state }: Pick<HarmfulRun, "verdict" | "state">): boolean {
  return tallyOf[verdict] === "OK" && tallyOf[state] !== "OK";
}
