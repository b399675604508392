/**
 * What a person asks with "what if not": the entry that would come next does not come. Nothing in Flink does this; it is
 * the tool's way to see whether what is recorded as a cause is one. What the operation behind the entry took up (a record,
 * a barrier, a mail, a request) is gone with it, nothing comes of it, and its actor goes on with what it would do next. A
 * message that is suppressed is lost, a timer does not fire, a record of a source is passed by, a fault does not act.
 */
import { at } from "../base/assert.ts";
import type { Dispatch, Kernel } from "./kernel.ts";
import { Suppress } from "./causes.ts";
import { serve } from "./faults.ts";
import { Channel, Due, Element, Job, Mail, Task } from "./layout.ts";
import { isElsewhere, taskFree, wake } from "./mailbox.ts";
import { take } from "./network.ts";
import { Op } from "./ops.ts";
import type { World } from "./world.ts";

/**
 * Carries on until an entry would come, and leaves it out. `before` gives the fault that acts before that entry, if one
 * does; then it is the fault that would come next, and that does not act.
 */
export function leaveOut(k: Kernel, dispatch: Dispatch, before: () => number | undefined): void {
  const length = k.log?.length ?? 0;
  k.world.setJob(Job.suppress, Suppress.done);
  while (k.world.agenda.count > 0) {
    const world = k.world.clone();
    if (!k.single(dispatch)) continue;
    k.log?.truncate(length);
    const [fault, after] = [before(), k.world];
    if (fault !== undefined) serve(k, world, fault);
    k.enter(world);
    if (fault === undefined) drop(k, after);
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
  if (op === Op.recordDone && (k.plan.source[task] as number) >= 0) {
    const place = k.world.task(task, Task.record);
    readFrom(k, task, place, (k.world.state[(k.plan.stateStart[task] as number) + place] as number) + 1);
  }
  if (k.world.task(task, Task.busy) === 0) wake(k, task, k.now);
  else if (!hasMore(k, task)) taskFree(k, task);
}

/** A source reads a split on from here: where it stood, whatever its restored state says, or behind the next record. */
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
