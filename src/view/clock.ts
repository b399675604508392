/**
 * The monotone map between presentation time (milliseconds a viewer at 1x spends) and the cursor (step, simulated time).
 * How fast simulated time runs follows from what moves: every movement takes a time that an eye can follow, the slowest one
 * sets the pace, and spans in which nothing moves are folded. Entries of one instant are staged one behind the other, so
 * that they can be told apart. The map is a function of the log alone: play, pause and scrub only move along it.
 *
 * Built as the log grows. Only the last instant may still be re-laid, since more entries may join it.
 */
import { at } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import { grown } from "../base/grown.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Timing } from "../scenario/scenario.ts";
import { isStaged, movementOf, SCREEN_PER_SIMULATED } from "./movement-times.ts";

/** All entries of one instant are staged within this much presentation time. */
export const INSTANT_MAX = 260;
const STAGED_GAP = 65;
const QUIET_GAP = 1;
/** A span in which nothing moves takes at most this long: a moment between two records, and a fold that is named. */
const PAUSE_MAX = 100;
const FOLD_MAX = 400;
/** Simulated milliseconds from which on a span that is folded is named to the viewer. */
const FOLD_NAMED = 200;
const END_HOLD = 600;

export interface Moment {
  /** The last entry that has happened. */
  readonly step: number;
  /** Simulated time, with fractions while it runs. */
  readonly clock: number;
}

/** A span of simulated time in which nothing moves, shown shorter than it is. */
export interface Fold {
  /** Simulated milliseconds folded away. */
  readonly simulated: number;
  readonly from: number;
  readonly to: number;
}

export interface ClockOptions {
  /** Spans without movement are shortened; without it they take their full time. */
  readonly foldIdle: boolean;
}

/** Presentation milliseconds a simulated one while something moves, and until when it does. */
interface Pace {
  readonly rate: number;
  until: number;
}

export class PresentationClock {
  private readonly graphAt: (step: number) => ExecutionGraph;
  private readonly timing: Timing;
  readonly foldIdle: boolean;
  /** Presentation time of each step. */
  private readonly positions = new Numbers();
  /** Corners of the map: simulated and presentation time; behind the last entry they lead to the end of all movement. */
  private readonly clocks = new Numbers();
  private readonly times = new Numbers();
  private readonly foldList: Fold[] = [];
  private paces: Pace[] = [];
  /** First step of the last instant, and the corners before it. */
  private lastFirst = 0;
  private lastCorners = 0;

  /** `graph`: that of the run's one job, or of the job at a step. */
  constructor(
    graph: ExecutionGraph | ((step: number) => ExecutionGraph),
    timing: Timing,
    options: ClockOptions = { foldIdle: true },
  ) {
    this.graphAt = typeof graph === "function" ? graph : () => graph;
    this.timing = timing;
    this.foldIdle = options.foldIdle;
  }

  /** Number of entries laid out. */
  get length(): number {
    return this.positions.length;
  }

  /** Presentation time at which all has come to rest. */
  get total(): number {
    return this.length === 0 ? 0 : this.times.get(this.times.length - 1) + END_HOLD;
  }

  get folds(): readonly Fold[] {
    return this.foldList;
  }

  /** Lays out the entries that `log` has more; it must begin with those laid out before. */
  extend(log: EventLog): void {
    if (log.length === this.length) return;
    let first = this.lastFirst;
    let position = first < this.length ? this.positions.get(first) : 0;
    this.clocks.length = this.lastCorners;
    this.times.length = this.lastCorners;
    while (first < log.length) {
      this.lastFirst = first;
      this.lastCorners = this.clocks.length;
      const end = instantEnd(log, first);
      position = this.layInstant(log, first, end, position);
      const clock = log.clock(first);
      position = end < log.length ? this.layGap(clock, log.clock(end), position) : this.layTail(clock, position);
      first = end;
    }
  }

  /** Keeps no more room than the entries take; of a run that is at its end. */
  fit(): void {
    for (const numbers of [this.positions, this.clocks, this.times]) numbers.fit();
  }

  presentationOf(step: number): number {
    return this.length === 0 ? 0 : this.positions.get(Math.min(Math.max(step, 0), this.length - 1));
  }

  /** The last step that has happened at this presentation time. */
  stepAt(presentation: number): number {
    return Math.max(0, this.positions.countUpTo(presentation) - 1);
  }

  momentAt(presentation: number): Moment {
    if (this.length === 0) return { step: 0, clock: 0 };
    const corner = Math.max(0, this.times.countUpTo(presentation) - 1);
    return { step: this.stepAt(presentation), clock: between(this.times, this.clocks, corner, presentation) };
  }

