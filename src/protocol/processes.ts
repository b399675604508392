/** Whose entry an event is: of the process in which it happens, for whoever looks at a run as processes and messages. */
import { at } from "../base/assert.ts";
import { type EventType, events, eventTypes } from "./events.ts";
import type { FieldKind } from "./field-kinds.ts";

export type Process = "jobManager" | "task" | "storage" | "log";
type Side = Exclude<Process, "task">;

/** Events that are not the subtask's whose number they carry. */
const elsewhere: { readonly [T in EventType]?: Side } = {
  AttemptCreated: "jobManager",
  TaskStateChanged: "jobManager",
  TaskFailed: "jobManager",
  SlotRequestFailed: "jobManager",
  CheckpointAcknowledged: "jobManager",
  AcknowledgementDiscarded: "jobManager",
  CheckpointDeclined: "jobManager",
  ReaderRegistered: "jobManager",
  SplitAssigned: "jobManager",
  CutPartTaken: "jobManager",
  CutRefused: "jobManager",
  CheckpointFileWritten: "storage",
  CheckpointFileReused: "storage",
  CheckpointFileDeleted: "storage",
  RecordWritten: "log",
  WriteWithheld: "log",
  TransactionCommitted: "log",
  TransactionAborted: "log",
  TransactionTimedOut: "log",
  TransactionEndPrepared: "log",
  TransactionMarkerWritten: "log",
  TransactionDeferred: "log",
  TransactionalIdExpired: "log",
  OffsetsCommitted: "log",
};
const sides: readonly (Side | null)[] = eventTypes.map((type) => elsewhere[type] ?? null);

/** By event number: the place of the subtask that an entry is of; `-1`: of none. */
const subtaskPlaces: readonly number[] = eventTypes.map((type) =>
  Object.values(events[type].fields as Record<string, FieldKind>).indexOf("subtask"),
);

/** By event number: the process of an event that is of no subtask, whatever it carries; `null`: the subtask's, if it names one. */
export function sideOf(type: number): Side | null {
  return at(sides, type);
}

/** By event number: which of an entry's fields is the subtask that it is of; `-1`: it names none, so it is the JobManager's. */
export function subtaskPlaceOf(type: number): number {
  return at(subtaskPlaces, type);
}
