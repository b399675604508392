/**
 * Bounded jobs fail at every step: each subtask fails, each TaskManager comes back anew, the job fails as a whole, each
 * kind of message is lost, snapshots fail. Each run ends FINISHED with everything exactly once (FI-90).
 */
import { describe, expect, test } from "vitest";
import type { Scenario } from "../scenario/scenario.ts";
import { failEverywhere, failuresOf } from "./testing/bounded.ts";
import { libraryScenario } from "./testing/runs.ts";
import { counter, sink, small, source } from "./testing/stories.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";

/** Steps between two at which subtasks fail, and at which everything else is tried. */
const [TASKS, OTHERS] = long ? [1, 1] : [3, 21];

function sweep(scenario: Scenario): ReturnType<typeof failEverywhere> {
  const { tasks, others } = failuresOf(scenario);
  return failEverywhere(scenario, (step) => [
    ...(step % TASKS === 0 ? tasks : []),
    ...(step % OTHERS === 0 ? others : []),
  ]);
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
    expect(runs).toBeGreaterThan(long ? 2000 : 600);
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
