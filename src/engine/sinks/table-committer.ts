/**
 * The committer of a lake table: one subtask behind all writers (Iceberg's `IcebergFilesCommitter`, `IcebergCommitter` and
 * `DynamicCommitter`, Paimon's `CommitterOperator`; SK-143 to SK-149). With the word that a checkpoint is complete, and at
 * once on a restore, it commits every file up to it in one snapshot of the table, which also says for which checkpoint, of
 * which job and operator: that is how it finds out what an earlier attempt, or job, had committed. What the table says is
 * committed is skipped, which is right where it is the same commit, and silent loss where ids have gone back (P-32).
 *
 * The job's id is the one of the job that runs, as in `DynamicCommitter`; Iceberg's `FlinkSink` keeps the id in its state,
 * so that a job with a fresh id finds its commits again. `guard` is when it asks: of all (Iceberg), or only of what a
 * restored state holds (Paimon's `filterAndCommit`). Left out: conflicts with other writers of the table, and the retries
 * of a commit for them; two requests that are on their way at once, of an old attempt and of a new one, are both carried out.
 */
import { at } from "../../base/assert.ts";
import { transactionPrefix } from "../../protocol/ids.ts";
import { failureCauses } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { OutputPartition, TableSnapshot, Task, Txn, Writer } from "../layout.ts";
import { EntryKind } from "../log-broker/partitions.ts";
import { Answer, Client, Decider, end, rowOf } from "../log-broker/transactions.ts";
import { Actor, Op } from "../ops.ts";
import { commitErrorOf, failCommit, retryLater, takeCommitError } from "./commit-errors.ts";
import { abort } from "./database.ts";
import { requestBy } from "./kafka-committer.ts";
import { committerTask } from "./committer-task.ts";
import { type Committable, goOn, sinkOf, writerOf } from "./sink.ts";
import { CommitRequest, filesOfCommit, heldBy, highestCommitted, hold, jobIdOf, tableSinkOf } from "./table-state.ts";

const RESTARTED_ON_PURPOSE = failureCauses.indexOf("COMMITTED_ON_RESTORE");

/** SK-143: what has come is state, and is known as new until the next snapshot. */
function receive(k: Kernel, task: number, operator: number, { transaction: file, checkpoint }: Committable): boolean {
  if (file < 0) return false;
  hold(k, task, operator, [...heldBy(k, task, operator), { file, checkpoint }]);
  const writer = writerOf(k, task, operator);
  k.world.setWriter(writer, Writer.buffer, k.arena.lists.append(k.world.writer(writer, Writer.buffer), file));
  return false;
}

/**
 * What is new is filed under its checkpoint, behind what is there. A committer that puts it in the place of that forgets the
 * files that came before its last snapshot, where others came behind it (P-16).
 */
function barrier(k: Kernel, task: number, operator: number): boolean {
  const writer = writerOf(k, task, operator);
  const fresh = new Set(k.arena.lists.toArray(k.world.writer(writer, Writer.buffer)));
  k.world.setWriter(writer, Writer.buffer, 0);
  if (k.decisions.filesTogether()) return true;
  const held = heldBy(k, task, operator);
  const filed = new Set(held.flatMap(({ file, checkpoint }) => (fresh.has(file) ? [checkpoint] : [])));
  const isKept = ({ file, checkpoint }: (typeof held)[number]): boolean => fresh.has(file) || !filed.has(checkpoint);
  hold(k, task, operator, held.filter(isKept));
  for (const { file } of held.filter((each) => !isKept(each))) k.next(Op.dropFiles, task, task, file, Decider.barrier);
  return true;
}

/** Does the committer ask the table for a file of this checkpoint? */
function asks(k: Kernel, task: number, operator: number, checkpoint: number): boolean {
  const { guard } = tableSinkOf(k, operator).vertex;
  return k.decisions.asksTable() && (guard === "always" || checkpoint <= k.world.task(task, Task.restore));
}

/** Commits all up to `checkpoint` at once, behind those that the table is said to have, one after the other. */
function commit(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const held = heldBy(k, task, operator);
  const due = held.filter((each) => k.decisions.mayCommit(each.checkpoint, checkpoint));
  if (due.length === 0 || (decider === Decider.restore && !k.decisions.recommits()))
    return goOn(k, task, operator, checkpoint, decider);
  const highest = highestCommitted(k, operator);
  const known = due.find((each) => each.checkpoint <= highest && asks(k, task, operator, each.checkpoint));
  if (known !== undefined) {
    hold(
      k,
      task,
      operator,
      held.filter(({ file }) => file !== known.file),
    );
    k.emit("TableCommitSkipped", task, known.file, known.checkpoint, highest);
    k.next(Op.dropFiles, task, task, known.file, decider);
    k.next(Op.commitNext, task, task, operator, checkpoint, decider);
    return;
  }
  const upTo = Math.max(...due.map((each) => each.checkpoint));
  const error = takeCommitError(k, task);
  k.emit("TableCommitRequested", task, operator, upTo, decider, due.length);
  const { commit: duration } = k.plan.scenario.timing;
  if (error === null || error === "reply-lost") {
    const table = at(k.plan.graph.identities, tableSinkOf(k, operator).index);
    const request = k.arena.sequences.intern([table, jobIdOf(k), k.submission, ...due.map(({ file }) => file)]);
    k.after(duration >> 1, Op.tableCommit, Actor.wire, request, requestBy(task, decider), upTo);
  }
  k.after(duration, Op.commitReply, task, task, operator, checkpoint, decider);
}

