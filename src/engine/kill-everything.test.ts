/**
 * One failure a run, all of them: each subtask failed and each TaskManager killed at every step of `order-totals`. Prefixes
 * are shared: one run is cloned at each of its steps, and each clone gets its failure and goes to its own end.
 */
import { describe, expect, test } from "vitest";
import { referenceOf } from "../scenario/reference.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Decisions } from "./decisions.ts";
import { Invariants } from "./invariants.ts";
import { type Ledger, ledgerOf } from "./ledger.ts";
import { Course } from "./course.ts";
import { Simulation } from "./simulation.ts";
import { command, libraryScenario, setDelivery } from "./testing/runs.ts";

interface Outcome {
  readonly step: number;
  readonly what: string;
  readonly ended: string;
  readonly ledger: Ledger;
  readonly violated: readonly string[];
}

const long = process.env["BARRIERSCOPE_LONG"] === "1";

/** Runs every single failure; `every` 1 takes each step. */
function killEverything(
  scenario: Scenario,
  options: { every?: number; defects?: Partial<Decisions> } = {},
): { outcomes: Outcome[]; seconds: number } {
  const started = performance.now();
  const reference = referenceOf(scenario);
  const base = Simulation.start(scenario, {
    log: null,
    observer: new Invariants(),
    ...(options.defects && { defects: options.defects }),
  });
  const course = new Course(base);
  const outcomes: Outcome[] = [];
  const { subtasks, taskManagers } = base.session.plan.graph;
  const targets = [
    ...subtasks.map(({ name }) => ({ verb: "fail-task" as const, name })),
    ...taskManagers.map((name) => ({ verb: "kill-taskmanager" as const, name })),
  ];
  while (course.ended === null) {
    if (base.world.step % (options.every ?? 1) === 0) {
      for (const { verb, name } of targets) {
        const clone = base.clone();
        const step = base.world.step;
        clone.submit(command(verb, name));
        const branch = new Course(clone);
        while (branch.ended === null && violated(clone).length === 0) branch.advance();
        outcomes.push({
          step,
          what: `${verb} ${name}`,
          ended: branch.ended ?? "violated",
          ledger: ledgerOf(clone.kernel, reference),
          violated: violated(clone),
        });
      }
    }
    course.advance();
  }
  return { outcomes, seconds: (performance.now() - started) / 1000 };
}

function violated({ observer }: Simulation): readonly string[] {
  return observer instanceof Invariants
    ? observer.violations.map(({ invariant, step }) => `${invariant} at step ${step}`)
    : [];
}

const verdicts = (outcomes: readonly Outcome[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { ledger } of outcomes) counts[ledger.verdict.endToEnd] = (counts[ledger.verdict.endToEnd] ?? 0) + 1;
  return counts;
};

describe("each subtask and each TaskManager, at every step of order-totals", () => {
  test("INV-033, INV-120: with an exactly-once sink every run ends exactly once in state and end to end", () => {
    const { outcomes, seconds } = killEverything(libraryScenario("order-totals"));
    console.log(
      `exactly-once: ${outcomes.length} runs in ${seconds.toFixed(1)} s: ${JSON.stringify(verdicts(outcomes))}`,
    );
    const wrong = outcomes.filter(
      ({ ended, ledger, violated: broken }) =>
        ended !== "drained" ||
        broken.length > 0 ||
        ledger.verdict.endToEnd !== "exactly-once" ||
        ledger.verdict.state !== "exactly-once",
    );
    expect(
      wrong.slice(0, 5).map(({ step, what, ended, violated: broken, ledger }) => ({
        step,
        what,
        ended,
        broken,
        verdict: ledger.verdict,
      })),
    ).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(10_000);
  });

  test("INV-125: with an at-least-once sink nothing is ever lost, and some runs duplicate", () => {
    const { outcomes, seconds } = killEverything(
      libraryScenario("order-totals", (source) => setDelivery(source, "at-least-once")),
      { every: long ? 1 : 1 },
    );
    console.log(
      `at-least-once: ${outcomes.length} runs in ${seconds.toFixed(1)} s: ${JSON.stringify(verdicts(outcomes))}`,
    );
    const lossy = outcomes.filter(
      ({ ledger, ended, violated: broken }) =>
        ended !== "drained" ||
        broken.length > 0 ||
        ledger.delivery.some(({ lost, pending, unprocessed }) => lost.length + pending.length + unprocessed.length > 0),
    );
    expect(lossy.slice(0, 5).map(({ step, what, ended, violated: broken }) => ({ step, what, ended, broken }))).toEqual(
      [],
    );
    expect(outcomes.some(({ ledger }) => ledger.verdict.endToEnd === "at-least-once")).toBe(true);
    expect(outcomes.every(({ ledger }) => ledger.verdict.state === "exactly-once")).toBe(true);
  });
});

describe("one rule broken on purpose is caught, and the test says at which step", () => {
  const every = long ? 1 : 7;
  const cases: {
    name: string;
    scenario: () => Scenario;
    defects?: Partial<Decisions>;
    caught: (outcome: Outcome) => boolean;
  }[] = [
    {
      name: "INV-113: a commit at the barrier instead of at the notification",
      scenario: () =>
        libraryScenario("order-totals", (source) => {
          source["broken"] = ["commit-at-barrier"];
        }),
      caught: ({ ledger }) => ledger.verdict.endToEnd === "at-least-once",
    },
    {
      // In order-totals both barriers always arrive together; in shuffle they do not.
      name: "INV-002: no alignment",
      scenario: () =>
        libraryScenario("shuffle", (source) => {
          source["broken"] = ["no-alignment"];
        }),
      caught: ({ ledger }) => ledger.verdict.state !== "exactly-once",
    },
    {
      name: "INV-109: a source offset that is not restored",
      scenario: () =>
        libraryScenario("order-totals", (source) => {
          source["broken"] = ["source-forgets-offset"];
        }),
      caught: ({ ledger }) => ledger.verdict.endToEnd === "at-most-once",
    },
    {
      name: "INV-020: a late acknowledgement that is accepted",
      scenario: () => libraryScenario("order-totals"),
      defects: { disposesAborted: () => false },
      caught: ({ violated: broken }) => broken.some((line) => line.startsWith("INV-020") || line.startsWith("INV-105")),
    },
  ];
  for (const { name, scenario, defects, caught } of cases) {
    test(name, () => {
      const { outcomes } = killEverything(scenario(), { every, ...(defects && { defects }) });
      const found = outcomes.find(caught) ?? outcomes.find(({ violated: broken }) => broken.length > 0);
      expect(found, "the ledger or an invariant catches it").toBeDefined();
      console.log(
        `${name}: caught with ${found?.what} at step ${found?.step}: ${JSON.stringify(found?.ledger.verdict)} ${found?.violated.join(", ")}`,
      );
    });
  }
});
