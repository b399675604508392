/** The report's `transactions`: one row for each that was begun and not recycled; a name may be used again. */
import { at } from "../../base/assert.ts";
import { transactionName } from "../../protocol/ids.ts";
import type { EventLog } from "../../protocol/log.ts";
import { Machine, machines } from "../../protocol/machines/all.ts";
import { type Decider, deciders } from "../../protocol/reasons.ts";
import type { TransactionRow } from "../../scenario/report.ts";
import { type Handlers, type Span, field, foldLog } from "./entries.ts";

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
  | "ProducerIdInitialized"
  | "TransactionEndPrepared";

/** Over all jobs of the run: what one leaves open the next may end. */
export function transactionRows(log: EventLog, spans: readonly Span[]): TransactionRow[] {
  return [...new Transactions(log, spans).rows];
}

class Transactions {
  readonly rows = new Set<Building>();
  /** The newest row of each name. */
  private readonly newest = new Map<number, Building>();
  private readonly log: EventLog;

  constructor(log: EventLog, spans: readonly Span[]) {
    this.log = log;
    for (const span of spans) foldLog(log, this.handlers(span), span);
  }

  private handlers(span: Span): Handlers {
    const { log } = this;
    return {
      TransactionBegun: (step) => {
        const row = begun(span, log, step);
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
      TableCommitRequested: (step) => this.request(span, step),
      TransactionEndPrepared: (step) => this.decide(step),
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
    };
  }

  /** One request for all files of a table up to a checkpoint. */
  private request({ graph }: Span, step: number): void {
    const committer = at(graph.operators, field(this.log, step, "TableCommitRequested", "operator")).vertex;
    const checkpoint = field(this.log, step, "TableCommitRequested", "checkpoint");
    const sink = committer.type === "committer" ? committer.sink : committer.uid;
    for (const row of this.rows)
      if (row.state === "PRE_COMMITTED" && row.sink.startsWith(`${sink}[`) && (row.checkpoint ?? 0) <= checkpoint)
        row.commitAttempts++;
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

  /** Decided, its markers on their way: that is the decision, whatever is seen of it yet (KF-015). */
  private decide(step: number): void {
    const decider = at(deciders, field(this.log, step, "TransactionEndPrepared", "decider"));
    const commits = field(this.log, step, "TransactionEndPrepared", "commit") === 1;
    const state = commits ? "COMMITTED" : decider === "timeout" ? "TIMED_OUT" : "ABORTED";
    this.end(step, "TransactionEndPrepared", state, decider);
  }

  /** Who takes a name over lets an empty transaction under it go. */
  private initialize(step: number): void {
    const { log } = this;
    const moved = Array.from({ length: log.moveCount(step) }, (_, index) => log.move(step, index));
    if (!moved.some(({ machine, to }) => machine === Machine.transaction && to === recycled)) return;
    this.change(step, "ProducerIdInitialized", (row) => this.rows.delete(row));
  }
}

function begun({ graph, submission }: Span, log: EventLog, step: number): Building {
  return {
    id: transactionName(graph, field(log, step, "TransactionBegun", "transaction")),
    submission,
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
