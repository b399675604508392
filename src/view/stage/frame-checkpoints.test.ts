/** What frames say of checkpoints under way, over runs of the library. */
import { describe, expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import { runScenario } from "../../engine/run.ts";
import { libraryScenario } from "../../engine/testing/runs.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { EventNumber } from "../../protocol/events.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { createFollower } from "../machines/follower.ts";
import type { Scene } from "./frame-types.ts";
import { frameAt } from "./frame.ts";
import { stageLayout } from "./layout.ts";

/** Scenes after the entries of one type, at most `most` of them. */
async function scenesAfter(scenario: Scenario, type: keyof typeof EventNumber, most = 40): Promise<Scene[]> {
  const { graph, log } = runScenario(scenario);
  const layout = await stageLayout(graph, { width: 1100, height: 560 });
  const view = initialView(scenario, graph);
  const follower = createFollower();
  const scenes: Scene[] = [];
  for (let step = 0; step < log.length && scenes.length < most; step++) {
    advance(view, log, step);
    const states = follower.follow(log, view);
    if (log.type(step) === EventNumber[type]) scenes.push(frameAt(view, states, view.clock, layout).scene);
  }
  return scenes;
}

const unaligned = libraryScenario("unaligned");
const { checkpointing } = unaligned.config;
const changed = (change: Partial<typeof checkpointing>): Scenario => ({
  ...unaligned,
  config: { ...unaligned.config, checkpointing: { ...checkpointing, ...change } },
});

describe("channel state", () => {
  test("CP-077, CP-079: what a checkpoint stores is marked, being stored first, and stored once it is persisted", async () => {
    const during = (await scenesAfter(unaligned, "InFlightDataPersisted")).flatMap(({ tokens }) => tokens);
    expect(new Set(during.flatMap(({ captured }) => captured?.side ?? []))).toEqual(new Set(["input", "output"]));
    expect(during.some(({ captured }) => captured?.stored === false)).toBe(true);
    const after = (await scenesAfter(unaligned, "SnapshotPersisted")).flatMap(({ tokens }) => tokens);
    expect(after.some(({ captured }) => captured?.stored === true)).toBe(true);
    for (const { captured, kind } of [...during, ...after]) if (captured !== null) expect(kind).toBe("record");
  });

  test("an aligned run has no such marks, and no barrier overtakes in it", async () => {
    const aligned = await scenesAfter(changed({ unaligned: false }), "BarrierReceived");
    const tokens = aligned.flatMap((scene) => scene.tokens);
    expect(tokens.filter(({ captured, overtakes, restored }) => captured !== null || overtakes || restored)).toEqual(
      [],
    );
  });

  test("CP-085: restored records are in brackets until they are processed", async () => {
    const failing: Scenario = {
      ...unaligned,
      faults: [
        {
          at: { kind: "after", event: "CheckpointCompleted", match: { checkpoint: 2 }, nth: 1 },
          do: "fail-task",
          target: "count[0]",
          rpc: null,
          checkpoint: null,
          count: 1,
          for: null,
        },
      ],
    };
    const scenes = await scenesAfter(failing, "ChannelStateRestored");
    expect(scenes.at(-1)?.tokens.some(({ restored }) => restored)).toBe(true);
    const last = (await scenesAfter(failing, "CheckpointCompleted", 99)).at(-1);
    expect(last?.tokens.some(({ restored }) => restored)).toBe(false);
  });
});

describe("how a subtask takes part", () => {
  const marks = async (scenario: Scenario): Promise<Set<string>> =>
    new Set(
      (await scenesAfter(scenario, "BarrierReceived", 200)).flatMap(({ subtasks }) =>
        subtasks.flatMap(({ alignment }) => alignment ?? []),
      ),
    );

  test("CP-042, CP-072, CP-073: aligned, unaligned, or turned from one to the other", async () => {
    expect(await marks(changed({ unaligned: false }))).toEqual(new Set(["aligned"]));
    expect(await marks(unaligned)).toEqual(new Set(["unaligned"]));
    expect(await marks(libraryScenario("aligned-timeout"))).toContain("converted");
  });

  test("CP-060: at-least-once has none of it, for nothing waits", async () => {
    expect(await marks(changed({ unaligned: false, mode: "AT_LEAST_ONCE" }))).toEqual(new Set());
  });

  test("with several checkpoints in flight a ring is of the oldest that its subtask has not acknowledged", async () => {
    const scenes = await scenesAfter(
      changed({ unaligned: false, interval: 100, maxConcurrent: 3 }),
      "BarrierReceived",
      200,
    );
    const rings = scenes.map(({ subtasks }) => new Set(subtasks.flatMap(({ ring }) => ring?.checkpoint ?? [])).size);
    expect(Math.max(...rings)).toBeGreaterThan(1);
    const pending = scenes.map(({ jobManager }) => jobManager.current.length);
    expect(Math.max(...pending)).toBe(3);
  });
});

test("the vertex of the cause says so, and is not backpressured", async () => {
  const [scene] = (await scenesAfter(unaligned, "CheckpointCompleted")).slice(1, 2);
  const cause = scene?.vertexLoads.find((load) => load.cause);
  expect(scene?.vertices[cause?.id ?? -1]?.name).toBe("Count per page");
  expect(cause?.level).toBe("OK");
});

test("four vertices in a row fit the stage of a window of 1440 pixels", async () => {
  const { graph } = runScenario(unaligned);
  const layout = await stageLayout(graph, { width: 1100, height: 560 });
  expect(layout.width).toBe(1100);
  for (const { box } of layout.vertices) expect(box.x + box.width).toBeLessThan(layout.width);
  expect(at(layout.channels, 0)?.slots).toBeGreaterThan(3);
});
