/**
 * The monotone map between presentation time (milliseconds a viewer at 1x spends) and the cursor (step, simulated time).
 * Simulated time plays ten times slower while something travels; work that nothing else accompanies is hurried, and spans
 * in which nothing moves are folded. Entries of one instant are staged one behind the other, so that they can be told
 * apart. The map is a function of the log alone: play, pause and scrub only move along it.
 *
 * Built as the log grows. Only the last instant may still be re-laid, since more entries may join it.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Timing } from "../scenario/scenario.ts";
import { isStaged, movementOf } from "./movement-times.ts";

/** Screen milliseconds for one simulated millisecond at 1x. */
export const SCREEN_PER_SIMULATED = 10;
/** All entries of one instant are staged within this much presentation time. */
export const INSTANT_MAX = 260;
const STAGED_GAP = 65;
const QUIET_GAP = 1;
/** A span in which only work goes on takes at most this long; one in which nothing moves at most that. */
const WORK_MAX = 1200;
const IDLE_MAX = 400;
/** Simulated milliseconds from which on a folded span is named to the viewer. */
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

/** The parts of a span between two instants, in simulated milliseconds from its begin. */
interface Span {
  readonly travel: number;
  readonly work: number;
  readonly idle: number;
}

export interface ClockOptions {
  /** Spans without movement are shortened; without it they take their full time. */
  readonly foldIdle: boolean;
}

export class PresentationClock {
  private readonly graph: ExecutionGraph;
  private readonly timing: Timing;
  private readonly options: ClockOptions;
  private log: EventLog | null = null;
  private positions = new Float64Array(256);
  private count = 0;
  /** First step of each instant, and until when things move after it. */
  private firsts = new Int32Array(64);
  private travels = new Float64Array(64);
  private works = new Float64Array(64);
  private instants = 0;
  private readonly foldList: Fold[] = [];

  constructor(graph: ExecutionGraph, timing: Timing, options: ClockOptions = { foldIdle: true }) {
    this.graph = graph;
    this.timing = timing;
    this.options = options;
  }

  /** Number of entries laid out. */
  get length(): number {
    return this.count;
  }

  /** Presentation time at which the last movement has ended. */
  get total(): number {
    if (this.count === 0) return 0;
    return at(this.positions, this.count - 1) + this.screenOf(this.tail()) + END_HOLD;
  }

  get folds(): readonly Fold[] {
    return this.foldList;
  }

  /** Lays out the entries that `log` has more; it must begin with those laid out before. */
  extend(log: EventLog): void {
    this.log = log;
    let first = this.instants === 0 ? 0 : at(this.firsts, this.instants - 1);
    this.reserve(log.length);
    if (this.instants > 0) this.instants--;
    while (first < log.length) {
      const end = this.instantEnd(log, first);
      this.layInstant(log, first, end);
      if (end < log.length) this.layGap(log, end);
      first = end;
    }
    this.count = log.length;
  }

  presentationOf(step: number): number {
    return this.count === 0 ? 0 : at(this.positions, Math.min(Math.max(step, 0), this.count - 1));
  }

  /** The last step that has happened at this presentation time. */
  stepAt(presentation: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(this.positions, middle) <= presentation) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  momentAt(presentation: number): Moment {
    if (this.log === null || this.count === 0) return { step: 0, clock: 0 };
    const step = this.stepAt(presentation);
    const clock = this.log.clock(step);
    if (!this.endsInstant(step)) return { step, clock };
    const past = Math.max(0, presentation - at(this.positions, step));
    return { step, clock: clock + this.simulatedIn(this.spanAfter(step), past) };
  }

  /** The first presentation time at which simulated time has come to `clock`. */
  presentationAtClock(clock: number): number {
    if (this.log === null || this.count === 0) return 0;
    const next = this.log.firstAt(clock);
    if (next < this.count && this.log.clock(next) === clock) return at(this.positions, next);
    const step = Math.min(next, this.count) - 1;
    if (step < 0) return 0;
    const passed = clock - this.log.clock(step);
    return Math.min(at(this.positions, step) + this.screenFor(this.spanAfter(step), passed), this.total);
  }

