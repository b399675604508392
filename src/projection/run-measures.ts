/**
 * What a run's checkpoints and recoveries cost, told from its log and its report: what a comparison of runs puts side by
 * side. What the report says is taken from there; the rest is counted here.
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import { snapshotNumber } from "../protocol/ids.ts";
import type { EventLog } from "../protocol/log.ts";
import { isCommitted } from "../protocol/sinks.ts";
import type { CheckpointRow, Report } from "../scenario/report.ts";
import { places } from "./fields.ts";

export interface CheckpointMeasures {
  readonly id: number;
  readonly status: CheckpointRow["status"];
  /** Flink's reason, where it failed. */
  readonly failure: string | null;
  readonly unaligned: boolean;
  readonly triggered: number;
  /** From the trigger until the coordinator has completed it, in milliseconds; `null`: it was not completed. */
  readonly completion: number | null;
  /** Milliseconds for which it blocked channels, summed over them (CP-042). */
  readonly blocked: number;
  /** In-flight data stored with it, of acknowledged subtasks (CP-205, CP-212). */
  readonly persistedBytes: number;
  readonly persistedBuffers: number;
}

export interface RunMeasures {
  readonly checkpoints: readonly CheckpointMeasures[];
  readonly completed: number;
  readonly failed: number;
  /** Milliseconds from trigger to completion over the completed ones; `null`: there is none. */
  readonly averageCompletion: number | null;
  readonly longestCompletion: number | null;
  /** Sums over all checkpoints, those that failed included. */
  readonly blocked: number;
  readonly persistedBytes: number;
  readonly persistedBuffers: number;
  /** Input records that sources read once more because they went back to a checkpoint, or to the beginning; twice back counts twice (SK-004, FR-083). */
  readonly readAgain: number;
  /**
   * Input records that some operator processed once more after an attempt that had processed them was gone, each counted
   * once. Beside what was read again it has what came back from channel state, and lacks what had not got that far.
   */
  readonly replayed: number;
  /** Input records that are more than once in the state of some operator, and that committed readers see too often. */
  readonly duplicatedInState: number;
  readonly duplicatedAtSinks: number;
  /** The same of those that are missing for good. */
  readonly lost: number;
  /** When the run ended, in milliseconds. */
  readonly end: number;
}

export function runMeasures(log: EventLog, report: Report): RunMeasures {
  const counted = new Counted();
  for (let step = 0; step < log.length; step++) takes[log.type(step)]?.(counted, log, step);
  counted.end(report.clock);
  const checkpoints = report.checkpoints.map((row) => ofCheckpoint(row, counted));
  const completions = checkpoints.flatMap(({ completion }) => completion ?? []);
  const committed = report.delivery.filter(({ reader }) => isCommitted(reader));
  return {
    checkpoints,
    completed: completions.length,
    failed: checkpoints.filter(({ status }) => status === "FAILED").length,
    averageCompletion: completions.length === 0 ? null : Math.round(sum(completions) / completions.length),
    longestCompletion: completions.length === 0 ? null : Math.max(...completions),
    blocked: sum(checkpoints.map(({ blocked }) => blocked)),
    persistedBytes: sum(checkpoints.map(({ persistedBytes }) => persistedBytes)),
    persistedBuffers: sum(checkpoints.map(({ persistedBuffers }) => persistedBuffers)),
    readAgain: counted.readAgain,
    replayed: counted.replayed.size,
    duplicatedInState: distinct(report.state.map(({ duplicated }) => duplicated)),
    duplicatedAtSinks: distinct(committed.map(({ duplicated }) => duplicated)),
    lost: distinct([...report.state, ...committed].map(({ lost }) => lost)),
    end: report.clock,
  };
}

