/**
 * A run's checkpoints at a cursor as Flink's statistics tell them (`CheckpointStatsTracker`, `CheckpointStatsHistory`,
 * `CompletedCheckpointStatsSummary`, `TaskStateStats`; CP-200 to CP-214). Unknown times and durations are -1, as in Flink.
 * Left out: metrics of a subtask whose snapshot was given up (Flink shows them with `aborted`, as far as it learns of them).
 */
import { at } from "../base/assert.ts";
import type { CheckpointFailureReason } from "../protocol/reasons.ts";
import { beginsUnaligned } from "../scenario/model.ts";
import { keepsCheckpoints } from "../scenario/retention.ts";
import { optionInForce } from "../scenario/options.ts";
import { StatsSummary, type Statistics } from "./stats-summary.ts";
import type { CheckpointView, RunView, SnapshotView } from "./views.ts";

/** One subtask's part of a checkpoint. */
export interface SubtaskStats {
  readonly subtask: number;
  /** When the coordinator had its acknowledgement (CP-200); all below is of use only then. */
  readonly acknowledged: number;
  readonly duration: number;
  readonly startDelay: number;
  readonly alignment: number;
  readonly sync: number;
  readonly async: number;
  readonly processed: number;
  readonly persisted: number;
  readonly checkpointedSize: number;
  readonly fullSize: number;
  readonly unaligned: boolean;
  /** It had finished, so it was acknowledged with the trigger and its metrics are empty (CP-213). */
  readonly finished: boolean;
}

/** Sums over the subtasks that acknowledged (CP-212), of a checkpoint or of one of its tasks. */
export interface Totals {
  readonly subtasks: number;
  readonly acknowledged: number;
  readonly latestAck: number;
  readonly duration: number;
  readonly checkpointedSize: number;
  readonly fullSize: number;
  readonly processed: number;
  readonly persisted: number;
}

/** A task vertex's part of a checkpoint. */
export interface TaskStats extends Totals {
  readonly vertex: number;
  readonly parts: readonly SubtaskStats[];
}

export type CheckpointStatus = "IN_PROGRESS" | "COMPLETED" | "FAILED";
export type CheckpointType = "CHECKPOINT" | "UNALIGNED_CHECKPOINT" | "SAVEPOINT" | "SYNC_SAVEPOINT";

export interface CheckpointStats extends Totals {
  readonly id: number;
  readonly status: CheckpointStatus;
  readonly type: CheckpointType;
  readonly triggered: number;
  /** When it completed or failed. */
  readonly ended: number;
  readonly failure: CheckpointFailureReason | null;
  readonly counts: boolean;
  /** How many in a row count then; `-1`: it did not fail. */
  readonly failures: number;
  /** Its files are gone: it is subsumed, or its job has ended and keeps none. */
  readonly discarded: boolean;
  readonly savepoint: CheckpointView["savepoint"];
  readonly tasks: readonly TaskStats[];
}

export interface Counts {
  readonly restored: number;
  readonly total: number;
  readonly inProgress: number;
  readonly completed: number;
  readonly failed: number;
}

export type Measure = "checkpointedSize" | "fullSize" | "duration" | "processed" | "persisted";

export interface CheckpointStatistics {
  readonly counts: Counts;
  /** Newest first, as many as `web.checkpoints.history` says. */
  readonly history: readonly CheckpointStats[];
  readonly latestCompleted: CheckpointStats | null;
  readonly latestSavepoint: CheckpointStats | null;
  readonly latestFailed: CheckpointStats | null;
  readonly latestRestore: { readonly checkpoint: number; readonly at: number } | null;
  /** Over all completed checkpoints. */
  readonly summary: { readonly [M in Measure]: Statistics };
}

/** Values that the percentiles of the summary look back on (`CompletedCheckpointStatsSummary.HISTOGRAM_WINDOW_SIZE`). */
const WINDOW = 10_000;
const HISTORY = "web.checkpoints.history";

export function checkpointStatistics(view: RunView): CheckpointStatistics {
  const { coordinator } = view;
  const checkpoints = view.checkpoints.slice(coordinator.forgotten);
  const newestFirst = [...checkpoints].reverse();
  const length = Number(optionInForce(view.shared.scenario, HISTORY));
  const of = (status: CheckpointStatus): CheckpointView[] =>
    newestFirst.filter((checkpoint) => statusOf(checkpoint) === status);
  const [completed, failed] = [of("COMPLETED"), of("FAILED")];
  const stats = (checkpoint: CheckpointView | undefined): CheckpointStats | null =>
    checkpoint === undefined ? null : checkpointStats(view, checkpoint);
  return {
    counts: {
      restored: coordinator.restores,
      total: checkpoints.length + coordinator.failedTriggers,
      inProgress: of("IN_PROGRESS").length,
      completed: completed.length,
      failed: failed.length + coordinator.failedTriggers,
    },
    history: newestFirst.slice(0, Math.max(0, length)).map((checkpoint) => checkpointStats(view, checkpoint)),
    latestCompleted: stats(completed.find(({ kind }) => kind === "CHECKPOINT")),
    latestSavepoint: stats(completed.find(({ kind }) => kind !== "CHECKPOINT")),
    latestFailed: stats(failed[0]),
    latestRestore: coordinator.lastRestore,
    summary: summaryOf(completed.map((checkpoint) => checkpointStats(view, checkpoint)).reverse()),
  };
}

