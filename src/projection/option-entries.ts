/**
 * Which entries an option of Flink decides, or the time of: so the first of them that two runs do not have in common is
 * the first that the option's difference can be seen by. Options that nothing in the log hangs on have no row.
 */
import type { EventType } from "../protocol/events.ts";

const barriers: readonly EventType[] = [
  "ChannelBlocked",
  "BarrierAnnounced",
  "AlignmentTimedOut",
  "UnalignedSnapshotStarted",
  "InFlightDataPersisted",
  "BarrierReceived",
  "BarrierEmitted",
  "AlignmentCompleted",
];
const triggers: readonly EventType[] = ["CheckpointTriggered", "TriggerQueued", "TriggerRejected"];
const files: readonly EventType[] = [
  "SnapshotPersisted",
  "CheckpointFileWritten",
  "CheckpointFileReused",
  "CheckpointFileDeleted",
  "SnapshotFailed",
];
const silence: readonly EventType[] = ["TaskManagerLost", "TaskFailed"];

const ck = "execution.checkpointing";

/** By the newest spelling of the option, or by what its key begins with. */
const decided: readonly (readonly [key: string, types: readonly EventType[]])[] = [
  [`${ck}.interval`, triggers],
  [`${ck}.min-pause`, triggers],
  [`${ck}.max-concurrent-checkpoints`, triggers],
  [`${ck}.checkpoints-after-tasks-finish`, triggers],
  [`${ck}.mode`, barriers],
  [`${ck}.unaligned.enabled`, barriers],
  [`${ck}.aligned-checkpoint-timeout`, barriers],
  [`${ck}.timeout`, ["CheckpointAborted"]],
  [`${ck}.tolerable-failed-checkpoints`, ["CheckpointAborted", "RestartScheduled", "JobStatusChanged"]],
  [`${ck}.num-retained`, ["CheckpointSubsumed", "CheckpointFileDeleted"]],
  [`${ck}.externalized-checkpoint-retention`, ["CheckpointFileDeleted"]],
  [`${ck}.storage`, files],
  [`${ck}.dir`, files],
  [`${ck}.incremental`, files],
  [`${ck}.data-inline-threshold`, files],
  ["state.backend.type", files],
  ["state.changelog", files],
  ["execution.state-recovery", ["StateRestored", "ChannelStateRestored"]],
  ["restart-strategy", ["RestartScheduled", "JobStatusChanged"]],
  ["jobmanager.execution.failover-strategy", ["RestartScheduled"]],
  ["slot.request.timeout", ["SlotRequestFailed"]],
  ["heartbeat", silence],
  ["task.cancellation.timeout", ["FatalError"]],
  ["sink.committer.retries", ["CommitRetryLater", "CommitFailed"]],
];

/** The types of entries that an option decides; none: nothing in the log tells of it. */
export function entriesDecidedBy(key: string): readonly EventType[] {
  return decided.find(([own]) => key === own || key.startsWith(`${own}.`))?.[1] ?? [];
}
