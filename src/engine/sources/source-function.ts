/**
 * Sources without an enumerator (`SourceFunction`, `SourceStreamTask`): a connection and a table. Each begins by itself
 * when its task runs. A connection (`SocketTextStreamFunction`) delivers a record once: what was delivered and is in no
 * completed checkpoint when it breaks comes from nowhere again (SK-002, SK-033). What is sent while nobody is connected
 * waits at the sender.
 */
import { at } from "../../base/assert.ts";
import { canRewind } from "../../protocol/job-graph.ts";
import type { Kernel } from "../kernel.ts";
import { Input, Life, Task } from "../layout.ts";
import { Actor, Op } from "../ops.ts";
import { endOf } from "./input-log.ts";
import { NOT_HERE, positionIn } from "./positions.ts";
import { splitsOf } from "./splits.ts";

/** Is there a coordinator that gives this source its splits? */
function beginsByItself(k: Kernel, task: number): boolean {
  return (k.plan.source[task] as number) >= 0 && (k.plan.coordinator[task] as number) < 0;
}

/** Does a task read over a connection? */
export function isConnection(k: Kernel, task: number): boolean {
  const source = k.plan.source[task] as number;
  return source >= 0 && !canRewind(at(k.plan.graph.operators, source).vertex);
}

/** A source without a coordinator has its input once its task runs, unless its state has it already. */
export function beginByItself(k: Kernel, task: number): void {
  if (!beginsByItself(k, task)) return;
  k.world.setTask(task, Task.noMoreSplits, 1);
  const start = k.plan.stateStart[task] as number;
  splitsOf(k, task).forEach((_, place) => {
    if ((k.world.state[start + place] as number) === NOT_HERE) k.next(Op.splitAdded, task, task, place);
  });
}

/** The thread that had a connection ends, and with it the connection. */
export function breakConnection(k: Kernel, task: number): void {
  const life = k.world.task(task, Task.life);
  if (isConnection(k, task) && (life === Life.running || life === Life.recovering)) k.next(Op.hangUp, Actor.wire, task);
}

/** The operation `hangUp`: what has been delivered is over, be it read or still in the socket's buffer. */
export function hangUp(k: Kernel, task: number): void {
  const [partition] = splitsOf(k, task);
  if (partition === undefined) return;
  const position = Math.max(0, positionIn(k.world.state[k.plan.stateStart[task] as number] as number));
  const delivered = Math.max(position, k.world.input(partition, Input.delivered), endOf(k, partition, false));
  k.world.setInput(partition, Input.delivered, delivered);
  k.emit("ConnectionClosed", task, partition, position, delivered);
}
