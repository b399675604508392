/**
 * The commit protocol, transaction by transaction and writer by writer (INV-112 to INV-118, INV-130). A transactional id
 * can be used again after a restore; a row holds its latest transaction.
 */
import { at } from "../../base/assert.ts";
import { mix } from "../../base/hash.ts";
import { transactionSink, transactionSubtask } from "../../protocol/ids.ts";
import { endings } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { Rows } from "../rows.ts";
import { type Subject, TaskFact, type Watch, copyOf, tableOf } from "./watch.ts";

/**
 * One transactional id. `attempt` began its transaction with `epoch`; `initialised` is the newest epoch; `checkpoint` is
 * the one it is meant for, or pre-committed for. `lost`: the log refused its commit. `risk`: it was pre-committed when the
 * log gave it up, and no restore has undone it.
 */
const Row = {
  number: 0,
  state: 1,
  checkpoint: 2,
  attempt: 3,
  epoch: 4,
  initialised: 5,
  initialiser: 6,
  records: 7,
  lost: 8,
  risk: 9,
  SIZE: 10,
} as const;
const State = { none: 0, open: 1, preCommitted: 2, committed: 3, aborted: 4, timedOut: 5, recycled: 6 } as const;
const words = ["not begun", "open", "pre-committed", "committed", "aborted", "timed out", "recycled"] as const;

