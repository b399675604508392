import { expect, test } from "vitest";
import { runScenario } from "./run.ts";
import { libraryScenario } from "./testing/runs.ts";

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
