import { describe, expect, test } from "vitest";
import type { Scenario } from "../scenario/scenario.ts";
import { runScenario } from "./run.ts";
import { libraryScenario } from "./testing/runs.ts";
import { atTime, fixedDelay, lane, small, source, story } from "./testing/stories.ts";

for (const concurrent of [1, 2]) {
  test(`a run whose checkpoints never pause still drains (${concurrent} at a time)`, () => {
    const scenario = libraryScenario("order-totals", (source) => {
      source["timing"] = { "snapshot.async": "150 ms" };
      Object.assign(source["config"] as object, {
        "execution.checkpointing.interval": "100 ms",
        "execution.checkpointing.max-concurrent-checkpoints": concurrent,
      });
    });
    const { report } = runScenario(scenario, { checkInvariants: true });
    expect(report).toMatchObject({ ended: "drained", verdict: { state: "exactly-once", endToEnd: "exactly-once" } });
    expect(report.clock).toBeLessThan(6000);
    expect(report.invariants.violated).toEqual([]);
  });
}

test("FI-76: once what waited for the log is there, a run does not wait for its clients' timeouts", () => {
  const told = story(small({ ...lane(1), faults: [atTime(400, "broker-down", { for: "500 ms" })] }));
  expect(told.report).toMatchObject({ ended: "drained", verdict: { endToEnd: "exactly-once" } });
  expect(told.report.clock).toBeLessThan(20_000);
});

describe("SK-131: a transaction that its store has given up holds records that the sink still answers for", () => {
  const scenario = (timeout: string): Scenario =>
    small({
      vertices: [source("S"), { uid: "K", type: "two-phase-commit-sink", parallelism: 1, databaseTimeout: timeout }],
      edges: ["S forward K"],
      topics: { in: { partitions: 1, records: 4, every: "10 ms" } },
      checkpointing: { interval: "1 s" },
      restart: fixedDelay(2, "1 s"),
    });

  test("a run is over when a checkpoint has committed them", () => {
    const told = story(scenario("20 s"));
    expect(told.report).toMatchObject({ ended: "drained", verdict: { endToEnd: "exactly-once" } });
    expect(told.all("CheckpointCompleted").length).toBeGreaterThan(0);
  });

  test("the next barrier fails the task, however quiet the run is, and so does each after a restart", () => {
    const told = story(scenario("300 ms"));
    const causes = told.report.recoveries.map(({ cause }) => cause);
    expect(causes).toEqual(Array.from({ length: 3 }, () => "K[0]: TRANSACTION_ABORTED"));
    expect(told.report.job).toMatchObject({ status: "FAILED", restarts: 2 });
  });
});
