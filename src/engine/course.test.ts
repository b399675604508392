/** When a run that restarts over and over is stuck, and when it still has something to wait for. */
import { expect, test } from "vitest";
import { type Story, atTime, fixedDelay, lane, small, story } from "./testing/stories.ts";

/** The only TaskManager is lost at 1 s; each restart waits 100 ms for slots in vain. */
const without = (...back: readonly object[]): Story =>
  story(
    small({
      ...lane(1),
      cluster: { taskManagers: 1, slots: 1 },
      restart: fixedDelay(2_147_483_647, "100 ms"),
      config: { "slot.request.timeout": "100 ms" },
      timing: { "heartbeat.detect": "10 ms" },
      faults: [atTime(1000, "kill-taskmanager", { target: "tm-1" }), ...(back as { [key: string]: unknown }[])],
    }),
  );

test("FR-037: without a TaskManager to come, restarts that find no slots are without end", () => {
  expect(without().report).toMatchObject({ ended: "stuck", job: { restarts: 4 } });
});

test("FR-037: where one is to come at a time, the run goes on until then, however many restarts that takes", () => {
  const run = without(atTime(3000, "restart-taskmanager", { target: "tm-1" }));
  expect(run.report).toMatchObject({ ended: "drained", job: { status: "RUNNING" } });
  expect(run.report.job.restarts).toBeGreaterThan(8);
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});
