/** `docs/mutations.json`: for each invariant a defect that its observer catches, and the run in which it shows. */
import { at } from "../../base/assert.ts";
import type { EventType } from "../../protocol/events.ts";
import type { Violation } from "../../protocol/violation.ts";
import { referenceOf } from "../../scenario/reference.ts";
import type { Decisions } from "../decisions.ts";
import { matches } from "../faults.ts";
import { Invariants } from "../invariants.ts";
import { Task } from "../layout.ts";
import { ledgerOf } from "../ledger.ts";
import { Actor, Op } from "../ops.ts";
import { Course } from "../course.ts";
import { Simulation } from "../simulation.ts";
import { ExecutionState } from "../states.ts";
import { withFaults } from "./runs.ts";

type Json = { [key: string]: unknown };

/** A message that a network which is not Flink's delivers again or too late. */
interface Late {
  readonly after: EventType;
  readonly match: { readonly [field: string]: string | number };
  readonly message: "trigger" | "complete" | "acknowledgement" | "running";
  readonly subtask: string;
  readonly checkpoint?: number;
  /** The attempt that sent it or is meant; the current one where it is left out. */
  readonly attempt?: number;
}

export interface Mutation {
  /** The name of an export of `engine/defects.ts`. */
  readonly defect: string;
  readonly what: string;
  readonly scenario: string;
  /** Changes of the scenario: a `config` key, or a JSON pointer. */
  readonly set?: { readonly [place: string]: unknown };
  readonly faults?: readonly Json[];
  readonly late?: Late;
  readonly also?: readonly Mutation[];
}

/** The file's content. */
export interface Mutations {
  readonly [invariant: string]: Mutation;
}

/** More entries than any of these runs has that comes to an end. */
const MOST_STEPS = 20_000;

/** All violations of a mutation's run; `defects` null: of the same run without its defect. */
export function violationsOf(mutation: Mutation, defects: Partial<Decisions> | null): readonly Violation[] {
  const scenario = withFaults(mutation.scenario, mutation.faults ?? [], (source) => {
    for (const [place, value] of Object.entries(mutation.set ?? {})) change(source, place, value);
  });
  const invariants = new Invariants({ stopsRun: false });
  const simulation = Simulation.start(scenario, { log: null, observer: invariants, ...(defects && { defects }) });
  const course = new Course(simulation);
  try {
    run(simulation, course, mutation.late);
    const outcome = ledgerOf(simulation.kernel, referenceOf(scenario));
    if (course.ended !== null) return invariants.atEnd(simulation.kernel, outcome, course.ended);
  } catch (error) {
    if (invariants.violations.length === 0) throw error;
  }
  return invariants.violations;
}

function run(simulation: Simulation, course: Course, late: Late | undefined): void {
  let sent = late === undefined;
  while (course.ended === null && simulation.world.step < MOST_STEPS) {
    course.advance();
    if (late === undefined || sent) continue;
    const moment = { kind: "after", event: late.after, match: late.match, nth: 1 } as const;
    if (!matches(simulation.session.plan.graph, moment, simulation.kernel.draft)) continue;
    sent = true;
    deliver(simulation, late);
  }
}

function deliver({ kernel, session }: Simulation, { message, subtask, checkpoint = 0, attempt }: Late): void {
  const task = session.plan.graph.subtasks.findIndex(({ name }) => name === subtask);
  const of = attempt ?? kernel.world.task(task, Task.attempt);
  const [op, ...words] = (
    {
      trigger: [Op.receiveTrigger, task, of, checkpoint, kernel.now],
      complete: [Op.receiveComplete, task, of, checkpoint, 0],
      acknowledgement: [Op.acknowledge, task, checkpoint, of, 0],
      running: [Op.reportState, task, of, ExecutionState.running, 0],
    } as const
  )[message];
  kernel.after(0, op, Actor.wire, ...words);
}

/** Sets what a JSON pointer, or a key of `config`, names. */
function change(source: Json, place: string, value: unknown): void {
  if (!place.startsWith("/")) {
    (source["config"] as Json)[place] = value;
    return;
  }
  const steps = place.slice(1).split("/");
  const last = at(steps, steps.length - 1);
  let target: Json = source;
  for (const step of steps.slice(0, -1)) target = target[step] as Json;
  target[last] = value;
}
