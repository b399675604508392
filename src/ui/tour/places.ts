/** Where in the run of `orders` the first minute stops, told by the log alone. */
import { at } from "../../base/assert.ts";
import { EventNumber, type EventType } from "../../protocol/events.ts";
import { places } from "../../projection/fields.ts";
import type { Run } from "../run.ts";

const processed = places("RecordProcessed");
const failed = places("TaskStopped");
const received = places("BarrierReceived");

/** What is seen of the run before the barrier, and behind it before everything stops: milliseconds on the screen. */
const BEFORE = 2200;
const BEHIND = 900;

export interface Places {
  /** Where the page begins: records are on their way. */
  readonly first: number;
  /** A barrier of the second checkpoint reaches a counting task. */
  readonly barrier: number;
  /** The number of that checkpoint. */
  readonly checkpoint: number;
  /** The second checkpoint is not complete, and something has been counted that is not in the first. */
  readonly kill: number;
  /** The subtask that dies: the first of the counting operator. */
  readonly victim: number;
}

/** `null`: the run has not come that far. */
export function placesOf({ log, graph, clock }: Run): Places | null {
  const victim = at(at(graph.vertices, 1).subtasks, 0);
  const complete = nextOf(log, "CheckpointCompleted", 0);
  const second = complete === null ? null : nextOf(log, "CheckpointCompleted", complete + 1);
  const barrier = complete === null ? null : nextOf(log, "BarrierReceived", complete);
  if (second === null || barrier === null) return null;
  const shown = clock.presentationOf(barrier);
  return {
    first: clock.stepAt(Math.max(0, shown - BEFORE)),
    barrier,
    checkpoint: log.field(barrier, received.checkpoint),
    kill: Math.min(clock.stepAt(shown + BEHIND), second - 1),
    victim,
  };
}

/** The next entry of a type from `from` on; `null`: there is none. */
export function nextOf(log: Run["log"], type: EventType, from: number): number | null {
  for (let step = from; step < log.length; step++) if (log.type(step) === EventNumber[type]) return step;
  return null;
}

/** Input records that the counting operator has processed more than once. */
export function processedTwice({ log, graph }: Run): number {
  const counting = new Set(at(graph.vertices, 1).subtasks);
  const seen = new Set<number>();
  const twice = new Set<number>();
  for (let step = 0; step < log.length; step++) {
    if (log.type(step) !== EventNumber.RecordProcessed || !counting.has(log.field(step, processed.subtask))) continue;
    const record = log.field(step, processed.record);
    if (seen.has(record)) twice.add(record);
    seen.add(record);
  }
  return twice.size;
}

/** Where the failure of a subtask is seen. */
export function stoppedAt(log: Run["log"], victim: number, from: number): number | null {
  for (let step = from; step < log.length; step++)
    if (log.type(step) === EventNumber.TaskStopped && log.field(step, failed.subtask) === victim) return step;
  return null;
}
