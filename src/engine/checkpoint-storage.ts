/**
 * Checkpoint storage and the files in it (`JobManagerCheckpointStorage`, `FileSystemCheckpointStorage`,
 * `SharedStateRegistryImpl`; CP-111, CP-112, CP-114, CP-124, CP-133). A file has a number that is used once, so no key of
 * the registry ever stands for two handles; the registry is a column of the table of files: the newest checkpoint that
 * uses one. Deleting takes no time. Left out: placeholders, `taskowned`, checksums.
 */
import { at } from "../base/assert.ts";
import { Machine, machines } from "../protocol/machines/all.ts";
import { keepsCheckpoints } from "../scenario/retention.ts";
import type { Kernel } from "./kernel.ts";
import { File, Job, Manifest, Pending, Stage, Task } from "./layout.ts";
import { Node, isCut, nodeOf } from "./network-cuts.ts";
import { Actor, Op } from "./ops.ts";
import { isSavepoint } from "./savepoints.ts";
import {
  type StateObject,
  bytesOf,
  keepsObjects,
  manifestRow,
  objectsIn,
  objectsOf,
  restoreObjects,
  keepLocalCopy,
} from "./state-files.ts";

/** `JobManagerCheckpointStorage.DEFAULT_MAX_STATE_SIZE`. */
const MOST_IN_JOB_MANAGER = 5 * 1024 * 1024;
/** What is down, as bits of `Job.storageDown`. */
export const Storage = { checkpoints: 1, ha: 2, all: 3, haReplies: 4 } as const;
const jobStatuses = Object.keys(machines[Machine.jobStatus].states);
/** Above every number that a checkpoint has. */
const ALL = 2 ** 31 - 1;
/** Whose file it is: a task's, or this, the JobManager's. */
export const METADATA = -1;

/** Are files out of reach, for the JobManager or from where a task runs: those of checkpoints, or what high availability keeps? */
export function isDown(k: Kernel, what: "checkpoints" | "ha", node: number = Node.jobManager): boolean {
  const { storage, dir, highAvailability } = k.plan.scenario.config.state;
  const used = what === "ha" ? highAvailability : storage === "filesystem" || dir !== null;
  return used && ((k.world.job(Job.storageDown) & Storage[what]) !== 0 || isCut(k, node, Node.storage));
}

/** A savepoint goes to files wherever checkpoints go. */
export function isSavepointStorageDown(k: Kernel): boolean {
  return (k.world.job(Job.storageDown) & Storage.checkpoints) !== 0 || isCut(k, Node.jobManager, Node.storage);
}

/** CP-111: can storage take a task's objects? An exception comes only where something is to be written. */
export function takes(k: Kernel, task: number, objects: readonly StateObject[]): boolean {
  if (k.plan.scenario.config.state.storage === "jobmanager")
    return objects.every(({ bytes, fresh }) => !fresh || bytes <= MOST_IN_JOB_MANAGER);
  return !isDown(k, "checkpoints", nodeOf(k, task)) || objects.every(({ file, fresh }) => file === 0 || !fresh);
}

/** An asynchronous part has written its files: those that are new are there, the others are used once more. */
export function storeObjects(k: Kernel, task: number, checkpoint: number): void {
  const { world } = k;
  const row = manifestRow(k, task, world.task(task, Task.attempt), checkpoint);
  if (row < 0) return;
  world.manifests.set(row, Manifest.stage, Stage.stored);
  keepLocalCopy(k, task, row);
  for (const { file, bytes, shared, fresh } of objectsIn(k, world.manifests.get(row, Manifest.objects))) {
    if (fresh && file > 0) addFile(k, file, task, checkpoint, bytes, shared);
    else if (!fresh) k.next(Op.fileReused, Actor.wire, task, checkpoint, file === 0 ? -1 : file, bytes);
  }
}

