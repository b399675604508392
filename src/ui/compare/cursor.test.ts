import { describe, expect, test } from "vitest";
import { runScenario } from "../../engine/run.ts";
import { StepIndex } from "../../projection/phases.ts";
import { Timeline } from "../../projection/timeline.ts";
import { executionGraph } from "../../scenario/execution-graph.ts";
import { slowSink, variantScenario } from "../../scenario/comparison.ts";
import { EventNumber } from "../../protocol/events.ts";
import { EventLog } from "../../protocol/log.ts";
import {
  type Along,
  type Cursor,
  checkpointFrom,
  clockOf,
  endOf,
  eventOf,
  hasCheckpoint,
  instantFrom,
  lastEventOf,
  momentIn,
  phaseFrom,
} from "./cursor.ts";

const runs: Along[] = slowSink.variants.map((variant) => {
  const read = variantScenario(slowSink, variant);
  if (!read.ok) throw new Error("a library scenario");
  const { log } = runScenario(read.value);
  const timeline = new Timeline();
  timeline.extend(log);
  const index = new StepIndex(executionGraph(read.value));
  index.extend(log);
  return { log, checkpoints: timeline.checkpoints, phases: index.phases };
});

const typesAt = (cursor: Cursor): (number | undefined)[] =>
  runs.map((run) => {
    const moment = momentIn(run, cursor);
    return moment === null ? undefined : run.log.type(moment.step);
  });

describe("by time", () => {
  test("every run stands at the last entry of that instant, and time goes on between entries", () => {
    for (const clock of [0, 456, 1000.4, 2001, 4000]) {
      for (const run of runs) {
        const { step, clock: at } = momentIn(run, { by: "time", clock })!;
        expect(run.log.clock(step)).toBeLessThanOrEqual(clock);
        if (step + 1 < run.log.length) expect(run.log.clock(step + 1)).toBeGreaterThan(clock);
        expect(at).toBe(clock);
      }
    }
  });

  test("steps lead from instant to instant of any run, and back the same way", () => {
    const instants = [
      ...new Set(runs.flatMap(({ log }) => Array.from({ length: log.length }, (_, i) => log.clock(i)))),
    ];
    instants.sort((a, b) => a - b);
    const walked: number[] = [];
    for (let clock = -1; walked.at(-1) !== instants.at(-1); walked.push(clock)) clock = instantFrom(runs, clock, 1);
    expect(walked).toEqual(instants);
    const back = [endOf(runs) + 0.5];
    while (back.at(-1) !== instants[0]) back.push(instantFrom(runs, back.at(-1)!, -1));
    expect(back.slice(1).reverse()).toEqual(instants);
    expect(instantFrom(runs, endOf(runs), 1)).toBe(endOf(runs));
  });

  test("a run that is over stays at its last entry", () => {
    const end = endOf(runs);
    expect(runs.map((run) => momentIn(run, { by: "time", clock: end })!.step)).toEqual(
      runs.map(({ log }) => log.length - 1),
    );
    expect(momentIn({ log: new EventLog(), checkpoints: [], phases: [] }, { by: "time", clock: 5 })).toBeNull();
  });
});

describe("by event", () => {
  test("every run stands at the entry of that number, or at its last", () => {
    const longest = Math.max(...runs.map(({ log }) => log.length)) - 1;
    for (const step of [0, 7, 300, longest])
      for (const run of runs)
        expect(momentIn(run, { by: "event", step })).toEqual({
          step: Math.min(step, run.log.length - 1),
          clock: run.log.clock(Math.min(step, run.log.length - 1)),
        });
    expect(lastEventOf(runs)).toBe(longest);
  });

  test("goes on from the run that is behind, and as time from the earliest", () => {
    const cursor: Cursor = { by: "time", clock: 1400 };
    const step = eventOf(runs, cursor);
    expect(step).toBe(Math.min(...runs.map((run) => momentIn(run, cursor)!.step)));
    expect(eventOf(runs, { by: "event", step: 12 })).toBe(12);
    expect(clockOf(runs, { by: "event", step: 300 })).toBe(Math.min(...runs.map(({ log }) => log.clock(300))));
    expect(checkpointFrom(runs, { by: "event", step: 0 }, 1)).toEqual({ by: "checkpoint", nth: 1 });
  });
});

