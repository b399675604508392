/**
 * One cursor over several runs. By time all stand at the same instant; by checkpoint each stands where its n-th completed
 * checkpoint became complete. A run that is over stays at its last entry.
 */
import type { EventLog } from "../../protocol/log.ts";
import type { CheckpointSpan } from "../../projection/timeline.ts";
import type { Moment } from "../../view/clock.ts";

export type Cursor =
  /** Milliseconds of simulated time, with fractions while it plays. */
  | { readonly by: "time"; readonly clock: number }
  /** `0`: the beginning. */
  | { readonly by: "checkpoint"; readonly nth: number }
  /** All at the entry of this number, or at their last. */
  | { readonly by: "event"; readonly step: number };

/** A run as far as a cursor needs it. */
export interface Along {
  readonly log: EventLog;
  readonly checkpoints: readonly CheckpointSpan[];
}

/** Where a cursor stands in a run; `null`: the run has no entry yet. */
export function momentIn(along: Along, cursor: Cursor): Moment | null {
  const { log } = along;
  if (log.length === 0) return null;
  if (cursor.by === "time") {
    const step = Math.max(0, log.firstAt(Math.floor(cursor.clock) + 1) - 1);
    return { step, clock: Math.max(cursor.clock, log.clock(step)) };
  }
  const step = cursor.by === "event" ? Math.min(cursor.step, log.length - 1) : stepOf(along, cursor.nth);
  return { step, clock: log.clock(step) };
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
