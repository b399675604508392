/**
 * The run report (the contract's section 2): one object, the same from the command line and from the app. Keys are never
 * left out: what does not apply is `null` or empty. Times are whole milliseconds of simulated time.
 */
import type { Reader } from "../protocol/sinks.ts";
import type { Notice } from "./scenario.ts";

/** Best to worst; `pending` stands outside: the run ended before it can be told. */
export const verdictWords = [
  "exactly-once",
  "effectively-once",
  "at-least-once",
  "at-most-once",
  "broken",
  "pending",
] as const;
export type VerdictWord = (typeof verdictWords)[number];

export type Ended = "drained" | "stuck" | "time" | "steps" | "event";

export interface Verdict {
  readonly state: VerdictWord;
  readonly endToEnd: VerdictWord;
}

export interface SubmissionRow {
  readonly at: number;
  readonly from: string | null;
  readonly claimMode: string | null;
  readonly status: string;
  readonly restarts: number;
  readonly failureCause: string | null;
  readonly dropped: readonly string[];
  readonly refused: string | null;
  readonly lost: boolean;
}

export interface RejectedTriggerRow {
  readonly at: number;
  readonly kind: string;
  readonly reason: string;
}

export interface CheckpointSubtaskRow {
  readonly subtask: string;
  /** When the coordinator accepted its acknowledgement; `null`: never. */
  readonly acked: number | null;
  readonly finished: boolean;
  readonly startDelay: number | null;
  readonly alignment: number | null;
  readonly sync: number | null;
  readonly async: number | null;
  readonly unaligned: boolean;
  readonly processed: number;
  readonly persisted: number;
}

export interface CheckpointRow {
  readonly id: number;
  readonly submission: number;
  readonly kind: string;
  readonly status: "IN_PROGRESS" | "COMPLETED" | "FAILED";
  /** Flink's `CheckpointFailureReason`. */
  readonly failure: string | null;
  readonly countsAsFailure: boolean;
  readonly consecutiveFailures: number;
  readonly unaligned: boolean;
  readonly triggered: number;
  readonly ended: number | null;
  /** All state that it refers to (`state_size`, CP-209), and what was written for it alone (`checkpointed_size`, CP-208). */
  readonly stateBytes: number;
  readonly checkpointedBytes: number;
  readonly persistedInFlight: number;
  readonly retained: boolean;
  readonly subtasks: readonly CheckpointSubtaskRow[];
}

/** A file in checkpoint storage. */
export interface FileRow {
  readonly path: string;
  readonly bytes: number;
}

export interface RecoveryRow {
  /** When the JobManager knows. */
  readonly at: number;
  readonly submission: number;
  readonly cause: string;
  readonly granted: boolean;
  readonly delay: number | null;
  readonly restartedAt: number | null;
  readonly runningAt: number | null;
  readonly scope: "region" | "global";
  readonly restarted: readonly string[];
  readonly restoredFrom: number | null;
  /** By input partition: where the source stood, and where it goes on. */
  readonly rewound: { readonly [partition: string]: readonly [number, number] };
  readonly transactionsAborted: readonly string[];
  readonly transactionsCommitted: readonly string[];
}

export interface TransactionRow {
  readonly id: string;
  readonly submission: number;
  readonly sink: string;
  readonly checkpoint: number | null;
  readonly state: "OPEN" | "PRE_COMMITTED" | "COMMITTED" | "ABORTED" | "TIMED_OUT";
  readonly records: number;
  readonly begun: number;
  readonly preCommitted: number | null;
  readonly decided: number | null;
  readonly decidedBy: "notification" | "restore" | "close" | "timeout" | "fence" | null;
  readonly commitAttempts: number;
}

export interface SourceRow {
  readonly partition: string;
  readonly position: number;
  readonly groupOffset: number | null;
  /** What a monitor says the group lags behind the log's end, in offsets, markers included; `null`: it has committed none. */
  readonly lag: number | null;
}

export interface DeliveryRow {
  readonly sink: string;
  readonly reader: Reader;
  readonly expected: number;
  readonly seen: number;
  readonly lost: readonly string[];
  readonly duplicated: readonly string[];
  readonly pending: readonly string[];
  readonly unprocessed: readonly string[];
  readonly differing: readonly string[];
  readonly regressions: number;
  readonly stalls: readonly {
    readonly from: number;
    readonly to: number | null;
    readonly partition: string;
    readonly transaction: string;
  }[];
  readonly lastCompleted: number | null;
  readonly lastPublished: number | null;
}

/** What became of a checkpoint at the global committer of a sink (SK-150). */
export interface GlobalCommitRow {
  readonly sink: string;
  readonly submission: number;
  readonly checkpoint: number;
  /** Committers whose parts it waits for, and those that have passed theirs on. */
  readonly committers: number;
  readonly received: number;
  readonly committables: number;
  /** When it was first committed as a whole; `null`: never. How often: a restore commits again. */
  readonly at: number | null;
  readonly commits: number;
}

/** What another producer wrote to a partition of a sink's topic (the contract's `background`). */
export interface BackgroundRow {
  readonly partition: string;
  readonly written: number;
  /** So many of them a committed reader can have at the end. */
  readonly readable: number;
  /** Milliseconds for which one of them was held back at most, up to the end for what still is. */
  readonly longestDelay: number;
}

export interface StateRow {
  readonly vertex: string;
  readonly lost: readonly string[];
  readonly duplicated: readonly string[];
}

export interface Report {
  readonly format: 1;
  readonly scenario: string;
  readonly ended: Ended;
  readonly steps: number;
  readonly clock: number;
  readonly broken: readonly string[];
  readonly submissions: readonly SubmissionRow[];
  readonly job: { readonly status: string; readonly restarts: number; readonly failureCause: string | null };
  readonly deployment: { readonly [taskManager: string]: readonly string[] };
  readonly rejectedTriggers: readonly RejectedTriggerRow[];
  readonly notices: readonly Notice[];
  readonly checkpoints: readonly CheckpointRow[];
  /** What is in checkpoint storage at the end. */
  readonly files: readonly FileRow[];
  readonly recoveries: readonly RecoveryRow[];
  readonly transactions: readonly TransactionRow[];
  readonly sources: readonly SourceRow[];
  readonly delivery: readonly DeliveryRow[];
  readonly globalCommits: readonly GlobalCommitRow[];
  readonly background: readonly BackgroundRow[];
  readonly state: readonly StateRow[];
  readonly verdict: Verdict;
  readonly invariants: { readonly checked: readonly string[]; readonly violated: readonly string[] };
}
