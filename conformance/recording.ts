/** What a run on real Flink and Kafka left behind (`src/main/java/conformance/Run.java` writes it), and what follows from it. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

interface RecordedEvent {
  readonly type: string;
  readonly subtask?: string;
  readonly part?: string;
  readonly checkpoint?: number;
  readonly kind?: string;
  readonly attempt?: number;
  readonly to?: string;
  readonly record?: string;
  readonly vertex?: string;
  readonly partition?: string;
  readonly position?: number;
  readonly answer?: string;
  readonly error?: string;
}

interface RecordedTransaction {
  readonly id: string;
  readonly fate: "OPEN" | "COMMITTED" | "ABORTED";
  /** Of one that was aborted: whether its marker has a newer epoch than its records, as a timeout or a fence gives it. */
  readonly fenced?: boolean;
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
    /** Milliseconds since the first trigger; `null`: it had not ended when it was last seen. */
    readonly triggered: number;
    readonly ended: number | null;
  }[];
  readonly attempts: { readonly [subtask: string]: number };
  readonly neverFired: readonly unknown[];
  readonly sinks: readonly RecordedSink[];
  readonly states: { readonly [subtask: string]: readonly string[] };
  readonly events: readonly RecordedEvent[];
  readonly rest: {
    readonly "/jobs/:jobid/checkpoints": {
      readonly history?: readonly { readonly id: number; readonly status: string; readonly discarded?: boolean }[];
    };
  };
}

/** The lines of Flink that are recorded. */
export const lines = ["1.20", "2.2", "2.3"] as const;
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

/** A scenario as its file has it. */
interface ScenarioSource {
  readonly [key: string]: unknown;
  readonly config: { readonly [key: string]: string };
  readonly job: {
    readonly vertices: readonly { readonly uid: string; readonly type: string; readonly topic?: string }[];
    readonly edges: readonly { readonly from: string; readonly to: string }[];
  };
  readonly topics: {
    readonly [topic: string]: {
      readonly partitions: number;
      readonly records?: number;
      readonly values?: readonly unknown[];
    };
  };
}

export function scenarioSource(id: string): ScenarioSource {
  return JSON.parse(readFileSync(path.join(here, `scenarios/${id}.scenario.json`), "utf8")) as ScenarioSource;
}

/** `null`: this one has not been recorded. */
export function recordingOf(line: Line, id: string): Recording | null {
  const file = path.join(recordings, line, `${id}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Recording) : null;
}

/**
 * Checkpoints of a job that was stopped, of which Flink leaves open what becomes of them: the one that a drain asks for
 * behind its savepoint, since every task is at its end of data then (FLINK-28386), races with the end of the tasks.
 */
export function leftOpen(
  status: string,
  checkpoints: readonly { id: number; kind: string; status: string }[],
): ReadonlySet<number> {
  const stopped = checkpoints.find((each) => each.kind === "SYNC_SAVEPOINT" && each.status === "COMPLETED");
  if (status !== "FINISHED" || stopped === undefined) return new Set();
  return new Set(checkpoints.flatMap(({ id }) => (id > stopped.id ? [id] : [])));
}

interface Recovery {
  readonly restarted: readonly string[];
  readonly restoredFrom: number;
}

/**
 * The restarts of a recording: after the first deployment, subtasks that are initialised again, until one of them is once
 * more or the job goes to RESTARTING again. Only heads of chains count, as the engine tells them. A task that is restored
 * as finished has no operator that could tell it (`FinishedOperatorChain`): its attempts do.
 */
export function recoveriesOf(recording: Recording, heads: ReadonlySet<string>): Recovery[] {
  const groups: { readonly restarted: Set<string>; restoredFrom: number }[] = [];
  const times = new Map<string, number>();
  let group: (typeof groups)[number] | null = null;
  const own = new Set<string>();
  for (const { type, subtask, part, checkpoint, to } of recording.events) {
    if (type === "JobStatusChanged" && to === "RESTARTING") group = null;
    if (type !== "StateRestored" || subtask === undefined || !heads.has(subtask)) continue;
    const key = `${subtask} ${part ?? ""}`;
    times.set(key, (times.get(key) ?? 0) + 1);
    times.set(subtask, Math.max(times.get(subtask) ?? 0, times.get(key) ?? 0));
    if (times.get(key) === 1) continue;
    if (group === null || own.has(key)) {
      group = { restarted: new Set(), restoredFrom: 0 };
      groups.push(group);
      own.clear();
    }
    own.add(key);
    group.restarted.add(subtask);
    group.restoredFrom = Math.max(group.restoredFrom, checkpoint ?? 0);
  }
  for (const subtask of heads) {
    const asFinished = (recording.attempts[subtask] ?? 0) + 1 - (times.get(subtask) ?? 0);
    if (asFinished > 0) for (const each of groups.slice(-asFinished)) each.restarted.add(subtask);
  }
  return groups.map(({ restarted, restoredFrom }) => ({ restarted: [...restarted].toSorted(), restoredFrom }));
}

/** What is there more than once. */
export function doubledIn(seen: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(seen.filter((each) => once.size === once.add(each).size))].toSorted();
}
