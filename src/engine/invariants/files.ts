/**
 * Files in checkpoint storage: what a checkpoint in the store refers to is there, as long as the job has not ended
 * (INV-025), and what a savepoint refers to always is (INV-031). Told by the entries alone.
 */
import type { Kernel } from "../kernel.ts";
import { Rows } from "../rows.ts";
import { isTerminalStatus } from "../states.ts";
import { Saved, type Subject, type Watch, copyOf } from "./watch.ts";

const Reference = { checkpoint: 0, file: 1, SIZE: 2 } as const;

export class Files implements Subject {
  static readonly ids = ["INV-025", "INV-031"] as const;
  private readonly watch: Watch;
  /** Which checkpoints refer to which files; those that are not in the store are of no concern. */
  private readonly references: Rows;

  constructor(watch: Watch, from: Files | null = null) {
    this.watch = watch;
    this.references = from === null ? new Rows(Reference.SIZE) : copyOf(from.references);
  }

  clone(watch: Watch): Files {
    return new Files(watch, this);
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
