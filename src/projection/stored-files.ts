/**
 * The files in checkpoint storage at any step, as a directory of each job has them (`AbstractFsCheckpointStorageAccess`;
 * CP-112): `chk-n` with what is of that checkpoint alone, `shared` with files that several may refer to, `taskowned`, which
 * only state that its task owns would use and which stays empty here. Told by the log alone. A file is there from its being
 * written until it is deleted; what a job without a checkpoint directory keeps is in no file system and is left out.
 */
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { places } from "./fields.ts";

interface StoredFile {
  /** Which of the run's jobs wrote it, and for which checkpoint. */
  readonly submission: number;
  readonly checkpoint: number;
  /** `-1`: the metadata, which the JobManager writes. */
  readonly subtask: number;
  readonly bytes: number;
  readonly shared: boolean;
  readonly writtenAt: number;
  /** Step of its deletion. */
  deletedAt: number;
}

/** What lies in one directory. */
export interface Directory {
  readonly submission: number;
  /** Of `chk-n` and of a savepoint; `null`: it is `shared`. */
  readonly checkpoint: number | null;
  readonly files: number;
  readonly bytes: number;
  /** Its metadata is there. */
  readonly whole: boolean;
}

const written = places("CheckpointFileWritten");
const deleted = places("CheckpointFileDeleted");
const submitted = places("JobSubmitted");

class StoredFiles {
  private readonly log: EventLog;
  private length = 0;
  /** By job what submitted it, as a place among the session's commands; `-1`: the scenario's own. */
  readonly submittedBy = [-1];
  private readonly files: StoredFile[] = [];
  /** By the number of the file. */
  private readonly byNumber = new Map<number, StoredFile>();

  constructor(log: EventLog) {
    this.log = log;
  }

  /** Oldest first; a directory without a file is none, as in an object store. */
  at(step: number): Directory[] {
    for (; this.length < this.log.length; this.length++) this.take(this.length);
    const directories = new Map<string, Directory>();
    for (const file of this.files) {
      if (file.writtenAt > step || file.deletedAt <= step) continue;
      const checkpoint = file.shared ? null : file.checkpoint;
      const key = `${file.submission} ${checkpoint}`;
      const known = directories.get(key);
      directories.set(key, {
        submission: file.submission,
        checkpoint,
        files: (known?.files ?? 0) + 1,
        bytes: (known?.bytes ?? 0) + file.bytes,
        whole: known?.whole === true || file.subtask < 0,
      });
    }
    return [...directories.values()];
  }

  private take(step: number): void {
    const { log } = this;
    const field = (place: number): number => log.field(step, place);
    switch (log.type(step)) {
      case EventNumber.JobSubmitted:
        this.submittedBy.push(field(submitted.fault));
        return;
      case EventNumber.CheckpointFileWritten: {
        const file: StoredFile = {
          submission: this.submittedBy.length - 1,
          checkpoint: field(written.checkpoint),
          subtask: field(written.subtask),
          bytes: field(written.bytes),
          shared: field(written.shared) === 1,
          writtenAt: step,
          deletedAt: Infinity,
        };
        this.files.push(file);
        this.byNumber.set(field(written.file), file);
        return;
      }
      case EventNumber.CheckpointFileDeleted: {
        const file = this.byNumber.get(field(deleted.file));
        if (file !== undefined) file.deletedAt = step;
        return;
      }
      default:
    }
  }
}

const known = new WeakMap<EventLog, StoredFiles>();

export function storedFilesOf(log: EventLog): StoredFiles {
  const made = known.get(log) ?? new StoredFiles(log);
  known.set(log, made);
  return made;
}
