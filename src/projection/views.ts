/**
 * Everything that is shown at one cursor: what the entries of the log before it have made of a run. Plain data, folded
 * forward in place by `applyEntry`; read it, never write it. Numbers are the log's: an element's place in the execution
 * graph, a record's number, a checkpoint's id; times are milliseconds of simulated time; `-1` stands for none.
 *
 * Copies share what has not changed since: a node whose `owner` is not its view's is copied before it is written. So a
 * kept view is small, and nodes of a view that plays on must not be kept from one step to the next.
 */
import type { StateOf } from "../protocol/machine.ts";
import type { barrierHandler } from "../protocol/machines/barrier-handler.ts";
import type { checkpoint } from "../protocol/machines/checkpoint.ts";
import type { executionState } from "../protocol/machines/execution-state.ts";
import type { jobStatus } from "../protocol/machines/job-status.ts";
import type { subtaskSnapshot } from "../protocol/machines/subtask-snapshot.ts";
import type { transaction } from "../protocol/machines/transaction.ts";
import type {
  CheckpointFailureReason,
  Decider,
  Ending,
  FailureCause,
  FaultVerb,
  SavepointFormat,
  checkpointKinds,
  commitAnswers,
  failoverScopes,
} from "../protocol/reasons.ts";
import type { CoordinatorView } from "./coordinator-view.ts";
import type { ElementView, InFlightView } from "./element-view.ts";
import type { LoadView } from "./load-view.ts";
import type { RestartMemory } from "./restart-budget.ts";
import type { Shared } from "./shared.ts";
import type { MessageView } from "./message-view.ts";
import type { OutputView } from "./output-view.ts";
import type { SinkView } from "./sink-view.ts";

export type ExecutionState = StateOf<typeof executionState>;
export type JobStatus = StateOf<typeof jobStatus>;
export type CheckpointState = StateOf<typeof checkpoint>;
export type BarrierHandlerState = StateOf<typeof barrierHandler>;
export type SnapshotState = StateOf<typeof subtaskSnapshot>;
export type TransactionState = StateOf<typeof transaction>;

/** A run at one cursor. */
export interface RunView {
  /** The last entry that has happened; `-1`: none has. */
  step: number;
  /** When it happened; 0 before the first. */
  clock: number;
  job: JobView;
  coordinator: CoordinatorView;
  /** By subtask, channel, TaskManager and output partition, as in the execution graph. */
  subtasks: SubtaskView[];
  channels: ChannelView[];
  taskManagers: TaskManagerView[];
  outputs: OutputView[];
  /** One for each input partition and source operator that reads it; `Shared.inputsOf` finds a subtask's. */
  inputs: InputView[];
  inputLog: InputLogView;
  /** In the order of their ids, which may have gaps (CP-018). */
  checkpoints: CheckpointView[];
  /** In the order in which they were begun; the place is what `transaction` means in every view. */
  transactions: TransactionView[];
  /** Places in `transactions` of those that are not decided. */
  undecided: readonly number[];
  /** Messages on the wire, those that are lost too, by arrival. */
  messages: readonly MessageView[];
  faults: readonly FaultView[];
  /** Subtasks with a stall that ends by itself. */
  stalls: readonly number[];
  /** A record between two operators of a chain, or between an operator and its channels; none at most cursors. */
  passing: PassingView | null;
  /** The jobs that were submitted before this one, in order: what their views shared, and their checkpoints. */
  past: readonly PastJob[];
  /** What all views of one branch share: the graph, the cells of outputs, where records came from. */
  readonly shared: Shared;
  /** Records that stateful operators have applied so far: the number of the next node of `Shared.applied`. */
  applied: number;
  /** Who may write in place. Bookkeeping of copies. */
  owner: number;
}

export interface PastJob {
  readonly shared: Shared;
  readonly checkpoints: readonly CheckpointView[];
}

export interface JobView {
  readonly status: JobStatus;
  /** When it came to be in this status. */
  readonly since: number;
  /** Restarts that were granted so far (FR-080). */
  readonly restarts: number;
  /** Restarts under way, oldest first: from being granted until all their subtasks run again. Mostly none or one. */
  readonly restarting: readonly RestartView[];
  /** Subtasks that a failure makes restart, from its being known until the restart is granted (FR-042). */
  readonly failing: readonly number[];
  /** What the restart strategy remembers. */
  readonly memory: RestartMemory;
  /** Which JobManager is in the lead, counted from 1; and is it there? */
  readonly leader: number;
  readonly led: boolean;
}

export interface RestartView {
  /** Step and clock at which it was granted. */
  readonly step: number;
  readonly scheduledAt: number;
  /** Milliseconds from then to the new attempts. */
  readonly delay: number;
  /** Failures that the strategy has counted. */
  readonly failures: number;
  readonly scope: (typeof failoverScopes)[number];
  readonly failure: FailureCause | null;
  /** A subtask that a later restart takes over is in that one only (FR-047). */
  readonly restarted: readonly number[];
  /** The checkpoint that the new attempts were given; `-1`: none, or not yet (FR-082). */
  readonly restored: number;
}

