/**
 * Parts of the engine that not all runs need: what faults and operations do, a job that is submitted anew, a standby that
 * takes over, sinks that are neither Kafka's nor plain, other producers on a sink's topic, the barrier handlers of
 * AT_LEAST_ONCE and of unaligned checkpoints, a schedule that is followed, an entry that is left out, a cut that somebody
 * drew. The page fetches them
 * before such a run (`worker/session.ts`); everyone else has them from the start (`run.ts`, `whole.ts`).
 */
import { assert } from "../base/assert.ts";
import { hasGlobalCommitter } from "../protocol/sinks.ts";
import type { JobVertex } from "../protocol/job-graph.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { AlternatingHandler, BarrierHandler } from "./checkpoint-barrier-handler.ts";
import type { Dispatch, Kernel } from "./kernel.ts";
import type { Simulation } from "./simulation.ts";
import type { Sink } from "./sinks/sink.ts";
import type { World } from "./world.ts";

type Handler = (k: Kernel, a: number, b: number, c: number, d: number) => void;

const lateSinks = {
  "naive-sink": "naive",
  "two-phase-commit-sink": "twoPhaseCommit",
  "file-sink": "file",
  "write-ahead-log-sink": "writeAheadLog",
  "table-sink": "tableWriter",
} as const;

type LateCommitter = "tableCommitter" | "globalCommitter";
export type LateSink = (typeof lateSinks)[keyof typeof lateSinks] | LateCommitter;
/** Operations that are carried out by them. */
export type LateOp =
  | "submitJob"
  | "restoreCut"
  | "faultEffect"
  | "resumeTask"
  | "storageUp"
  | "heal"
  | "askForSavepoint"
  | "savepointEnded"
  | "cancelJob"
  | "databaseCommit"
  | "sendBatch"
  | "sendValues"
  | "sendCommittable"
  | "takeCommittable"
  | "committableDone"
  | "tableCommit"
  | "commitFiles"
  | "dropFiles"
  | "expireTableSnapshots"
  | "trackedAligned"
  | "alignmentTimeout"
  | "abortAlternating"
  | "alternatingAligned"
  | "barriersReceived"
  | "abortTracked"
  | "killJobManager"
  | "leaderLost"
  | "takeOver"
  | "leaderGranted"
  | "startAgain"
  | "writeBackground"
  | "heartbeatTimeout"
  | "leaderTimeout"
  | "clientTimeout"
  | "writeRepeated"
  | "brokerUp"
  | "forwardBatch";

/** What a writer whose transactional ids are pooled does otherwise. */
interface PooledIds {
  storeOwnership(k: Kernel, task: number, operator: number): void;
  pooledName(k: Kernel, task: number, operator: number, offset: number): number;
  freeOffset(k: Kernel, task: number, operator: number, committables: number): number;
  abortListed(k: Kernel, task: number, operator: number, prefixes: readonly number[], aborting: number): void;
}

export interface LateParts {
  /** What operations do, by their names. */
  readonly handlers: { readonly [N in LateOp]: Handler };
  readonly sinks: { readonly [K in LateSink]: Sink };
  readonly pooledIds: PooledIds;
  readonly tracker: BarrierHandler;
  readonly alternating: AlternatingHandler;
  /** A message that is due and cannot arrive, because of a cut of the network, waits. */
  readonly holds: (k: Kernel, op: number, a: number, b: number, c: number, d: number) => boolean;
  /** Leaves the next entry out; `before` gives the fault that acts before it. */
  readonly leaveOut: (k: Kernel, dispatch: Dispatch, before: () => number | undefined) => void;
  /** The scenario's faults that act at the entry; and that one has had its turn before it. */
  readonly matching: (k: Kernel, kind: "before" | "after") => number[];
  readonly serve: (k: Kernel, before: World, fault: number) => void;
  /** A cut that somebody drew: it looks at every entry, and at what comes to the log (`restore-cut.ts`). */
  readonly drawnCut: { readonly watch: (k: Kernel) => void; readonly isBehind: (k: Kernel, task: number) => boolean };
  readonly follow: (simulation: Simulation, scheduled: readonly number[]) => boolean;
}

let parts: LateParts | null = null;

export function lateParts(): LateParts {
  assert(parts !== null, "the parts of the engine that this run needs have been fetched");
  return parts;
}

export function addLateParts(added: LateParts): void {
  parts = added;
}

/** Is all of the engine there? */
export function isWhole(): boolean {
  return parts !== null;
}

function poolsIds(vertex: JobVertex): boolean {
  return vertex.type === "kafka-sink" && vertex.transactionNaming === "pooling";
}

/** Does a run of this scenario need them, as long as nobody makes anything happen? */
export function needsLateParts({ job, faults, topics, config, schedule }: Scenario): boolean {
  return (
    job.vertices.some((vertex) => vertex.type in lateSinks || hasGlobalCommitter(vertex) || poolsIds(vertex)) ||
    faults.length > 0 ||
    topics.some(({ background }) => background !== null) ||
    config.checkpointing.mode === "AT_LEAST_ONCE" ||
    config.checkpointing.unaligned ||
    schedule !== null
  );
}
