/** The Kafka sink with delivery exactly-once: writer and committer in one task (`KafkaSink`; SK-140, SK-147, SK-152). */
import type { Kernel } from "../kernel.ts";
import { Task } from "../layout.ts";
import { Decider } from "../log-broker/transactions.ts";
import { Op } from "../ops.ts";
import { commitNext, commitReply } from "./kafka-committer.ts";
import { abortCurrent, arrive, barrier, beginAfter, beginTransaction } from "./kafka-writer.ts";
import { type Sink, noTimer, send } from "./sink.ts";

/** What the restored checkpoint holds is committed first, then what came after it is looked for. */
function open(k: Kernel, task: number, operator: number): void {
  if (k.decisions.recommits())
    k.next(Op.commitNext, task, task, operator, k.world.task(task, Task.restore), Decider.restore);
  else k.next(Op.probe, task, task, operator, 1);
}

export const kafkaTransactional: Sink = {
  write: send,
  arrive,
  barrier,
  begin: beginTransaction,
  snapshotTaken: beginAfter,
  open,
  start: (k, task, operator) => k.next(Op.probe, task, task, operator, 1),
  commit: commitNext,
  replied: commitReply,
  timer: noTimer,
  close: abortCurrent,
};
