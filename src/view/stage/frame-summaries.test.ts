import { describe, expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import { runScenario } from "../../engine/run.ts";
import { advance, initialView } from "../../projection/fold.ts";
import type { RunView } from "../../projection/views.ts";
import { scenarioFrom } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { createFollower } from "../machines/follower.ts";
import type { Folds } from "./density.ts";
import { frameAt } from "./frame.ts";
import { shownExceptions } from "./frame-summaries.ts";
import type { PulledOut, Scene, SummaryFrame } from "./frame-types.ts";
import { stageLayout } from "./layout.ts";

type Json = { [key: string]: unknown };

/** Three vertices of so many subtasks; each with two inputs at least. */
function dense(parallelism: number, faults: readonly Json[] = []): Scenario {
  const parsed = scenarioFrom({
    format: 1,
    id: "dense",
    title: { en: "Dense" },
    job: {
      vertices: [
        { uid: "orders", type: "kafka-source", parallelism, topic: "orders" },
        { uid: "total", type: "keyed-sum", parallelism },
        { uid: "out", type: "kafka-sink", parallelism, topic: "totals", delivery: "at-least-once" },
      ],
      edges: [
        { from: "orders", to: "total", ship: "hash" },
        { from: "total", to: "out", ship: "rebalance" },
      ],
    },
    cluster: { taskManagers: 2, slots: Math.ceil(parallelism / 2) },
    topics: {
      orders: { partitions: parallelism, records: parallelism * 4, every: "50 ms", keys: parallelism },
      totals: { partitions: 1 },
    },
    config: { "execution.checkpointing.interval": "80 ms" },
    faults,
  });
  if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  return parsed.value;
}

interface Watched {
  readonly folds?: Folds;
  /** Only every so manieth entry. */
  readonly every?: number;
  /** Not before it holds for the first time. */
  readonly from?: (view: RunView) => boolean;
}

const triggered = ({ checkpoints }: RunView): boolean => checkpoints.length > 0;

/** Scenes of a run in the order of its entries. */
async function* scenes(
  scenario: Scenario,
  { folds = {}, every = 1, from = () => true }: Watched = {},
): AsyncGenerator<Scene> {
  const { graph, log } = runScenario(scenario);
  const layout = await stageLayout(graph, { width: 1100, height: 560 }, folds);
  const view = initialView(scenario, graph);
  const follower = createFollower();
  for (let step = 0; step < log.length; step++) {
    advance(view, log, step);
    if (step % every === 0 && from(view)) yield frameAt(view, follower.follow(log, view), view.clock, layout).scene;
  }
}

async function firstScene(scenario: Scenario, holds: (scene: Scene) => boolean, watched: Watched = {}): Promise<Scene> {
  for await (const scene of scenes(scenario, watched)) if (holds(scene)) return scene;
  throw new Error("no such scene");
}

function summaryOf({ summaries, graph }: Scene, uid: string): SummaryFrame {
  const index = graph.vertices.findIndex((vertex) => vertex.uid === uid);
  const found = summaries.find(({ id }) => id === index);
  if (found === undefined) throw new Error(`${uid} has no summary`);
  return found;
}

const named = (scene: Scene, exceptions: readonly PulledOut[]): string[] =>
  exceptions.map(({ subtask, why }) => `${at(scene.graph.subtasks, subtask).name} ${why}`);

describe("a vertex of 20 subtasks", () => {
  test("counts states and acknowledgements, and the bundle before it counts barriers", async () => {
    const some = (scene: Scene): boolean => {
      const { acknowledged } = summaryOf(scene, "total");
      return acknowledged !== null && acknowledged.count > 0 && acknowledged.count < acknowledged.of;
    };
    const scene = await firstScene(dense(20), some, { from: triggered, every: 9 });
    const total = summaryOf(scene, "total");
    expect(total.states.map(({ look, count }) => [look.label, count])).toEqual([["RUNNING", 20]]);
    expect(total.acknowledged).toMatchObject({ checkpoint: 1, of: 20 });
    expect(total.acknowledged?.count).toBe(
      scene.subtasks.filter(({ vertexName, ring }) => vertexName === "total" && ring?.phase === "acknowledged").length,
    );
    expect(total.fill).toBeNull();
  });

  test("CP-042: a bundle counts the channels that have delivered the barrier, until all have", async () => {
    const counts: number[] = [];
    for await (const { edges } of scenes(dense(20), { from: triggered, every: 5 })) {
      const count = edges[0]?.barriers;
      if (count?.checkpoint === 1) counts.push(count.arrived);
      if (count?.checkpoint === 2) break;
    }
    expect(counts[0]).toBeLessThan(20);
    expect(counts.toSorted((a, b) => a - b)).toEqual(counts);
    expect(Math.max(...counts)).toBeGreaterThan(19 * 20);
    expect(Math.max(...counts)).toBeLessThan(20 * 20);
  });

  test("one that fails is pulled out, and is not hidden by the others", async () => {
    const scenario = dense(20, [{ at: { time: "150 ms" }, do: "fail-task", target: "total[7]" }]);
    const scene = await firstScene(scenario, ({ subtasks }) => subtasks.some(({ dead }) => dead), {
      from: ({ faults }) => faults.length > 0,
    });
    expect(named(scene, summaryOf(scene, "total").exceptions)[0]).toBe("total[7] failed");
    expect(summaryOf(scene, "out").exceptions.filter(({ why }) => why === "failed")).toEqual([]);
  });

  test("those without an acknowledgement stand out once they are the smaller half", async () => {
    const found = new Map<string, number>();
    for await (const scene of scenes(dense(20), { from: triggered, every: 7 })) {
      if (scene.jobManager.completed.length > 0) break;
      for (const { acknowledged, exceptions } of scene.summaries) {
        const without = exceptions.filter(({ why }) => why === "unacknowledged").length;
        const missing = acknowledged === null ? 0 : acknowledged.of - acknowledged.count;
        expect(without).toBe(missing > 10 ? 0 : missing);
        found.set(without > 0 ? "some" : "none", without);
      }
    }
    expect([...found.keys()].toSorted()).toEqual(["none", "some"]);
  });

  test("opened, its subtasks are rows with states of their own; a small one that is closed is counted", async () => {
    const running = (scene: Scene): boolean => scene.vertices.every((vertex) => vertex.running === vertex.parallelism);
    const scene = await firstScene(dense(20), running, { folds: { total: "open" }, every: 5 });
    expect(scene.vertices.map(({ density }) => density)).toEqual(["cells", "compact", "cells"]);
    expect(scene.summaries.map(({ id }) => id)).toEqual([0, 2]);
    const closed = await firstScene(dense(4), running, { folds: { total: "closed" }, every: 5 });
    expect(closed.vertices.map(({ density }) => density)).toEqual(["full", "cells", "full"]);
    expect(summaryOf(closed, "total").states.map(({ count }) => count)).toEqual([4]);
  });
});

test("a vertex of 64 subtasks has bars: how full the inputs are and how far the alignment is", async () => {
  const part = (scene: Scene): boolean => {
    const { alignment } = summaryOf(scene, "total");
    return alignment !== null && at(alignment, 0) > 0 && at(alignment, 0) < 64;
  };
  const scene = await firstScene(dense(64), part, { from: triggered, every: 50 });
  const { fill, alignment } = summaryOf(scene, "total");
  const sum = (counts: readonly number[] | null): number => (counts ?? []).reduce((all, count) => all + count, 0);
  expect([sum(fill), sum(alignment)]).toEqual([64, 64]);
  expect(summaryOf(scene, "orders").fill).toBeNull();
});

test("at most five are named; of more the last place counts the rest, and the selected one comes first", () => {
  const exceptions = [1, 2, 3, 4, 5, 6].map((subtask): PulledOut => ({ subtask, why: "failed" }));
  const ids = (shown: ReturnType<typeof shownExceptions>): unknown => [
    shown.rows.map(({ subtask }) => subtask),
    shown.more,
  ];
  expect(ids(shownExceptions(exceptions.slice(0, 5), null, 5))).toEqual([[1, 2, 3, 4, 5], 0]);
  expect(ids(shownExceptions(exceptions, null, 5))).toEqual([[1, 2, 3, 4], 2]);
  expect(ids(shownExceptions(exceptions.slice(0, 5), null, 6))).toEqual([[1, 2, 3, 4, 5], 0]);
  expect(ids(shownExceptions(exceptions, null, 6))).toEqual([[1, 2, 3, 4, 5], 1]);
  expect(shownExceptions(exceptions, 4, 3)).toEqual({
    rows: [
      { subtask: 4, why: "failed" },
      { subtask: 1, why: "failed" },
    ],
    more: 4,
  });
  expect(shownExceptions([], 9, 3)).toEqual({ rows: [{ subtask: 9, why: "selected" }], more: 0 });
});
