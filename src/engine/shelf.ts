/**
 * The snapshots in storage that a job can be started from when the one that took them is over (`CompletedCheckpoint`,
 * `CheckpointProperties`; CP-112, CP-168, FR-013, FR-115). What a snapshot holds is kept in the numbers of the job that took
 * it: a word for each subtask and each operator coordinator as in the store, then the objects of each subtask.
 */
import { at } from "../base/assert.ts";
import { checkpointDirectory, jobIds } from "../scenario/checkpoint-path.ts";
import { savepointDirectory, savepointPath } from "../scenario/savepoint-path.ts";
import { METADATA, acknowledgedRow, isDown } from "./checkpoint-storage.ts";
import type { Kernel } from "./kernel.ts";
import { File, Job, Manifest, Pending, Savepoint, SavepointStage, Shelf } from "./layout.ts";
import type { Plan } from "./plan.ts";

/** In `Shelf.savepoint`: neither a checkpoint nor a savepoint. */
const DRAWN = 2;

/** A snapshot as it was taken. */
export interface Stored {
  readonly row: number;
  readonly plan: Plan;
  /** Of the submission that took it. */
  readonly submission: number;
  readonly checkpoint: number;
  readonly savepoint: boolean;
  /** A cut that somebody drew: it lies nowhere in storage (`restore-cut.ts`). */
  readonly drawn: boolean;
  /** By subtask of that job: the word of its state (`checkpoint-plan.ts`), and the handle of its objects. */
  readonly words: readonly number[];
  readonly objects: readonly number[];
  /** By source of that job: the handle of its coordinator's snapshot. */
  readonly coordinators: readonly number[];
}

/** The metadata file of a checkpoint that a submission owns, as a row; `-1`: it is not there. */
function metadataRow({ world: { files } }: Kernel, owner: number, checkpoint: number): number {
  for (let row = 0; row < files.count; row++) {
    if (files.get(row, File.task) !== METADATA || files.get(row, File.checkpoint) !== checkpoint) continue;
    if (files.get(row, File.owner) === owner) return row;
  }
  return -1;
}

/**
 * A job is over: its savepoints go on the shelf, and what its store holds and its end has not deleted (CP-168). A JobManager
 * that is gone has deleted nothing (FI-24). Without a checkpoint directory nothing could be found again.
 */
export function shelveLeft(k: Kernel): void {
  const { world, plan } = k;
  const places = plan.graph.subtasks.length + plan.graph.sources.length;
  const inFiles = plan.scenario.config.state.dir !== null;
  for (let row = 0; inFiles && row < world.job(Job.completed); row++) {
    const words = Array.from({ length: places }, (_, place) => world.completed(row, Pending.SIZE + place));
    shelve(k, world.completed(row, Pending.id), words, false, -1);
  }
  const { savepoints } = world;
  for (let row = 0; row < savepoints.count; row++) {
    if (savepoints.get(row, Savepoint.stage) !== SavepointStage.standing) continue;
    const words = Array.from({ length: places }, (_, place) => savepoints.get(row, Savepoint.SIZE + place));
    shelve(k, savepoints.get(row, Savepoint.checkpoint), words, true, savepoints.get(row, Savepoint.command));
  }
}

/** What this job took and owns; a snapshot that it was started from and did not claim is there already. */
function shelve(k: Kernel, checkpoint: number, words: readonly number[], savepoint: boolean, command: number): void {
  const { world, plan } = k;
  const metadata = metadataRow(k, world.job(Job.submission), checkpoint);
  if (metadata < 0) return;
  const objects = plan.graph.subtasks.map(({ index }) => {
    const manifest = acknowledgedRow(k, index, checkpoint);
    return manifest < 0 ? 0 : world.manifests.get(manifest, Manifest.objects);
  });
  const content = k.arena.sequences.intern([...words, ...objects]);
  const file = world.files.get(metadata, File.number);
  world.shelf.push(world.job(Job.submission), checkpoint, savepoint ? 1 : 0, content, file, command);
}

