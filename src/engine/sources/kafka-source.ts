/**
 * The Kafka source's reader (`KafkaSourceReader`, `KafkaPartitionSplitState`; SK-003, SK-004, SK-006, SK-008). Its state is
 * the next offset of each of its splits; a position moves when the record is emitted. It reads the splits that its
 * coordinator has given it (`source-coordinator.ts`) and those of its restored state. Left out: fetching (a record can be
 * emitted when the log has it), retention.
 */
import { at } from "../../base/assert.ts";
import type { Operator } from "../../protocol/execution-graph.ts";
import type { OffsetReset } from "../../protocol/job-graph.ts";
import { failureCauses } from "../../protocol/reasons.ts";
import { givenBy, setGivenBy } from "../causes.ts";
import type { Kernel } from "../kernel.ts";
import { Due, Input, Life, Mail, OperatorEvent, RestoredAs, Split, Task } from "../layout.ts";
import { MailKind, wake } from "../mailbox.ts";
import { Actor, Op } from "../ops.ts";
import { forward } from "../operators.ts";
import { NO_OFFSET, arrivalOf, behindOmitted, committedOffset, endOf, offsetAt } from "./input-log.ts";
import { NOT_HERE, beginning, isAsked, positionIn } from "./positions.ts";
import { splitsOf } from "./splits.ts";

const NO_OFFSET_FAILURE = failureCauses.indexOf("NO_OFFSET");

/**
 * The split whose next record the log has had for longest, as a place in `splitsOf`; `-1` where there is none now, and
 * then `times.arrival` is when one comes (`-1`: none will).
 */
export function nextSplit(k: Kernel, task: number, times: { arrival: number }): number {
  const splits = splitsOf(k, task);
  const start = k.plan.stateStart[task] as number;
  const committed = isCommitted(at(k.plan.graph.operators, k.plan.source[task] as number));
  let best = -1;
  let earliest = 0;
  for (let i = 0; i < splits.length; i++) {
    const partition = splits[i] as number;
    const stands = positionIn(k.world.state[start + i] as number);
    if (stands < 0) continue;
    const position = behindOmitted(k, partition, stands);
    const time = isGone(k, partition, position) ? 0 : arrivalOf(k, partition, position, committed);
    if (time < 0 || (best >= 0 && time >= earliest)) continue;
    best = i;
    earliest = time;
  }
  times.arrival = best < 0 ? -1 : earliest;
  return best >= 0 && earliest <= k.now ? best : -1;
}

/** A reader whose operators are open registers with its coordinator, before its task is reported RUNNING. */
export function register(k: Kernel, task: number): void {
  if ((k.plan.coordinator[task] as number) < 0 || k.world.task(task, Task.restoredAs) === RestoredAs.finished) return;
  k.after(k.plan.scenario.timing.rpc, Op.registerReader, Actor.wire, task, k.world.task(task, Task.attempt));
}

/** The operation `receiveEvent`: an event of the coordinator is in the mailbox, and its TaskManager says so. */
export function receiveEvent(k: Kernel, task: number, attempt: number, splits: number, noMore: number): void {
  const { world } = k;
  const life = world.task(task, Task.life);
  const runs = world.task(task, Task.attempt) === attempt && (life === Life.initializing || life === Life.running);
  if (runs) {
    world.mails.push(task, 0, MailKind.event, splits, noMore, k.cause);
    wake(k, task, k.now);
  }
  k.after(k.plan.scenario.timing.rpc, Op.eventAnswered, Actor.wire, task, attempt, splits, runs ? 1 : 0);
}

/** A reader takes an event in: the splits it brings, and whether they are the last. */
export function addSplits(k: Kernel, task: number, splits: number, noMore: number): void {
  for (const place of k.arena.sequences.toArray(splits)) k.next(Op.splitAdded, task, task, place);
  if (noMore === 1) k.world.setTask(task, Task.noMoreSplits, 1);
  k.next(Op.taskTurn, task, task);
}

export function splitAdded(k: Kernel, task: number, place: number): void {
  const partition = at(splitsOf(k, task), place);
  const word = startWord(k, task, partition);
  if (word === null) return failWithoutOffset(k, task);
  const position = positionIn(word);
  beginAt(k, partition, position);
  k.world.state[(k.plan.stateStart[task] as number) + place] = word;
  k.emit("SplitAdded", task, partition, position);
  noteGiven(k, task, partition);
  if (position > endOf(k, partition, false)) k.next(Op.resetOffset, task, task, place);
}

