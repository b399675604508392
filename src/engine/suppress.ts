/**
 * What a person asks with "what if not": the entry that would come next does not come. Nothing in Flink does this; it is
 * the tool's way to see whether what is recorded as a cause is one. What the operation behind the entry took up (a record,
 * a barrier, a mail, a request) is gone with it, nothing comes of it, and its actor goes on with what it would do next. A
 * message that is suppressed is lost, a timer does not fire, a fault does not act, and a record of a source is passed by
 * whenever it would be read.
 *
 * Or it comes later: a message is under way for longer, a timer fires late, a thread comes to it when it has been at
 * something else. What a thread does at one go stays together, so an entry in the middle of it comes when it does.
 */
import { at } from "../base/assert.ts";
import type { Dispatch, Kernel } from "./kernel.ts";
import { Suppress } from "./causes.ts";
import { serve } from "./due-faults.ts";
import { Channel, Due, Element, Job, Mail, Task, TaskTime } from "./layout.ts";
import { isElsewhere, occupy, taskFree, wake } from "./mailbox.ts";
import { take } from "./network.ts";
import { Op } from "./ops.ts";
import { behindOmitted } from "./sources/input-log.ts";
import { positionIn } from "./sources/positions.ts";
import { splitsOf } from "./sources/splits.ts";
import type { World } from "./world.ts";

/**
 * Carries on until an entry would come, and leaves it out. `before` gives the fault that acts before that entry, if one
 * does; then it is the fault that would come next, and that does not act.
 */
export function leaveOut(k: Kernel, dispatch: Dispatch, before: () => number | undefined): void {
  const length = k.log?.length ?? 0;
  const later = k.world.job(Job.suppress) - Suppress.later;
  k.world.setJob(Job.suppress, Suppress.done);
  let whole: World | null = null;
  while (k.world.agenda.count > 0) {
    const world = k.world.clone();
    if (!k.inChain) whole = world;
    if (!k.single(dispatch)) continue;
    k.log?.truncate(length);
    const [fault, after] = [before(), k.world];
    if (fault !== undefined && later < 0) serve(k, world, fault);
    k.enter(later >= 0 && whole !== null ? whole : world);
    if (fault === undefined && later < 0) drop(k, after);
    if (fault === undefined && later >= 0 && whole !== null) putOff(k, later);
    return;
  }
}

/** Takes the operation in front off the agenda, and with it what it has taken up in `after`. */
function drop(k: Kernel, after: World): void {
  const { agenda } = k.world;
  const row = agenda.count - 1;
  const word = (column: number): number => agenda.get(row, column);
  const [op, actor, a, b, c] = [word(Due.op), word(Due.actor), word(Due.a), word(Due.b), word(Due.c)];
  agenda.remove(row);
  for (const queue of [Job.queuedManual, Job.queuedPeriodic])
    k.world.setJob(queue, Math.min(k.world.job(queue), after.job(queue)));
  const task = actor >= 0 ? actor : op === Op.taskRun || op === Op.taskTurn ? a : -1;
  if (task < 0) return;
  takeMail(k, task, after);
  for (const channel of at(k.plan.graph.subtasks, task).inputs) takeElements(k, channel, after);
  if (op === Op.rewind) readFrom(k, task, b, c);
  if (op === Op.recordDone && (k.plan.source[task] as number) >= 0) passBy(k, task);
  if (k.world.task(task, Task.busy) === 0) wake(k, task, k.now);
  else if (!hasMore(k, task)) taskFree(k, task);
}

/** What is in front comes behind all that is due in so many milliseconds. */
function putOff(k: Kernel, milliseconds: number): void {
  const { agenda } = k.world;
  const row = agenda.count - 1;
  const word = (column: number): number => agenda.get(row, column);
  const [op, actor, a, b, c, d] = [word(Due.op), word(Due.actor), word(Due.a), word(Due.b), word(Due.c), word(Due.d)];
  const isTurn = op === Op.taskRun || op === Op.taskTurn;
  const delay = Math.max(word(Due.time), k.now) - k.now + milliseconds;
  k.cause = word(Due.cause);
  agenda.remove(row);
  if (!isTurn) return k.after(delay, op, actor, a, b, c, d);
  k.world.setTaskTime(a, TaskTime.wake, -1);
  occupy(k, a);
  k.after(delay, Op.taskFree, a, a);
}

/**
 * The record that a source has in hand is dropped: no reader gets it, nor gets it again, wherever it goes back to. It
 * is in its partition all the same, so that the ledger has it among the lost.
 */
function passBy(k: Kernel, task: number): void {
  const place = k.world.task(task, Task.record);
  const partition = at(splitsOf(k, task), place);
  const position = positionIn(k.world.state[(k.plan.stateStart[task] as number) + place] as number);
  k.world.omitted.push(partition, behindOmitted(k, partition, position));
}

/** A source reads a split on from here: where it stood, whatever its restored state says. */
function readFrom(k: Kernel, task: number, place: number, position: number): void {
  k.world.state[(k.plan.stateStart[task] as number) + place] = position;
}

/** Has the thread anything left to do that will set it free? */
function hasMore({ world: { agenda, held } }: Kernel, task: number): boolean {
  for (let row = 0; row < held.count; row++) if (held.get(row, Due.actor) === task) return true;
  for (let row = 0; row < agenda.count; row++)
    if (agenda.get(row, Due.actor) === task && !isElsewhere(agenda.get(row, Due.op))) return true;
  return false;
}

/** The one mail that is gone in `after`. */
function takeMail({ world: { mails } }: Kernel, task: number, after: World): void {
  const isThere = (row: number): boolean => {
    for (let other = 0; other < after.mails.count; other++)
      if (
        [Mail.task, Mail.kind, Mail.checkpoint, Mail.more].every(
          (column) => after.mails.get(other, column) === mails.get(row, column),
        )
      )
        return true;
    return false;
  };
  for (let row = 0; row < mails.count; row++)
    if (mails.get(row, Mail.task) === task && !isThere(row)) return mails.remove(row);
}

/** Elements of a channel that are gone in `after`: a record gives its buffer back. */
function takeElements(k: Kernel, channel: number, after: World): void {
  const { world } = k;
  const same = (place: number, other: number): boolean =>
    [Element.kind, Element.id, Element.step].every(
      (field) => world.element(channel, place, field) === after.element(channel, other, field),
    );
  for (let place = 0, left = lengthOf(world, channel) - lengthOf(after, channel); left > 0;) {
    if (place < lengthOf(after, channel) && same(place, place)) place++;
    else {
      take(k, channel, place);
      left--;
    }
  }
}

function lengthOf(world: World, channel: number): number {
  return world.channel(channel, Channel.length);
}
