/**
 * Parts of the engine that few runs need: a job that is submitted anew, sinks that are neither Kafka's nor plain, other
 * producers on a sink's topic, the barrier handler of AT_LEAST_ONCE, a schedule that is followed. The page fetches them
 * before such a run (`worker/session.ts`); everyone else has them from the start (`run.ts`, `whole.ts`).
 */
import { assert } from "../base/assert.ts";
import { hasGlobalCommitter } from "../protocol/sinks.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import type { BarrierHandler } from "./checkpoint-barrier-handler.ts";
import type { Kernel } from "./kernel.ts";
import type { Simulation } from "./simulation.ts";
import type { Sink } from "./sinks/sink.ts";

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
type LateOp =
  | "submitJob"
  | "databaseCommit"
  | "sendBatch"
  | "sendValues"
  | "sendCommittable"
  | "takeCommittable"
  | "committableDone"
  | "tableCommit"
  | "commitFiles"
  | "dropFiles"
  | "trackedAligned"
  | "abortTracked"
  | "writeBackground"
  | "forwardBatch";

export interface LateParts {
  /** What operations do, by their names. */
  readonly handlers: { readonly [N in LateOp]: Handler };
  readonly sinks: { readonly [K in LateSink]: Sink };
  readonly tracker: BarrierHandler;
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

/** Does an operation submit a job anew? */
export function submits({ do: verb }: Pick<Command, "do">): boolean {
  return verb === "restore" || verb === "rescale";
}

/** Does a run of this scenario need them? */
export function needsLateParts({ job, faults, topics, config, schedule }: Scenario): boolean {
  return (
    job.vertices.some((vertex) => vertex.type in lateSinks || hasGlobalCommitter(vertex)) ||
    faults.some(submits) ||
    topics.some(({ background }) => background !== null) ||
    config.checkpointing.mode === "AT_LEAST_ONCE" ||
    schedule !== null
  );
}