  /** The first presentation time at which simulated time has come to `clock`. */
  presentationAtClock(clock: number): number {
    if (this.length === 0) return 0;
    const corner = this.clocks.countBelow(clock);
    if (corner === 0) return this.times.get(0);
    return between(this.clocks, this.times, corner - 1, clock);
  }

  /** The fold in which this presentation time lies. */
  foldAt(presentation: number): Fold | null {
    const fold = this.foldList.find(({ to }) => to >= presentation);
    return fold !== undefined && fold.from <= presentation ? fold : null;
  }

  /** Places the steps of one instant; time stands still meanwhile. */
  private layInstant(log: EventLog, first: number, end: number, from: number): number {
    const clock = log.clock(first);
    let wanted = 0;
    for (let step = first; step < end; step++) {
      this.notePace(log, step, clock);
      if (step > first) wanted += gapBefore(log, step);
    }
    const scale = wanted > INSTANT_MAX ? INSTANT_MAX / wanted : 1;
    let position = from;
    this.positions.length = first;
    this.corner(clock, position);
    for (let step = first; step < end; step++) {
      if (step > first) position += gapBefore(log, step) * scale;
      this.positions.push(position);
    }
    if (end > first + 1) this.corner(clock, position);
    return position;
  }

  private notePace(log: EventLog, step: number, clock: number): void {
    const movement = movementOf(this.graphAt(step), this.timing, log, step);
    if (movement === null) return;
    const rate = movement.screen / movement.duration;
    const until = clock + movement.duration;
    const known = this.paces.find((pace) => pace.rate === rate);
    if (known === undefined) this.paces.push({ rate, until });
    else known.until = Math.max(known.until, until);
  }

  /** Lays the time between two instants; the slowest movement under way sets its pace. */
  private layGap(from: number, to: number, start: number): number {
    let clock = from;
    let position = start;
    while (clock < to) {
      const pace = this.slowest(clock);
      const next = pace === null ? to : Math.min(to, pace.until);
      const screen = pace === null ? this.idle(next - clock) : pace.rate * (next - clock);
      if (pace === null && this.foldIdle && next - clock >= FOLD_NAMED) {
        this.foldList.push({ simulated: next - clock, from: position, to: position + screen });
      }
      position += screen;
      clock = next;
      if (clock < to) this.corner(clock, position);
    }
    return position;
  }

  /** Behind the last entry time runs on until nothing moves any more. */
  private layTail(from: number, start: number): number {
    let clock = from;
    let position = start;
    for (let pace = this.slowest(clock); pace !== null; pace = this.slowest(clock)) {
      position += pace.rate * (pace.until - clock);
      clock = pace.until;
      this.corner(clock, position);
    }
    return position;
  }

  private slowest(clock: number): Pace | null {
    let found: Pace | null = null;
    for (const pace of this.paces) if (pace.until > clock && (found === null || pace.rate > found.rate)) found = pace;
    return found;
  }

  private idle(simulated: number): number {
    const screen = simulated * SCREEN_PER_SIMULATED;
    return this.foldIdle ? Math.min(screen, simulated < FOLD_NAMED ? PAUSE_MAX : FOLD_MAX) : screen;
  }

  private corner(clock: number, time: number): void {
    this.clocks.push(clock);
    this.times.push(time);
  }
}

function instantEnd(log: EventLog, first: number): number {
  const clock = log.clock(first);
  let end = first + 1;
  while (end < log.length && log.clock(end) === clock) end++;
  return end;
}

function gapBefore(log: EventLog, step: number): number {
  return at(isStaged, log.type(step)) ? STAGED_GAP : QUIET_GAP;
}

/** The value in `to` that belongs to `value` in `from`, between two corners. */
function between(from: Numbers, to: Numbers, corner: number, value: number): number {
  const low = from.get(corner);
  if (corner + 1 >= from.length) return to.get(corner);
  const span = from.get(corner + 1) - low;
  if (span === 0) return to.get(corner);
  const share = Math.min(Math.max((value - low) / span, 0), 1);
  return to.get(corner) + share * (to.get(corner + 1) - to.get(corner));
}

/** A list of numbers in rising order. */
class Numbers {
  private items = new Float64Array(256);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) this.items = grown(this.items);
    this.items[this.length++] = value;
  }

  get(index: number): number {
    return at(this.items, index);
  }

  fit(): void {
    if (this.items.length > this.length) this.items = this.items.slice(0, this.length);
  }

  /** How many are at most `value`. */
  countUpTo(value: number): number {
    return firstPlace(this.length, (place) => this.get(place) > value);
  }

  countBelow(value: number): number {
    return firstPlace(this.length, (place) => this.get(place) >= value);
  }
}
