/**
 * What the entries say of transactions and of the sink subtasks that write them, for the invariants of the commit
 * protocol. A transactional id can be used again after a restore; its row holds the latest transaction.
 */
import { at } from "../../base/assert.ts";
import { mix } from "../../base/hash.ts";
import {
  operatorOfTransaction,
  ownerOfTransaction,
  transactionName,
  transactionOffset,
  transactionSubtask,
} from "../../protocol/ids.ts";
import type { Plan, SinkPlan } from "../plan.ts";
import { Rows } from "../rows.ts";
import { copyOf, tableOf } from "./watch.ts";

/**
 * One transactional id. `attempt` began its transaction with `epoch`; `initialised` is the newest epoch; `checkpoint` is
 * the one it is meant for, or pre-committed for, by the job `submission`. `lost`: the log refused its commit. `prepared`:
 * its end is decided, and its state is that end already, but not all markers are out (KF-015). `undone`: a restore went
 * back before it, so that what is in it is produced again.
 */
export const Row = {
  number: 0,
  state: 1,
  checkpoint: 2,
  attempt: 3,
  epoch: 4,
  initialised: 5,
  initialiser: 6,
  records: 7,
  lost: 8,
  submission: 9,
  prepared: 10,
  undone: 11,
  writer: 12,
  SIZE: 13,
} as const;
export const State = { none: 0, open: 1, preCommitted: 2, committed: 3, aborted: 4, timedOut: 5, recycled: 6 } as const;
const words = ["not begun", "open", "pre-committed", "committed", "aborted", "timed out", "recycled"] as const;

/** A sink's subtask: its open transaction, the last checkpoints it pre-committed for and committed, what it was handed and what the log has. */
export const Writer = {
  open: 0,
  preCommitted: 1,
  committed: 2,
  began: 3,
  given: 4,
  givenHash: 5,
  written: 6,
  writtenHash: 7,
  SIZE: 8,
} as const;
/** A transaction that was pre-committed for a checkpoint when the log gave it up, and that no restore has undone. */
export const Loss = { transaction: 0, checkpoint: 1, submission: 2, SIZE: 3 } as const;
export const NONE = -1;
export class TransactionTable {
  readonly rows: Rows;
  readonly writers: Rows;
  readonly losses: Rows;
  private readonly plan: Plan;

  constructor(plan: Plan, from: TransactionTable | null = null) {
    this.plan = plan;
    this.rows = from === null ? new Rows(Row.SIZE) : copyOf(from.rows);
    this.writers = from === null ? tableOf(Writer.SIZE, plan.writers) : copyOf(from.writers);
    this.losses = from === null ? new Rows(Loss.SIZE, 1) : copyOf(from.losses);
    if (from !== null) return;
    for (let writer = 0; writer < this.writers.count; writer++) {
      this.writers.set(writer, Writer.open, NONE);
      this.writers.set(writer, Writer.began, NONE);
    }
  }

  clone(): TransactionTable {
    return new TransactionTable(this.plan, this);
  }

  /** What the log goes on with when another job begins: its attempts and writers are nobody of these any more. */
  nextJob(plan: Plan): TransactionTable {
    const next = new TransactionTable(plan);
    next.rows.copyFrom(this.rows);
    next.losses.copyFrom(this.losses);
    for (let row = 0; row < next.rows.count; row++)
      for (const field of [Row.attempt, Row.initialiser, Row.writer]) next.rows.set(row, field, NONE);
    return next;
  }

  /** The row of an id; the newest are asked for most. */
  find(transaction: number): number {
    for (let row = this.rows.count - 1; row >= 0; row--) if (this.rows.get(row, Row.number) === transaction) return row;
    return NONE;
  }

  /** The row of an id, made where there is none. */
  findOrAdd(transaction: number): number {
    const row = this.find(transaction);
    if (row >= 0) return row;
    this.rows.push(transaction, State.none, 0, NONE, NONE, NONE, NONE, 0, 0, 0, 0, 0, NONE);
    return this.rows.count - 1;
  }

  /** The sink subtask that writes under an id; `NONE` for an id that probing only asked about, and for part files. */
  writerOf(transaction: number): number {
    const noted = this.writerOfRow(transaction);
    if (noted >= 0) return noted;
    const operator = operatorOfTransaction(this.plan.graph, transaction);
    if (operator < 0) return NONE;
    const { parallelism } = at(this.plan.graph.vertices, at(this.plan.graph.operators, operator).taskVertex);
    const subtask = transactionSubtask(transaction);
    if (this.sinkOf(transaction)?.store === "files") return NONE;
    return subtask < parallelism ? (at(this.plan.operators, operator).sink?.firstWriter ?? 0) + subtask : NONE;
  }

  /** Are transactions of this one's sink committed when a checkpoint is complete? Others are of no concern here. */
  waitsForCompletion(transaction: number): boolean {
    return this.sinkOf(transaction)?.commits !== "at-the-barrier";
  }

  /** Is it one of the log's, where who initialises an id fences who had it before? */
  isOfLog(transaction: number): boolean {
    return (this.sinkOf(transaction)?.store ?? "log") === "log";
  }

