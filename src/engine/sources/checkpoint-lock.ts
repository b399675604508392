/**
 * A source that reads a table in full (SK-013): as an old `SourceFunction` (Debezium's before incremental snapshots) it
 * holds the checkpoint lock from the first row to the last, so that its task handles no mail meanwhile: it takes no barrier
 * and hears of no notification. Checkpoints expire until it is through; one that fails before begins with the first row.
 * One that reads incrementally takes barriers between two rows, and its position in them.
 */
import { at } from "../../base/assert.ts";
import type { DatabaseSourceVertex } from "../../protocol/job-graph.ts";
import type { Kernel } from "../kernel.ts";
import { Life, Task } from "../layout.ts";
import { positionIn } from "./positions.ts";

/** The table that a task reads, as far as it is not read in full; `null`: there is none. */
function fullRead(k: Kernel, task: number): DatabaseSourceVertex | null {
  const source = k.plan.source[task] as number;
  const vertex = source < 0 ? null : at(k.plan.graph.operators, source).vertex;
  if (vertex?.type !== "database-source") return null;
  const position = positionIn(k.world.state[k.plan.stateStart[task] as number] as number);
  return position >= 0 && position < vertex.rows ? vertex : null;
}

export function holdsCheckpointLock(k: Kernel, task: number): boolean {
  return k.world.task(task, Task.life) === Life.running && fullRead(k, task)?.incremental === false;
}

/** Milliseconds that the next row of a full read takes, 0 where there is none: all rows together take its duration. */
export function rowTime(k: Kernel, task: number): number {
  const vertex = fullRead(k, task);
  if (vertex === null) return 0;
  const position = positionIn(k.world.state[k.plan.stateStart[task] as number] as number);
  const until = (row: number): number => Math.floor((row * vertex.snapshotDuration) / vertex.rows);
  return until(position + 1) - until(position);
}
