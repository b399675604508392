/**
 * What Flink's REST API replies about a run at a cursor (`CheckpointingStatistics`, `CheckpointStatistics`,
 * `TaskCheckpointStatistics`, `TaskCheckpointStatisticsWithSubtaskDetails`; CP-216 to CP-218): the objects with the names,
 * and in the order, in which Flink writes them. A percentile that there is none of is the string "NaN", as Jackson has it.
 * The type tag is `className`, as in replies since 1.15. Left out: triggering by POST (CP-221).
 */
import { checkpointFailureMessages } from "../protocol/checkpoint-failure-messages.ts";
import {
  type CheckpointStats,
  type SubtaskMeasure,
  type SubtaskStats,
  type TaskStats,
  type Totals,
  checkpointStatistics,
  overSubtasks,
} from "./checkpoint-stats.ts";
import { JOB_ID, checkpointConfig, externalPath } from "./rest-config.ts";
import { type Json, jobPlan, vertexId } from "./rest-plan.ts";
import { type Statistics, noStatistics } from "./stats-summary.ts";
import type { RunView } from "./views.ts";

/** Each request with its reply: the statistics, the details of every checkpoint still known, configuration and plan. */
export function restReplies(view: RunView): { readonly [request: string]: Json } {
  const job = `GET /jobs/${JOB_ID}`;
  return {
    [`${job}/checkpoints`]: checkpoints(view),
    [`${job}/checkpoints/config`]: checkpointConfig(view.shared.scenario),
    ...Object.fromEntries(
      knownCheckpoints(view).flatMap((stats) => details(view, stats, `${job}/checkpoints/details`)),
    ),
    [`${job}/plan`]: jobPlan(view.shared.scenario, view.shared.graph),
  };
}

/** The replies as a file; an interval that there is none of is Java's largest long, which no number of ours can hold. */
export function restText(view: RunView): string {
  return `${JSON.stringify(restReplies(view), null, 2)}\n`.replaceAll('"Long.MAX_VALUE"', "9223372036854775807");
}

/** What a checkpoint's id finds: the history, and the latest of each kind. */
function knownCheckpoints(view: RunView): CheckpointStats[] {
  const { history, latestCompleted, latestFailed, latestSavepoint } = checkpointStatistics(view);
  const known = new Map([...history, latestCompleted, latestFailed, latestSavepoint].map((each) => [each?.id, each]));
  return [...known.values()].filter((each) => each !== null).sort((a, b) => a.id - b.id);
}

/** CP-216. */
function checkpoints(view: RunView): Json {
  const { counts, summary, latestCompleted, latestSavepoint, latestFailed, latestRestore, history } =
    checkpointStatistics(view);
  const { restored, total, inProgress, completed, failed } = counts;
  const latest = (stats: CheckpointStats | null): Json => (stats === null ? null : checkpoint(view, stats, {}));
  return {
    counts: { restored, total, in_progress: inProgress, completed, failed },
    summary: {
      checkpointed_size: statistics(summary.checkpointedSize),
      state_size: statistics(summary.fullSize),
      end_to_end_duration: statistics(summary.duration),
      alignment_buffered: statistics(noStatistics),
      processed_data: statistics(summary.processed),
      persisted_data: statistics(summary.persisted),
    },
    latest: {
      completed: latest(latestCompleted),
      savepoint: latest(latestSavepoint),
      failed: latest(latestFailed),
      restored: latestRestore === null ? null : restoredCheckpoint(view, latestRestore),
    },
    history: history.map((stats) => checkpoint(view, stats, {})),
  };
}

function restoredCheckpoint(view: RunView, { checkpoint: id, at: clock }: { checkpoint: number; at: number }): Json {
  const kind = view.checkpoints.find((candidate) => candidate.id === id)?.kind ?? "CHECKPOINT";
  return {
    id,
    restore_timestamp: clock,
    is_savepoint: kind !== "CHECKPOINT",
    external_path: externalPath(view.shared.scenario, id),
  };
}

