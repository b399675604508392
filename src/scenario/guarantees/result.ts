/** What the runs of a cell of the guarantee table have come to, and the table of all of them. Plain data: it crosses threads. */
import type { Reader } from "../../protocol/sinks.ts";
import type { Injection } from "../exploration.ts";
import { type Cell, type MomentId, momentIds } from "./kinds.ts";

/**
 * What a reader can meet. `wrong`: a value that no run without failures gives. `stepped-back`: a key's value went back.
 * `blocked`: a committed reader stood still behind an open transaction for longer than without the failure. `late`: the
 * run ends later than without it. `job-failed`: no restart was granted, and the rest of the input is not read.
 */
export const harms = ["lost", "duplicated", "wrong", "stepped-back", "blocked", "late", "job-failed", "stuck"] as const;
export type Harm = (typeof harms)[number];

/** How many runs show a harm, and the one that shows it best. */
export interface Shown {
  readonly runs: number;
  readonly worst: Injection;
}

export type HarmsSeen = { readonly [H in Harm]?: Shown };

/** One reader at one moment. */
export interface ReaderResult {
  readonly reader: Reader;
  readonly harms: HarmsSeen;
}

export interface MomentResult {
  readonly moment: MomentId;
  /** Failures at such a moment: as many runs. */
  readonly runs: number;
  readonly readers: readonly ReaderResult[];
}

export interface CellResult {
  readonly cell: Cell;
  /** Flink or this program has no such job, for this reason; `null`: it has. */
  readonly refused: string | null;
  /** Entries of the run without failures, and the runs with one. */
  readonly entries: number;
  readonly runs: number;
  /** What a reader misses even where nothing fails: all of it (SK-121, SK-146), or some. */
  readonly without: readonly { readonly reader: Reader; readonly seen: number; readonly expected: number }[];
  readonly moments: readonly MomentResult[];
  /** Defects of this program that the runs have shown. */
  readonly violations: readonly { readonly invariant: string; readonly injection: Injection | null }[];
}

/** Does the reader see nothing at all, though nothing fails? */
export function seesNothing({ without }: CellResult, reader: Reader): boolean {
  return without.some((row) => row.reader === reader && row.seen === 0 && row.expected > 0);
}

/** The harms that a reader of a cell can meet, at one moment or (`null`) at any. */
export function harmsOf({ moments }: CellResult, reader: Reader, moment: MomentId | null): HarmsSeen {
  const rows = moments
    .filter((each) => moment === null || each.moment === moment)
    .flatMap(({ readers }) => readers.filter((row) => row.reader === reader));
  const seen = harms.flatMap((harm) => {
    const shown = rows.flatMap((row) => row.harms[harm] ?? []);
    const [first] = shown;
    return first === undefined
      ? []
      : [[harm, { runs: shown.reduce((sum, { runs }) => sum + runs, 0), worst: first.worst }] as const];
  });
  return Object.fromEntries(seen);
}

/** How many runs there were at a moment, or (`null`) in all. */
export function runsOf({ moments }: CellResult, moment: MomentId | null): number {
  return momentIds.reduce((sum, id) => {
    const runs = moments.find((each) => each.moment === id)?.runs ?? 0;
    return moment === null || moment === id ? sum + runs : sum;
  }, 0);
}