/** The first offset of a partition that is asked for. */
function beginAt(k: Kernel, partition: number, position: number): void {
  const begin = k.world.input(partition, Input.begin) - 1;
  k.world.setInput(partition, Input.begin, 1 + (begin < 0 ? position : Math.min(begin, position)));
}

/** Does a bounded reader know that it will get no further split? One that is finished needs none. */
export function hasAllSplits(k: Kernel, task: number): boolean {
  return k.world.task(task, Task.noMoreSplits) === 1 || k.world.task(task, Task.restoredAs) === RestoredAs.finished;
}

/** The operation `recordDone` of a source: the record it has read leaves, and its position moves behind it. */
export function emitRecord(k: Kernel, task: number, place: number): void {
  const position = (k.plan.stateStart[task] as number) + place;
  const partition = at(splitsOf(k, task), place);
  const offset = behindOmitted(k, partition, positionIn(k.world.state[position] as number));
  const record = offset * k.plan.inputs.length + partition;
  const { value } = at(at(k.plan.inputs, partition), offset);
  const source = k.plan.source[task] as number;
  // A record is read because its split is the reader's, wherever that came from; not because of what the thread did before.
  k.cause = givenBy(k.world, sourcePlace(k, task), partition);
  k.emit("RecordEmitted", task, source, record, value);
  k.world.state[position] = offset + 1;
  if (offset >= k.world.input(partition, Input.furthest)) k.world.setInput(partition, Input.furthest, offset + 1);
  forward(k, task, source, record, value);
}

/** Where a split is read from when no state says so (SK-006, SK-007); `null`: nowhere, as there is no such offset. */
function startWord(k: Kernel, task: number, partition: number): number | null {
  const { vertex } = at(k.plan.graph.operators, k.plan.source[task] as number);
  const begin = k.world.input(partition, Input.start);
  if (vertex.type === "socket-source") return k.decisions.connectsAt(k.world.input(partition, Input.delivered));
  if (vertex.type !== "kafka-source" || k.world.isLate(k.plan.coordinator[task] as number, partition)) return begin;
  const committed = vertex.isolation === "read_committed";
  const end = (): number => endOf(k, partition, committed);
  const { startingOffsets } = vertex;
  switch (startingOffsets.kind) {
    case "earliest":
      return begin;
    case "latest":
      return beginning(end(), startingOffsets);
    case "timestamp":
      return offsetAt(k, partition, startingOffsets.time, committed);
    case "offsets": {
      const { partition: number } = at(k.plan.graph.inputs, partition);
      return startingOffsets.offsets[number] ?? begin;
    }
    case "group": {
      const offset = committedOffset(k, vertex.groupId ?? "", partition);
      const { reset } = startingOffsets;
      if (offset === NO_OFFSET && reset === "none") return null;
      return beginning(offset !== NO_OFFSET ? offset : reset === "latest" ? end() : begin, startingOffsets);
    }
  }
}

/** What its consumer does where an offset is gone: Flink's source sets it, by the initializer (SK-010). */
function resetOf({ vertex }: Operator): OffsetReset {
  if (vertex.type !== "kafka-source") return "earliest";
  const { startingOffsets } = vertex;
  switch (startingOffsets.kind) {
    case "latest":
      return "latest";
    case "group":
      return startingOffsets.reset;
    case "timestamp":
      return "none";
    default:
      return "earliest";
  }
}

/** Has retention passed a position? A consumer that asks for it is told so. */
function isGone(k: Kernel, partition: number, position: number): boolean {
  return position < k.world.input(partition, Input.start);
}

/** The same of where a reader stands in one of its splits. */
export function isOffsetGone(k: Kernel, task: number, place: number): boolean {
  const position = positionIn(k.world.state[(k.plan.stateStart[task] as number) + place] as number);
  return isGone(k, at(splitsOf(k, task), place), position);
}

/** The operation `resetOffset`: the consumer goes on elsewhere, or its task fails (`auto.offset.reset`; SK-010). */
export function resetOffset(k: Kernel, task: number, place: number): void {
  const operator = at(k.plan.graph.operators, k.plan.source[task] as number);
  const partition = at(splitsOf(k, task), place);
  const reset = resetOf(operator);
  if (reset === "none") return failWithoutOffset(k, task);
  const state = (k.plan.stateStart[task] as number) + place;
  const from = positionIn(k.world.state[state] as number);
  const target =
    reset === "latest" ? endOf(k, partition, isCommitted(operator)) : k.world.input(partition, Input.start);
  k.world.state[state] = target;
  beginAt(k, partition, target);
  k.emit("OffsetReset", task, partition, from, target);
  noteGiven(k, task, partition);
  k.next(Op.taskTurn, task, task);
}

