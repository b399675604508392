/** A run that takes long to compute, and one that is long. Fetched apart from the other texts. */
import { clockTime, count } from "../format.ts";

export const enComputing = {
  title: "Computing the run",
  computing: (events: number, clock: number) => `Computing: ${count(events)} events, up to ${clockTime(clock)}`,
  judging: (judged: number, events: number) => `Checking the invariants: ${count(judged)} of ${count(events)} events`,
  cancel: "Cancel",
  paused: (events: number, clock: number) =>
    `Stopped after ${count(events)} events, at ${clockTime(clock)}. There is no verdict yet.`,
  unchecked: (events: number) => `All ${count(events)} events are there. They have not been checked to their end.`,
  goOn: "Go on",
  thinned: (events: number, apart: number) =>
    `This run has ${count(events)} events. Keyframes were thinned to one in ${count(apart)}: going back takes a moment longer.`,
};