  /** A part file that is in progress stays so as long as nothing closes it. */
  isFile(row: number): boolean {
    return this.sinkOf(this.rows.get(row, Row.number))?.store === "files";
  }

  private sinkOf(transaction: number): SinkPlan | null {
    const operator = operatorOfTransaction(this.plan.graph, transaction);
    return operator < 0 ? null : at(this.plan.operators, operator).sink;
  }

  /**
   * The sink subtask that asks for what is open under an id before it writes: the number in the id, modulo the parallelism,
   * since ids of more subtasks than there are now are asked for too (`TransactionAborter`).
   */
  proberOf(transaction: number): number {
    const operator = operatorOfTransaction(this.plan.graph, transaction);
    if (operator < 0) return NONE;
    // Whose a pooled name is does not follow from it (SK-156).
    if (at(this.plan.operators, operator).sink?.naming === "pooling") return this.writerOfRow(transaction);
    const { parallelism } = at(this.plan.graph.vertices, at(this.plan.graph.operators, operator).taskVertex);
    return (at(this.plan.operators, operator).sink?.firstWriter ?? 0) + (transactionSubtask(transaction) % parallelism);
  }

  /** Is it a name in the log that says of itself that it is for this checkpoint or an earlier one? */
  isBefore(transaction: number, checkpoint: number): boolean {
    const operator = operatorOfTransaction(this.plan.graph, transaction);
    const sink = operator < 0 ? null : at(this.plan.operators, operator).sink;
    return sink?.store === "log" && sink.naming === "incrementing" && transactionOffset(transaction) <= checkpoint;
  }

  private writerOfRow(transaction: number): number {
    const row = this.find(transaction);
    return row < 0 ? NONE : this.rows.get(row, Row.writer);
  }

  /** The writer of the task that begins a transaction of this id. */
  noteWriter(task: number, transaction: number): number {
    const operator = operatorOfTransaction(this.plan.graph, transaction);
    const sink = operator < 0 ? null : at(this.plan.operators, operator).sink;
    if (sink === null || sink.naming !== "pooling") return this.writerOf(transaction);
    const writer = sink.firstWriter + at(this.plan.graph.subtasks, task).number;
    this.rows.set(this.findOrAdd(transaction), Row.writer, writer);
    return writer;
  }

  /** A task's writer for an exactly-once sink operator; `NONE` for any other operator. */
  exactlyOnceWriter(task: number, operator: number): number {
    const { sink } = at(this.plan.operators, operator);
    if (sink === null || sink.commits !== "when-complete" || sink.store === "files") return NONE;
    return sink.firstWriter + at(this.plan.graph.subtasks, task).number;
  }

  /** The task whose sink owns an id; `undefined` where none has that number. */
  ownerOf(transaction: number): number | undefined {
    const owner = ownerOfTransaction(this.plan.graph, transaction);
    return owner < 0 ? undefined : owner;
  }

  /** A task goes back: what its sink pre-committed for checkpoints that have not completed will be written anew. */
  undo(task: number, isCompleted: (submission: number, checkpoint: number) => boolean): void {
    for (let row = 0; row < this.rows.count; row++) {
      if (this.rows.get(row, Row.state) !== State.preCommitted) continue;
      if (isCompleted(this.rows.get(row, Row.submission), this.rows.get(row, Row.checkpoint))) continue;
      if (this.ownerOf(this.rows.get(row, Row.number)) === task) this.rows.set(row, Row.undone, 1);
    }
  }

  /** Has the transaction of a row records that are neither committed nor aborted? */
  isUndecided(row: number): boolean {
    const state = this.rows.get(row, Row.state);
    return state === State.preCommitted || (state === State.open && this.rows.get(row, Row.records) > 0);
  }

  /** A transaction that accepted writes accepts no more. */
  close(transaction: number, state: number): void {
    const [row, writer] = [this.find(transaction), this.writerOf(transaction)];
    if (row >= 0) this.rows.set(row, Row.state, state);
    if (writer >= 0 && this.writers.get(writer, Writer.open) === transaction)
      this.writers.set(writer, Writer.open, NONE);
  }

  /** Counts a record on one side of a writer: what it was given, or what the log has of it. */
  count(writer: number, side: typeof Writer.given | typeof Writer.written, record: number, value: number): void {
    const { writers } = this;
    writers.set(writer, side, writers.get(writer, side) + 1);
    writers.set(writer, side + 1, mix(mix(writers.get(writer, side + 1), record), value));
  }

  /** A new attempt's writer has been given nothing and has begun nothing. */
  reset(writer: number): void {
    this.writers.set(writer, Writer.open, NONE);
    this.writers.set(writer, Writer.preCommitted, 0);
    for (let field: number = Writer.given; field < Writer.SIZE; field++) this.writers.set(writer, field, 0);
  }

  /** What state a row's transaction is in, in words. */
  told(row: number): string {
    return `${this.name(row)} is ${at(words, this.rows.get(row, Row.state))}`;
  }

  name(row: number): string {
    return transactionName(this.plan.graph, this.rows.get(row, Row.number));
  }
}
