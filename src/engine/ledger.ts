/**
 * What became of every input record, told from the world by provenance: which records are in each operator's state, which
 * the readers of each sink's topic see, and what is still under way (the contract's `delivery`, `state` and `verdict`;
 * KF-030 to KF-033). What should be there comes from the reference, which shares no code with the engine.
 */
import { at } from "../base/assert.ts";
import { type Reader, isCommitted, isSink, traitsOf } from "../protocol/sinks.ts";
import { recordName, transactionPrefix } from "../protocol/ids.ts";
import { type Reference, referenceOf } from "../scenario/reference.ts";
import type { DeliveryRow, StateRow, Verdict, VerdictWord } from "../scenario/report.ts";
import { resultOf } from "./blocking-results.ts";
import { TableRows } from "../scenario/table-rows.ts";
import { handleOf } from "./checkpoint-plan.ts";
import type { Kernel } from "./kernel.ts";
import { channelStateIn } from "./channel-state.ts";
import {
  Channel,
  Due,
  Element,
  ElementKind,
  Finish,
  Input,
  Job,
  Life,
  OutputPartition,
  Pending,
  Task,
  Txn,
  Writer,
} from "./layout.ts";
import { Entry, EntryKind, lastStableOffset } from "./log-broker/partitions.ts";
import { Client } from "./log-broker/transactions.ts";
import { isAlive } from "./host.ts";
import { Op } from "./ops.ts";
import { isCommittable } from "./network.ts";
import { withoutCutOff } from "./part-files.ts";
import { keyOf } from "./plan.ts";
import { ExecutionState, JobStatus, isTerminalStatus } from "./states.ts";
import { type Fates, wordOf, wordOfTable, worst } from "./verdict.ts";
import { loggedRecords } from "./sinks/batches.ts";
import { isNobodys } from "./sources/kafka-source.ts";
import { NOT_HERE, positionIn } from "./sources/positions.ts";
import { isConnection } from "./sources/source-function.ts";

export interface Ledger {
  readonly delivery: readonly DeliveryRow[];
  readonly state: readonly StateRow[];
  readonly verdict: Verdict;
}

/** What one reader sees of one sink. */
interface Seen {
  /** A table, of which only the last put of each key is there; `null`: all that was written is. */
  readonly table: TableRows | null;
  readonly counts: Int32Array;
  readonly values: { readonly record: number; readonly value: number }[];
  /** Records in transactions that are not decided, or behind one that is not. */
  readonly undecided: Uint8Array;
  lastPublished: number;
}

/** `given`: what the job yields over all of its input; where a source begins later, or a partition never came, over the rest. */
export function ledgerOf(k: Kernel, given: Reference): Ledger {
  const reference = overInput(k, given);
  const flight = inFlight(k);
  const state = stateRows(k, reference, flight);
  const delivery: DeliveryRow[] = [];
  const committed: VerdictWord[] = [];
  k.plan.graph.sinks.forEach((operator, sink) => {
    const { vertex } = at(k.plan.graph.operators, operator);
    for (const reader of isSink(vertex) ? traitsOf(vertex).readers : []) {
      const { row, word } = deliveryRow(k, reference, sink, operator, reader, flight);
      delivery.push(row);
      if (isCommitted(reader)) committed.push(word);
    }
  });
  return { delivery, state: state.rows, verdict: { state: worst(state.words), endToEnd: worst(committed) } };
}

function overInput({ world, plan }: Kernel, given: Reference): Reference {
  const begins = plan.inputs.map((list, partition) =>
    world.input(partition, Input.missing) === 1 ? list.length : Math.max(0, world.input(partition, Input.begin) - 1),
  );
  return begins.every((begin) => begin === 0) ? given : referenceOf(plan.scenario, begins);
}

function recordCount(k: Kernel): number {
  const partitions = k.plan.inputs.length;
  return Math.max(0, ...k.plan.inputs.map((records) => records.length)) * partitions;
}

