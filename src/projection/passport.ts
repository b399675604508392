/**
 * The record passport: the biography of an input record over a run as far as it is known, told from the log alone. Two
 * tracks: *passes* are physical (every time a task took it, with the attempt), *effects* are durable (which change of state
 * is still there and which checkpoint carries it first, what was written, in which transaction, and when a reader saw it).
 *
 * A passport counts what the ledger counts: what is held, and what is seen, come to the same sums over all records. Left
 * out: which application a job that was submitted anew holds, where several are alike; the first durable ones count.
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { Machine } from "../protocol/machines/all.ts";
import { type Reader, isCommitted, isSink, traitsOf } from "../protocol/sinks.ts";
import { places } from "./fields.ts";
import { applyEntry } from "./fold.ts";
import { type LedgerView, stateOf } from "./ledger.ts";
import { isTakenBack, isVisibleTo } from "./sight.ts";
import type { RunView } from "./views.ts";

/** Where and when something happened to the record. */
export interface Stamp {
  readonly step: number;
  readonly subtask: number;
  readonly attempt: number;
  /** Which of the run's jobs it was: numbers of subtasks are its own. */
  readonly submission: number;
}

/** What a snapshot of the subtask takes in from then on. */
interface Carried extends Stamp {
  /** The first completed checkpoint that carries it, and the step at which that completed; `-1`: none has. */
  checkpoint: number;
  durable: number;
}

/** `read`: a source took it from its partition; `taken`: from a channel; `dropped`: its id was known, it ended there. */
export interface Pass extends Carried {
  readonly kind: "read" | "taken" | "dropped";
}

/** The record went into an operator's state. */
export interface Application extends Carried {
  /** `ExecutionGraph.identities`. */
  readonly operator: number;
  /** It is in the state that the run holds last. */
  held: boolean;
}

export interface Sight {
  readonly reader: Reader;
  /** The step at which a reader could first see it; `-1`: none could. */
  since: number;
  /** How often it is there at last. */
  times: number;
}

export interface Write extends Stamp {
  /** `ExecutionGraph.identities`. */
  readonly operator: number;
  readonly partition: number;
  readonly offset: number;
  readonly value: number;
  /** Place in `RunView.transactions`; `-1`: outside of one. */
  readonly transaction: number;
  readonly sights: readonly Sight[];
}

export interface Passport {
  readonly record: number;
  readonly passes: readonly Pass[];
  readonly applications: readonly Application[];
  readonly writes: readonly Write[];
}

const emitted = places("RecordEmitted");
const received = places("RecordReceived");
const dropped = places("DuplicateDropped");
const processed = places("RecordProcessed");
const written = places("RecordWritten");
const taken = places("SnapshotTaken");
const completed = places("CheckpointCompleted");
const created = places("AttemptCreated");

interface Draft extends Passport {
  readonly passes: Pass[];
  readonly applications: Application[];
  readonly writes: Write[];
}

/** Goes through a log once. */
class Registry {
  readonly view: RunView;
  readonly passports = new Map<number, Draft>();
  private readonly log: EventLog;
  /** By subtask: what its attempt did since it began; by checkpoint: what its snapshots took in. */
  private readonly alive = new Map<number, Carried[]>();
  private carried = new Map<number, Carried[]>();
  /** By node of `Shared.applied`. */
  private readonly nodes = new Map<number, Application>();
  private unseen: Write[] = [];

  constructor(view: RunView, log: EventLog) {
    this.view = view;
    this.log = log;
  }

  run(): void {
    while (this.view.step < this.log.length - 1) {
      const step = this.view.step + 1;
      const before = this.view.applied;
      applyEntry(this.view, this.log, step);
      this.take(step, before);
    }
    this.conclude();
  }

  private of(record: number): Draft {
    const known = this.passports.get(record);
    if (known !== undefined) return known;
    const made: Draft = { record, passes: [], applications: [], writes: [] };
    this.passports.set(record, made);
    return made;
  }

  private stamp(step: number, subtask: number): Stamp {
    const { attempt } = at(this.view.subtasks, subtask);
    return { step, subtask, attempt, submission: this.view.shared.submission };
  }

  private lives<T extends Carried>(one: T): T {
    const list = this.alive.get(one.subtask);
    if (list === undefined) this.alive.set(one.subtask, [one]);
    else list.push(one);
    return one;
  }

