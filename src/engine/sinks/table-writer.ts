/**
 * The writers of a lake table (Iceberg's `IcebergStreamWriter`, `IcebergSinkWriter`; SK-141, SK-142). A subtask has a data
 * file in hand from its start on, and from each barrier on the next; at the barrier it is closed and goes as one committable
 * to the table's one committer, ahead of the barrier. A file is a transaction of its name: open, pre-committed, and committed
 * when a snapshot of the table lists it. No state: what the committer has, is in the committer's state or in its channels.
 *
 * An attempt lets go what older ones have left and its committer does not know: nobody will ever list it. Simpler than a
 * lake: such a file stays where it is until it is removed as an orphan; here it is aborted as the next attempt starts.
 */
import { at } from "../../base/assert.ts";
import { transactionPrefix, transactionSubtask } from "../../protocol/ids.ts";
import { handleOf } from "../checkpoint-plan.ts";
import { channelStateIn } from "../channel-state.ts";
import { committableOf, handOver } from "../committables.ts";
import type { Kernel } from "../kernel.ts";
import { Due, Task, Txn, Writer } from "../layout.ts";
import { Client, Decider, preCommitted, recycle } from "../log-broker/transactions.ts";
import { isCommittable } from "../network.ts";
import { Op } from "../ops.ts";
import { abort, begin, currentTransaction, insertOrFail } from "./database.ts";
import { type Sink, ends, goOn, noTimer, numberOf, opened, send, sinkOf, writerOf } from "./sink.ts";
import { filesIn, filesOfCommit } from "./table-state.ts";

/** SK-141: the file is closed and handed over; one without records is not, but its committer is told (SK-142). */
function barrier(k: Kernel, task: number, operator: number, checkpoint: number): boolean {
  const writer = writerOf(k, task, operator);
  const file = currentTransaction(k, task, operator);
  if (file < 0) return true;
  const records = k.world.writer(writer, Writer.records);
  k.world.setWriter(writer, Writer.offset, 0);
  k.world.setWriter(writer, Writer.records, 0);
  handOver(k, task, operator, checkpoint, records === 0 ? -1 : file, records === 0 ? 0 : 1);
  if (!ends(k, task)) k.next(Op.beginTransaction, task, task, operator, checkpoint + 1);
  if (records === 0) {
    recycle(k, task, file, 0);
    return true;
  }
  preCommitted(k, file, checkpoint, 0);
  k.emit("TransactionPreCommitted", task, file, checkpoint, records);
  return true;
}

/** Files that the committer has in the state that this attempt begins with, or gets from its channels. */
function known(k: Kernel, operator: number): ReadonlySet<number> {
  const { graph, operators } = k.plan;
  const files = new Set<number>();
  const readers = at(graph.operators, operator).outputs.map((edge) => at(graph.edges, edge));
  const restored = (task: number): number => handleOf(k.world.task(task, Task.restoreFrom));
  for (const { toOperator, to, from } of readers) {
    for (const task of at(graph.vertices, to).subtasks) {
      if (k.world.task(task, Task.restore) === 0) continue;
      const state = k.arena.sequences.item(restored(task), at(operators, toOperator).state);
      for (const { file } of filesIn(k, state)) files.add(file);
    }
    for (const task of [...at(graph.vertices, to).subtasks, ...at(graph.vertices, from).subtasks]) {
      if (k.world.task(task, Task.restore) === 0) continue;
      const { inputs, outputs } = channelStateIn(k, task, restored(task));
      for (const list of [...inputs, ...outputs])
        k.arena.lists.toArray(list).forEach((word, place) => {
          if (place % 2 === 0 && isCommittable(word)) files.add(committableOf(k, word, 0).transaction);
        });
    }
  }
  return files;
}

/** Is it in a commit that is on its way to the table, whatever has become of who asked for it? */
function isUnderWay({ world: { agenda }, arena }: Kernel, file: number): boolean {
  for (let row = 0; row < agenda.count; row++) {
    const op = agenda.get(row, Due.op);
    if (op === Op.tableCommit && filesOfCommit(arena, agenda.get(row, Due.a)).includes(file)) return true;
    if (op === Op.commitFiles && agenda.get(row, Due.a) === file) return true;
  }
  return false;
}

/** A file of this subtask, or of one that is no more, that nobody will commit; `-1`: there is none. */
function leftover(k: Kernel, task: number, operator: number): number {
  const { transactions } = k.world;
  const { parallelism } = at(k.plan.graph.vertices, at(k.plan.graph.operators, operator).taskVertex);
  const files = known(k, operator);
  for (let row = 0; row < transactions.count; row++) {
    const file = transactions.get(row, Txn.number);
    const client = transactions.get(row, Txn.client);
    if (client !== Client.open && client !== Client.preCommitted) continue;
    if (transactionPrefix(file) !== sinkOf(k, operator).number) continue;
    if (transactionSubtask(file) % parallelism !== numberOf(k, task)) continue;
    if (!files.has(file) && !isUnderWay(k, file)) return file;
  }
  return -1;
}

/** What is left over is let go, one file a step; then the next one begins. */
function start(k: Kernel, task: number, operator: number): void {
  const file = leftover(k, task, operator);
  if (file >= 0) {
    abort(k, task, file, Decider.restore);
    k.next(Op.startSink, task, task, operator);
    return;
  }
  k.next(Op.beginTransaction, task, task, operator, k.world.task(task, Task.restore) + 1);
  opened(k, task, operator);
}

export const tableWriter: Sink = {
  write: send,
  arrive: insertOrFail,
  barrier,
  begin,
  snapshotTaken: () => {},
  open: (k, task, operator) => k.next(Op.startSink, task, task, operator),
  start,
  commit: goOn,
  replied: () => {},
  timer: noTimer,
  close: (k, task, operator) => {
    const file = currentTransaction(k, task, operator);
    if (file >= 0 && k.decisions.abortsOnClose()) abort(k, task, file, Decider.close);
  },
};
