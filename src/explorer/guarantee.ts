/**
 * A cell of the guarantee table (SK-040): its scenario is run once without a failure and once with each failure of a
 * process before each of its entries, and what the readers of its sink meet is counted by the moment of the failure.
 */
import { type RunResult, runScenario } from "../engine/run.ts";
import type { EventType } from "../protocol/events.ts";
import type { Reader } from "../protocol/sinks.ts";
import { traceEntries } from "../protocol/trace.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import type { Injection } from "../scenario/exploration.ts";
import { cellScenario } from "../scenario/guarantees/cell-scenario.ts";
import { type Cell, type MomentId, momentIds, sinkKinds } from "../scenario/guarantees/kinds.ts";
import {
  type CellResult,
  type Harm,
  type MomentResult,
  type ReaderResult,
  harms,
} from "../scenario/guarantees/result.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import { crashes } from "../scenario/targets.ts";
import type { Outcome, ReaderOutcome } from "./outcome.ts";
import { Runner, type RunnerOptions, usualOptions } from "./runner.ts";

/** Entries of the base run between two keyframes. */
const EVERY = 16;

/** A database keeps the transaction of a client that is gone for very long; nothing else happens in such a run. */
const guaranteeOptions: RunnerOptions = { ...usualOptions, longest: 4 };

/** `stride`: only every so many entries get a failure, for a sample. */
export function guaranteeOf(cell: Cell, stride = 1, options = guaranteeOptions): CellResult {
  const parsed = scenarioFrom(cellScenario(cell));
  if (!parsed.ok) return refused(cell, parsed.problems.map(({ path, message }) => `${path}: ${message}`).join(" "));
  const scenario = parsed.value;
  const readers = sinkKinds.find(({ id }) => id === cell.sink)?.readers ?? [];
  const moments = momentsOf(runScenario(scenario, { checkInvariants: false }));
  const runner = new Runner(scenario, [], options, EVERY);
  const commands = crashes(executionGraph(scenario), scenario);
  const tally = new Tally(readers);
  tally.violation(runner.outcome, null);
  const memory = runner.remember();
  for (let step = runner.from; step < runner.length; step += stride) {
    const base = runner.at(step);
    for (const command of commands) {
      const run = base.clone();
      run.submit(command);
      tally.add(moments[step] ?? "after", { step, command }, runner.finish(run, memory).outcome);
    }
  }
  const without = runner.outcome.readers.filter(({ reader }) => readers.includes(reader));
  return {
    cell,
    refused: null,
    entries: runner.length,
    runs: tally.runs,
    without: without.map(({ reader, seen, expected }) => ({ reader, seen, expected })),
    moments: tally.results(),
    violations: tally.violations,
  };
}

function refused(cell: Cell, reason: string): CellResult {
  return { cell, refused: reason, entries: 0, runs: 0, without: [], moments: [], violations: [] };
}

/** The moment of a failure before each entry, by what the run without it has done by then. */
function momentsOf({ graphs, log }: RunResult): readonly MomentId[] {
  const course: Course = { moment: "before", undecided: false };
  return [...traceEntries(graphs, log)].map(({ type, vertex }) => {
    const { moment } = course;
    follow(course, type, vertex === "sink");
    return moment;
  });
}

/** Where the run stands with the checkpoint under way; `undecided`: its sink has a transaction to commit. */
interface Course {
  moment: MomentId;
  undecided: boolean;
}

function follow(course: Course, type: EventType, atSink: boolean): void {
  if (type === "CheckpointTriggered") course.moment = "barrier";
  if (type === "TransactionPreCommitted") course.undecided = true;
  if (type === "TransactionCommitted") course.undecided = false;
  if (type === "SnapshotTaken" && atSink && course.moment === "barrier") course.moment = "pre-committed";
  if (type === "CheckpointCompleted") course.moment = "completed";
  // A sink commits behind the notification; one without a transaction has nothing more to do.
  const told = type === "TransactionCommitted" || (type === "NotificationDelivered" && atSink);
  if (course.moment === "completed" && told && !course.undecided) course.moment = "after";
}

class Tally {
  runs = 0;
  readonly violations: { readonly invariant: string; readonly injection: Injection | null }[] = [];
  private readonly readers: readonly Reader[];
  private readonly counts = new Map<MomentId, number>();
  private readonly seen = new Map<string, { runs: number; worst: Injection; records: number }>();

  constructor(readers: readonly Reader[]) {
    this.readers = readers;
  }

  violation({ violation }: Outcome, injection: Injection | null): void {
    if (violation !== null) this.violations.push({ invariant: violation.invariant, injection });
  }

  add(moment: MomentId, injection: Injection, outcome: Outcome): void {
    this.runs++;
    this.counts.set(moment, (this.counts.get(moment) ?? 0) + 1);
    this.violation(outcome, injection);
    for (const row of outcome.readers) {
      if (!this.readers.includes(row.reader)) continue;
      for (const harm of harms) this.count(`${moment} ${row.reader} ${harm}`, recordsOf(harm, row, outcome), injection);
    }
  }

  /** The run that shows most of it is kept, and the earliest of these. */
  private count(key: string, records: number, worst: Injection): void {
    if (records === 0) return;
    const before = this.seen.get(key);
    if (before === undefined) this.seen.set(key, { runs: 1, worst, records });
    else {
      before.runs++;
      if (records > before.records) Object.assign(before, { worst, records });
    }
  }

  results(): readonly MomentResult[] {
    return momentIds.flatMap((moment) => {
      const runs = this.counts.get(moment) ?? 0;
      return runs === 0 ? [] : [{ moment, runs, readers: this.readers.map((reader) => this.resultOf(moment, reader)) }];
    });
  }

  private resultOf(moment: MomentId, reader: Reader): ReaderResult {
    const shown = harms.flatMap((harm) => {
      const found = this.seen.get(`${moment} ${reader} ${harm}`);
      return found === undefined ? [] : [[harm, { runs: found.runs, worst: found.worst }] as const];
    });
    return { reader, harms: Object.fromEntries(shown) };
  }
}

/** How much of a harm a reader meets in a run: records, times, or 1 for what is so or not; 0: it does not. */
function recordsOf(harm: Harm, row: ReaderOutcome, { flags }: Outcome): number {
  switch (harm) {
    case "lost":
      return row.lost;
    case "duplicated":
      // A table has each key once: what is written again is seen as a step back, or not at all (SK-110, SK-111).
      return row.reader === "table" ? 0 : row.duplicated;
    case "wrong":
      return row.differing;
    case "stepped-back":
      return row.regressions;
    case "blocked":
      return Number(row.reader !== "read_uncommitted" && flags.includes("readerBlocked"));
    case "late":
      return Number(flags.includes("late"));
    case "job-failed":
      return Number(flags.includes("jobFailed"));
    case "stuck":
      return Number(flags.includes("stuck"));
  }
}
