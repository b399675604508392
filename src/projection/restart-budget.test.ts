/** What is told of a restart strategy's budget, held against what the engine then does. */
import { describe, expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { after, atTime, fixedDelay, lane, small } from "../engine/testing/stories.ts";
import { EventNumber } from "../protocol/events.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { applyEntry, initialView } from "./fold.ts";
import { places } from "./fields.ts";
import { type RestartBudget, restartBudget } from "./restart-budget.ts";

const delayPlace = places("RestartScheduled").delay;

/** The budget before each failure that the strategy is asked of, at its time, and what came: the delay, or `null`. */
function asked(scenario: Scenario): { budget: RestartBudget; delay: number | null }[] {
  const { log, graph } = runScenario(scenario);
  const view = initialView(scenario, graph);
  const told: { budget: RestartBudget; delay: number | null }[] = [];
  let before = restartBudget(view);
  for (let step = 0; step < log.length; step++) {
    const type = log.type(step);
    applyEntry(view, log, step);
    if (type === EventNumber.RestartScheduled) told.push({ budget: before, delay: log.field(step, delayPlace) });
    if (view.job.status === "FAILING" && told.at(-1)?.delay !== null) told.push({ budget: before, delay: null });
    before = restartBudget(view);
  }
  return told;
}

const failing = (restart: Record<string, unknown>, times: readonly number[], flink = "2.2"): Scenario =>
  small({
    ...lane(1),
    topics: { in: { records: 900, every: "1 s", keys: 1 } },
    restart,
    flink,
    faults: times.map((time) => atTime(time, "fail-task", { target: "M[0]" })),
    until: { time: "15 min" },
  });

describe("a failure is granted as long as something is left, and waits for as long as was told", () => {
  test("FR-062: fixed delay counts down", () => {
    const told = asked(failing(fixedDelay(2, "1 s"), [1000, 5000, 9000]));
    expect(told).toEqual([
      { budget: { kind: "attempts", used: 0, of: 2 }, delay: 1000 },
      { budget: { kind: "attempts", used: 1, of: 2 }, delay: 1000 },
      { budget: { kind: "attempts", used: 2, of: 2 }, delay: null },
    ]);
    expect(asked(failing(fixedDelay(2_147_483_647, "1 s"), [1000]))[0]?.budget).toMatchObject({ of: null });
  });

  test("FR-063: failure rate shrinks with failures and recovers with time", () => {
    const strategy = {
      type: "failure-rate",
      "failure-rate.max-failures-per-interval": 2,
      "failure-rate.failure-rate-interval": "1 min",
    };
    const used = (times: readonly number[]): unknown[] =>
      asked(failing(strategy, times)).map(({ budget, delay }) => [budget.kind === "rate" ? budget.used : -1, delay]);
    expect(used([1000, 5000, 9000])).toEqual([
      [0, 1000],
      [1, 1000],
      [2, null],
    ]);
    // The first two are a minute and more ago when the third comes.
    expect(used([1000, 5000, 70_000, 80_000])).toEqual([
      [0, 1000],
      [1, 1000],
      [0, 1000],
      [1, 1000],
    ]);
  });

  const plain = { type: "exponential-delay", "exponential-delay.jitter-factor": 0 };
  test.each(["1.18", "1.20", "2.2"])(
    "FR-064, FR-065: Flink %s: the next backoff is what the next failure waits",
    (flink) => {
      const strategy = {
        ...plain,
        "exponential-delay.max-backoff": "6 s",
        "exponential-delay.reset-backoff-threshold": "1 min",
      };
      const told = asked(failing(strategy, [1000, 5000, 10_000, 20_000, 40_000, 60_000, 300_000, 310_000], flink));
      expect(told).toHaveLength(8);
      for (const { budget, delay } of told) expect(budget.kind === "backoff" ? budget.next : null).toBe(delay);
      expect(told.map(({ delay }) => delay).slice(-2)).toEqual([1000, flink === "1.18" ? 2000 : 1500]);
    },
  );

  test("FR-064: attempts are limited by backoffs, and used up when the job fails", () => {
    const told = asked(failing({ ...plain, "exponential-delay.attempts-before-reset-backoff": 2 }, [1000, 5000, 9000]));
    expect(
      told.map(({ budget, delay }) => [budget.kind === "backoff" ? [budget.used, budget.of] : null, delay]),
    ).toEqual([
      [[0, 2], 1000],
      [[1, 2], 1500],
      [[2, 2], null],
    ]);
  });

  test("FR-066: the strategy none has nothing", () => {
    expect(asked(failing({ type: "none" }, [1000]))).toEqual([{ budget: { kind: "none" }, delay: null }]);
  });

  test("FR-070: a new leader has all of it again", () => {
    const scenario = small({
      ...lane(1),
      restart: fixedDelay(1, "1 s"),
      config: { "high-availability.type": "zookeeper" },
      faults: [
        atTime(300, "fail-task", { target: "M[0]" }),
        after("RestartScheduled", {}, "kill-jobmanager", { for: "1 s" }),
        atTime(8000, "fail-task", { target: "M[0]" }),
      ],
      topics: { in: { records: 20, every: "1 s", keys: 1 } },
    });
    expect(asked(scenario).map(({ budget }) => budget)).toEqual([
      { kind: "attempts", used: 0, of: 1 },
      { kind: "attempts", used: 0, of: 1 },
    ]);
  });
});
