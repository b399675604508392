/** The same moment of a run in two layouts of its presentation time. */
import type { PresentationClock } from "../view/clock.ts";

/** Where another layout of the same run has what stands at a place of this one: the same entry, the same simulated time. */
export function samePlace(from: PresentationClock, to: PresentationClock, presentation: number): number {
  const { step, clock } = from.momentAt(presentation);
  const entry = from.presentationOf(step);
  // An instant is staged alike in both.
  if (from.momentAt(entry).clock === clock) return Math.min(to.presentationOf(step) + presentation - entry, to.total);
  return Math.max(to.presentationAtClock(clock), to.presentationOf(step));
}
