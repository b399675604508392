/** A run from its beginning to its end, and how a run ends (the contract's `until`). */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { EventLog } from "../protocol/log.ts";
import type { Violation } from "../protocol/violation.ts";
import { type Reference, referenceOf } from "../scenario/reference.ts";
import type { Ended, Report } from "../scenario/report.ts";
import type { Notice, Scenario } from "../scenario/scenario.ts";
import type { Decisions } from "./decisions.ts";
import { matches } from "./faults.ts";
import { Invariants } from "./invariants.ts";
import { isDrained } from "./drained.ts";
import { Job, Task } from "./layout.ts";
import { ledgerOf } from "./ledger.ts";
import { reportOf } from "./report/report.ts";
import { Simulation } from "./simulation.ts";

/** A run that makes more entries than this is ended: a limit of the tool, not of Flink. */
const MOST_STEPS = 5_000_000;
/** As many restarts over the same failure, with no checkpoint completed in between, are without end. */
const ROUNDS = 3;
/** Restart strategies that allow more restarts than this are taken to be without end. */
const ENDLESS = 1000;

export interface RunResult {
  readonly graph: ExecutionGraph;
  readonly log: EventLog;
  readonly report: Report;
  readonly violations: readonly Violation[];
}

/** Runs a scenario to its end. `defects` is for tests that see whether their checks bite. */
export function runScenario(
  scenario: Scenario,
  options: { checkInvariants?: boolean; defects?: Partial<Decisions> } = {},
): RunResult {
  const log = new EventLog();
  const invariants = options.checkInvariants === true ? new Invariants() : null;
  const simulation = Simulation.start(scenario, {
    log,
    observer: invariants,
    ...(options.defects && { defects: options.defects }),
  });
  const course = new Course(simulation);
  while (course.ended === null && (invariants === null || invariants.violations.length === 0)) course.advance();
  const { graph } = simulation.session.plan;
  return { graph, log, ...conclude(simulation, log, course.ended ?? "stuck", referenceOf(scenario)) };
}

/** The report of a run that stands at its end, and what it violated, at the end itself too. */
export function conclude(
  simulation: Simulation,
  log: EventLog,
  ended: Ended,
  reference: Reference,
): { readonly report: Report; readonly violations: readonly Violation[] } {
  const { scenario, graph } = simulation.session.plan;
  const { observer } = simulation;
  const ledger = ledgerOf(simulation.kernel, reference);
  const watched = observer instanceof Invariants ? observer : null;
  const violations = watched?.atEnd(simulation.kernel, ledger, ended) ?? [];
  const invariants = {
    checked: [...(watched?.checked ?? [])],
    violated: [...new Set(violations.map(({ invariant }) => invariant))],
  };
  const notices = noticesOf(simulation, ended);
  return { report: reportOf(scenario, graph, log, { ended, ledger, invariants, notices }), violations };
}

/** Takes a simulation to the end that its scenario asks for, entry by entry. */
export class Course {
  readonly simulation: Simulation;
  ended: Ended | null = null;
  private readonly atRest: (() => boolean) | null;
  private matched = 0;

  constructor(simulation: Simulation) {
    this.simulation = simulation;
    this.atRest = atRestOf(simulation);
  }

  /** One entry, or the end. */
  advance(): void {
    const { simulation } = this;
    const { until } = simulation.session.plan.scenario;
    const rest = until.kind === "drained" || until.kind === "time" ? until.kind : "stuck";
    if (this.atRest?.() === true) {
      this.ended = rest;
    } else if (simulation.nextDue === Infinity || !simulation.step(this.atRest)) {
      this.ended = this.atRest?.() === true ? rest : "stuck";
    } else if (isEndless(simulation)) {
      this.ended = "stuck";
    } else if (simulation.world.step >= (until.kind === "steps" ? until.steps : MOST_STEPS)) {
      this.ended = "steps";
    } else if (
      (until.kind === "before" || until.kind === "after") &&
      matches(simulation.session.plan.graph, until, simulation.kernel.draft)
    ) {
      this.matched++;
      if (this.matched === until.nth) this.ended = "event";
    }
  }
}

/** What ends a run between two entries; `null`: only an entry does. */
function atRestOf(simulation: Simulation): (() => boolean) | null {
  const { until } = simulation.session.plan.scenario;
  if (until.kind === "drained") return () => isDrained(simulation.kernel);
  return until.kind === "time" ? () => simulation.nextDue > until.time : null;
}

/** Restarts over the same failure without anything new completed. */
function isEndless({ world, session }: Simulation): boolean {
  const { restartStrategy } = session.plan.scenario.config;
  const attempts =
    restartStrategy.type === "none" ? 0 : restartStrategy.type === "failure-rate" ? Infinity : restartStrategy.attempts;
  return attempts > ENDLESS && world.job(Job.rounds) > ROUNDS;
}

/** Faults that never acted, and what each waiting part of a stuck run waits for. */
function noticesOf({ world, session }: Simulation, ended: Ended): Notice[] {
  const { scenario, graph } = session.plan;
  const notices = scenario.faults.flatMap(({ at: moment, do: verb }, index): Notice[] =>
    moment.kind === "time" || world.fault(index, 1) === 1
      ? []
      : [
          {
            code: "FAULT_NEVER_FIRED",
            path: `faults[${index}]`,
            message: `${verb} did not act: what it waits for did not happen.`,
          },
        ],
  );
  if (ended !== "stuck") return notices;
  const lives = [
    "has no thread",
    "is initializing",
    "waits for input, output or a message",
    "is closing",
    "has ended",
    "consumes recovered data",
  ];
  for (const { index, name } of graph.subtasks) {
    const message =
      world.task(index, Task.stalled) === 1
        ? `${name} is stalled.`
        : `${name} ${at(lives, world.task(index, Task.life))}.`;
    notices.push({ code: "WAITING", path: "", message });
  }
  return notices;
}
