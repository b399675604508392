/**
 * The sinks of a chain, one after the other: before the barrier, after the snapshot, when they open, when a checkpoint is
 * complete (`OperatorChain`, `SinkWriterOperator.prepareSnapshotPreBarrier`; SK-101, SK-141, FR-097).
 */
import { at } from "../../base/assert.ts";
import { flushedFor, setFlushedFor } from "../causes.ts";
import type { Kernel } from "../kernel.ts";
import { Due, RestoredAs, Task, Writer } from "../layout.ts";
import { Decider } from "../log-broker/transactions.ts";
import { MailKind, post } from "../mailbox.ts";
import { Op } from "../ops.ts";
import { sinkOfKind } from "./kinds.ts";
import { type Sink, ends, sinkOf, untilResent, writerOf } from "./sink.ts";
import { failWrite, loseReply, takeWriteError } from "./write-errors.ts";

function kindOf(k: Kernel, operator: number): Sink {
  return sinkOfKind(sinkOf(k, operator).kind);
}

/** A record has come to a sink of the chain. */
export function write(k: Kernel, task: number, operator: number, record: number, value: number): void {
  kindOf(k, operator).write(k, task, operator, record, value);
}

/** The operation `append`: a record has come to the store. */
export function append(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const error = takeWriteError(k, task);
  if (error !== null && error !== "reply-lost") return failWrite(k, error, task, operator, record, value);
  if (error === "reply-lost") loseReply(k, task, operator, record, value);
  kindOf(k, operator).arrive(k, task, operator, record, value);
}

/**
 * The operation `preCommit`: what the sinks of a chain do before the barrier, one after the other, from `index` on. Each
 * waits until all it wrote is in its store (except for delivery none), then does its part. After the last one the barrier
 * leaves. At the end of input the same is done by all, with the next id (SK-141, FLINK-37605).
 */
export function preCommit(k: Kernel, task: number, index: number): void {
  const { world } = k;
  // What it waited for was under way before: it is the barrier that lets it pre-commit.
  if (world.task(task, Task.flushing) > 0) k.cause = flushedFor(world, task);
  const operator = at(k.plan.sinksOf, task)[index];
  const last = ends(k, task);
  const checkpoint = world.task(task, Task.lastCheckpoint) + (last ? 1 : 0);
  if (operator === undefined) {
    if (last) commitAtEnd(k, task, checkpoint);
    else k.next(Op.emitBarriers, task, task, checkpoint);
    return;
  }
  const writer = writerOf(k, task, operator);
  if ((last || k.decisions.flushes(sinkOf(k, operator).guarantee)) && world.writer(writer, Writer.inFlight) > 0) {
    world.setTask(task, Task.flushing, index + 1);
    setFlushedFor(world, task, k.cause);
    sendNow(k, task);
    return;
  }
  world.setTask(task, Task.flushing, 0);
  if (kindOf(k, operator).barrier(k, task, operator, checkpoint)) k.next(Op.preCommit, task, task, index + 1);
}

/** SK-146: where no checkpoint will come, all is committed at the end of input. */
function commitAtEnd(k: Kernel, task: number, checkpoint: number): void {
  const first = at(k.plan.sinksOf, task)[0];
  if (first === undefined || k.plan.scenario.config.checkpointing.interval !== null)
    k.next(Op.finishOperators, task, task);
  else k.next(Op.commitNext, task, task, first, checkpoint, Decider.endOfInput);
}

/** A flush does not wait for `linger.ms`. */
function sendNow(k: Kernel, task: number): void {
  const { agenda } = k.world;
  const delay = Math.max(k.plan.scenario.timing.network, untilResent(k, task));
  const late: number[][] = [];
  for (let row = agenda.count - 1; row >= 0; row--) {
    if (agenda.get(row, Due.op) !== Op.append || agenda.get(row, Due.actor) !== task) continue;
    if (agenda.get(row, Due.time) <= k.now + delay) continue;
    late.push([Due.a, Due.b, Due.c, Due.d].map((column) => agenda.get(row, column)));
    agenda.remove(row);
  }
  for (const [a, b, c, d] of late) k.after(delay, Op.append, task, a, b, c, d);
}

export function snapshotTaken(k: Kernel, task: number, checkpoint: number): void {
  const sinks = at(k.plan.sinksOf, task);
  for (let i = 0; i < sinks.length; i++) {
    const operator = sinks[i] as number;
    kindOf(k, operator).snapshotTaken(k, task, operator, checkpoint);
  }
}

/** The operation `beginTransaction`. */
export function beginTransaction(k: Kernel, task: number, operator: number, checkpoint: number): void {
  kindOf(k, operator).begin(k, task, operator, checkpoint);
}

/** The operation `openOperators`: sinks settle the past before they open the future, one after the other (FR-097). */
export function openOperators(k: Kernel, task: number, index: number): void {
  const finished = k.world.task(task, Task.restoredAs) === RestoredAs.finished;
  const operator = finished ? undefined : at(k.plan.sinksOf, task)[index];
  if (operator === undefined) k.next(Op.taskRunning, task, task);
  else kindOf(k, operator).open(k, task, operator);
}

/** The operation `startSink`. */
export function startSink(k: Kernel, task: number, operator: number): void {
  kindOf(k, operator).start(k, task, operator);
}

/** The operation `commitNext`. */
export function commitNext(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  kindOf(k, operator).commit(k, task, operator, checkpoint, decider);
}

/** The operation `commitReply`: a commit request has ended, well or not. */
export function commitReply(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  kindOf(k, operator).replied(k, task, operator, checkpoint, decider);
}

/** The operation `sinkTimer`: a mail for the thread. */
export function sinkTimer(k: Kernel, task: number, operator: number, what: number): void {
  post(k, task, k.world.task(task, Task.attempt), MailKind.sinkTimer, operator, what);
}

export function onSinkTimer(k: Kernel, task: number, operator: number, what: number): void {
  kindOf(k, operator).timer(k, task, operator, what);
}

/** The operation `closeSink`: a live thread closes it. */
export function closeSink(k: Kernel, task: number, operator: number): void {
  kindOf(k, operator).close(k, task, operator);
}
