/**
 * What lies in storage that a job can be started from: savepoints, and checkpoints that are not deleted, of all jobs of a
 * run so far (`CompletedCheckpoint`, `CheckpointProperties`; CP-112, CP-160, CP-162, CP-168, CP-171). Told by the log alone: a
 * snapshot is there from its completion until its metadata is deleted. Checkpoints that were subsumed or aborted are left
 * out, and so are those of a job that has no checkpoint directory: nobody could find them again (CP-111).
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import {
  type SavepointFormat,
  checkpointKinds,
  claimModes,
  faultVerbs,
  savepointFormats,
} from "../protocol/reasons.ts";
import { checkpointDirectory, jobIds } from "../scenario/checkpoint-path.ts";
import { keepsCheckpoints } from "../scenario/retention.ts";
import { savepointDirectory, savepointPath } from "../scenario/savepoint-path.ts";
import type { Command } from "../scenario/scenario.ts";
import { places } from "./fields.ts";
import type { Shared } from "./shared.ts";
import { Jobs } from "./submitted-job.ts";
import type { CheckpointView, JobStatus, RunView } from "./views.ts";

/** Which files of a snapshot cannot be read. Only without its metadata is it refused. */
export type Damage = "all" | "exclusive" | "shared";

/** A snapshot in storage. A value. */
export interface StoredSnapshot {
  /** Which of the run's jobs took it, from 0, and its number there. */
  readonly submission: number;
  readonly checkpoint: number;
  readonly kind: (typeof checkpointKinds)[number];
  /** Of a savepoint. */
  readonly format: SavepointFormat | null;
  readonly path: string;
  /** The number of its metadata file. */
  readonly file: number;
  readonly completedAt: number;
  /** The jobs that had it, the one that has it last: that which took it, then those that claimed it (CP-171). */
  readonly holders: readonly number[];
  readonly damage: Damage | null;
  /** When its metadata was deleted; `-1`: it is there. */
  readonly deletedAt: number;
  /** A newer checkpoint took its place (CP-130). */
  readonly subsumed: boolean;
}

const places_ = {
  written: places("CheckpointFileWritten"),
  deleted: places("CheckpointFileDeleted"),
  located: places("SavepointLocationInitialized"),
  triggered: places("CheckpointTriggered"),
  completed: places("CheckpointCompleted"),
  recovered: places("CheckpointRecovered"),
  subsumed: places("CheckpointSubsumed"),
  submitted: places("JobSubmitted"),
  fault: places("FaultInjected"),
};

const SAVEPOINT: readonly string[] = ["SAVEPOINT", "SYNC_SAVEPOINT"];

/** The shelf at any step of a log: kept whenever it changes. */
export class Shelf {
  private readonly log: EventLog;
  private readonly jobs: Jobs;
  private readonly commands: readonly Command[];
  private readonly steps: number[] = [];
  private readonly kept: (readonly StoredSnapshot[])[] = [];
  private now: readonly StoredSnapshot[] = [];
  private submissions: (Command | undefined)[] = [undefined];
  /** Of the job that runs, by number: what is being taken, and the metadata file. */
  private kinds = new Map<number, (typeof checkpointKinds)[number]>();
  private savepoints = new Map<number, { readonly format: SavepointFormat; readonly path: string }>();
  private metadata = new Map<number, number>();
  /** The snapshot that the newest submission claimed. */
  private claimed: StoredSnapshot | null = null;
  private length = 0;

  constructor(first: Shared, log: EventLog) {
    this.log = log;
    this.jobs = new Jobs(first);
    this.commands = first.commands;
  }

  /** Oldest first. */
  at(step: number): readonly StoredSnapshot[] {
    this.extend();
    let place = this.steps.length - 1;
    while (place >= 0 && at(this.steps, place) > step) place--;
    return this.kept[place] ?? [];
  }

