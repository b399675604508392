/**
 * The points at which a rule of Flink decides, one small function each. A scenario's `broken` rules and the tests' defects
 * put another function in the place of one of these; nothing else in the engine knows of them.
 */
import type { ClaimMode } from "../protocol/reasons.ts";
import type { Distribution } from "../protocol/repartition.ts";
import type { Guarantee } from "../protocol/sinks.ts";
import { type Channel, Job } from "./layout.ts";
import type { Plan } from "./plan.ts";
import type { World } from "./world.ts";

export interface Decisions {
  /** CP-042: does a channel that delivered its barrier early wait for the others? */
  readonly blocksChannel: () => boolean;
  /** CP-061: for how many barriers does a tracker wait, of so many channels? */
  readonly barriersAwaited: (channels: number) => number;
  /** CP-076, CP-077: is a record in flight stored on this side of its channel? */
  readonly persists: (side: typeof Channel.input | typeof Channel.output, plan: Plan, channel: number) => boolean;
  /** CP-077: does an unaligned barrier go ahead of what is in the sender's buffers? */
  readonly overtakes: () => boolean;
  /** CP-085: does recovered input go ahead of what its sender has put into the channel? */
  readonly recoveredGoesFirst: () => boolean;
  /** CP-085: is recovered input consumed before a task reads anything else? */
  readonly waitsForRecovered: () => boolean;
  /** SK-144, INV-113: does a pre-committed transaction wait for the notification? */
  readonly commitWaits: () => boolean;
  /** SK-171: does the committer record a batch that is sent? */
  readonly recordsBatch: () => boolean;
  /** SK-002: where a connection goes on, of which so many records were delivered. */
  readonly connectsAt: (delivered: number) => number;
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
  /** CP-134: does a new leader read the store of completed checkpoints? */
  readonly readsStore: () => boolean;
  /** FR-100: does it count checkpoint ids on? */
  readonly countsIdsOn: () => boolean;
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
  /** CP-030, CP-191: is a barrier, or the end of data, put behind the records sent before it? */
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
  /** FR-002, FR-011: is a move that its machine does not know refused? */
  readonly checksEdges: () => boolean;
  /** FR-004: is a report about an attempt that has ended or is being cancelled passed by? */
  readonly passesByOldReport: () => boolean;
  /** FR-080.3: does a restart wait until everything it replaces has ended? */
  readonly waitsForCancellation: () => boolean;
  /** CP-005: are pending checkpoints aborted when the scheduler stops? */
  readonly suspendsPending: () => boolean;
  /** CP-105: does one thread of a task write its asynchronous parts, one after the other? */
  readonly writesInOrder: () => boolean;
  /** CP-122: does a completed checkpoint abort the older pending ones? */
  readonly subsumesPending: () => boolean;
  /** CP-130: does it replace the oldest in the store? */
  readonly subsumesCompleted: () => boolean;
  /** CP-140: does an aborted checkpoint (wrongly) go to the store? */
  readonly storesAborted: () => boolean;
  /** CP-129: the checkpoint that the message of an abort says is complete. */
  readonly latestCompleted: (latest: number, aborted: number) => number;
  /** CP-030: the id that a task's barrier carries. */
  readonly barrierId: (checkpoint: number) => number;
  /** CP-031: does a task pass by a trigger or barrier that is not newer than its last checkpoint? */
  readonly passesByOldTrigger: () => boolean;
  /** CP-030: is the thread occupied from its barrier to its snapshot? */
  readonly occupiesThread: () => boolean;
  /** CP-042: does what waits behind an early barrier stay in its channel? */
  readonly keepsBuffered: () => boolean;
  /** CP-032: do records leave a channel in the order in which they came? */
  readonly isFirstInFirstOut: () => boolean;
  /** CP-175: the subtask that a key's records go to, of so many. */
  readonly receiverOf: (receiver: number, receivers: number) => number;
  /** FR-085: does an attempt load the state it was given? */
  readonly loadsState: () => boolean;
  /** SK-152: does a sink wait at the barrier until all it wrote is in the log? */
  readonly flushes: (guarantee: Guarantee) => boolean;
  /** SK-141: does a sink hand its transaction over at the barrier? */
  readonly handsOver: () => boolean;
  /** KF-003: after how many milliseconds a record is in the log. */
  readonly arrivesAfter: (delay: number, record: number) => number;
  /** KF-001: is an acknowledged record in the log? */
  readonly appends: () => boolean;
  /** SK-144: may a transaction of this checkpoint be committed when that one is known to be complete? */
  readonly mayCommit: (checkpoint: number, completed: number) => boolean;
  /** SK-155: the first name that a restored sink asks for. */
  readonly probesFrom: (restored: number) => number;
  /** KF-012: does initialising an id abort what is under way? */
  readonly abortsOngoing: () => boolean;
  /** KF-014: is the commit of a fenced or decided transaction refused? */
  readonly refusesCommit: () => boolean;
  /** KF-015: is a transaction complete only when each of its partitions has its marker? */
  readonly awaitsMarkers: () => boolean;
  /** KF-003: does a partition know a batch that is sent again? */
  readonly recognisesRepeats: () => boolean;
  /** SK-153: the number of a pooled name, given the smallest that is not in use. */
  readonly pooledNumber: (free: number) => number;
  /** CP-114: is a shared file that this checkpoint used last still in use, where `lowest` is the oldest retained one? */
  readonly isUsed: (lastUsed: number, lowest: number) => boolean;
  /** CP-151: by how much a failed checkpoint that counts raises the counter. */
  readonly countsAs: () => number;
  /** KF-030: where a transaction begins on a partition, given its end. */
  readonly firstOffset: (end: number) => number;
  /** CP-192: does a task that has reached the end of its data end only with a checkpoint completed since? */
  readonly waitsForFinalCheckpoint: () => boolean;
  /** CP-196: is a subtask whose vertex had finished restored as finished? */
  readonly restoresFinished: () => boolean;
  /** INV-014: does a request wait for the end of another one's trigger phase? */
  readonly waitsForTriggerPhase: () => boolean;
  /** CP-015, CP-016: are tasks triggered only when every operator coordinator's snapshot is taken, its events confirmed? */
  readonly waitsForCoordinators: () => boolean;
  /** CP-125: does a savepoint (wrongly) go to the store of completed checkpoints? */
  readonly storesSavepoint: () => boolean;
  /** CP-125: are tasks (wrongly) told that a savepoint is complete that stops nothing? */
  readonly notifiesSavepoint: () => boolean;
  /** CP-143: does a completed checkpoint (wrongly) abort a pending savepoint? */
  readonly subsumesSavepoints: () => boolean;
  /** CP-164: do periodic checkpoints end with the request to stop? */
  readonly stopsTriggers: () => boolean;
  /** CP-170: is the newest snapshot of those on the shelf that are meant taken? */
  readonly takesNewest: () => boolean;
  /** CP-175: the subtask that gets a key's state; `before` had it, and there are so many now. */
  readonly stateOwner: (owner: number, before: number, parallelism: number) => number;
  /** CP-180: how is list state dealt out to another number of subtasks? */
  readonly dealsListState: () => Distribution;
  /** CP-180: are the committables of a subtask with this number taken over, where there are so many subtasks now? */
  readonly takesCommittables: (number: number, parallelism: number) => boolean;
  /** CP-180: the position of a split that goes to another reader. */
  readonly movedPosition: (position: number) => number;
  /** CP-089: are records in flight taken over? */
  readonly takesInFlight: () => boolean;
  /** CP-171: are the files of the snapshot the new job's? */
  readonly claims: (claimMode: ClaimMode) => boolean;
  /** SK-155: are ids of subtasks beyond a sink's parallelism asked for? */
  readonly probesBeyond: () => boolean;
  /** SK-147: does a table's committer ask it for what a restored state holds? */
  readonly asksTable: () => boolean;
  /** SK-143: does a committer file what comes for a checkpoint behind what it has of it (P-16)? */
  readonly filesTogether: () => boolean;
  /** SK-150: how many committers are said to have a part in a checkpoint: as many as then, or as there are now (P-62). */
  readonly committersOf: (then: number, now: number) => number;
  /** SK-182: how many records of its file in progress a restored sink keeps, of those that state says and that there are. */
  readonly validLength: (length: number, written: number) => number;
}

