/**
 * A job is started from a cut that somebody drew through its run (the verb `restore-cut`; X-03). A laboratory thing: Flink
 * takes its snapshots by barriers and by nothing else. It is Chandy and Lamport's recording without markers, since who
 * looks at a run from outside knows every place at once.
 *
 * A cut is a place on the line of each process: from the moment of the command on, so many of its entries are in front of
 * it. Nothing is disturbed: the run goes on, entry by entry as it would have. A subtask that has come to its place gives
 * its part at once, as soon as its thread is between two records: its state as a barrier's synchronous part freezes it
 * (`snapshot.ts`). The state of a channel is what its sender had sent at its own place and its reader had not taken at its
 * own, in order. The log is a process too: what a subtask writes behind its place does not come into it
 * (`WriteWithheld`), unless the log's own place is further on. When all parts are there the sinks pre-commit as at a
 * barrier, so their transactions hold what they had written at their places. Together that is a snapshot as a savepoint
 * is; the job is cancelled and submitted again from it, by the regular path (`submission.ts`).
 *
 * Along a consistent cut nothing is lost or doubled, by whatever sink. Along another one, what a reader had taken that its
 * sender had not yet sent is sent again.
 *
 * Left out: cuts that a restart, the end of data or a subtask that does not run is in the way of, sinks whose commits are
 * not those of their own task or that keep records of them outside, and exchanges without channels. They are refused.
 */
import { at } from "../base/assert.ts";
import { EventNumber } from "../protocol/events.ts";
import { sideOf, subtaskPlaceOf } from "../protocol/processes.ts";
import { type CutRefusal, cutRefusals } from "../protocol/reasons.ts";
import { isBlocking } from "./blocking-results.ts";
import type { Kernel } from "./kernel.ts";
import {
  CutChannel,
  CutPart,
  Due,
  Element,
  ElementKind,
  Finish,
  Job,
  Life,
  RestoredAs,
  Task,
  Txn,
  Writer,
} from "./layout.ts";
import { Client, rowOf } from "./log-broker/transactions.ts";
import { Actor, Op } from "./ops.ts";
import type { SinkKind } from "./plan.ts";
import { shelveCut } from "./shelf.ts";
import { frozenState } from "./snapshot.ts";
import { sinkOfKind } from "./sinks/kinds.ts";
import { currentTransaction } from "./sinks/kafka-writer.ts";
import { sinkOf, sinkState, writerOf } from "./sinks/sink.ts";
import { coordinatorWord } from "./sources/source-coordinator.ts";
import { NOT_HERE } from "./sources/positions.ts";
import { splitsOf } from "./sources/splits.ts";
import { JobStatus } from "./states.ts";

const LOG = -1;
const { world: outside, jobManager } = Actor;
/** What is done when all parts are there, in this order (the operation `restoreCut`). */
const Stage = { begin: 0, tell: 1, flush: 2, preCommit: 3, beginNext: 4, submit: 5 } as const;

/** Sinks that write through their own client and commit in their own task. */
const supported: ReadonlySet<SinkKind> = new Set(["appending", "printing", "kafkaTransactional", "twoPhaseCommit"]);

function refuse(k: Kernel, reason: CutRefusal, subtask = -1): void {
  k.world.cutParts.count = 0;
  k.world.cutChannels.count = 0;
  k.emit("CutRefused", subtask, cutRefusals.indexOf(reason));
}

/** The verb acts: from here on entries are counted. Who is at its place already gives its part now. */
export function beginCut(k: Kernel, index: number): void {
  const { world, plan } = k;
  const { cut = {} } = at(k.commands, index);
  world.cutParts.count = 0;
  world.cutChannels.count = 0;
  const running = world.job(Job.status) === JobStatus.running && world.job(Job.leaderless) === 0;
  if (!running || world.job(Job.waitingSubmission) > 0) return refuse(k, "NOT_RUNNING");
  if (plan.graph.channels.some(({ index: channel }) => isBlocking(k, channel))) return refuse(k, "BLOCKING_EXCHANGE");
  const bad = plan.graph.subtasks.find(({ index: task }) =>
    at(plan.sinksOf, task).some((sink) => !isSupported(k, sink)),
  );
  if (bad !== undefined) return refuse(k, "SINK_NOT_SUPPORTED", bad.index);
  for (const { index: task, name } of plan.graph.subtasks)
    world.cutParts.push(task, cut[name] ?? 0, -1, index, 0, world.step - 1);
  world.cutParts.push(LOG, cut["log"] ?? 0, -1, index, 0, world.step - 1);
  takeParts(k);
}