export interface SubtaskView {
  /** `-1` before the first attempt. */
  attempt: number;
  state: ExecutionState;
  /** When it came to be in this state. */
  since: number;
  /** Where it runs, or ran last. */
  taskManager: number;
  /** Its thread on the TaskManager: not there yet, there, closing, ended. The JobManager learns of an end only later. */
  thread: "none" | "running" | "closing" | "ended";
  ending: Ending | null;
  /** What the JobManager was told when this attempt failed. */
  failure: FailureCause | null;
  /** A fault keeps the thread from doing anything; `until` is `-1` where only another one ends it. */
  stalled: { readonly since: number; readonly until: number } | null;
  handler: HandlerView;
  work: WorkView | null;
  /** The checkpoint that this attempt began from; `-1`: none. */
  restored: number;
  /** It had finished in that checkpoint: it runs no operator and ends again (CP-196). */
  finishedOnRestore: boolean;
  /** Its state now. */
  held: StateView;
  /** The state that failures took from it, and that replay has to reach again (`ghosts.ts`); `null`: it never lost any. */
  lost: StateView | null;
  /** Writers of the chain's sinks, in the order of the chain. */
  sinks: SinkView[];
  load: LoadView;
  owner: number;
}

/** The barrier handler (CP-040 to CP-048). */
export interface HandlerView {
  readonly state: BarrierHandlerState;
  /** The checkpoint whose barriers it collects, or collected last; `-1`: none. */
  readonly checkpoint: number;
  /** Channels that have delivered its barrier. */
  readonly aligned: readonly number[];
  /** When the first of them came in. */
  readonly since: number;
}

/**
 * What a thread has in hand. `until` is when it will be done by the model's durations, `-1` where that cannot be told.
 * That a commit is answered is no entry of its own: one whose `until` has passed is over.
 */
export type WorkView =
  | {
      readonly kind: "record";
      readonly record: number;
      readonly value: number;
      readonly channel: number;
      readonly pass: number;
      /** As it was in the channel; `null`: the log does not say. */
      readonly element: ElementView | null;
      readonly since: number;
      readonly until: number;
    }
  | { readonly kind: "snapshot"; readonly checkpoint: number; readonly since: number; readonly until: number }
  | { readonly kind: "commit"; readonly transaction: number; readonly since: number; readonly until: number };

/** All that a snapshot of a subtask holds. A snapshot and the subtask share it until the subtask changes it. */
export interface StateView {
  /** Next offset of each of its splits, in the order of `Shared.splits`. */
  positions: number[];
  /** Stateful operators of the chain, in the order of `Shared.stateful`. */
  operators: OperatorStateView[];
  /** By sink of the chain: pre-committed transactions that are not finally handled (SK-143). */
  committables: (readonly number[])[];
  /** By sink of the chain: what a write-ahead log holds; empty for the others (SK-170). */
  logged: (readonly LoggedView[])[];
  owner: number;
}

/** Records that a write-ahead log keeps for a checkpoint; `checkpoint` `-1`: the open stream. A value. */
export interface LoggedView {
  readonly checkpoint: number;
  readonly records: readonly number[];
}

export interface OperatorStateView {
  readonly operator: number;
  /** By key: the key's value and how many records are in it. A counter has one place, 0. */
  values: Int32Array;
  counts: Int32Array;
  /** The newest record that is in it, as a node of `Shared.applied`, which has the others; `-1`: none. */
  newest: number;
}

export interface ChannelView {
  /** What is in it, the next to be taken first. Elements are values: they never change. */
  queue: ElementView[];
  /** Records among them: each takes a buffer (`Edge.capacity` has how many there are). */
  fill: number;
  /** The checkpoint for whose other barriers its reader waits; `-1`: it is open (CP-042). */
  blocked: number;
  blockedSince: number;
  /** The checkpoint that takes in what its reader takes from it; `-1`: none does (CP-079). */
  persisting: number;
  /** Of a blocking exchange: all that its producer has left, which each attempt of its reader begins with; `null`: not all is there. */
  result: readonly ElementView[] | null;
  owner: number;
}

export interface TaskManagerView {
  /** Is the process there? */
  readonly alive: boolean;
  /** Does the JobManager count on it? */
  readonly registered: boolean;
  /** Subtasks whose attempts are on it. */
  readonly subtasks: readonly number[];
}

export interface CheckpointView {
  readonly id: number;
  readonly kind: (typeof checkpointKinds)[number];
  state: CheckpointState;
  triggeredAt: number;
  /** Step of its trigger. */
  readonly step: number;
  latestAckAt: number;
  metadataAt: number;
  /** Completed or aborted. */
  endedAt: number;
  subsumedAt: number;
  /** Subtasks that have acknowledged, of all (`parts.length`). */
  acknowledged: number;
  /** Operator coordinators that have; tasks are triggered behind the last one. */
  coordinators: number;
  /** Bytes that were written for it, and of all that it refers to. */
  bytes: number;
  fullBytes: number;
  reason: CheckpointFailureReason | null;
  /** The failure counts against the tolerable number (CP-152), and how many in a row do then; `-1`: it did not fail. */
  counts: boolean;
  failures: number;
  /** Subtasks that have been told of its end. */
  notified: number;
  /** Attempts that were given its state. */
  restores: number;
  /** By subtask; `null`: nothing has happened there yet. */
  parts: (SnapshotView | null)[];
  /** Of a savepoint, once its directory is there: its format and its path (CP-161, CP-162). */
  savepoint: { readonly format: SavepointFormat; readonly path: string } | null;
  owner: number;
}

