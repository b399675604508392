/**
 * A run described as data: the contract's format 1 with every default filled in and every duration in milliseconds.
 * `parse` makes one from what a person wrote; everything behind it may trust it. Plain data: it crosses threads as it is.
 */
import type { JobGraph } from "../protocol/job-graph.ts";
import type { EventType } from "../protocol/events.ts";
import type { InputSource } from "./schema-input.ts";
import type { ClaimMode, CommitError, FaultVerb, Rpc, SavepointFormat, SnapshotPart } from "../protocol/reasons.ts";

export const flinkVersions = ["1.18", "1.20", "2.2", "2.3"] as const;
export type FlinkVersion = (typeof flinkVersions)[number];

/** One record of an input partition: `at` is when the log has it, in milliseconds of simulated time. */
export interface InputRecord {
  readonly key: string;
  readonly value: number;
  readonly at: number;
}

export interface Topic {
  readonly name: string;
  /** What each partition is given; empty lists for a topic that is only written. */
  readonly partitions: readonly (readonly InputRecord[])[];
  /** The broker's limit for this topic's transactions in milliseconds; `null`: the cluster's. */
  readonly transactionMaxTimeout: number | null;
  /** Is it a topic of the log, or what a source alone is given: its files, a connection, a table? Its name is then the source's uid. */
  readonly kind: "topic" | "files" | "connection" | "table";
  /** So many of its partitions, the last ones, are not there when the run begins: faults add them. */
  readonly added: number;
  /** In what transactions other producers write it; `null`: in none. `open`: milliseconds from the last record to the commit. */
  readonly transactions: { readonly records: number; readonly open: number } | null;
  /** Milliseconds between two plain records that another producer writes to each partition of a sink's topic; `null`: none does. */
  readonly background: number | null;
}

export type RestartStrategy =
  | { readonly type: "none" }
  | { readonly type: "fixed-delay"; readonly attempts: number; readonly delay: number }
  | { readonly type: "failure-rate"; readonly maxFailures: number; readonly interval: number; readonly delay: number }
  | {
      readonly type: "exponential-delay";
      readonly initialBackoff: number;
      readonly maxBackoff: number;
      readonly multiplier: number;
      readonly resetThreshold: number;
      readonly jitter: number;
      readonly attempts: number;
      /** Since 1.19 a failure within a backoff belongs to the restart that was granted; before, each counts. */
      readonly merges: boolean;
    };

/** The Flink options that a run of today follows. */
export interface Checkpointing {
  /** Milliseconds; `null`: no periodic checkpoints. */
  readonly interval: number | null;
  readonly mode: "EXACTLY_ONCE" | "AT_LEAST_ONCE";
  readonly unaligned: boolean;
  /** Milliseconds from the trigger after which an aligned checkpoint turns unaligned; 0: it starts so (CP-070). */
  readonly alignedTimeout: number;
  /** The checkpoint that is restored without its channel state; -1: none (CP-088). */
  readonly withoutChannelState: number;
  readonly timeout: number;
  readonly minPause: number;
  readonly maxConcurrent: number;
  readonly tolerableFailed: number;
  readonly retained: number;
  /** What becomes of the store's checkpoints when the job ends (CP-168). */
  readonly retention: Retention;
  /** Do checkpoints go on when some tasks have finished (FLIP-147)? */
  readonly afterTasksFinish: boolean;
}

/** `ExternalizedCheckpointRetention`. */
export type Retention = "NO_EXTERNALIZED_CHECKPOINTS" | "DELETE_ON_CANCELLATION" | "RETAIN_ON_CANCELLATION";

/** Where working state lives and where snapshots go. Sizes in bytes, times in milliseconds. */
export interface StateStorage {
  readonly backend: "hashmap" | "rocksdb";
  /** Does a snapshot refer to files of earlier ones? Only rocksdb can. */
  readonly incremental: boolean;
  readonly changelog: boolean;
  readonly materializeEvery: number;
  readonly storage: "jobmanager" | "filesystem";
  readonly dir: string | null;
  /** Where savepoints go that name no path; `null`: such a request fails (CP-162). */
  readonly savepointDir: string | null;
  readonly createSubdir: boolean;
  readonly inlineThreshold: number;
  readonly highAvailability: boolean;
}

export interface Config {
  readonly checkpointing: Checkpointing;
  readonly state: StateStorage;
  readonly restartStrategy: RestartStrategy;
  readonly failoverStrategy: "region" | "full";
  /** `slot.request.timeout` in milliseconds. */
  readonly slotRequestTimeout: number;
  /** `sink.committer.retries`: how often a commit is tried again at once. */
  readonly committerRetries: number;
  /** `task.cancellation.timeout` in milliseconds; 0: never. */
  readonly cancellationTimeout: number;
  /** Are local copies of keyed state kept and restored from (FR-110)? */
  readonly localRecovery: boolean;
  /** Each option as it is in force: Flink key → value as text, and where it comes from. */
  readonly effective: readonly {
    readonly key: string;
    readonly value: string;
    readonly origin: "scenario" | "default";
  }[];
}

/** Durations of the model in milliseconds. */
export interface Timing {
  readonly network: number;
  readonly rpc: number;
  readonly snapshotSync: number;
  readonly snapshotAsync: number;
  /** How fast an asynchronous part writes beyond that; 0: size takes no time. */
  readonly uploadBytesPerSecond: number;
  readonly deploy: number;
  readonly cancel: number;
  readonly restore: number;
  /** Where a local copy of the state is there. */
  readonly localRestore: number;
  readonly commit: number;
  readonly initTransactions: number;
  /** From the decision on a transaction's end to its marker on each partition. */
  readonly markers: number;
  /** Until silence is noticed; until a process that refuses connections is; until a TaskManager gives its leader up. */
  readonly heartbeatDetect: number;
  readonly unreachableDetect: number;
  readonly leaderDetect: number;
  readonly takeover: number;
  readonly overrides: readonly TimingOverride[];
}