function failWithoutOffset(k: Kernel, task: number): void {
  k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), NO_OFFSET_FAILURE);
}

/** Is it the log that a source reads? Then it cannot be cut off from it. */
export function readsLog(k: Kernel, task: number): boolean {
  return at(k.plan.graph.operators, k.plan.source[task] as number).vertex.type === "kafka-source";
}

/** Does a source read committed records only? */
function isCommitted({ vertex }: Operator): boolean {
  return vertex.type === "kafka-source" && vertex.isolation === "read_committed";
}

/** A restored split whose position was never known is asked for anew (SK-006). True: it has one. */
export function askAnew(k: Kernel, task: number, place: number): boolean {
  const state = (k.plan.stateStart[task] as number) + place;
  if (!isAsked(k.world.state[state] as number)) return true;
  const word = startWord(k, task, at(splitsOf(k, task), place));
  if (word === null) failWithoutOffset(k, task);
  else k.world.state[state] = word;
  return word !== null;
}

/** The operation `rewind`: one split of a restored source seeks to the position in its state. */
export function rewind(k: Kernel, task: number, place: number, from: number): void {
  const splits = splitsOf(k, task);
  const position = positionIn(k.world.state[(k.plan.stateStart[task] as number) + place] as number);
  k.emit("SourceRewound", task, at(splits, place), from, position);
  noteGiven(k, task, at(splits, place));
}

/** The entry that was just made is why a reader reads a split. */
function noteGiven(k: Kernel, task: number, partition: number): void {
  setGivenBy(k.world, sourcePlace(k, task), partition, k.cause);
}

/** The place of a subtask's source among the job's. */
function sourcePlace(k: Kernel, task: number): number {
  return k.plan.graph.sources.indexOf(k.plan.source[task] as number);
}

/** Are all splits of the job read to their ends, but for those that nobody has? */
export function allRead(k: Kernel): boolean {
  for (let task = 0; task < k.plan.source.length; task++) {
    const splits = splitsOf(k, task);
    for (let i = 0; i < splits.length; i++) {
      const partition = splits[i] as number;
      const position = behindOmitted(
        k,
        partition,
        positionIn(k.world.state[(k.plan.stateStart[task] as number) + i] as number),
      );
      const length = k.world.input(partition, Input.missing) === 1 ? 0 : (k.plan.inputs[partition]?.length ?? 0);
      if (position < length && !(position === NOT_HERE && (isNobodys(k, task, i) || isOverlooked(k, task, partition))))
        return false;
    }
  }
  return true;
}

/** Is a partition there that its enumerator does not know, and never looks for? */
function isOverlooked(k: Kernel, task: number, partition: number): boolean {
  const { vertex } = at(k.plan.graph.operators, k.plan.source[task] as number);
  const unknown = k.world.split(k.plan.coordinator[task] as number, partition) === Split.undiscovered;
  return unknown && vertex.type === "kafka-source" && vertex.discoveryInterval === 0;
}

const bringsSplits: ReadonlySet<number> = new Set([Op.splitAssigned, Op.sendEvent, Op.receiveEvent, Op.splitAdded]);

/**
 * Does nobody have this split? Its coordinator takes it for assigned, but its reader runs without it and nothing brings it.
 * So ends a restore from a checkpoint whose urgent trigger overtook the event that brought the split (`mailbox.ts`).
 */
export function isNobodys(k: Kernel, task: number, place: number): boolean {
  const { world, plan } = k;
  if ((world.state[(plan.stateStart[task] as number) + place] as number) !== NOT_HERE) return false;
  if (world.task(task, Task.life) !== Life.running || world.task(task, Task.registered) === 0) return false;
  if (world.split(plan.coordinator[task] as number, at(splitsOf(k, task), place)) <= Split.unassigned) return false;
  if (world.operatorEvents.find(OperatorEvent.task, task) >= 0) return false;
  for (let row = 0; row < world.mails.count; row++)
    if (world.mails.get(row, Mail.task) === task && world.mails.get(row, Mail.kind) === MailKind.event) return false;
  for (let row = 0; row < world.agenda.count; row++)
    if (bringsSplits.has(world.agenda.get(row, Due.op)) && world.agenda.get(row, Due.a) === task) return false;
  return true;
}