  private extend(): void {
    this.jobs.extend(this.log);
    for (; this.length < this.log.length; this.length++) {
      const before = this.now;
      this.take(this.length);
      if (this.now === before) continue;
      this.steps.push(this.length);
      this.kept.push(this.now);
    }
  }

  private take(step: number): void {
    const { log } = this;
    const field = (place: number): number => log.field(step, place);
    switch (log.type(step)) {
      case EventNumber.CheckpointTriggered:
        this.kinds.set(field(places_.triggered.checkpoint), at(checkpointKinds, field(places_.triggered.kind)));
        break;
      case EventNumber.SavepointLocationInitialized:
        return this.locate(step);
      case EventNumber.CheckpointFileWritten:
        if (field(places_.written.subtask) < 0)
          this.metadata.set(field(places_.written.checkpoint), field(places_.written.file));
        break;
      case EventNumber.CheckpointCompleted:
        return this.store(step, field(places_.completed.checkpoint));
      case EventNumber.CheckpointRecovered:
        return this.store(step, field(places_.recovered.checkpoint));
      case EventNumber.CheckpointSubsumed: {
        const id = field(places_.subsumed.checkpoint);
        return this.change((entry) => this.has(entry, id), { subsumed: true });
      }
      case EventNumber.CheckpointFileDeleted: {
        const file = field(places_.deleted.file);
        return this.change((entry) => entry.file === file, { deletedAt: log.clock(step) });
      }
      case EventNumber.FaultInjected:
        return this.damage(at(faultVerbs, field(places_.fault.do)), this.commands[field(places_.fault.fault)]);
      case EventNumber.JobSubmitted:
        return this.submit(step);
      case EventNumber.RestoreRefused:
        return this.giveBack();
      default:
    }
  }

  private get submission(): number {
    return this.submissions.length - 1;
  }

  /** Is it that checkpoint, and the running job's? */
  private has({ checkpoint, holders }: StoredSnapshot, id: number): boolean {
    return checkpoint === id && holders.at(-1) === this.submission;
  }

  private change(which: (entry: StoredSnapshot) => boolean, change: Partial<StoredSnapshot>): void {
    if (!this.now.some(which)) return;
    this.now = this.now.map((entry) => (which(entry) ? { ...entry, ...change } : entry));
  }

  private locate(step: number): void {
    const { scenario } = this.jobs.at(step);
    const { checkpoint, format, fault } = places_.located;
    const id = this.log.field(step, checkpoint);
    const directory = savepointDirectory(scenario, this.commands[this.log.field(step, fault)] ?? {});
    if (directory === null) return;
    const path = savepointPath(directory, scenario, id, this.submission);
    this.savepoints.set(id, { format: at(savepointFormats, this.log.field(step, format)), path });
  }

  private store(step: number, id: number): void {
    const { submission } = this;
    const file = this.metadata.get(id);
    if (file === undefined || this.now.some((entry) => entry.file === file)) return;
    const kind = this.kinds.get(id) ?? "CHECKPOINT";
    const savepoint = SAVEPOINT.includes(kind) ? this.savepoints.get(id) : undefined;
    const directory = checkpointDirectory(
      this.jobs.at(step).scenario.config.state,
      at(jobIds(this.submissions), submission),
    );
    const { format, path } = savepoint ?? { format: null, path: `${directory}/chk-${id}` };
    const completedAt = this.log.clock(step);
    const fresh = { damage: null, deletedAt: -1, subsumed: false };
    this.now = [
      ...this.now,
      { submission, checkpoint: id, kind, format, path, file, completedAt, holders: [submission], ...fresh },
    ];
  }

  private damage(verb: (typeof faultVerbs)[number], command: Command | undefined): void {
    if (verb !== "storage-corrupt" || command === undefined) return;
    const { checkpoint, what } = command;
    const damage = what === "exclusive" || what === "shared" ? what : "all";
    this.change((entry) => this.has(entry, checkpoint ?? 0) && entry.damage !== "all", { damage });
  }

