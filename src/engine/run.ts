/** A run from its beginning to its end, and what is said of it there. */
import { at } from "../base/assert.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { EventLog } from "../protocol/log.ts";
import type { Violation } from "../protocol/violation.ts";
import { type Reference, referenceOf } from "../scenario/reference.ts";
import type { Ended, Report } from "../scenario/report.ts";
import type { Notice, Scenario } from "../scenario/scenario.ts";
import { Course } from "./course.ts";
import type { Decisions } from "./decisions.ts";
import { Invariants } from "./invariants.ts";
import { Fault, Task } from "./layout.ts";
import { ledgerOf } from "./ledger.ts";
import { reportOf } from "./report/report.ts";
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
  const invariants = options.checkInvariants === true ? new Invariants() : null;
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

/** The report of a run that stands at its end, and what it violated (`watched` has seen all of it), at the end itself too. */
export function conclude(
  simulation: Simulation,
  watched: Invariants | null,
  log: EventLog,
  ended: Ended,
  reference: Reference,
): { readonly report: Report; readonly violations: readonly Violation[] } {
  const { kernel } = simulation;
  const jobs = kernel.chain.map(({ plan }) => plan);
  // What should be there in the end is what the last job makes of the input.
  const last = jobs.length === 1 ? reference : referenceOf(kernel.plan.scenario);
  const ledger = ledgerOf(kernel, last);
  const violations = watched?.atEnd(simulation.kernel, ledger, ended) ?? [];
  const invariants = {
    checked: [...(watched?.checked ?? [])],
    violated: [...new Set(violations.map(({ invariant }) => invariant))],
  };
  const notices = noticesOf(simulation, ended);
  const outcome = { ended, ledger, invariants, notices, commands: simulation.session.commands };
  return { report: reportOf(jobs, log, outcome), violations };
}

/** Faults that never acted, and what each waiting part of a stuck run waits for. */
function noticesOf({ world, kernel }: Simulation, ended: Ended): Notice[] {
  const { scenario, graph } = kernel.plan;
  const notices = scenario.faults.flatMap(({ at: moment, do: verb }, index): Notice[] =>
    moment.kind === "time" || world.fault(index, Fault.acted) === 1
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
