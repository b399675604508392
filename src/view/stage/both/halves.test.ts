/** One picture of two runs: which halves differ, what is said of them, and where the line is. */
import { describe, expect, test } from "vitest";
import { runScenario } from "../../../engine/run.ts";
import { atTime, fixedDelay, lane, small } from "../../../engine/testing/stories.ts";
import { advance, initialView } from "../../../projection/fold.ts";
import { enCompare } from "../../../ui/text/en-compare.ts";
import { enStage } from "../../../ui/text/en-stage.ts";
import { createFollower } from "../../machines/follower.ts";
import { frameAt } from "../frame.ts";
import type { Frame } from "../frame-types.ts";
import { stageLayout } from "../layout.ts";
import { apart, apartIn, describeBoth } from "./describe.ts";
import { differing, halfOf, halvedLayers, halvesOf, sharedTokens, statesOf } from "./halves.ts";

const scenario = (faults: readonly object[]) =>
  small({
    ...lane(2, { chain: false }),
    topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 4 }, out: { partitions: 2 } },
    cluster: { taskManagers: 2, slots: 2 },
    restart: fixedDelay(3, "1 s"),
    faults: faults as never,
  });

/** The run's frame at an instant. */
async function frames(faults: readonly object[], clocks: readonly number[]): Promise<Frame[]> {
  const given = scenario(faults);
  const { graph, log } = runScenario(given);
  const layout = await layouts;
  const view = initialView(given, graph);
  const follower = createFollower();
  const made: Frame[] = [];
  for (let step = 0; step < log.length; step++) {
    const clock = clocks[made.length];
    if (clock !== undefined && log.clock(step) > clock)
      made.push(frameAt(view, follower.follow(log, view), clock, layout));
    advance(view, log, step);
  }
  return made;
}

const layouts = stageLayout(runScenario(scenario([])).graph, { width: 1100, height: 560 });
const fail = atTime(900, "fail-task", { target: "M[0]" });

const asked = atTime(800, "trigger-checkpoint");

describe("X-05: one picture of two runs", () => {
  test("has no halves where both are the same, though they are made apart", async () => {
    const [once, again] = [await frames([], [850, 1500]), await frames([], [850, 1500])];
    for (const [index, frame] of once.entries()) {
      const halves = halvesOf(frame.scene, again[index]!.scene);
      expect(halvedLayers.filter((layer) => halves[layer].size > 0)).toEqual([]);
      expect(sharedTokens(frame, again[index]!, false).size % 2).toBe(0);
    }
    // Before the fault the two runs are one.
    const [before] = await frames([fail], [850]);
    expect(differing(halvesOf(once[0]!.scene, before!.scene))).toEqual([]);
  });

  test("halves what is not the same, and names say in words what each run says alone", async () => {
    const [a, b] = [(await frames([], [950]))[0]!, (await frames([fail], [950]))[0]!];
    const halves = halvesOf(a.scene, b.scene);
    const failed = a.scene.subtasks.findIndex(({ name }) => name === "M[0]");
    expect(halves.subtasks.get(failed)).toBe("differs");
    expect(statesOf("subtasks", failed, a.scene, b.scene, enStage)?.a).toBe("RUNNING");
    const element = { kind: "subtask", id: failed } as const;
    const told = apartIn(element, { a: a.scene, b: b.scene }, { text: enStage, both: enCompare.both });
    const words = describeBoth("differs", told, enCompare.both);
    expect(words).toMatch(/^M, subtask 0 of 2 differs: A RUNNING.*; B /);
    expect(words).not.toContain("F for faults");
  });

  test("turned round, halves are the same, and what only one has is the other's", async () => {
    const [a, b] = [(await frames([], [805]))[0]!, (await frames([asked], [805]))[0]!];
    const [there, back] = [halvesOf(a.scene, b.scene), halvesOf(b.scene, a.scene)];
    const turned = { differs: "differs", a: "b", b: "a" } as const;
    for (const layer of halvedLayers) {
      const expected = new Map([...there[layer]].map(([id, half]) => [id, turned[half]] as const));
      expect(back[layer]).toEqual(expected);
    }
    expect(differing(there).some(([, half]) => half !== "differs")).toBe(true);
  });

  test("a token that both have at one place is drawn once; a pair has one of each run", async () => {
    const [a, b] = [(await frames([], [1250]))[0]!, (await frames([fail], [1250]))[0]!];
    const shared = sharedTokens(a, b, false);
    const ofA = a.scene.tokens.filter((token) => shared.has(token));
    const ofB = b.scene.tokens.filter((token) => shared.has(token));
    expect(ofA.length).toBe(ofB.length);
    expect(a.scene.tokens.length + b.scene.tokens.length).toBeGreaterThan(shared.size);
  });
});

test("the two halves of a box are the box, wherever the line is", () => {
  const box = { x: 10, y: 5, width: 80, height: 20 };
  for (const share of [0, 0.25, 0.5, 1]) {
    const [left, right] = [halfOf(box, "a", share), halfOf(box, "b", share)];
    expect(left.width + right.width).toBe(80);
    expect(left.x + left.width).toBe(right.x);
    expect(right.width).toBe(80 * share);
  }
});

test("what two descriptions have in common is told once", () => {
  expect(apart("Count[0]. RUNNING. waits. state: A 1", "Count[0]. RUNNING. acknowledged. state: A 1")).toEqual({
    name: "Count[0]",
    a: "waits",
    b: "acknowledged",
    same: "RUNNING. state: A 1",
  });
  expect(apart("", "Checkpoint 3. FAILED")).toEqual({ name: "Checkpoint 3", a: "", b: "FAILED", same: "" });
});
