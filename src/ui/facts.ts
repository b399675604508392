/** What panels and transport tell of a run: made when it is first asked for, and kept as long as the run is. */
import { Effects } from "../projection/causes.ts";
import { Explainer } from "../projection/explain.ts";
import type { Cursor } from "../projection/keyframes.ts";
import {
  type EndToEnd,
  type Expected,
  type LedgerView,
  endToEndOf,
  expectedOf,
  ledgerOf,
} from "../projection/ledger.ts";
import { Shelf } from "../projection/shelf.ts";
import { StepIndex } from "../projection/phases.ts";
import { type Shared, shared } from "../projection/shared.ts";
import { Timeline } from "../projection/timeline.ts";
import type { RunView } from "../projection/views.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { Run } from "./run.ts";

class Facts {
  readonly timeline = new Timeline();
  /** Where the transport's steps lead. */
  readonly index: StepIndex;
  readonly explainer: Explainer;
  readonly shelf: Shelf;
  /** Not the stage's: it stands at another step, and a view is good only until the next is asked for. */
  private readonly views: Cursor;
  /** What should be there in the end, by the job that runs. */
  private readonly expected: Map<Shared, Expected>;
  private readonly run: Run;
  /** What each entry brought about, as far as there is any yet. */
  readonly effects: Effects;
  private ledger: LedgerView | null = null;
  private endToEnd: EndToEnd | null = null;
  private last: Cursor | null = null;

  constructor(run: Run) {
    const { graph, scenario, commands, log, parent } = run;
    const before = parent === null ? null : factsOf(parent);
    const parts = shared(scenario, graph, commands);
    this.run = run;
    this.effects = new Effects(log);
    this.index = new StepIndex(graph, (step) => run.jobs.at(step).graph);
    this.explainer = new Explainer(parts, log);
    this.shelf = new Shelf(parts, log);
    this.views = run.stageViews.cursor();
    this.expected = before?.expected ?? new Map<Shared, Expected>();
  }

  /** Takes in what the log has more. */
  extend(): this {
    this.timeline.extend(this.run.log);
    this.index.extend(this.run.log);
    return this;
  }

  /** For the panels: good until they ask for another. */
  viewAt(step: number): RunView {
    return this.views.viewAt(step);
  }

  /** The run as far as it has been computed; no other view changes this one. */
  lastView(): RunView {
    this.last ??= this.run.stageViews.cursor();
    return this.last.viewAt(this.run.log.length - 1);
  }

  ledgerAt(step: number): LedgerView {
    if (this.ledger?.step === step) return this.ledger;
    const view = this.views.viewAt(step);
    return (this.ledger = ledgerOf(view, this.expectedOf(view)));
  }

  /** What the header tells; of a long run a third of the work that all of the ledger is. */
  endToEndAt(step: number): EndToEnd {
    if (this.endToEnd?.step === step) return this.endToEnd;
    const view = this.views.viewAt(step);
    return (this.endToEnd = endToEndOf(view, this.expectedOf(view)));
  }

  private expectedOf({ shared: job }: RunView): Expected {
    const expected = this.expected.get(job) ?? expectedOf(job, referenceOf(job.scenario));
    this.expected.set(job, expected);
    return expected;
  }
}

const known = new WeakMap<Run, Facts>();

export function factsOf(run: Run): Facts {
  const made = known.get(run) ?? new Facts(run);
  known.set(run, made);
  return made.extend();
}