  private submit(step: number): void {
    const { fault, from, checkpoint, claimMode } = places_.submitted;
    const field = (place: number): number => this.log.field(step, place);
    const found = snapshotOf(this.now, field(from), field(checkpoint));
    this.submissions = [...this.submissions, this.commands[field(fault)]];
    this.kinds = new Map();
    this.savepoints = new Map();
    this.metadata = new Map();
    this.claimed = found !== null && at(claimModes, field(claimMode)) === "CLAIM" ? found : null;
    if (this.claimed === null) return;
    const { file, holders } = this.claimed;
    this.change((entry) => entry.file === file, { holders: [...holders, this.submission] });
  }

  /** A job that is refused has claimed nothing. */
  private giveBack(): void {
    const { claimed } = this;
    if (claimed !== null) this.change(({ file }) => file === claimed.file, { holders: claimed.holders });
    this.claimed = null;
  }
}

/** The snapshot that `JobSubmitted` names: by the job that had it, and its number. */
function snapshotOf(shelf: readonly StoredSnapshot[], submission: number, checkpoint: number): StoredSnapshot | null {
  return shelf.findLast((entry) => entry.checkpoint === checkpoint && entry.holders.includes(submission)) ?? null;
}

export function isSavepoint({ kind }: Pick<StoredSnapshot, "kind">): boolean {
  return SAVEPOINT.includes(kind);
}

/** What is worth showing: no checkpoint that was deleted because a newer one took its place, unless it had been claimed. */
export function isShown(entry: StoredSnapshot): boolean {
  return entry.deletedAt < 0 || !entry.subsumed || isSavepoint(entry) || entry.holders.length > 1;
}

/** Who may delete its files: a person, or a job's JobManager, by its number (CP-160, CP-171). */
export function ownerOf(entry: StoredSnapshot): "user" | number {
  return isSavepoint(entry) && entry.holders.length === 1 ? "user" : at(entry.holders, entry.holders.length - 1);
}

/**
 * Can a job be started from it? `held`: it is in the store of a job that is not over, whose end decides what becomes of it:
 * `keptAt` has the statuses that keep it (CP-168). `damaged`: its metadata cannot be read (FR-115).
 */
export type Availability =
  | { readonly is: "ready" | "damaged" | "deleted" }
  | { readonly is: "held"; readonly keptAt: readonly JobStatus[] };

const ENDS = ["CANCELED", "FAILED"] as const;
const OVER: ReadonlySet<string> = new Set(["FINISHED", "FAILED", "CANCELED"]);

/** FI-24: its JobManager is gone, and nobody takes over: it has deleted nothing, and another job can be submitted. */
export function isLost({ shared, job }: RunView): boolean {
  return !job.led && !shared.scenario.config.state.highAvailability;
}

export function availability(entry: StoredSnapshot, view: RunView): Availability {
  const { shared, job } = view;
  if (entry.deletedAt >= 0) return { is: "deleted" };
  if (entry.damage === "all") return { is: "damaged" };
  if (ownerOf(entry) !== shared.submission || OVER.has(job.status) || isLost(view)) return { is: "ready" };
  const { retention } = shared.scenario.config.checkpointing;
  return { is: "held", keptAt: ENDS.filter((status) => keepsCheckpoints(retention, status)) };
}

/** Its contents in the view, and the numbers in which they are told; `null`: the view does not have them any more. */
export function contentsOf(
  { submission, checkpoint }: Pick<StoredSnapshot, "submission" | "checkpoint">,
  view: RunView,
): { readonly shared: Shared; readonly snapshot: CheckpointView } | null {
  const job = view.past[submission] ?? (submission === view.shared.submission ? view : null);
  const snapshot = job?.checkpoints.findLast(({ id }) => id === checkpoint);
  return job === null || snapshot === undefined ? null : { shared: job.shared, snapshot };
}
