import { expect, test } from "vitest";
import { runScenario } from "./run.ts";
import { libraryScenario } from "./testing/runs.ts";
import { atTime, lane, small, story } from "./testing/stories.ts";

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
