/** The named instants at which a fault can be planned: phase boundaries of the protocol, as the element sees them. */
import { at } from "../../base/assert.ts";
import { EventNumber, type EventType } from "../../protocol/events.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { isSource } from "../../protocol/job-graph.ts";
import { isSink, prefixOf } from "../../protocol/sinks.ts";
import { namedFields } from "../../protocol/named-fields.ts";
import type { Stop } from "../../view/stage/elements.ts";
import type { Run } from "../run.ts";
import type { InstantName } from "../text/en-plan.ts";

/** The contract's `before` or `after`, with what the entry must say. */
export interface Instant {
  readonly name: InstantName;
  readonly kind: "before" | "after";
  readonly event: EventType;
  readonly match: { readonly [field: string]: string | number | boolean | null };
}

const complete = { kind: "complete" };

/** In the order in which a checkpoint comes to them. */
export function instantsOf(graph: ExecutionGraph, stop: Stop): readonly Instant[] {
  switch (stop.kind) {
    case "subtask":
      return subtaskInstants(graph, stop.id);
    case "vertex":
      return subtaskInstants(graph, at(at(graph.vertices, stop.id).subtasks, 0));
    default:
      return everywhere;
  }
}

/** Of the whole checkpoint, for what is no task. */
const everywhere: readonly Instant[] = [
  { name: "triggered", kind: "after", event: "CheckpointTriggered", match: {} },
  { name: "beforeMetadata", kind: "before", event: "CheckpointMetadataWritten", match: {} },
  { name: "beforeCompleted", kind: "before", event: "CheckpointCompleted", match: {} },
  { name: "completed", kind: "after", event: "CheckpointCompleted", match: {} },
  { name: "firstNotified", kind: "after", event: "NotificationDelivered", match: complete },
];

function subtaskInstants(graph: ExecutionGraph, id: number): readonly Instant[] {
  const { name: subtask, taskVertex } = at(graph.subtasks, id);
  const chain = at(graph.vertices, taskVertex).operators.map((operator) => at(graph.operators, operator).vertex);
  const match = { subtask };
  const commits = chain.some((vertex) => isSink(vertex) && prefixOf(vertex) !== null);
  return [
    {
      name: "beforeBarrier",
      kind: "before",
      event: chain.some(isSource) ? "BarrierEmitted" : "BarrierReceived",
      match,
    },
    commits
      ? { name: "preCommitted", kind: "after", event: "TransactionPreCommitted", match }
      : { name: "snapshotTaken", kind: "after", event: "SnapshotTaken", match },
    { name: "beforeNotification", kind: "before", event: "NotificationDelivered", match: { ...match, ...complete } },
    ...(commits ? ([{ name: "commitSent", kind: "after", event: "TransactionCommitRequested", match }] as const) : []),
    { name: "running", kind: "after", event: "TaskStateChanged", match: { ...match, to: "RUNNING" } },
  ];
}

/** How many entries of a run up to a step are of an instant. */
export function passed({ log, jobs }: Run, { event, match }: Instant, step: number): number {
  let count = 0;
  for (let entry = 0; entry <= step && entry < log.length; entry++) {
    if (log.type(entry) !== EventNumber[event]) continue;
    const told = namedFields(jobs.at(entry).graph, log, entry);
    if (Object.entries(match).every(([field, value]) => told[field] === value)) count++;
  }
  return count;
}

const names: { readonly [pattern: string]: InstantName } = {
  "before BarrierEmitted": "beforeBarrier",
  "before BarrierReceived": "beforeBarrier",
  "after SnapshotTaken": "snapshotTaken",
  "after TransactionPreCommitted": "preCommitted",
  "before NotificationDelivered": "beforeNotification",
  "after TransactionCommitRequested": "commitSent",
  "after CheckpointTriggered": "triggered",
  "before CheckpointMetadataWritten": "beforeMetadata",
  "before CheckpointCompleted": "beforeCompleted",
  "after CheckpointCompleted": "completed",
  "after NotificationDelivered": "firstNotified",
};

/** What the instant of a planned fault is called; `null`: it has no name here. */
export function instantName({ kind, event, match }: Pick<Instant, "kind" | "event" | "match">): InstantName | null {
  if (kind === "after" && event === "TaskStateChanged" && match["to"] === "RUNNING") return "running";
  return names[`${kind} ${event}`] ?? null;
}