  private take(step: number, before: number): void {
    const field = (place: number): number => this.log.field(step, place);
    switch (this.log.type(step)) {
      case EventNumber.RecordEmitted:
        return this.pass("read", step, field(emitted.subtask), field(emitted.record));
      case EventNumber.RecordReceived:
        return this.pass("taken", step, field(received.subtask), field(received.record));
      case EventNumber.DuplicateDropped:
        return this.pass("dropped", step, field(dropped.subtask), field(dropped.record));
      case EventNumber.RecordProcessed:
        if (this.view.applied > before) this.apply(step, before);
        return;
      case EventNumber.RecordWritten:
        return this.write(step);
      case EventNumber.AttemptCreated:
        this.alive.delete(field(created.subtask));
        return;
      case EventNumber.JobSubmitted:
        this.alive.clear();
        this.carried = new Map();
        return;
      case EventNumber.SnapshotTaken:
        return this.snapshot(field(taken.subtask), field(taken.checkpoint));
      case EventNumber.CheckpointCompleted:
        return this.complete(step, field(completed.checkpoint));
      default:
        if (this.decides(step)) this.look(step);
    }
  }

  private pass(kind: Pass["kind"], step: number, subtask: number, record: number): void {
    const pass = { kind, ...this.stamp(step, subtask), checkpoint: -1, durable: -1 };
    // Only a source remembers what it has read.
    this.of(record).passes.push(kind === "read" ? this.lives(pass) : pass);
  }

  private apply(step: number, node: number): void {
    const { log, view } = this;
    const operator = at(view.shared.graph.identities, log.field(step, processed.operator));
    const where = this.stamp(step, log.field(step, processed.subtask));
    const application = this.lives({ ...where, operator, held: false, checkpoint: -1, durable: -1 });
    this.nodes.set(node, application);
    this.of(log.field(step, processed.record)).applications.push(application);
  }

  private snapshot(subtask: number, checkpoint: number): void {
    const list = this.carried.get(checkpoint) ?? [];
    this.carried.set(checkpoint, list);
    for (const each of this.alive.get(subtask) ?? []) if (each.checkpoint < 0) list.push(each);
  }

  private complete(step: number, checkpoint: number): void {
    for (const each of this.carried.get(checkpoint) ?? []) {
      if (each.checkpoint < 0) [each.checkpoint, each.durable] = [checkpoint, step];
    }
    this.carried.delete(checkpoint);
    if (this.decides(step)) this.look(step);
  }

  private write(step: number): void {
    const { log, view } = this;
    const partition = log.field(step, written.partition);
    const operator = log.field(step, written.operator);
    const output = at(view.outputs, partition);
    const offset = output.length - 1;
    const cell = at(view.shared.cells, partition).get(offset);
    const { vertex } = at(view.shared.graph.operators, operator);
    const readers = isSink(vertex) ? traitsOf(vertex).readers : [];
    const write: Write = {
      ...this.stamp(step, log.field(step, written.subtask)),
      operator: cell.operator,
      partition,
      offset,
      value: cell.value,
      transaction: cell.transaction,
      sights: readers.map((reader) => ({ reader, times: 0, since: -1 })),
    };
    this.of(cell.record).writes.push(write);
    this.unseen.push(write);
    if (!this.see(step, write)) return;
    this.unseen.pop();
  }

  /** Can what is visible be others than before? A transaction moves, or its marker is there. */
  private decides(step: number): boolean {
    if (this.log.type(step) === EventNumber.TransactionMarkerWritten) return true;
    for (let i = 0; i < this.log.moveCount(step); i++)
      if (this.log.move(step, i).machine === Machine.transaction) return true;
    return false;
  }

  private look(step: number): void {
    this.unseen = this.unseen.filter((each) => {
      if (this.see(step, each)) return false;
      return !isTakenBack(this.view, each.partition, each.offset);
    });
  }

  /** Notes who sees it now. True: everybody has. */
  private see(step: number, { sights, partition, offset }: Write): boolean {
    for (const sight of sights) {
      if (sight.since < 0 && isVisibleTo(this.view, sight.reader, partition, offset)) sight.since = step;
    }
    return sights.every(({ since }) => since >= 0);
  }

  private conclude(): void {
    this.settleState();
    for (const { writes } of this.passports.values()) for (const write of writes) this.settleSights(write);
  }