  /** The fold in which this presentation time lies. */
  foldAt(presentation: number): Fold | null {
    let low = 0;
    let high = this.foldList.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(this.foldList, middle).to < presentation) low = middle + 1;
      else high = middle;
    }
    const fold = this.foldList[low];
    return fold !== undefined && fold.from <= presentation ? fold : null;
  }

  private endsInstant(step: number): boolean {
    const log = this.log as EventLog;
    return step + 1 >= this.count || log.clock(step + 1) > log.clock(step);
  }

  private instantEnd(log: EventLog, first: number): number {
    const clock = log.clock(first);
    let end = first + 1;
    while (end < log.length && log.clock(end) === clock) end++;
    return end;
  }

  /** Places the steps of one instant and notes how long things move after it. */
  private layInstant(log: EventLog, first: number, end: number): void {
    const before = this.instants - 1;
    let travel = before < 0 ? 0 : at(this.travels, before);
    let work = before < 0 ? 0 : at(this.works, before);
    const weights: number[] = [];
    for (let step = first; step < end; step++) {
      const movement = movementOf(this.graph, this.timing, log, step);
      const until = movement === null ? 0 : log.clock(step) + movement.duration;
      if (movement?.pace === "travel") travel = Math.max(travel, until);
      if (movement?.pace === "work") work = Math.max(work, until);
      if (step > first) weights.push(isStaged[log.type(step)] === true ? STAGED_GAP : QUIET_GAP);
    }
    const wanted = weights.reduce((sum, weight) => sum + weight, 0);
    const scale = wanted > INSTANT_MAX ? INSTANT_MAX / wanted : 1;
    let position = first === 0 ? 0 : at(this.positions, first);
    this.positions[first] = position;
    weights.forEach((weight, index) => {
      position += weight * scale;
      this.positions[first + index + 1] = position;
    });
    this.noteInstant(first, travel, work);
  }

  private noteInstant(first: number, travel: number, work: number): void {
    if (this.instants === this.firsts.length) {
      this.firsts = grown(this.firsts, new Int32Array(this.instants * 2));
      this.travels = grown(this.travels, new Float64Array(this.instants * 2));
      this.works = grown(this.works, new Float64Array(this.instants * 2));
    }
    this.firsts[this.instants] = first;
    this.travels[this.instants] = travel;
    this.works[this.instants] = work;
    this.instants++;
  }

  /** Places the first step of the instant that begins at `end`, behind the span before it. */
  private layGap(log: EventLog, end: number): void {
    const span = this.span(log.clock(end - 1), log.clock(end), this.instants - 1);
    const from = at(this.positions, end - 1);
    this.positions[end] = from + this.screenOf(span);
    if (!this.options.foldIdle || span.idle < FOLD_NAMED) return;
    const idleFrom = from + this.screenOf({ ...span, idle: 0 });
    this.foldList.push({ simulated: span.idle, from: idleFrom, to: at(this.positions, end) });
  }

  /** The span that follows `step`, the last of its instant. */
  private spanAfter(step: number): Span {
    const log = this.log as EventLog;
    if (step + 1 >= this.count) return this.tail();
    return this.span(log.clock(step), log.clock(step + 1), this.instantOf(step));
  }

  private tail(): Span {
    const from = (this.log as EventLog).clock(this.count - 1);
    const instant = this.instants - 1;
    return this.span(from, Math.max(from, at(this.travels, instant), at(this.works, instant)), instant);
  }

  private span(from: number, to: number, instant: number): Span {
    const travel = Math.min(Math.max(at(this.travels, instant) - from, 0), to - from);
    const work = Math.min(Math.max(at(this.works, instant) - from - travel, 0), to - from - travel);
    return { travel, work, idle: to - from - travel - work };
  }

  private instantOf(step: number): number {
    let low = 0;
    let high = this.instants;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(this.firsts, middle) <= step) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private screenOf(span: Span): number {
    return this.parts(span).reduce((sum, part) => sum + part.screen, 0);
  }

  /** Simulated and presentation length of each part of a span, in order. */
  private parts(span: Span): readonly { readonly simulated: number; readonly screen: number }[] {
    const work = span.work * SCREEN_PER_SIMULATED;
    const idle = span.idle * SCREEN_PER_SIMULATED;
    return [
      { simulated: span.travel, screen: span.travel * SCREEN_PER_SIMULATED },
      { simulated: span.work, screen: this.options.foldIdle ? Math.min(work, WORK_MAX) : work },
      { simulated: span.idle, screen: this.options.foldIdle ? Math.min(idle, IDLE_MAX) : idle },
    ];
  }

  private simulatedIn(span: Span, screen: number): number {
    let left = screen;
    let simulated = 0;
    for (const part of this.parts(span)) {
      if (left <= part.screen) return simulated + (part.screen === 0 ? 0 : (left / part.screen) * part.simulated);
      left -= part.screen;
      simulated += part.simulated;
    }
    return simulated;
  }

  private screenFor(span: Span, simulated: number): number {
    let left = simulated;
    let screen = 0;
    for (const part of this.parts(span)) {
      if (left <= part.simulated) return screen + (part.simulated === 0 ? 0 : (left / part.simulated) * part.screen);
      left -= part.simulated;
      screen += part.screen;
    }
    return screen;
  }

  private reserve(length: number): void {
    if (length <= this.positions.length) return;
    this.positions = grown(this.positions, new Float64Array(Math.max(length, this.positions.length * 2)));
  }
}

function grown<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
