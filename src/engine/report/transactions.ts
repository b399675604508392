/** The report's `transactions`: one row for each that was begun and not recycled; a name may be used again. */
import { at } from "../../base/assert.ts";
import type { ExecutionGraph } from "../../protocol/execution-graph.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { EventLog } from "../../protocol/log.ts";
import { Machine, machines } from "../../protocol/machines/all.ts";
import { type Decider, deciders } from "../../protocol/reasons.ts";
import type { TransactionRow } from "../../scenario/report.ts";
import { field, foldLog } from "./entries.ts";

type Building = { -readonly [K in keyof TransactionRow]: TransactionRow[K] };

const recycled = Object.keys(machines[Machine.transaction].states).indexOf("RECYCLED");

/** Types whose entries name a transaction. */
type OfTransaction =
  | "RecordWritten"
  | "TransactionBegun"
  | "TransactionPreCommitted"
  | "TransactionCommitRequested"
  | "TransactionCommitted"
  | "TransactionAborted"
  | "TransactionTimedOut"
  | "TransactionRecycled"
  | "ProducerIdInitialized";

export function transactionRows(graph: ExecutionGraph, log: EventLog): TransactionRow[] {
  return [...new Transactions(graph, log).rows];
}

class Transactions {
  readonly rows = new Set<Building>();
  /** The newest row of each name. */
  private readonly newest = new Map<number, Building>();
  private readonly log: EventLog;

  constructor(graph: ExecutionGraph, log: EventLog) {
    this.log = log;
    foldLog(log, {
      TransactionBegun: (step) => {
        const row = begun(graph, log, step);
        this.rows.add(row);
        this.newest.set(field(log, step, "TransactionBegun", "transaction"), row);
      },
      RecordWritten: (step) => this.change(step, "RecordWritten", (row) => row.records++),
      TransactionPreCommitted: (step) =>
        this.change(step, "TransactionPreCommitted", (row) => {
          if (row.decided === null) row.state = "PRE_COMMITTED";
          row.preCommitted = log.clock(step);
          row.checkpoint = field(log, step, "TransactionPreCommitted", "checkpoint");
        }),
      TransactionCommitRequested: (step) =>
        this.change(step, "TransactionCommitRequested", (row) => row.commitAttempts++),
      TransactionCommitted: (step) =>
        this.end(
          step,
          "TransactionCommitted",
          "COMMITTED",
          at(deciders, field(log, step, "TransactionCommitted", "decider")),
        ),
      TransactionAborted: (step) =>
        this.end(
          step,
          "TransactionAborted",
          "ABORTED",
          at(deciders, field(log, step, "TransactionAborted", "decider")),
        ),
      TransactionTimedOut: (step) => this.end(step, "TransactionTimedOut", "TIMED_OUT", "timeout"),
      TransactionRecycled: (step) => this.change(step, "TransactionRecycled", (row) => this.rows.delete(row)),
      ProducerIdInitialized: (step) => this.initialize(step),
    });
  }

  private change(step: number, type: OfTransaction, apply: (row: Building) => void): void {
    const row = this.newest.get(field(this.log, step, type, "transaction"));
    if (row !== undefined) apply(row);
  }

  /** The first end counts: a commit that is repeated changes nothing. */
  private end(step: number, type: OfTransaction, state: TransactionRow["state"], decidedBy: Decider): void {
    this.change(step, type, (row) => {
      if (row.decided === null) Object.assign(row, { state, decided: this.log.clock(step), decidedBy });
    });
  }

  /** Who takes a name over lets an empty transaction under it go. */
  private initialize(step: number): void {
    const { log } = this;
    const moved = Array.from({ length: log.moveCount(step) }, (_, index) => log.move(step, index));
    if (!moved.some(({ machine, to }) => machine === Machine.transaction && to === recycled)) return;
    this.change(step, "ProducerIdInitialized", (row) => this.rows.delete(row));
  }
}

function begun(graph: ExecutionGraph, log: EventLog, step: number): Building {
  return {
    id: transactionName(graph, field(log, step, "TransactionBegun", "transaction")),
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
}
