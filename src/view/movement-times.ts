/**
 * How long what an entry sets in motion keeps moving, in simulated milliseconds. The clock plays spans in which something
 * moves and folds the others. Left out: timing overrides, which make a span a little longer or shorter than it is drawn.
 */
import { at } from "../base/assert.ts";
import { EventNumber, type EventType, eventTypes } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Timing } from "../scenario/scenario.ts";

/** Records, barriers and messages travel and are watched on their way; work (writing out, deploying) may be hurried. */
export type Pace = "travel" | "work";

export interface Movement {
  readonly pace: Pace;
  readonly duration: number;
}

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

type Times = { readonly [T in EventType]?: { readonly pace: Pace; readonly of: keyof Omit<Timing, "overrides"> } };

const times: Times = {
  CheckpointTriggered: { pace: "travel", of: "rpc" },
  AlignmentCompleted: { pace: "travel", of: "snapshotSync" },
  SnapshotTaken: { pace: "work", of: "snapshotAsync" },
  SnapshotPersisted: { pace: "travel", of: "rpc" },
  CheckpointMetadataWritten: { pace: "travel", of: "rpc" },
  CheckpointCompleted: { pace: "travel", of: "rpc" },
  CheckpointAborted: { pace: "travel", of: "rpc" },
  TaskStopped: { pace: "travel", of: "rpc" },
  StateRestored: { pace: "work", of: "restore" },
  ProducerIdInitialized: { pace: "work", of: "initTransactions" },
  TransactionCommitRequested: { pace: "travel", of: "commit" },
};

const CHANNEL_FIELD = 1;

function channelLatency(graph: ExecutionGraph, channel: number): number {
  return at(graph.edges, at(graph.channels, channel).edge).latency;
}

/** What the entry at `step` sets in motion; `null`: nothing that is drawn. */
export function movementOf(graph: ExecutionGraph, timing: Timing, log: EventLog, step: number): Movement | null {
  const type = log.type(step);
  if (
    type === EventNumber.RecordSent ||
    type === EventNumber.BarrierEmitted ||
    type === EventNumber.CancelMarkerEmitted
  ) {
    return { pace: "travel", duration: channelLatency(graph, log.field(step, CHANNEL_FIELD)) };
  }
  const time = times[at(eventTypes, type)];
  return time === undefined ? null : { pace: time.pace, duration: timing[time.of] };
}
