/** Where earlier entries of a few kinds are, so that an entry can be told with what went before it. Grows with the log. */
import { EventNumber, type EventType } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { Emissions } from "./emissions.ts";
import { places } from "./fields.ts";
import { nextOf, previousOf } from "./phases.ts";
import type { Shared } from "./shared.ts";

/** Kinds of entries that are looked up by one of their fields; `null`: all of them in one list. */
const lookedUp = {
  TaskStopped: places("TaskStopped").subtask,
  AlignmentCompleted: places("AlignmentCompleted").subtask,
  CheckpointTriggered: places("CheckpointTriggered").checkpoint,
  TransactionBegun: places("TransactionBegun").transaction,
  TransactionCommitRequested: places("TransactionCommitRequested").transaction,
  RestartScheduled: null,
  FaultInjected: places("FaultInjected").taskManager,
} as const satisfies { readonly [T in EventType]?: number | null };

type LookedUp = keyof typeof lookedUp;

const typeOf = new Map<number, LookedUp>(
  (Object.keys(lookedUp) as LookedUp[]).map((type) => [EventNumber[type], type]),
);

export class Facts {
  readonly shared: Shared;
  readonly log: EventLog;
  readonly emissions: Emissions;
  private readonly steps = new Map<string, number[]>();
  private length = 0;

  constructor(shared: Shared, log: EventLog) {
    this.shared = shared;
    this.log = log;
    this.emissions = new Emissions(shared);
  }

  /** Takes in the entries that the log has more. */
  extend(): void {
    this.emissions.extend(this.log);
    for (; this.length < this.log.length; this.length++) {
      const type = typeOf.get(this.log.type(this.length));
      if (type === undefined) continue;
      const place = lookedUp[type];
      this.listOf(type, place === null ? 0 : this.log.field(this.length, place)).push(this.length);
    }
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
