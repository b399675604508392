/**
 * One cursor over several runs. By time all stand at the same instant; by checkpoint each stands where its n-th completed
 * checkpoint became complete; by phase each where a checkpoint came to the same phase. A run that is over stays at its last
 * entry.
 */
import type { EventLog } from "../../protocol/log.ts";
import type { Phase, PhaseName } from "../../projection/phases.ts";
import type { CheckpointSpan } from "../../projection/timeline.ts";
import type { Moment } from "../../view/clock.ts";

export type Cursor =
  /** Milliseconds of simulated time, with fractions while it plays. */
  | { readonly by: "time"; readonly clock: number }
  /** `0`: the beginning. */
  | { readonly by: "checkpoint"; readonly nth: number }
  /** All at the entry of this number, or at their last. */
  | { readonly by: "event"; readonly step: number }
  | ({ readonly by: "phase" } & PhaseKey);

/** A phase of a checkpoint, whichever run it is in. */
export interface PhaseKey {
  readonly checkpoint: number;
  readonly name: PhaseName;
}

/** In the order in which a checkpoint that goes well comes through them. */
const order = [
  "triggered",
  "barrier leaves",
  "barrier arrives",
  "aligned",
  "all aligned",
  "snapshot taken",
  "all snapshots taken",
  "snapshot stored",
  "acknowledged",
  "all acknowledged",
  "completed",
  "notified",
  "all notified",
  "committed",
  "all committed",
  "aborted",
] as const satisfies readonly PhaseName[];

/** A run as far as a cursor needs it. */
export interface Along {
  readonly log: EventLog;
  readonly checkpoints: readonly CheckpointSpan[];
  readonly phases: readonly Phase[];
}

/** Where a cursor stands in a run; `null`: the run has no entry yet. */
export function momentIn(along: Along, cursor: Cursor): Moment | null {
  const { log } = along;
  if (log.length === 0) return null;
  if (cursor.by === "time") {
    const step = Math.max(0, log.firstAt(Math.floor(cursor.clock) + 1) - 1);
    return { step, clock: Math.max(cursor.clock, log.clock(step)) };
  }
  const step = entryOf(along, cursor);
  return { step, clock: log.clock(step) };
}

function entryOf(along: Along, cursor: Exclude<Cursor, { readonly by: "time" }>): number {
  switch (cursor.by) {
    case "event":
      return Math.min(cursor.step, along.log.length - 1);
    case "checkpoint":
      return stepOf(along, cursor.nth);
    case "phase":
      return phaseStep(along, cursor);
  }
}

const rank = ({ checkpoint, name }: PhaseKey): number =>
  checkpoint * order.length + order.findIndex((each) => each === name);

/** Where the checkpoint came to the phase; a run that does not have it stays at the last one before. */
function phaseStep({ phases }: Along, key: PhaseKey): number {
  const reached = ownPhases(phases).filter((phase) => rank(phase) <= rank(key));
  const last = Math.max(-1, ...reached.map(rank));
  return reached.find((phase) => rank(phase) === last)?.step ?? 0;
}

function ownPhases(phases: readonly Phase[]): readonly Phase[] {
  return phases.filter(({ checkpoint, name }) => checkpoint > 0 && order.some((each) => each === name));
}

/** The next phase that some run has, or the one before: seen from the run that is behind. `null`: there is none. */
export function phaseFrom(runs: readonly Along[], cursor: Cursor, direction: 1 | -1): Cursor | null {
  const all = new Map(runs.flatMap(({ phases }) => ownPhases(phases)).map((phase) => [rank(phase), phase]));
  const ranks = [...all.keys()].sort((a, b) => a - b);
  const here = cursor.by === "phase" ? rank(cursor) : Math.min(...runs.map((run) => lastRank(run, cursor)));
  const to = direction === 1 ? ranks.find((each) => each > here) : ranks.findLast((each) => each < here);
  const phase = to === undefined ? undefined : all.get(to);
  return phase === undefined ? null : { by: "phase", checkpoint: phase.checkpoint, name: phase.name };
}

/** The last phase that a run has come through. */
function lastRank(run: Along, cursor: Cursor): number {
  const step = momentIn(run, cursor)?.step ?? 0;
  return Math.max(-1, ...ownPhases(run.phases).flatMap((phase) => (phase.step <= step ? [rank(phase)] : [])));
}

/** The entry that completes the n-th checkpoint; the last entry where there is none. */
function stepOf(along: Along, nth: number): number {
  return nth === 0 ? 0 : (completions(along)[nth - 1] ?? along.log.length - 1);
}

export function hasCheckpoint(along: Along, nth: number): boolean {
  return nth <= completions(along).length;
}

function completions({ checkpoints }: Along): number[] {
  return checkpoints
    .filter(({ status }) => status === "completed")
    .map(({ toStep }) => toStep)
    .sort((a, b) => a - b);
}

/** The next checkpoint, or the one before: seen from the run that is behind. `null`: no run has one there. */
export function checkpointFrom(runs: readonly Along[], cursor: Cursor, direction: 1 | -1): Cursor | null {
  if (runs.length === 0) return null;
  const nth = cursor.by === "checkpoint" ? cursor.nth + direction : fromTime(runs, clockOf(runs, cursor), direction);
  return nth >= 0 && runs.some((run) => hasCheckpoint(run, nth)) ? { by: "checkpoint", nth } : null;
}

function fromTime(runs: readonly Along[], clock: number, direction: 1 | -1): number {
  const behind = Math.min(...runs.map((run) => completions(run).filter((step) => run.log.clock(step) <= clock).length));
  return direction === 1 ? behind + 1 : behind;
}

/** The next instant at which something happens in some run, or the one before; the same where there is none. */
export function instantFrom(runs: readonly Along[], clock: number, direction: 1 | -1): number {
  const near = runs.flatMap(({ log }) => {
    const step = direction === 1 ? log.firstAt(Math.floor(clock) + 1) : log.firstAt(Math.ceil(clock)) - 1;
    return step >= 0 && step < log.length ? log.clock(step) : [];
  });
  if (near.length === 0) return clock;
  return direction === 1 ? Math.min(...near) : Math.max(...near);
}

/** The instant by which a cursor goes on as time: the earliest of those at which the runs stand. */
export function clockOf(runs: readonly Along[], cursor: Cursor): number {
  if (cursor.by === "time") return cursor.clock;
  return Math.min(...runs.flatMap((run) => momentIn(run, cursor)?.clock ?? []), endOf(runs));
}

/** The entry from which stepping by events goes on: that of the run that is behind. */
export function eventOf(runs: readonly Along[], cursor: Cursor): number {
  if (cursor.by === "event") return cursor.step;
  return Math.min(...runs.flatMap((run) => momentIn(run, cursor)?.step ?? []), lastEventOf(runs));
}

/** The last entry of the longest run. */
export function lastEventOf(runs: readonly Along[]): number {
  return Math.max(0, ...runs.map(({ log }) => log.length - 1));
}

/** When the last of the runs is over, in milliseconds. */
export function endOf(runs: readonly Along[]): number {
  return Math.max(0, ...runs.map(({ log }) => (log.length === 0 ? 0 : log.clock(log.length - 1))));
}
