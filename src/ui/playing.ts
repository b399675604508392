/** Where playing comes to in presentation time: around a loop, and exactly to the entries at which something stops it. */
import type { PresentationClock } from "../view/clock.ts";

/** Entries that are played over and over, the last of them included. */
export interface Loop {
  readonly from: number;
  readonly to: number;
}

export interface Way {
  readonly clock: PresentationClock;
  readonly loop: Loop | null;
  /** The first entry behind `from`, up to `to`, at which playing is to stop; `null`: none. */
  readonly stop: (from: number, to: number) => number | null;
}

export interface Played {
  readonly presentation: number;
  /** It stands exactly at an entry that stops it. */
  readonly stopped: boolean;
}

export function played({ clock, loop, stop }: Way, from: number, wanted: number): Played {
  const end = loop === null ? Infinity : endOf(clock, loop);
  const next = Math.min(wanted, clock.total);
  const step = clock.stepAt(from);
  const reached = next >= end && loop !== null ? Math.max(step, loop.to) : clock.stepAt(next);
  const stopAt = reached > step ? stop(step, reached) : null;
  if (stopAt !== null) return { presentation: clock.presentationOf(stopAt), stopped: true };
  // The last entry of a loop is seen before it begins anew.
  if (loop !== null && next >= end)
    return { presentation: clock.presentationOf(step < loop.to ? loop.to : loop.from), stopped: false };
  return { presentation: next, stopped: false };
}

/** The presentation time at which a loop begins anew: where the entry behind it would happen. */
function endOf(clock: PresentationClock, { to }: Loop): number {
  return to + 1 < clock.length ? clock.presentationOf(to + 1) : clock.total;
}