const tags = { COMPLETED: "completed", FAILED: "failed", IN_PROGRESS: "in_progress" } as const;

function checkpoint(view: RunView, stats: CheckpointStats, tasks: Json): Json {
  const savepoint = stats.type === "SAVEPOINT" || stats.type === "SYNC_SAVEPOINT";
  return {
    className: tags[stats.status],
    id: stats.id,
    status: stats.status,
    is_savepoint: savepoint,
    savepointFormat: stats.savepoint?.format ?? null,
    trigger_timestamp: stats.triggered,
    ...sums(stats),
    checkpoint_type: stats.type,
    tasks,
    ...(stats.status === "COMPLETED" && {
      external_path: stats.savepoint?.path ?? externalPath(view.shared.scenario, stats.id),
      discarded: stats.discarded,
    }),
    ...(stats.status === "FAILED" && {
      failure_timestamp: stats.ended,
      failure_message: stats.failure === null ? null : checkpointFailureMessages[stats.failure],
    }),
  };
}

function sums(of: Totals): { readonly [name: string]: Json } {
  return {
    latest_ack_timestamp: of.latestAck,
    checkpointed_size: of.checkpointedSize,
    state_size: of.fullSize,
    end_to_end_duration: of.duration,
    alignment_buffered: 0,
    processed_data: of.processed,
    persisted_data: of.persisted,
    num_subtasks: of.subtasks,
    num_acknowledged_subtasks: of.acknowledged,
  };
}

/** CP-217, and for each of its tasks CP-218. */
function details(view: RunView, stats: CheckpointStats, path: string): [string, Json][] {
  const idOf = ({ vertex }: TaskStats): string => vertexId(view.shared.graph, vertex);
  const task = (of: TaskStats): { readonly [name: string]: Json } => ({
    id: stats.id,
    status: stats.status,
    ...sums(of),
  });
  const tasks = Object.fromEntries(stats.tasks.map((of) => [idOf(of), task(of)]));
  return [
    [`${path}/${stats.id}`, checkpoint(view, stats, tasks)],
    ...stats.tasks.map((of): [string, Json] => [
      `${path}/${stats.id}/subtasks/${idOf(of)}`,
      { ...task(of), summary: taskSummary(of), subtasks: of.parts.map(subtask) },
    ]),
  ];
}

function taskSummary(task: TaskStats): Json {
  const over = (measure: SubtaskMeasure): Json => statistics(overSubtasks(task, measure));
  return {
    checkpointed_size: over("checkpointedSize"),
    state_size: over("fullSize"),
    end_to_end_duration: over("duration"),
    checkpoint_duration: { sync: over("sync"), async: over("async") },
    alignment: {
      buffered: statistics(noStatistics),
      processed: over("processed"),
      persisted: over("persisted"),
      duration: over("alignment"),
    },
    start_delay: over("startDelay"),
  };
}

/** Metrics of a subtask that had finished are 0 (CP-213). */
function subtask(part: SubtaskStats, index: number): Json {
  if (part.acknowledged < 0) return { className: "pending", index, status: "pending_or_failed" };
  return {
    className: "completed",
    index,
    status: "completed",
    ack_timestamp: part.acknowledged,
    end_to_end_duration: part.duration,
    checkpointed_size: part.checkpointedSize,
    state_size: part.fullSize,
    checkpoint: { sync: Math.max(0, part.sync), async: Math.max(0, part.async) },
    alignment: {
      buffered: 0,
      processed: part.processed,
      persisted: part.persisted,
      duration: Math.max(0, part.alignment),
    },
    start_delay: Math.max(0, part.startDelay),
    unaligned_checkpoint: part.unaligned,
    aborted: false,
  };
}

function statistics(of: Statistics): Json {
  const names = ["min", "max", "avg", "p50", "p90", "p95", "p99", "p999"] as const;
  return Object.fromEntries(names.map((name) => [name, Number.isNaN(of[name]) ? "NaN" : of[name]]));
}
