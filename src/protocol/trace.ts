/** The log with names in the place of numbers: the contract's trace, one entry a line. */
import { at } from "../base/assert.ts";
import { eventRules } from "./event-rules.ts";
import { type EventType, EventNumber, eventTypes } from "./events.ts";
import type { FieldValue } from "./field-values.ts";
import type { ExecutionGraph } from "./execution-graph.ts";
import { snapshotCheckpoint, snapshotSubtask, transactionName } from "./ids.ts";
import type { EventLog, Move } from "./log.ts";
import { Machine, machines } from "./machines/all.ts";
import { namedFields } from "./named-fields.ts";

/** One entry as people and tools read it. */
export interface TraceEntry {
  readonly step: number;
  readonly clock: number;
  readonly type: EventType;
  readonly submission: number;
  readonly [field: string]: FieldValue | readonly TraceMove[];
}

export interface TraceMove {
  readonly machine: string;
  readonly instance: string;
  readonly from: string;
  readonly to: string;
  readonly [field: string]: string;
}

function instanceName(graph: ExecutionGraph, move: Move): string {
  switch (move.machine) {
    case Machine.executionState:
    case Machine.barrierHandler:
      return at(graph.subtasks, move.instance).name;
    case Machine.checkpoint:
      return String(move.instance);
    case Machine.subtaskSnapshot:
      return `${at(graph.subtasks, snapshotSubtask(move.instance)).name}@${snapshotCheckpoint(move.instance)}`;
    case Machine.transaction:
      return transactionName(graph, move.instance);
    default:
      return "job";
  }
}

function traceMoves(graph: ExecutionGraph, log: EventLog, step: number): TraceMove[] {
  return Array.from({ length: log.moveCount(step) }, (_, index) => {
    const move = log.move(step, index);
    const table = at(machines, move.machine);
    const states = Object.keys(table.states);
    return {
      machine: table.name,
      instance: instanceName(graph, move),
      from: at(states, move.from),
      to: at(states, move.to),
    };
  });
}

/** The entry at `step`, every field named; `vertex` comes with `subtask` or `operator`. `submission`: whose entry it is. */
export function traceEntry(graph: ExecutionGraph, log: EventLog, step: number, submission = 0): TraceEntry {
  const type = at(eventTypes, log.type(step));
  const cause = log.cause(step);
  return {
    step,
    clock: log.clock(step),
    type,
    submission,
    ...namedFields(graph, log, step),
    cause: cause < 0 ? null : cause,
    moves: traceMoves(graph, log, step),
    rule: eventRules[type] === "" ? null : eventRules[type],
  };
}

/** Every entry of a log, by the names of the job that it is of: `graphs` has that of each submission. */
export function* traceEntries(
  graphs: ExecutionGraph | readonly ExecutionGraph[],
  log: EventLog,
): Generator<TraceEntry> {
  const all = "operators" in graphs ? [graphs] : graphs;
  let submission = 0;
  for (let step = 0; step < log.length; step++) {
    if (log.type(step) === EventNumber.JobSubmitted) submission = log.field(step, 0);
    yield traceEntry(at(all, submission), log, step, submission);
  }
}

/** The whole log as NDJSON, each line ended by a line feed. */
export function* traceLines(graphs: ExecutionGraph | readonly ExecutionGraph[], log: EventLog): Generator<string> {
  for (const entry of traceEntries(graphs, log)) yield `${JSON.stringify(entry)}\n`;
}
