/**
 * One branch on the page, as far as the stage needs it: its log, the fold at any step, and its presentation time. Grows as
 * chunks arrive. What panels and transport tell of it is in `facts.ts`.
 */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { EventLog, type LogChunk } from "../protocol/log.ts";
import { initialView } from "../projection/fold.ts";
import { Jobs } from "../projection/submitted-job.ts";
import { Views } from "../projection/keyframes.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { PresentationClock } from "../view/clock.ts";

export interface RunOptions {
  readonly graph: ExecutionGraph;
  readonly scenario: Scenario;
  /** The run it branches off from, at `base`. */
  readonly parent: Run | null;
  readonly base: number;
  /** The session's, in the order in which the log counts them: one list for all branches. */
  readonly commands: readonly Command[];
}

export class Run {
  readonly graph: ExecutionGraph;
  readonly scenario: Scenario;
  readonly parent: Run | null;
  readonly commands: readonly Command[];
  readonly log: EventLog;
  readonly jobs: Jobs;
  clock: PresentationClock;
  readonly stageViews: Views;

  constructor({ graph, scenario, parent, base, commands }: RunOptions) {
    this.graph = graph;
    this.scenario = scenario;
    this.parent = parent;
    this.commands = commands;
    this.log = new EventLog(parent?.log ?? null, base);
    const first = initialView(scenario, graph, commands);
    this.jobs = new Jobs(first.shared);
    this.jobs.extend(this.log);
    this.clock = this.laidOut(true);
    this.stageViews = new Views(this.log, parent?.stageViews ?? first);
  }

  append(chunk: LogChunk): void {
    this.log.appendChunk(chunk);
    this.jobs.extend(this.log);
    this.clock.extend(this.log);
  }

  /** It is at its end, and grows no more. */
  fit(): void {
    this.log.fit();
    this.clock.fit();
  }

  /** Lays its presentation time out anew, with idle spans folded or at their full length. */
  fold(foldIdle: boolean): void {
    this.clock = this.laidOut(foldIdle);
  }

  private laidOut(foldIdle: boolean): PresentationClock {
    const clock = new PresentationClock((step) => this.jobs.at(step).graph, this.scenario.timing, { foldIdle });
    clock.extend(this.log);
    clock.fit();
    return clock;
  }
}
