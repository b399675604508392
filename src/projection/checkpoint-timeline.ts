/**
 * One checkpoint in simulated time: at each subtask how long the barrier took to come, the alignment, the synchronous and
 * the asynchronous part, and when the coordinator, the store and the notifications had their moments (CP-200 to CP-207).
 * Each instant has the entry of the log at which to look at it.
 */
import { at } from "../base/assert.ts";
import { type EventType, EventNumber, eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { places, tellsOfSubsumption } from "./fields.ts";
import type { CheckpointView, SnapshotView } from "./views.ts";

export interface Instant {
  readonly step: number;
  readonly clock: number;
}

export const barKinds = ["startDelay", "alignment", "sync", "async"] as const;
export type BarKind = (typeof barKinds)[number];

/** A stretch of time. `step`: the last entry at or before its beginning. */
export interface Bar {
  readonly kind: BarKind;
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

export interface TimelineRow {
  readonly subtask: number;
  /** It had finished before. */
  readonly finished: boolean;
  readonly bars: readonly Bar[];
  readonly acknowledged: Instant | null;
  /** It declined, gave up its snapshot, or its acknowledgement came to nothing. */
  readonly refused: Instant | null;
  readonly notified: Instant | null;
}

export interface CheckpointTimeline {
  readonly triggered: Instant;
  readonly metadata: Instant | null;
  readonly completed: Instant | null;
  readonly aborted: Instant | null;
  /** Stragglers first: who never acknowledged, then who did last. */
  readonly rows: readonly TimelineRow[];
  /** When the last of all this happened. */
  readonly end: number;
}

interface Part {
  readonly finished: boolean;
  bars: Map<BarKind, Bar>;
  acknowledged: Instant | null;
  refused: Instant | null;
  notified: Instant | null;
}

const barrier = places("BarrierReceived");
const aligned = places("AlignmentCompleted");
const taken = places("SnapshotTaken");
const persisted = places("SnapshotPersisted");

/** Entries of other types that say when something happened to the checkpoint at a subtask, and to what. */
const subtaskInstants = {
  CheckpointAcknowledged: { places: places("CheckpointAcknowledged"), of: "acknowledged" },
  AcknowledgementDiscarded: { places: places("AcknowledgementDiscarded"), of: "refused" },
  CheckpointDeclined: { places: places("CheckpointDeclined"), of: "refused" },
  AlignmentAborted: { places: places("AlignmentAborted"), of: "refused" },
  SnapshotFailed: { places: places("SnapshotFailed"), of: "refused" },
  SnapshotDiscarded: { places: places("SnapshotDiscarded"), of: "refused" },
  NotificationDelivered: { places: places("NotificationDelivered"), of: "notified" },
} as const satisfies { readonly [T in EventType]?: unknown };
const instants = {
  CheckpointMetadataWritten: { places: places("CheckpointMetadataWritten"), of: "metadata" },
  CheckpointCompleted: { places: places("CheckpointCompleted"), of: "completed" },
  CheckpointAborted: { places: places("CheckpointAborted"), of: "aborted" },
} as const satisfies { readonly [T in EventType]?: unknown };

/** The checkpoint as far as the log goes, `checkpoint` being what a view tells of it. */
export function checkpointTimeline(log: EventLog, checkpoint: CheckpointView): CheckpointTimeline {
  const { step } = checkpoint;
  const reading = new Reading(log, checkpoint);
  for (let next = step + 1; next < log.length && !reading.whole; next++) reading.take(next);
  return reading.told();
}

class Reading {
  private readonly log: EventLog;
  private readonly triggered: Instant;
  private readonly id: number;
  private readonly parts: Part[];
  private readonly moments: { metadata: Instant | null; completed: Instant | null; aborted: Instant | null } = {
    metadata: null,
    completed: null,
    aborted: null,
  };
  private notified: number;
  private end: number;

  constructor(log: EventLog, { id, step, triggeredAt, parts }: CheckpointView) {
    this.log = log;
    this.triggered = { step, clock: triggeredAt };
    this.id = id;
    this.end = triggeredAt;
    // Whoever had finished is acknowledged with the trigger, and nobody tells it anything (CP-213).
    const left = (part: SnapshotView | null): boolean => part?.finished === true && part.acknowledgedAt === triggeredAt;
    this.parts = parts.map((part) => ({
      finished: left(part),
      bars: new Map(),
      acknowledged: left(part) ? this.triggered : null,
      refused: null,
      notified: null,
    }));
    this.notified = parts.filter(left).length;
  }

  /** It has ended and everybody knows. */
  get whole(): boolean {
    return this.notified === this.parts.length;
  }

  take(step: number): void {
    takes[this.log.type(step)]?.(this, step);
  }

  told(): CheckpointTimeline {
    const { triggered, moments, parts, end } = this;
    const order = (part: Part): number => part.acknowledged?.clock ?? Number.POSITIVE_INFINITY;
    const rows = parts.map(({ bars, ...part }, subtask) => ({
      subtask,
      bars: barKinds.flatMap((kind) => bars.get(kind) ?? []),
      ...part,
    }));
    rows.sort((a, b) => {
      const [first, second] = [order(at(parts, a.subtask)), order(at(parts, b.subtask))];
      return first === second ? a.subtask - b.subtask : second - first;
    });
    return { triggered, ...moments, rows, end };
  }

  /** The part of a subtask that an entry is about; `null`: it is about another checkpoint. */
  part(step: number, fields: { readonly subtask: number; readonly checkpoint: number }): Part | null {
    if (this.log.field(step, fields.checkpoint) !== this.id) return null;
    this.end = Math.max(this.end, this.log.clock(step));
    return this.parts[this.log.field(step, fields.subtask)] ?? null;
  }

  /** A bar up to the clock of the entry, or from there on with a step of its own. */
  bar(part: Part, kind: BarKind, from: number, to: number, step?: number): void {
    const begins = Math.max(this.triggered.step, step ?? this.log.firstAt(from + 1) - 1);
    part.bars.set(kind, { kind, from, to, step: begins });
  }

  firstBarrier(step: number): void {
    const part = this.log.field(step, barrier.aligned) === 1 ? this.part(step, barrier) : null;
    if (part === null || part.bars.has("startDelay")) return;
    const clock = this.log.clock(step);
    this.bar(part, "startDelay", this.triggered.clock, clock, this.triggered.step);
    this.bar(part, "alignment", clock, clock, step);
  }

  aligned(step: number): void {
    const part = this.part(step, aligned);
    const begun = part?.bars.get("alignment");
    if (part !== null && begun !== undefined) part.bars.set("alignment", { ...begun, to: this.log.clock(step) });
  }

  taken(step: number): void {
    const part = this.part(step, taken);
    if (part === null) return;
    const { clock } = { clock: this.log.clock(step) };
    const from = this.triggered.clock;
    if (!part.bars.has("startDelay"))
      this.bar(part, "startDelay", from, from + this.log.field(step, taken.startDelay), this.triggered.step);
    this.bar(part, "sync", clock - this.log.field(step, taken.duration), clock);
    this.bar(part, "async", clock, clock, step);
  }

  persisted(step: number): void {
    const part = this.part(step, persisted);
    const begun = part?.bars.get("async");
    if (part !== null && begun !== undefined) part.bars.set("async", { ...begun, to: this.log.clock(step) });
  }

  subtaskInstant(step: number, { places: fields, of }: (typeof subtaskInstants)[keyof typeof subtaskInstants]): void {
    const part = tellsOfSubsumption(this.log, step) ? null : this.part(step, fields);
    if (part === null || part[of] !== null) return;
    part[of] = { step, clock: this.log.clock(step) };
    if (of === "notified") this.notified++;
  }

  instant(step: number, { places: fields, of }: (typeof instants)[keyof typeof instants]): void {
    if (this.log.field(step, fields.checkpoint) !== this.id) return;
    this.moments[of] = { step, clock: this.log.clock(step) };
    this.end = Math.max(this.end, this.log.clock(step));
  }
}

const takes: ((reading: Reading, step: number) => void)[] = [];
takes[EventNumber.BarrierReceived] = (reading, step) => reading.firstBarrier(step);
takes[EventNumber.AlignmentCompleted] = (reading, step) => reading.aligned(step);
takes[EventNumber.SnapshotTaken] = (reading, step) => reading.taken(step);
takes[EventNumber.SnapshotPersisted] = (reading, step) => reading.persisted(step);
for (const type of eventTypes) {
  const [ofSubtask, ofAll] = [
    (subtaskInstants as Partial<Record<EventType, (typeof subtaskInstants)[keyof typeof subtaskInstants]>>)[type],
    (instants as Partial<Record<EventType, (typeof instants)[keyof typeof instants]>>)[type],
  ];
  if (ofSubtask !== undefined) takes[EventNumber[type]] = (reading, step) => reading.subtaskInstant(step, ofSubtask);
  if (ofAll !== undefined) takes[EventNumber[type]] = (reading, step) => reading.instant(step, ofAll);
}
