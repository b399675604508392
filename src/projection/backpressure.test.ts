import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { libraryScenario } from "../engine/testing/runs.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type SubtaskLoad, levelOf, subtaskLoads } from "./backpressure.ts";
import { advance, initialView } from "./fold.ts";
import { Views } from "./keyframes.ts";
import { loadOf } from "./loads.ts";
import { LogBuilder } from "./testing/builder.ts";
import { variants } from "./testing/variants.ts";
import type { RunView } from "./views.ts";

function played(scenario: Scenario): { graph: ExecutionGraph; log: EventLog; start: RunView } {
  const { graph, log } = runScenario(scenario);
  return { graph, log, start: initialView(scenario, graph) };
}

/** Every task of the small job RUNNING at 0. */
function running(): LogBuilder {
  const made = new LogBuilder();
  made.add("JobStatusChanged", {}, [["jobStatus", 0, "CREATED", "RUNNING"]]);
  for (const { index } of made.graph.subtasks) {
    made.add("AttemptCreated", { subtask: index, attempt: 0 });
    made.add("TaskStateChanged", { subtask: index, attempt: 0, to: 3 }, [
      ["executionState", index, "DEPLOYING", "INITIALIZING"],
    ]);
    made.add("TaskStateChanged", { subtask: index, attempt: 0, to: 4 }, [
      ["executionState", index, "INITIALIZING", "RUNNING"],
    ]);
  }
  return made;
}

describe("a hand-made log", () => {
  test("a thread is busy with a record in hand, backpressured without a buffer to send into, else idle", () => {
    const made = running();
    const [source, sum] = [made.subtask("in[0]"), made.subtask("sum[0]")];
    const channel = made.channel("in[0]->sum[0]");
    const { capacity } = at(made.graph.edges, at(made.graph.channels, channel).edge);
    made.clock = 100;
    for (let record = 0; record < capacity; record++) made.add("RecordSent", { subtask: source, channel, record });
    made.clock = 200;
    made.add("RecordReceived", { subtask: sum, channel, record: 0 });
    made.clock = 230;
    const operator = made.operator("sum");
    made.add("RecordProcessed", { subtask: sum, operator, record: 0, value: 1 });
    made.clock = 350;
    const last = made.add("CheckpointTriggered", { checkpoint: 1, kind: 0 });
    const view = made.views().viewAt(last);
    expect(loadOf(view, sum)).toEqual({ busy: 30, backpressured: 0, idle: 270 });
    expect(loadOf(view, source).backpressured).toBe(100);
  });

  test("only the last second counts", () => {
    const made = running();
    const [sum, channel] = [made.subtask("sum[0]"), made.channel("in[0]->sum[0]")];
    made.clock = 300;
    made.add("RecordReceived", { subtask: sum, channel, record: 0 });
    made.clock = 700;
    const operator = made.operator("sum");
    made.add("RecordProcessed", { subtask: sum, operator, record: 0, value: 1 });
    made.clock = 1450;
    const early = made.add("CheckpointTriggered", { checkpoint: 1, kind: 0 });
    made.clock = 9000;
    const late = made.add("CheckpointTriggered", { checkpoint: 2, kind: 0 });
    const views = made.views();
    expect(loadOf(views.viewAt(early), sum)).toEqual({ busy: 300, backpressured: 0, idle: 700 });
    expect(loadOf(views.viewAt(late), sum)).toEqual({ busy: 0, backpressured: 0, idle: 1000 });
  });
});

test.each(variants)("%s: shares add up to 100, and a seek gives what playing gives", (_, scenario) => {
  const { log, start } = played(scenario);
  const views = new Views(log, start);
  const kept = new Map<number, SubtaskLoad[]>();
  for (let step = 0; step < log.length; step += 41) {
    const loads = subtaskLoads(views.viewAt(step));
    for (const { shares } of loads)
      if (shares !== null) expect(shares.busy + shares.backpressured + shares.idle).toBe(100);
    kept.set(step, loads);
  }
  for (const step of [...kept.keys()].reverse()) {
    views.dropKeyframes();
    expect(subtaskLoads(views.viewAt(step)), `entry ${step}`).toEqual(kept.get(step));
  }
});

test("the slow keyed counter is the cause, and all before it are its victims", () => {
  const { graph, log, start } = played(libraryScenario("unaligned"));
  const names = (subtasks: readonly number[]): string[] => subtasks.map((subtask) => at(graph.subtasks, subtask).name);
  let step = log.length - 1;
  while (log.clock(step) > 1000) step--;
  advance(start, log, step);
  const loads = subtaskLoads(start);
  const of = (name: string): SubtaskLoad =>
    at(
      loads,
      graph.subtasks.findIndex((subtask) => subtask.name === name),
    );
  expect(of("count[0]").level).toBe("OK");
  expect(of("count[0]").shares?.busy).toBeGreaterThan(90);
  expect(names(of("count[0]").holds)).toEqual(["clicks[0]", "all[0]", "all[1]"]);
  expect(of("all[0]").level).toBe("HIGH");
  expect(names(of("all[0]").heldBy)).toEqual(["count[0]"]);
  expect(of("out[0]")).toMatchObject({ level: "OK", holds: [], heldBy: [] });
});

test("the levels are those of Flink's handler", () => {
  expect([0, 10, 10.1, 50, 50.1, 100].map(levelOf)).toEqual(["OK", "OK", "LOW", "LOW", "HIGH", "HIGH"]);
});
