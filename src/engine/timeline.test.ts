/** Time travel: seeks and forks change nothing that has been, keyframes change nothing but speed. */
import { describe, expect, test } from "vitest";
import { advance, below, stream } from "../base/prng.ts";
import type { EventLog } from "../protocol/log.ts";
import { traceLines } from "../protocol/trace.ts";
import { referenceOf } from "../scenario/reference.ts";
import { conclude } from "./conclusion.ts";
import { runScenario } from "./run.ts";
import { command, libraryScenario } from "./testing/runs.ts";
import { counter, sink, small, source } from "./testing/stories.ts";
import { Timeline } from "./timeline.ts";

const ids = ["order-totals", "linear", "shuffle", "two-lanes"];

function toEnd(timeline: Timeline, branch: number): void {
  while (timeline.extend(branch));
}

function linesOf(timeline: Timeline, log: EventLog): string {
  return [...traceLines(timeline.tip(0).session.plan.graph, log)].join("");
}

describe.each(ids)("%s", (id) => {
  test("a run's report and trace are the same twice, and after 200 random seeks and forks", () => {
    const scenario = libraryScenario(id);
    const first = runScenario(scenario);
    const trace = [...traceLines(first.graph, first.log)].join("");
    const timeline = new Timeline(scenario);
    toEnd(timeline, 0);
    expect(linesOf(timeline, timeline.branches[0]!.log)).toBe(trace);
    const seed = 20_261_129;
    let state = stream(seed, `seeks ${id}`);
    const draw = (bound: number): number => below((state = advance(state)), bound);
    const { subtasks } = first.graph;
    for (let i = 0; i < 200; i++) {
      const branch = draw(timeline.branches.length);
      const { log } = timeline.branches[branch]!;
      const step = draw(log.length);
      if (i % 4 === 0 && timeline.branches.length < 40) {
        const child = timeline.fork(branch, step, command("fail-task", subtasks[draw(subtasks.length)]!.name));
        for (let entries = draw(400); entries > 0 && timeline.extend(child.id); entries--);
      } else {
        const there = timeline.simulationAt(branch, step);
        expect(there.world.step, `seed ${seed}, seek ${i}`).toBe(step);
      }
      if (i % 50 === 49) timeline.dropKeyframes();
    }
    expect(linesOf(timeline, timeline.branches[0]!.log)).toBe(trace);
    const { log } = timeline.branches[0]!;
    const { report } = conclude(timeline.tip(0), null, log, timeline.ended(0) ?? "stuck", referenceOf(scenario));
    expect(JSON.stringify(report)).toBe(JSON.stringify(first.report));
    for (const { parent, step, log } of timeline.branches) {
      if (parent === null) continue;
      const before = timeline.branches[parent]!.log;
      for (let at = Math.max(0, step - 5); at < step; at++) expect(log.clock(at)).toBe(before.clock(at));
    }
  });

  test("a seek lands in the world that playing reaches, with keyframes and without", () => {
    const timeline = new Timeline(libraryScenario(id));
    toEnd(timeline, 0);
    const played = new Timeline(libraryScenario(id));
    const { length } = timeline.branches[0]!.log;
    for (const part of [0.1, 0.37, 0.5, 0.93]) {
      const step = Math.floor(length * part);
      while (played.tip(0).world.step < step) played.extend(0);
      const wanted = played.simulationAt(0, step).world.fingerprint(1);
      expect(timeline.simulationAt(0, step).world.step).toBe(step);
      const withKeyframes = timeline.simulationAt(0, step);
      timeline.dropKeyframes();
      const without = timeline.simulationAt(0, step);
      expect(without.world.fingerprint(7)).toBe(withKeyframes.world.fingerprint(7));
      expect(wanted).toBe(played.tip(0).world.fingerprint(1));
    }
  });

  test("a fork that is made again is the same, entry by entry", () => {
    const traces = [1, 2].map(() => {
      const timeline = new Timeline(libraryScenario(id));
      toEnd(timeline, 0);
      const step = Math.floor(timeline.branches[0]!.log.length / 2);
      const child = timeline.fork(0, step, command("fail-task", timeline.tip(0).session.plan.graph.subtasks[1]!.name));
      toEnd(timeline, child.id);
      const middle = Math.floor((step + child.log.length) / 2);
      expect(timeline.simulationAt(child.id, middle).world.step).toBe(middle);
      timeline.dropKeyframes();
      expect(timeline.simulationAt(child.id, middle).world.fingerprint(3)).toBe(
        timeline.simulationAt(child.id, middle).world.fingerprint(3),
      );
      return linesOf(timeline, child.log);
    });
    expect(traces[1]).toBe(traces[0]);
  });
});

test("a long run's keyframes are bounded in memory, and a seek still lands where playing does", () => {
  const long = small({
    vertices: [source("S", { parallelism: 4 }), counter("C", { parallelism: 4 }), sink("K", { parallelism: 4 })],
    edges: ["S hash C", "C rebalance K"],
    cluster: { taskManagers: 4, slots: 1 },
    topics: { in: { partitions: 4, records: 8000, every: "10 ms", keys: 64 }, out: { partitions: 2 } },
  });
  const run = new Timeline(long);
  toEnd(run, 0);
  const { length } = run.branches[0]!.log;
  expect(length).toBeGreaterThan(60_000);
  expect(run.keyframeBytes).toBeLessThanOrEqual(9_000_000);
  for (const step of [10, Math.floor(length / 3), length - 7]) {
    const there = run.simulationAt(0, step).world;
    expect(there.step).toBe(step);
  }
});
