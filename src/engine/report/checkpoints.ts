/** The report's `checkpoints` and `rejectedTriggers`, told by the log (CP-200 to CP-215 as far as they are simulated). */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { snapshotNumber } from "../../protocol/ids.ts";
import type { EventLog } from "../../protocol/log.ts";
import { checkpointFailureReasons, checkpointKinds, faultVerbs, operationAnswers } from "../../protocol/reasons.ts";
import type { CheckpointRow, CheckpointSubtaskRow, RejectedTriggerRow } from "../../scenario/report.ts";
import { RECORD_BYTES, beginsUnaligned } from "../../scenario/model.ts";
import { type Handlers, type Span, field, foldLog } from "./entries.ts";

type Draft<T> = { -readonly [K in keyof T]: T[K] };
interface Building extends Draft<Omit<CheckpointRow, "subtasks">> {
  subtasks: Draft<CheckpointSubtaskRow>[];
}
import { ExecutionState } from "../states.ts";

/** `keepsFiles`: do the files of the checkpoints in the store outlive the run (CP-168)? Those of a savepoint always do. */
export function checkpointRows(log: EventLog, span: Span, keepsFiles: boolean): CheckpointRow[] {
  const { graph, scenario } = span;
  const rows = new Map<number, Building>();
  const ends = new Ends();
  const handlers: Handlers = {
    AttemptCreated: (step) => ends.forget(field(log, step, "AttemptCreated", "subtask")),
    TaskStateChanged: (step) => {
      if (field(log, step, "TaskStateChanged", "to") === ExecutionState.finished)
        ends.finished.add(field(log, step, "TaskStateChanged", "subtask"));
    },
    RestoredAsFinished: (step) => ends.onRestore.add(field(log, step, "RestoredAsFinished", "subtask")),
    CheckpointTriggered: (step) => {
      const id = field(log, step, "CheckpointTriggered", "checkpoint");
      rows.set(
        id,
        begun(graph, id, at(checkpointKinds, field(log, step, "CheckpointTriggered", "kind")), log.clock(step)),
      );
      for (const subtask of ends.finished) leaveOut(rows.get(id), subtask, log.clock(step));
    },
    ...subtaskHandlers(log, rows, ends),
    ...endHandlers(log, rows),
  };
  foldLog(log, handlers, span);
  countInFlight(log, rows, span, beginsUnaligned(scenario));
  return [...rows.values()].map((row) => ({
    ...row,
    submission: span.submission,
    retained: row.retained && (keepsFiles || row.kind !== "CHECKPOINT"),
  }));
}

/** Subtasks that are FINISHED, and those that run but are finished on restore (CP-190, CP-196). */
class Ends {
  readonly finished = new Set<number>();
  readonly onRestore = new Set<number>();

  forget(subtask: number): void {
    this.finished.delete(subtask);
    this.onRestore.delete(subtask);
  }
}

/** As in Flink's statistics, what has finished counts as acknowledged with the trigger. */
function leaveOut(row: Building | undefined, subtask: number, clock: number): void {
  const part = row?.subtasks[subtask];
  if (part !== undefined) Object.assign(part, { acked: clock, finished: true });
}

/** What subtasks do for a checkpoint. */
function subtaskHandlers(log: EventLog, rows: ReadonlyMap<number, Building>, ends: Ends): Handlers {
  const row = (checkpoint: number, subtask: number): Draft<CheckpointSubtaskRow> | undefined =>
    rows.get(checkpoint)?.subtasks[subtask];
  /** The size of what each subtask wrote for each checkpoint; it counts once the coordinator has it. */
  const written = new Map<number, number>();
  /** What each refers to beyond that. */
  const reused = new Map<number, number>();
  return {
    AlignmentCompleted: (step) => {
      const part = row(
        field(log, step, "AlignmentCompleted", "checkpoint"),
        field(log, step, "AlignmentCompleted", "subtask"),
      );
      if (part !== undefined) part.alignment = field(log, step, "AlignmentCompleted", "duration");
    },
    SnapshotTaken: (step) => {
      const part = row(field(log, step, "SnapshotTaken", "checkpoint"), field(log, step, "SnapshotTaken", "subtask"));
      if (part === undefined) return;
      part.startDelay = field(log, step, "SnapshotTaken", "startDelay");
      part.sync = field(log, step, "SnapshotTaken", "duration");
      part.alignment ??= 0;
    },
    SnapshotPersisted: (step) => {
      const [checkpoint, subtask] = [
        field(log, step, "SnapshotPersisted", "checkpoint"),
        field(log, step, "SnapshotPersisted", "subtask"),
      ];
      written.set(snapshotNumber(subtask, checkpoint), field(log, step, "SnapshotPersisted", "bytes"));
      const part = row(checkpoint, subtask);
      if (part !== undefined) part.async = field(log, step, "SnapshotPersisted", "duration");
    },
    CheckpointFileReused: (step) => {
      const number = snapshotNumber(
        field(log, step, "CheckpointFileReused", "subtask"),
        field(log, step, "CheckpointFileReused", "checkpoint"),
      );
      reused.set(number, (reused.get(number) ?? 0) + field(log, step, "CheckpointFileReused", "bytes"));
    },
    CheckpointAcknowledged: (step) => {
      const checkpoint = field(log, step, "CheckpointAcknowledged", "checkpoint");
      const whole = rows.get(checkpoint);
      const subtask = field(log, step, "CheckpointAcknowledged", "subtask");
      const part = whole?.subtasks[subtask];
      if (whole === undefined || part === undefined) return;
      part.acked = log.clock(step);
      part.finished = ends.onRestore.has(subtask);
      const number = snapshotNumber(subtask, checkpoint);
      whole.checkpointedBytes += written.get(number) ?? 0;
      whole.stateBytes += (written.get(number) ?? 0) + (reused.get(number) ?? 0);
    },
  };
}

