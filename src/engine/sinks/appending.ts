/**
 * Sinks that write each record at once and undo nothing (SK-100 to SK-102): `append-sink`, and the Kafka sink with
 * deliveries none and at-least-once (`KafkaWriter`). Whether all is flushed at the barrier is the chain's to ask (A0, A1).
 * `print-sink` writes within the thread (`PrintSink`), so nothing of it is ever on its way.
 *
 * A Kafka sink has its committer whatever the delivery: what the state that it starts from holds of transactions, of a job
 * that wrote exactly once, is committed at once (SK-147). What came behind that snapshot nobody looks for: the log gives it up.
 */
import type { Kernel } from "../kernel.ts";
import { Task, Writer } from "../layout.ts";
import { Decider } from "../log-broker/transactions.ts";
import { Op } from "../ops.ts";
import { commitNext, commitReply } from "./kafka-committer.ts";
import { type Sink, ends, landed, noTimer, opened, send, sinkState, store, writerOf } from "./sink.ts";

const nothing = (): void => {};

function arrive(k: Kernel, task: number, operator: number, record: number, value: number): void {
  landed(k, task, operator);
  store(k, task, operator, record, value, -1, 0);
}

/** At the end of input the writer has written what it will. */
function barrier(k: Kernel, task: number, operator: number): boolean {
  if (ends(k, task)) k.world.setWriter(writerOf(k, task, operator), Writer.records, 0);
  return true;
}

function open(k: Kernel, task: number, operator: number): void {
  if (k.world.state[sinkState(k, task, operator)] === 0) return opened(k, task, operator);
  k.next(Op.commitNext, task, task, operator, k.world.task(task, Task.restore), Decider.restore);
}

export const appending: Sink = {
  write: send,
  arrive,
  barrier,
  begin: nothing,
  snapshotTaken: nothing,
  open,
  start: opened,
  commit: commitNext,
  replied: commitReply,
  timer: noTimer,
  close: nothing,
};

export const printing: Sink = {
  ...appending,
  write: (k, task, operator, record, value) => {
    const writer = writerOf(k, task, operator);
    k.world.setWriter(writer, Writer.inFlight, k.world.writer(writer, Writer.inFlight) + 1);
    k.next(Op.append, task, task, operator, record, value);
  },
};
