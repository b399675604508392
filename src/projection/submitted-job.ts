/** The job that an entry `JobSubmitted` speaks of: told by what the session's command changes of the one before it. */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import { places } from "./fields.ts";
import { type Shared, shared as sharedOf } from "./shared.ts";

const submitted = places("JobSubmitted");

/** What the views of the new job share; the same for every view of a branch. */
export function sharedAfter(before: Shared, log: EventLog, step: number): Shared {
  const known = before.later.get(step);
  if (known !== undefined) return known;
  const change = before.commands[log.field(step, submitted.fault)]?.submission;
  const scenario = { ...before.scenario, ...change };
  const list = log.list(step, submitted.readers);
  const width = before.graph.inputs.length;
  const readers = Array.from({ length: list.length / width }, (_, source) =>
    list.slice(source * width, (source + 1) * width),
  );
  const checkpoint = log.field(step, submitted.checkpoint);
  const restores = checkpoint > 0;
  const graph = executionGraph(scenario, { graph: before.graph, readers: restores ? readers : null });
  const { cells, applied } = before;
  const next: Shared = {
    ...sharedOf(scenario, graph, before.commands),
    submission: log.field(step, submitted.submission),
    origin: restores ? { submission: log.field(step, submitted.from), checkpoint, clock: log.clock(step) } : null,
    cells,
    applied,
  };
  before.later.set(step, next);
  return next;
}

/** The jobs of a run, by step: found as the log grows. */
export class Jobs {
  private readonly jobs: { readonly from: number; readonly shared: Shared }[];
  private length = 0;

  constructor(first: Shared) {
    this.jobs = [{ from: 0, shared: first }];
  }

  extend(log: EventLog): void {
    for (; this.length < log.length; this.length++) {
      if (log.type(this.length) !== EventNumber.JobSubmitted) continue;
      this.jobs.push({ from: this.length, shared: sharedAfter(this.last, log, this.length) });
    }
  }

  get last(): Shared {
    return at(this.jobs, this.jobs.length - 1).shared;
  }

  byNumber(submission: number): Shared | undefined {
    return this.jobs[submission]?.shared;
  }

  /** Of the job that the entry at a step is of. */
  at(step: number): Shared {
    for (let place = this.jobs.length - 1; place > 0; place--)
      if (at(this.jobs, place).from <= step) return at(this.jobs, place).shared;
    return at(this.jobs, 0).shared;
  }

  /** By number. */
  get graphs(): readonly ExecutionGraph[] {
    return this.jobs.map(({ shared }) => shared.graph);
  }
}
