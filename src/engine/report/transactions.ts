/** The report's `transactions`: one row for each that was begun and not recycled; a name may be used again. */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { EventLog } from "../../protocol/log.ts";
import { Machine, machines } from "../../protocol/machines/all.ts";
import { deciders } from "../../protocol/reasons.ts";
import type { TransactionRow } from "../../scenario/report.ts";
import { field, foldLog } from "./entries.ts";

type Building = { -readonly [K in keyof TransactionRow]: TransactionRow[K] };

const recycled = Object.keys(machines[Machine.transaction].states).indexOf("RECYCLED");

export function transactionRows(graph: ExecutionGraph, log: EventLog): TransactionRow[] {
  const rows = new Set<Building>();
  const latest = new Map<number, Building>();
  foldLog(log, {
    TransactionBegun: (step) => {
      const number = field(log, step, "TransactionBegun", "transaction");
      const row: Building = {
        id: transactionName(graph, number),
        submission: 0,
        sink: at(graph.subtasks, field(log, step, "TransactionBegun", "subtask")).name,
        checkpoint: null,
        state: "OPEN",
        records: 0,
        begun: log.clock(step),
        preCommitted: null,
        decided: null,
        decidedBy: null,
        commitAttempts: 0,
      };
      rows.add(row);
      latest.set(number, row);
    },
    RecordWritten: (step) => {
      const row = latest.get(field(log, step, "RecordWritten", "transaction"));
      if (row !== undefined) row.records++;
    },
    TransactionPreCommitted: (step) => {
      const row = latest.get(field(log, step, "TransactionPreCommitted", "transaction"));
      if (row !== undefined)
        Object.assign(row, {
          state: "PRE_COMMITTED",
          preCommitted: log.clock(step),
          checkpoint: field(log, step, "TransactionPreCommitted", "checkpoint"),
        });
    },
    TransactionCommitRequested: (step) => {
      const row = latest.get(field(log, step, "TransactionCommitRequested", "transaction"));
      if (row !== undefined) row.commitAttempts++;
    },
    TransactionCommitted: (step) =>
      end(
        latest.get(field(log, step, "TransactionCommitted", "transaction")),
        "COMMITTED",
        log.clock(step),
        deciders[field(log, step, "TransactionCommitted", "decider")],
      ),
    TransactionAborted: (step) =>
      end(
        latest.get(field(log, step, "TransactionAborted", "transaction")),
        "ABORTED",
        log.clock(step),
        deciders[field(log, step, "TransactionAborted", "decider")],
      ),
    TransactionTimedOut: (step) =>
      end(latest.get(field(log, step, "TransactionTimedOut", "transaction")), "TIMED_OUT", log.clock(step), "timeout"),
    TransactionRecycled: (step) => forget(rows, latest, field(log, step, "TransactionRecycled", "transaction")),
    ProducerIdInitialized: (step) => {
      const moved = Array.from({ length: log.moveCount(step) }, (_, index) => log.move(step, index));
      if (moved.some(({ to }) => to === recycled))
        forget(rows, latest, field(log, step, "ProducerIdInitialized", "transaction"));
    },
  });
  return [...rows];
}

/** The first end counts; a commit that is repeated changes nothing. */
function end(
  row: Building | undefined,
  state: TransactionRow["state"],
  clock: number,
  decidedBy: TransactionRow["decidedBy"] | undefined,
): void {
  if (row !== undefined && row.decided === null)
    Object.assign(row, { state, decided: clock, decidedBy: decidedBy ?? null });
}

function forget(rows: Set<Building>, latest: Map<number, Building>, number: number): void {
  const row = latest.get(number);
  if (row !== undefined) rows.delete(row);
  latest.delete(number);
}
