/** One branch on the page: its log, what it means (folds), and its presentation time. Grows as chunks arrive. */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { EventLog, type LogChunk } from "../protocol/log.ts";
import { Explainer } from "../projection/explain.ts";
import { initialView } from "../projection/fold.ts";
import { Views } from "../projection/keyframes.ts";
import { type Expected, type LedgerView, expectedOf, ledgerOf } from "../projection/ledger.ts";
import { StepIndex } from "../projection/phases.ts";
import { shared } from "../projection/shared.ts";
import { Timeline } from "../projection/timeline.ts";
import type { RunView } from "../projection/views.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { PresentationClock } from "../view/clock.ts";
import { isStaged } from "../view/movement-times.ts";

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
  readonly log: EventLog;
  readonly clock: PresentationClock;
  readonly timeline = new Timeline();
  /** Where the transport's steps lead. */
  readonly index: StepIndex;
  readonly explainer: Explainer;
  /** The stage and the panels stand at different steps, and a view is good only until the next is asked for. */
  readonly stageViews: Views;
  private readonly panelViews: Views;
  private readonly expected: () => Expected;
  private ledger: LedgerView | null = null;

  constructor({ graph, scenario, parent, base, commands }: RunOptions) {
    this.log = new EventLog(parent?.log ?? null, base);
    this.clock = new PresentationClock(graph, scenario.timing);
    this.index = new StepIndex(graph);
    this.explainer = new Explainer(shared(scenario, graph, commands), this.log);
    this.extend();
    this.stageViews = new Views(this.log, parent?.stageViews ?? initialView(scenario, graph, commands));
    this.panelViews = new Views(this.log, parent?.panelViews ?? initialView(scenario, graph, commands));
    this.expected = parent?.expected ?? once(() => expectedOf(shared(scenario, graph), referenceOf(scenario)));
  }

  append(chunk: LogChunk): void {
    this.log.appendChunk(chunk);
    this.extend();
  }

  private extend(): void {
    this.clock.extend(this.log);
    this.timeline.extend(this.log);
    this.index.extend(this.log);
  }

  /** For the panels: good until they ask for another. */
  panelView(step: number): RunView {
    return this.panelViews.viewAt(step);
  }

  ledgerAt(step: number): LedgerView {
    if (this.ledger?.step !== step) this.ledger = ledgerOf(this.panelViews.viewAt(step), this.expected());
    return this.ledger;
  }

  /** The next entry that is worth a look of its own. */
  nextStaged(step: number): number | null {
    for (let next = step + 1; next < this.log.length; next++) {
      if (at(isStaged, this.log.type(next))) return next;
    }
    return null;
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
