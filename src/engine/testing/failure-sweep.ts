/**
 * Failures tried everywhere in one scenario: a run without them is taken along with a clone of it at every entry, so that a
 * run with a failure begins where that strikes. Who asks says which failures, where, and what is right in the end.
 */
import { at } from "../../base/assert.ts";
import { type EventType, eventTypes } from "../../protocol/events.ts";
import { isCommitted } from "../../protocol/sinks.ts";
import { type Reference, referenceOf } from "../../scenario/reference.ts";
import type { Ended } from "../../scenario/report.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import { Course } from "../course.ts";
import { Invariants } from "../invariants.ts";
import { Job } from "../layout.ts";
import { type Ledger, ledgerOf } from "../ledger.ts";
import { Simulation } from "../simulation.ts";
import { JobStatus } from "../states.ts";

/** Steps in which a run must have come to its end. */
const MOST = 20_000;

/** A run that is over. */
export interface Outcome {
  readonly ended: Ended;
  readonly finished: boolean;
  readonly ledger: Ledger;
  /** The first invariant that it violates, and how; `null`: none. */
  readonly violation: string | null;
}

/** Takes a run that invariants watch to its end. */
export function outcomeOf(course: Course, reference: Reference): Outcome {
  const { kernel, world, observer } = course.simulation;
  const last = world.step + MOST;
  while (course.ended === null && kernel.world.step < last) course.advance();
  const ended = course.ended ?? "steps";
  const ledger = ledgerOf(kernel, reference);
  const watched = observer instanceof Invariants ? observer : null;
  const [violation] = watched?.atEnd(kernel, ledger, ended) ?? [];
  return {
    ended,
    finished: kernel.world.job(Job.status) === JobStatus.finished,
    ledger,
    violation: violation === undefined ? null : `${violation.invariant}: ${violation.message}`,
  };
}

/** All that committed readers see at the end, or what is wrong. */
function committedOutput({ ended, ledger, violation }: Outcome): string {
  if (violation !== null) return violation;
  const rows = ledger.delivery.filter(({ reader }) => isCommitted(reader));
  return JSON.stringify([
    ended,
    ...rows.flatMap(({ seen, lost, duplicated, pending, differing }) => [seen, lost, duplicated, pending, differing]),
  ]);
}

/** A failure, as a line that says what was wrong tells it. */
function told({ do: verb, target, rpc, kind, ...more }: Command): string {
  return [verb, target ?? rpc ?? more.for, kind].filter((word) => word !== null && word !== undefined).join(" ");
}

/** Where the run stands after so many entries, and what the last one was; `null`: before the first. */
interface Place {
  readonly simulation: Simulation;
  readonly type: EventType | null;
}

export class FailureSweep {
  runs = 0;
  /** One line for each run whose committed output is not that of the run without failures. */
  readonly wrong: string[] = [];
  readonly places: Place[] = [];
  readonly expected: string;
  private readonly reference: Reference;

  constructor(scenario: Scenario) {
    this.reference = referenceOf(scenario);
    const course = new Course(Simulation.start(scenario, { log: null, observer: new Invariants() }));
    while (course.ended === null) {
      const { world, kernel } = course.simulation;
      const type = world.step === 0 ? null : (eventTypes[kernel.draft.type] ?? null);
      this.places.push({ simulation: course.simulation.clone(), type });
      course.advance();
    }
    this.expected = committedOutput(outcomeOf(course, this.reference));
  }

  /** Parts from the run without failures at `step` with one failure, and so many entries later with another. */
  run(step: number, first: Command, later = 0, second: Command | null = null): void {
    const simulation = at(this.places, step).simulation.clone();
    const course = new Course(simulation);
    simulation.submit(first);
    if (second !== null) {
      const end = simulation.world.step + later;
      while (course.ended === null && simulation.world.step < end) course.advance();
      course.ended = null;
      simulation.submit(second);
    }
    this.runs++;
    const output = committedOutput(outcomeOf(course, this.reference));
    if (output === this.expected) return;
    const then = second === null ? "" : `, ${told(second)} ${later} later`;
    this.wrong.push(`${told(first)} at ${step}${then}: ${output}`);
  }
}
