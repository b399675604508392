/**
 * The commit protocol, transaction by transaction and writer by writer (INV-112 to INV-118, INV-130).
 */
import { at } from "../../base/assert.ts";
import { deciders, endings } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { Task } from "../layout.ts";
import { Node, isCut } from "../network-cuts.ts";
import { ofCommits } from "./jobs.ts";
import { Loss, NONE, Row, State, TransactionTable, Writer } from "./transaction-table.ts";
import { type Subject, TaskFact, type Watch } from "./watch.ts";

const LOST = endings.indexOf("LOST");
const TIMEOUT = deciders.indexOf("timeout");
const RESTORE = deciders.indexOf("restore");

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
  private readonly table: TransactionTable;
  /** Did the log give up any transaction? */
  timedOut: boolean;

  constructor(watch: Watch, from: Transactions | null = null, table = from?.table.clone()) {
    this.watch = watch;
    this.table = table ?? new TransactionTable(watch.plan);
    this.timedOut = from?.timedOut ?? false;
  }

  clone(watch: Watch): Transactions {
    return new Transactions(watch, this);
  }

  nextJob(watch: Watch): Transactions {
    return new Transactions(watch, this, this.table.nextJob(watch.plan));
  }

  private violated(k: Kernel, invariant: string, row: number, message: string, ...more: readonly string[]): void {
    this.watch.violated(k, invariant, message, ...(row < 0 ? [] : [this.table.name(row)]), ...more);
  }

  ProducerIdInitialized(k: Kernel, task: number, transaction: number, _: number, epoch: number): void {
    const { watch, table } = this;
    const row = table.findOrAdd(transaction);
    const before = table.rows.get(row, Row.initialised);
    const said = (): string => `${watch.subtask(task)} initialises ${table.name(row)} with epoch ${epoch}`;
    if (epoch < before) this.violated(k, "INV-130", row, `an id's epoch never goes back: ${said()} after ${before}`);
    if (epoch === before) {
      this.violated(k, "INV-116", row, `${said()}, which it had: older attempts are not fenced`, watch.subtask(task));
    }
    if (table.isUndecided(row) || table.rows.get(row, Row.prepared) === 1) {
      this.violated(k, "INV-130", row, `one transaction of an id at a time: ${said()} while ${table.told(row)}`);
    } else if (table.rows.get(row, Row.state) === State.open) {
      table.rows.set(row, Row.state, State.recycled);
    }
    table.rows.set(row, Row.initialised, epoch);
    table.rows.set(row, Row.initialiser, watch.task(task, TaskFact.attempt));
  }

  /** KF-022: who asks for the id next gets another producer id, whose epochs begin anew. */
  TransactionalIdExpired(_: Kernel, transaction: number): void {
    const row = this.table.find(transaction);
    if (row >= 0) this.table.rows.set(row, Row.initialised, NONE);
  }

  TransactionBegun(k: Kernel, task: number, transaction: number, checkpoint: number, epoch: number): void {
    const { watch, table } = this;
    if (!table.waitsForCompletion(transaction)) return;
    const { rows, writers } = table;
    const row = table.findOrAdd(transaction);
    const writer = table.noteWriter(task, transaction);
    const attempt = watch.task(task, TaskFact.attempt);
    const said = (): string => `${watch.subtask(task)}#${attempt} begins ${table.name(row)} with epoch ${epoch}`;
    const fences = table.isOfLog(transaction);
    if (!fences) rows.set(row, Row.initialised, epoch);
    else if (rows.get(row, Row.initialised) !== epoch || rows.get(row, Row.initialiser) !== attempt) {
      this.violated(k, "INV-116", row, `${said()}, which it has not initialised`, watch.subtask(task));
    }
    if (table.isUndecided(row)) {
      this.violated(k, "INV-130", row, `one transaction of an id at a time: ${said()} while ${table.told(row)}`);
    }
    const open = writer < 0 ? NONE : writers.get(writer, Writer.open);
    if (open >= 0) {
      const other = watch.transaction(open);
      this.violated(k, "INV-117", row, `${said()} while ${other} accepts writes too`, watch.subtask(task), other);
    }
    if (writer >= 0) {
      if (fences && writers.get(writer, Writer.began) !== attempt) this.isSettled(k, task, writer, attempt);
      writers.set(writer, Writer.began, attempt);
      writers.set(writer, Writer.open, transaction);
    }
    [State.open, checkpoint, attempt, epoch].forEach((word, index) => rows.set(row, Row.state + index, word));
    for (const field of [Row.records, Row.lost, Row.undone]) rows.set(row, field, 0);
    rows.set(row, Row.submission, watch.jobs.submission);
  }

  /** INV-115 at an attempt's first transaction: probing has found and aborted what older attempts left for later epochs. */
  private isSettled(k: Kernel, task: number, writer: number, attempt: number): void {
    const { watch, table } = this;
    const restored = watch.task(task, TaskFact.restored);
    for (let row = 0; row < table.rows.count; row++) {
      if (!table.isUndecided(row) || table.proberOf(table.rows.get(row, Row.number)) !== writer) continue;
      // Under a pooled name whose older transaction the restored state holds: it goes when its name is taken next (SK-156).
      if (table.rows.get(row, Row.lost) === 1) continue;
      const [checkpoint, submission] = [table.rows.get(row, Row.checkpoint), table.rows.get(row, Row.submission)];
      const own = submission === watch.jobs.submission;
      if (own && table.rows.get(row, Row.attempt) === attempt) continue;
      if (own ? checkpoint <= restored : watch.jobs.goesOnWith(submission, checkpoint)) continue;
      // Probing begins behind the restored checkpoint: what another job left under an earlier name is the log's to time out.
      if (!own && table.isBefore(table.rows.get(row, Row.number), restored)) continue;
      const said = `${watch.subtask(task)}#${attempt}, restored from ${restored}, begins to write while ${table.told(row)} for ${checkpoint}`;
      this.violated(k, "INV-115", row, `what came after the restored checkpoint is aborted first: ${said}`);
    }
  }

  RecordProcessed(k: Kernel, task: number, operator: number, record: number, value: number): void {
    const writer = this.table.exactlyOnceWriter(task, operator);
    if (writer < 0) return;
    if (this.table.writers.get(writer, Writer.open) < 0) {
      const name = this.watch.subtask(task);
      this.watch.violated(k, "INV-117", `${name} takes a record while no transaction accepts writes`, name);
    }
    this.table.count(writer, Writer.given, record, value);
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
    const { watch, table } = this;
    const { rows } = table;
    const writer = table.exactlyOnceWriter(task, operator);
    if (writer < 0) return;
    const row = table.find(transaction);
    const name = watch.subtask(task);
    if (row < 0 || table.writers.get(writer, Writer.open) !== transaction) {
      const into = row < 0 ? "no transaction" : table.told(row);
      this.violated(k, "INV-117", row, `${name} writes into another than the one that accepts writes: ${into}`, name);
    } else if (
      rows.get(row, Row.attempt) !== watch.task(task, TaskFact.attempt) ||
      rows.get(row, Row.initialised) !== rows.get(row, Row.epoch)
    ) {
      const said = `a write of epoch ${rows.get(row, Row.epoch)} under ${table.name(row)}`;
      this.violated(k, "INV-116", row, `${said} succeeds, but the id has been initialised since`, name);
    }
    if (row >= 0) rows.set(row, Row.records, rows.get(row, Row.records) + 1);
    table.count(writer, Writer.written, record, value);
  }

  TransactionPreCommitted(k: Kernel, task: number, transaction: number, checkpoint: number): void {
    const { table } = this;
    const { rows } = table;
    const row = table.find(transaction);
    const writer = table.writerOf(transaction);
    if (row < 0) return;
    if (writer >= 0) this.isPreCommittedInOrder(k, task, writer, row, checkpoint);
    rows.set(row, Row.checkpoint, checkpoint);
    if (rows.get(row, Row.state) === State.timedOut) this.lose(row);
    else rows.set(row, Row.state, State.preCommitted);
  }

  private isPreCommittedInOrder(k: Kernel, task: number, writer: number, row: number, checkpoint: number): void {
    const { writers } = this.table;
    const name = this.watch.subtask(task);
    const last = writers.get(writer, Writer.preCommitted);
    if (checkpoint <= last) {
      const said = `a barrier adds at most one pre-committed transaction, but ${name} pre-commits for ${checkpoint} after ${last}`;
      this.violated(k, "INV-117", row, said, name);
    }
    const [given, written] = [writers.get(writer, Writer.given), writers.get(writer, Writer.written)];
    if (given !== written || writers.get(writer, Writer.givenHash) !== writers.get(writer, Writer.writtenHash)) {
      const said = `${name} was handed ${given} and the log has ${written}${given === written ? " in another order" : ""}`;
      this.violated(k, "INV-118", row, `records enter transactions in order and before the barrier: ${said}`, name);
    }
    writers.set(writer, Writer.preCommitted, checkpoint);
    writers.set(writer, Writer.open, NONE);
  }

  /** SK-182: a part file is written on, even one that was closed since. */
  PartFileResumed(_: Kernel, __: number, transaction: number): void {
    const { rows } = this.table;
    const row = this.table.find(transaction);
    if (row < 0) return;
    rows.set(row, Row.state, State.open);
    rows.set(row, Row.undone, 0);
  }

  TransactionRecycled(_: Kernel, __: number, transaction: number): void {
    this.table.close(transaction, State.recycled);
  }

  /** The decision (KF-015): what must hold of an end must hold here. Its markers change nothing of it. */
  TransactionEndPrepared(
    k: Kernel,
    transaction: number,
    _: number,
    decider: number,
    __: number,
    commits: number,
  ): void {
    if (commits === 1) this.TransactionCommitted(k, transaction, 0, decider, 0, 0);
    else if (decider === TIMEOUT) this.TransactionTimedOut(k, transaction);
    else this.TransactionAborted(k, transaction);
    const row = this.table.find(transaction);
    if (row >= 0) this.table.rows.set(row, Row.prepared, 1);
  }

  /** Has the end been looked at when it was decided? */
  private wasPrepared(row: number): boolean {
    const prepared = row >= 0 && this.table.rows.get(row, Row.prepared) === 1;
    if (prepared) this.table.rows.set(row, Row.prepared, 0);
    return prepared;
  }

  TransactionCommitted(k: Kernel, transaction: number, _: number, decider: number, __: number, again: number): void {
    const { watch, table } = this;
    const { rows, writers } = table;
    const row = table.find(transaction);
    const writer = table.writerOf(transaction);
    if (this.wasPrepared(row) || row < 0 || again === 1) return;
    const submission = rows.get(row, Row.submission);
    const own = submission === watch.jobs.submission;
    const [state, checkpoint] = [rows.get(row, Row.state), rows.get(row, Row.checkpoint)];
    const epochs = [rows.get(row, Row.epoch), rows.get(row, Row.initialised)] as const;
    if (state === State.aborted || state === State.timedOut) {
      this.violated(k, "INV-112", row, `no transaction is both committed and aborted: ${table.told(row)}`);
    } else if (state !== State.preCommitted) {
      this.violated(k, "INV-113", row, `only a pre-committed transaction is committed: ${table.told(row)}`);
    }
    const told = own ? watch.lastTold : watch.jobs.lastTold(submission);
    if (told < checkpoint && !this.isCompleted(submission, checkpoint)) {
      const said = `${table.name(row)} is committed for checkpoint ${checkpoint}, the last completed one is ${told}`;
      this.violated(k, "INV-113", row, `a commit waits for its checkpoint: ${said}`, `checkpoint ${checkpoint}`);
    } else this.noteCommit(submission, checkpoint);
    if (epochs[0] !== epochs[1]) {
      const said = `a commit of epoch ${epochs[0]} succeeds, but the id has epoch ${epochs[1]} since`;
      this.violated(k, "INV-116", row, said);
    }
    rows.set(row, Row.state, State.committed);
    if (writer < 0) return;
    const last = writers.get(writer, Writer.committed);
    // A restore commits what an error of the loop has left, behind what came after it (SK-123).
    const tried = decider === RESTORE && !table.isOfLog(transaction);
    if (checkpoint <= last && !tried) {
      const said = `a subtask's transactions are committed in the order of their checkpoints, but ${checkpoint} comes after ${last}`;
      this.violated(k, "INV-118", row, said, `checkpoint ${checkpoint}`);
    }
    writers.set(writer, Writer.committed, Math.max(checkpoint, last));
  }

  /** A commit of a job that is over can still arrive; behind one that no job goes on with its records come again. */
  private noteCommit(submission: number, checkpoint: number): void {
    const { jobs } = this.watch;
    jobs.noteCommit(submission, checkpoint);
    if (submission !== jobs.submission && !jobs.goesOnWith(submission, checkpoint)) this.watch.waive(ofCommits);
  }

  /** Is what a job took for a checkpoint in a completed one that the job which runs has, or starts from? */
  private isCompleted(submission: number, checkpoint: number): boolean {
    const { jobs, lastCompleted } = this.watch;
    return submission === jobs.submission ? checkpoint <= lastCompleted : jobs.goesOnWith(submission, checkpoint);
  }

  /** The log has given up a transaction that was pre-committed. */
  private lose(row: number): void {
    const { rows, losses } = this.table;
    losses.push(rows.get(row, Row.number), rows.get(row, Row.checkpoint), rows.get(row, Row.submission));
  }

  TransactionAborted(k: Kernel, transaction: number): void {
    const { table } = this;
    const row = table.find(transaction);
    if (this.wasPrepared(row) || row < 0) return;
    const [state, checkpoint] = [table.rows.get(row, Row.state), table.rows.get(row, Row.checkpoint)];
    const submission = table.rows.get(row, Row.submission);
    const held = this.isCompleted(submission, checkpoint);
    if (state === State.committed) {
      this.violated(k, "INV-112", row, `no transaction is both committed and aborted: ${table.told(row)}`);
    }
    const lost = table.rows.get(row, Row.lost) === 1;
    if (state === State.preCommitted && held && !lost) {
      const said = `${table.name(row)} is aborted, but it belongs to checkpoint ${checkpoint}, and ${this.watch.lastCompleted} is complete`;
      this.violated(k, "INV-114", row, `what a completed checkpoint holds is committed: ${said}`);
    }
    if (state === State.preCommitted) this.watch.jobs.noteAbort(submission, checkpoint);
    table.close(transaction, State.aborted);
  }

  TransactionTimedOut(k: Kernel, transaction: number): void {
    const { table } = this;
    const row = table.find(transaction);
    if (this.wasPrepared(row) || row < 0) return;
    const state = table.rows.get(row, Row.state);
    this.timedOut = true;
    if (state === State.committed) {
      this.violated(k, "INV-112", row, `a committed transaction is given up: ${table.told(row)}`);
    }
    if (state === State.preCommitted && table.rows.get(row, Row.undone) === 0) this.lose(row);
    table.rows.set(row, Row.state, State.timedOut);
  }

  CommitFailed(_: Kernel, __: number, transaction: number): void {
    const row = this.table.find(transaction);
    if (row >= 0) this.table.rows.set(row, Row.lost, 1);
    // A committer that drops what could still be committed: nobody else knows of it.
    if (row < 0 || this.table.isOfLog(transaction) || this.table.rows.get(row, Row.state) !== State.preCommitted)
      return;
    this.timedOut = true;
    this.lose(row);
  }

  /** Where ids have gone back, what a table takes for committed is lost (P-32); where they have not, the ledger says so. */
  TableCommitSkipped(_: Kernel, __: number, transaction: number): void {
    this.table.rows.set(this.table.findOrAdd(transaction), Row.lost, 1);
  }

  /** FR-008: a live sink that closes aborts its current transaction (INV-115: the first who can does it), if it reaches the log. */
  TaskStopped(k: Kernel, task: number, attempt: number, ending: number): void {
    const { watch, table } = this;
    // Where the thread was: the slot it had may be gone with a TaskManager that was given up.
    if (isCut(k, Node.firstTaskManager + k.world.task(task, Task.host), Node.kafka)) return;
    for (const operator of at(watch.plan.sinksOf, task)) {
      const writer = table.exactlyOnceWriter(task, operator);
      if (writer < 0) continue;
      const open = table.writers.get(writer, Writer.open);
      const row = open < 0 ? NONE : table.find(open);
      if (row >= 0 && ending !== LOST && table.isUndecided(row)) {
        const said = `${watch.subtask(task)}#${attempt} closes and leaves its current transaction behind: ${table.told(row)}`;
        this.violated(k, "INV-115", row, said, watch.subtask(task));
      }
      table.writers.set(writer, Writer.open, NONE);
    }
  }

  /** A restart undoes what was pre-committed for later than the last completed checkpoint: it is produced again. */
  AttemptCreated(_: Kernel, task: number): void {
    const { losses } = this.table;
    for (let row = losses.count - 1; row >= 0; row--) {
      if (this.isCompleted(losses.get(row, Loss.submission), losses.get(row, Loss.checkpoint))) continue;
      if (this.table.ownerOf(losses.get(row, Loss.transaction)) === task) losses.remove(row);
    }
    this.table.undo(task, (submission, checkpoint) => this.isCompleted(submission, checkpoint));
    for (const operator of at(this.watch.plan.sinksOf, task)) {
      const writer = this.table.exactlyOnceWriter(task, operator);
      if (writer >= 0) this.table.reset(writer);
    }
  }

  /** Names of transactions at the end of a run, by what is wrong with them. */
  left(): {
    /** Of a completed checkpoint, holding records, and neither decided nor known to be lost. */
    readonly undecided: readonly string[];
    /** Of a completed checkpoint, and given up by the log. */
    readonly gone: readonly string[];
    /** Holding records of any checkpoint, and undecided. */
    readonly lingering: readonly string[];
  } {
    const { table, watch } = this;
    const { rows, losses } = table;
    const pending = Array.from({ length: rows.count }, (_, row) => row).filter(
      (row) => table.isUndecided(row) && rows.get(row, Row.records) > 0,
    );
    const names = (select: (row: number) => boolean): string[] => pending.filter(select).map((row) => table.name(row));
    const isToCommit = (row: number): boolean =>
      rows.get(row, Row.state) === State.preCommitted &&
      this.isCompleted(rows.get(row, Row.submission), rows.get(row, Row.checkpoint));
    // What a job that is over has left under another prefix is the log's to time out.
    const isLookedFor = (row: number): boolean => table.proberOf(rows.get(row, Row.number)) !== NONE;
    return {
      undecided: names((row) => isToCommit(row) && rows.get(row, Row.lost) + rows.get(row, Row.undone) === 0),
      gone: Array.from({ length: losses.count }, (_, row) => row)
        .filter((row) => this.isCompleted(losses.get(row, Loss.submission), losses.get(row, Loss.checkpoint)))
        .map((row) => watch.transaction(losses.get(row, Loss.transaction))),
      lingering: names((row) => !table.isFile(row) && !isToCommit(row) && isLookedFor(row)),
    };
  }
}