/** A sink's subtask: its open transaction, the last checkpoints it pre-committed for and committed, what it was handed and what the log has. */
const Writer = {
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
const NONE = -1;
const LOST = endings.indexOf("LOST");

export class Transactions implements Subject {
  static readonly ids = [
    "INV-112",
    "INV-113",
    "INV-114",
    "INV-115",
    "INV-116",
    "INV-117",
    "INV-118",
    "INV-130",
  ] as const;
  private readonly watch: Watch;
  private readonly rows: Rows;
  private readonly writers: Rows;
  /** Did the log give up any transaction? */
  timedOut: boolean;

  constructor(watch: Watch, from: Transactions | null = null) {
    this.watch = watch;
    this.rows = from === null ? new Rows(Row.SIZE) : copyOf(from.rows);
    this.writers = from === null ? tableOf(Writer.SIZE, watch.plan.writers) : copyOf(from.writers);
    this.timedOut = from?.timedOut ?? false;
    if (from !== null) return;
    for (let writer = 0; writer < this.writers.count; writer++) {
      this.writers.set(writer, Writer.open, NONE);
      this.writers.set(writer, Writer.began, NONE);
    }
  }

  clone(watch: Watch): Transactions {
    return new Transactions(watch, this);
  }

  /** The row of an id; the newest are asked for most. */
  private find(transaction: number): number {
    for (let row = this.rows.count - 1; row >= 0; row--) if (this.rows.get(row, Row.number) === transaction) return row;
    return NONE;
  }

  /** The sink subtask that writes under an id; `NONE` for an id that probing only asked about. */
  private writerOf(transaction: number): number {
    const { plan } = this.watch;
    const operator = at(plan.graph.sinks, transactionSink(transaction));
    const { parallelism } = at(plan.graph.vertices, at(plan.graph.operators, operator).taskVertex);
    const subtask = transactionSubtask(transaction);
    return subtask < parallelism ? (at(plan.operators, operator).sink?.firstWriter ?? 0) + subtask : NONE;
  }

  /** A task's writer for an exactly-once sink operator; `NONE` for any other operator. */
  private exactlyOnceWriter(task: number, operator: number): number {
    const { plan } = this.watch;
    const { sink } = at(plan.operators, operator);
    return sink === null || sink.delivery !== "exactly-once"
      ? NONE
      : sink.firstWriter + at(plan.graph.subtasks, task).number;
  }

  private violated(
    k: Kernel,
    invariant: string,
    transaction: number,
    message: string,
    ...more: readonly string[]
  ): void {
    this.watch.violated(k, invariant, message, this.watch.transaction(transaction), ...more);
  }

  private said(row: number): string {
    return `${this.watch.transaction(this.rows.get(row, Row.number))} is ${at(words, this.rows.get(row, Row.state))}`;
  }

  ProducerIdInitialized(k: Kernel, task: number, transaction: number, _: number, epoch: number): void {
    const { rows, watch } = this;
    let row = this.find(transaction);
    if (row < 0) {
      row = rows.count;
      rows.push(transaction, State.none, 0, NONE, NONE, NONE, NONE, 0, 0, 0);
    }
    const before = rows.get(row, Row.initialised);
    const said = `${watch.subtask(task)} initialises ${watch.transaction(transaction)} with epoch ${epoch}`;
    if (epoch < before)
      this.violated(k, "INV-130", transaction, `an id's epoch never goes back, but ${said} after ${before}`);
    if (epoch === before)
      this.violated(
        k,
        "INV-116",
        transaction,
        `${said}, which it had: older attempts are not fenced`,
        watch.subtask(task),
      );
    const state = rows.get(row, Row.state);
    if (state === State.open && rows.get(row, Row.records) === 0) rows.set(row, Row.state, State.recycled);
    else if (state === State.open || state === State.preCommitted)
      this.violated(
        k,
        "INV-130",
        transaction,
        `at most one transaction of an id is under way, but ${said} while ${this.said(row)}`,
      );
    rows.set(row, Row.initialised, epoch);
    rows.set(row, Row.initialiser, watch.task(task, TaskFact.attempt));
  }

  TransactionBegun(k: Kernel, task: number, transaction: number, checkpoint: number, epoch: number): void {
    const { rows, writers, watch } = this;
    const row = this.find(transaction);
    const writer = this.writerOf(transaction);
    const attempt = watch.task(task, TaskFact.attempt);
    if (row < 0 || rows.get(row, Row.initialised) !== epoch || rows.get(row, Row.initialiser) !== attempt) {
      this.violated(
        k,
        "INV-116",
        transaction,
        `${watch.subtask(task)}#${attempt} begins ${watch.transaction(transaction)} with epoch ${epoch}, which it has not initialised`,
        watch.subtask(task),
      );
    }
    if (row < 0 || writer < 0) return;
    const state = rows.get(row, Row.state);
    if (state === State.open || state === State.preCommitted)
      this.violated(
        k,
        "INV-130",
        transaction,
        `a transaction begins under an id whose transaction is under way: ${this.said(row)}`,
      );
    const open = writers.get(writer, Writer.open);
    if (open >= 0)
      this.violated(
        k,
        "INV-117",
        transaction,
        `${watch.subtask(task)} begins ${watch.transaction(transaction)} while ${watch.transaction(open)} accepts writes too`,
        watch.subtask(task),
        watch.transaction(open),
      );
    if (writers.get(writer, Writer.began) !== attempt) this.settled(k, task, writer, attempt);
    writers.set(writer, Writer.began, attempt);
    writers.set(writer, Writer.open, transaction);
    [State.open, checkpoint, attempt, epoch].forEach((word, index) => rows.set(row, Row.state + index, word));
    for (const field of [Row.records, Row.lost, Row.risk]) rows.set(row, field, 0);
  }

  /** INV-115 at an attempt's first transaction: probing has found and aborted what older attempts left for later epochs. */
  private settled(k: Kernel, task: number, writer: number, attempt: number): void {
    const { rows, watch } = this;
    const restored = watch.task(task, TaskFact.restored);
    for (let row = 0; row < rows.count; row++) {
      const state = rows.get(row, Row.state);
      const left = (state === State.open && rows.get(row, Row.records) > 0) || state === State.preCommitted;
      if (!left || rows.get(row, Row.checkpoint) <= restored || rows.get(row, Row.attempt) === attempt) continue;
      const transaction = rows.get(row, Row.number);
      if (this.writerOf(transaction) !== writer) continue;
      this.violated(
        k,
        "INV-115",
        transaction,
        `${watch.subtask(task)}#${attempt}, restored from ${restored}, begins to write while ${this.said(row)} for ${rows.get(row, Row.checkpoint)}: what came after the restored checkpoint is aborted first`,
        watch.subtask(task),
      );
    }
  }

  RecordProcessed(k: Kernel, task: number, operator: number, record: number, value: number): void {
    const writer = this.exactlyOnceWriter(task, operator);
    if (writer < 0) return;
    if (this.writers.get(writer, Writer.open) < 0) {
      this.watch.violated(
        k,
        "INV-117",
        `${this.watch.subtask(task)} takes a record while no transaction accepts writes`,
        this.watch.subtask(task),
      );
    }
    this.count(writer, Writer.given, record, value);
  }

  private count(
    writer: number,
    side: typeof Writer.given | typeof Writer.written,
    record: number,
    value: number,
  ): void {
    const { writers } = this;
    writers.set(writer, side, writers.get(writer, side) + 1);
    writers.set(writer, side + 1, mix(mix(writers.get(writer, side + 1), record), value));
  }

  RecordWritten(
    k: Kernel,
    task: number,
    operator: number,
    record: number,
    value: number,
    _: number,
    __: number,
    transaction: number,
  ): void {
    const { rows, watch } = this;
    const writer = this.exactlyOnceWriter(task, operator);
    if (writer < 0) return;
    const row = this.find(transaction);
    const attempt = watch.task(task, TaskFact.attempt);
    if (row < 0 || rows.get(row, Row.state) !== State.open || this.writers.get(writer, Writer.open) !== transaction) {
      watch.violated(
        k,
        "INV-117",
        `${watch.subtask(task)} writes into ${row < 0 ? "no transaction" : watch.transaction(transaction)}, which is not the one that accepts writes`,
        watch.subtask(task),
      );
    } else if (rows.get(row, Row.attempt) !== attempt || rows.get(row, Row.initialised) !== rows.get(row, Row.epoch)) {
      this.violated(
        k,
        "INV-116",
        transaction,
        `a write of epoch ${rows.get(row, Row.epoch)} under ${watch.transaction(transaction)} succeeds, but it has been initialised since`,
        watch.subtask(task),
      );
    }
    if (row >= 0) rows.set(row, Row.records, rows.get(row, Row.records) + 1);
    this.count(writer, Writer.written, record, value);
  }

  TransactionPreCommitted(k: Kernel, task: number, transaction: number, checkpoint: number): void {
    const { rows, writers, watch } = this;
    const [row, writer] = [this.find(transaction), this.writerOf(transaction)];
    if (row < 0 || writer < 0) return;
    if (checkpoint <= writers.get(writer, Writer.preCommitted)) {
      this.violated(
        k,
        "INV-117",
        transaction,
        `${watch.subtask(task)} pre-commits for ${checkpoint} after ${writers.get(writer, Writer.preCommitted)}: a barrier adds at most one pre-committed transaction`,
        watch.subtask(task),
      );
    }
    const [given, written] = [writers.get(writer, Writer.given), writers.get(writer, Writer.written)];
    if (given !== written || writers.get(writer, Writer.givenHash) !== writers.get(writer, Writer.writtenHash)) {
      this.violated(
        k,
        "INV-118",
        transaction,
        `records enter transactions in order and before the barrier, but ${watch.subtask(task)} was handed ${given} and the log has ${written}${given === written ? " in another order" : ""}`,
        watch.subtask(task),
      );
    }
    writers.set(writer, Writer.preCommitted, checkpoint);
    writers.set(writer, Writer.open, NONE);
    if (rows.get(row, Row.state) === State.timedOut) rows.set(row, Row.risk, 1);
    else rows.set(row, Row.state, State.preCommitted);
    rows.set(row, Row.checkpoint, checkpoint);
  }

  TransactionRecycled(_: Kernel, __: number, transaction: number): void {
    this.closed(transaction, State.recycled);
  }

  /** A transaction that accepted writes accepts no more; its row is returned. */
  private closed(transaction: number, state: number): number {
    const [row, writer] = [this.find(transaction), this.writerOf(transaction)];
    if (row >= 0) this.rows.set(row, Row.state, state);
    if (writer >= 0 && this.writers.get(writer, Writer.open) === transaction)
      this.writers.set(writer, Writer.open, NONE);
    return row;
  }

  TransactionCommitted(k: Kernel, transaction: number, _: number, __: number, ___: number, again: number): void {
    const { rows, writers, watch } = this;
    const [row, writer] = [this.find(transaction), this.writerOf(transaction)];
    if (row < 0 || writer < 0) return;
    const [state, checkpoint] = [rows.get(row, Row.state), rows.get(row, Row.checkpoint)];
    if (again === 1) return;
    if (state === State.aborted || state === State.timedOut)
      this.violated(
        k,
        "INV-112",
        transaction,
        `no transaction is both committed and aborted, but one is committed and ${this.said(row)}`,
      );
    else if (state !== State.preCommitted)
      this.violated(k, "INV-113", transaction, `only a pre-committed transaction is committed, but ${this.said(row)}`);
    if (watch.lastCompleted < checkpoint) {
      this.violated(
        k,
        "INV-113",
        transaction,
        `${watch.transaction(transaction)} is committed for checkpoint ${checkpoint}, the last completed one is ${watch.lastCompleted}`,
        `checkpoint ${checkpoint}`,
      );
    }
    if (rows.get(row, Row.initialised) !== rows.get(row, Row.epoch)) {
      this.violated(
        k,
        "INV-116",
        transaction,
        `a commit of epoch ${rows.get(row, Row.epoch)} succeeds, but the id has epoch ${rows.get(row, Row.initialised)} since`,
      );
    }
    if (checkpoint <= writers.get(writer, Writer.committed)) {
      this.violated(
        k,
        "INV-118",
        transaction,
        `a subtask's transactions are committed in the order of their checkpoints, but ${checkpoint} comes after ${writers.get(writer, Writer.committed)}`,
        `checkpoint ${checkpoint}`,
      );
    }
    writers.set(writer, Writer.committed, Math.max(checkpoint, writers.get(writer, Writer.committed)));
    rows.set(row, Row.state, State.committed);
  }

  TransactionAborted(k: Kernel, transaction: number): void {
    const row = this.find(transaction);
    if (row < 0) return;
    const { rows, watch } = this;
    const [state, checkpoint] = [rows.get(row, Row.state), rows.get(row, Row.checkpoint)];
    if (state === State.committed)
      this.violated(
        k,
        "INV-112",
        transaction,
        `no transaction is both committed and aborted, but one is aborted and ${this.said(row)}`,
      );
    if (state === State.preCommitted && checkpoint <= watch.lastCompleted && rows.get(row, Row.lost) === 0) {
      this.violated(
        k,
        "INV-114",
        transaction,
        `${watch.transaction(transaction)} is aborted, but it belongs to checkpoint ${checkpoint}, and ${watch.lastCompleted} is complete: it is to be committed`,
        `checkpoint ${checkpoint}`,
      );
    }
    this.closed(transaction, State.aborted);
  }

  TransactionTimedOut(k: Kernel, transaction: number): void {
    const row = this.find(transaction);
    if (row < 0) return;
    const state = this.rows.get(row, Row.state);
    this.timedOut = true;
    if (state === State.committed)
      this.violated(k, "INV-112", transaction, `a committed transaction is given up: ${this.said(row)}`);
    this.rows.set(row, Row.risk, state === State.preCommitted ? 1 : 0);
    this.rows.set(row, Row.state, State.timedOut);
  }

  CommitFailed(_: Kernel, __: number, transaction: number): void {
    const row = this.find(transaction);
    if (row >= 0) this.rows.set(row, Row.lost, 1);
  }

  /** FR-008: a live sink that closes aborts its current transaction (INV-115: the first who can does it). */
  TaskStopped(k: Kernel, task: number, attempt: number, ending: number): void {
    const { watch, writers, rows } = this;
    for (const operator of at(watch.plan.sinksOf, task)) {
      const writer = this.exactlyOnceWriter(task, operator);
      if (writer < 0) continue;
      const open = writers.get(writer, Writer.open);
      const row = open < 0 ? NONE : this.find(open);
      if (row >= 0 && ending !== LOST && rows.get(row, Row.state) === State.open && rows.get(row, Row.records) > 0) {
        this.violated(
          k,
          "INV-115",
          open,
          `${watch.subtask(task)}#${attempt} closes and leaves its current transaction behind: ${this.said(row)}`,
          watch.subtask(task),
        );
      }
      writers.set(writer, Writer.open, NONE);
    }
  }

  AttemptCreated(_: Kernel, task: number): void {
    for (const operator of at(this.watch.plan.sinksOf, task)) {
      const writer = this.exactlyOnceWriter(task, operator);
      if (writer < 0) continue;
      this.writers.set(writer, Writer.open, NONE);
      for (let field: number = Writer.given; field < Writer.SIZE; field++) this.writers.set(writer, field, 0);
    }
  }

  /** A restore from an older checkpoint undoes what was pre-committed later: it is produced again. */
  StateRestored(_: Kernel, task: number, __: number, checkpoint: number): void {
    const { rows, watch } = this;
    for (let row = 0; row < rows.count; row++) {
      if (rows.get(row, Row.risk) === 0 || rows.get(row, Row.checkpoint) <= checkpoint) continue;
      const transaction = rows.get(row, Row.number);
      const { taskVertex } = at(watch.plan.graph.operators, at(watch.plan.graph.sinks, transactionSink(transaction)));
      if (at(watch.plan.graph.vertices, taskVertex).subtasks[transactionSubtask(transaction)] === task)
        rows.set(row, Row.risk, 0);
    }
  }

  /** Names of the transactions of completed checkpoints that are still undecided, and of those that the log gave up for good. */
  left(): { readonly undecided: readonly string[]; readonly gone: readonly string[] } {
    const { rows, watch } = this;
    const undecided: string[] = [];
    const gone: string[] = [];
    for (let row = 0; row < rows.count; row++) {
      if (rows.get(row, Row.checkpoint) > watch.lastCompleted) continue;
      const name = watch.transaction(rows.get(row, Row.number));
      if (rows.get(row, Row.state) === State.preCommitted && rows.get(row, Row.lost) === 0) undecided.push(name);
      if (rows.get(row, Row.risk) === 1) gone.push(name);
    }
    return { undecided, gone };
  }

  /** Names of undecided transactions that hold records, whatever their checkpoint. */
  lingering(): readonly string[] {
    const { rows, watch } = this;
    const names: string[] = [];
    for (let row = 0; row < rows.count; row++) {
      const state = rows.get(row, Row.state);
      if (state === State.preCommitted || (state === State.open && rows.get(row, Row.records) > 0))
        names.push(watch.transaction(rows.get(row, Row.number)));
    }
    return names;
  }
}
