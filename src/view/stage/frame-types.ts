/**
 * Everything to draw at one instant, as plain data. A scene changes with the step; what moves inside it is a table of
 * tokens whose places are a function of simulated time.
 */
import type { BackpressureLevel, LoadShares } from "../../projection/backpressure.ts";
import type { Capture } from "../../projection/channel-contents.ts";
import type { NextTrigger } from "../../projection/next-trigger.ts";
import type { TransactionClock } from "../../projection/transaction-timeout.ts";
import type { RunView, TransactionView } from "../../projection/views.ts";
import type { RestartBudget } from "../../projection/restart-budget.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { ShipStrategy } from "../../protocol/job-graph.ts";
import type { InputFrame, OutputFrame, StoreEntry } from "./frame-types-outside.ts";
import type { CheckpointState, JobState, TaskState, TransactionState } from "../machines/actors.ts";
import type { Look, Tone } from "../machines/presentations.ts";
import type { Density } from "./density.ts";
import type { StageLayout } from "./layout-types.ts";
import type { Path } from "./path.ts";
import type { Routes } from "./routes.ts";

/** A key by its number: the first four have shapes, the others letters. */
export type KeyNumber = number;

export interface StateEntry {
  readonly key: KeyNumber;
  readonly name: string;
  readonly value: number;
}

/** How far a subtask is with its part of the checkpoint that is watched. */
export type RingPhase = "expected" | "aligning" | "sync" | "async" | "written" | "acknowledged" | "discarded";

export interface Ring {
  readonly checkpoint: number;
  readonly phase: RingPhase;
  /** Barriers that have come, of those expected. */
  readonly arrived: number;
  readonly expected: number;
  /** When the phase began and, if it can be told, when it ends: simulated time. */
  readonly from: number;
  readonly to: number;
}

/** How a subtask takes part in a checkpoint: waiting for all barriers, not waiting, or not waiting any more. */
export type Alignment = "aligned" | "unaligned" | "converted";

/** How far a thread is held back, and by whom; its shares, which change with every step, are `Scene.loads`. */
export interface LoadFrame {
  readonly level: BackpressureLevel;
  /** Names of the subtasks that wait for it: it is the cause. Names of those that it waits for. */
  readonly holds: readonly string[];
  readonly heldBy: readonly string[];
}

export interface TransactionFrame {
  readonly id: number;
  readonly name: string;
  readonly look: Look<TransactionState>;
  readonly records: number;
  readonly checkpoint: number;
  /** The log's timeout, while it runs: simulated time. */
  readonly clock: TransactionClock | null;
}

/** A number of a subtask's state. */
export interface GhostValue {
  /** A key; `-1` for a counter and a source's position. */
  readonly key: KeyNumber;
  readonly name: string;
  /** What it is; `null`: nothing is there. */
  readonly now: number | null;
  /** What a failure took; `null`: it is as far again. */
  readonly before: number | null;
}

/** All numbers of a subtask's state, in the order of its keys or splits. */
export interface GhostFrame {
  readonly values: readonly GhostValue[];
  readonly kind: "keys" | "counter" | "positions";
  /** While it is restored they roll back: simulated time. */
  readonly rolls: { readonly from: number; readonly to: number } | null;
}

export interface SubtaskFrame {
  readonly id: number;
  readonly name: string;
  readonly vertexName: string;
  readonly number: number;
  readonly parallelism: number;
  readonly look: Look<TaskState>;
  readonly attempt: number;
  readonly taskManager: string | null;
  readonly ring: Ring | null;
  /** While that checkpoint is under way here. */
  readonly alignment: Alignment | null;
  readonly load: LoadFrame | null;
  /** Keyed state, in the order of the keys. */
  readonly state: readonly StateEntry[];
  /** Operator state of a counter. */
  readonly counter: number | null;
  /** Where a source goes on reading. */
  readonly positions: readonly { readonly input: number; readonly name: string; readonly next: number }[];
  readonly transactions: readonly TransactionFrame[];
  /** State that failures took, until it is there again. */
  readonly ghost: GhostFrame | null;
  /** Pieces of the snapshot that its job was started from, until it runs. */
  readonly given: readonly string[];
  /** Its region among several, counted from 1; `null`: the job is one. */
  readonly region: number | null;
  /** It is of a restart set. */
  readonly restarts: boolean;
  /** Why its last attempt ended, while it has not come back. */
  readonly failure: string | null;
  /** Its thread has died; the JobManager may not know yet. */
  readonly dead: boolean;
  readonly stalled: boolean;
  /** The record it works on. */
  readonly working: number | null;
  /** Inputs that it does not read now. */
  readonly blockedInputs: number;
  readonly inputs: number;
}

