/** One branch on the page: its log, what it means (folds), and its presentation time. Grows as chunks arrive. */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { EventLog, type LogChunk } from "../protocol/log.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { PresentationClock } from "../view/clock.ts";
import { isStaged } from "../view/movement-times.ts";

export class Run {
  readonly log: EventLog;
  readonly clock: PresentationClock;

  constructor(graph: ExecutionGraph, scenario: Scenario, parent: Run | null, base: number) {
    this.log = new EventLog(parent?.log ?? null, base);
    this.clock = new PresentationClock(graph, scenario.timing);
    this.clock.extend(this.log);
  }

  append(chunk: LogChunk): void {
    this.log.appendChunk(chunk);
    this.clock.extend(this.log);
  }

  /** The next entry that is worth a look of its own. */
  nextStaged(step: number): number | null {
    for (let next = step + 1; next < this.log.length; next++) {
      if (at(isStaged, this.log.type(next))) return next;
    }
    return null;
  }
}
