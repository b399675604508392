import { describe, expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import { runScenario } from "../../engine/run.ts";
import { withFaults } from "../../engine/testing/runs.ts";
import { Story } from "../../engine/testing/stories.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { PresentationClock } from "../clock.ts";
import { createFollower } from "../machines/follower.ts";
import type { Scene, Token } from "./frame-types.ts";
import { frameAt } from "./frame.ts";
import { laterWith } from "./frame-later.ts";
import { stageLayout } from "./layout.ts";
import { legendOf } from "./marks/legend.ts";
import { placeOf } from "./motion.ts";

const scenario = withFaults("order-totals", [
  {
    at: { after: "CheckpointCompleted", checkpoint: 1 },
    do: "rescale",
    vertex: "total",
    parallelism: 3,
    path: "s3://demo/savepoints",
  },
]);
const done = runScenario(scenario);
const story = new Story(done);
const graph = at(done.graphs, 1);
const layout = await stageLayout(graph, { width: 1060, height: 560 });

function sceneAt(step: number): Scene {
  const view = initialView(scenario, done.graph);
  advance(view, done.log, step);
  return frameAt(
    view,
    createFollower().follow(done.log, view),
    view.clock,
    layout,
    laterWith(() => []),
  ).scene;
}
const chips = ({ tokens }: Scene): Token[] => tokens.filter(({ kind }) => kind === "state");
const given = (scene: Scene): string[] =>
  scene.subtasks.flatMap(({ name, given: pieces }) => (pieces.length === 0 ? [] : [`${name}: ${pieces.join(", ")}`]));
const last = (type: "StateRestored" | "TaskStateChanged", match: object): number =>
  story.last(type, { submission: 1, ...match }).step;

describe("state on its way to the subtasks of another parallelism", () => {
  test("CP-175, CP-177, CP-180: each subtask is given its key groups, splits and elements, from the old subtask that had them", () => {
    const scene = sceneAt(last("StateRestored", {}));
    expect(given(scene)).toEqual([
      "orders[0]: orders-0 ← [0]",
      "orders[1]: orders-1 ← [1]",
      "total[0]: 0–42 ← [0]",
      "total[1]: 43–63 ← [0], 64–85 ← [1]",
      "total[2]: 86–127 ← [1]",
      "out[0]: ← [0]",
    ]);
    expect(chips(scene).map(({ letter }) => letter)).toEqual(scene.subtasks.flatMap((subtask) => subtask.given));
    expect(legendOf(scene)).toContain("given");
  });

  test("they come from the snapshot in storage, and stand on their card until its attempt runs", () => {
    const restored = sceneAt(last("StateRestored", {}));
    expect(restored.storage.checkpoints.map(({ id, savepoint }) => [id, savepoint])).toContainEqual([2, true]);
    const { storage } = layout;
    const before = sceneAt(last("TaskStateChanged", { subtask: "total[1]", to: "INITIALIZING" }));
    for (const token of chips(restored)) {
      const start = placeOf(token, token.departure);
      expect(start?.x).toBeGreaterThanOrEqual(storage.x);
      expect(start?.x).toBeLessThanOrEqual(storage.x + storage.width + 1);
    }
    for (const [subtask, { given: pieces }] of before.subtasks.entries()) {
      const { box } = at(layout.subtasks, subtask);
      const own = chips(before).filter(({ letter }) => pieces.includes(letter));
      const inside = own.filter((token) => {
        const { x, y } = placeOf(token, token.arrival + 40) ?? { x: -1, y: -1 };
        return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
      });
      expect(inside.length).toBeGreaterThanOrEqual(pieces.length);
    }
    expect(
      chips(sceneAt(last("TaskStateChanged", { subtask: "total[1]", to: "RUNNING" }))).map(({ letter }) => letter),
    ).not.toContain("64–85 ← [1]");
    expect(given(sceneAt(done.log.length - 1))).toEqual([]);
  });

  test("the way there can be watched, and is a function of the time alone", () => {
    const clock = new PresentationClock(graph, scenario.timing);
    clock.extend(done.log);
    const step = last("StateRestored", {});
    for (const token of chips(sceneAt(step))) {
      const watched = clock.presentationAtClock(token.arrival) - clock.presentationAtClock(token.departure);
      expect(watched).toBeGreaterThan(240);
      for (const share of [0, 0.3, 0.7, 1]) {
        const moment = token.departure + share * (token.arrival - token.departure);
        expect(placeOf(token, moment)).toEqual(placeOf(structuredClone(token), moment));
      }
    }
  });

  test("without motion each stands where it goes", () => {
    for (const token of chips(sceneAt(last("StateRestored", {}))))
      expect(placeOf(token, token.departure, true)).toEqual(placeOf(token, token.arrival + 1));
  });

  test("a recovery within a job shows none", () => {
    const failing = withFaults("order-totals", [{ at: { time: "1500 ms" }, do: "fail-task", target: "total[1]" }]);
    const run = runScenario(failing);
    const view = initialView(failing, run.graph);
    const restored = new Story(run).last("StateRestored").step;
    advance(view, run.log, restored);
    const scene = frameAt(view, createFollower().follow(run.log, view), view.clock, layout).scene;
    expect(given(scene)).toEqual([]);
    expect(chips(scene)).toEqual([]);
  });
});
