/**
 * A task's thread does one thing at a time: the record or the snapshot in hand, then its mails, then the next input
 * (Flink's `MailboxProcessor`, `TaskMailboxImpl`, `StreamTask`; CP-030, CP-031, CP-128). Mails are handled in the order they
 * came: the priority of a notification only counts where an operator yields, which none does here. Since 2.1 the trigger of an
 * unaligned checkpoint is urgent and goes first. Left out: mails that come while others are handled wait for one record.
 */
import type { Kernel } from "./kernel.ts";
import { Due, Finish, Job, Life, Mail, Task, TaskTime } from "./layout.ts";
import { Op } from "./ops.ts";
import { holdsCheckpointLock } from "./sources/checkpoint-lock.ts";

export const MailKind = {
  trigger: 0,
  complete: 1,
  aborted: 2,
  alignmentTimeout: 3,
  outputTimeout: 4,
  event: 5,
  subsumed: 6,
  retryCommit: 7,
  sinkTimer: 8,
} as const;

/** Lets a task's thread look for work at `time`, if it is free to do so and would not look earlier anyway. */
export function wake(k: Kernel, task: number, time: number): void {
  const { world } = k;
  const life = world.task(task, Task.life);
  if (
    (life !== Life.running && life !== Life.recovering) ||
    world.task(task, Task.busy) !== 0 ||
    world.task(task, Task.stalled) !== 0
  )
    return;
  const due = world.taskTime(task, TaskTime.wake);
  if (due >= 0) {
    if (due <= time) return;
    k.cancel(Op.taskRun, task);
  }
  world.setTaskTime(task, TaskTime.wake, time);
  k.after(time - world.clock, Op.taskRun, task, task);
}

export function occupy(k: Kernel, task: number): void {
  k.world.setTask(task, Task.busy, 1);
  k.world.addJob(Job.busyTasks, 1);
}

/** What was in hand is done. */
export function taskFree(k: Kernel, task: number): void {
  release(k, task);
  wake(k, task, k.now);
}

/** The thread has nothing in hand any more, because it is done or because it ended. */
export function release(k: Kernel, task: number): void {
  if (k.world.task(task, Task.busy) === 0) return;
  k.world.setTask(task, Task.busy, 0);
  k.world.addJob(Job.busyTasks, -1);
}

/** Puts a mail into a running task's mailbox; a task that does not run, or ends, ignores it (FR-088). */
export function post(k: Kernel, task: number, attempt: number, kind: number, checkpoint: number, more: number): void {
  const { world } = k;
  if (world.task(task, Task.attempt) !== attempt || world.task(task, Task.life) !== Life.running) return;
  if (world.task(task, Task.finish) === Finish.closed) return;
  world.mails.push(task, kind === MailKind.trigger && k.plan.urgentTrigger ? 1 : 0, kind, checkpoint, more, k.cause);
  wake(k, task, k.now);
}

/** Row of the mail that the task handles next; `-1`: none. */
export function nextMail(k: Kernel, task: number): number {
  const { mails } = k.world;
  if (holdsCheckpointLock(k, task)) return -1;
  let best = -1;
  for (let row = 0; row < mails.count; row++) {
    if (mails.get(row, Mail.task) !== task) continue;
    if (best < 0 || mails.get(row, Mail.priority) > mails.get(best, Mail.priority)) best = row;
  }
  return best;
}

/** A stalled thread's operations wait; `Infinity` in 32 bits until something resumes it. */
export const STALLED = 1_000_000_000;

/** With the whole process (`freezes`) what its other threads do waits too. */
export function stall(k: Kernel, task: number, freezes: boolean): void {
  const { world } = k;
  if (world.task(task, Task.stalled) !== 0) return;
  world.setTask(task, Task.stalled, 1);
  world.setTaskTime(task, TaskTime.stalled, world.clock);
  shift(k, task, STALLED, (op) => freezes || !elsewhere.has(op));
}

/** The thread goes on where it stood; what was left of its work is still left. */
export function resume(k: Kernel, task: number): void {
  const { world } = k;
  if (world.task(task, Task.stalled) === 0) return;
  world.setTask(task, Task.stalled, 0);
  shift(k, task, world.clock - world.taskTime(task, TaskTime.stalled) - STALLED, (_, time) => time >= STALLED);
  if (world.taskTime(task, TaskTime.wake) < 0) wake(k, task, world.clock);
}

/** What a task's other threads do: asynchronous parts, the producer, timers. */
const elsewhere: ReadonlySet<number> = new Set([
  Op.asyncDone,
  Op.channelStateWritten,
  Op.append,
  Op.writeRepeated,
  Op.clientTimeout,
  Op.alignmentTimeout,
  Op.outputTimeout,
]);

/** Does another thread than the task's own carry this operation out? */
export function isElsewhere(op: number): boolean {
  return elsewhere.has(op);
}

/** Moves the due times of those of a thread's operations that are asked for. */
function shift(k: Kernel, task: number, by: number, moves: (op: number, time: number) => boolean): void {
  const { agenda } = k.world;
  const moved: number[][] = [];
  for (let row = agenda.count - 1; row >= 0; row--) {
    if (agenda.get(row, Due.actor) !== task || !moves(agenda.get(row, Due.op), agenda.get(row, Due.time))) continue;
    moved.push(Array.from({ length: Due.SIZE }, (_, column) => agenda.get(row, column)));
    agenda.remove(row);
  }
  for (const words of moved) {
    const time = (words[Due.time] as number) + by;
    if (words[Due.op] === Op.taskRun) k.world.setTaskTime(task, TaskTime.wake, time);
    let row = agenda.count;
    while (row > 0 && agenda.get(row - 1, Due.time) <= time) row--;
    agenda.open(row);
    words[Due.time] = time;
    words[Due.order] = k.world.nextOrder();
    words.forEach((word, column) => agenda.set(row, column, word));
  }
}