export interface TimingOverride {
  readonly vertex: string;
  /** `null`: every subtask, every checkpoint. */
  readonly index: number | null;
  readonly checkpoint: number | null;
  readonly snapshotSync: number | null;
  readonly snapshotAsync: number | null;
}

/** When something is to happen. An event pattern's `match` holds fields of the trace with the value they must have. */
export interface EventMoment {
  readonly kind: "before" | "after";
  readonly event: EventType;
  readonly match: { readonly [field: string]: string | number | boolean | null };
  readonly nth: number;
  /** It acts at each match from the `nth` on. */
  readonly every?: true;
  /** Of those, at each with this chance, above 0 and below 1, by a draw from a stream of its own. */
  readonly probability?: number;
}

export type Moment =
  | { readonly kind: "time"; readonly time: number }
  | { readonly kind: "step"; readonly step: number }
  | EventMoment;

/** What a fault or an operation does. Targets are names; `subtask` is the task that holds the named chain member. */
export interface Command {
  readonly do: FaultVerb;
  /** A subtask, `tm-1`, a channel, a vertex, or a transactional id, as the verb asks; `null` where it needs none. */
  readonly target: string | null;
  readonly rpc: Rpc | null;
  readonly checkpoint: number | null;
  readonly count: number;
  /** Milliseconds; `null`: until something ends it. */
  readonly for: number | null;
  readonly part?: SnapshotPart;
  /** How a commit goes wrong. */
  readonly kind?: CommitError;
  /** `storage-down` of `ha`: what is written takes effect, and nobody is told (FI-25). */
  readonly replyLost?: true;
  /** `poison-record`: the record that fails its task; the target is a vertex, `null`: the first that it reaches. */
  readonly record?: string;
  /** `fail-task`: the error is one that no restart can help (FR-031). */
  readonly unrecoverable?: true;
  /** By how much slower. */
  readonly factor?: number;
  /** The two sides of a cut: `tm-1`, `jobmanager`, `kafka`, `storage`. */
  readonly between?: readonly [readonly string[], readonly string[]];
  /** `restore-cut`: by subtask, and `log`: so many of its entries, from now on, are in front of the cut; 0 where it is not named. */
  readonly cut?: { readonly [process: string]: number };
  /** What a new job starts from: `savepoint`, `checkpoint`, `none`, or one snapshot by path or id. */
  readonly from?: string;
  readonly jobId?: "fresh" | "same";
  readonly claimMode?: ClaimMode;
  readonly allowNonRestoredState?: boolean;
  /** `restore`: how the job that still runs is ended first. */
  readonly stop?: "with-savepoint" | "cancel";
  /** What changes, as it is written, and for `rescale` the new parallelism of its `target`. */
  readonly change?: { readonly job?: object; readonly config?: object; readonly flink?: FlinkVersion };
  readonly parallelism?: number;
  /** The new job, with that changed. */
  readonly submission?: Pick<Scenario, "flink" | "job" | "config">;
  /** Which storage is down, or which files are unreadable. */
  readonly what?: "checkpoints" | "ha" | "all" | "exclusive" | "shared";
  /** A topic, one of its partitions, the offset that its records begin at now, the time between two of them. */
  readonly topic?: string;
  readonly partition?: number;
  readonly before?: number;
  readonly every?: number;
  /** What an added partition is given. */
  readonly given?: InputSource;
  /** Of a savepoint: the directory it goes to (default: the configured one), its format, and whether sources are drained first. */
  readonly path?: string;
  readonly formatType?: SavepointFormat;
  readonly drain?: boolean;
}

export interface Fault extends Command {
  readonly at: Moment;
}

/** Rules that a scenario can switch off on purpose, to see them missed. */
export const brokenRules = [
  "commit-at-barrier",
  "no-alignment",
  "source-forgets-offset",
  "late-files-replace",
  "summaries-of-new-subtasks",
] as const;
export type BrokenRule = (typeof brokenRules)[number];

export type Until =
  | { readonly kind: "drained" }
  | { readonly kind: "steps"; readonly steps: number }
  | Exclude<Moment, { kind: "step" }>;

export interface Notice {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/** Options of the log's brokers, in milliseconds. */
export interface Broker {
  readonly transactionMaxTimeout: number;
  readonly cleanupInterval: number;
  /** `transactional.id.expiration.ms`, and how often the coordinator looks. */
  readonly idExpiration: number;
  readonly idCleanupInterval: number;
}

export interface Scenario {
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
  readonly flink: FlinkVersion;
  readonly seed: number;
  readonly job: JobGraph;
  readonly cluster: { readonly taskManagers: number; readonly slots: number };
  /** Every topic the job reads or writes, in the order of the file. */
  readonly topics: readonly Topic[];
  readonly config: Config;
  readonly timing: Timing;
  readonly broker: Broker;
  /** Milliseconds; `null`: drawn from the seed at each start of the scheduler (CP-002). */
  readonly initialDelay: number | null;
  readonly faults: readonly Fault[];
  /**
   * (step, choice): which of the things that may happen next (`engine/choices.ts`) makes this step's entry. Where several
   * are given for a step, all but the last make none. Steps that are not named take what is due first. `null`: all do.
   */
  readonly schedule: readonly (readonly [step: number, choice: number])[] | null;
  readonly broken: readonly BrokenRule[];
  readonly until: Until;
  /** What was accepted but is worth saying: renamed keys, values Flink changes silently. */
  readonly notices: readonly Notice[];
}
