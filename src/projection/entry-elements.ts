/**
 * What an entry is about: the subtasks, channels, machines, partitions, transactions and the checkpoint that its fields
 * name, and the coordinator or the storage where the entry happens there.
 */
import { at } from "../base/assert.ts";
import { EventNumber, type EventType, events, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { FieldKind } from "../protocol/field-kinds.ts";
import { recordPartition } from "../protocol/ids.ts";
import type { EventLog } from "../protocol/log.ts";
import { places } from "./fields.ts";

const named = ["channel", "transaction", "subtask", "taskManager", "input", "output", "checkpoint"] as const;

export const entryElementKinds = [...named, "jobManager", "storage"] as const;
export type EntryElementKind = (typeof entryElementKinds)[number];

/** Can an entry be about it? An operator chain or an exchange is told by its subtasks and channels. */
export function isEntryElement(element: { readonly kind: string; readonly id: number }): element is EntryElement {
  return entryElementKinds.some((kind) => kind === element.kind);
}

/** By its number in the graph or the log; the JobManager and the storage have number 0. */
export interface EntryElement {
  readonly kind: EntryElementKind;
  readonly id: number;
}

/** Types that tell of the JobManager, or of what keeps checkpoints, whatever their fields name. */
const jobManager: ReadonlySet<EventType> = new Set<EventType>([
  "JobStatusChanged",
  "JobSubmitted",
  "SubmissionRejected",
  "RestoreRefused",
  "RestartScheduled",
  "TaskManagerLost",
  "TaskManagerRegistered",
  "SlotRequestFailed",
  "LeadershipLost",
  "LeadershipGranted",
  "FatalError",
  "OperationAnswered",
  "CheckpointTriggered",
  "TriggerQueued",
  "TriggerRejected",
  "CheckpointAcknowledged",
  "AcknowledgementDiscarded",
  "CheckpointDeclined",
  "CheckpointCompleted",
  "CheckpointAborted",
  "CheckpointSubsumed",
  "CheckpointRecovered",
  "CoordinatorSnapshotTaken",
  "CoordinatorReset",
  "SplitAssigned",
  "SplitReturned",
  "PartitionDiscovered",
]);
const storage: ReadonlySet<EventType> = new Set<EventType>([
  "SavepointLocationInitialized",
  "SnapshotPersisted",
  "SnapshotDiscarded",
  "InFlightDataPersisted",
  "CheckpointFileWritten",
  "CheckpointFileReused",
  "CheckpointFileDeleted",
  "CheckpointMetadataWritten",
  "CheckpointSubsumed",
  "CheckpointRecovered",
  "StateRestored",
  "ChannelStateRestored",
]);

/** A thing of the graph or the log that a field of an entry names. */
export interface Concerned extends EntryElement {
  readonly kind: (typeof named)[number];
}

interface Naming {
  readonly kind: Concerned["kind"];
  readonly place: number;
}

/** By type: the fields that name an element, the most special first. */
const namings: readonly (readonly Naming[])[] = eventTypes.map((type) => {
  const kinds = Object.values(events[type].fields as Record<string, FieldKind>);
  return named.flatMap((kind) => kinds.flatMap((field, place) => (field === kind ? [{ kind, place }] : [])));
});

/** `-1`: nothing. Checkpoints are counted from 1: 0 is none. */
function idIn(log: EventLog, step: number, { kind, place }: Naming): number {
  const id = log.field(step, place);
  return kind === "checkpoint" && id === 0 ? -1 : id;
}

/** What the fields of an entry name, the most special first: a channel before its task, and a checkpoint after both. */
export function concernedBy(log: EventLog, step: number): Concerned[] {
  return at(namings, log.type(step)).flatMap((naming) => {
    const id = idIn(log, step, naming);
    return id < 0 ? [] : [{ kind: naming.kind, id }];
  });
}

/** Does a field of an entry name it? */
export function concerns(log: EventLog, step: number, { kind, id }: EntryElement): boolean {
  return at(namings, log.type(step)).some((naming) => naming.kind === kind && idIn(log, step, naming) === id);
}

const happensAt: readonly (readonly EntryElementKind[])[] = eventTypes.map((type) => [
  ...(jobManager.has(type) ? (["jobManager"] as const) : []),
  ...(storage.has(type) ? (["storage"] as const) : []),
]);
const restarted = places("RestartScheduled").restarted;
const emitted = places("RecordEmitted").record;

/** All that the entry is about: what its fields name, then what follows from its type. */
export function elementsOf(graph: ExecutionGraph, log: EventLog, step: number): EntryElement[] {
  const type = log.type(step);
  const found: EntryElement[] = concernedBy(log, step);
  if (type === EventNumber.RecordEmitted)
    found.push({ kind: "input", id: recordPartition(graph, log.field(step, emitted)) });
  if (type === EventNumber.RestartScheduled)
    for (const id of log.list(step, restarted)) found.push({ kind: "subtask", id });
  for (const kind of at(happensAt, type)) found.push({ kind, id: 0 });
  return found;
}

/** Is the entry about this element? The same as being among `elementsOf`, without making the list. */
export function isAbout(graph: ExecutionGraph, log: EventLog, step: number, element: EntryElement): boolean {
  const { kind, id } = element;
  const type = log.type(step);
  if (kind === "jobManager" || kind === "storage") return id === 0 && at(happensAt, type).includes(kind);
  if (concerns(log, step, element)) return true;
  if (kind === "input" && type === EventNumber.RecordEmitted)
    return recordPartition(graph, log.field(step, emitted)) === id;
  return kind === "subtask" && type === EventNumber.RestartScheduled && log.list(step, restarted).includes(id);
}
