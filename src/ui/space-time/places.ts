/** Where the events of a run lie along the axis: by simulated time or by causal order. */
import type { SpaceTime } from "../../projection/space-time.ts";
import type { EventLog } from "../../protocol/log.ts";

export type Axis = "time" | "order";

export interface Places {
  /** Entries that have one. */
  readonly length: number;
  /** The greatest of them. */
  readonly end: number;
  /** Milliseconds of simulated time, or a rank; 0 for an entry that is not there yet. */
  at(step: number): number;
}

export function placesOf(space: SpaceTime, log: EventLog, axis: Axis): Places {
  return axis === "order" ? new Ranks(space) : new Times(log, space.length);
}

class Ranks implements Places {
  readonly length: number;
  readonly end: number;
  private readonly space: SpaceTime;

  constructor(space: SpaceTime) {
    this.space = space;
    this.length = space.length;
    this.end = space.lastRank;
  }

  at(step: number): number {
    return step < this.length ? this.space.rankOf(step) : 0;
  }
}

/** Entries of one millisecond lie one behind the other within it, so that time is told apart. */
class Times implements Places {
  readonly length: number;
  private readonly log: EventLog;
  /** By step: the part of its millisecond that lies before it. */
  private readonly parts: Float32Array;

  constructor(log: EventLog, length: number) {
    this.log = log;
    this.length = length;
    this.parts = new Float32Array(length);
    for (let first = 0; first < length;) {
      const clock = log.clock(first);
      let end = first + 1;
      while (end < length && log.clock(end) === clock) end++;
      for (let step = first; step < end; step++) this.parts[step] = (step - first) / (end - first);
      first = end;
    }
  }

  get end(): number {
    return this.length === 0 ? 0 : this.at(this.length - 1);
  }

  at(step: number): number {
    return step < this.length ? this.log.clock(step) + (this.parts[step] as number) : 0;
  }
}
