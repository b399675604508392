/** Flink's checkpoint statistics as the projection tells them, against the report's, and the relations between them. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { story } from "../engine/testing/stories.ts";
import { library } from "../scenario/library.ts";
import type { CheckpointRow, Report } from "../scenario/report.ts";
import type { Scenario } from "../scenario/scenario.ts";
import {
  type CheckpointStats,
  type CheckpointStatistics,
  type SubtaskStats,
  checkpointStatistics,
  checkpointStats,
  overSubtasks,
} from "./checkpoint-stats.ts";
import { advance, initialView } from "./fold.ts";
import { randomScenario } from "../engine/testing/random-scenario.ts";
import { variants } from "./testing/variants.ts";
import type { RunView } from "./views.ts";

type Json = Record<string, unknown>;
const RUNS = process.env["BARRIERSCOPE_LONG"] === "1" ? 600 : 20;

interface Ran {
  readonly view: RunView;
  readonly report: Report;
  readonly all: readonly CheckpointStats[];
}

function ran(scenario: Scenario): Ran {
  const { graph, log, report } = runScenario(scenario);
  const view = initialView(scenario, graph);
  advance(view, log, log.length - 1);
  return { view, report, all: view.checkpoints.map((checkpoint) => checkpointStats(view, checkpoint)) };
}

const known = (value: number): number | null => (value < 0 ? null : value);

/** Statistics in the report's words. */
function row(view: RunView, stats: CheckpointStats): unknown {
  return {
    id: stats.id,
    status: stats.status,
    failure: stats.failure,
    countsAsFailure: stats.counts,
    unaligned: stats.type === "UNALIGNED_CHECKPOINT",
    triggered: stats.triggered,
    ended: known(stats.ended),
    stateBytes: stats.fullSize,
    checkpointedBytes: stats.checkpointedSize,
    persistedInFlight: stats.persisted,
    subtasks: stats.tasks
      .flatMap(({ parts }) => parts)
      .sort((a, b) => a.subtask - b.subtask)
      .map((part) => ({
        subtask: at(view.shared.graph.subtasks, part.subtask).name,
        acked: known(part.acknowledged),
        finished: part.finished,
        startDelay: known(part.startDelay),
        alignment: known(part.alignment),
        sync: known(part.sync),
        async: known(part.async),
        unaligned: part.unaligned,
        processed: part.processed,
        persisted: part.persisted,
      })),
  };
}

function inShort(checkpoint: CheckpointRow): unknown {
  const { submission: _s, kind: _k, consecutiveFailures: _c, retained: _r, ...told } = checkpoint;
  return told;
}

function agree({ view, report, all }: Ran): void {
  expect(all.map((stats) => row(view, stats))).toEqual(report.checkpoints.map(inShort));
}

describe("the projection's statistics are the report's", () => {
  test.each(library.map(({ id }) => id))("CP-200 to CP-213: in the library run %s", (id) =>
    agree(ran(libraryScenario(id))),
  );
  test.each(variants)("CP-200 to CP-213: in a run in which %s", (_, scenario) => agree(ran(scenario)));
  test("CP-200 to CP-213: in runs drawn at random", () => {
    let checkpoints = 0;
    for (let number = 0; number < RUNS; number++) {
      const run = ran(randomScenario(number));
      agree(run);
      for (const stats of run.all) holds(stats);
      countsHold(run.view, checkpointStatistics(run.view));
      checkpoints += run.all.length;
    }
    expect(checkpoints).toBeGreaterThan(RUNS * 3);
  });
});

/**
 * CP-215, and what sums and counts have to do with what they are of. That an aligned snapshot persists nothing does not hold
 * where a barrier times out in the buffers of a sender that was snapshotted aligned (CP-075).
 */
function holds(stats: CheckpointStats): void {
  const parts = stats.tasks.flatMap((task) => task.parts).filter(({ acknowledged }) => acknowledged >= 0);
  const name = `checkpoint ${stats.id}`;
  for (const part of parts) {
    if (!part.finished) {
      for (const measure of ["startDelay", "alignment", "sync", "async"] as const)
        expect(part[measure], `${name} ${measure}`).toBeGreaterThanOrEqual(0);
      expect(part.startDelay + part.alignment, name).toBeLessThanOrEqual(part.duration);
      // The asynchronous part of an unaligned snapshot begins with its first barrier.
      expect(part.sync, name).toBeLessThanOrEqual(part.duration);
      if (!part.unaligned) expect(part.sync + part.async, name).toBeLessThanOrEqual(part.duration);
    }
    expect(part.checkpointedSize, name).toBeLessThanOrEqual(part.fullSize);
  }
  expect(stats.duration, name).toBe(Math.max(-1, ...parts.map(({ duration }) => duration)));
  expect(stats.acknowledged, name).toBe(parts.length);
  if (stats.status === "COMPLETED") expect(stats.acknowledged, name).toBe(stats.subtasks);
}

