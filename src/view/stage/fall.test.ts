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
  { at: { after: "CheckpointTriggered", checkpoint: 2 }, do: "lose-rpc", rpc: "ack", target: "total[1]" },
]);
const done = runScenario(scenario);
const layout = await stageLayout(done.graph, { width: 1060, height: 560 });
const lostAt = new Story(done).last("MessageLost", {}).step;

function sceneAt(step: number): Scene {
  const view = initialView(scenario, done.graph);
  advance(view, done.log, step);
  const states = createFollower().follow(done.log, view);
  return frameAt(
    view,
    states,
    view.clock,
    layout,
    laterWith(() => []),
  ).scene;
}

const scene = sceneAt(lostAt);
const envelopes = scene.tokens.filter(({ kind }) => kind === "envelope");
const lost = at(
  envelopes.filter(({ falls }) => falls !== null),
  0,
);
const share = (token: Token, part: number, still = false): ReturnType<typeof placeOf> =>
  placeOf(token, token.departure + (token.arrival - token.departure) * part, still);

describe("a message that is lost", () => {
  test("CP-129a: it goes half its way, then falls off it and below it, and is gone when it would have arrived", () => {
    expect(envelopes.filter(({ falls }) => falls !== null)).toHaveLength(1);
    expect(lost.letter).toBe("A");
    const ways = [0, 0.2, 0.44, 0.46, 0.7, 0.99].map((part) => share(lost, part));
    expect(ways.map((place) => (place?.fallen ?? 0) > 0)).toEqual([false, false, false, true, true, true]);
    const breaks = ways[3]?.y ?? 0;
    // An acknowledgement rises to the JobManager; what is lost does not come so far, and sinks below where it broke off.
    expect(ways[0]?.y).toBeGreaterThan(breaks);
    expect(ways[5]?.y).toBeGreaterThan(breaks + 50);
    expect(ways[5]?.x).toBeLessThan((ways[3]?.x ?? 0) - 20);
    expect(share(lost, 1)).toBeNull();
  });

  test("its place is a function of the log and the time: the same step and time give the same place, in any order", () => {
    const again = at(
      sceneAt(lostAt).tokens.filter(({ falls }) => falls !== null),
      0,
    );
    const parts = [0.9, 0.1, 0.6, 0.3];
    expect(parts.map((part) => share(again, part))).toEqual(parts.map((part) => share(lost, part)));
  });

  test("without motion it lies where it has fallen, from the moment it is sent until it would have arrived", () => {
    const end = share(lost, 0, true);
    expect(end?.fallen).toBe(1);
    expect(share(lost, 0.5, true)).toEqual(end);
    expect(share(lost, 0.99)?.y).toBeCloseTo(end?.y ?? 0, -1);
  });

  test("the legend of the stage has it while it falls, and the presentation gives it the time to be seen", () => {
    expect(legendOf(scene)).toContain("lost");
    expect(legendOf(sceneAt(lostAt - 1))).not.toContain("lost");
    const clock = new PresentationClock(done.graph, scenario.timing);
    clock.extend(done.log);
    const seen = clock.presentationAtClock(lost.arrival) - clock.presentationOf(lostAt);
    expect(seen).toBeGreaterThanOrEqual(600);
  });
});
