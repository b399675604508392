/**
 * The global committer of a sink: one task behind all its committers (`GlobalCommitterOperator`,
 * `CheckpointCommittableManagerImpl.hasGloballyReceivedAll`; SK-150). A committer that has committed its part of a checkpoint
 * passes it on: how many committables there are, and each. When it has the parts of all, the global committer commits the
 * checkpoint as a whole, in order of ids, and stops at the first that is not whole. It does not wait to be told that the
 * checkpoint is complete: that anything comes says so. It trails behind checkpoints, so what it has of one is in no state
 * before the next; the committers pass on again what they commit again on a restore, and so it may commit twice.
 *
 * How many parts there are says the committers' state: as many as there were when the checkpoint was taken, or as there are
 * now if these are fewer (FLINK-37747, P-62). In 1.18 it commits when it is told that a checkpoint is complete, which usually
 * is before anything of that one has come: one checkpoint later, and whatever has come of older ones.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { Task, Writer } from "../layout.ts";
import { Decider } from "../log-broker/transactions.ts";
import { Op } from "../ops.ts";
import { handOver } from "../committables.ts";
import { commitErrorOf, failCommit, retryLater, takeCommitError } from "./commit-errors.ts";
import { SUMMARY } from "./kafka-committer.ts";
import { committerTask } from "./committer-task.ts";
import { type Committable, goOn, sinkState, writerOf } from "./sink.ts";

/** What a word of state says of a message: its count, its committer's number, and how many there are; each below this. */
const BASE = 1024;

function heldBy(k: Kernel, task: number, operator: number): Committable[] {
  const words = k.arena.sequences.toArray(k.world.state[sinkState(k, task, operator)] as number);
  return Array.from({ length: words.length / 3 }, (_, place) => {
    const said = at(words, 3 * place + 1);
    return {
      transaction: at(words, 3 * place),
      count: said % BASE,
      writer: Math.floor(said / BASE) % BASE,
      writers: Math.floor(said / BASE ** 2),
      checkpoint: at(words, 3 * place + 2),
    };
  });
}

function hold(k: Kernel, task: number, operator: number, messages: readonly Committable[]): void {
  const words = messages
    .toSorted((a, b) => a.checkpoint - b.checkpoint)
    .flatMap(({ transaction, count, writer, writers, checkpoint }) => [
      transaction,
      count + BASE * (writer + BASE * writers),
      checkpoint,
    ]);
  k.world.state[sinkState(k, task, operator)] = k.arena.sequences.intern(words);
}

/**
 * The operation `forwardBatch`: all that a committer had of a checkpoint is finally handled, and it passes on what it has
 * committed (`CommitterOperator.emit`). What several subtasks left to this one is one batch.
 */
export function forwardBatch(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const { sequences, lists } = k.arena;
  const place = sinkState(k, task, operator);
  const words = sequences.toArray(k.world.state[place] as number);
  const entries = Array.from({ length: words.length / 3 }, (_, entry) => words.slice(3 * entry, 3 * entry + 3));
  const [, then = 0, of = 0] = at(entries, 0);
  const own = entries.filter((entry) => entry[2] === of);
  const others = entries.filter((entry) => entry[2] !== of);
  const left = own.filter(([transaction]) => transaction !== SUMMARY);
  if (left.length > 0) {
    const summaries = own.filter(([transaction]) => transaction === SUMMARY);
    k.world.state[place] = sequences.intern([...left, ...summaries, ...others].flat());
  } else {
    k.world.state[place] = sequences.intern(others.flat());
    const writer = writerOf(k, task, operator);
    const committed = lists.toArray(k.world.writer(writer, Writer.buffer));
    k.world.setWriter(writer, Writer.buffer, 0);
    const { parallelism } = at(k.plan.graph.operators, operator).vertex;
    const writers = k.decisions.committersOf(then, parallelism);
    for (const transaction of [SUMMARY, ...committed])
      handOver(k, task, operator, of, transaction, committed.length, writers);
  }
  k.next(Op.commitNext, task, task, operator, checkpoint, decider);
}

