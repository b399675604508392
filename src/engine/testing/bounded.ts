/** Bounded jobs that are failed everywhere: which runs do not end FINISHED, with the verdict that they must have. */
import { type Reference, referenceOf } from "../../scenario/reference.ts";
import type { Command, Scenario } from "../../scenario/scenario.ts";
import { Course } from "../course.ts";
import { Invariants } from "../invariants.ts";
import { Simulation } from "../simulation.ts";
import { outcomeOf } from "./failure-sweep.ts";
import { command } from "./runs.ts";

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

function wrongWith(course: Course, reference: Reference, fine: readonly string[]): string | null {
  const { ended, finished, ledger, violation } = outcomeOf(course, reference);
  const { state, endToEnd } = ledger.verdict;
  if (finished && violation === null && fine.includes(state) && fine.includes(endToEnd)) return null;
  return `${ended} ${state} ${endToEnd} ${violation ?? ""}`;
}
