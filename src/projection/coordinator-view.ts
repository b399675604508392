/** The checkpoint coordinator as the log shows it: a value. */
import type { CheckpointFailureReason } from "../protocol/reasons.ts";

export interface CoordinatorView {
  /** Ids, oldest first: pending ones, and those that the completed store holds (CP-130). */
  readonly pending: readonly number[];
  readonly completed: readonly number[];
  /** The checkpoint that a recovery would use now, the newest completed one; `-1`: none (FR-082). */
  readonly restoreCandidate: number;
  /** Checkpoint failures in a row that count (CP-152). */
  readonly failures: number;
  /** Requests that were dropped, and why the last one was (CP-009). */
  readonly rejected: number;
  readonly lastRejection: CheckpointFailureReason | null;
  /** Triggers that failed before there was a pending checkpoint: Flink counts them (CP-214), a dropped request it does not. */
  readonly failedTriggers: number;
  /** How often a checkpoint was restored, each restart once, and the last time. */
  readonly restores: number;
  readonly lastRestore: { readonly checkpoint: number; readonly at: number } | null;
  /** Requests that wait because as many are pending as may be (CP-009). */
  readonly queued: number;
  /** Since when the periodic trigger runs: from every task RUNNING on (CP-004); `-1`: it does not. */
  readonly schedulerSince: number;
  /** When it fires next; `-1`: that cannot be told, since the first delay is drawn (CP-003). */
  readonly nextFire: number;
  /** A stop or a cancel with a savepoint has been asked for: nothing is triggered by itself (CP-164). */
  readonly stopped: boolean;
  /** When the newest checkpoint completed: the minimum pause begins here (CP-010); `-1`: none has. */
  readonly lastCompletion: number;
  /** So many checkpoints are from before the JobManager of today: its statistics do not know them (CP-214). */
  readonly forgotten: number;
}

/** What a JobManager has in memory when it begins. */
export const noMemory = {
  pending: [],
  failures: 0,
  rejected: 0,
  lastRejection: null,
  failedTriggers: 0,
  restores: 0,
  lastRestore: null,
  queued: 0,
  schedulerSince: -1,
  nextFire: -1,
  stopped: false,
  lastCompletion: -1,
} as const satisfies Partial<CoordinatorView>;