function summaryOf(completed: readonly CheckpointStats[]): CheckpointStatistics["summary"] {
  const over = (measure: Measure): Statistics => {
    const summary = new StatsSummary(WINDOW);
    for (const checkpoint of completed) summary.add(checkpoint[measure]);
    return summary.statistics();
  };
  return {
    checkpointedSize: over("checkpointedSize"),
    fullSize: over("fullSize"),
    duration: over("duration"),
    processed: over("processed"),
    persisted: over("persisted"),
  };
}

/** CP-168: are the checkpoints in the store kept, now that the job is where it is? */
function isKept({ job, shared: { scenario } }: RunView): boolean {
  return keepsCheckpoints(scenario.config.checkpointing.retention, job.status);
}

function statusOf({ state }: CheckpointView): CheckpointStatus {
  if (state === "ABORTED") return "FAILED";
  return state === "COMPLETED" || state === "SUBSUMED" ? "COMPLETED" : "IN_PROGRESS";
}

export function checkpointStats(view: RunView, checkpoint: CheckpointView): CheckpointStats {
  const { graph } = view.shared;
  const { id, kind, triggeredAt, endedAt, reason, counts, failures } = checkpoint;
  const fromStart = beginsUnaligned(view.shared.scenario);
  const parts = graph.subtasks.map(({ index }) =>
    subtaskStats(index, triggeredAt, checkpoint.parts[index] ?? null, fromStart),
  );
  const unaligned = parts.some((part) => part.unaligned && part.acknowledged >= 0);
  return {
    id,
    status: statusOf(checkpoint),
    type: kind === "CHECKPOINT" && unaligned ? "UNALIGNED_CHECKPOINT" : kind,
    triggered: triggeredAt,
    ended: endedAt,
    failure: reason,
    counts,
    failures,
    discarded: kind === "CHECKPOINT" && (checkpoint.subsumedAt >= 0 || !isKept(view)),
    savepoint: checkpoint.savepoint,
    ...totals(parts),
    tasks: graph.vertices.map((vertex) => {
      const own = vertex.subtasks.map((subtask) => at(parts, subtask));
      return { vertex: vertex.index, parts: own, ...totals(own) };
    }),
  };
}

/** CP-201 to CP-210. */
function subtaskStats(subtask: number, triggered: number, part: SnapshotView | null, fromStart: boolean): SubtaskStats {
  const acknowledged = part?.acknowledgedAt ?? -1;
  return {
    subtask,
    acknowledged,
    duration: acknowledged < 0 ? -1 : Math.max(0, acknowledged - triggered),
    startDelay: part?.startDelay ?? -1,
    // Without inputs to align there is nothing to wait for (CP-203).
    alignment: part === null || part.takenAt < 0 ? (part?.alignment ?? -1) : Math.max(0, part.alignment),
    sync: part?.sync ?? -1,
    async: part?.async ?? -1,
    processed: part?.processed ?? 0,
    persisted: part?.persisted ?? 0,
    checkpointedSize: Math.max(0, part?.bytes ?? 0),
    fullSize: Math.max(0, part?.bytes ?? 0) + (part?.reused ?? 0),
    unaligned: part !== null && ((fromStart && part.unaligned) || part.persisted > 0),
    finished: part?.finished ?? false,
  };
}

/** CP-211, CP-212. */
function totals(parts: readonly SubtaskStats[]): Totals {
  const acknowledged = parts.filter((part) => part.acknowledged >= 0);
  const sum = (measure: Exclude<Measure, "duration">): number =>
    acknowledged.reduce((total, part) => total + part[measure], 0);
  return {
    subtasks: parts.length,
    acknowledged: acknowledged.length,
    latestAck: Math.max(-1, ...acknowledged.map((part) => part.acknowledged)),
    duration: Math.max(-1, ...acknowledged.map(({ duration }) => duration)),
    checkpointedSize: sum("checkpointedSize"),
    fullSize: sum("fullSize"),
    processed: sum("processed"),
    persisted: sum("persisted"),
  };
}

export type SubtaskMeasure = Exclude<Measure, "duration"> | "duration" | "sync" | "async" | "alignment" | "startDelay";

/** Over the acknowledged subtasks of a task: minimum, average and maximum; Flink keeps no window here, so no percentiles. */
export function overSubtasks({ parts }: TaskStats, measure: SubtaskMeasure): Statistics {
  const summary = new StatsSummary(0);
  for (const part of parts)
    if (part.acknowledged >= 0) summary.add(part.finished ? Math.max(0, part[measure]) : part[measure]);
  return summary.statistics();
}
