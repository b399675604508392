/** What a run on real Flink and Kafka left behind (`src/main/java/conformance/Run.java` writes it), and what follows from it. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

interface RecordedEvent {
  readonly type: string;
  readonly subtask?: string;
  readonly record?: string;
  readonly part?: string;
  readonly checkpoint?: number;
  readonly kind?: string;
  readonly attempt?: number;
  readonly to?: string;
}

interface RecordedTransaction {
  readonly id: string;
  readonly fate: "OPEN" | "COMMITTED" | "ABORTED";
  readonly records: readonly string[];
}

interface RecordedSink {
  readonly sink: string;
  readonly committed: readonly string[];
  readonly uncommitted: readonly string[];
  readonly transactions: readonly RecordedTransaction[];
}

export interface Recording {
  readonly scenario: string;
  readonly flink: string;
  readonly status: string;
  readonly checkpoints: readonly {
    readonly id: number;
    readonly kind: string;
    readonly status: string;
    readonly failure: string | null;
    readonly unaligned: boolean;
    readonly persistedInFlight: boolean;
  }[];
  readonly attempts: { readonly [subtask: string]: number };
  readonly neverFired: readonly unknown[];
  readonly sinks: readonly RecordedSink[];
  readonly states: { readonly [subtask: string]: readonly string[] };
  readonly events: readonly RecordedEvent[];
}

/** The lines of Flink that are recorded. */
export const lines = ["1.20", "2.2"] as const;
export type Line = (typeof lines)[number];

const here = import.meta.dirname;
/** Where the recordings are: those that are committed, or those just made. */
const justMade = process.env["BARRIERSCOPE_RECORDINGS"];
const recordings = justMade ?? path.join(here, "recordings");
/** Those that are committed are all there; a live run makes a few. */
export const recordingsAreComplete = justMade === undefined;

/** Ids of the scenarios, as their files are called. */
export function scenarioIds(): string[] {
  const ending = ".scenario.json";
  const files = readdirSync(path.join(here, "scenarios")).filter((file) => file.endsWith(ending));
  return files.map((file) => file.slice(0, -ending.length)).toSorted();
}

export function scenarioSource(id: string): { readonly [key: string]: unknown } {
  return JSON.parse(readFileSync(path.join(here, `scenarios/${id}.scenario.json`), "utf8")) as never;
}

/** `null`: this one has not been recorded. */
export function recordingOf(line: Line, id: string): Recording | null {
  const file = path.join(recordings, line, `${id}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Recording) : null;
}

interface Recovery {
  readonly restarted: readonly string[];
  readonly restoredFrom: number;
}

/**
 * The restarts of a recording: after the first deployment, subtasks that are initialised again, until one of them is once
 * more or the job goes to RESTARTING again. Only heads of chains count, as the engine tells them.
 */
export function recoveriesOf({ events }: Recording, heads: ReadonlySet<string>): Recovery[] {
  const groups: { readonly restarted: Set<string>; restoredFrom: number }[] = [];
  const deployed = new Set<string>();
  let group: (typeof groups)[number] | null = null;
  const own = new Set<string>();
  for (const { type, subtask, part, checkpoint, to } of events) {
    if (type === "JobStatusChanged" && to === "RESTARTING") group = null;
    if (type !== "StateRestored" || subtask === undefined || !heads.has(subtask)) continue;
    const key = `${subtask} ${part ?? ""}`;
    if (!deployed.has(key)) {
      deployed.add(key);
      continue;
    }
    if (group === null || own.has(key)) {
      group = { restarted: new Set(), restoredFrom: 0 };
      groups.push(group);
      own.clear();
    }
    own.add(key);
    group.restarted.add(subtask);
    group.restoredFrom = Math.max(group.restoredFrom, checkpoint ?? 0);
  }
  return groups.map(({ restarted, restoredFrom }) => ({ restarted: [...restarted].toSorted(), restoredFrom }));
}

const sorted = (ids: Iterable<string>): string[] => [...ids].toSorted();

/** Which of the given records are not there, and which are there more than once. */
export function comparedTo(
  given: readonly string[],
  seen: readonly string[],
): { missing: string[]; doubled: string[] } {
  const times = new Map<string, number>();
  for (const id of seen) times.set(id, (times.get(id) ?? 0) + 1);
  return {
    missing: sorted(given.filter((id) => !times.has(id))),
    doubled: sorted([...times].flatMap(([id, count]) => (count > 1 ? [id] : []))),
  };
}
