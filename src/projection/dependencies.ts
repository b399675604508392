/**
 * All that an entry comes of: the cause that the log gives it, which is the last thing it waited for, and what it names
 * besides. Who is restored comes of the checkpoint it is restored from; a source goes back because its state was restored;
 * a sink pre-commits for a checkpoint because its barriers have come.
 */
import { EventNumber, type EventType } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { places } from "./fields.ts";

/** Entries that name the checkpoint they go back to, by the place of its number. */
const restoring: ReadonlyMap<number, number> = new Map(
  (
    [
      ["StateRestored", places("StateRestored").checkpoint],
      ["RestoredAsFinished", places("RestoredAsFinished").checkpoint],
      ["ChannelStateRestored", places("ChannelStateRestored").checkpoint],
      ["CoordinatorReset", places("CoordinatorReset").checkpoint],
      ["SplitReturned", places("SplitReturned").checkpoint],
      ["CheckpointRecovered", places("CheckpointRecovered").checkpoint],
    ] as const satisfies readonly (readonly [EventType, number])[]
  ).map(([type, place]) => [EventNumber[type], place]),
);

const completed = places("CheckpointCompleted");
const restored = places("StateRestored");
const rewound = places("SourceRewound");
const aligned = places("AlignmentCompleted");
const overtaken = places("UnalignedSnapshotStarted");
const preCommitted = places("TransactionPreCommitted");

/** What entries name besides their cause, by step. */
export class Dependencies {
  private readonly log: EventLog;
  private readonly named = new Map<number, number>();

  constructor(log: EventLog) {
    this.log = log;
    const completions = new Map<number, number>();
    const restores = new Map<number, number>();
    const barriers = new Map<string, number>();
    for (let step = 0; step < log.length; step++) {
      const type = log.type(step);
      const field = (place: number): number => log.field(step, place);
      const place = restoring.get(type);
      if (place !== undefined) this.name(step, completions.get(field(place)));
      if (type === EventNumber.CheckpointCompleted) completions.set(field(completed.checkpoint), step);
      if (type === EventNumber.StateRestored) restores.set(field(restored.subtask), step);
      if (type === EventNumber.SourceRewound) this.name(step, restores.get(field(rewound.subtask)));
      if (type === EventNumber.AlignmentCompleted)
        barriers.set(`${field(aligned.subtask)} ${field(aligned.checkpoint)}`, step);
      if (type === EventNumber.UnalignedSnapshotStarted)
        barriers.set(`${field(overtaken.subtask)} ${field(overtaken.checkpoint)}`, step);
      if (type === EventNumber.TransactionPreCommitted)
        this.name(step, barriers.get(`${field(preCommitted.subtask)} ${field(preCommitted.checkpoint)}`));
    }
  }

  private name(step: number, of: number | undefined): void {
    if (of !== undefined) this.named.set(step, of);
  }

  /** Entries that it comes of at once, each before it. */
  of(step: number): number[] {
    const [cause, named] = [this.log.cause(step), this.named.get(step)];
    return [...(cause < 0 ? [] : [cause]), ...(named === undefined ? [] : [named])];
  }
}