function isSupported(k: Kernel, sink: number): boolean {
  const { kind, hasGlobal } = sinkOf(k, sink);
  return supported.has(kind) && !hasGlobal;
}

/** Looks at the entry that was just made. */
export function watchCut(k: Kernel): void {
  const { world, draft } = k;
  const { cutParts } = world;
  if (isWhole(k)) return;
  if (draft.type === EventNumber.TaskStopped || draft.type === EventNumber.LeadershipLost)
    return k.interrupt(Op.restoreCut, Stage.begin, 1 + cutRefusals.indexOf("RESTARTED"));
  noteMessage(k);
  const process = processOf(k);
  for (let row = 0; row < cutParts.count; row++) {
    if (cutParts.get(row, CutPart.task) !== process || cutParts.get(row, CutPart.state) >= 0) continue;
    cutParts.set(row, CutPart.left, Math.max(0, cutParts.get(row, CutPart.left) - 1));
    cutParts.set(row, CutPart.behind, world.step - 1);
  }
  takeParts(k);
}

/** Has every process come to its place? */
function isWhole({ world: { cutParts } }: Kernel): boolean {
  for (let row = 0; row < cutParts.count; row++)
    if (!isTaken(cutParts.get(row, CutPart.left), cutParts.get(row, CutPart.state), cutParts.get(row, CutPart.task)))
      return false;
  return true;
}

function isTaken(left: number, state: number, task: number): boolean {
  return task === LOG ? left === 0 : state >= 0;
}

/** Whose the last entry is; `-2`: nobody's whose place is asked for. */
function processOf({ draft }: Kernel): number {
  const side = sideOf(draft.type);
  if (side !== null) return side === "log" ? LOG : -2;
  const place = subtaskPlaceOf(draft.type);
  const subtask = place < 0 ? -1 : (draft.fields[place] as number);
  return subtask < 0 ? -2 : subtask;
}

function rowOfTask(k: Kernel, task: number): number {
  return k.world.cutParts.find(CutPart.task, task);
}

/** A record that leaves or arrives between the places of the two ends of its channel. */
function noteMessage(k: Kernel): void {
  const { world, draft, arena } = k;
  const { cutChannels } = world;
  const sent = draft.type === EventNumber.RecordSent;
  if (!sent && draft.type !== EventNumber.RecordReceived) return;
  const row = cutChannels.find(CutChannel.channel, draft.fields[1] as number);
  if (row < 0) return;
  const left = cutChannels.get(row, CutChannel.left);
  if (!sent && left > 0) cutChannels.set(row, CutChannel.left, left - 1);
  // Only the reader is at its place: what is sent now is in transit.
  if (!sent || left >= 0) return;
  const list = arena.lists.append(cutChannels.get(row, CutChannel.records), draft.fields[2] as number);
  cutChannels.set(row, CutChannel.records, arena.lists.append(list, draft.fields[3] as number));
}

/** Every subtask that is at its place, and whose thread is between two records, gives its part. */
function takeParts(k: Kernel): void {
  const { cutParts } = k.world;
  for (let row = 0; row < cutParts.count; row++) {
    const task = cutParts.get(row, CutPart.task);
    if (task === LOG || cutParts.get(row, CutPart.left) > 0 || cutParts.get(row, CutPart.state) >= 0) continue;
    const reason = obstacle(k, task);
    if (reason !== null) return k.interrupt(Op.restoreCut, Stage.begin, 1 + cutRefusals.indexOf(reason));
    if (isBetweenRecords(k, task)) takePart(k, row, task);
  }
  if (isWhole(k)) k.interrupt(Op.restoreCut, Stage.begin);
}

/** Why a subtask at its place has no part to give; `null`: it has. */
function obstacle({ world }: Kernel, task: number): CutRefusal | null {
  if (world.task(task, Task.life) !== Life.running) return "NOT_RUNNING";
  if (world.task(task, Task.finish) !== Finish.none || world.task(task, Task.restoredAs) === RestoredAs.finished)
    return "DATA_ENDED";
  return null;
}

/**
 * Has the thread no record in hand? What else it may be at, a barrier or a commit, changes no operator's state but that of
 * sinks, which is taken when all have come to their places. A source has read nothing of the record that it waits for.
 */
function isBetweenRecords(k: Kernel, task: number): boolean {
  const { agenda, held } = k.world;
  const isSource = (k.plan.source[task] as number) >= 0;
  const inHand = (op: number): boolean => op === Op.process || op === Op.send || (op === Op.recordDone && !isSource);
  for (const rows of [agenda, held])
    for (let row = 0; row < rows.count; row++)
      if (rows.get(row, Due.actor) === task && inHand(rows.get(row, Due.op))) return false;
  return true;
}

