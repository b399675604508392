import { describe, expect, test } from "vitest";
import { Timeline } from "../engine/timeline.ts";
import { runScenario } from "../engine/run.ts";
import { command, libraryScenario } from "../engine/testing/runs.ts";
import { randomScenario } from "../engine/testing/random-scenario.ts";
import { checkpointingModes, slowSink, variantScenario } from "../scenario/comparison.ts";
import { EventNumber } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import { type RunDiff, consequences, isEmpty, runDiff } from "./run-diff.ts";

const play = (timeline: Timeline, branch: number): EventLog => {
  while (timeline.extend(branch));
  return timeline.branches[branch]!.log;
};

/** A run of the library, and what becomes of it where a task fails in the middle. */
function forked(step = 600): { readonly whole: EventLog; readonly branch: EventLog } {
  const timeline = new Timeline(libraryScenario("order-totals"));
  const whole = play(timeline, 0);
  const { id } = timeline.fork(0, step, command("fail-task", "total[1]"));
  return { whole, branch: play(timeline, id) };
}

const turned = ({ divergence, onlyA, onlyB, changed, moved }: RunDiff): RunDiff => {
  const swap = (pairs: RunDiff["moved"]): RunDiff["moved"] =>
    pairs.map(({ a, b }) => ({ a: b, b: a })).sort((x, y) => x.a - y.a);
  return { divergence, onlyA: onlyB, onlyB: onlyA, changed: swap(changed), moved: swap(moved) };
};

describe("X-05: the difference of two runs", () => {
  test("of a run with itself is empty, and with one that was made again", () => {
    for (let number = 0; number < 12; number++) {
      const scenario = randomScenario(number);
      const { log } = runScenario(scenario);
      expect(isEmpty(runDiff({ log }, { log }))).toBe(true);
      expect(isEmpty(runDiff({ log }, runScenario(scenario)))).toBe(true);
    }
  });

  test("turned round is the difference turned round", () => {
    const { whole, branch } = forked();
    const logs = [
      whole,
      branch,
      forked(300).branch,
      ...[3, 4, 5].map((number) => runScenario(randomScenario(number)).log),
    ];
    for (const a of logs) {
      for (const b of logs) {
        const there = runDiff({ log: a }, { log: b });
        expect(runDiff({ log: b }, { log: a })).toEqual(turned(there));
        expect(isEmpty(there)).toBe(a === b);
      }
    }
  });

  test("of a branch begins where it branches off, with what was decided there", () => {
    for (const step of [100, 600, 1200]) {
      const { whole, branch } = forked(step);
      const diff = runDiff({ log: whole }, { log: branch });
      expect(diff.divergence).toBe(step);
      expect(branch.type(diff.onlyB[0]!)).toBe(EventNumber.FaultInjected);
    }
  });

  test("of two jobs that are not the same goes by names: a task that both have is the same, whatever its number", () => {
    const wide = libraryScenario("order-totals", (source) => {
      const { vertices } = source["job"] as { vertices: { uid: string; parallelism: number }[] };
      for (const vertex of vertices) if (vertex.uid === "total") vertex.parallelism = 1;
    });
    const [a, b] = [libraryScenario("order-totals"), wide].map((scenario) => {
      const { log, graph } = runScenario(scenario);
      return { log, graph, jobs: { at: () => ({ graph }) } };
    });
    const emitted = ({ onlyA, onlyB }: RunDiff): number =>
      [...onlyA.map((step) => a!.log.type(step)), ...onlyB.map((step) => b!.log.type(step))].filter(
        (type) => type === EventNumber.RecordEmitted,
      ).length;
    // Both read the same records; only the tasks behind the sources are numbered otherwise.
    expect(emitted(runDiff(a!, b!))).toBe(0);
    const sink = (side: typeof a): number => side!.graph.subtasks.findIndex(({ name }) => name === "out[0]");
    expect(sink(a)).not.toBe(sink(b));
    const writes = runDiff(a!, b!).onlyB.filter((step) => b!.log.type(step) === EventNumber.RecordWritten);
    expect(writes).toEqual([]);
  });

  test("takes what happens to the same record, checkpoint and task for the same, whenever that was", () => {
    const [aligned, unaligned] = checkpointingModes.slice(0, 2).map((variant) => {
      const read = variantScenario({ ...slowSink, faults: [] }, variant);
      if (!read.ok) throw new Error("a library scenario");
      return runScenario(read.value);
    });
    const diff = runDiff(aligned!, unaligned!);
    // No record is lost in either: every record that is processed in one is processed in the other.
    const processed = (steps: readonly number[], log: EventLog): number =>
      steps.filter((step) => log.type(step) === EventNumber.RecordProcessed).length;
    expect(processed(diff.onlyA, aligned!.log)).toBe(0);
    expect(processed(diff.onlyB, unaligned!.log)).toBe(0);
    expect(diff.moved.length).toBeGreaterThan(100);
    expect(diff.onlyA.some((step) => aligned!.log.type(step) === EventNumber.ChannelBlocked)).toBe(true);
    expect(diff.onlyB.some((step) => unaligned!.log.type(step) === EventNumber.UnalignedSnapshotStarted)).toBe(true);
  });

  test("each therefore is backed by causes that the log has, all of them the run's own", () => {
    const { whole, branch } = forked();
    const diff = runDiff({ log: whole }, { log: branch });
    const own = new Set([...diff.onlyB, ...diff.changed.map(({ b }) => b)]);
    const told = consequences(branch, own, (step) => step % 3 === 0 || branch.type(step) === EventNumber.FaultInjected);
    expect(told.filter(({ because }) => because !== null).length).toBeGreaterThan(10);
    for (const { step, because } of told) {
      expect(own.has(step)).toBe(true);
      const way: number[] = [];
      for (let cause = branch.cause(step); cause >= 0 && own.has(cause); cause = branch.cause(cause)) way.push(cause);
      expect(because === null ? way.every((each) => each % 3 !== 0) : way.includes(because)).toBe(true);
    }
  });
});
