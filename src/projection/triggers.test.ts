import { expect, test } from "vitest";
import { runScenario } from "../engine/run.ts";
import { atTime, lane, small } from "../engine/testing/stories.ts";
import { EventNumber } from "../protocol/events.ts";
import { triggerOf } from "./triggers.ts";

test("CP-003, CP-009, CP-160: a checkpoint comes by its interval, behind another that it waited for, or by command", () => {
  const { log } = runScenario(
    small({
      ...lane(1),
      topics: { in: { records: 60, every: "100 ms", keys: 3 } },
      checkpointing: { interval: "1 s", "max-concurrent-checkpoints": 1, "savepoint-dir": "file:///sp" },
      initialDelay: 500,
      timing: { "snapshot.async": "1200 ms" },
      faults: [atTime(2300, "trigger-savepoint")],
      until: { time: "6 s" },
    }),
  );
  const triggers = Array.from({ length: log.length }, (_, step) => step)
    .filter((step) => log.type(step) === EventNumber.CheckpointTriggered)
    .map((step) => triggerOf(log, step));
  expect(triggers[0]).toEqual({ by: "interval" });
  expect(triggers).toContainEqual({ by: "queue" });
  expect(triggers).toContainEqual({ by: "command", verb: "trigger-savepoint" });
});