export interface ChannelFrame {
  readonly id: number;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The checkpoint for whose other barriers the receiver waits. */
  readonly blocked: number | null;
  readonly stalled: boolean;
  /** Buffers in use, those on the wire included, of `capacity`. */
  readonly queued: number;
  /** Of what is in it, how much has arrived. */
  readonly waiting: number;
  readonly capacity: number;
  /** Its ends are there to send and to receive. */
  readonly open: boolean;
}

/** Of a checkpoint's barriers: channels that have delivered theirs, of all. */
export interface BarrierCount {
  readonly checkpoint: number;
  readonly savepoint: boolean;
  readonly arrived: number;
  readonly of: number;
}

export interface EdgeFrame {
  readonly id: number;
  readonly ship: ShipStrategy;
  readonly bundled: boolean;
  readonly channels: number;
  /** Sums over a bundle. */
  readonly queued: number;
  readonly blocked: number;
  /** While barriers of the oldest pending checkpoint are on a bundle: not before the first, nor behind the last. */
  readonly barriers: BarrierCount | null;
}

/** Why a subtask is told apart from the other cells of its vertex. */
export type Standing = "selected" | "failed" | "stalled" | "behind" | "unacknowledged" | "locked" | "slow";

export interface PulledOut {
  readonly subtask: number;
  readonly why: Standing;
}

export interface StateCount {
  readonly look: Look<TaskState>;
  readonly count: number;
}

/** What a vertex says of its subtasks where they are cells. */
export interface SummaryFrame {
  readonly id: number;
  readonly states: readonly StateCount[];
  /** Of the oldest pending checkpoint. */
  readonly acknowledged: { readonly checkpoint: number; readonly count: number; readonly of: number } | null;
  /** Subtasks by how full their inputs are and by how far their alignment is, in eighths; `null`: nothing to tell. */
  readonly fill: readonly number[] | null;
  readonly alignment: readonly number[] | null;
  /** The gravest first. */
  readonly exceptions: readonly PulledOut[];
}

export interface VertexFrame {
  readonly id: number;
  readonly name: string;
  readonly parallelism: number;
  readonly running: number;
  readonly density: Density;
  /** Shares of the subtask that is worst off, in steps that an eye can tell apart. */
  readonly tint: LoadShares | null;
}

/** How a thread spends its time; `null`: it has not run. */
export interface SubtaskLoadFrame {
  readonly id: number;
  readonly shares: LoadShares | null;
}

/** Of a vertex's subtasks the largest share of each, and the level. */
export interface VertexLoadFrame {
  readonly id: number;
  readonly busy: number;
  readonly backpressured: number;
  readonly level: BackpressureLevel;
  readonly cause: boolean;
}

export interface CheckpointFrame {
  readonly id: number;
  readonly look: Look<CheckpointState>;
  readonly savepoint: boolean;
  readonly acknowledged: number;
  readonly expected: number;
  /** By subtask, where they are few enough to be shown one by one. */
  readonly acknowledgements: readonly boolean[];
  readonly durable: boolean;
  /** The checkpoint a recovery would use now. */
  readonly restoreCandidate: boolean;
  /** A savepoint that no job has claimed is a person's to delete (CP-160). */
  readonly owner: "flink" | "user";
  readonly reason: string | null;
  /** The failure counts against the tolerable number. */
  readonly counts: boolean;
}

export interface Countdown {
  /** Simulated time at which the restart begins, and when it was decided. */
  readonly from: number;
  readonly to: number;
  readonly failures: number;
}

export interface JobManagerFrame {
  readonly id: 0;
  readonly look: Look<JobState>;
  readonly restart: Countdown | null;
  readonly failures: number;
  readonly tolerable: number;
  /** What the restart strategy has left. */
  readonly budget: RestartBudget;
  /** Which one it is, counted from 1, whether it is there, and whether another could take over. */
  readonly leader: { readonly number: number; readonly present: boolean; readonly standby: boolean };
  /** Its fencing token, as Flink prints it. */
  readonly token: string | null;
  /** When the next one begins, or why it does not. */
  readonly next: NextTrigger;
  /** Pending ones, newest first, then the last that failed, until a later one ends. */
  readonly current: readonly CheckpointFrame[];
  /** Completed and retained, oldest first. */
  readonly completed: readonly CheckpointFrame[];
}