describe("by checkpoint", () => {
  test("each run stands where its n-th completed checkpoint became complete, whenever that was", () => {
    for (const nth of [1, 2, 3, 4]) {
      expect(typesAt({ by: "checkpoint", nth })).toEqual(runs.map(() => EventNumber.CheckpointCompleted));
      const clocks = runs.map((run) => momentIn(run, { by: "checkpoint", nth })!.clock);
      expect(new Set(clocks).size).toBeGreaterThan(1);
      expect(clockOf(runs, { by: "checkpoint", nth })).toBe(Math.min(...clocks));
    }
  });

  test("a checkpoint that failed is passed over; a run without an n-th stays at its end", () => {
    expect(runs.map((run) => hasCheckpoint(run, 5))).toEqual([false, true, false]);
    expect(momentIn(runs[0]!, { by: "checkpoint", nth: 5 })!.step).toBe(runs[0]!.log.length - 1);
  });

  test("next and before count from the run that is behind, and end where no run has more", () => {
    const at = (clock: number): Cursor => ({ by: "time", clock });
    expect(checkpointFrom(runs, at(0), 1)).toEqual({ by: "checkpoint", nth: 1 });
    // The unaligned run has completed one by then, the others none.
    expect(checkpointFrom(runs, at(700), 1)).toEqual({ by: "checkpoint", nth: 1 });
    expect(checkpointFrom(runs, at(1400), 1)).toEqual({ by: "checkpoint", nth: 2 });
    expect(checkpointFrom(runs, at(1400), -1)).toEqual({ by: "checkpoint", nth: 1 });
    expect(checkpointFrom(runs, { by: "checkpoint", nth: 4 }, 1)).toEqual({ by: "checkpoint", nth: 5 });
    expect(checkpointFrom(runs, { by: "checkpoint", nth: 5 }, 1)).toBeNull();
    expect(checkpointFrom(runs, { by: "checkpoint", nth: 1 }, -1)).toEqual({ by: "checkpoint", nth: 0 });
    expect(checkpointFrom(runs, { by: "checkpoint", nth: 0 }, -1)).toBeNull();
    expect(checkpointFrom([], at(0), 1)).toBeNull();
  });
});

describe("by phase of a checkpoint", () => {
  const walk = (from: Cursor, direction: 1 | -1): Cursor[] => {
    const walked: Cursor[] = [];
    for (let at = phaseFrom(runs, from, direction); at !== null; at = phaseFrom(runs, at, direction)) walked.push(at);
    return walked;
  };

  test("each run stands where its checkpoint came to that phase; one that does not have it, at the one before", () => {
    const acknowledged: Cursor = { by: "phase", checkpoint: 1, name: "all acknowledged" };
    expect(typesAt(acknowledged)).toEqual(runs.map(() => EventNumber.CheckpointAcknowledged));
    expect(new Set(runs.map((run) => momentIn(run, acknowledged)!.clock)).size).toBe(3);
    // Two of the runs lose their second checkpoint, one completes it.
    const completed: Cursor = { by: "phase", checkpoint: 2, name: "completed" };
    expect(typesAt(completed).filter((type) => type === EventNumber.CheckpointCompleted)).toHaveLength(1);
    const aborted: Cursor = { by: "phase", checkpoint: 2, name: "aborted" };
    expect(typesAt(aborted).filter((type) => type === EventNumber.CheckpointAborted)).toHaveLength(2);
  });

  test("steps lead through all phases that some run has, and back the same way", () => {
    const there = walk({ by: "time", clock: 0 }, 1);
    expect(there[0]).toEqual({ by: "phase", checkpoint: 1, name: "triggered" });
    expect(there.length).toBeGreaterThan(40);
    const back = walk(there.at(-1)!, -1);
    expect([there.at(-1)!, ...back].reverse()).toEqual(there);
  });

  test("goes on from the run that is behind", () => {
    const cursor: Cursor = { by: "time", clock: 700 };
    const next = phaseFrom(runs, cursor, 1);
    // The unaligned run has completed its first checkpoint by then, the others have not.
    expect(next).toMatchObject({ by: "phase", checkpoint: 1 });
  });
});
