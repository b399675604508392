/**
 * The file sink (`FileSink`, `FileWriter`, `FileWriterBucket`, `FileCommitter`; SK-180 to SK-184). A part file is in
 * progress, then pending, then finished, as the transaction of its name is open, pre-committed, committed. A row format
 * writes on over checkpoints: state holds the file and its valid length, and a restore cuts it back to that and writes on.
 * A bulk format closes its file at every barrier. What is closed is pending: it is handed to the committer at the next
 * barrier and finished when that checkpoint is complete. Files that a restored state does not know stay unfinished, for
 * nobody to read. Names count up over all attempts, so that none is met twice.
 *
 * State is a list of (file, length, checkpoint); the file in progress has `IN_PROGRESS` for a checkpoint, so it is last.
 * Left out: buckets, compaction, the inactivity interval; when a file is old enough is looked at when it is, not once a
 * minute (`bucketCheckInterval`).
 */
import { at } from "../../base/assert.ts";
import { transactionPrefix, transactionSubtask } from "../../protocol/ids.ts";
import type { FileSinkVertex } from "../../protocol/job-graph.ts";
import { Machine } from "../../protocol/machines/all.ts";
import { failureCauses } from "../../protocol/reasons.ts";
import { RECORD_BYTES } from "../../scenario/model.ts";
import { handleOf } from "../checkpoint-plan.ts";
import type { Kernel } from "../kernel.ts";
import { Task, Txn, Writer } from "../layout.ts";
import { EntryKind, appendEntry } from "../log-broker/partitions.ts";
import { Client, Decider, preCommitted, rowOf } from "../log-broker/transactions.ts";
import { Op } from "../ops.ts";
import { commitErrorOf, failCommit } from "./commit-errors.ts";
import { abort, begin, currentTransaction, insertOrFail, offsetOf } from "./database.ts";
import { commitNext, commitReply } from "./kafka-committer.ts";
import { type Sink, ends, numberOf, opened, send, sinkOf, sinkState, writerOf } from "./sink.ts";

/** Above every checkpoint. */
const IN_PROGRESS = 65_535;

interface Part {
  readonly file: number;
  readonly length: number;
  readonly checkpoint: number;
}

function partsIn(k: Kernel, word: number): Part[] {
  const words = k.arena.sequences.toArray(word);
  return Array.from({ length: words.length / 3 }, (_, place) => ({
    file: at(words, 3 * place),
    length: at(words, 3 * place + 1),
    checkpoint: at(words, 3 * place + 2),
  }));
}

function partsOf(k: Kernel, task: number, operator: number): Part[] {
  return partsIn(k, k.world.state[sinkState(k, task, operator)] as number);
}

/** Puts a part into the state, in the place of what it said of this file before. */
function hold(k: Kernel, task: number, operator: number, part: Part): void {
  const parts = [...partsOf(k, task, operator).filter(({ file }) => file !== part.file), part];
  const words = parts
    .toSorted((a, b) => a.checkpoint - b.checkpoint)
    .flatMap(({ file, length, checkpoint }) => [file, length, checkpoint]);
  k.world.state[sinkState(k, task, operator)] = k.arena.sequences.intern(words);
}

function vertexOf(k: Kernel, operator: number): FileSinkVertex {
  const { vertex } = at(k.plan.graph.operators, operator);
  if (vertex.type !== "file-sink") throw new Error(`assertion failed: operator ${operator} writes no files`);
  return vertex;
}

const recordsIn = (k: Kernel, file: number): number => k.world.transactions.get(rowOf(k, file), Txn.records);

function isFull(k: Kernel, operator: number, file: number): boolean {
  return recordsIn(k, file) * RECORD_BYTES >= vertexOf(k, operator).maxPartSize;
}

const nextCheckpoint = (k: Kernel, task: number): number => k.world.task(task, Task.lastCheckpoint) + 1;

/** The first record opens a file; one that is full is closed first. */
function arrive(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const file = currentTransaction(k, task, operator);
  if (file >= 0 && !isFull(k, operator, file)) return insertOrFail(k, task, operator, record, value);
  if (file >= 0) closeFile(k, task, operator, nextCheckpoint(k, task));
  else k.next(Op.beginTransaction, task, task, operator, nextCheckpoint(k, task));
  k.next(Op.append, task, task, operator, record, value);
}

/** The file in progress is closed and waits for a checkpoint that covers it. */
function closeFile(k: Kernel, task: number, operator: number, checkpoint: number): void {
  const file = currentTransaction(k, task, operator);
  preCommitted(k, file, checkpoint, 0);
  hold(k, task, operator, { file, length: recordsIn(k, file), checkpoint });
  k.world.setWriter(writerOf(k, task, operator), Writer.offset, 0);
  k.emit("TransactionPreCommitted", task, file, checkpoint, recordsIn(k, file));
}