function addFile(k: Kernel, file: number, task: number, checkpoint: number, bytes: number, shared: boolean): void {
  k.world.files.push(file, task, checkpoint, bytes, Number(shared), checkpoint, 0, k.world.job(Job.submission));
  k.next(Op.fileWritten, Actor.wire, file);
}

export function fileWritten(k: Kernel, file: number): void {
  const { files } = k.world;
  const row = files.find(File.number, file);
  const field = (column: number): number => files.get(row, column);
  k.emit(
    "CheckpointFileWritten",
    field(File.task),
    field(File.checkpoint),
    file,
    field(File.bytes),
    field(File.shared),
  );
}

/** An asynchronous part that does not come to its end leaves nothing (CP-103). */
export function forgetObjects(k: Kernel, task: number, checkpoint: number): void {
  const row = manifestRow(k, task, k.world.task(task, Task.attempt), checkpoint);
  if (row >= 0) k.world.manifests.remove(row);
}

/** CP-112: the metadata holds what has no file of its own. A savepoint always has it (CP-162). */
export function writeMetadata(k: Kernel, checkpoint: number): void {
  const { world } = k;
  if (k.plan.scenario.config.state.dir === null && !isSavepoint(k, checkpoint)) return;
  const pending = world.pendingRow(checkpoint);
  let bytes = 0;
  for (let task = 0; task < world.layout.tasks; task++) {
    const objects = objectsOf(k, task, checkpoint, world.pending(pending, Pending.SIZE + task));
    bytes += bytesOf(objects.filter(({ file }) => file === 0));
  }
  world.addJob(Job.files, 1);
  addFile(k, world.job(Job.files), METADATA, checkpoint, bytes, false);
}

/**
 * An acknowledgement names its files (CP-114, rule 1): what is shared is registered, whatever becomes of the checkpoint;
 * what is not belongs to a checkpoint that is accepted, and is deleted otherwise (CP-121).
 */
export function registerObjects(k: Kernel, task: number, attempt: number, checkpoint: number, accepted: boolean): void {
  const { manifests, files } = k.world;
  const row = manifestRow(k, task, attempt, checkpoint);
  if (row < 0 || manifests.get(row, Manifest.stage) === Stage.acknowledged) return;
  for (const { file, shared } of objectsIn(k, manifests.get(row, Manifest.objects))) {
    const place = file === 0 || !shared ? -1 : files.find(File.number, file);
    if (place >= 0) files.set(place, File.lastUsed, Math.max(files.get(place, File.lastUsed), checkpoint));
  }
  if (accepted) manifests.set(row, Manifest.stage, Stage.acknowledged);
  else discardSnapshots(k, checkpoint, task, attempt);
}

/** What a checkpoint alone has in storage is deleted (CP-133, CP-140); `task` and `attempt`: one subtask's part of it. */
export function discardCheckpoint(k: Kernel, checkpoint: number): void {
  const { files } = k.world;
  for (let row = files.count - 1; row >= 0; row--) {
    if (files.get(row, File.task) === METADATA && files.get(row, File.checkpoint) === checkpoint) deleteFile(k, row);
  }
  discardSnapshots(k, checkpoint, null, null);
}

function discardSnapshots(k: Kernel, checkpoint: number, task: number | null, attempt: number | null): void {
  const { manifests, files } = k.world;
  for (let row = manifests.count - 1; row >= 0; row--) {
    if (manifests.get(row, Manifest.checkpoint) !== checkpoint) continue;
    if (task !== null && manifests.get(row, Manifest.task) !== task) continue;
    if (attempt !== null && manifests.get(row, Manifest.attempt) !== attempt) continue;
    // What no acknowledgement has named is not the coordinator's to delete.
    if (task === null && manifests.get(row, Manifest.stage) !== Stage.acknowledged) continue;
    for (const { file, shared } of objectsIn(k, manifests.get(row, Manifest.objects)))
      if (file > 0 && !shared) deleteFile(k, files.find(File.number, file));
    manifests.remove(row);
  }
}

