/** What is marked along a run, in presentation time: the same places on the scrubber and in the timeline panel. */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { transactionName } from "../protocol/ids.ts";
import type { CheckpointSpan, FaultMark, JobSpan, Span, TransactionSpan } from "../projection/timeline.ts";
import type { BranchId } from "../worker/port.ts";
import type { Fold } from "../view/clock.ts";
import { factsOf } from "./facts.ts";
import type { BranchRun } from "./store.ts";

/** Of something that lasts; `to` is the end of the run where it has not ended. */
export interface Placed<T> {
  readonly of: T;
  readonly left: number;
  readonly right: number;
}

export interface TransactionPlace extends Placed<TransactionSpan> {
  /** Where it was pre-committed; `null`: it was not. */
  readonly prepared: number | null;
  readonly name: string;
}

export interface TimelineMarks {
  readonly total: number;
  /** Where a time lies, in milliseconds. */
  readonly placeOf: (clock: number) => number;
  readonly job: readonly Placed<JobSpan>[];
  readonly checkpoints: readonly Placed<CheckpointSpan>[];
  /** By sink subtask. */
  readonly transactions: readonly {
    readonly subtask: string;
    /** The uid of its task vertex. */
    readonly vertex: string;
    readonly list: readonly TransactionPlace[];
  }[];
  readonly faults: readonly {
    readonly fault: FaultMark;
    /** Of the job that it hit. */
    readonly graph: ExecutionGraph;
    readonly left: number;
  }[];
  /** Where children leave, and where this branch left its parent. */
  readonly forks: readonly { readonly id: BranchId; readonly step: number; readonly left: number }[];
  /** Spans in which nothing moves, shown shorter than they are. */
  readonly folds: readonly Fold[];
  readonly ticks: readonly { readonly clock: number; readonly left: number }[];
}

export function timelineMarks(branch: BranchRun, branches: readonly BranchRun[]): TimelineMarks {
  const { clock } = branch.run;
  const { timeline } = factsOf(branch.run);
  const total = Math.max(1, clock.total);
  const place = <T extends Span>(of: T): Placed<T> => ({
    of,
    left: clock.presentationOf(of.fromStep),
    right: of.toStep < 0 ? total : clock.presentationOf(of.toStep),
  });
  const transactions = new Map<string, { readonly vertex: string; readonly list: TransactionPlace[] }>();
  for (const span of timeline.transactions) {
    const prepared = span.preCommitted < 0 ? null : clock.presentationAtClock(span.preCommitted);
    const { graph } = branch.run.jobs.at(span.fromStep);
    const { name, taskVertex } = at(graph.subtasks, span.subtask);
    const known = transactions.get(name) ?? { vertex: at(graph.vertices, taskVertex).uid, list: [] };
    known.list.push({ ...place(span), prepared, name: transactionName(graph, span.number) });
    transactions.set(name, known);
  }
  return {
    total,
    placeOf: (time) => clock.presentationAtClock(time),
    job: timeline.job.map(place),
    checkpoints: timeline.checkpoints.map(place),
    transactions: [...transactions].map(([subtask, { vertex, list }]) => ({ subtask, vertex, list })),
    faults: timeline.faults.map((fault) => ({
      fault,
      graph: branch.run.jobs.at(fault.step).graph,
      left: clock.presentationOf(fault.step),
    })),
    forks: forksOf(branch, branches),
    folds: clock.folds,
    ticks: ticksOf(branch),
  };
}

function forksOf({ branch, run }: BranchRun, branches: readonly BranchRun[]): TimelineMarks["forks"] {
  return branches
    .filter(
      ({ branch: other, removed }) =>
        !removed && (other.parent === branch.id || (other.id === branch.id && other.parent !== null)),
    )
    .map(({ branch: { id, step } }) => ({ id, step, left: run.clock.presentationOf(step) }));
}

const STEPS = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];
const TICKS_MAX = 9;
/** Ticks nearer to each other than this share of the whole would lie on one another. */
const APART = 0.035;

/** Simulated times in round figures; they stand unevenly where idle time is folded. */
function ticksOf({ run: { clock, log }, length }: BranchRun): TimelineMarks["ticks"] {
  if (length === 0) return [];
  const end = log.clock(length - 1);
  const every = STEPS.find((step) => end / step <= TICKS_MAX) ?? end;
  const count = Math.floor(end / every) + 1;
  const ticks: { clock: number; left: number }[] = [];
  for (let index = 0; index < count; index++) {
    const left = clock.presentationAtClock(index * every);
    const before = ticks.at(-1);
    const apart = clock.total * APART;
    // A notch says for itself how much is folded there.
    if (clock.folds.some(({ from, to }) => left > from - apart && left < to + apart)) continue;
    if (before === undefined || left - before.left > apart) ticks.push({ clock: index * every, left });
  }
  return ticks;
}
