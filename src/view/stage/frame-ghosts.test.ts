/** What the stage shows of state that a failure took. */
import { expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import { runScenario } from "../../engine/run.ts";
import { withFaults } from "../../engine/testing/runs.ts";
import { Story } from "../../engine/testing/stories.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { createFollower } from "../machines/follower.ts";
import { frameAt } from "./frame.ts";
import { laterWith } from "./frame-later.ts";
import type { SubtaskFrame } from "./frame-types.ts";
import { stageLayout } from "./layout.ts";
import { legendOf } from "./marks/legend.ts";

const scenario = withFaults("order-totals", [
  { at: { after: "CheckpointCompleted", checkpoint: 2 }, do: "fail-task", target: "total[0]" },
]);
const done = runScenario(scenario);
const story = new Story(done);
const layout = await stageLayout(done.graph, { width: 1060, height: 560 });

function shownAt(step: number, name: string): { subtask: SubtaskFrame; legend: readonly string[] } {
  const view = initialView(scenario, done.graph);
  advance(view, done.log, step);
  const { scene } = frameAt(
    view,
    createFollower().follow(done.log, view),
    view.clock,
    layout,
    laterWith(() => []),
  );
  const subtask = at(
    scene.subtasks.filter((each) => each.name === name),
    0,
  );
  return { subtask, legend: legendOf(scene) };
}
const restored = story.last("StateRestored", { subtask: "total[0]" });

test("FR-082, FR-085: a task that is restored shows each key as it is and as it was, and rolls from one to the other", () => {
  const { subtask, legend } = shownAt(restored.step, "total[0]");
  const before = shownAt(story.last("TaskStopped", { subtask: "total[0]", attempt: 0 }).step - 1, "total[0]").subtask;
  expect(subtask.ghost?.kind).toBe("keys");
  const behind = (subtask.ghost?.values ?? []).filter((value) => value.before !== null);
  expect(behind.length).toBeGreaterThan(0);
  for (const { key, before: was, now } of behind) {
    expect(was).toBe(before.state.find((entry) => entry.key === key)?.value);
    expect(now ?? 0).toBeLessThan(was ?? 0);
  }
  const { clock } = restored;
  expect(subtask.ghost?.rolls).toEqual({ from: clock, to: clock + scenario.timing.restore });
  expect(legend).toContain("ghost");
});

test("FR-085: a source shows the position that it had, and nothing once it has passed it", () => {
  const { ghost } = shownAt(restored.step, "orders[0]").subtask;
  expect(ghost?.kind).toBe("positions");
  const { before, now } = at(ghost?.values ?? [], 0);
  expect(now ?? 0).toBeLessThan(before ?? 0);
  const end = shownAt(done.log.length - 1, "orders[0]");
  expect(end.subtask.ghost).toBeNull();
  expect(end.legend).not.toContain("ghost");
});