/** One subtask's part of one checkpoint: a value. Times are `-1` until they are known. */
export interface SnapshotView {
  readonly state: SnapshotState;
  readonly attempt: number;
  /** When the first barrier came in, the last one, and durations as Flink shows them. */
  readonly firstBarrierAt: number;
  readonly alignedAt: number;
  readonly alignment: number;
  readonly startDelay: number;
  readonly sync: number;
  readonly async: number;
  /** When the synchronous part began; barriers leave then. */
  readonly startedAt: number;
  readonly takenAt: number;
  readonly persistedAt: number;
  readonly acknowledgedAt: number;
  readonly notifiedAt: number;
  /** Bytes that were written for it (CP-208), and those of files of earlier checkpoints that it refers to (CP-209). */
  readonly bytes: number;
  readonly reused: number;
  /** Bytes of records that its subtask took while it aligned (CP-204). */
  readonly processed: number;
  /** Bytes of channel state, once they are stored (CP-205). */
  readonly persisted: number;
  /** The subtask had finished, or runs only to end again (CP-190, CP-196). */
  readonly finished: boolean;
  /** Why it takes no part. */
  readonly declined: CheckpointFailureReason | null;
  /** The acknowledgement came to nothing. */
  readonly refused: boolean;
  /** What it holds; `null` before the snapshot is taken and once it is of no use to anyone. */
  readonly contents: StateView | null;
  /** When its aligned checkpoint turned unaligned here, by a timeout or by an unaligned barrier; `-1`: it did not. */
  readonly convertedAt: number;
  /** Its options were unaligned; and its channel state, in the order of each channel and side. */
  readonly unaligned: boolean;
  readonly inFlight: readonly InFlightView[];
}

/** One transaction: a transactional id with the epoch of its producer. */
export interface TransactionView {
  /** The transactional id's number (`transactionName` has its name) and the producer's epoch. */
  readonly number: number;
  readonly epoch: number;
  readonly subtask: number;
  /** The sink operator. */
  readonly operator: number;
  state: TransactionState;
  /** The checkpoint whose completion commits it. */
  checkpoint: number;
  records: number;
  readonly begunAt: number;
  /** When its first record reached the log: the log's timeout runs from here (KF-013). */
  firstWriteAt: number;
  preCommittedAt: number;
  commitRequestedAt: number;
  decidedAt: number;
  decidedBy: Decider | null;
  /** The log's answer to the last commit that it refused. */
  refused: (typeof commitAnswers)[number] | null;
  /** Output partitions it has written to. */
  partitions: readonly number[];
  /** Where a part file was cut back, and to how many records. */
  truncated: readonly { readonly offset: number; readonly length: number }[];
  /** How often a table lists it beyond the first time. */
  listedAgain: number;
  /** How often a commit was asked for. */
  commitRequests: number;
  /** Step of its begin. */
  readonly step: number;
  owner: number;
}

/** What faults have made of the topics that sources read (`input-log.ts`). A value. */
export interface InputLogView {
  /** From record `from` on, which is there at `time`, one comes every so many milliseconds; the last one counts. */
  readonly rates: readonly {
    readonly partition: number;
    readonly from: number;
    readonly time: number;
    readonly every: number;
  }[];
  /** Input partitions that no fault has added yet. */
  readonly missing: readonly number[];
  /** By input partition: the first offset that retention has left. */
  readonly starts: readonly number[];
}

/** One partition that a source operator reads. */
export interface InputView {
  readonly partition: number;
  readonly operator: number;
  readonly subtask: number;
  /** Its place among the subtask's splits. */
  readonly split: number;
  /** The next offset that the source will read. */
  position: number;
  /** Behind the last offset that was ever read. */
  furthest: number;
  /** The first offset that a source was to read, without a state to say so; `-1`: none was yet. */
  begin: number;
  /** What the newest completed checkpoint holds: a restore continues here. */
  checkpointed: number;
  /** The consumer group's offset, for monitoring only (SK-008). */
  groupOffset: number;
  /** Where the barriers of checkpoints that still matter cut it: records below `position` are before the barrier. */
  cuts: readonly { readonly checkpoint: number; readonly position: number }[];
  /** Where this pass began, and what earlier ones read: `from` up to `to`, without it. */
  passFrom: number;
  passes: readonly { readonly from: number; readonly to: number }[];
}

export interface FaultView {
  readonly step: number;
  readonly clock: number;
  readonly do: FaultVerb;
  readonly subtask: number;
  readonly taskManager: number;
  /** Its place among the session's commands. */
  readonly fault: number;
}

export interface PassingView {
  readonly subtask: number;
  readonly record: number;
  readonly pass: number;
}
