/**
 * Savepoints, and what stands in storage for a new submission (`CheckpointProperties`, `SavepointType`,
 * `AbstractFsCheckpointStorageAccess`; CP-125, CP-131, CP-160 to CP-162, CP-168). A savepoint has its number from the same
 * counter as checkpoints and lies in the same tables while it is pending; what tells it apart is its row here, which the
 * barrier carries along as `CheckpointOptions` in Flink. It never goes to the store of completed checkpoints, so that
 * nothing subsumes it and no recovery uses it: the user owns it. A row that is `standing` goes on the shelf when its job is
 * over (`shelf.ts`): its files and manifests are in the tables of `checkpoint-storage.ts`, the words of its subtasks and
 * coordinators behind its own.
 */
import { at } from "../base/assert.ts";
import { checkpointKinds, savepointFormats } from "../protocol/reasons.ts";
import { savepointDirectory } from "../scenario/savepoint-path.ts";
import type { Command } from "../scenario/scenario.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Pending, Savepoint, SavepointStage } from "./layout.ts";

export const Kind = {
  checkpoint: checkpointKinds.indexOf("CHECKPOINT"),
  savepoint: checkpointKinds.indexOf("SAVEPOINT"),
  /** Of a stop with a savepoint: tasks end with its notification. */
  synchronous: checkpointKinds.indexOf("SYNC_SAVEPOINT"),
} as const;

/** The row of what has this number; `-1`: an ordinary checkpoint that the job still has, or nothing. */
export function savepointRow(k: Kernel, checkpoint: number): number {
  return k.world.savepoints.find(Savepoint.checkpoint, checkpoint);
}

/** What is being taken under a number (`Kind`); it is settled with the trigger and travels with every barrier. */
export function kindOf(k: Kernel, checkpoint: number): number {
  if (k.world.savepoints.count === 0) return Kind.checkpoint;
  const row = savepointRow(k, checkpoint);
  return row < 0 ? Kind.checkpoint : k.world.savepoints.get(row, Savepoint.kind);
}

export function isSavepoint(k: Kernel, checkpoint: number): boolean {
  return kindOf(k, checkpoint) !== Kind.checkpoint;
}

/** Who asked for what a row holds; `null`: nobody, it is a checkpoint. */
function commandOf(k: Kernel, row: number): Command | null {
  return k.commands[k.world.savepoints.get(row, Savepoint.command)] ?? null;
}

/** Does a stop with this savepoint drain the job first (CP-165)? */
export function drains(k: Kernel, checkpoint: number): boolean {
  const row = savepointRow(k, checkpoint);
  return row >= 0 && commandOf(k, row)?.drain === true;
}

/** CP-161: a savepoint's format, as a place in `savepointFormats`. */
export function formatOf(k: Kernel, row: number): number {
  return savepointFormats.indexOf(commandOf(k, row)?.formatType ?? "CANONICAL");
}

/** Is it written in the format of the state backend, whose files it holds all of? */
export function isNative(k: Kernel, checkpoint: number): boolean {
  const row = savepointRow(k, checkpoint);
  return row >= 0 && formatOf(k, row) === savepointFormats.indexOf("NATIVE");
}

/** A request waits for its turn. `attempts`: the executions that end with it (`stop-with-savepoint.ts`), or `-1`. */
export function queueSavepoint(k: Kernel, kind: number, command: number, attempts: number): void {
  const { savepoints } = k.world;
  const row = savepoints.count;
  savepoints.open(row);
  for (let column = 0; column < savepoints.width; column++) savepoints.set(row, column, -1);
  savepoints.set(row, Savepoint.checkpoint, 0);
  savepoints.set(row, Savepoint.submission, k.world.job(Job.submission));
  savepoints.set(row, Savepoint.kind, kind);
  savepoints.set(row, Savepoint.stage, SavepointStage.queued);
  savepoints.set(row, Savepoint.command, command);
  savepoints.set(row, Savepoint.attempts, attempts);
}

/** The oldest request that waits, as a row; `-1`: none does. */
export function queuedSavepoint(k: Kernel): number {
  const { savepoints } = k.world;
  return savepoints.count === 0 ? -1 : savepoints.find(Savepoint.stage, SavepointStage.queued);
}

export function queuedSavepoints(k: Kernel): number {
  const { savepoints } = k.world;
  let count = 0;
  for (let row = 0; row < savepoints.count; row++)
    if (savepoints.get(row, Savepoint.stage) === SavepointStage.queued) count++;
  return count;
}

/** A pending savepoint is complete: what it holds of everyone is kept from now on. */
export function keepSavepoint(k: Kernel, checkpoint: number, pendingRow: number): void {
  const { savepoints } = k.world;
  const row = savepointRow(k, checkpoint);
  savepoints.set(row, Savepoint.stage, SavepointStage.standing);
  for (let word = Savepoint.SIZE; word < savepoints.width; word++)
    savepoints.set(row, word, k.world.pending(pendingRow, Pending.SIZE + word - Savepoint.SIZE));
}

/** What a checkpoint in the store, or one that stands by itself, holds for a subtask; `null`: there is none. */
export function snapshotWord(k: Kernel, checkpoint: number, task: number): number | null {
  const { world } = k;
  for (let row = world.job(Job.completed) - 1; row >= 0; row--)
    if (world.completed(row, Pending.id) === checkpoint) return world.completed(row, Pending.SIZE + task);
  const row = savepointRow(k, checkpoint);
  const stands = row >= 0 && world.savepoints.get(row, Savepoint.stage) === SavepointStage.standing;
  return stands ? world.savepoints.get(row, Savepoint.SIZE + task) : null;
}

/** Does a command name a directory, or is one configured? */
export function hasDirectory(k: Kernel, command: number): boolean {
  return savepointDirectory(k.plan.scenario, at(k.commands, command)) !== null;
}
