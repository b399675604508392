/**
 * Messages that come too late to bring anything about, now or later: their attempt or their checkpoint is over. The search
 * lets them arrive at once, since whatever happens before or after is the same without them.
 */
import type { Kernel } from "../engine/kernel.ts";
import { Due, Life, OperatorEvent, Task } from "../engine/layout.ts";
import { type OpName, opNames } from "../engine/ops.ts";
import { ExecutionState, isTerminal } from "../engine/states.ts";

type Moot = (k: Kernel, task: number, b: number, c: number) => boolean;

/** The thread of the attempt that a message is for is over, or on its way there. */
const threadIsOver: Moot = ({ world }, task, attempt) =>
  world.task(task, Task.attempt) !== attempt || world.task(task, Task.life) >= Life.closing;

const isOld = ({ world }: Kernel, task: number, attempt: number): boolean => world.task(task, Task.attempt) !== attempt;

/** Nobody waits for the checkpoint any more. */
const checkpointIsOver: Moot = ({ world }, _, checkpoint) => world.pendingRow(checkpoint) < 0;

/** Does a reader's gate hold anything back? Only then does it matter when it opens. */
const holdsEvents = ({ world: { operatorEvents } }: Kernel, task: number): boolean =>
  operatorEvents.find(OperatorEvent.task, task) >= 0;

const moot: { readonly [N in OpName]?: Moot } = {
  receiveTrigger: threadIsOver,
  receiveComplete: threadIsOver,
  receiveAborted: threadIsOver,
  acknowledge: checkpointIsOver,
  decline: checkpointIsOver,
  cancelTask: isOld,
  failReader: threadIsOver,
  registerReader: isOld,
  eventAnswered: isOld,
  checkpointPassed: (k, task, attempt) => isOld(k, task, attempt) || !holdsEvents(k, task),
  failure: (k, task, attempt) => isOld(k, task, attempt) || isTerminal(k.world.task(task, Task.state)),
  reportState: (k, task, attempt, state) => {
    const current = k.world.task(task, Task.state);
    return (
      isOld(k, task, attempt) ||
      isTerminal(current) ||
      (current === ExecutionState.canceling && state !== ExecutionState.canceled)
    );
  },
};

const table: readonly (Moot | undefined)[] = opNames.map((name) => moot[name]);

export function isMoot(k: Kernel, row: number): boolean {
  const { agenda } = k.world;
  const test = table[agenda.get(row, Due.op)];
  return test !== undefined && test(k, agenda.get(row, Due.a), agenda.get(row, Due.b), agenda.get(row, Due.c));
}
