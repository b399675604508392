/**
 * What sources have read when: for each partition that a source reads, the steps of its records and the runs of offsets
 * without a jump. So it can be told without a fold where a source stood at any step, and for how many times a record was
 * read. Built as the log grows.
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import { recordOffset, recordPartition } from "../protocol/ids.ts";
import type { EventLog } from "../protocol/log.ts";
import { places } from "./fields.ts";
import type { Shared } from "./shared.ts";

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

export class Emissions {
  private readonly shared: Shared;
  /** By place in `RunView.inputs`. */
  private readonly readings: Reading[];
  private length = 0;

  constructor(shared: Shared) {
    this.shared = shared;
    this.readings = shared.inputsOf.flat().map(() => ({ runs: [], steps: new Int32Array(64), count: 0 }));
  }

  /** Takes in the entries that the log has more. */
  extend(log: EventLog): void {
    for (; this.length < log.length; this.length++) {
      const type = log.type(this.length);
      if (type === EventNumber.RecordEmitted) this.take(log, this.length);
      else if (type === EventNumber.SourceRewound) this.rewind(log, this.length);
    }
  }

  /** Where a split's source stands after the entry at `step`: the next offset it reads. */
  positionAt(subtask: number, split: number, step: number): number {
    const reading = this.reading(subtask, split);
    const run = reading.runs.findLast((candidate) => candidate.step <= step);
    return run === undefined ? 0 : run.from + Math.max(0, countUpTo(reading, step) - run.first);
  }

  /** For how many times the record of a `RecordEmitted` entry was read then: 1, or more after a rewind. */
  passOf(log: EventLog, step: number): number {
    const record = log.field(step, emitted.record);
    const subtask = log.field(step, emitted.subtask);
    const offset = recordOffset(this.shared.graph, record);
    const reading = this.reading(subtask, this.splitOf(subtask, recordPartition(this.shared.graph, record)));
    let passes = 0;
    reading.runs.forEach((run, index) => {
      const next = reading.runs[index + 1];
      const length = (next === undefined ? reading.count : next.first) - run.first;
      if (run.step <= step && offset >= run.from && offset < run.from + length) passes++;
    });
    return passes;
  }

  private splitOf(subtask: number, partition: number): number {
    return at(this.shared.splits, subtask).indexOf(partition);
  }

  private reading(subtask: number, split: number): Reading {
    return at(this.readings, at(at(this.shared.inputsOf, subtask), split));
  }

  private take(log: EventLog, step: number): void {
    const record = log.field(step, emitted.record);
    const subtask = log.field(step, emitted.subtask);
    const reading = this.reading(subtask, this.splitOf(subtask, recordPartition(this.shared.graph, record)));
    const offset = recordOffset(this.shared.graph, record);
    const run = reading.runs[reading.runs.length - 1];
    if (run === undefined || run.from + reading.count - run.first !== offset) {
      reading.runs.push({ step, first: reading.count, from: offset });
    }
    if (reading.count === reading.steps.length) {
      const larger = new Int32Array(reading.count * 2);
      larger.set(reading.steps);
      reading.steps = larger;
    }
    reading.steps[reading.count++] = step;
  }

  private rewind(log: EventLog, step: number): void {
    const subtask = log.field(step, rewound.subtask);
    const reading = this.reading(subtask, this.splitOf(subtask, log.field(step, rewound.partition)));
    reading.runs.push({ step, first: reading.count, from: log.field(step, rewound.target) });
  }
}

/** Emissions up to and with `step`. */
function countUpTo({ steps, count }: Reading, step: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps[middle] as number) <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}