const commitsWhenTold = ({ plan }: Kernel): boolean => plan.scenario.flink === "1.18";

/** Is every committer's word of a checkpoint there, and all that it announces? */
function isWhole(messages: readonly Committable[]): boolean {
  const summaries = messages.filter(({ transaction }) => transaction === SUMMARY);
  const hasAll = ({ writer, count }: Committable): boolean =>
    messages.filter((other) => other.writer === writer && other.transaction !== SUMMARY).length === count;
  return summaries.length === summaries[0]?.writers && summaries.every(hasAll);
}

/** What is committed next of all up to a checkpoint; `null`: nothing is. */
function dueOf(k: Kernel, held: readonly Committable[], upTo: number): readonly Committable[] | null {
  const ids = [...new Set(held.map(({ checkpoint }) => checkpoint))].filter((id) => id <= upTo);
  for (const id of ids) {
    const messages = held.filter(({ checkpoint }) => checkpoint === id);
    if (isWhole(messages) || (commitsWhenTold(k) && id < upTo)) return messages;
    if (!commitsWhenTold(k)) return null;
  }
  return null;
}

/** Commits one checkpoint after the other; without a committable there is nothing to call for. True: it is at it. */
function commitDue(k: Kernel, task: number, operator: number, upTo: number, decider: number): boolean {
  for (;;) {
    const held = heldBy(k, task, operator);
    const due = dueOf(k, held, upTo);
    if (due === null) return false;
    if (due.some(({ transaction }) => transaction !== SUMMARY)) break;
    drop(k, task, operator, due);
  }
  takeCommitError(k, task);
  k.after(k.plan.scenario.timing.commit, Op.commitReply, task, task, operator, upTo, decider);
  return true;
}

function drop(k: Kernel, task: number, operator: number, messages: readonly Committable[]): void {
  const of = messages[0]?.checkpoint;
  const rest = heldBy(k, task, operator).filter(({ checkpoint }) => checkpoint !== of);
  hold(k, task, operator, rest);
}

/** A message is in hand: since 1.19 it commits as soon as it can. */
function receive(k: Kernel, task: number, operator: number, message: Committable): boolean {
  const held = [...heldBy(k, task, operator), message];
  hold(k, task, operator, held);
  if (commitsWhenTold(k)) return false;
  const newest = Math.max(...held.map(({ checkpoint }) => checkpoint));
  return commitDue(k, task, operator, newest, Decider.notification);
}

function commit(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  const waits = decider === Decider.restore ? !k.decisions.recommits() : !commitsWhenTold(k);
  if (waits || !commitDue(k, task, operator, checkpoint, decider)) goOn(k, task, operator, checkpoint, decider);
}

/** The user's committer has answered. */
function replied(k: Kernel, task: number, operator: number, upTo: number, decider: number): void {
  const due = dueOf(k, heldBy(k, task, operator), upTo) ?? [];
  const committed = due.filter(({ transaction }) => transaction !== SUMMARY);
  const { transaction, checkpoint } = at(committed, 0);
  const error = commitErrorOf(k, task);
  if (error === "fatal") return failCommit(k, task);
  if (error === "retriable" || error === "reply-lost") {
    const again = retryLater(k, task, transaction, checkpoint, upTo);
    const busy = again === "now" && commitDue(k, task, operator, upTo, decider);
    if (again !== "never" && !busy) goOn(k, task, operator, upTo, decider);
    return;
  }
  k.world.setTask(task, Task.commitRetries, 0);
  drop(k, task, operator, due);
  if (error !== "known") k.emit("GloballyCommitted", task, operator, checkpoint, decider, committed.length);
  if (!commitDue(k, task, operator, upTo, decider)) goOn(k, task, operator, upTo, decider);
}

export const globalCommitter = committerTask({ barrier: () => true, commit, replied, receive });