/** Records in channels, in hand, or on the way to the log: with what they become, they can still arrive. */
function inFlight(k: Kernel): Uint8Array {
  const { world, plan } = k;
  const flight = new Uint8Array(recordCount(k));
  for (const { index } of plan.graph.channels) {
    for (let i = 0; i < world.channel(index, Channel.length); i++) {
      const id = world.element(index, i, Element.id);
      if (world.element(index, i, Element.kind) === ElementKind.record && !isCommittable(id)) flight[id] = 1;
    }
  }
  for (let row = 0; row < world.held.count; row++)
    if (world.held.get(row, Due.op) === Op.append) flight[world.held.get(row, Due.c)] = 1;
  for (const { index, to } of plan.graph.channels) if (!isAlive(k, to)) addResult(k, index, to, flight);
  for (let row = 0; row < world.agenda.count; row++) {
    const op = world.agenda.get(row, Due.op);
    if (op === Op.append || op === Op.send || op === Op.process) flight[world.agenda.get(row, Due.c)] = 1;
    if (op === Op.recordDone && (plan.source[world.agenda.get(row, Due.a)] as number) < 0) {
      flight[world.task(world.agenda.get(row, Due.a), Task.record)] = 1;
    }
  }
  for (const { index } of plan.graph.subtasks) {
    if (waitsForState(k, index)) addChannelState(k, index, flight);
    for (const operator of at(plan.sinksOf, index)) addLogged(k, index, operator, flight);
  }
  return flight;
}

/** What a write-ahead log holds and has not sent, now and in the checkpoint that a subtask waits for. */
function addLogged(k: Kernel, task: number, operator: number, flight: Uint8Array): void {
  const { world, plan, arena } = k;
  const { sink, state } = at(plan.operators, operator);
  if (sink?.kind !== "writeAheadLog") return;
  const writer = sink.firstWriter + at(plan.graph.subtasks, task).number;
  const own = world.state[(plan.stateStart[task] as number) + state] as number;
  const records = loggedRecords(k, own, world.writer(writer, Writer.buffer));
  if (waitsForState(k, task)) {
    const handle = handleOf(world.completed(world.job(Job.completed) - 1, Pending.SIZE + task));
    records.push(...loggedRecords(k, arena.sequences.item(handle, state), 0));
  }
  for (const record of records) flight[record] = 1;
}

/** What a blocking exchange holds for a consumer that does not read it, and has not (`blocking-results.ts`). */
function addResult(k: Kernel, channel: number, consumer: number, flight: Uint8Array): void {
  if (k.world.task(consumer, Task.state) === ExecutionState.finished) return;
  (resultOf(k, channel) ?? []).forEach((word, place) => {
    if (place % 2 === 0) flight[word] = 1;
  });
}

/** Has the subtask no thread that runs, though it will be given the newest completed checkpoint? */
function waitsForState(k: Kernel, task: number): boolean {
  const { world } = k;
  return goesOn(k) && world.task(task, Task.life) !== Life.running && world.job(Job.completed) > 0;
}

/** What was in flight then will be again. */
function addChannelState(k: Kernel, task: number, flight: Uint8Array): void {
  const row = k.world.job(Job.completed) - 1;
  if (k.world.completed(row, Pending.id) === k.plan.scenario.config.checkpointing.withoutChannelState) return;
  const { inputs, outputs } = channelStateIn(k, task, handleOf(k.world.completed(row, Pending.SIZE + task)));
  for (const list of [...inputs, ...outputs])
    k.arena.lists.toArray(list).forEach((word, place) => {
      if (place % 2 === 0 && !isCommittable(word)) flight[word] = 1;
    });
}

/** Will tasks that do not run be started again by themselves? Not by a job that ends, or whose JobManager nobody replaces. */
function goesOn({ world, plan }: Kernel): boolean {
  const status = world.job(Job.status);
  if (status === JobStatus.suspended) return plan.scenario.config.state.highAvailability;
  return status !== JobStatus.failing && !isTerminalStatus(status);
}

/** Where the job's sources stand, by input partition: behind all they have read, or where a restore would put them. */
function positions(k: Kernel): Int32Array {
  const { plan, world } = k;
  const standing = new Int32Array(plan.inputs.length).fill(2147483647);
  for (const { index, taskVertex, number } of plan.graph.subtasks) {
    const source = plan.source[index] as number;
    if (source < 0 || at(plan.graph.vertices, taskVertex).operators[0] !== source) continue;
    const planned = world.task(index, Task.plan) > 0;
    const finished = world.task(index, Task.finish) === Finish.closed && !planned;
    // One that is to restart goes back, though its thread may run on until the cancel call comes.
    const waits = (planned || world.task(index, Task.life) !== Life.running) && !finished && goesOn(k);
    const stored = waits ? restorable(k, index) : null;
    at(at(plan.operators, source).splits, number).forEach((partition, place) => {
      // A split that nobody has is behind all sources.
      if (isNobodys(k, index, place)) return;
      const word =
        stored === null ? (world.state[(plan.stateStart[index] as number) + place] as number) : stored(place);
      // What was delivered over a connection that is broken comes from nowhere again.
      const position = Math.max(
        positionIn(word),
        isConnection(k, index) ? world.input(partition, Input.delivered) : NOT_HERE,
      );
      standing[partition] = Math.min(standing[partition] as number, position);
    });
  }
  return standing;
}

