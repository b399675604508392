/**
 * Bounded jobs fail at every step: each subtask fails, each TaskManager comes back anew, the job fails as a whole, each
 * kind of message is lost. Each run ends FINISHED with everything exactly once (FI-90).
 */
import { describe, expect, test } from "vitest";
import { referenceOf } from "../scenario/reference.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { Invariants } from "./invariants.ts";
import { Job } from "./layout.ts";
import { ledgerOf } from "./ledger.ts";
import { Course } from "./course.ts";
import { Simulation } from "./simulation.ts";
import { JobStatus } from "./states.ts";
import { command, libraryScenario } from "./testing/runs.ts";
import { counter, sink, small, source } from "./testing/stories.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";

/** Steps between two at which everything but the failure of a subtask is tried. */
const EVERY = long ? 1 : 7;

/** How each run ends; what is not as it should be, one line a run. */
function sweep(scenario: Scenario): { runs: number; wrong: string[] } {
  const reference = referenceOf(scenario);
  const { failures, others } = commandsFor(scenario);
  const course = new Course(Simulation.start(scenario, { log: null, observer: new Invariants() }));
  const wrong: string[] = [];
  let runs = 0;
  while (course.ended === null) {
    const { simulation } = course;
    for (const act of simulation.world.step % EVERY === 0 ? [...failures, ...others] : failures) {
      const { step } = simulation.world;
      const clone = simulation.clone();
      clone.submit(act);
      const branch = new Course(clone);
      const violations = (): readonly { invariant: string; message: string }[] =>
        clone.observer instanceof Invariants ? clone.observer.violations : [];
      while (branch.ended === null && violations().length === 0) branch.advance();
      runs++;
      const ledger = ledgerOf(clone.kernel, reference);
      const atEnd =
        branch.ended === null || !(clone.observer instanceof Invariants)
          ? violations()
          : clone.observer.atEnd(clone.kernel, ledger, branch.ended);
      const finished = clone.world.job(Job.status) === JobStatus.finished;
      const { state, endToEnd } = ledger.verdict;
      if (finished && atEnd.length === 0 && state === "exactly-once" && endToEnd === "exactly-once") continue;
      const why = atEnd[0] === undefined ? "" : `${atEnd[0].invariant}: ${atEnd[0].message}`;
      wrong.push(`${act.do} ${act.target ?? act.rpc ?? ""} at ${step}: ${branch.ended} ${state} ${endToEnd} ${why}`);
    }
    course.advance();
  }
  return { runs, wrong };
}

function commandsFor(scenario: Scenario): { failures: Command[]; others: Command[] } {
  const { subtasks, taskManagers } = Simulation.start(scenario, { log: null }).session.plan.graph;
  const failures = subtasks.map(({ name }) => command("fail-task", name));
  const others = [
    ...taskManagers.map((name) => command("restart-taskmanager", name)),
    command("fail-job", null),
    ...(["trigger", "ack", "notify-complete"] as const).map((rpc) => command("lose-rpc", null, { rpc })),
    ...subtasks.map(({ name }) => command("stall", name, { for: 150 })),
    command("trigger-checkpoint", null),
  ];
  return { failures, others };
}

describe("a bounded job that fails at any step ends FINISHED, with everything exactly once", () => {
  test("FI-90, CP-196: two sources that end at different times, a keyed sum", { timeout: 300_000 }, () => {
    const scenario = libraryScenario("bounded", (file) => {
      Object.assign(file["config"] as object, {
        "execution.checkpointing.interval": "130 ms",
        "execution.checkpointing.timeout": "2 s",
        "execution.checkpointing.tolerable-failed-checkpoints": 100,
      });
      file["initialDelay"] = "80 ms";
      Object.assign(file["topics"] as object, {
        archive: { partitions: 1, records: 3, every: "20 ms", keys: 4 },
        today: {
          partitions: [
            { records: 5, every: "45 ms" },
            { records: 8, every: "45 ms" },
          ],
          keys: 4,
        },
      });
    });
    const { runs, wrong } = sweep(scenario);
    console.log(`bounded: ${runs} runs`);
    expect(wrong.slice(0, 8)).toEqual([]);
    expect(runs).toBeGreaterThan(2000);
  });

  test("FI-90, CP-192: two regions", { timeout: 300_000 }, () => {
    const more = { parallelism: 2 };
    const scenario = small({
      vertices: [source("S", { ...more, bounded: true }), counter("M", more), sink("K", more)],
      edges: ["S forward M", "M forward K"],
      topics: {
        in: {
          partitions: [
            { records: 3, every: "40 ms" },
            { records: 8, every: "40 ms" },
          ],
          keys: 4,
        },
      },
      cluster: { taskManagers: 2, slots: 1 },
      initialDelay: 100,
      restart: { type: "fixed-delay", "fixed-delay.attempts": 3, "fixed-delay.delay": "200 ms" },
      checkpointing: { interval: "120 ms", timeout: "2 s", "tolerable-failed-checkpoints": 100 },
    });
    const { runs, wrong } = sweep(scenario);
    console.log(`two regions: ${runs} runs`);
    expect(wrong.slice(0, 8)).toEqual([]);
  });
});
