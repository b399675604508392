/**
 * Why an element is as it is at a cursor: the entry that made it so with the way back to its root, what it waits for, and
 * what came of it.
 */
import { EventNumber, type EventType } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { lastAbout } from "./causes.ts";
import { type Concerned, concernedBy } from "./entry-elements.ts";
import type { RunView } from "./views.ts";
import { type Wait, waitsOf } from "./waits.ts";

/** Any element of the run; those without entries of their own have number 0. */
interface Asked {
  readonly kind: Concerned["kind"] | "jobManager" | "storage";
  readonly id: number;
}

export interface Why {
  /** The entry that is explained; `null`: nothing has happened to the element. */
  readonly step: number | null;
  readonly waits: readonly Wait[];
}

const numbers = (types: readonly EventType[]): ReadonlySet<number> => new Set(types.map((type) => EventNumber[type]));

/** By kind: what makes an element what it is. Of a subtask that runs, and of a partition, whatever comes last does. */
const decisive = {
  checkpoint: numbers(["CheckpointTriggered", "CheckpointCompleted", "CheckpointAborted", "CheckpointSubsumed"]),
  transaction: numbers([
    "TransactionBegun",
    "TransactionPreCommitted",
    "TransactionCommitted",
    "TransactionAborted",
    "TransactionTimedOut",
    "CommitFailed",
  ]),
  stopped: numbers(["TaskFailed", "TaskStopped", "TaskStateChanged", "StateRestored"]),
  blocked: numbers(["ChannelBlocked"]),
  taskManager: numbers(["TaskManagerLost", "TaskManagerRegistered", "FaultInjected", "FatalError"]),
  jobManager: numbers(["RestartScheduled", "JobStatusChanged", "LeadershipLost", "LeadershipGranted"]),
  storage: numbers(["CheckpointCompleted", "CheckpointMetadataWritten", "CheckpointFileDeleted"]),
} as const;

function lastOf(log: EventLog, step: number, types: ReadonlySet<number>): number | null {
  for (let each = step; each >= 0; each--) if (types.has(log.type(each))) return each;
  return null;
}

function decisiveFor(view: RunView, { kind, id }: Asked): ReadonlySet<number> | null {
  switch (kind) {
    case "channel":
      return (view.channels[id]?.blocked ?? -1) >= 0 ? decisive.blocked : null;
    case "subtask":
      return view.subtasks[id]?.state === "RUNNING" ? null : decisive.stopped;
    case "checkpoint":
    case "transaction":
    case "taskManager":
      return decisive[kind];
    default:
      return null;
  }
}

export function whyOf(view: RunView, log: EventLog, asked: Asked): Why {
  const { kind, id } = asked;
  const step =
    kind === "jobManager" || kind === "storage"
      ? lastOf(log, view.step, decisive[kind])
      : lastAbout(log, { kind, id }, view.step, decisiveFor(view, asked));
  return { step, waits: waitsOf(view, asked) };
}

/** What entries and waits are about, each once. */
export function aboutAll(log: EventLog, steps: Iterable<number>, waits: readonly Wait[]): Concerned[] {
  const found = new Map<string, Concerned>();
  const add = (each: Concerned): void => void found.set(`${each.kind} ${each.id}`, each);
  for (const step of steps) concernedBy(log, step).forEach(add);
  for (const { on } of waits) on.forEach(add);
  return [...found.values()];
}