/** The positions in the checkpoint that a subtask whose thread does not run would be given. */
function restorable(k: Kernel, task: number): (place: number) => number {
  const count = k.world.job(Job.completed);
  const word = count === 0 ? -1 : k.world.completed(count - 1, Pending.SIZE + task);
  if (word === -1) return () => 0;
  const handle = handleOf(word);
  return (place) => k.arena.sequences.item(handle, place);
}

/** Sorts the records that are expected `expected` times and there `counts` times. */
function fatesOf(k: Kernel, expected: Int32Array, counts: Int32Array, held: (record: number) => boolean): Fates {
  const fates: Fates = { lost: [], duplicated: [], pending: [], unprocessed: [] };
  const partitions = k.plan.inputs.length;
  const standing = positions(k);
  for (let record = 0; record < expected.length; record++) {
    const [wanted, seen] = [expected[record] as number, counts[record] as number];
    if (seen > wanted) fates.duplicated.push(record);
    if (seen >= wanted) continue;
    const partition = record % partitions;
    const offset = Math.floor(record / partitions);
    const passed = offset < (standing[partition] as number);
    if (held(record)) fates.pending.push(record);
    else if (passed) fates.lost.push(record);
    else if (offset >= k.world.input(partition, Input.furthest)) fates.unprocessed.push(record);
    else fates.pending.push(record);
  }
  return fates;
}

function deliveryRow(
  k: Kernel,
  reference: Reference,
  sink: number,
  operator: number,
  reader: Reader,
  flight: Uint8Array,
): { row: DeliveryRow; word: VerdictWord } {
  const outputs = at(reference.outputs, sink);
  const expected = new Int32Array(recordCount(k));
  for (const { record } of outputs) expected[record] = (expected[record] as number) + 1;
  const seen = seenBy(k, operator, reader);
  const fates = fatesOf(k, expected, seen.counts, (record) => flight[record] === 1 || seen.undecided[record] === 1);
  const names = (records: readonly number[]): string[] => records.map((record) => recordName(k.plan.graph, record));
  const completed = k.world.job(Job.completed);
  const differs = seen.table?.wrong(outputs) ?? differing(outputs, seen.values);
  return {
    word: seen.table === null ? wordOf(fates) : wordOfTable(fates, differs),
    row: {
      sink: at(k.plan.graph.operators, operator).vertex.uid,
      reader,
      expected: outputs.length,
      seen: seen.values.length,
      lost: names(fates.lost),
      duplicated: names(fates.duplicated),
      pending: names(fates.pending),
      unprocessed: names(fates.unprocessed),
      differing: names(differs),
      regressions: seen.table?.regressions ?? 0,
      stalls: [],
      lastCompleted: completed === 0 ? null : k.world.completed(completed - 1, Pending.id),
      lastPublished: seen.lastPublished === 0 ? null : seen.lastPublished,
    },
  };
}

/** Records one of whose outputs has a value that the reference does not give it; a repeated output is compared too. */
function differing(
  outputs: readonly { readonly record: number; readonly value: number }[],
  values: Seen["values"],
): number[] {
  const allowed = new Map<number, Set<number>>();
  for (const { record, value } of outputs) {
    const set = allowed.get(record) ?? new Set();
    allowed.set(record, set.add(value));
  }
  return [
    ...new Set(
      values.filter(({ record, value }) => allowed.get(record)?.has(value) !== true).map(({ record }) => record),
    ),
  ].sort((a, b) => a - b);
}

function seenBy(k: Kernel, operator: number, reader: Reader): Seen {
  const count = recordCount(k);
  const seen: Seen = {
    table: reader === "table" ? new TableRows() : null,
    counts: new Int32Array(count),
    values: [],
    undecided: new Uint8Array(count),
    lastPublished: 0,
  };
  const { sink } = at(k.plan.operators, operator);
  for (const partition of sink?.partitions ?? []) readPartition(k, operator, partition, reader, seen);
  return seen;
}

