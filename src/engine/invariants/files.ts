/**
 * Files in checkpoint storage: what a checkpoint in the store refers to is there, as long as the job has not ended
 * (INV-025), and what a savepoint refers to always is (INV-031), as is what a job that is over has left, unless the one
 * that starts from it claims it (CP-171). Told by the entries alone.
 */
import { claimModes } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { Rows } from "../rows.ts";
import { isTerminalStatus } from "../states.ts";
import { Saved, type Subject, type Watch, copyOf } from "./watch.ts";

const CLAIM = claimModes.indexOf("CLAIM");

const Reference = { checkpoint: 0, file: 1, SIZE: 2 } as const;

export class Files implements Subject {
  static readonly ids = ["INV-025", "INV-031"] as const;
  private readonly watch: Watch;
  /** Which checkpoints refer to which files; those that are not in the store are of no concern. */
  private readonly references: Rows;

  /** The same of the jobs before, with the submission; and files among them that the job that runs has claimed. */
  private readonly left: Rows;
  private readonly claimed: Rows;

  constructor(watch: Watch, from: Files | null = null) {
    this.watch = watch;
    this.left = from === null ? new Rows(Reference.SIZE + 1) : copyOf(from.left);
    this.claimed = from === null ? new Rows(1) : copyOf(from.claimed);
    this.references = from === null ? new Rows(Reference.SIZE) : copyOf(from.references);
  }

  clone(watch: Watch): Files {
    return new Files(watch, this);
  }

  nextJob(watch: Watch, k: Kernel): Files {
    const next = new Files(watch);
    next.left.copyFrom(this.left);
    for (let row = 0; row < this.references.count; row++)
      next.left.push(
        this.references.get(row, Reference.checkpoint),
        this.references.get(row, Reference.file),
        this.watch.jobs.submission,
      );
    const { start } = watch.jobs;
    const claims = k.draft.fields[4] === CLAIM;
    for (let row = 0; row < next.left.count; row++) {
      const [checkpoint, file] = [next.left.get(row, Reference.checkpoint), next.left.get(row, Reference.file)];
      if (checkpoint !== start?.checkpoint || next.left.get(row, Reference.SIZE) !== start.submission) continue;
      next.references.push(checkpoint, file);
      if (claims) next.claimed.push(file);
    }
    return next;
  }

  CheckpointFileWritten(_: Kernel, __: number, checkpoint: number, file: number): void {
    this.references.push(checkpoint, file);
  }

  CheckpointFileReused(_: Kernel, __: number, checkpoint: number, file: number): void {
    if (file >= 0) this.references.push(checkpoint, file);
  }

  CheckpointAborted(_: Kernel, checkpoint: number): void {
    this.references.removeWhere(Reference.checkpoint, checkpoint);
  }

  /** What only pending checkpoints referred to stays in storage, and nobody asks for it. */
  LeadershipLost(): void {
    const { pending } = this.watch;
    for (let row = 0; row < pending.count; row++)
      this.references.removeWhere(Reference.checkpoint, pending.get(row, 0));
  }

  CheckpointSubsumed(_: Kernel, checkpoint: number): void {
    this.references.removeWhere(Reference.checkpoint, checkpoint);
  }

  CheckpointFileDeleted(k: Kernel, _: number, file: number): void {
    const { watch, references } = this;
    const left = this.left.find(Reference.file, file);
    if (left >= 0 && this.claimed.find(0, file) < 0) {
      const checkpoint = this.left.get(left, Reference.checkpoint);
      const what = `file ${file} is deleted, but it is the user's: checkpoint ${checkpoint} of a job before has left it, and it was not claimed`;
      watch.violated(k, "INV-031", what, `checkpoint ${checkpoint}`);
    }
    for (let row = 0; row < references.count; row++) {
      const checkpoint = references.get(row, Reference.checkpoint);
      if (references.get(row, Reference.file) !== file) continue;
      const saved = watch.savepoints.find(Saved.checkpoint, checkpoint);
      if (saved >= 0 && watch.savepoints.get(saved, Saved.completed) === 1) {
        const what = `file ${file} is deleted, but it is the user's, by savepoint ${checkpoint}`;
        watch.violated(k, "INV-031", what, `checkpoint ${checkpoint}`);
      }
      if (watch.stored.find(0, checkpoint) < 0 || isTerminalStatus(watch.status)) continue;
      const said = `file ${file} is deleted, but checkpoint ${checkpoint} in the store refers to it`;
      watch.violated(k, "INV-025", said, `checkpoint ${checkpoint}`);
    }
  }
}
