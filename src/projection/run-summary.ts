/**
 * The difference of two runs in a few sentences: what came otherwise, each with a therefore behind what it came of. A
 * therefore is a way from the one entry back to the other, of causes that the log has (`dependencies.ts`), through entries
 * of that run alone.
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import {
  type CheckpointFailureReason,
  type FailureCause,
  checkpointFailureReasons,
  failureCauses,
} from "../protocol/reasons.ts";
import { isCommitted } from "../protocol/sinks.ts";
import type { Report } from "../scenario/report.ts";
import { Dependencies } from "./dependencies.ts";
import { places } from "./fields.ts";
import { type RunDiff, type Side, ownSteps } from "./run-diff.ts";

export interface SummarySide {
  readonly log: EventLog;
  readonly report: Report;
}

/** Entries of the runs that a fact is of; `null`: that run has none. */
interface Anchors {
  readonly a: number | null;
  readonly b: number | null;
}

/** How a checkpoint ended, and how many milliseconds after its trigger. */
export interface CheckpointEnd {
  readonly reason: CheckpointFailureReason | null;
  readonly ms: number;
}

interface Both<T> {
  readonly a: T;
  readonly b: T;
}

export type Fact = { readonly steps: Anchors } & (
  | { readonly says: "command"; readonly side: Side; readonly command: number }
  | { readonly says: "failed"; readonly side: Side; readonly subtask: number; readonly failure: FailureCause }
  /** A barrier went ahead of so many buffers. */
  | {
      readonly says: "overtook";
      readonly side: Side;
      readonly subtask: number;
      readonly checkpoint: number;
      readonly buffers: number;
    }
  /** For so many milliseconds until the last barrier had come. */
  | {
      readonly says: "waited";
      readonly side: Side;
      readonly subtask: number;
      readonly checkpoint: number;
      readonly ms: number;
    }
  /** `null`: it has not begun there, or not ended. */
  | ({ readonly says: "checkpoint"; readonly checkpoint: number } & Both<CheckpointEnd | null>)
  /** Tasks that start again; `null`: there is no restart of that number. */
  | ({ readonly says: "restart" } & Both<number | null>)
  /** From which checkpoint; 0: from the beginning. */
  | ({ readonly says: "restored" } & Both<number>)
  | ({ readonly says: "readAgain" } & Both<number>)
  | ({ readonly says: "duplicated" } & Both<number>)
  | ({ readonly says: "lost" } & Both<number>)
);

/** Behind a therefore: in which run, and the entries at both ends of the way. */
export interface Link {
  readonly side: Side;
  readonly from: number;
  readonly to: number;
}

/** Facts in turn; each but the first with the way that backs its therefore. */
export type SummarySentence = readonly { readonly fact: Fact; readonly link: Link | null }[];

/** More would be no summary. */
const SENTENCES = 5;

export function runSummary(a: SummarySide, b: SummarySide, diff: RunDiff): SummarySentence[] {
  const sides = { a: sideOf(a, diff, "a"), b: sideOf(b, diff, "b") };
  const told = consequencesOf(a, b, sides).filter(({ steps }) => isOwn(steps, sides));
  const reasons = (["a", "b"] as const).flatMap((side) => reasonsIn(sides[side], side));
  const tree = new Tree([...reasons, ...told], sides);
  // What led to most comes first.
  return tree
    .sentences(told)
    .sort((x, y) => y.length - x.length)
    .slice(0, SENTENCES);
}

interface Own {
  readonly log: EventLog;
  readonly steps: ReadonlySet<number>;
  readonly dependencies: Dependencies;
}

function sideOf({ log }: SummarySide, diff: RunDiff, side: Side): Own {
  return { log, steps: ownSteps(diff, side), dependencies: new Dependencies(log) };
}

/** Some entry that it is of is not the same in the other run. */
function isOwn(steps: Anchors, sides: Both<Own>): boolean {
  const { a, b } = steps;
  return (a === null && b === null) || (a !== null && sides.a.steps.has(a)) || (b !== null && sides.b.steps.has(b));
}

