/**
 * How each state of each protocol machine looks: a tone (the hue, resolved by the theme), an icon, and the key of its
 * word. The word itself is text and comes from outside. A state that is missing here does not compile.
 */
import type { MachineTable, StateOf } from "../../protocol/machine.ts";
import type { barrierHandler } from "../../protocol/machines/barrier-handler.ts";
import type { checkpoint } from "../../protocol/machines/checkpoint.ts";
import type { executionState } from "../../protocol/machines/execution-state.ts";
import type { jobStatus } from "../../protocol/machines/job-status.ts";
import type { subtaskSnapshot } from "../../protocol/machines/subtask-snapshot.ts";
import type { transaction } from "../../protocol/machines/transaction.ts";

/** Names of hues; `theme.ts` holds a fill and an edge for each, light and dark. */
export const tones = [
  "created",
  "scheduled",
  "deploying",
  "initializing",
  "running",
  "finished",
  "canceling",
  "canceled",
  "failed",
  "pending",
  "completed",
  "muted",
  "open",
  "prepared",
  "committed",
  "aborted",
  "timedOut",
] as const;
export type Tone = (typeof tones)[number];

export interface Look<State extends string = string> {
  /** The state as the log spells it: its label where the word is Flink's own, and the key of its translation. */
  readonly label: State;
  readonly tone: Tone;
  readonly icon: string;
}

export type Presentation<M extends MachineTable> = { readonly [S in StateOf<M>]: Look<S> };

function look<S extends string>(label: S, tone: Tone, icon: string): Look<S> {
  return { label, tone, icon };
}

export const taskLooks: Presentation<typeof executionState> = {
  CREATED: look("CREATED", "created", "○"),
  SCHEDULED: look("SCHEDULED", "scheduled", "◷"),
  DEPLOYING: look("DEPLOYING", "deploying", "⇣"),
  INITIALIZING: look("INITIALIZING", "initializing", "⟲"),
  RUNNING: look("RUNNING", "running", "●"),
  FINISHED: look("FINISHED", "finished", "✓"),
  CANCELING: look("CANCELING", "canceling", "⊘"),
  CANCELED: look("CANCELED", "canceled", "⊘"),
  FAILED: look("FAILED", "failed", "✖"),
};

export const jobLooks: Presentation<typeof jobStatus> = {
  INITIALIZING: look("INITIALIZING", "initializing", "⟲"),
  CREATED: look("CREATED", "created", "○"),
  RUNNING: look("RUNNING", "running", "●"),
  RESTARTING: look("RESTARTING", "deploying", "↻"),
  FAILING: look("FAILING", "failed", "✖"),
  CANCELLING: look("CANCELLING", "canceling", "⊘"),
  FINISHED: look("FINISHED", "finished", "✓"),
  CANCELED: look("CANCELED", "canceled", "⊘"),
  FAILED: look("FAILED", "failed", "✖"),
  SUSPENDED: look("SUSPENDED", "failed", "⏸"),
};

export const checkpointLooks: Presentation<typeof checkpoint> = {
  PENDING: look("PENDING", "pending", "◔"),
  FINALIZING: look("FINALIZING", "pending", "◕"),
  COMPLETED: look("COMPLETED", "completed", "✓"),
  ABORTED: look("ABORTED", "failed", "✖"),
  SUBSUMED: look("SUBSUMED", "muted", "✓"),
};

export const transactionLooks: Presentation<typeof transaction> = {
  NONE: look("NONE", "muted", ""),
  OPEN: look("OPEN", "open", "○"),
  PRE_COMMITTED: look("PRE_COMMITTED", "prepared", "P"),
  COMMITTED: look("COMMITTED", "committed", "✓"),
  ABORTED: look("ABORTED", "aborted", "✗"),
  TIMED_OUT: look("TIMED_OUT", "timedOut", "◷"),
  RECYCLED: look("RECYCLED", "muted", "↺"),
  PREPARE_COMMIT: look("PREPARE_COMMIT", "prepared", "◑"),
  PREPARE_ABORT: look("PREPARE_ABORT", "aborted", "◐"),
};

export const handlerLooks: Presentation<typeof barrierHandler> = {
  WAITING: look("WAITING", "muted", ""),
  COLLECTING: look("COLLECTING", "pending", "⚑"),
  WAITING_UNALIGNED: look("WAITING_UNALIGNED", "muted", ""),
  COLLECTING_UNALIGNED: look("COLLECTING_UNALIGNED", "pending", "⚑"),
};

export const snapshotLooks: Presentation<typeof subtaskSnapshot> = {
  NONE: look("NONE", "muted", ""),
  RUNNING: look("RUNNING", "pending", "◔"),
  COMPLETED: look("COMPLETED", "pending", "◕"),
  ACKNOWLEDGED: look("ACKNOWLEDGED", "completed", "✓"),
  DISCARDED: look("DISCARDED", "failed", "✖"),
};