/**
 * Data in flight (CP-204, CP-205, CP-210): what each subtask took while it aligned, what is stored with its snapshot,
 * and so whether it counts as unaligned (`beginsUnaligned`). A checkpoint has the sums over those that acknowledged (CP-212).
 */
function countInFlight(log: EventLog, rows: ReadonlyMap<number, Building>, span: Span, fromStart: boolean): void {
  const aligning = new Map<number, number>();
  const part = (checkpoint: number, subtask: number): Draft<CheckpointSubtaskRow> | undefined =>
    rows.get(checkpoint)?.subtasks[subtask];
  const handlers: Handlers = {
    BarrierReceived: (step) => {
      if (field(log, step, "BarrierReceived", "aligned") !== 1) return;
      aligning.set(field(log, step, "BarrierReceived", "subtask"), field(log, step, "BarrierReceived", "checkpoint"));
    },
    RecordReceived: (step) => {
      const subtask = field(log, step, "RecordReceived", "subtask");
      const found = part(aligning.get(subtask) ?? -1, subtask);
      if (found !== undefined) found.processed += RECORD_BYTES;
    },
    AlignmentCompleted: (step) => aligning.delete(field(log, step, "AlignmentCompleted", "subtask")),
    AlignmentAborted: (step) => aligning.delete(field(log, step, "AlignmentAborted", "subtask")),
    AttemptCreated: (step) => aligning.delete(field(log, step, "AttemptCreated", "subtask")),
    UnalignedSnapshotStarted: (step) => {
      const found = part(
        field(log, step, "UnalignedSnapshotStarted", "checkpoint"),
        field(log, step, "UnalignedSnapshotStarted", "subtask"),
      );
      if (found !== undefined && fromStart) found.unaligned = true;
    },
    InFlightDataPersisted: (step) => {
      const found = part(
        field(log, step, "InFlightDataPersisted", "checkpoint"),
        field(log, step, "InFlightDataPersisted", "subtask"),
      );
      if (found === undefined) return;
      found.persisted += field(log, step, "InFlightDataPersisted", "bytes");
      found.unaligned ||= found.persisted > 0;
    },
  };
  foldLog(log, handlers, span);
  for (const row of rows.values()) {
    const acknowledged = row.subtasks.filter(({ acked }) => acked !== null);
    row.unaligned = acknowledged.some(({ unaligned }) => unaligned);
    row.persistedInFlight = acknowledged.reduce((sum, { persisted }) => sum + persisted, 0);
  }
}

/** How a checkpoint ends, and what becomes of its files. */
function endHandlers(log: EventLog, rows: ReadonlyMap<number, Building>): Handlers {
  return {
    CheckpointCompleted: (step) => {
      const row = rows.get(field(log, step, "CheckpointCompleted", "checkpoint"));
      if (row !== undefined) Object.assign(row, { status: "COMPLETED", ended: log.clock(step), retained: true });
    },
    CheckpointSubsumed: (step) => {
      const row = rows.get(field(log, step, "CheckpointSubsumed", "checkpoint"));
      if (row !== undefined) row.retained = false;
    },
    LeadershipLost: (step) => {
      for (const row of rows.values())
        if (row.status === "IN_PROGRESS") Object.assign(row, { status: "FAILED", ended: log.clock(step) });
    },
    CheckpointAborted: (step) => {
      const row = rows.get(field(log, step, "CheckpointAborted", "checkpoint"));
      if (row === undefined) return;
      row.failure = at(checkpointFailureReasons, field(log, step, "CheckpointAborted", "reason"));
      row.countsAsFailure = field(log, step, "CheckpointAborted", "counts") === 1;
      row.consecutiveFailures = field(log, step, "CheckpointAborted", "failures");
      Object.assign(row, { status: "FAILED", ended: log.clock(step) });
    },
  };
}

function begun(graph: ExecutionGraph, id: number, kind: string, triggered: number): Building {
  return {
    id,
    submission: 0,
    kind,
    status: "IN_PROGRESS",
    failure: null,
    countsAsFailure: false,
    consecutiveFailures: 0,
    unaligned: false,
    triggered,
    ended: null,
    stateBytes: 0,
    checkpointedBytes: 0,
    persistedInFlight: 0,
    retained: false,
    subtasks: graph.subtasks.map(({ name }) => ({
      subtask: name,
      acked: null,
      finished: false,
      startDelay: null,
      alignment: null,
      sync: null,
      async: null,
      unaligned: false,
      processed: 0,
      persisted: 0,
    })),
  };
}

export function rejectedTriggers(log: EventLog): RejectedTriggerRow[] {
  const rows: RejectedTriggerRow[] = [];
  foldLog(log, {
    TriggerRejected: (step) => {
      const reason = at(checkpointFailureReasons, field(log, step, "TriggerRejected", "reason"));
      const kind = at(checkpointKinds, field(log, step, "TriggerRejected", "kind"));
      rows.push({ at: log.clock(step), kind, reason });
    },
    // Flink throws before there is a request that could be rejected (CP-162).
    OperationAnswered: (step) => {
      const reason = at(operationAnswers, field(log, step, "OperationAnswered", "answer"));
      const verb = faultVerbs[field(log, step, "OperationAnswered", "do")];
      const kind = verb === "stop-with-savepoint" ? "SYNC_SAVEPOINT" : "SAVEPOINT";
      if (reason === "NO_SAVEPOINT_DIRECTORY") rows.push({ at: log.clock(step), kind, reason });
    },
  });
  return rows;
}