/** Facts by the entries that they are of, and what each came of. */
class Tree {
  private readonly sides: Both<Own>;
  private readonly facts: Both<ReadonlyMap<number, Fact>>;

  constructor(all: readonly Fact[], sides: Both<Own>) {
    this.sides = sides;
    const by = (side: Side): Map<number, Fact> =>
      new Map(all.flatMap((fact) => (fact.steps[side] === null ? [] : [[fact.steps[side], fact]])));
    this.facts = { a: by("a"), b: by("b") };
  }

  /** Each way from a first reason to a last consequence; what was told in a sentence before begins the next one only. */
  sentences(told: readonly Fact[]): SummarySentence[] {
    const known = new Set<Fact>();
    const found: SummarySentence[] = [];
    const isCause = new Set(
      told.flatMap((fact) =>
        this.way(fact)
          .slice(0, -1)
          .map((each) => each.fact),
      ),
    );
    for (const fact of told) {
      if (known.has(fact) || isCause.has(fact)) continue;
      const way = this.way(fact);
      const first = way.findLastIndex((each) => known.has(each.fact));
      const sentence = way
        .slice(Math.max(0, first))
        .map((each, index) => (index === 0 ? { ...each, link: null } : each));
      for (const each of way) known.add(each.fact);
      found.push(sentence);
    }
    return found;
  }

  /** What a fact came of, from the first on. */
  private way(fact: Fact): SummarySentence {
    const found: { fact: Fact; link: Link | null }[] = [];
    for (let each: Fact | null = fact; each !== null;) {
      const because = this.because(each);
      if (found.some((other) => other.fact === each)) break;
      found.unshift({ fact: each, link: because?.link ?? null });
      each = because?.fact ?? null;
    }
    const [first, ...rest] = found;
    return first === undefined ? [] : [{ ...first, link: null }, ...rest];
  }

  /** The nearest fact on a way back through what only that run has; B's is asked first. */
  private because(fact: Fact): { fact: Fact; link: Link } | null {
    for (const side of ["b", "a"] as const) {
      const to = fact.steps[side];
      const from = to === null ? null : this.nearest(side, to, fact);
      const before = from === null ? undefined : this.facts[side].get(from);
      if (to !== null && from !== null && before !== undefined) return { fact: before, link: { side, from, to } };
    }
    return null;
  }

  private nearest(side: Side, to: number, of: Fact): number | null {
    const { steps, dependencies } = this.sides[side];
    const seen = new Set([to]);
    const waiting = [to];
    while (waiting.length > 0) {
      // The latest first: what is nearest in time is told.
      waiting.sort((x, y) => x - y);
      for (const before of dependencies.of(waiting.pop() ?? to)) {
        if (seen.has(before) || !steps.has(before)) continue;
        const fact = this.facts[side].get(before);
        if (fact !== undefined && fact !== of) return before;
        seen.add(before);
        waiting.push(before);
      }
    }
    return null;
  }
}

const injected = places("FaultInjected");
const failed = places("TaskFailed");
const started = places("UnalignedSnapshotStarted");
const persisted = places("InFlightDataPersisted");
const aligned = places("AlignmentCompleted");

/** What is told only where something came of it. */
function reasonsIn({ log, steps }: Own, side: Side): Fact[] {
  const buffers = buffersIn(log);
  return [...steps].flatMap((step): Fact[] => {
    const field = (place: number): number => log.field(step, place);
    const anchors = { a: null, b: null, [side]: step };
    switch (log.type(step)) {
      case EventNumber.FaultInjected:
        return [{ says: "command", side, command: field(injected.fault), steps: anchors }];
      case EventNumber.TaskFailed: {
        const failure = at(failureCauses, field(failed.failure));
        return [{ says: "failed", side, subtask: field(failed.subtask), failure, steps: anchors }];
      }
      case EventNumber.UnalignedSnapshotStarted: {
        const [subtask, checkpoint] = [field(started.subtask), field(started.checkpoint)];
        const overtaken = buffers.get(`${subtask} ${checkpoint}`) ?? 0;
        if (overtaken === 0) return [];
        return [{ says: "overtook", side, subtask, checkpoint, buffers: overtaken, steps: anchors }];
      }
      case EventNumber.AlignmentCompleted: {
        const [subtask, checkpoint, ms] = [field(aligned.subtask), field(aligned.checkpoint), field(aligned.duration)];
        return ms === 0 ? [] : [{ says: "waited", side, subtask, checkpoint, ms, steps: anchors }];
      }
      default:
        return [];
    }
  });
}

