/** Where the transport's steps lead: from an entry to the next or previous one of a kind. */
import { type EventType, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";

export type Direction = 1 | -1;

const checkpointEnds = numbersOf("CheckpointCompleted", "CheckpointAborted");
const failures = numbersOf("FaultInjected", "TaskFailed", "TaskManagerLost", "SlotRequestFailed", "CommitFailed", "TransactionTimedOut");

const phases = numbersOf(
  "JobStatusChanged", "FaultInjected", "TaskFailed", "TaskManagerLost", "RestartScheduled", "StateRestored", "SourceRewound",
  "CheckpointTriggered", "BarrierEmitted", "BarrierReceived", "ChannelBlocked", "AlignmentCompleted", "SnapshotTaken", "SnapshotPersisted",
  "CheckpointAcknowledged", "CheckpointCompleted", "CheckpointAborted", "NotificationDelivered", "TransactionCommitted", "TransactionAborted",
);

function numbersOf(...types: readonly EventType[]): ReadonlySet<number> {
  return new Set(types.map((type) => eventTypes.indexOf(type)));
}

function find(log: EventLog, step: number, direction: Direction, wanted: ReadonlySet<number>): number | null {
  for (let at = step + direction; at >= 0 && at < log.length; at += direction) {
    if (wanted.has(log.type(at))) return at;
  }
  return null;
}

/** The end of a checkpoint: completed or failed. */
export function checkpointFrom(log: EventLog, step: number, direction: Direction): number | null {
  return find(log, step, direction, checkpointEnds);
}

/** Something that fails, or makes something fail. */
export function failureFrom(log: EventLog, step: number, direction: Direction): number | null {
  return find(log, step, direction, failures);
}

/** The next stage of a checkpoint, of a failure or of a restart. */
export function phaseFrom(run: { readonly log: EventLog }, step: number, direction: Direction): number | null {
  return find(run.log, step, direction, phases);
}
