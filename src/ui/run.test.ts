/** A run whose job is submitted anew, as the page goes over it: stage, clock, timeline, index and ledger. */
import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { atTime, counter, sink, small, source } from "../engine/testing/stories.ts";
import { createFollower } from "../view/machines/follower.ts";
import { createFrames } from "../view/stage/frame.ts";
import { stageLayout } from "../view/stage/layout.ts";
import { factsOf } from "./facts.ts";
import { Run } from "./run.ts";
import { timelineMarks } from "./timeline-marks.ts";

const scenario = small({
  vertices: [source("S"), counter("C", { parallelism: 2 }), sink("K")],
  edges: ["S rebalance C", "C rebalance K"],
  cluster: { taskManagers: 1, slots: 4 },
  config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
  faults: [
    atTime(300, "rescale", { vertex: "C", parallelism: 4 }),
    atTime(900, "fail-task", { target: "C[3]" }),
    atTime(2500, "rescale", { vertex: "K", parallelism: 2 }),
  ],
});

function pageRun(): Run {
  const { graph, log } = runScenario(scenario);
  const run = new Run({ graph, scenario, parent: null, base: 0, commands: scenario.faults });
  run.append(log.chunk(0));
  return run;
}

test("the stage lays out the graph of the job at the cursor, and the old one again on the way back", async () => {
  const run = pageRun();
  expect(run.jobs.graphs.map(({ subtasks }) => subtasks.length)).toEqual([4, 6, 7]);
  const follower = createFollower();
  const frames = createFrames();
  const layouts = await Promise.all(run.jobs.graphs.map((graph) => stageLayout(graph, { width: 1200, height: 700 })));
  const steps = Array.from({ length: run.log.length }, (_, step) => step);
  for (const step of [...steps, ...steps.toReversed().filter((back) => back % 13 === 0)]) {
    const view = run.stageViews.viewAt(step);
    const { graph } = run.jobs.at(step);
    expect(view.shared.graph).toEqual(graph);
    const { scene } = frames(view, follower.follow(run.log, view), view.clock, at(layouts, view.past.length));
    expect(scene.subtasks).toHaveLength(graph.subtasks.length);
  }
});

test("time goes on, and marks and sentences have the names of their job", () => {
  const run = pageRun();
  const facts = factsOf(run);
  const { report } = runScenario(scenario);
  expect(run.clock.length).toBe(run.log.length);
  expect(run.clock.momentAt(run.clock.total).clock).toBeGreaterThanOrEqual(run.log.clock(run.log.length - 1));
  const branch = {
    branch: { id: 0, parent: null, step: 0, command: null },
    run,
    length: run.log.length,
    report: null,
    violation: null,
    name: null,
    judged: 0,
    paused: false,
    removed: false,
  };
  const marks = timelineMarks(branch, [branch]);
  expect(new Set(marks.transactions.map(({ subtask }) => subtask))).toEqual(new Set(["K[0]", "K[1]"]));
  const failed = marks.faults.find(({ fault }) => fault.do === "fail-task");
  expect(at(failed?.graph.subtasks ?? [], failed?.fault.subtask ?? -1).name).toBe("C[3]");
  for (let step = 0; step < run.log.length; step++) facts.explainer.explain(step);
  expect(facts.index.phases.length).toBeGreaterThan(10);
  expect(facts.ledgerAt(run.log.length - 1).verdict).toEqual(report.verdict);
});
