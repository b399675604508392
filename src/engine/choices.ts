/**
 * What may happen next. The simulator takes what is due first; a schedule and the search may take any of these, since
 * nothing in Flink orders them:
 *
 * - messages between two processes arrive in the order in which they were sent, else at any time;
 * - what an actor does by itself takes any time;
 * - a task's thread that has no mail takes any of the inputs it can read; a source takes its records one by one;
 * - a timer fires when nothing else can happen, in due order.
 *
 * All that is put in (records, buffers) is there at once: the clock goes to what is taken.
 */
import { at } from "../base/assert.ts";
import { priorityIn } from "./alternating-handler.ts";
import { recoveredChannel } from "./channel-state.ts";
import { type Conduct, conductOf } from "./conduct.ts";
import type { Kernel } from "./kernel.ts";
import { mayEnd } from "./finish.ts";
import { Channel, Due, Element, Finish, Life, Task } from "./layout.ts";
import { ownerOf } from "./log-broker/transactions.ts";
import { STALLED, nextMail } from "./mailbox.ts";
import { Node, isCutOff, isHeldBack } from "./network-cuts.ts";
import { outputsAvailable } from "./network.ts";
import { hasAllSplits, nextSplit, readsLog } from "./sources/kafka-source.ts";

export function isThread(op: number): boolean {
  return conductOf[op] === "thread";
}

export function isTimer(op: number): boolean {
  return conductOf[op] === "timer";
}

/** The list of choices at one place, in the order in which the simulator would take them. */
export class Choices {
  count = 0;
  /** By choice: its row of the agenda, the input that a thread takes (`-1`: none), and when that is there. */
  readonly rows: number[] = [];
  readonly places: number[] = [];
  readonly arrivals: number[] = [];
  /** By choice: does what is taken from the input go before all data? */
  readonly urgent: boolean[] = [];
  /** The one that the simulator would take; `-1`: none of these. */
  own = -1;

  add(row: number, place = -1, arrival = 0, urgent = false): void {
    this.rows[this.count] = row;
    this.places[this.count] = place;
    this.arrivals[this.count] = arrival;
    this.urgent[this.count] = urgent;
    this.count++;
  }
}

const times = { arrival: -1 };

/**
 * Fills in what may happen next. `freesTimers`: a timer may fire at any time, as if all else were slow; it comes last, so
 * that the numbers of the others are the same without it.
 */
export function findChoices(k: Kernel, choices: Choices, freesTimers = true): void {
  const { agenda } = k.world;
  const top = agenda.count - 1;
  choices.count = 0;
  choices.own = -1;
  if (k.inChain) {
    choices.add(top);
    choices.own = 0;
    return;
  }
  let timer = -1;
  for (let row = top; row >= 0; row--) {
    if (agenda.get(row, Due.time) >= STALLED) continue;
    const conduct = conductOf[agenda.get(row, Due.op)] as Conduct;
    if (conduct === "timer") {
      if (timer < 0) timer = row;
    } else if (conduct === "thread") {
      if (isFirstOfThread(k, row)) findInputs(k, row, choices);
    } else if (conduct === "action" || conduct === "step" || placeInPair(k, row, conduct) === 0) {
      if (row === top) choices.own = 0;
      choices.add(row);
    }
  }
  if (timer < 0 || (choices.count > 0 && !freesTimers)) return;
  if (timer === top) choices.own = choices.count;
  choices.add(timer);
}

/** What a thread may do: its next mail, its end, else one of the inputs it can read. */
function findInputs(k: Kernel, row: number, choices: Choices): void {
  const { world } = k;
  const task = world.agenda.get(row, Due.a);
  if (!isFree(k, task)) return;
  const isNext = row === world.agenda.count - 1;
  if (nextMail(k, task) >= 0 || hasReachedEnd(k, task)) {
    if (isNext) choices.own = choices.count;
    choices.add(row);
    return;
  }
  const clock = isNext ? Math.max(world.clock, world.agenda.get(row, Due.time)) : -1;
  if (world.task(task, Task.life) === Life.recovering) {
    if (!canRecover(k, task)) return;
    if (isNext) choices.own = choices.count;
    choices.add(row);
    return;
  }
  if (findPriority(k, row, choices, clock)) return;
  if (!outputsAvailable(k, task)) return;
  if ((k.plan.source[task] as number) >= 0) {
    if (!canReadSource(k, task)) return;
    if (times.arrival <= clock) choices.own = choices.count;
    choices.add(row, -1, times.arrival);
    return;
  }
  const { inputs } = at(k.plan.graph.subtasks, task);
  const last = world.task(task, Task.inChannel);
  for (let i = 1; i <= inputs.length; i++) {
    const place = (last + i) % inputs.length;
    if (!isReadable(k, inputs[place] as number)) continue;
    const arrival = world.element(inputs[place] as number, 0, Element.arrival);
    if (arrival <= clock && choices.own < 0) choices.own = choices.count;
    choices.add(row, place, arrival);
  }
}

/**
 * The elements that go before all data. True: one of them is there already, so that nothing else comes next. One that is
 * on the wire may come before or after what else there is.
 */
