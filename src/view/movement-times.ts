/**
 * How long what an entry sets in motion moves: in simulated milliseconds, and how long that is watched. A movement that
 * the model makes in a millisecond is slowed until an eye can follow it; one that takes long is not waited for.
 */
import { at } from "../base/assert.ts";
import { EventNumber, type EventType, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import { Machine, machines } from "../protocol/machines/all.ts";
import { isSink, writeDelay } from "../protocol/sinks.ts";
import type { Timing } from "../scenario/scenario.ts";

/** Presentation milliseconds for one simulated millisecond, where the limits allow it. */
export const SCREEN_PER_SIMULATED = 10;

export interface Movement {
  /** Simulated milliseconds. */
  readonly duration: number;
  /** Presentation milliseconds at 1x. */
  readonly screen: number;
}

interface Limits {
  readonly min: number;
  readonly max: number;
}

/** Records pass quickly, since there are many; what a checkpoint sends is there to be followed. */
const record: Limits = { min: 120, max: 1200 };
const barrier: Limits = { min: 480, max: 1200 };
const message: Limits = { min: 300, max: 1200 };
/** What falls is watched, however short its way would have been. */
const falling: Limits = { min: 900, max: 1200 };
const freezing: Limits = { min: 200, max: 1200 };
const writing: Limits = { min: 600, max: 1200 };
const work: Limits = { min: 0, max: 1200 };

/** Entries that follow one another too fast to be watched one by one; all others are staged at their instant. */
const quiet: ReadonlySet<EventType> = new Set<EventType>([
  "AttemptCreated",
  "RecordEmitted",
  "RecordSent",
  "RecordReceived",
  "RecordProcessed",
  "RecordWritten",
  "OffsetsCommitted",
  "ChannelResumed",
  "TransactionCommitRequested",
  "ProducerIdInitialized",
]);

export const isStaged: readonly boolean[] = eventTypes.map((type) => !quiet.has(type));

interface Timed {
  readonly of: keyof Omit<Timing, "overrides">;
  readonly limits: Limits;
}

/** Movements that take a duration of the model, whatever the entry's fields are. */
const timed: { readonly [T in EventType]?: Timed } = {
  CheckpointTriggered: { of: "rpc", limits: message },
  AlignmentCompleted: { of: "snapshotSync", limits: freezing },
  SnapshotTaken: { of: "snapshotAsync", limits: writing },
  SnapshotPersisted: { of: "rpc", limits: message },
  CheckpointMetadataWritten: { of: "rpc", limits: message },
  CheckpointCompleted: { of: "rpc", limits: message },
  CheckpointAborted: { of: "rpc", limits: message },
  MessageLost: { of: "rpc", limits: falling },
  TaskStopped: { of: "rpc", limits: message },
  StateRestored: { of: "restore", limits: writing },
  RestoredAsFinished: { of: "restore", limits: writing },
  ProducerIdInitialized: { of: "initTransactions", limits: work },
  TransactionCommitRequested: { of: "commit", limits: message },
};

const taskStates = Object.keys(machines[Machine.executionState].states);
const DEPLOYING = taskStates.indexOf("DEPLOYING");
const CANCELING = taskStates.indexOf("CANCELING");

function moving(duration: number, { min, max }: Limits): Movement | null {
  if (duration <= 0) return null;
  return { duration, screen: Math.min(Math.max(duration * SCREEN_PER_SIMULATED, min), max) };
}

function latency(graph: ExecutionGraph, channel: number): number {
  return at(graph.edges, at(graph.channels, channel).edge).latency;
}

/** Milliseconds that a subtask's thread needs for a record. */
function costOf(graph: ExecutionGraph, subtask: number): number {
  const { operators } = at(graph.vertices, at(graph.subtasks, subtask).taskVertex);
  return operators.reduce((sum, operator) => sum + at(graph.operators, operator).vertex.cost, 0);
}

/** From a sink's hand to the log. */
function writeTime(graph: ExecutionGraph, timing: Timing, operator: number): number {
  const { vertex } = at(graph.operators, operator);
  return isSink(vertex) ? writeDelay(vertex, timing.network) : 0;
}

/** What the entry at `step` sets in motion; `null`: nothing that is drawn. */
export function movementOf(graph: ExecutionGraph, timing: Timing, log: EventLog, step: number): Movement | null {
  const type = log.type(step);
  switch (type) {
    case EventNumber.RecordSent:
      return moving(latency(graph, log.field(step, 1)), record);
    case EventNumber.BarrierEmitted:
    case EventNumber.CancelMarkerEmitted:
    case EventNumber.EndOfDataEmitted:
    case EventNumber.EndOfPartitionEmitted:
      return moving(latency(graph, log.field(step, 1)), barrier);
    case EventNumber.RecordReceived:
      return moving(costOf(graph, log.field(step, 0)), work);
    case EventNumber.RecordProcessed:
      return moving(writeTime(graph, timing, log.field(step, 1)), record);
    case EventNumber.TaskStateChanged: {
      const to = log.field(step, 3);
      return to === DEPLOYING
        ? moving(timing.deploy, writing)
        : to === CANCELING
          ? moving(timing.cancel, message)
          : null;
    }
    default: {
      const time = timed[at(eventTypes, type)];
      return time === undefined ? null : moving(timing[time.of], time.limits);
    }
  }
}
