/**
 * The committer half of the Kafka sink (`CommitterOperator`, `KafkaCommitter`; SK-143 to SK-149, SK-157, SK-158). On a
 * completion notification, at once on a restore, and at the end of input without checkpoints, it commits all it holds up to
 * that checkpoint, oldest first, one after the other. What goes wrong is in `commit-errors.ts`; what goes to a global committer, in
 * `global-committer.ts`.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { Due, Task, Txn, Writer } from "../layout.ts";
import { Answer, Client, RETRY_BACKOFF, commit, rowOf } from "../log-broker/transactions.ts";
import { Actor, Op } from "../ops.ts";
import { commitErrorOf, failCommit, retryLater, setCommitError, takeCommitError } from "./commit-errors.ts";
import { goOn, sinkOf, sinkState, writerOf } from "./sink.ts";

/** In the place of a transaction: behind those of a checkpoint, what is said of all of them (`CommittableSummary`). */
export const SUMMARY = -1;

/** Asks for the oldest transaction up to `checkpoint`, or goes on to what comes then. */
export function commitNext(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const { sequences } = k.arena;
  const held = k.world.state[sinkState(k, task, operator)] as number;
  if (sequences.length(held) === 0 || !k.decisions.mayCommit(sequences.item(held, 2), checkpoint)) {
    goOn(k, task, operator, checkpoint, decider);
    return;
  }
  const transaction = sequences.item(held, 0);
  if (transaction === SUMMARY) return k.next(Op.forwardBatch, task, task, operator, checkpoint, decider);
  const error = takeCommitError(k, task);
  k.emit("TransactionCommitRequested", task, transaction, sequences.item(held, 2), decider);
  const { commit: duration } = k.plan.scenario.timing;
  if (error === null || error === "reply-lost") {
    const [epoch, meant] = [sequences.item(held, 1), sequences.item(held, 2)];
    const half = duration >> 1;
    if (sinkOf(k, operator).store === "log")
      k.after(half, Op.brokerCommit, Actor.wire, transaction, epoch, meant, requestBy(task, decider));
    else k.after(half, Op.databaseCommit, Actor.wire, transaction, task, meant, decider);
  }
  k.after(duration, Op.commitReply, task, task, operator, checkpoint, decider);
}

/** Who asks, and why, in one word. */
export function requestBy(task: number, decider: number): number {
  return decider + 8 * (task + 1);
}

/** The operation `brokerCommit`: the request is at the log, whatever has become of who sent it. */
export function brokerCommit(k: Kernel, transaction: number, epoch: number, checkpoint: number, request: number): void {
  const task = (request >> 3) - 1;
  const told = commit(k, task, transaction, epoch, checkpoint, request & 7);
  if (told === "unknown" && task >= 0) setCommitError(k, task, "fatal");
  if (told === "again") k.next(Op.brokerCommit, Actor.wire, transaction, epoch, checkpoint, request);
  if (told !== "later") return;
  k.after(RETRY_BACKOFF, Op.brokerCommit, Actor.wire, transaction, epoch, checkpoint, request);
  postponeReply(k, task);
}

/** The client asks again by itself, so its committer is answered later. */
function postponeReply(k: Kernel, task: number): void {
  const { agenda } = k.world;
  for (let row = agenda.count - 1; row >= 0; row--) {
    if (agenda.get(row, Due.op) !== Op.commitReply || agenda.get(row, Due.a) !== task) continue;
    const delay = agenda.get(row, Due.time) - k.now + RETRY_BACKOFF;
    const [operator = 0, checkpoint = 0, decider = 0] = [Due.b, Due.c, Due.d].map((column) => agenda.get(row, column));
    agenda.remove(row);
    return k.after(delay, Op.commitReply, task, task, operator, checkpoint, decider);
  }
}

/** The request has ended, well or not (SK-149). */
export function commitReply(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const { sequences } = k.arena;
  const held = k.world.state[sinkState(k, task, operator)] as number;
  const [transaction, of] = [sequences.item(held, 0), sequences.item(held, 2)];
  const error = commitErrorOf(k, task);
  if (error === "fatal") return failCommit(k, task);
  if (error === "retriable" || error === "reply-lost") {
    const again = retryLater(k, task, transaction, of, checkpoint);
    if (again === "now") k.next(Op.commitNext, task, task, operator, checkpoint, decider);
    if (again === "later") goOn(k, task, operator, checkpoint, decider);
    return;
  }
  if (error === "known") k.emit("CommitFailed", task, transaction, of, Answer.fenced);
  handled(k, task, operator);
  k.next(Op.commitNext, task, task, operator, checkpoint, decider);
}

/** Committed, or refused for a known reason; either way it is finally handled. */
function handled(k: Kernel, task: number, operator: number): void {
  const place = sinkState(k, task, operator);
  const { sequences } = k.arena;
  k.world.setTask(task, Task.commitRetries, 0);
  if (sinkOf(k, operator).hasGlobal) noteSuccess(k, task, operator, sequences.item(k.world.state[place] as number, 0));
  k.world.state[place] = sequences.intern(sequences.toArray(k.world.state[place] as number).slice(3));
}

/** Only what is committed is passed on. */
function noteSuccess(k: Kernel, task: number, operator: number, transaction: number): void {
  const client = k.world.transactions.get(rowOf(k, transaction), Txn.client);
  if (client !== Client.committed && client !== Client.prepareCommit) return;
  const writer = writerOf(k, task, operator);
  k.world.setWriter(writer, Writer.buffer, k.arena.lists.append(k.world.writer(writer, Writer.buffer), transaction));
}

/** What the restored state had to commit. */
export function restoredCommittables(k: Kernel, task: number, operator: number): number {
  if (k.world.task(task, Task.restore) === 0) return k.arena.sequences.intern([]);
  const { sequences } = k.arena;
  return sequences.item(k.world.task(task, Task.restoreFrom), at(k.plan.operators, operator).state);
}
