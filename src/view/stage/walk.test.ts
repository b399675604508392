import { expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { libraryScenario } from "../../engine/testing/runs.ts";
import { advance, initialView } from "../../projection/fold.ts";
import { createFollower } from "../machines/follower.ts";
import { elementKey, type StageElement, type Stop } from "./elements.ts";
import type { Scene } from "./frame-types.ts";
import { frameAt } from "./frame.ts";
import { stageLayout } from "./layout.ts";
import { type Step, walk } from "./walk.ts";

const scenario = libraryScenario("order-totals");
const { graph, log } = runScenario(scenario);
const layout = await stageLayout(graph, { width: 960, height: 560 });

/** The scene while checkpoint 2 is pending. */
function pendingScene(): Scene {
  const view = initialView(scenario, graph);
  for (let step = 0; step < log.length; step++) {
    advance(view, log, step);
    if (view.coordinator.pending.includes(2) && view.transactions.length > 1) break;
  }
  return frameAt(view, createFollower().follow(log, view), view.clock, layout).scene;
}

const scene = pendingScene();
const steps: readonly Step[] = [
  "right",
  "left",
  "up",
  "down",
  "skipRight",
  "skipLeft",
  "first",
  "last",
  "nextVertex",
  "previousVertex",
];
const start: StageElement = { kind: "subtask", id: 0 };

function step(from: Stop, way: Step, channelEnd: "from" | "to" = "from"): string {
  const walked = walk({ graph, scene, channelEnd }, from, way);
  return "edge" in walked ? walked.edge : elementKey(graph, walked.to);
}

test("right follows an output channel to its receiver, left comes back", () => {
  expect(step(start, "right")).toBe("channel:orders[0]->total[0]");
  expect(step({ kind: "channel", id: 0 }, "right")).toBe("subtask:total[0]");
  expect(step({ kind: "channel", id: 0 }, "left")).toBe("subtask:orders[0]");
  expect(step({ kind: "channel", id: 0 }, "down")).toBe("channel:orders[0]->total[1]");
  expect(step(start, "skipRight")).toBe("subtask:total[0]");
});

test("above the first subtask is its vertex's heading; headings lead along the edges, and up to the JobManager", () => {
  expect(step(start, "up")).toBe("vertex:orders");
  const heading: Stop = { kind: "vertex", id: 0 };
  expect(
    ["right", "down", "up", "nextVertex", "left", "previousVertex"].map((way) => step(heading, way as Step)),
  ).toEqual(["vertex:total", "subtask:orders[0]", "jobManager", "vertex:total", "input", "before"]);
});

test("at a rim the walk says so and does not wrap", () => {
  expect(step({ kind: "output", id: 0 }, "right")).toBe("output");
  expect(step({ kind: "jobManager", id: 0 }, "up")).toBe("before");
});

test("everything that is drawn is reached from the first source by arrow keys alone", () => {
  const seen = new Map<string, Stop>([[elementKey(graph, start), start]]);
  const open: Stop[] = [start];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const way of steps) {
      for (const channelEnd of ["from", "to"] as const) {
        const walked = walk({ graph, scene, channelEnd }, from, way);
        if ("edge" in walked || seen.has(elementKey(graph, walked.to))) continue;
        seen.set(elementKey(graph, walked.to), walked.to);
        open.push(walked.to);
      }
    }
  }
  const all: Stop[] = [
    ...scene.vertices.map(({ id }): Stop => ({ kind: "vertex", id })),
    ...scene.subtasks.map(({ id }): StageElement => ({ kind: "subtask", id })),
    ...scene.channels.map(({ id }): StageElement => ({ kind: "channel", id })),
    ...scene.subtasks.flatMap(({ transactions }) =>
      transactions.map(({ id }): StageElement => ({ kind: "transaction", id })),
    ),
    ...scene.inputs.map(({ id }): StageElement => ({ kind: "input", id })),
    ...scene.outputs.map(({ id }): StageElement => ({ kind: "output", id })),
    ...scene.taskManagers.map(({ id }): StageElement => ({ kind: "taskManager", id })),
    ...scene.storage.checkpoints.map(({ id }): StageElement => ({ kind: "checkpoint", id })),
    { kind: "jobManager", id: 0 },
    { kind: "storage", id: 0 },
  ];
  expect(all.map((element) => elementKey(graph, element)).filter((key) => !seen.has(key))).toEqual([]);
});