function readPartition(k: Kernel, operator: number, partition: number, reader: Reader, seen: Seen): void {
  const { sequences, lists } = k.arena;
  const all = lists.toArray(k.world.output(partition, OutputPartition.content));
  const word = (entry: number, field: number): number => sequences.item(entry, field);
  const isListing = (entry: number): boolean => word(entry, Entry.kind) === EntryKind.listing;
  const { store } = at(k.plan.graph.outputs, partition);
  const entries = store === "files" ? withoutCutOff(k, all) : all.filter((entry) => !isListing(entry));
  const listings = all.filter(isListing).map((entry) => word(entry, Entry.transaction));
  const decided = new Map<string, number>();
  for (const entry of entries) {
    if (word(entry, Entry.kind) === EntryKind.commitMarker || word(entry, Entry.kind) === EntryKind.abortMarker)
      decided.set(`${word(entry, Entry.transaction)}/${word(entry, Entry.epoch)}`, word(entry, Entry.kind));
  }
  const stable = lastStableOffset(k, partition);
  entries.forEach((entry, offset) => {
    if (
      word(entry, Entry.kind) !== EntryKind.record ||
      word(entry, Entry.operator) !== k.plan.graph.identities[operator]
    )
      return;
    const [record, transaction] = [word(entry, Entry.record), word(entry, Entry.transaction)];
    const fate = transaction < 0 ? EntryKind.commitMarker : decided.get(`${transaction}/${word(entry, Entry.epoch)}`);
    const visible = !isCommitted(reader) || (fate === EntryKind.commitMarker && offset < stable);
    if (visible) {
      const times = 1 + listings.filter((file) => file === transaction).length;
      seen.counts[record] = (seen.counts[record] as number) + times;
      for (let time = 0; time < times; time++) seen.values.push({ record, value: word(entry, Entry.value) });
      seen.table?.put(at(k.plan.graph.keys, keyOf(k.plan, record)), record, word(entry, Entry.value));
    } else if (fate !== EntryKind.abortMarker) {
      seen.undecided[record] = 1;
    }
  });
  seen.lastPublished = Math.max(seen.lastPublished, lastCommitted(k, operator));
}

/** The newest checkpoint one of whose transactions of this sink is committed; 0: none. */
function lastCommitted(k: Kernel, operator: number): number {
  const { transactions } = k.world;
  const sink = at(k.plan.operators, operator).sink?.number ?? -1;
  let newest = 0;
  for (let row = 0; row < transactions.count; row++) {
    if (
      transactionPrefix(transactions.get(row, Txn.number)) === sink &&
      transactions.get(row, Txn.client) === Client.committed
    )
      newest = Math.max(newest, transactions.get(row, Txn.checkpoint));
  }
  return newest;
}

function stateRows(k: Kernel, reference: Reference, flight: Uint8Array): { rows: StateRow[]; words: VerdictWord[] } {
  const rows: StateRow[] = [];
  const words: VerdictWord[] = [];
  for (const { index, vertex } of k.plan.graph.operators) {
    const inputs = reference.inputs.get(vertex.uid);
    if (inputs === undefined) continue;
    const expected = new Int32Array(recordCount(k));
    for (const record of inputs) expected[record] = (expected[record] as number) + 1;
    const fates = fatesOf(k, expected, recordsInState(k, index), (record) => flight[record] === 1);
    words.push(wordOf(fates));
    rows.push({
      vertex: vertex.uid,
      lost: fates.lost.map((record) => recordName(k.plan.graph, record)),
      duplicated: fates.duplicated.map((record) => recordName(k.plan.graph, record)),
    });
  }
  return { rows, words };
}

/** How often each record is in an operator's state, over all its subtasks. */
function recordsInState(k: Kernel, operator: number): Int32Array {
  const { plan, arena, world } = k;
  const counts = new Int32Array(recordCount(k));
  const { kind, state, keyOwner } = at(plan.operators, operator);
  const { taskVertex } = at(plan.graph.operators, operator);
  at(plan.graph.vertices, taskVertex).subtasks.forEach((subtask, number) => {
    const pieces = kind === "counter" ? 1 : keyOwner.filter((owner) => owner === number).length;
    for (let piece = 0; piece < pieces; piece++) {
      let list = world.state[(plan.stateStart[subtask] as number) + state + 2 * piece + 1] as number;
      for (; list !== 0; list = arena.lists.before(list)) {
        const record = arena.lists.last(list);
        counts[record] = (counts[record] as number) + 1;
      }
    }
  });
  return counts;
}
