/**
 * The end of a stop with a savepoint (`StopWithSavepointTerminationManager`, `StopWithSavepointTerminationHandlerImpl`;
 * CP-164, CP-166), and what is said to who asked. Left out: the adaptive scheduler, which stops in a state of its own.
 */
import { at } from "../base/assert.ts";
import { failureCauses, faultVerbs, operationAnswers } from "../protocol/reasons.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Savepoint, SavepointStage, Task } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { ExecutionState, isTerminal } from "./states.ts";
import type { World } from "./world.ts";

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
  const { do: verb, stop } = at(k.commands, command);
  return verb === "stop-with-savepoint" || verb === "rescale" || stop === "with-savepoint";
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
export function currentAttempts({ world, arena }: Kernel): number {
  return arena.sequences.intern(
    Array.from({ length: world.layout.tasks }, (_, task) => world.task(task, Task.attempt)),
  );
}

/** Is a stop with a savepoint under way? Each has its own savepoint and executions to wait for. */
export function isStopping({ savepoints }: World): boolean {
  for (let row = 0; row < savepoints.count; row++) if (savepoints.get(row, Savepoint.attempts) >= 0) return true;
  return false;
}

/**
 * The savepoint of a stop exists; now all executions of then have ended. Where one did not finish, the job has failed for
 * good (`StopWithSavepointStoppingException`): what the savepoint holds is to be committed by who starts from it. False: no
 * stop has come to its end.
 */
export function settleStops(k: Kernel): boolean {
  const { savepoints } = k.world;
  for (let row = 0; row < savepoints.count; row++) if (settleStop(k, row)) return true;
  return false;
}

function settleStop(k: Kernel, row: number): boolean {
  const { world, arena } = k;
  const { savepoints } = world;
  if (savepoints.get(row, Savepoint.stage) !== SavepointStage.standing || savepoints.get(row, Savepoint.attempts) < 0)
    return false;
  const attempts = arena.sequences.toArray(savepoints.get(row, Savepoint.attempts));
  const runs = (attempt: number, task: number): boolean => world.task(task, Task.attempt) === attempt;
  if (attempts.some((attempt, task) => runs(attempt, task) && !isTerminal(world.task(task, Task.state)))) return false;
  const finished = attempts.every(
    (attempt, task) => runs(attempt, task) && world.task(task, Task.state) === ExecutionState.finished,
  );
  savepoints.set(row, Savepoint.attempts, -1);
  const answer = finished ? Answer.completed : Answer.stoppingFailed;
  const [command, savepoint] = [savepoints.get(row, Savepoint.command), savepoints.get(row, Savepoint.checkpoint)];
  k.next(Op.answerOperation, jobManager, command, answer, savepoint);
  return true;
}