  private settleSights({ partition, offset, transaction, sights }: Write): void {
    const more = this.view.transactions[transaction]?.listedAgain ?? 0;
    for (const sight of sights) {
      if (isVisibleTo(this.view, sight.reader, partition, offset)) sight.times = 1 + more;
    }
  }

  private settleState(): void {
    const { applied, graph } = this.view.shared;
    const copies: [operator: number, record: number][] = [];
    this.view.subtasks.forEach((_, subtask) => {
      for (const { operator, newest } of stateOf(this.view, subtask).operators) {
        for (let node = newest; node >= 0; node = applied.before(node)) {
          const application = this.nodes.get(node);
          if (application === undefined) copies.push([at(graph.identities, operator), applied.record(node)]);
          else application.held = true;
        }
      }
    });
    for (const [operator, record] of copies) {
      const candidates = this.of(record).applications.filter((each) => each.operator === operator && !each.held);
      const found = candidates.find(({ checkpoint }) => checkpoint >= 0) ?? candidates[0];
      if (found !== undefined) found.held = true;
    }
  }
}

export interface Passports {
  /** By the number of the record; one that nobody has touched has none. */
  readonly byRecord: ReadonlyMap<number, Passport>;
  /** The end of what is known, in which places of transactions are to be read. */
  readonly view: RunView;
}

/** Of all records of a run. `view`: before its first entry; it is taken to the end. */
export function passportsOf(view: RunView, log: EventLog): Passports {
  const registry = new Registry(view, log);
  registry.run();
  return { byRecord: registry.passports, view: registry.view };
}

export const questions = ["all", "passesOverEffects", "effectsNotOnce", "seenBeforeDurable"] as const;
export type Question = (typeof questions)[number];

/**
 * How often the record went through: as often as a source read it, or, where it was replayed from channel state, as a
 * subtask took it in attempts of its own.
 */
export function passCount({ passes }: Passport): number {
  const lives = new Map<string, Set<string>>();
  for (const { kind, step, subtask, attempt, submission } of passes) {
    const place = `${submission} ${subtask}`;
    const known = lives.get(place) ?? new Set<string>();
    lives.set(place, known.add(kind === "read" ? `read ${step}` : String(attempt)));
  }
  return Math.max(readCount(passes), ...[...lives.values()].map(({ size }) => size));
}

/** Two sources may read the same partition: the one that read it most. Jobs after each other add up. */
function readCount(passes: readonly Pass[]): number {
  const bySource = new Map<string, number>();
  const byJob = new Map<number, number>();
  for (const { kind, subtask, submission } of passes) {
    if (kind !== "read") continue;
    const name = `${submission} ${subtask}`;
    const times = (bySource.get(name) ?? 0) + 1;
    bySource.set(name, times);
    byJob.set(submission, Math.max(times, byJob.get(submission) ?? 0));
  }
  return [...byJob.values()].reduce((sum, times) => sum + times, 0);
}

/** The step at which a completed checkpoint first held that the record had been read; `-1`: none does. */
export function durableSince({ passes }: Passport): number {
  const steps = passes.flatMap(({ durable }) => (durable < 0 ? [] : [durable]));
  return steps.length === 0 ? -1 : Math.min(...steps);
}

/** Did a committed reader see something of it that a failure would still have taken back? */
function isSeenEarly(passport: Passport): boolean {
  const durable = durableSince(passport);
  return passport.writes.some(({ sights }) =>
    sights.some(({ reader, since }) => isCommitted(reader) && since >= 0 && (durable < 0 || since < durable)),
  );
}

/** Is a passport an answer? `ledger`: at the end of what is known. Effects are states and what committed readers see. */
export function answers(question: Question, passport: Passport, ledger: LedgerView): boolean {
  const { record } = passport;
  const accounts = [...ledger.states, ...ledger.sinks.filter(({ reader }) => isCommitted(reader))];
  const effects = accounts.map(({ expected, counts }) => [expected[record] ?? 0, counts[record] ?? 0] as const);
  switch (question) {
    case "all":
      return true;
    case "passesOverEffects": {
      const passes = passCount(passport);
      return effects.some(([expected, count]) => expected > 0 && count < passes * expected);
    }
    case "effectsNotOnce":
      return effects.some(([expected, count]) => count !== expected);
    case "seenBeforeDurable":
      return isSeenEarly(passport);
  }
}