export interface StorageFrame {
  readonly id: 0;
  /** What lies in it, newest first. */
  readonly checkpoints: readonly CheckpointFrame[];
  /** Of the jobs before this one, newest first. */
  readonly earlier: readonly EarlierFrame[];
}

/** A snapshot that an earlier job of the run has left. */
export interface EarlierFrame {
  readonly checkpoint: number;
  readonly savepoint: boolean;
  /** Which job took it, counted from 1; and whose it is: its user's, or a job's JobManager's. */
  readonly job: number;
  readonly owner: "user" | number;
}

export interface TaskManagerFrame {
  readonly id: number;
  readonly name: string;
  /** Its process is gone. */
  readonly lost: boolean;
  /** The JobManager counts on it. */
  readonly registered: boolean;
  readonly stalled: boolean;
  readonly subtasks: readonly number[];
  /** By slot the states of the subtasks in it, as tones; a free slot has none. */
  readonly slots: readonly (readonly Tone[])[];
}

/** What fails together: a pipelined region, by its first subtask. */
export interface RegionFrame {
  readonly id: number;
  readonly number: number;
  readonly subtasks: readonly number[];
  /** It is to restart: from the failure's being known until all of it runs again. */
  readonly restarts: boolean;
}

/** The letter of a barrier that belongs to a savepoint. */
export const SAVEPOINT = "S";

/** Something on its way; before departure and after arrival it is not drawn, unless it waits. */
export interface Token {
  readonly kind: "record" | "barrier" | "cancelMarker" | "end" | "envelope" | "file" | "state";
  readonly path: Path;
  /** Distances on the path at departure and at arrival. */
  readonly from: number;
  readonly to: number;
  readonly departure: number;
  readonly arrival: number;
  /** It stays at its end until something takes it. */
  readonly waits: boolean;
  /** The key of a record, the checkpoint of everything else. */
  readonly mark: number;
  readonly letter: string;
  /** How many times a record has been sent, this time with it: after a recovery more than once. 1 for everything else. */
  readonly pass: number;
  /** It will not arrive: from this distance on it falls off its way. `null`: it arrives. */
  readonly falls: number | null;
  readonly captured: Capture | null;
  /** A record that a checkpoint's channel state brought back, until it is processed. */
  readonly restored: boolean;
  /** A barrier that need not wait for what is before it. */
  readonly overtakes: boolean;
}

export interface Scene {
  readonly graph: ExecutionGraph;
  readonly layout: StageLayout;
  readonly step: number;
  readonly vertices: readonly VertexFrame[];
  readonly subtasks: readonly SubtaskFrame[];
  readonly loads: readonly SubtaskLoadFrame[];
  readonly vertexLoads: readonly VertexLoadFrame[];
  /** Of the vertices whose subtasks are cells. */
  readonly summaries: readonly SummaryFrame[];
  readonly channels: readonly ChannelFrame[];
  readonly edges: readonly EdgeFrame[];
  readonly jobManager: JobManagerFrame;
  readonly storage: StorageFrame;
  readonly inputs: readonly InputFrame[];
  readonly outputs: readonly OutputFrame[];
  readonly taskManagers: readonly TaskManagerFrame[];
  readonly regions: readonly RegionFrame[];
  readonly tokens: readonly Token[];
}

/**
 * What no first picture has, and is told once its code is there (`frame-later.ts`): state that a job was started with, state
 * that failures took.
 */
export interface Later {
  readonly entriesOf: (
    view: RunView,
    output: number,
    rows: () => ReadonlyMap<number, readonly number[]>,
    stateOf: (place: number) => TransactionState,
  ) => StoreEntry[];
  readonly earlierOf: (view: RunView) => readonly EarlierFrame[];
  readonly tokenOf: (view: RunView) => string | null;
  readonly ghostOf: (view: RunView, subtask: number) => GhostFrame | null;
  readonly givenTo: (view: RunView, subtask: number) => readonly string[];
  readonly clockOf: (view: RunView, transaction: TransactionView, state: TransactionState) => TransactionClock | null;
  /** A way that whoever takes it falls off, and the distance from which on it falls. */
  readonly fallOff: (path: Path) => { readonly path: Path; readonly falls: number };
  readonly restoreTokens: (
    view: RunView,
    layout: StageLayout,
    storage: readonly CheckpointFrame[],
    routes: Routes,
  ) => Token[];
}

export interface Frame {
  readonly scene: Scene;
  /** Simulated time, with fractions. */
  readonly clock: number;
}
