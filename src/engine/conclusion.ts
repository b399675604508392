/** What is said of a run at its end. */
import { at } from "../base/assert.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Violation } from "../protocol/violation.ts";
import { type Reference, referenceOf } from "../scenario/reference.ts";
import type { Ended, Report } from "../scenario/report.ts";
import type { Moment, Notice } from "../scenario/scenario.ts";
import type { Invariants } from "./invariants.ts";
import { Fault, Task } from "./layout.ts";
import { ledgerOf } from "./ledger.ts";
import { reportOf } from "./report/report.ts";
import type { Simulation } from "./simulation.ts";
import { lagOf } from "./sources/consumer-lag.ts";

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
  const lag = (partition: number, groupOffset: number): number => lagOf(simulation.kernel, partition, groupOffset);
  const outcome = { ended, ledger, invariants, notices, lag, commands: simulation.session.commands };
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
            message: `${verb} did not act: ${whyNot(world.fault(index, Fault.matched), moment)}.`,
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

/** Why a fault that waits for a moment has not acted, of which so many matches have come. */
function whyNot(matched: number, moment: Moment): string {
  return "probability" in moment && matched === moment.nth
    ? "chance decided against it each time"
    : "what it waits for did not happen";
}
