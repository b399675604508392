/**
 * What a producer client does that has had no answer for too long (`KafkaProducer`; FR-021): a record that is not delivered
 * within `delivery.timeout.ms` fails its task, as does `initTransactions` after `max.block.ms`; a commit request that has no
 * answer by then may be tried again (SK-148, SK-149), and whether it took effect the next one finds out. A source's client
 * waits for ever. Left out: what fails when the log is away as a job starts (metadata, partition discovery).
 */
import { failureCauses } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { Due, Task } from "../layout.ts";
import { Op } from "../ops.ts";
import { setCommitError } from "./commit-errors.ts";
import { commitReply } from "./kafka-committer.ts";
import { sinkState } from "./sink.ts";

/** The operation `clientTimeout`: the first of a subtask's requests that wait has waited long enough. */
export function clientTimeout(k: Kernel, task: number): void {
  const { held } = k.world;
  const row = firstOf(k, task);
  if (row < 0) return;
  const [deadline, op, operator] = [held.get(row, Due.time), held.get(row, Due.op), held.get(row, Due.b)];
  if (deadline > k.now) return k.after(deadline - k.now, Op.clientTimeout, task, task);
  if (op === Op.commitReply) return giveUpCommit(k, task, operator, row);
  const cause = op === Op.append || op === Op.writeRepeated ? "RECORD_NOT_DELIVERED" : "LOG_REQUEST_TIMED_OUT";
  k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), failureCauses.indexOf(cause));
}

/** The request of a subtask's clients that is given up first; `-1`: none waits. */
function firstOf(k: Kernel, task: number): number {
  const { held } = k.world;
  let first = -1;
  for (let row = 0; row < held.count; row++) {
    const deadline = held.get(row, Due.time);
    if (held.get(row, Due.actor) !== task || deadline === 0) continue;
    if (first < 0 || deadline < held.get(first, Due.time)) first = row;
  }
  return first;
}

/** The request itself goes with it, if it has not reached the log: one commit of a subtask is under way at a time. */
function giveUpCommit(k: Kernel, task: number, operator: number, row: number): void {
  const { held, state } = k.world;
  const [checkpoint, decider] = [held.get(row, Due.c), held.get(row, Due.d)];
  const transaction = k.arena.sequences.item(state[sinkState(k, task, operator)] as number, 0);
  held.remove(row);
  for (let other = held.count - 1; other >= 0; other--)
    if (held.get(other, Due.op) === Op.brokerCommit && held.get(other, Due.a) === transaction) held.remove(other);
  setCommitError(k, task, "retriable");
  commitReply(k, task, operator, checkpoint, decider);
  const next = firstOf(k, task);
  if (next >= 0) k.after(held.get(next, Due.time) - k.now, Op.clientTimeout, task, task);
}