/**
 * The operation `shutDownStore` (CP-168, FR-013): the job has ended, and its checkpoints are deleted, or stay for whoever
 * starts from them. Without a checkpoint directory there is nothing that could stay.
 */
export function shutDownStore(k: Kernel): void {
  const { world } = k;
  const { retention } = k.plan.scenario.config.checkpointing;
  if (keepsCheckpoints(retention, at(jobStatuses, world.job(Job.status)))) return;
  for (let row = 0; row < world.job(Job.completed); row++) discardCheckpoint(k, world.completed(row, Pending.id));
  unregisterUnused(k, ALL);
}

/** CP-114, rule 5: shared files that no retained checkpoint uses are deleted; the oldest retained one is `lowest`. */
export function unregisterUnused(k: Kernel, lowest: number): void {
  const { files } = k.world;
  for (let row = files.count - 1; row >= 0; row--) {
    if (files.get(row, File.shared) === 1 && !k.decisions.isUsed(files.get(row, File.lastUsed), lowest))
      deleteFile(k, row);
  }
}

/** A file of another submission that was not claimed is not this one's to delete (CP-171). */
function deleteFile(k: Kernel, row: number): void {
  const { files } = k.world;
  if (row < 0 || files.get(row, File.owner) !== k.world.job(Job.submission)) return;
  k.next(Op.fileDeleted, Actor.wire, files.get(row, File.checkpoint), files.get(row, File.number));
  files.remove(row);
}

/** The snapshot that a completed checkpoint holds of a task, as a row; `-1`: none, or no account is kept. */
export function acknowledgedRow(k: Kernel, task: number, checkpoint: number): number {
  const { manifests } = k.world;
  for (let row = 0; row < manifests.count; row++) {
    if (manifests.get(row, Manifest.checkpoint) !== checkpoint || manifests.get(row, Manifest.task) !== task) continue;
    if (manifests.get(row, Manifest.stage) === Stage.acknowledged) return row;
  }
  return -1;
}

/** A restored attempt reads its files. False: one is out of reach, damaged or gone (FI-60). */
export function readObjects(k: Kernel, task: number, checkpoint: number, snapshot: number): boolean {
  if (!keepsObjects(k)) return true;
  const { manifests, files } = k.world;
  const row = checkpoint > 0 ? acknowledgedRow(k, task, checkpoint) : -1;
  const objects = row < 0 ? 0 : manifests.get(row, Manifest.objects);
  const own = objectsIn(k, objects).filter(({ file }) => file > 0);
  const damaged = own.some(({ file }) => {
    const place = files.find(File.number, file);
    return place < 0 || files.get(place, File.corrupt) === 1;
  });
  if (damaged || (own.length > 0 && isDown(k, "checkpoints", nodeOf(k, task)))) return false;
  restoreObjects(k, task, objects, checkpoint > 0 ? snapshot : 0);
  return true;
}

/** Files of a checkpoint that nobody can read any more; `all`: its metadata too. */
export function corrupt(k: Kernel, checkpoint: number, which: "exclusive" | "shared" | "all"): void {
  const { manifests, files } = k.world;
  for (let row = 0; which === "all" && row < files.count; row++) {
    if (files.get(row, File.task) !== METADATA || files.get(row, File.checkpoint) !== checkpoint) continue;
    if (files.get(row, File.owner) === k.world.job(Job.submission)) files.set(row, File.corrupt, 1);
  }
  for (let row = 0; row < manifests.count; row++) {
    if (manifests.get(row, Manifest.checkpoint) !== checkpoint) continue;
    for (const { file, shared } of objectsIn(k, manifests.get(row, Manifest.objects))) {
      const place = file === 0 ? -1 : files.find(File.number, file);
      if (place >= 0 && (which === "all" || (which === "shared") === shared)) files.set(place, File.corrupt, 1);
    }
  }
}
