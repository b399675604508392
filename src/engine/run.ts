/** A run from its beginning to its end, with the whole engine. */
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { EventLog } from "../protocol/log.ts";
import type { Violation } from "../protocol/violation.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { Report } from "../scenario/report.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { conclude } from "./conclusion.ts";
import { Course } from "./course.ts";
import type { Decisions } from "./decisions.ts";
import { Invariants, areWatched } from "./invariants.ts";
import { Simulation } from "./simulation.ts";
import { completeEngine } from "./whole.ts";

completeEngine();

export interface RunResult {
  /** Of the scenario's own job, and of every job of the run in order. */
  readonly graph: ExecutionGraph;
  readonly graphs: readonly ExecutionGraph[];
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
  const isWhole = areWatched(scenario.faults);
  const invariants = options.checkInvariants === true && isWhole ? new Invariants() : null;
  const simulation = Simulation.start(scenario, {
    log,
    observer: invariants,
    ...(options.defects && { defects: options.defects }),
  });
  const course = new Course(simulation);
  while (course.ended === null && (invariants === null || invariants.violations.length === 0)) course.advance();
  const { graph } = simulation.session.plan;
  const graphs = simulation.kernel.chain.map(({ plan }) => plan.graph);
  const conclusion = conclude(simulation, invariants, log, course.ended ?? "stuck", referenceOf(scenario));
  return { graph, graphs, log, ...conclusion };
}
