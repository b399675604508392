/** Where earlier entries of a few kinds are, so that an entry can be told with what went before it. Grows with the log. */
import { at } from "../base/assert.ts";
import { EventNumber, type EventType } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { checkpointKinds } from "../protocol/reasons.ts";
import { Emissions } from "./emissions.ts";
import { executionStates, places } from "./fields.ts";
import { nextOf, previousOf } from "./phases.ts";
import type { Shared } from "./shared.ts";
import { Jobs } from "./submitted-job.ts";

/** Kinds of entries that are looked up by one of their fields; `null`: all of them in one list. */
const lookedUp = {
  TaskStopped: places("TaskStopped").subtask,
  AlignmentCompleted: places("AlignmentCompleted").subtask,
  CheckpointTriggered: places("CheckpointTriggered").checkpoint,
  TransactionBegun: places("TransactionBegun").transaction,
  TransactionCommitRequested: places("TransactionCommitRequested").transaction,
  UnalignedSnapshotStarted: places("UnalignedSnapshotStarted").subtask,
  RestartScheduled: null,
  FaultInjected: places("FaultInjected").taskManager,
} as const satisfies { readonly [T in EventType]?: number | null };

type LookedUp = keyof typeof lookedUp;

const typeOf = new Map<number, LookedUp>(
  (Object.keys(lookedUp) as LookedUp[]).map((type) => [EventNumber[type], type]),
);

const created = places("AttemptCreated");
const changed = places("TaskStateChanged");
const triggered = places("CheckpointTriggered");
const barrier = places("BarrierReceived");
const ended = places("EndOfPartitionReceived");
const FINISHED = executionStates.indexOf("FINISHED");

export class Facts {
  private readonly jobs: Jobs;
  readonly log: EventLog;
  readonly emissions: Emissions;
  private readonly steps = new Map<string, number[]>();
  /** By subtask: has it FINISHED, and how many of its channels have ended. */
  private finished: Uint8Array;
  private ended: Int32Array;
  /** By checkpoint: to whom the trigger goes; by checkpoint and subtask: how many barriers it waits for. */
  private readonly triggers = new Map<number, number>();
  private readonly kinds = new Map<number, (typeof checkpointKinds)[number]>();
  private readonly targets = new Map<string, number>();
  private length = 0;

  constructor(shared: Shared, log: EventLog) {
    this.jobs = new Jobs(shared);
    this.log = log;
    this.emissions = new Emissions(shared);
    this.finished = new Uint8Array(shared.graph.subtasks.length);
    this.ended = new Int32Array(shared.graph.subtasks.length);
  }

  /** What the views of the job share that an entry is of. */
  sharedAt(step: number): Shared {
    return this.jobs.at(step);
  }

  /** What the views of one of the run's jobs share, by its number. */
  sharedOf(submission: number): Shared | undefined {
    return this.jobs.byNumber(submission);
  }

  /** Takes in the entries that the log has more. */
  extend(): void {
    this.emissions.extend(this.log);
    this.jobs.extend(this.log);
    for (; this.length < this.log.length; this.length++) {
      this.takeEnd(this.length);
      const type = typeOf.get(this.log.type(this.length));
      if (type === undefined) continue;
      const place = lookedUp[type];
      this.listOf(type, place === null ? 0 : this.log.field(this.length, place)).push(this.length);
    }
  }

  /** What ends, and who takes part in a checkpoint then (CP-046, CP-190). */
  private takeEnd(step: number): void {
    const { log } = this;
    const { subtasks, channels } = this.jobs.at(step).graph;
    const number = (place: number): number => log.field(step, place);
    switch (log.type(step)) {
      case EventNumber.JobSubmitted:
        this.finished = new Uint8Array(subtasks.length);
        this.ended = new Int32Array(subtasks.length);
        break;
      case EventNumber.AttemptCreated:
        this.finished[number(created.subtask)] = 0;
        this.ended[number(created.subtask)] = 0;
        break;
      case EventNumber.TaskStateChanged:
        if (number(changed.to) === FINISHED) this.finished[number(changed.subtask)] = 1;
        break;
      case EventNumber.EndOfPartitionReceived: {
        const subtask = number(ended.subtask);
        this.ended[subtask] = (this.ended[subtask] as number) + 1;
        break;
      }
      case EventNumber.CheckpointTriggered: {
        const first = subtasks.filter(
          ({ index, inputs }) =>
            this.finished[index] === 0 && inputs.every((channel) => this.finished[at(channels, channel).from] === 1),
        );
        this.triggers.set(number(triggered.checkpoint), first.length);
        this.kinds.set(number(triggered.checkpoint), checkpointKinds[number(triggered.kind)] ?? "CHECKPOINT");
        break;
      }
      case EventNumber.BarrierReceived: {
        if (number(barrier.aligned) !== 1) return;
        const subtask = number(barrier.subtask);
        const open = at(subtasks, subtask).inputs.length - (this.ended[subtask] as number);
        this.targets.set(`${number(barrier.checkpoint)} ${subtask}`, open);
        break;
      }
    }
  }

  /** What is taken under a number. */
  kindOf(checkpoint: number): (typeof checkpointKinds)[number] {
    return this.kinds.get(checkpoint) ?? "CHECKPOINT";
  }

  /** How many subtasks are told to begin a checkpoint. */
  triggersOf(checkpoint: number): number {
    return this.triggers.get(checkpoint) ?? 0;
  }

  /** For how many barriers of a checkpoint a subtask waits. */
  targetOf(checkpoint: number, subtask: number, step: number): number {
    return this.targets.get(`${checkpoint} ${subtask}`) ?? at(this.jobs.at(step).graph.subtasks, subtask).inputs.length;
  }

  private listOf(type: LookedUp, key: number): number[] {
    const name = `${type} ${key}`;
    const known = this.steps.get(name);
    if (known !== undefined) return known;
    const made: number[] = [];
    this.steps.set(name, made);
    return made;
  }

  /** The last entry of a kind before `step`; `null`: there is none. */
  lastBefore(type: LookedUp, key: number, step: number): number | null {
    return previousOf(this.listOf(type, key), step);
  }

  /** Milliseconds from the last entry of a kind until the entry at `step`; `null`: there is none. */
  since(type: LookedUp, key: number, step: number): number | null {
    const before = this.lastBefore(type, key, step);
    return before === null ? null : this.log.clock(step) - this.log.clock(before);
  }

  /** How many entries of a kind there are from `from` on up to `step`, both included. */
  countUpTo(type: LookedUp, key: number, step: number, from = 0): number {
    const steps = this.listOf(type, key);
    const place = (bound: number): number => {
      const next = nextOf(steps, bound);
      return next === null ? steps.length : steps.indexOf(next);
    };
    return place(step) - place(from - 1);
  }
}