/** A cut that somebody drew is there for the one submission that it was drawn for. */
export function shelveCut(k: Kernel, checkpoint: number, words: readonly number[], command: number): void {
  const content = k.arena.sequences.intern([...words, ...k.plan.graph.subtasks.map(() => 0)]);
  k.world.shelf.push(k.world.job(Job.submission), checkpoint, DRAWN, content, 0, command);
}

/** Where a snapshot on the shelf lies. */
function pathOf(k: Kernel, row: number): string {
  const { shelf } = k.world;
  const checkpoint = shelf.get(row, Shelf.checkpoint);
  const { plan, number } = k.submissionOf(shelf.get(row, Shelf.submission));
  const command = k.commands[shelf.get(row, Shelf.command)];
  const directory = command === undefined ? null : savepointDirectory(plan.scenario, command);
  if (directory !== null) return savepointPath(directory, plan.scenario, checkpoint, number);
  const ids = jobIds(k.chain.map((submission) => k.commands[submission.command]));
  return `${checkpointDirectory(plan.scenario.config.state, at(ids, number))}/chk-${checkpoint}`;
}

function storedIn(k: Kernel, row: number): Stored {
  const { shelf } = k.world;
  const { plan, number } = k.submissionOf(shelf.get(row, Shelf.submission));
  const content = k.arena.sequences.toArray(shelf.get(row, Shelf.content));
  const [tasks, sources] = [plan.graph.subtasks.length, plan.graph.sources.length];
  return {
    row,
    plan,
    submission: number,
    checkpoint: shelf.get(row, Shelf.checkpoint),
    savepoint: shelf.get(row, Shelf.savepoint) === 1,
    drawn: shelf.get(row, Shelf.savepoint) === DRAWN,
    words: content.slice(0, tasks),
    coordinators: content.slice(tasks, tasks + sources),
    objects: content.slice(tasks + sources),
  };
}

function newestDrawn({ world: { shelf } }: Kernel): number {
  let row = shelf.count - 1;
  while (row > 0 && shelf.get(row, Shelf.savepoint) !== DRAWN) row--;
  return row;
}

/**
 * The snapshot that an operation names: the newest savepoint, the newest retained checkpoint, or one by its path; `chk-n`
 * alone, or below a directory of another name, is the newest checkpoint of that number. `null`: there is none. One whose
 * metadata was deleted is not there any more.
 */
export function findStored(k: Kernel, from: string): Stored | null {
  const { shelf, files } = k.world;
  if (from === "cut") return storedIn(k, newestDrawn(k));
  const there = (row: number): boolean => files.find(File.number, shelf.get(row, Shelf.file)) >= 0;
  const oldestFirst = Array.from({ length: shelf.count }, (_, row) => row).filter(there);
  const rows = k.decisions.takesNewest() ? oldestFirst : oldestFirst.toReversed();
  const path = from.replace(/\/$/, "");
  const id = Number(/(?:^|\/)chk-(\d+)$/.exec(path)?.[1]);
  const isSavepoint = (row: number): boolean => shelf.get(row, Shelf.savepoint) === 1;
  const found =
    from === "savepoint" || from === "checkpoint"
      ? rows.findLast((row) => isSavepoint(row) === (from === "savepoint"))
      : (rows.findLast((row) => pathOf(k, row) === path) ??
        rows.findLast((row) => !isSavepoint(row) && shelf.get(row, Shelf.checkpoint) === id));
  return found === undefined ? null : storedIn(k, found);
}

/** FR-115: can the metadata of a snapshot be read? */
export function isReadable(k: Kernel, { row, drawn }: Stored): boolean {
  const { shelf, files } = k.world;
  if (drawn) return true;
  const file = files.find(File.number, shelf.get(row, Shelf.file));
  return !isDown(k, "checkpoints") && file >= 0 && files.get(file, File.corrupt) === 0;
}

/** CP-171, CLAIM: the files of a snapshot are the new job's from here on. */
export function claim(k: Kernel, { row }: Stored, numbers: ReadonlySet<number>, owner: number): void {
  const { shelf, files } = k.world;
  const metadata = shelf.get(row, Shelf.file);
  for (let file = 0; file < files.count; file++) {
    const number = files.get(file, File.number);
    if (number === metadata || numbers.has(number)) files.set(file, File.owner, owner);
  }
}
