/**
 * What a sink is to its task: an object of operations, one for each moment at which the task or the store calls it
 * (`SinkWriterOperator`, `CommitterOperator`, `StreamSink`, `TwoPhaseCommitSinkFunction`; SK-100 to SK-184). Each kind is a
 * file beside this one, `kinds.ts` lists them, and `chain.ts` calls the sinks of a chain one after the other. What a sink
 * has to keep is one word of its operator's state (`sinkState`) and the fields of its `Writer`.
 */
import { at } from "../../base/assert.ts";
import type { Kernel } from "../kernel.ts";
import { lateParts } from "../late-parts.ts";
import { Finish, Life, OutputPartition, Task, TaskTime, Writer } from "../layout.ts";
import { appendEntry } from "../log-broker/partitions.ts";
import { Op } from "../ops.ts";
import { type SinkPlan, keyOf } from "../plan.ts";

/** What a writer hands to a committer in another task, and whose it is (`CommittableMessage`; SK-141). */
export interface Committable {
  /** The checkpoint that it is for, as the message says. */
  readonly checkpoint: number;
  /** `-1`: the message names none. */
  readonly transaction: number;
  /** How many committables the writer announces for the checkpoint. */
  readonly count: number;
  /** The writer's subtask number, and how many there are. */
  readonly writer: number;
  readonly writers: number;
}

export interface Sink {
  /** A record has come to the operator. */
  readonly write: (k: Kernel, task: number, operator: number, record: number, value: number) => void;
  /** A record has come to the store (the operation `append`). */
  readonly arrive: (k: Kernel, task: number, operator: number, record: number, value: number) => void;
  /**
   * Before the barrier of a checkpoint leaves, or, where the task's data ends, before it says so. False: it waits; it is
   * called again by the operation `preCommit`.
   */
  readonly barrier: (k: Kernel, task: number, operator: number, checkpoint: number) => boolean;
  /** Begins a transaction that is meant for a checkpoint (the operation `beginTransaction`). */
  readonly begin: (k: Kernel, task: number, operator: number, checkpoint: number) => void;
  /** The state is frozen: what comes now belongs to the next checkpoint. */
  readonly snapshotTaken: (k: Kernel, task: number, operator: number, checkpoint: number) => void;
  /** The attempt opens its operators, with its state restored; ends with `opened`. */
  readonly open: (k: Kernel, task: number, operator: number) => void;
  /** What `open` had to settle is settled. */
  readonly start: (k: Kernel, task: number, operator: number) => void;
  /** Everything up to this checkpoint is complete, or restored, or all there will be; ends with `goOn`. */
  readonly commit: (k: Kernel, task: number, operator: number, checkpoint: number, decider: number) => void;
  /** The store has answered a commit request. */
  readonly replied: (k: Kernel, task: number, operator: number, checkpoint: number, decider: number) => void;
  /** A timer that the sink has set is due; ends with the task's turn (the operation `sinkTimer`). */
  readonly timer: (k: Kernel, task: number, operator: number, what: number) => void;
  /**
   * A committable has come from another task, to a committer that is one of its own (`committables.ts`). True: the thread is
   * busy with it, and becomes free by `goOn`.
   */
  readonly receive?: (k: Kernel, task: number, operator: number, committable: Committable) => boolean;
  /** The thread ends alive: it fails, is cancelled, or has finished. */
  readonly close: (k: Kernel, task: number, operator: number) => void;
}

/** The sink's plan; the operator must be one. */
export function sinkOf(k: Kernel, operator: number): SinkPlan {
  const { sink } = at(k.plan.operators, operator);
  if (sink === null) throw new Error(`assertion failed: operator ${operator} is no sink`);
  return sink;
}

/** A subtask's number within its vertex. */
export function numberOf(k: Kernel, task: number): number {
  return at(k.plan.graph.subtasks, task).number;
}

export function writerOf(k: Kernel, task: number, operator: number): number {
  return sinkOf(k, operator).firstWriter + numberOf(k, task);
}