/** The operation `tableCommit`: the catalog has the request. The table has one snapshot more, which lists the files. */
export function tableCommit(k: Kernel, request: number, by: number, upTo: number): void {
  const word = (place: number): number => k.arena.sequences.item(request, place);
  const files = filesOfCommit(k.arena, request);
  const requester = word(CommitRequest.submission) === k.submission ? (by >> 3) - 1 : -1;
  k.world.tableSnapshots.push(word(CommitRequest.table), word(CommitRequest.job), upTo);
  k.emit("TableCommitted", requester, upTo, by & 7, files.length);
  for (const file of files) k.next(Op.commitFiles, Actor.wire, file, requester, by & 7);
}

/** The operation `commitFiles`: who reads the table sees what is in one of its files; once more, if it is listed again. */
export function commitFiles(k: Kernel, file: number, requester: number, decider: number): void {
  const row = rowOf(k, file);
  const { transactions } = k.world;
  const checkpoint = transactions.get(row, Txn.checkpoint);
  if (transactions.get(row, Txn.client) !== Client.committed) {
    end(k, row, Client.committed, decider, requester, checkpoint);
    return;
  }
  const operator =
    k.plan.graph.sinks.find((sink) => at(k.plan.operators, sink).sink?.number === transactionPrefix(file)) ?? -1;
  const partition = at(sinkOf(k, operator).partitions, 0);
  const entry = k.arena.sequences.intern([EntryKind.listing, -1, 0, file, 0, -1]);
  const content = k.arena.lists.append(k.world.output(partition, OutputPartition.content), entry);
  k.world.setOutput(partition, OutputPartition.content, content);
  k.emit("DataFileListedAgain", requester, file, checkpoint, partition, transactions.get(row, Txn.records));
}

/** The operation `dropFiles`: a file that nobody lists any more, unless it is listed already. */
export function dropFiles(k: Kernel, task: number, file: number, decider: number): void {
  abort(k, task, file, decider);
}

/**
 * `expire-table-snapshots`: the table is compacted, and its older snapshots expire. What is left is one of no job's, so that
 * nobody finds in the table what was committed (apache/iceberg#3647). Its rows are all there.
 */
export function expireTableSnapshots(k: Kernel, sink: number): void {
  k.world.tableSnapshots.removeWhere(TableSnapshot.table, at(k.plan.graph.identities, sink));
}

/** The answer to a request: all of it is committed, or none. */
function replied(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const held = heldBy(k, task, operator);
  const isDue = (of: number): boolean => k.decisions.mayCommit(of, checkpoint);
  const due = held.filter((each) => isDue(each.checkpoint));
  const first = at(due, 0);
  const error = commitErrorOf(k, task);
  // A commit whose outcome is unknown fails the task (`CommitStateUnknownException`).
  if (error === "fatal" || error === "reply-lost") return failCommit(k, task);
  if (error === "retriable") {
    const again = retryLater(k, task, first.file, first.checkpoint, checkpoint);
    if (again === "now") k.next(Op.commitNext, task, task, operator, checkpoint, decider);
    if (again === "later") goOn(k, task, operator, checkpoint, decider);
    return;
  }
  k.world.setTask(task, Task.commitRetries, 0);
  if (error === "known") {
    hold(
      k,
      task,
      operator,
      held.filter(({ file }) => file !== first.file),
    );
    k.emit("CommitFailed", task, first.file, first.checkpoint, Answer.invalidState);
    k.next(Op.dropFiles, task, task, first.file, decider);
    if (due.length > 1) k.next(Op.commitReply, task, task, operator, checkpoint, decider);
    else goOn(k, task, operator, checkpoint, decider);
    return;
  }
  hold(
    k,
    task,
    operator,
    held.filter((each) => !isDue(each.checkpoint)),
  );
  // P-38: writers begin with what the table was before, so all are to begin anew (`RestoreAndFailCommittableStateManager`).
  if (decider === Decider.restore && tableSinkOf(k, operator).vertex.failsAfterRecommit)
    k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), RESTARTED_ON_PURPOSE);
  else goOn(k, task, operator, checkpoint, decider);
}

export const tableCommitter = committerTask({ barrier, commit, replied, receive });