function countsHold(view: RunView, { counts, history, summary }: CheckpointStatistics): void {
  expect(counts.total).toBe(counts.inProgress + counts.completed + counts.failed);
  expect(history.map(({ id }) => id)).toEqual(
    view.checkpoints
      .map(({ id }) => id)
      .slice(-10)
      .reverse(),
  );
  expect(summary.duration.min).toBeLessThanOrEqual(summary.duration.max);
}

describe("definitions", () => {
  const parts = ({ view, all }: Ran, id: number): Record<string, SubtaskStats> =>
    Object.fromEntries(
      (all.find((stats) => stats.id === id)?.tasks ?? [])
        .flatMap((task) => task.parts)
        .map((part) => [at(view.shared.graph.subtasks, part.subtask).name, part]),
    );

  test("CP-200, CP-201, CP-202: times run from the trigger; a start delay ends with the first barrier", () => {
    const run = ran(libraryScenario("linear"));
    expect(
      Object.values(parts(run, 1)).map(({ acknowledged, duration, startDelay }) => [
        acknowledged,
        duration,
        startDelay,
      ]),
    ).toEqual([
      [324, 23, 1],
      [326, 25, 3],
      [331, 30, 6],
    ]);
  });

  test("CP-203, CP-204: a task with two inputs takes records of the open one until its barrier comes too", () => {
    const run = ran(libraryScenario("shuffle"));
    const { "SRC[0]": source, "MAP[0]": map, "SNK[0]": sink } = parts(run, 1);
    expect([source, map, sink].map((part) => [part?.startDelay, part?.alignment, part?.processed])).toEqual([
      [1, 0, 0],
      [84, 110, 32],
      [197, 0, 0],
    ]);
  });

  test("CP-205, CP-210: what is persisted is what was stored of a subtask's channels, input and output; unaligned is where that is any, or all are from the start", () => {
    const seen = new Set<string>();
    for (const id of ["unaligned", "aligned-timeout", "order-totals"]) {
      const [run, told] = [ran(libraryScenario(id)), story(libraryScenario(id))];
      for (const stats of run.all) {
        for (const [subtask, part] of Object.entries(parts(run, stats.id))) {
          const match = { subtask, checkpoint: stats.id };
          const stored = told.values("InFlightDataPersisted", "bytes", match) as number[];
          expect(part.persisted).toBe(stored.reduce((sum, bytes) => sum + bytes, 0));
          const began = told.all("UnalignedSnapshotStarted", match).length > 0;
          expect(part.unaligned).toBe(part.persisted > 0 || (id === "unaligned" && began));
          seen.add(`${id} ${began} ${part.unaligned}`);
        }
      }
    }
    expect([...seen].toSorted()).toEqual([
      "aligned-timeout false false",
      // Its barrier timed out in its buffers, after its snapshot (CP-075).
      "aligned-timeout false true",
      "aligned-timeout true false",
      "aligned-timeout true true",
      "order-totals false false",
      "unaligned true true",
    ]);
  });

  test("CP-206, CP-207: the sync and the async part are the model's durations where nothing is in their way", () => {
    const run = ran(libraryScenario("linear"));
    for (const part of Object.values(parts(run, 2))) expect([part.sync, part.async]).toEqual([1, 20]);
  });

  test("CP-208, CP-209: an incremental checkpoint writes less than it refers to", () => {
    const run = ran(
      libraryScenario("order-totals", (source) => {
        Object.assign(source["config"] as Json, {
          "state.backend.type": "rocksdb",
          "execution.checkpointing.incremental": true,
          "execution.checkpointing.data-inline-threshold": "0 b",
          "execution.checkpointing.dir": "file:///ck",
        });
      }),
    );
    const later = run.all.filter(({ id, status }) => id > 1 && status === "COMPLETED");
    expect(later.length).toBeGreaterThan(0);
    for (const stats of later) expect(stats.checkpointedSize).toBeLessThan(stats.fullSize);
  });

  test("CP-211: the duration is up to the last acknowledgement, without metadata and notification; -1 before the first", () => {
    const { all, view } = ran(libraryScenario("linear"));
    expect(all.map(({ duration, triggered, ended }) => [duration, ended - triggered])).toEqual([
      [30, 30],
      [30, 30],
      [30, 30],
    ]);
    const { graph, log } = runScenario(libraryScenario("linear"));
    const early = initialView(view.shared.scenario, graph);
    while (early.checkpoints.length === 0) advance(early, log, early.step + 1);
    expect(checkpointStats(early, at(early.checkpoints, 0))).toMatchObject({
      status: "IN_PROGRESS",
      duration: -1,
      acknowledged: 0,
    });
  });

  test("CP-212: sums are over the subtasks that acknowledged, also where the checkpoint failed", () => {
    const run = ran(at(variants.find(([name]) => name.includes("acknowledgement is lost")) ?? [], 1) as Scenario);
    const failed = run.all.find(({ status }) => status === "FAILED");
    const own = failed?.tasks.flatMap((task) => task.parts) ?? [];
    expect(own.some(({ acknowledged }) => acknowledged < 0)).toBe(true);
    expect(failed?.checkpointedSize).toBe(
      own.filter(({ acknowledged }) => acknowledged >= 0).reduce((sum, part) => sum + part.checkpointedSize, 0),
    );
  });

  test("CP-214: a trigger that fails before a pending checkpoint exists counts as failed; a dropped request does not", () => {
    const failures = (id: string, reason: string, config: Json, ...faults: Json[]): [number, number, number] => {
      const run = ran(withFaults(id, faults, (source) => Object.assign(source["config"] as Json, config)));
      const { counts } = checkpointStatistics(run.view);
      const rejected = run.report.rejectedTriggers.filter((row) => row.reason === reason).length;
      return [rejected, counts.failed - run.all.filter(({ status }) => status === "FAILED").length, counts.restored];
    };
    const down = { at: { time: "350 ms" }, do: "fail-task", target: "MAP[0]" };
    expect(failures("linear", "NOT_ALL_REQUIRED_TASKS_RUNNING", {}, down)).toEqual([2, 2, 1]);
    const pause = { "execution.checkpointing.min-pause": "1 s" };
    expect(failures("order-totals", "MINIMUM_TIME_BETWEEN_CHECKPOINTS", pause)).toEqual([3, 0, 0]);
  });

  test("CP-214: the history keeps as many as web.checkpoints.history says, newest first; the summary is over all", () => {
    const { view } = ran(
      libraryScenario("linear", (source) => {
        (source["config"] as Json)["web.checkpoints.history"] = 2;
      }),
    );
    const { history, summary, counts } = checkpointStatistics(view);
    expect(history.map(({ id }) => id)).toEqual([3, 2]);
    expect(counts).toEqual({ restored: 0, total: 3, inProgress: 0, completed: 3, failed: 0 });
    expect(summary.duration).toEqual({ min: 30, max: 30, avg: 30, p50: 30, p90: 30, p95: 30, p99: 30, p999: 30 });
  });

  test("CP-218: over the subtasks of a task there are minimum, average and maximum, and no percentiles", () => {
    const { all } = ran(libraryScenario("order-totals"));
    const task = at(at(all, 0).tasks, 0);
    expect(overSubtasks(task, "sync")).toMatchObject({ min: 1, max: 1, avg: 1, p50: Number.NaN });
  });
});

