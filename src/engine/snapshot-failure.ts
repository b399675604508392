/**
 * Snapshots that fail (`SubtaskCheckpointCoordinatorImpl.cleanup`, `AsyncCheckpointRunnable.handleExecutionException`;
 * CP-102 to CP-104): an exception in the synchronous part fails the task, one in the asynchronous part declines the
 * checkpoint.
 */
import { snapshotNumber } from "../protocol/ids.ts";
import { Machine } from "../protocol/machines/all.ts";
import {
  type CheckpointFailureReason,
  type SnapshotPart,
  checkpointFailureReasons,
  failureCauses,
  rpcs,
  snapshotParts,
} from "../protocol/reasons.ts";
import type { Kernel } from "./kernel.ts";
import { Armed, Task } from "./layout.ts";
import { Op } from "./ops.ts";

const Snapshot = { running: 1, discarded: 4 } as const;
const DECLINE = rpcs.indexOf("decline");
const SNAPSHOT_FAILED = failureCauses.indexOf("SNAPSHOT_FAILED");

/** The next such part to begin there fails. */
export function arm(k: Kernel, part: SnapshotPart, task: number, checkpoint: number | null): void {
  k.world.armed.push(snapshotParts.indexOf(part), task, checkpoint ?? -1);
}

/** Is the part that begins now one that is to fail? */
export function isArmed(k: Kernel, part: SnapshotPart, task: number, checkpoint: number): boolean {
  const { armed } = k.world;
  for (let row = 0; row < armed.count; row++) {
    const wanted = armed.get(row, Armed.checkpoint);
    if (armed.get(row, Armed.part) !== snapshotParts.indexOf(part) || armed.get(row, Armed.task) !== task) continue;
    if (wanted >= 0 && wanted !== checkpoint) continue;
    armed.remove(row);
    return true;
  }
  return false;
}

/** CP-102: the exception leaves the thread, whatever number of failed checkpoints is tolerable. */
export function failSync(k: Kernel, task: number): void {
  k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), SNAPSHOT_FAILED);
}

/** CP-103, CP-104: what was written is deleted and the checkpoint declined; the task goes on. */
export function failAsync(k: Kernel, task: number, checkpoint: number, reason: CheckpointFailureReason): void {
  const number = checkpointFailureReasons.indexOf(reason);
  k.move(Machine.subtaskSnapshot, snapshotNumber(task, checkpoint), Snapshot.running, Snapshot.discarded);
  k.emit("SnapshotFailed", task, checkpoint, number);
  k.sendRpc(DECLINE, task, checkpoint, Op.decline, task, checkpoint, k.world.task(task, Task.attempt), number);
}