/** By subtask and checkpoint: buffers that were stored as in flight. */
function buffersIn(log: EventLog): Map<string, number> {
  const found = new Map<string, number>();
  for (let step = 0; step < log.length; step++) {
    if (log.type(step) !== EventNumber.InFlightDataPersisted) continue;
    const key = `${log.field(step, persisted.subtask)} ${log.field(step, persisted.checkpoint)}`;
    found.set(key, (found.get(key) ?? 0) + log.field(step, persisted.records));
  }
  return found;
}

/** What came otherwise, by the time at which it did. */
function consequencesOf(a: SummarySide, b: SummarySide, sides: Both<Own>): Fact[] {
  const all = [
    ...checkpointFacts(a.log, b.log),
    ...restartFacts(a.log, b.log),
    ...rereadFact(a.log, b.log, sides),
    ...deliveryFacts(a, b, sides),
  ];
  const clock = ({ steps }: Fact): number =>
    Math.min(steps.a === null ? Infinity : a.log.clock(steps.a), steps.b === null ? Infinity : b.log.clock(steps.b));
  return all
    .map((fact) => [clock(fact), fact] as const)
    .sort(([x], [y]) => x - y)
    .map(([, fact]) => fact);
}

const triggered = places("CheckpointTriggered");
const completed = places("CheckpointCompleted");
const aborted = places("CheckpointAborted");

interface Ended extends CheckpointEnd {
  readonly step: number;
}

function endsIn(log: EventLog): Map<number, Ended> {
  const begun = new Map<number, number>();
  const ends = new Map<number, Ended>();
  for (let step = 0; step < log.length; step++) {
    const type = log.type(step);
    const since = (id: number): number => log.clock(step) - (begun.get(id) ?? log.clock(step));
    if (type === EventNumber.CheckpointTriggered) begun.set(log.field(step, triggered.checkpoint), log.clock(step));
    if (type === EventNumber.CheckpointCompleted) {
      const id = log.field(step, completed.checkpoint);
      ends.set(id, { step, reason: null, ms: since(id) });
    }
    if (type === EventNumber.CheckpointAborted) {
      const id = log.field(step, aborted.checkpoint);
      ends.set(id, { step, reason: at(checkpointFailureReasons, log.field(step, aborted.reason)), ms: since(id) });
    }
  }
  return ends;
}

/** A time that is so much longer is told; and at least by so many milliseconds. */
const LONGER = 1.2;
const LONGER_MS = 5;

function checkpointFacts(a: EventLog, b: EventLog): Fact[] {
  const [inA, inB] = [endsIn(a), endsIn(b)];
  return [...new Set([...inA.keys(), ...inB.keys()])].flatMap((checkpoint): Fact[] => {
    const [one = null, other = null] = [inA.get(checkpoint), inB.get(checkpoint)];
    if (one !== null && other !== null && !areApart(one, other)) return [];
    const end = (of: Ended | null): CheckpointEnd | null => (of === null ? null : { reason: of.reason, ms: of.ms });
    const steps = { a: one?.step ?? null, b: other?.step ?? null };
    return [{ says: "checkpoint", checkpoint, a: end(one), b: end(other), steps }];
  });
}

function areApart(a: CheckpointEnd, b: CheckpointEnd): boolean {
  const [less, more] = [Math.min(a.ms, b.ms), Math.max(a.ms, b.ms)];
  return a.reason !== b.reason || (a.reason === null && more - less >= LONGER_MS && more >= less * LONGER);
}

const scheduled = places("RestartScheduled");
const restored = places("StateRestored");

interface Restart {
  readonly step: number;
  readonly tasks: number;
  /** The first restore behind it, and its checkpoint. */
  readonly restore: { readonly step: number; readonly checkpoint: number } | null;
}