export const flink: Decisions = {
  blocksChannel: () => true,
  barriersAwaited: (channels) => channels,
  persists: () => true,
  overtakes: () => true,
  recoveredGoesFirst: () => true,
  waitsForRecovered: () => true,
  commitWaits: () => true,
  recordsBatch: () => true,
  connectsAt: (delivered) => delivered,
  restoredPosition: (position) => position,
  disposesAborted: () => true,
  acceptsAttempt: (attempt, current) => attempt === current,
  acknowledgementsNeeded: (tasks) => tasks,
  nextCheckpointId: (id) => id + 1,
  restoresFrom: (count) => count - 1,
  readsStore: () => true,
  countsIdsOn: () => true,
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
  checksEdges: () => true,
  passesByOldReport: () => true,
  waitsForCancellation: () => true,
  suspendsPending: () => true,
  writesInOrder: () => true,
  subsumesPending: () => true,
  subsumesCompleted: () => true,
  storesAborted: () => false,
  latestCompleted: (latest) => latest,
  barrierId: (checkpoint) => checkpoint,
  passesByOldTrigger: () => true,
  occupiesThread: () => true,
  keepsBuffered: () => true,
  isFirstInFirstOut: () => true,
  receiverOf: (receiver) => receiver,
  loadsState: () => true,
  flushes: (guarantee) => guarantee !== "none",
  handsOver: () => true,
  arrivesAfter: (delay) => delay,
  appends: () => true,
  mayCommit: (checkpoint, completed) => checkpoint <= completed,
  probesFrom: (restored) => restored + 1,
  abortsOngoing: () => true,
  refusesCommit: () => true,
  awaitsMarkers: () => true,
  recognisesRepeats: () => true,
  pooledNumber: (free) => free,
  isUsed: (lastUsed, lowest) => lastUsed >= lowest,
  countsAs: () => 1,
  firstOffset: (end) => end,
  waitsForFinalCheckpoint: () => true,
  restoresFinished: () => true,
  waitsForTriggerPhase: () => true,
  waitsForCoordinators: () => true,
  storesSavepoint: () => false,
  notifiesSavepoint: () => false,
  subsumesSavepoints: () => false,
  stopsTriggers: () => true,
  takesNewest: () => true,
  stateOwner: (owner) => owner,
  dealsListState: () => "split",
  takesCommittables: () => true,
  movedPosition: (position) => position,
  takesInFlight: () => true,
  claims: (claimMode) => claimMode === "CLAIM",
  probesBeyond: () => true,
  asksTable: () => true,
  filesTogether: () => true,
  committersOf: (then, now) => Math.min(then, now),
  validLength: (length) => length,
};
