/**
 * The points at which a rule of Flink decides, one small function each. A scenario's `broken` rules and the tests' defects
 * put another function in the place of one of these; nothing else in the engine knows of them.
 */
import { Job } from "./layout.ts";
import type { Plan } from "./plan.ts";
import type { World } from "./world.ts";

export interface Decisions {
  /** CP-042: does a channel that delivered its barrier early wait for the others? */
  readonly blocksChannel: () => boolean;
  /** SK-144, INV-113: does a pre-committed transaction wait for the notification? */
  readonly commitWaits: () => boolean;
  /** SK-004: where a source continues, given the position in the restored state and the split's number of records. */
  readonly restoredPosition: (position: number, end: number) => number;
  /** CP-140: is an aborted checkpoint disposed, so that no later acknowledgement can complete it? */
  readonly disposesAborted: () => boolean;
  /** CP-121: does an acknowledgement of this attempt count? */
  readonly acceptsAttempt: (attempt: number, current: number) => boolean;
  /** CP-120: how many subtasks must acknowledge, of `tasks`. */
  readonly acknowledgementsNeeded: (tasks: number) => number;
  /** CP-019: the id after this one. */
  readonly nextCheckpointId: (id: number) => number;
  /** FR-082: which completed checkpoint, by its place in the store of `count`, oldest first. */
  readonly restoresFrom: (count: number) => number;
  /** CP-030: the position that a source's snapshot holds, given the one at its barrier. */
  readonly snapshotPosition: (position: number) => number;
  /** SK-147: are the restored state's transactions committed (or, wrongly, aborted) at the start? */
  readonly recommits: () => boolean;
  /** SK-155: is what an older attempt left open aborted before the first write? */
  readonly probes: () => boolean;
  /** CP-128: does a task pass by a notification at or below what it has already reported? */
  readonly ignoresOldNotification: () => boolean;
  /** FR-008: does a sink that is closed abort its current transaction? */
  readonly abortsOnClose: () => boolean;
  /** CP-030: is a barrier put behind the records sent before it? */
  readonly barrierGoesLast: () => boolean;
  /** CP-043: does a channel resume once its task has its snapshot? */
  readonly resumesChannels: () => boolean;
  /** KF-012: does initialising an id raise its epoch, so that the one before is fenced? */
  readonly fences: () => boolean;
  /** FR-005: by how much the attempt number grows. */
  readonly nextAttempt: (attempt: number) => number;
  /** FR-043: is this subtask restarted with its region? */
  readonly restartsWithRegion: (task: number, failed: number) => boolean;
  /** CP-013: may this checkpoint be pending beside those that are? */
  readonly admits: (world: World, plan: Plan) => boolean;
  /** KF-030: do markers take an offset and end the transaction on the partition? */
  readonly writesMarkers: () => boolean;
  /** FR-062: does the strategy count this failure? */
  readonly countsFailure: () => boolean;
}

export const flink: Decisions = {
  blocksChannel: () => true,
  commitWaits: () => true,
  restoredPosition: (position) => position,
  disposesAborted: () => true,
  acceptsAttempt: (attempt, current) => attempt === current,
  acknowledgementsNeeded: (tasks) => tasks,
  nextCheckpointId: (id) => id + 1,
  restoresFrom: (count) => count - 1,
  snapshotPosition: (position) => position,
  recommits: () => true,
  probes: () => true,
  ignoresOldNotification: () => true,
  abortsOnClose: () => true,
  barrierGoesLast: () => true,
  resumesChannels: () => true,
  fences: () => true,
  nextAttempt: (attempt) => attempt + 1,
  restartsWithRegion: () => true,
  admits: (world, plan) => world.job(Job.pending) < plan.scenario.config.checkpointing.maxConcurrent,
  writesMarkers: () => true,
  countsFailure: () => true,
};
