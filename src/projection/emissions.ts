/**
 * What sources have read when: for each partition that a source reads, the steps of its records and the runs of offsets
 * without a jump. So it can be told without a fold where a source stood at any step, and for how many times a record was
 * read. Built as the log grows.
 */
import { at } from "../base/assert.ts";
import { firstPlace } from "../base/first-place.ts";
import { grown } from "../base/grown.ts";
import { EventNumber } from "../protocol/events.ts";
import { recordOffset, recordPartition } from "../protocol/ids.ts";
import type { EventLog } from "../protocol/log.ts";
import { places } from "./fields.ts";
import type { Shared } from "./shared.ts";
import { sharedAfter } from "./submitted-job.ts";

const emitted = places("RecordEmitted");
const rewound = places("SourceRewound");

/** Offsets from `from` on, read by the emissions from `first` on. */
interface Run {
  readonly step: number;
  readonly first: number;
  readonly from: number;
}

interface Reading {
  readonly runs: Run[];
  steps: Int32Array;
  count: number;
}

/** What the sources of one job have read; `readings` by place in `RunView.inputs`. */
interface Job {
  readonly from: number;
  readonly shared: Shared;
  readonly readings: readonly Reading[];
}

function jobOf(shared: Shared, from: number): Job {
  const readings = shared.inputsOf.flat().map(() => ({ runs: [], steps: new Int32Array(64), count: 0 }));
  return { from, shared, readings };
}

export class Emissions {
  /** The run's jobs so far, the one that runs last. */
  private readonly jobs: Job[];
  private length = 0;

  constructor(shared: Shared) {
    this.jobs = [jobOf(shared, 0)];
  }

  private get shared(): Shared {
    return at(this.jobs, this.jobs.length - 1).shared;
  }

  /** Takes in the entries that the log has more. */
  extend(log: EventLog): void {
    for (; this.length < log.length; this.length++) {
      const type = log.type(this.length);
      if (type === EventNumber.RecordEmitted) this.take(log, this.length);
      else if (type === EventNumber.SourceRewound) this.rewind(log, this.length);
      else if (type === EventNumber.JobSubmitted)
        this.jobs.push(jobOf(sharedAfter(this.shared, log, this.length), this.length));
    }
  }

  /** Where a split's source stands after the entry at `step`: the next offset it reads. */
  positionAt(subtask: number, split: number, step: number): number {
    const reading = this.reading(subtask, split, step);
    const run = reading.runs.findLast((candidate) => candidate.step <= step);
    return run === undefined ? 0 : run.from + Math.max(0, countUpTo(reading, step) - run.first);
  }

  /** For how many times the record of a `RecordEmitted` entry was read then, by jobs before too: 1, or more after a rewind. */
  passOf(log: EventLog, step: number): number {
    const record = log.field(step, emitted.record);
    const subtask = log.field(step, emitted.subtask);
    const { shared } = this.jobAt(step);
    const [offset, partition] = [recordOffset(shared.graph, record), recordPartition(shared.graph, record)];
    const source = sourceOf(shared, subtask);
    let passes = 0;
    for (const job of this.jobs) {
      job.shared.splits.forEach((splits, reader) => {
        const split = splits.indexOf(partition);
        if (split < 0 || sourceOf(job.shared, reader) !== source) return;
        passes += passesOf(at(job.readings, at(at(job.shared.inputsOf, reader), split)), offset, step);
      });
    }
    return passes;
  }

  /** Behind the last offset of a partition that any job has read up to a step. */
  furthestAt(partition: number, step: number): number {
    const ends = this.jobs.flatMap(({ shared, readings }) =>
      shared.splits.flatMap((splits, reader) => {
        const split = splits.indexOf(partition);
        return split < 0 ? [] : endsOf(at(readings, at(at(shared.inputsOf, reader), split)), step);
      }),
    );
    return Math.max(0, ...ends);
  }

  private jobAt(step: number): Job {
    return this.jobs.findLast(({ from }) => from <= step) ?? at(this.jobs, 0);
  }

  private splitOf(subtask: number, partition: number): number {
    return at(this.shared.splits, subtask).indexOf(partition);
  }

  private reading(subtask: number, split: number, step: number): Reading {
    const { shared, readings } = this.jobAt(step);
    return at(readings, at(at(shared.inputsOf, subtask), split));
  }

  private take(log: EventLog, step: number): void {
    const record = log.field(step, emitted.record);
    const subtask = log.field(step, emitted.subtask);
    const reading = this.reading(subtask, this.splitOf(subtask, recordPartition(this.shared.graph, record)), step);
    const offset = recordOffset(this.shared.graph, record);
    const run = reading.runs[reading.runs.length - 1];
    if (run === undefined || run.from + reading.count - run.first !== offset) {
      reading.runs.push({ step, first: reading.count, from: offset });
    }
    if (reading.count === reading.steps.length) reading.steps = grown(reading.steps);
    reading.steps[reading.count++] = step;
  }

  private rewind(log: EventLog, step: number): void {
    const subtask = log.field(step, rewound.subtask);
    const reading = this.reading(subtask, this.splitOf(subtask, log.field(step, rewound.partition)), step);
    reading.runs.push({ step, first: reading.count, from: log.field(step, rewound.target) });
  }
}

/** The uid at the head of a subtask's chain. */
function sourceOf({ graph }: Shared, subtask: number): string {
  return at(graph.vertices, at(graph.subtasks, subtask).taskVertex).uid;
}

/** Behind the last offset of each run up to a step. */
function endsOf(reading: Reading, step: number): number[] {
  const count = countUpTo(reading, step);
  return reading.runs.map(({ first, from }, index) => {
    const next = reading.runs[index + 1]?.first ?? reading.count;
    const length = Math.min(next, count) - first;
    return length > 0 ? from + length : 0;
  });
}

/** How often a source has read an offset up to a step. */
function passesOf({ runs, count }: Reading, offset: number, step: number): number {
  return runs.filter((run, index) => {
    const next = runs[index + 1];
    const length = (next === undefined ? count : next.first) - run.first;
    return run.step <= step && offset >= run.from && offset < run.from + length;
  }).length;
}

/** Emissions up to and with `step`. */
function countUpTo({ steps, count }: Reading, step: number): number {
  return firstPlace(count, (place) => (steps[place] as number) > step);
}