function findPriority(k: Kernel, row: number, choices: Choices, clock: number): boolean {
  const { world, plan } = k;
  if (!plan.scenario.config.checkpointing.unaligned) return false;
  const task = world.agenda.get(row, Due.a);
  const { inputs } = at(plan.graph.subtasks, task);
  let isThere = false;
  for (let place = 0; place < inputs.length; place++) {
    if (priorityIn(k, task, inputs[place] as number, times) < 0) continue;
    if (times.arrival <= world.clock) isThere = true;
    if (times.arrival <= clock && choices.own < 0) choices.own = choices.count;
    choices.add(row, place, times.arrival, true);
  }
  return isThere;
}

/** May a task that consumes recovered data go on? With none left it runs. */
function canRecover(k: Kernel, task: number): boolean {
  return recoveredChannel(k, task) < 0 || outputsAvailable(k, task);
}

function isReadable(k: Kernel, channel: number): boolean {
  const { world } = k;
  if (world.channel(channel, Channel.length) === 0 || world.channel(channel, Channel.blocked) !== 0) return false;
  return !isHeldBack(k, channel, world.element(channel, 0, Element.arrival));
}

function isFree({ world }: Kernel, task: number): boolean {
  const life = world.task(task, Task.life);
  return (
    (life === Life.running || life === Life.recovering) &&
    world.task(task, Task.busy) === 0 &&
    world.task(task, Task.stalled) === 0
  );
}

/** Would this row let a thread look for work that is not there? */
export function isIdle(k: Kernel, row: number): boolean {
  const { agenda } = k.world;
  return (
    isThread(agenda.get(row, Due.op)) && agenda.get(row, Due.time) < STALLED && !hasWork(k, agenda.get(row, Due.a))
  );
}

/** Is there anything that a task's thread could do? */
export function hasWork(k: Kernel, task: number): boolean {
  if (!isFree(k, task)) return false;
  if (k.world.task(task, Task.life) === Life.recovering) return canRecover(k, task);
  if (nextMail(k, task) >= 0 || hasReachedEnd(k, task)) return true;
  const { inputs } = at(k.plan.graph.subtasks, task);
  if (k.plan.scenario.config.checkpointing.unaligned)
    if (inputs.some((channel) => priorityIn(k, task, channel, times) >= 0)) return true;
  if (!outputsAvailable(k, task)) return false;
  if ((k.plan.source[task] as number) < 0) return inputs.some((channel) => isReadable(k, channel));
  return canReadSource(k, task);
}

/** Has a bounded source read all, or a task nothing more to wait for before it ends? */
function hasReachedEnd(k: Kernel, task: number): boolean {
  if (mayEnd(k, task)) return true;
  if (k.plan.bounded[task] !== 1 || k.world.task(task, Task.finish) !== Finish.none) return false;
  return (
    hasAllSplits(k, task) &&
    !(isCutOff(k, task, Node.kafka) && readsLog(k, task)) &&
    outputsAvailable(k, task) &&
    nextSplit(k, task, times) < 0 &&
    times.arrival < 0
  );
}

/** Has a source a record left to read? Then `times.arrival` is when the log has it. */
function canReadSource(k: Kernel, task: number): boolean {
  if (isCutOff(k, task, Node.kafka) && readsLog(k, task)) return false;
  nextSplit(k, task, times);
  return times.arrival >= 0;
}

/** A thread may be woken twice; it looks for work once. */
function isFirstOfThread({ world: { agenda } }: Kernel, row: number): boolean {
  const task = agenda.get(row, Due.a);
  for (let other = agenda.count - 1; other > row; other--)
    if (conductOf[agenda.get(other, Due.op)] === "thread" && agenda.get(other, Due.a) === task) return false;
  return true;
}

/** Is this row the next of its pair, if it is of one? */
export function comesFirst(k: Kernel, row: number): boolean {
  const conduct = conductOf[k.world.agenda.get(row, Due.op)] as Conduct;
  return !isPair(conduct) || placeInPair(k, row, conduct) === 0;
}

/** The pair of processes whose order a row keeps; `-1`: none. */
export function orderedWith(k: Kernel, row: number): number {
  const conduct = conductOf[k.world.agenda.get(row, Due.op)] as Conduct;
  return isPair(conduct) ? pairOf(k, row, conduct) : -1;
}

function isPair(conduct: Conduct): boolean {
  return conduct !== "step" && conduct !== "thread" && conduct !== "action" && conduct !== "timer";
}

function placeInPair(k: Kernel, row: number, conduct: Conduct): number {
  const { agenda } = k.world;
  const [pair, sent] = [pairOf(k, row, conduct), agenda.get(row, Due.order)];
  let before = 0;
  for (let other = 0; other < agenda.count; other++) {
    if (agenda.get(other, Due.order) >= sent) continue;
    const kind = conductOf[agenda.get(other, Due.op)] as Conduct;
    if (isPair(kind) && pairOf(k, other, kind) === pair) before++;
  }
  return before;
}

/** A number for a row's pair of processes. A task that has no TaskManager now is alone with the JobManager. */
function pairOf(k: Kernel, row: number, conduct: Conduct): number {
  const { world, plan } = k;
  const word = world.agenda.get(row, Due.a);
  if (conduct === "log") return 3 * word;
  if (conduct === "logOfTransaction") return 3 * ownerOf(k, word);
  const slot = world.slot(at(plan.graph.subtasks, word).slot);
  const process = slot >= 0 ? slot : plan.graph.taskManagers.length + word;
  return 3 * process + (conduct === "toTaskManager" ? 1 : 2);
}
