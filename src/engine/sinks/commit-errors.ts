/**
 * Commits that go wrong on purpose (the contract's `commit-error`), and what a committer makes of it (`KafkaCommitter`,
 * `CommitRequestImpl`, `CheckpointCommittableManagerImpl`; SK-148, SK-149). Since 1.20 what may be tried again is, at once
 * and at most `sink.committer.retries` times, then the task fails; before, a timer tries again a second later, without end
 * (`CommitterOperator.retryWithDelay`). Left out: before 1.20 what is behind such a request waits too.
 */
import { type CommitError, commitErrors, failureCauses, snapshotParts } from "../../protocol/reasons.ts";
import type { Kernel } from "../kernel.ts";
import { Armed, Life, Task } from "../layout.ts";
import { MailKind, post } from "../mailbox.ts";
import { Op } from "../ops.ts";

const COMMIT_FAILED = failureCauses.indexOf("COMMIT_FAILED");
/** Milliseconds until the timer tries again (`CommitterOperator.RETRY_DELAY`). */
const RETRY_DELAY = 1000;

/** Where errors of commits and of writes begin among what can be armed (`Armed.part`). */
const COMMITS = snapshotParts.length;
export const WRITES = COMMITS + commitErrors.length;

/** The next `count` requests of this subtask go wrong; `of` is `COMMITS` or `WRITES`. */
export function armError(k: Kernel, of: number, task: number, kind: CommitError, count: number): void {
  k.world.armed.push(of + commitErrors.indexOf(kind), task, count);
}

export function armCommitError(k: Kernel, task: number, kind: CommitError, count: number): void {
  armError(k, COMMITS, task, kind, count);
}

/** The oldest error that is armed for this subtask, one less of it to come; `null`: none is. */
export function takeError(k: Kernel, of: number, task: number): CommitError | null {
  const { armed } = k.world;
  for (let row = 0; row < armed.count; row++) {
    const kind = commitErrors[armed.get(row, Armed.part) - of];
    if (kind === undefined || armed.get(row, Armed.task) !== task) continue;
    const left = armed.get(row, Armed.checkpoint) - 1;
    if (left === 0) armed.remove(row);
    else armed.set(row, Armed.checkpoint, left);
    return kind;
  }
  return null;
}

/** How the request that leaves now will end; `null`: as the log says. The broker hears of it unless the error says otherwise. */
export function takeCommitError(k: Kernel, task: number): CommitError | null {
  const kind = takeError(k, COMMITS, task);
  if (kind === null) k.world.setTask(task, Task.commitError, 0);
  else setCommitError(k, task, kind);
  return kind;
}

/** The request under way ends so. */
export function setCommitError(k: Kernel, task: number, kind: CommitError): void {
  k.world.setTask(task, Task.commitError, 1 + commitErrors.indexOf(kind));
}

/** How the request that is answered now has ended. */
export function commitErrorOf(k: Kernel, task: number): CommitError | null {
  return commitErrors[k.world.task(task, Task.commitError) - 1] ?? null;
}

/** An exception leaves the committer: the task fails, while it opens its operators too (CP-129b). */
export function failCommit(k: Kernel, task: number): void {
  k.next(Op.taskFail, task, task, k.world.task(task, Task.attempt), COMMIT_FAILED);
}

/** May be tried again: says so and gives whether it is at once; if not, the timer does it, or the task has failed. */
export function retryLater(
  k: Kernel,
  task: number,
  transaction: number,
  checkpoint: number,
  upTo: number,
): "now" | "later" | "never" {
  const { world, plan } = k;
  const retries = world.task(task, Task.commitRetries);
  const endless = plan.scenario.flink === "1.18";
  if (!endless && retries >= plan.scenario.config.committerRetries) {
    failCommit(k, task);
    return "never";
  }
  world.setTask(task, Task.commitRetries, retries + 1);
  k.emit("CommitRetryLater", task, transaction, checkpoint, retries + 1);
  if (!endless) return "now";
  k.after(RETRY_DELAY, Op.retryCommit, task, task, upTo);
  return "later";
}

/** The operation `retryCommit`: the timer's mail; a task that is still opening its operators has no mailbox yet. */
export function retryCommit(k: Kernel, task: number, upTo: number): void {
  if (k.world.task(task, Task.life) === Life.initializing) {
    k.after(RETRY_DELAY, Op.retryCommit, task, task, upTo);
    return;
  }
  post(k, task, k.world.task(task, Task.attempt), MailKind.retryCommit, upTo, 0);
}
