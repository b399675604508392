/** Bounded jobs that are failed everywhere: which runs do not end FINISHED, with the verdict that they must have. */
import { referenceOf } from "../../scenario/reference.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import { Course } from "../course.ts";
import { Invariants } from "../invariants.ts";
import { Job } from "../layout.ts";
import { ledgerOf } from "../ledger.ts";
import { Simulation } from "../simulation.ts";
import { JobStatus } from "../states.ts";
import { command } from "./runs.ts";

/** Steps in which a run must have come to its end. */
const MOST = 20_000;

interface Swept {
  runs: number;
  /** One line for each run that is not as it should be. */
  readonly wrong: string[];
}

/** Failures of every subtask, TaskManager and kind of message, and a checkpoint out of turn. */
export function failuresOf(scenario: Scenario): { readonly tasks: Command[]; readonly others: Command[] } {
  const { subtasks, taskManagers } = Simulation.start(scenario, { log: null }).session.plan.graph;
  return {
    tasks: subtasks.map(({ name }) => command("fail-task", name)),
    others: [
      ...taskManagers.map((name) => command("restart-taskmanager", name)),
      command("fail-job", null),
      ...(["trigger", "ack", "notify-complete"] as const).map((rpc) => command("lose-rpc", null, { rpc })),
      ...subtasks.map(({ name }) => command("stall", name, { for: 150 })),
      ...subtasks.map(({ name }) => command("snapshot-failure", name, { part: "async" })),
      command("trigger-checkpoint", null),
    ],
  };
}

/** Parts a run from the scenario's at each of its steps for each command of that step; `fine`: verdicts that are right. */
export function failEverywhere(
  scenario: Scenario,
  commandsAt: (step: number) => readonly Command[],
  fine: readonly string[] = ["exactly-once"],
): Swept {
  const reference = referenceOf(scenario);
  const observer = new Invariants();
  const course = new Course(Simulation.start(scenario, { log: null, observer }));
  const swept: Swept = { runs: 0, wrong: [] };
  while (course.ended === null) {
    const { step } = course.simulation.world;
    for (const act of commandsAt(step)) {
      const clone = course.simulation.clone();
      clone.submit(act);
      swept.runs++;
      const wrong = wrongWith(new Course(clone), reference, fine);
      if (wrong !== null) swept.wrong.push(`${act.do} ${act.target ?? act.rpc ?? ""} at ${step}: ${wrong}`);
    }
    course.advance();
  }
  return swept;
}

function wrongWith(course: Course, reference: ReturnType<typeof referenceOf>, fine: readonly string[]): string | null {
  const { kernel, world, observer } = course.simulation;
  const last = world.step + MOST;
  while (course.ended === null && kernel.world.step < last) course.advance();
  const ledger = ledgerOf(kernel, reference);
  const { state, endToEnd } = ledger.verdict;
  const watched = observer instanceof Invariants ? observer : null;
  const [violation] = watched?.atEnd(kernel, ledger, course.ended ?? "steps") ?? [];
  const finished = kernel.world.job(Job.status) === JobStatus.finished;
  if (finished && violation === undefined && fine.includes(state) && fine.includes(endToEnd)) return null;
  return `${course.ended} ${state} ${endToEnd} ${violation === undefined ? "" : `${violation.invariant}: ${violation.message}`}`;
}
