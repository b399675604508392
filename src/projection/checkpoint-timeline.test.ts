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
    "metadata 262  completed 262  aborted -
    SNK[0]  startDelay 0..238  alignment 238..238  sync 240..241  async 241..261  ack 262  notified 263
    SNK[1]  startDelay 0..238  alignment 238..238  sync 240..241  async 241..261  ack 262  notified 263
    MAP[0]  startDelay 0..15  alignment 15..235  sync 235..236  async 236..256  ack 257  notified 346
    MAP[1]  startDelay 0..15  alignment 15..235  sync 235..236  async 236..256  ack 257  notified 346
    SRC[0]  startDelay 0..1  sync 1..2  async 2..22  ack 23  notified 263
    SRC[1]  startDelay 0..1  sync 1..2  async 2..22  ack 23  notified 263"
  `);
});

test("CP-212: one that expires shows who never acknowledged, above all others", () => {
  const scenario = at(variants.find(([name]) => name.includes("acknowledgement is lost")) ?? [], 1) as Scenario;
  expect(drawn(timelines(scenario), 0)).toMatchInlineSnapshot(`
    "metadata -  completed -  aborted 150
    sum[0]  startDelay 0..60  alignment 60..60  sync 60..61  async 61..81  ack -  notified 151
    out[0]  startDelay 0..63  alignment 63..63  sync 65..66  async 66..86  ack 87  notified 151
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
