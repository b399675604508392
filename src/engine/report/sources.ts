/**
 * The report's `sources` (SK-003, SK-008): how far each input partition is read, and what its consumer group was told. A
 * topic that two sources read has a row for each, in the order of the sources.
 */
import { at } from "../../base/assert.ts";
import { recordOffset, recordPartition } from "../../protocol/ids.ts";
import type { EventLog } from "../../protocol/log.ts";
import type { SourceRow } from "../../scenario/report.ts";
import { type Handlers, type Span, field, foldLog } from "./entries.ts";

type Row = { -readonly [K in keyof SourceRow]: SourceRow[K] };

/** Positions are those of the run's last job; the consumer groups are the log's, whoever told them. */
export function sourceRows(
  log: EventLog,
  spans: readonly Span[],
  lag: (partition: number, groupOffset: number) => number,
): SourceRow[] {
  const groups = new Map<string, number>();
  return spans.flatMap((span, place) => {
    const rows = rowsOf(log, span, groups);
    if (place < spans.length - 1) return [];
    const partitions = span.graph.inputs.map(({ name }) => name);
    return rows.map((row) => ({
      ...row,
      lag: row.groupOffset === null ? null : lag(partitions.indexOf(row.partition), row.groupOffset),
    }));
  });
}

function rowsOf(log: EventLog, span: Span, groups: Map<string, number>): SourceRow[] {
  const { graph } = span;
  const rows = graph.readers.map((readers) =>
    readers.map((_, partition): Row => ({
      partition: at(graph.inputs, partition).name,
      position: 0,
      groupOffset: groups.get(at(graph.inputs, partition).name) ?? null,
      lag: null,
    })),
  );
  const sourceOf = (subtask: number): number =>
    graph.sources.indexOf(at(at(graph.vertices, at(graph.subtasks, subtask).taskVertex).operators, 0));
  const row = (source: number, partition: number): Row => at(at(rows, source), partition);
  const handlers: Handlers = {
    RecordEmitted: (step) => {
      const record = field(log, step, "RecordEmitted", "record");
      row(
        graph.sources.indexOf(field(log, step, "RecordEmitted", "operator")),
        recordPartition(graph, record),
      ).position = recordOffset(graph, record) + 1;
    },
    // A new attempt knows nothing until its state is restored.
    AttemptCreated: (step) => {
      const subtask = field(log, step, "AttemptCreated", "subtask");
      const source = sourceOf(subtask);
      graph.readers[source]?.forEach((reader, partition) => {
        if (reader === at(graph.subtasks, subtask).number) row(source, partition).position = 0;
      });
    },
    OffsetsCommitted: (step) => {
      row(
        sourceOf(field(log, step, "OffsetsCommitted", "subtask")),
        field(log, step, "OffsetsCommitted", "partition"),
      ).groupOffset = field(log, step, "OffsetsCommitted", "position");
    },
  };
  foldLog(log, { ...handlers, ...seeks(log, (subtask) => at(rows, sourceOf(subtask))) }, span);
  for (const { partition, groupOffset } of rows.flat()) if (groupOffset !== null) groups.set(partition, groupOffset);
  return rows.flatMap((list, source) => list.filter((_, partition) => at(at(graph.readers, source), partition) >= 0));
}

/** Entries behind which a source goes on elsewhere. */
function seeks(log: EventLog, rowsOfReader: (subtask: number) => readonly Row[]): Handlers {
  const stand = (subtask: number, partition: number, position: number): void => {
    at(rowsOfReader(subtask), partition).position = position;
  };
  return {
    SplitAdded: (step) => {
      const of = (name: "subtask" | "partition" | "position"): number => field(log, step, "SplitAdded", name);
      stand(of("subtask"), of("partition"), of("position"));
    },
    OffsetReset: (step) => {
      const of = (name: "subtask" | "partition" | "target"): number => field(log, step, "OffsetReset", name);
      stand(of("subtask"), of("partition"), of("target"));
    },
    ConnectionClosed: (step) => {
      const of = (name: "subtask" | "partition" | "delivered"): number => field(log, step, "ConnectionClosed", name);
      stand(of("subtask"), of("partition"), of("delivered"));
    },
    SourceRewound: (step) => {
      const of = (name: "subtask" | "partition" | "target"): number => field(log, step, "SourceRewound", name);
      stand(of("subtask"), of("partition"), of("target"));
    },
  };
}
