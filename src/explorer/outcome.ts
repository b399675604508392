/** What became of a run: the words of the contract, from the ledger of the world in which it ended. */
import type { Kernel } from "../engine/kernel.ts";
import { Invariants } from "../engine/invariants.ts";
import { Job } from "../engine/layout.ts";
import { ledgerOf } from "../engine/ledger.ts";
import type { Course } from "../engine/course.ts";
import { JobStatus } from "../engine/states.ts";
import { type Reader, isCommitted } from "../protocol/sinks.ts";
import type { Violation } from "../protocol/violation.ts";
import type { SweepFlag } from "../scenario/exploration.ts";
import { type Reference, referenceOf } from "../scenario/reference.ts";
import type { DeliveryRow, VerdictWord } from "../scenario/report.ts";

/** How many records one reader of one sink misses, sees twice or sees with another value, and how often a key went back. */
export interface ReaderOutcome {
  readonly reader: Reader;
  readonly expected: number;
  readonly seen: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly differing: number;
  readonly regressions: number;
}

export interface Outcome {
  readonly verdict: VerdictWord;
  readonly state: VerdictWord;
  /** Input records, each once: lost or doubled for a committed reader of some sink, or in some state. */
  readonly lost: readonly string[];
  readonly duplicated: readonly string[];
  readonly flags: readonly SweepFlag[];
  /** By sink and reader. */
  readonly readers: readonly ReaderOutcome[];
  readonly violation: Violation | null;
}

/** What a run without failures is like, against which others are flagged. */
export interface Yardstick {
  readonly clock: number;
  readonly blocked: number;
}

/** `blocked`: the longest standstill of a committed reader. A run that was stopped is judged where it stands. */
export function outcomeOf(course: Course, reference: Reference, blocked: number, yardstick: Yardstick): Outcome {
  const { kernel, observer } = course.simulation;
  const ledger = ledgerOf(kernel, kernel.submission === 0 ? reference : referenceOf(kernel.plan.scenario));
  const watched = observer instanceof Invariants ? observer : null;
  const violations = course.ended === null ? watched?.violations : watched?.atEnd(kernel, ledger, course.ended);
  const committed = ledger.delivery.filter(({ reader }) => isCommitted(reader));
  const flags: readonly [SweepFlag, boolean][] = [
    ["late", kernel.now > yardstick.clock],
    ["regressed", ledger.delivery.some(({ regressions }) => regressions > 0)],
    ["readerBlocked", blocked > yardstick.blocked],
    ["stuck", course.ended === "stuck"],
    ["jobFailed", hasFailed(kernel)],
  ];
  return {
    verdict: ledger.verdict.endToEnd,
    state: ledger.verdict.state,
    lost: union([...committed, ...ledger.state].map(({ lost }) => lost)),
    duplicated: union([...committed, ...ledger.state].map(({ duplicated }) => duplicated)),
    flags: flags.filter(([, raised]) => raised).map(([flag]) => flag),
    readers: ledger.delivery.map(readerOutcome),
    violation: violations?.[0] ?? null,
  };
}

function readerOutcome({
  reader,
  expected,
  seen,
  lost,
  duplicated,
  differing,
  regressions,
}: DeliveryRow): ReaderOutcome {
  return {
    reader,
    expected,
    seen,
    lost: lost.length,
    duplicated: duplicated.length,
    differing: differing.length,
    regressions,
  };
}

function hasFailed({ world }: Kernel): boolean {
  return world.job(Job.status) === JobStatus.failed;
}

function union(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}