function restartsIn(log: EventLog): Restart[] {
  const found: Restart[] = [];
  for (let step = 0; step < log.length; step++) {
    const last = found.at(-1);
    if (log.type(step) === EventNumber.RestartScheduled)
      found.push({ step, tasks: log.list(step, scheduled.restarted).length, restore: null });
    else if (log.type(step) === EventNumber.StateRestored && last !== undefined && last.restore === null)
      found[found.length - 1] = { ...last, restore: { step, checkpoint: log.field(step, restored.checkpoint) } };
  }
  return found;
}

/** The n-th restart of one run stands for the n-th of the other. */
function restartFacts(a: EventLog, b: EventLog): Fact[] {
  const [inA, inB] = [restartsIn(a), restartsIn(b)];
  return Array.from({ length: Math.max(inA.length, inB.length) }, (_, place): Fact[] => {
    const [one = null, other = null] = [inA[place], inB[place]];
    const steps = { a: one?.step ?? null, b: other?.step ?? null };
    if (one === null || other === null || one.tasks !== other.tasks)
      return [{ says: "restart", a: one?.tasks ?? null, b: other?.tasks ?? null, steps }];
    const from = { a: one.restore?.checkpoint ?? 0, b: other.restore?.checkpoint ?? 0 };
    if (from.a === from.b) return [];
    const restores = { a: one.restore?.step ?? one.step, b: other.restore?.step ?? other.step };
    return [{ says: "restored", ...from, steps: restores }];
  }).flat();
}

const rewound = places("SourceRewound");

/** Records between where sources stood and where they went back to (SK-004, FR-083). */
function rereadFact(a: EventLog, b: EventLog, sides: Both<Own>): Fact[] {
  const again = (log: EventLog): number => {
    let records = 0;
    for (let step = 0; step < log.length; step++)
      if (log.type(step) === EventNumber.SourceRewound)
        records += Math.max(0, log.field(step, rewound.position) - log.field(step, rewound.target));
    return records;
  };
  const count = { a: again(a), b: again(b) };
  const isRewound = (log: EventLog, step: number): boolean =>
    log.type(step) === EventNumber.SourceRewound && log.field(step, rewound.position) > log.field(step, rewound.target);
  return count.a === count.b ? [] : [{ says: "readAgain", ...count, steps: firstOwn(sides, isRewound) }];
}

const written = places("RecordWritten");

/** What committed readers see too often, or never. */
function deliveryFacts(a: SummarySide, b: SummarySide, sides: Both<Own>): Fact[] {
  const count = (of: SummarySide, which: "duplicated" | "lost"): number =>
    new Set(of.report.delivery.filter(({ reader }) => isCommitted(reader)).flatMap((row) => row[which])).size;
  return (["duplicated", "lost"] as const).flatMap((says): Fact[] => {
    const counts = { a: count(a, says), b: count(b, says) };
    if (counts.a === counts.b) return [];
    const steps = says === "lost" ? firstOwn(sides, isGivenUp) : { a: again(sides.a), b: again(sides.b) };
    return [{ says, ...counts, steps }];
  });
}

function isGivenUp(log: EventLog, step: number): boolean {
  return log.type(step) === EventNumber.TransactionTimedOut;
}

/** The first write of a record that had been written before. */
function again({ log, steps }: Own): number | null {
  const seen = new Set<string>();
  for (let step = 0; step < log.length; step++) {
    if (log.type(step) !== EventNumber.RecordWritten) continue;
    const key = `${log.field(step, written.operator)} ${log.field(step, written.record)}`;
    if (seen.has(key) && steps.has(step)) return step;
    seen.add(key);
  }
  return null;
}

function firstOwn(sides: Both<Own>, isMeant: (log: EventLog, step: number) => boolean): Anchors {
  const first = ({ log, steps }: Own): number | null => {
    const found = [...steps].filter((step) => isMeant(log, step));
    return found.length === 0 ? null : Math.min(...found);
  };
  return { a: first(sides.a), b: first(sides.b) };
}