function ofCheckpoint(row: CheckpointRow, counted: Counted): CheckpointMeasures {
  const { id, status, failure, unaligned, triggered, ended, persistedInFlight } = row;
  return {
    id,
    status,
    failure,
    unaligned,
    triggered,
    completion: status === "COMPLETED" && ended !== null ? ended - triggered : null,
    blocked: counted.blocked.get(id) ?? 0,
    persistedBytes: persistedInFlight,
    persistedBuffers: counted.buffers.get(id) ?? 0,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const distinct = (lists: readonly (readonly string[])[]): number => new Set(lists.flat()).size;

/** A channel that a checkpoint blocks, and since when. */
interface Block {
  readonly checkpoint: number;
  readonly subtask: number;
  readonly from: number;
}

class Counted {
  /** By checkpoint. */
  readonly blocked = new Map<number, number>();
  readonly buffers = new Map<number, number>();
  readonly replayed = new Set<number>();
  readAgain = 0;
  private readonly blocks = new Map<number, Block>();
  /** By part of a checkpoint: buffers that count once it is acknowledged. */
  private readonly stored = new Map<number, number>();
  /** By operator: what a source has read. Two sources may read the same topic. */
  private readonly emitted = new Map<number, Set<number>>();
  /** Attempts are numbered over all subtasks, so that a number is never used twice. */
  private attempts = 0;
  private readonly current: number[] = [];
  private readonly gone = new Set<number>();
  /** By operator: the attempt that processed a record last. */
  private readonly processed = new Map<number, Map<number, number>>();

  block(channel: number, block: Block): void {
    this.blocks.set(channel, block);
  }

  resume(channel: number, clock: number): void {
    const block = this.blocks.get(channel);
    if (block === undefined) return;
    this.blocks.delete(channel);
    add(this.blocked, block.checkpoint, clock - block.from);
  }

  store(subtask: number, checkpoint: number, records: number): void {
    add(this.stored, snapshotNumber(subtask, checkpoint), records);
  }

  acknowledge(subtask: number, checkpoint: number): void {
    add(this.buffers, checkpoint, this.stored.get(snapshotNumber(subtask, checkpoint)) ?? 0);
  }

  emit(operator: number, record: number): void {
    const read = this.emitted.get(operator) ?? new Set();
    this.emitted.set(operator, read);
    if (read.has(record)) this.readAgain++;
    read.add(record);
  }

  process(subtask: number, operator: number, record: number): void {
    const attempt = at(this.current, subtask);
    const by = this.processed.get(operator) ?? new Map<number, number>();
    this.processed.set(operator, by);
    const before = by.get(record);
    if (before !== undefined && this.gone.has(before)) this.replayed.add(record);
    by.set(record, attempt);
  }

  begin(subtask: number): void {
    this.current[subtask] = this.attempts++;
  }

  /** A thread that has stopped blocks nothing. */
  stop(subtask: number, clock: number): void {
    this.gone.add(at(this.current, subtask));
    for (const [channel, block] of this.blocks) if (block.subtask === subtask) this.resume(channel, clock);
  }

  end(clock: number): void {
    for (const channel of this.blocks.keys()) this.resume(channel, clock);
  }
}

function add(sums: Map<number, number>, key: number, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more);
}

const created = places("AttemptCreated");
const stopped = places("TaskStopped");
const blocked = places("ChannelBlocked");
const resumed = places("ChannelResumed");
const stored = places("InFlightDataPersisted");
const acknowledged = places("CheckpointAcknowledged");
const emitted = places("RecordEmitted");
const processed = places("RecordProcessed");

const takes: { [type: number]: (counted: Counted, log: EventLog, step: number) => void } = {
  [EventNumber.AttemptCreated]: (counted, log, step) => counted.begin(log.field(step, created.subtask)),
  [EventNumber.TaskStopped]: (counted, log, step) => counted.stop(log.field(step, stopped.subtask), log.clock(step)),
  [EventNumber.ChannelBlocked]: (counted, log, step) => {
    const [subtask, checkpoint] = [log.field(step, blocked.subtask), log.field(step, blocked.checkpoint)];
    counted.block(log.field(step, blocked.channel), { checkpoint, subtask, from: log.clock(step) });
  },
  [EventNumber.ChannelResumed]: (counted, log, step) =>
    counted.resume(log.field(step, resumed.channel), log.clock(step)),
  [EventNumber.InFlightDataPersisted]: (counted, log, step) => {
    const [subtask, checkpoint] = [log.field(step, stored.subtask), log.field(step, stored.checkpoint)];
    counted.store(subtask, checkpoint, log.field(step, stored.records));
  },
  [EventNumber.CheckpointAcknowledged]: (counted, log, step) =>
    counted.acknowledge(log.field(step, acknowledged.subtask), log.field(step, acknowledged.checkpoint)),
  [EventNumber.RecordEmitted]: (counted, log, step) =>
    counted.emit(log.field(step, emitted.operator), log.field(step, emitted.record)),
  [EventNumber.RecordProcessed]: (counted, log, step) =>
    counted.process(
      log.field(step, processed.subtask),
      log.field(step, processed.operator),
      log.field(step, processed.record),
    ),
};