/** A writer that has written nothing and begun nothing. */
export function resetWriter(k: Kernel, task: number, operator: number): void {
  const writer = writerOf(k, task, operator);
  for (let field = 0; field < Writer.SIZE; field++) k.world.setWriter(writer, field, 0);
}

/** For kinds that set no timer. */
export function noTimer(k: Kernel, task: number): void {
  k.next(Op.taskTurn, task, task);
}

/** Where the sink's word is in the world's state. */
export function sinkState(k: Kernel, task: number, operator: number): number {
  return (k.plan.stateStart[task] as number) + at(k.plan.operators, operator).state;
}

/** Do the task's operators finish, as its data has ended? */
export function ends(k: Kernel, task: number): boolean {
  return k.world.task(task, Task.finish) === Finish.operators;
}

/** Hands a record to the client, which sends it by itself. */
export function send(k: Kernel, task: number, operator: number, record: number, value: number): void {
  const { world } = k;
  const writer = writerOf(k, task, operator);
  world.setWriter(writer, Writer.inFlight, world.writer(writer, Writer.inFlight) + 1);
  const delay = k.decisions.arrivesAfter(sinkOf(k, operator).delay, record);
  k.after(Math.max(delay, untilResent(k, task)), Op.append, task, task, operator, record, value);
}

/** The partition of the sink that a record goes to. */
export function partitionOf(k: Kernel, operator: number, record: number): number {
  return sinkOf(k, operator).partitionOfKey[keyOf(k.plan, record)] as number;
}

/** A record is on its way no more: the client has one less. */
export function landed(k: Kernel, task: number, operator: number): void {
  const writer = writerOf(k, task, operator);
  k.world.setWriter(writer, Writer.inFlight, k.world.writer(writer, Writer.inFlight) - 1);
}

/** Puts a record that has come into the store; `transaction` `-1`: outside of one. The last of a flush lets it go on. */
export function store(
  k: Kernel,
  task: number,
  operator: number,
  record: number,
  value: number,
  transaction: number,
  epoch: number,
): void {
  const { world } = k;
  const writer = writerOf(k, task, operator);
  const partition = partitionOf(k, operator, record);
  world.setWriter(writer, Writer.records, world.writer(writer, Writer.records) + 1);
  if (world.cutParts.count > 0 && lateParts().drawnCut.isBehind(k, task)) {
    k.emit("WriteWithheld", task, operator, record, partition, transaction);
    return flushed(k, task, operator);
  }
  const offset = k.decisions.appends()
    ? appendEntry(k, partition, 0, record, value, transaction, epoch, at(k.plan.graph.identities, operator))
    : world.output(partition, OutputPartition.next);
  k.emit("RecordWritten", task, operator, record, value, partition, offset, transaction);
  flushed(k, task, operator);
}

/** Nothing of the sink is on its way any more: a flush that waits for that goes on. */
export function flushed(k: Kernel, task: number, operator: number): void {
  const flushing = k.world.task(task, Task.flushing);
  if (k.world.writer(writerOf(k, task, operator), Writer.inFlight) === 0 && flushing > 0)
    k.next(Op.preCommit, task, task, flushing - 1);
}

/** Milliseconds until a write that is sent now may be in the store: not before those that are sent again. */
export function untilResent(k: Kernel, task: number): number {
  return k.world.taskTime(task, TaskTime.resent) - k.now;
}

/** The sink has opened: the next one of the chain does. */
export function opened(k: Kernel, task: number, operator: number): void {
  k.next(Op.openOperators, task, task, at(k.plan.sinksOf, task).indexOf(operator) + 1);
}

/** All is committed: the next sink of the chain commits, or the thread is free, or the attempt goes on opening. */
export function goOn(k: Kernel, task: number, operator: number, checkpoint: number, decider: number): void {
  if (k.world.task(task, Task.life) === Life.initializing) {
    k.next(Op.startSink, task, task, operator);
    return;
  }
  const sinks = at(k.plan.sinksOf, task);
  const following = sinks[sinks.indexOf(operator) + 1];
  if (following === undefined) k.next(ends(k, task) ? Op.finishOperators : Op.taskFree, task, task);
  else k.next(Op.commitNext, task, task, following, checkpoint, decider);
}