/** A subtask's part: its state, what its sinks have on the way, and what lies in its channels. */
function takePart(k: Kernel, row: number, task: number): void {
  const { world, plan } = k;
  const { cutParts, cutChannels } = world;
  cutParts.set(row, CutPart.state, frozenState(k, task));
  const writes = at(plan.sinksOf, task).reduce(
    (sum, sink) => sum + world.writer(writerOf(k, task, sink), Writer.inFlight),
    0,
  );
  cutParts.set(row, CutPart.writes, writes);
  const { inputs, outputs } = at(plan.graph.subtasks, task);
  for (const channel of outputs)
    if (cutChannels.find(CutChannel.channel, channel) < 0)
      cutChannels.push(channel, 0, recordsIn(k, channel).length / 2);
  for (const channel of inputs) {
    const known = cutChannels.find(CutChannel.channel, channel);
    const records = recordsIn(k, channel);
    // Of what lies there, only what the sender had sent at its place; all, while it is not there.
    const sent = known < 0 ? records : records.slice(0, 2 * cutChannels.get(known, CutChannel.left));
    const list = sent.reduce((all, word) => k.arena.lists.append(all, word), 0);
    if (known < 0) cutChannels.push(channel, list, -1);
    else {
      cutChannels.set(known, CutChannel.records, list);
      cutChannels.set(known, CutChannel.left, 0);
    }
  }
  // The sender is at its place now: nothing more joins what its readers have found.
  for (const channel of outputs) {
    const known = cutChannels.find(CutChannel.channel, channel);
    if (cutChannels.get(known, CutChannel.left) < 0) cutChannels.set(known, CutChannel.left, 0);
  }
}

/** The records in a channel, as a list of record and value. */
function recordsIn({ world }: Kernel, channel: number): number[] {
  const words: number[] = [];
  for (let i = 0; i < world.channel(channel, 0); i++)
    if (world.element(channel, i, Element.kind) === ElementKind.record)
      words.push(world.element(channel, i, Element.id), world.element(channel, i, Element.value));
  return words;
}

/**
 * Does a record that comes to the log now lie behind the cut? Then it does not come into it. What was on its way when its
 * subtask was at its place does, and so does what comes before the log's own place.
 */
export function isBehindCut(k: Kernel, task: number): boolean {
  const { cutParts } = k.world;
  const row = rowOfTask(k, task);
  if (row < 0 || cutParts.get(row, CutPart.state) < 0) return false;
  const writes = cutParts.get(row, CutPart.writes);
  if (writes > 0) {
    cutParts.set(row, CutPart.writes, writes - 1);
    return false;
  }
  return cutParts.get(rowOfTask(k, LOG), CutPart.left) === 0;
}

/** The operation `restoreCut`: one thing after the other, with nothing between. */
export function restoreCut(k: Kernel, stage: number, a: number, b: number, checkpoint: number): void {
  switch (stage) {
    case Stage.begin:
      return a > 0 ? refuse(k, at(cutRefusals, a - 1)) : begin(k);
    case Stage.tell:
      return tell(k, a);
    case Stage.flush:
      return flush(k, a);
    case Stage.preCommit:
      return preCommit(k, a, b, checkpoint);
    case Stage.beginNext:
      return sinkOfKind(sinkOf(k, b).kind).snapshotTaken(k, a, b, checkpoint);
    default:
      return submit(k, checkpoint);
  }
}

/** The cut has its number from the counter of checkpoints, as a savepoint has. */
function begin(k: Kernel): void {
  const { world, plan } = k;
  if (world.job(Job.status) !== JobStatus.running) return refuse(k, "NOT_RUNNING");
  const late = plan.graph.subtasks.find(({ index }) => onTheWay(k, index).length < writesOf(k, index));
  if (late !== undefined) return refuse(k, "LOG_NOT_REACHED", late.index);
  const checkpoint = world.job(Job.nextCheckpoint);
  world.setJob(Job.nextCheckpoint, checkpoint + 1);
  const tasks = plan.graph.subtasks.map(({ index }) => index);
  for (const task of tasks) k.next(Op.restoreCut, outside, Stage.tell, task);
  for (const task of tasks) {
    if (at(plan.sinksOf, task).length > 0) k.next(Op.restoreCut, outside, Stage.flush, task);
    for (const sink of at(plan.sinksOf, task)) {
      k.next(Op.restoreCut, outside, Stage.preCommit, task, sink, checkpoint);
      k.next(Op.restoreCut, outside, Stage.beginNext, task, sink, checkpoint);
    }
  }
  k.next(Op.restoreCut, outside, Stage.submit, 0, 0, checkpoint);
}

