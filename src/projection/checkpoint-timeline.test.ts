import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { libraryScenario } from "../engine/testing/runs.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { checkpointStats } from "./checkpoint-stats.ts";
import { type CheckpointTimeline, checkpointTimeline } from "./checkpoint-timeline.ts";
import { advance, initialView } from "./fold.ts";
import { variants } from "./testing/variants.ts";
import type { RunView } from "./views.ts";

function timelines(scenario: Scenario): { view: RunView; all: CheckpointTimeline[]; clock: (step: number) => number } {
  const { graph, log } = runScenario(scenario);
  const view = initialView(scenario, graph);
  advance(view, log, log.length - 1);
  const all = view.checkpoints.map((checkpoint) => checkpointTimeline(log, checkpoint));
  return { view, all, clock: (step) => log.clock(step) };
}

/** `name start-delay 0..5 …  ack 30 notified 33`, in milliseconds since the trigger. */
function drawn({ view, all }: { view: RunView; all: CheckpointTimeline[] }, place: number): string {
  const { rows, triggered, metadata, completed, aborted } = at(all, place);
  const since = (instant: { clock: number } | null): string =>
    instant === null ? "-" : String(instant.clock - triggered.clock);
  const lines = rows.map(({ subtask, bars, acknowledged, refused, notified }) =>
    [
      at(view.shared.graph.subtasks, subtask).name,
      ...bars.map(({ kind, from, to }) => `${kind} ${from - triggered.clock}..${to - triggered.clock}`),
      `ack ${since(acknowledged)}`,
      ...(refused === null ? [] : [`refused ${since(refused)}`]),
      `notified ${since(notified)}`,
    ].join("  "),
  );
  return [`metadata ${since(metadata)}  completed ${since(completed)}  aborted ${since(aborted)}`, ...lines].join("\n");
}

test("CP-202, CP-203, CP-206: a checkpoint of a shuffle in simulated time, stragglers first", () => {
  expect(drawn(timelines(libraryScenario("shuffle")), 1)).toMatchInlineSnapshot(`
    "metadata 260  completed 260  aborted -
    SNK[0]  startDelay 0..236  alignment 236..236  sync 238..239  async 239..259  ack 260  notified 261
    SNK[1]  startDelay 0..236  alignment 236..236  sync 238..239  async 239..259  ack 260  notified 261
    MAP[0]  startDelay 0..13  alignment 13..233  sync 233..234  async 234..254  ack 255  notified 344
    MAP[1]  startDelay 0..13  alignment 13..233  sync 233..234  async 234..254  ack 255  notified 344
    SRC[0]  startDelay 0..1  sync 1..2  async 2..22  ack 23  notified 261
    SRC[1]  startDelay 0..1  sync 1..2  async 2..22  ack 23  notified 261"
  `);
});

test("CP-212: one that expires shows who never acknowledged, above all others", () => {
  const scenario = at(variants.find(([name]) => name.includes("acknowledgement is lost")) ?? [], 1) as Scenario;
  expect(drawn(timelines(scenario), 0)).toMatchInlineSnapshot(`
    "metadata -  completed -  aborted 150
    sum[0]  startDelay 0..58  alignment 58..58  sync 58..59  async 59..79  ack -  notified 154
    out[0]  startDelay 0..61  alignment 61..61  sync 63..64  async 64..84  ack 85  notified 152
    in[0]  startDelay 0..1  sync 1..2  async 2..22  ack 23  notified 151
    in[1]  startDelay 0..1  sync 1..2  async 2..22  ack 23  notified 151"
  `);
});

test("CP-213: a subtask that had finished is acknowledged with the trigger", () => {
  const { view, all } = timelines(at(variants.find(([name]) => name === "the input ends") ?? [], 1) as Scenario);
  const finished = all.flatMap(({ rows, triggered }) =>
    rows.filter((row) => row.finished).map((row) => ({ row, triggered })),
  );
  expect(finished.length).toBeGreaterThan(0);
  for (const { row, triggered } of finished)
    expect(row).toMatchObject({ acknowledged: triggered, bars: [], notified: null });
  const stats = view.checkpoints.map((checkpoint) => checkpointStats(view, checkpoint));
  const parts = stats.flatMap((each) => each.tasks.flatMap((task) => task.parts)).filter((part) => part.finished);
  expect(parts.map(({ duration, startDelay, fullSize }) => [duration, startDelay, fullSize])).toContainEqual([
    0, -1, 0,
  ]);
});

describe.each(variants)("%s", (_, scenario) => {
  test("CP-202, CP-206, CP-207: bars are as long as the metrics say, and begin where their entries are", () => {
    const { view, all, clock } = timelines(scenario);
    for (const [place, { rows, triggered }] of all.entries()) {
      const parts = checkpointStats(view, at(view.checkpoints, place)).tasks.flatMap((task) => task.parts);
      for (const { subtask, bars, acknowledged } of rows) {
        const stats = parts.find((part) => part.subtask === subtask);
        expect(acknowledged?.clock ?? -1).toBe(stats?.acknowledged);
        for (const { kind, from, to, step } of bars) {
          expect(clock(step)).toBeLessThanOrEqual(from);
          if (acknowledged === null) continue;
          expect(to - from, `${kind} of ${subtask}`).toBe(stats?.[kind]);
          if (kind !== "sync") expect(clock(step)).toBe(kind === "startDelay" ? triggered.clock : from);
        }
      }
    }
  });
});
