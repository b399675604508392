/**
 * The report's `delivery[].stalls`: when a committed reader of a partition stood still (KF-030, KF-031, KF-033). It does
 * where records that are committed, or were written outside of transactions, lie behind the first record of another
 * transaction that is not ended there. A reader that has nothing more to read does not stand still. And its `background`:
 * how long what another producer wrote there was held back by that.
 */
import { at } from "../../base/assert.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { BackgroundRow, DeliveryRow } from "../../scenario/report.ts";
import { type Handlers, type Span, field, foldLog } from "./entries.ts";

type Stall = DeliveryRow["stalls"][number];

/** What a partition's committed readers can get at. */
interface Partition {
  /** Transactions under way, in the order of their first records. */
  readonly ongoing: { readonly transaction: number; readonly first: number; last: number }[];
  /** The last offset of what is there for them to read. */
  readable: number;
  /** Another producer's records that wait. */
  readonly waiting: { readonly offset: number; readonly since: number }[];
  written: number;
  longestDelay: number;
  /** Behind whom they stand still, and since when. */
  blocked: { readonly transaction: number; readonly since: number } | null;
}

const NONE = -1;

/** By the number of an output partition: its stalls, in the order in which they ended. */
export function stallsOf(log: EventLog, graph: ExecutionGraph): readonly (readonly Stall[])[] {
  const stalls = graph.outputs.map((): Stall[] => []);
  const partitions = foldPartitions(log, graph, (place, partition, clock) => {
    const [first] = partition.ongoing;
    const behind = first !== undefined && partition.readable > first.first ? first.transaction : NONE;
    if (behind === (partition.blocked?.transaction ?? NONE)) return;
    if (partition.blocked !== null && clock > partition.blocked.since)
      at(stalls, place).push(stall(graph, place, partition.blocked, clock));
    partition.blocked = behind === NONE ? null : { transaction: behind, since: clock };
  });
  partitions.forEach(({ blocked }, place) => {
    if (blocked !== null) at(stalls, place).push(stall(graph, place, blocked, null));
  });
  return stalls;
}

/** What other producers wrote beside the sinks of a run, whose last job this is. */
export function backgroundOf(log: EventLog, { graph, scenario }: Pick<Span, "graph" | "scenario">): BackgroundRow[] {
  const end = log.length === 0 ? 0 : log.clock(log.length - 1);
  const beside = new Set(scenario.topics.flatMap(({ name, background }) => (background === null ? [] : [name])));
  return foldPartitions(log, graph, release).flatMap(({ written, waiting, longestDelay }, place) => {
    const { topic, name } = at(graph.outputs, place);
    const delay = Math.max(longestDelay, end - (waiting[0]?.since ?? end));
    return beside.has(topic)
      ? [{ partition: name, written, readable: written - waiting.length, longestDelay: delay }]
      : [];
  });
}

/** What no transaction is in front of any more can be read: they came in order, so the first have waited longest. */
function release(_: number, partition: Partition, clock: number): void {
  const { waiting, ongoing } = partition;
  const stable = ongoing[0]?.first ?? Infinity;
  const [first] = waiting;
  if (first === undefined || first.offset >= stable) return;
  partition.longestDelay = Math.max(partition.longestDelay, clock - first.since);
  const held = waiting.findIndex(({ offset }) => offset >= stable);
  waiting.splice(0, held < 0 ? waiting.length : held);
}

type Settle = (place: number, partition: Partition, clock: number) => void;

/** Goes through a log; `settle` looks at a partition where something on it has changed. */
function foldPartitions(log: EventLog, graph: ExecutionGraph, settle: Settle): readonly Partition[] {
  const partitions = graph.outputs.map((): Partition => ({
    ongoing: [],
    readable: NONE,
    waiting: [],
    written: 0,
    longestDelay: 0,
    blocked: null,
  }));
  const look = (place: number, step: number): void => settle(place, at(partitions, place), log.clock(step));
  const end = (transaction: number, commits: boolean, step: number, only = NONE): void =>
    partitions.forEach((partition, place) => {
      if (only !== NONE && place !== only) return;
      const index = partition.ongoing.findIndex((part) => part.transaction === transaction);
      if (index < 0) return;
      const [part] = partition.ongoing.splice(index, 1);
      if (commits && part !== undefined) partition.readable = Math.max(partition.readable, part.last);
      look(place, step);
    });
  foldLog(log, { ...writes(log, partitions, look), ...ends(log, end) });
  return partitions;
}

function stall(
  graph: ExecutionGraph,
  partition: number,
  { transaction, since }: NonNullable<Partition["blocked"]>,
  to: number | null,
): Stall {
  return {
    from: since,
    to,
    partition: at(graph.outputs, partition).name,
    transaction: transactionName(graph, transaction),
  };
}

function writes(
  log: EventLog,
  partitions: readonly Partition[],
  settle: (partition: number, step: number) => void,
): Handlers {
  return {
    RecordWritten: (step) => {
      const place = field(log, step, "RecordWritten", "partition");
      const offset = field(log, step, "RecordWritten", "offset");
      const transaction = field(log, step, "RecordWritten", "transaction");
      const partition = at(partitions, place);
      const part = partition.ongoing.find((other) => other.transaction === transaction);
      if (transaction < 0) partition.readable = offset;
      else if (part === undefined) partition.ongoing.push({ transaction, first: offset, last: offset });
      else part.last = offset;
      if (transaction < 0) settle(place, step);
    },
    BackgroundRecordWritten: (step) => {
      const place = field(log, step, "BackgroundRecordWritten", "partition");
      const offset = field(log, step, "BackgroundRecordWritten", "offset");
      const partition = at(partitions, place);
      partition.readable = offset;
      partition.written++;
      partition.waiting.push({ offset, since: log.clock(step) });
      settle(place, step);
    },
  };
}

function ends(
  log: EventLog,
  end: (transaction: number, commits: boolean, step: number, only?: number) => void,
): Handlers {
  return {
    TransactionMarkerWritten: (step) =>
      end(
        field(log, step, "TransactionMarkerWritten", "transaction"),
        field(log, step, "TransactionMarkerWritten", "commit") === 1,
        step,
        field(log, step, "TransactionMarkerWritten", "partition"),
      ),
    TransactionCommitted: (step) => end(field(log, step, "TransactionCommitted", "transaction"), true, step),
    TransactionAborted: (step) => end(field(log, step, "TransactionAborted", "transaction"), false, step),
    TransactionTimedOut: (step) => end(field(log, step, "TransactionTimedOut", "transaction"), false, step),
  };
}