function tell(k: Kernel, task: number): void {
  const words = at(k.plan.graph.subtasks, task).inputs.reduce((sum, channel) => sum + inTransit(k, channel).length, 0);
  k.emit("CutPartTaken", task, k.world.cutParts.get(rowOfTask(k, task), CutPart.behind), words / 2);
}

function inTransit(k: Kernel, channel: number): readonly number[] {
  const { cutChannels } = k.world;
  return k.arena.lists.toArray(cutChannels.get(cutChannels.find(CutChannel.channel, channel), CutChannel.records));
}

function writesOf(k: Kernel, task: number): number {
  return k.world.cutParts.get(rowOfTask(k, task), CutPart.writes);
}

/** Rows of the agenda with what a subtask's sinks have on the way, the first that will come first. */
function onTheWay({ world: { agenda } }: Kernel, task: number): readonly number[] {
  const rows: number[] = [];
  for (let row = agenda.count - 1; row >= 0; row--)
    if (agenda.get(row, Due.op) === Op.append && agenda.get(row, Due.actor) === task) rows.push(row);
  return rows;
}

/** What the sinks of a subtask had on the way at its place comes into the log now. A barrier that they flush for is over. */
function flush(k: Kernel, task: number): void {
  const { agenda } = k.world;
  k.world.setTask(task, Task.flushing, 0);
  for (const row of onTheWay(k, task).slice(0, writesOf(k, task))) {
    const word = (column: number): number => agenda.get(row, column);
    k.next(Op.append, outside, task, word(Due.b), word(Due.c), word(Due.d));
    agenda.remove(row);
  }
}

/** What the sink does before a barrier leaves, unless its transaction has been handed over already. */
function preCommit(k: Kernel, task: number, sink: number, checkpoint: number): void {
  const transaction = currentTransaction(k, task, sink);
  const { transactions } = k.world;
  if (transaction >= 0 && transactions.get(rowOf(k, transaction), Txn.client) !== Client.open) return;
  sinkOfKind(sinkOf(k, sink).kind).barrier(k, task, sink, checkpoint);
}

/** The snapshot is put on the shelf; the job is cancelled, and submitted from it as soon as it is over. */
function submit(k: Kernel, checkpoint: number): void {
  const { world, plan } = k;
  const command = world.cutParts.get(0, CutPart.command);
  const words = plan.graph.subtasks.map(({ index }) => wordOf(k, index));
  const has = readers(k, words);
  const coordinators = plan.graph.sources.map((_, source) =>
    at(plan.coordinated, source) ? coordinatorWord(k, source, (partition) => has(source, partition)) : -1,
  );
  shelveCut(k, checkpoint, [...words, ...coordinators], command);
  world.setJob(Job.waitingSubmission, command + 1);
  k.next(Op.cancelJob, jobManager);
}

/** A subtask's word as a checkpoint stores it: its state, that of its sinks as they have pre-committed, then its channels. */
function wordOf(k: Kernel, task: number): number {
  const { world, plan, arena } = k;
  const state = [...arena.sequences.toArray(world.cutParts.get(rowOfTask(k, task), CutPart.state))];
  for (const sink of at(plan.sinksOf, task)) {
    const words = sinkOf(k, sink).naming === "pooling" ? 2 : 1;
    const place = sinkState(k, task, sink);
    for (let word = place; word < place + words; word++)
      state[word - (plan.stateStart[task] as number)] = world.state[word] as number;
  }
  const { inputs, outputs } = at(plan.graph.subtasks, task);
  const { cutChannels } = world;
  const lists = inputs.map((channel) =>
    cutChannels.get(cutChannels.find(CutChannel.channel, channel), CutChannel.records),
  );
  return arena.sequences.intern(
    lists.some((list) => list !== 0) ? [...state, ...lists, ...outputs.map(() => 0)] : state,
  );
}

/** Is a split with one of its source's readers in this snapshot? Those on their way to one are its coordinator's again. */
function readers(k: Kernel, words: readonly number[]): (source: number, partition: number) => boolean {
  const { plan, arena } = k;
  return (source, partition) =>
    plan.graph.subtasks.some(({ index }) => {
      if (plan.coordinator[index] !== source) return false;
      const place = splitsOf(k, index).indexOf(partition);
      return place >= 0 && arena.sequences.item(at(words, index), place) !== NOT_HERE;
    });
}
