/** Fields of log entries by name: `places("RecordSent").channel` is the place that `EventLog.field` takes. */
import { EventNumber, type EventType, events } from "../protocol/events.ts";
import type { FieldKind } from "../protocol/field-kinds.ts";
import type { EventLog } from "../protocol/log.ts";
import { Machine, machines } from "../protocol/machines/all.ts";
import { notificationKinds } from "../protocol/reasons.ts";
import type {
  BarrierHandlerState,
  CheckpointState,
  ExecutionState,
  JobStatus,
  RunView,
  SnapshotState,
  TransactionState,
} from "./views.ts";

export type Places<T extends EventType> = { readonly [F in keyof (typeof events)[T]["fields"]]: number };

/** The place of each field of an event type, in the order of its declaration. */
export function places<T extends EventType>(type: T): Places<T> {
  const names = Object.keys(events[type].fields as Record<string, FieldKind>);
  return Object.fromEntries(names.map((name, place) => [name, place])) as Places<T>;
}

/** What one noun makes of an entry; `clock` is the entry's. */
export type Handler = (view: RunView, log: EventLog, step: number, clock: number) => void;

const statesOf = (machine: number): readonly string[] => Object.keys(machines[machine]?.states ?? {});

/** States by their numbers in the log. */
export const executionStates = statesOf(Machine.executionState) as readonly ExecutionState[];
export const jobStatuses = statesOf(Machine.jobStatus) as readonly JobStatus[];
export const checkpointStates = statesOf(Machine.checkpoint) as readonly CheckpointState[];
export const barrierHandlerStates = statesOf(Machine.barrierHandler) as readonly BarrierHandlerState[];
export const snapshotStates = statesOf(Machine.subtaskSnapshot) as readonly SnapshotState[];
export const transactionStates = statesOf(Machine.transaction) as readonly TransactionState[];

const notification = places("NotificationDelivered");
const SUBSUMED = notificationKinds.indexOf("subsumed");

/** Does a task learn here that a completed checkpoint is no longer needed? Its end is another notification (CP-128). */
export function tellsOfSubsumption(log: EventLog, step: number): boolean {
  return log.type(step) === EventNumber.NotificationDelivered && log.field(step, notification.kind) === SUBSUMED;
}