test("CP-214, FR-101: the statistics of a JobManager that is gone are gone with it", () => {
  const killed = (highAvailability: string): Ran =>
    ran(
      withFaults(
        "linear",
        [{ at: { after: "CheckpointTriggered", checkpoint: 2 }, do: "kill-jobmanager" }],
        (source) => ((source["config"] as Json)["high-availability.type"] = highAvailability),
      ),
    );
  const { view, report, all } = killed("zookeeper");
  expect(report.checkpoints.map(({ id, status }) => [id, status])).toEqual([
    [1, "COMPLETED"],
    [2, "FAILED"],
    [3, "COMPLETED"],
  ]);
  expect(all.map((stats) => stats.status)).toEqual(["COMPLETED", "FAILED", "COMPLETED"]);
  const statistics = checkpointStatistics(view);
  expect(statistics.history.map(({ id }) => id)).toEqual([3]);
  // A request that came before all tasks ran has failed too.
  expect(statistics.counts).toMatchObject({ restored: 1, total: 2, completed: 1, failed: 1, inProgress: 0 });
  expect(statistics.latestRestore).toMatchObject({ checkpoint: 1 });
  expect(view.coordinator.restoreCandidate).toBe(3);
  const gone = killed("NONE").view;
  expect(checkpointStatistics(gone).counts.total).toBe(0);
  expect(gone.job.status).toBe("SUSPENDED");
});