/** SK-181: all is written; a bulk format, and the end of input, close the file. */
function barrier(k: Kernel, task: number, operator: number, checkpoint: number): boolean {
  const file = currentTransaction(k, task, operator);
  if (file < 0) return true;
  const closes = vertexOf(k, operator).format === "bulk" || ends(k, task) || isFull(k, operator, file);
  if (closes) closeFile(k, task, operator, checkpoint);
  else hold(k, task, operator, { file, length: recordsIn(k, file), checkpoint: IN_PROGRESS });
  return true;
}

function watchAge(k: Kernel, task: number, operator: number): void {
  const file = currentTransaction(k, task, operator);
  const age = k.now - k.world.transactions.get(rowOf(k, file), Txn.start);
  const left = Math.max(0, vertexOf(k, operator).rolloverInterval - age);
  k.after(left, Op.sinkTimer, task, task, operator, file);
}

/** A file is old enough to be closed, if it is still in progress. */
function timer(k: Kernel, task: number, operator: number, file: number): void {
  if (currentTransaction(k, task, operator) === file) closeFile(k, task, operator, nextCheckpoint(k, task));
  k.next(Op.taskTurn, task, task);
}

/** Files of this subtask, or of one that is no more, that no restored state of the sink knows. */
function leftover(k: Kernel, task: number, operator: number): number {
  const { transactions } = k.world;
  const { number: prefix } = sinkOf(k, operator);
  const { subtasks, parallelism } = at(k.plan.graph.vertices, at(k.plan.graph.operators, operator).taskVertex);
  const { state } = at(k.plan.operators, operator);
  const known = new Set(
    subtasks.flatMap((subtask) => {
      if (k.world.task(subtask, Task.restore) === 0) return [];
      const word = k.arena.sequences.item(handleOf(k.world.task(subtask, Task.restoreFrom)), state);
      return partsIn(k, word).map(({ file }) => file);
    }),
  );
  for (let row = 0; row < transactions.count; row++) {
    const file = transactions.get(row, Txn.number);
    const client = transactions.get(row, Txn.client);
    if (transactionPrefix(file) !== prefix || (client !== Client.open && client !== Client.preCommitted)) continue;
    if (transactionSubtask(file) % parallelism === numberOf(k, task) && !known.has(file)) return file;
  }
  return -1;
}

/** SK-182: what is left over is passed by, then the file in progress is cut back and written on; one thing a step. */
function start(k: Kernel, task: number, operator: number): void {
  const current = currentTransaction(k, task, operator);
  const left = current < 0 ? leftover(k, task, operator) : -1;
  const part = partsOf(k, task, operator).find(
    ({ file, checkpoint }) => checkpoint === IN_PROGRESS && file !== current,
  );
  if (left >= 0) {
    abort(k, task, left, Decider.restore);
  } else if (part === undefined) {
    if (current >= 0) watchAge(k, task, operator);
    return opened(k, task, operator);
  } else if (current >= 0) {
    closeFile(k, task, operator, nextCheckpoint(k, task));
  } else if (!resume(k, task, operator, part)) {
    const attempt = k.world.task(task, Task.attempt);
    k.next(Op.taskFail, task, task, attempt, failureCauses.indexOf("PART_FILE_LOST"));
    return;
  }
  k.next(Op.startSink, task, task, operator);
}

/** The file is cut back to its valid length; false: it has been finished since, or its upload is gone (SK-183). */
function resume(k: Kernel, task: number, operator: number, { file, length: stored }: Part): boolean {
  const { transactions } = k.world;
  const row = rowOf(k, file);
  const client = row < 0 ? Client.none : transactions.get(row, Txn.client);
  if (client !== Client.open && client !== Client.preCommitted) return false;
  const partition = at(sinkOf(k, operator).partitions, 0);
  const length = k.decisions.validLength(stored, recordsIn(k, file));
  const dropped = recordsIn(k, file) - length;
  if (dropped > 0) appendEntry(k, partition, EntryKind.truncation, -1, length, file, 0, -1);
  if (client === Client.preCommitted) k.move(Machine.transaction, file, client, Client.open);
  transactions.set(row, Txn.client, Client.open);
  transactions.set(row, Txn.records, length);
  k.world.setWriter(writerOf(k, task, operator), Writer.offset, offsetOf(file));
  k.emit("PartFileResumed", task, file, k.world.task(task, Task.restore), partition, length, dropped);
  return true;
}

/** A file that could not be finished is no reason to go on without it (`commitAfterRecovery` throws). */
function replied(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const file = k.arena.sequences.item(k.world.state[sinkState(k, task, operator)] as number, 0);
  const row = rowOf(k, file);
  const finished = row >= 0 && k.world.transactions.get(row, Txn.client) === Client.committed;
  if (commitErrorOf(k, task) === null && !finished) failCommit(k, task);
  else commitReply(k, task, operator, checkpoint, decider);
}

export const file: Sink = {
  write: send,
  arrive,
  barrier,
  begin: (k, task, operator, checkpoint) => {
    begin(k, task, operator, checkpoint);
    watchAge(k, task, operator);
  },
  snapshotTaken: () => {},
  open: (k, task, operator) =>
    k.next(Op.commitNext, task, task, operator, k.world.task(task, Task.restore), Decider.restore),
  start,
  commit: commitNext,
  replied,
  timer,
  close: () => {},
};
