/** The failure that is dragged along the timeline. Fetched apart from the other texts. */
import type { Landing, SweepFlag } from "../../scenario/exploration.ts";
import { duration } from "../format.ts";
import { plural } from "./plural.ts";

/** Records that are named. */
const NAMED = 3;

const flagWords: { readonly [F in SweepFlag]: string | null } = {
  late: null,
  regressed: "a value went back for a reader",
  readerBlocked: "a committed reader was held up",
  stuck: "it makes no further progress",
  jobFailed: "the job failed: no restart was granted",
};

function named(records: readonly string[], what: string): string | null {
  if (records.length === 0) return null;
  const more = records.length > NAMED ? ", …" : "";
  return `${plural(records.length, "record", "records")} ${what} (${records.slice(0, NAMED).join(", ")}${more})`;
}

export const enCrash = {
  handle: "Where the failure strikes",
  what: "What fails",
  value: (failure: string, time: string, outcome: string) => `${failure} at ${time}: ${outcome}`,
  computing: "computing…",
  failed: (message: string) => `It cannot be told: ${message}`,
  after: (time: string, sentence: string) => `${time}, after “${sentence}”`,
  open: "Open this run",
  phaseBack: "One phase back",
  eventBack: "One event back",
  eventOn: "One event on",
  phaseOn: "One phase on",
  /** `ends`: of the run without the failure. */
  came({ lost, duplicated, flags, ends }: Landing, without: number): string {
    const parts = [
      named(lost, "lost"),
      named(duplicated, "twice"),
      ...flags.map((flag) => flagWords[flag]),
      ends > without ? `ends ${duration(ends - without)} later` : null,
    ].filter((part) => part !== null);
    return parts.length === 0 ? "nothing lost, nothing twice" : parts.join(", ");
  },
};
