/**
 * The end of a stop with a savepoint (`StopWithSavepointTerminationManager`, `StopWithSavepointTerminationHandlerImpl`;
 * CP-164, CP-166), and what is said to who asked. Left out: the adaptive scheduler, which stops in a state of its own.
 */
import { at } from "../base/assert.ts";
import { failureCauses, faultVerbs, operationAnswers } from "../protocol/reasons.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Savepoint, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { savepointRow } from "./savepoints.ts";
import { ExecutionState, isTerminal } from "./states.ts";

const { jobManager } = Actor;
export const Answer = {
  completed: operationAnswers.indexOf("COMPLETED"),
  failed: operationAnswers.indexOf("FAILED"),
  noDirectory: operationAnswers.indexOf("NO_SAVEPOINT_DIRECTORY"),
  stoppingFailed: operationAnswers.indexOf("STOPPING_FAILED"),
} as const;
export const STOPPING_FAILED = failureCauses.indexOf("STOPPING_FAILED");

/** Does a command stop the job with its savepoint? */
export function stops(k: Kernel, command: number): boolean {
  const verb = at(k.commands, command).do;
  return verb === "stop-with-savepoint" || verb === "rescale";
}

/** The operation `answerOperation`: `checkpoint` `-1`: it never had a number. */
export function answerOperation(k: Kernel, command: number, answer: number, checkpoint: number): void {
  const { world } = k;
  k.emit("OperationAnswered", faultVerbs.indexOf(at(k.commands, command).do), answer, checkpoint, command);
  if (answer !== Answer.completed && world.job(Job.waitingSubmission) === command + 1)
    world.setJob(Job.waitingSubmission, 0);
  if (answer === Answer.stoppingFailed) k.next(Op.globalFailure, jobManager, STOPPING_FAILED);
}

/** The executions whose end a stop waits for: those of the moment at which its savepoint is asked for. */
export function noteAttempts({ world, arena }: Kernel): void {
  const attempts = Array.from({ length: world.layout.tasks }, (_, task) => world.task(task, Task.attempt));
  world.setJob(Job.stopAttempts, arena.sequences.intern(attempts));
}

/**
 * The savepoint of a stop exists; now all executions of then have ended. Where one did not finish, the job has failed for
 * good (`StopWithSavepointStoppingException`): what the savepoint holds is to be committed by who starts from it. False: no
 * stop has come to its end.
 */
export function settleStop(k: Kernel): boolean {
  const { world, arena } = k;
  const savepoint = world.job(Job.stopSavepoint);
  if (savepoint === 0) return false;
  const attempts = arena.sequences.toArray(world.job(Job.stopAttempts));
  const runs = (attempt: number, task: number): boolean => world.task(task, Task.attempt) === attempt;
  if (attempts.some((attempt, task) => runs(attempt, task) && !isTerminal(world.task(task, Task.state)))) return false;
  const finished = attempts.every(
    (attempt, task) => runs(attempt, task) && world.task(task, Task.state) === ExecutionState.finished,
  );
  world.setJob(Job.stopSavepoint, 0);
  world.setJob(Job.stopAttempts, 0);
  const command = world.savepoints.get(savepointRow(k, savepoint), Savepoint.command);
  const answer = finished ? Answer.completed : Answer.stoppingFailed;
  k.next(Op.answerOperation, jobManager, command, answer, savepoint);
  return true;
}
