/**
 * What a way to "effectively once" costs (SK-034 to SK-036), told from a run's log: at-least-once with a log of seen ids,
 * at-least-once with an idempotent sink, distributed snapshots with a transactional sink. The four things that the notes
 * compare: storage, work beside the work, recovery, and how late the output is.
 */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Report } from "../scenario/report.ts";
import { places } from "./fields.ts";
import { runMeasures } from "./run-measures.ts";

export interface StrategyCosts {
  /** Bytes of state in the largest completed checkpoint. */
  readonly storage: number;
  /** How often an id was looked up, and written down, by logs of seen ids. */
  readonly lookups: number;
  readonly idsWritten: number;
  /** Milliseconds for which alignment blocked channels, summed over them. */
  readonly blocked: number;
  /** Records that a rollback made some operator process again; of them, those that a log of ids stopped. */
  readonly processedAgain: number;
  readonly stopped: number;
  /** Milliseconds from a record's first leaving its source to its first being readable, by committed readers; `null`: none was. */
  readonly latency: { readonly average: number; readonly longest: number } | null;
}

const emitted = places("RecordEmitted");
const processed = places("RecordProcessed");
const written = places("RecordWritten");
const committed = places("TransactionCommitted");

export function strategyCosts(graph: ExecutionGraph, log: EventLog, report: Report): StrategyCosts {
  const { blocked, replayed } = runMeasures(log, report);
  const sizes = report.checkpoints.flatMap(({ status, stateBytes }) => (status === "COMPLETED" ? [stateBytes] : []));
  const { first, seen } = readable(log);
  const delays = [...seen].map(([record, clock]) => clock - (first.get(record) ?? clock));
  let [ids, stopped] = [0, 0];
  for (let step = 0; step < log.length; step++) {
    if (log.type(step) === EventNumber.DuplicateDropped) stopped++;
    const applies = log.type(step) === EventNumber.RecordProcessed;
    if (applies && at(graph.operators, log.field(step, processed.operator)).vertex.type === "dedup") ids++;
  }
  return {
    storage: Math.max(0, ...sizes),
    lookups: ids + stopped,
    idsWritten: ids,
    blocked,
    processedAgain: replayed,
    stopped,
    latency:
      delays.length === 0
        ? null
        : {
            average: Math.round(delays.reduce((sum, delay) => sum + delay, 0) / delays.length),
            longest: Math.max(...delays),
          },
  };
}

/** When each record first left a source, and when committed readers first could read it: with its transaction's commit. */
function readable(log: EventLog): { first: ReadonlyMap<number, number>; seen: ReadonlyMap<number, number> } {
  const first = new Map<number, number>();
  const seen = new Map<number, number>();
  /** By transaction: records that it holds. */
  const open = new Map<number, number[]>();
  const note = (times: Map<number, number>, record: number, clock: number): void => {
    if (!times.has(record)) times.set(record, clock);
  };
  for (let step = 0; step < log.length; step++) {
    const type = log.type(step);
    if (type === EventNumber.RecordEmitted) note(first, log.field(step, emitted.record), log.clock(step));
    else if (type === EventNumber.RecordWritten) {
      const [record, transaction] = [log.field(step, written.record), log.field(step, written.transaction)];
      if (transaction < 0) note(seen, record, log.clock(step));
      else open.set(transaction, [...(open.get(transaction) ?? []), record]);
    } else if (type === EventNumber.TransactionCommitted) {
      const transaction = log.field(step, committed.transaction);
      for (const record of open.get(transaction) ?? []) note(seen, record, log.clock(step));
      open.delete(transaction);
    }
  }
  return { first, seen };
}
