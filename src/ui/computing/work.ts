/** What the engine works on, and how far it is. */
import type { Scenario } from "../../scenario/scenario.ts";
import { type App, type BranchRun, type Session } from "../store.ts";

interface Progress {
  readonly is: "computing" | "judging";
  /** What of it is done; `null`: nobody can tell. */
  readonly share: number | null;
}

interface Thinned {
  /** All is there, and so long that keyframes stand further apart: so many entries. */
  readonly is: "thinned";
  readonly apart: number;
}

export type Work = { readonly branch: BranchRun } & (Progress | Thinned | { readonly is: "paused" });

/** The newest branch that is being computed, else the one on screen where it was stopped; `null`: there is nothing to say. */
export function workOf({ session, staged, pending, branch }: App): Work | null {
  const made = staged ?? session;
  if (made === null) return null;
  const open = made.branches.findLast(({ report, paused }) => report === null && !paused);
  if (pending > 0 && open !== undefined) return { ...progress(made, open), branch: open };
  const shown = session?.branches[branch] ?? null;
  if (shown === null) return null;
  if (shown.paused && shown.report === null) return { is: "paused", branch: shown };
  const apart = shown.run.stageViews.thinnedTo;
  return apart === null ? null : { is: "thinned", branch: shown, apart };
}

function progress({ scenario }: Session, { length, judged, run }: BranchRun): Progress {
  if (judged > 0) return { is: "judging", share: judged / length };
  return { is: "computing", share: length === 0 ? null : shareOf(scenario, length, run.log.clock(length - 1)) };
}

/** The share of a run that is there, by what ends it: a time, a number of entries, or the last record that comes in. */
export function shareOf({ until, topics }: Scenario, entries: number, clock: number): number | null {
  if (until.kind === "steps") return Math.min(1, entries / until.steps);
  const end = until.kind === "time" ? until.time : lastArrival(topics);
  return end <= 0 ? null : Math.min(1, clock / end);
}

function lastArrival(topics: Scenario["topics"]): number {
  return Math.max(0, ...topics.flatMap(({ partitions }) => partitions.map((records) => records.at(-1)?.at ?? 0)));
}
