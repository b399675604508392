/** What checkpointing modes cost, over runs of the engine; and the counting against what else tells the same. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { type RunResult, runScenario } from "../engine/run.ts";
import { libraryScenario } from "../engine/testing/runs.ts";
import { EventNumber } from "../protocol/events.ts";
import { type VariantId, slowSink, variantScenario } from "../scenario/comparison.ts";
import { library } from "../scenario/library.ts";
import { RECORD_BYTES } from "../scenario/model.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { places } from "./fields.ts";
import { initialView } from "./fold.ts";
import { Views } from "./keyframes.ts";
import { expectedOf, ledgerOf } from "./ledger.ts";
import { type RunMeasures, runMeasures } from "./run-measures.ts";
import { randomScenario } from "../engine/testing/random-scenario.ts";
import { Timeline } from "./timeline.ts";

interface Measured extends RunResult {
  readonly scenario: Scenario;
  readonly measures: RunMeasures;
}

function measured(scenario: Scenario): Measured {
  const run = runScenario(scenario, { checkInvariants: true });
  return { ...run, scenario, measures: runMeasures(run.log, run.report) };
}

type Pinned = Omit<RunMeasures, "checkpoints"> & {
  /** Id, when it was triggered, and how many milliseconds later it was complete. */
  readonly checkpoints: readonly (readonly [id: number, triggered: number, completion: number | null])[];
};

/** The one place of these figures: those of `slowSink`. */
const pinned: { readonly [V in VariantId]: Pinned } = {
  aligned: {
    checkpoints: [
      [1, 456, 507],
      [2, 1456, null],
      [3, 2979, 623],
      [4, 3979, 528],
      [5, 4979, 353],
    ],
    completed: 4,
    failed: 1,
    averageCompletion: 503,
    longestCompletion: 623,
    blocked: 1865,
    persistedBytes: 0,
    persistedBuffers: 0,
    readAgain: 87,
    replayed: 69,
    duplicatedInState: 0,
    duplicatedAtSinks: 0,
    lost: 0,
    end: 5335,
  },
  unaligned: {
    checkpoints: [
      [1, 456, 47],
      [2, 1456, 32],
      [3, 3081, 41],
      [4, 4081, 46],
      [5, 5081, 27],
    ],
    completed: 5,
    failed: 0,
    averageCompletion: 39,
    longestCompletion: 47,
    blocked: 0,
    persistedBytes: 2752,
    persistedBuffers: 86,
    readAgain: 28,
    replayed: 36,
    duplicatedInState: 0,
    duplicatedAtSinks: 0,
    lost: 0,
    end: 5111,
  },
  "at-least-once": {
    checkpoints: [
      [1, 456, 867],
      [2, 1456, null],
      [3, 2979, 863],
      [4, 3979, 628],
      [5, 4979, 353],
    ],
    completed: 4,
    failed: 1,
    averageCompletion: 678,
    longestCompletion: 867,
    blocked: 0,
    persistedBytes: 0,
    persistedBuffers: 0,
    readAgain: 78,
    replayed: 62,
    duplicatedInState: 4,
    duplicatedAtSinks: 18,
    lost: 0,
    end: 5335,
  },
};

const modes = Object.fromEntries(
  slowSink.variants.map((variant) => {
    const read = variantScenario(slowSink, variant);
    if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
    return [variant.id, measured(read.value)];
  }),
) as { readonly [V in VariantId]: Measured };
const aligned = modes.aligned.measures;
const unaligned = modes.unaligned.measures;
const atLeastOnce = modes["at-least-once"].measures;

describe("one input with one slow sink, one failure, in three modes", () => {
  test("CP-042, CP-043: aligned checkpoints block channels and store nothing of what is in flight", () => {
    expect(aligned.blocked).toBeGreaterThan(0);
    expect(aligned.checkpoints.every(({ blocked }) => blocked > 0)).toBe(true);
    expect([aligned.persistedBytes, aligned.persistedBuffers]).toEqual([0, 0]);
  });

  test("CP-076, CP-077, CP-079: unaligned ones block nothing, store what they overtake, and are much earlier complete", () => {
    expect(unaligned.blocked).toBe(0);
    expect(unaligned.persistedBytes).toBeGreaterThan(0);
    expect(unaligned.checkpoints.every((checkpoint) => checkpoint.unaligned)).toBe(true);
    expect(unaligned.longestCompletion! * 5).toBeLessThan(
      Math.min(...completions(aligned), ...completions(atLeastOnce)),
    );
  });

  test("CP-065, CP-066: at-least-once blocks nothing, stores nothing, and doubles what passed an early barrier", () => {
    expect([atLeastOnce.blocked, atLeastOnce.persistedBytes]).toEqual([0, 0]);
    expect(atLeastOnce.duplicatedInState).toBeGreaterThan(0);
    expect(atLeastOnce.duplicatedAtSinks).toBeGreaterThan(0);
    // Without the failure nothing is read twice, so nothing is doubled.
    const read = variantScenario({ ...slowSink, faults: [] }, at(slowSink.variants, 2));
    const { measures } = measured((read as { value: Scenario }).value);
    expect(measures).toMatchObject({ readAgain: 0, replayed: 0, duplicatedInState: 0, duplicatedAtSinks: 0 });
  });

  test("every mode replays and loses nothing; exactly-once doubles nothing", () => {
    for (const { lost, replayed, readAgain } of [aligned, unaligned, atLeastOnce]) {
      expect(lost).toBe(0);
      expect(replayed).toBeGreaterThan(0);
      expect(readAgain).toBeGreaterThan(0);
    }
    for (const { duplicatedInState, duplicatedAtSinks } of [aligned, unaligned])
      expect([duplicatedInState, duplicatedAtSinks]).toEqual([0, 0]);
  });

  test("the exact figures", () => {
    const told = ({ checkpoints, ...measures }: RunMeasures): Pinned => ({
      ...measures,
      checkpoints: checkpoints.map(({ id, triggered, completion }) => [id, triggered, completion]),
    });
    expect(Object.fromEntries(Object.entries(modes).map(([id, { measures }]) => [id, told(measures)]))).toEqual(pinned);
    for (const { violations } of Object.values(modes)) expect(violations).toEqual([]);
  });
});

function completions({ checkpoints }: RunMeasures): number[] {
  return checkpoints.flatMap(({ completion }) => completion ?? []);
}

const RUNS = process.env["BARRIERSCOPE_LONG"] === "1" ? 300 : 15;

/** Jobs of all kinds in which something goes wrong. */
const others: readonly (readonly [string, () => Scenario])[] = [
  ...library.map(({ id }) => [id, () => libraryScenario(id)] as const),
  ...Array.from({ length: RUNS }, (_, seed) => [`job ${seed}`, () => randomScenario(seed)] as const),
];

describe.each([...Object.entries(modes).map(([id, { scenario }]) => [id, () => scenario] as const), ...others])(
  "what is counted of %s",
  (_, scenarioOf) => {
    const run = measured(scenarioOf());
    const { graph, log, report, scenario, measures } = run;

    test("CP-205, CP-212: stored buffers are the bytes that the report tells", () => {
      expect(measures.checkpoints.map(({ persistedBuffers }) => persistedBuffers * RECORD_BYTES)).toEqual(
        report.checkpoints.map(({ persistedInFlight }) => persistedInFlight),
      );
    });

    test("blocked time is that of the view's channels, summed over the run", () => {
      const views = new Views(log, initialView(scenario, graph));
      let sum = 0;
      for (let step = 0; step + 1 < log.length; step++) {
        const blocked = views.viewAt(step).channels.filter((channel) => channel.blocked >= 0).length;
        sum += blocked * (log.clock(step + 1) - log.clock(step));
      }
      expect(measures.blocked).toBe(sum);
    });

    test("completion is that of the timeline", () => {
      const timeline = new Timeline();
      timeline.extend(log);
      const spans = timeline.checkpoints.map(({ id, status, from, to }) => [
        id,
        status === "completed" ? to - from : null,
      ]);
      expect(measures.checkpoints.map(({ id, completion }) => [id, completion])).toEqual(spans);
    });

    test("SK-004: what is read again is how far the sources were set back", () => {
      const rewound = places("SourceRewound");
      let total = 0;
      for (let step = 0; step < log.length; step++)
        if (log.type(step) === EventNumber.SourceRewound)
          total += log.field(step, rewound.position) - log.field(step, rewound.target);
      // Without a checkpoint sources begin anew, which is no SourceRewound.
      const anew = report.recoveries.some(({ granted, restoredFrom }) => granted && restoredFrom === null);
      if (anew) expect(measures.readAgain).toBeGreaterThanOrEqual(total);
      else if (report.ended === "drained") expect(measures.readAgain).toBe(total);
      else expect(measures.readAgain).toBeLessThanOrEqual(total);
    });

    test("duplicates and losses are those that the ledger of the log tells", () => {
      const view = new Views(log, initialView(scenario, graph)).viewAt(log.length - 1);
      const ledger = ledgerOf(view, expectedOf(view.shared, referenceOf(scenario)));
      const committed = ledger.sinks.filter(({ reader }) => reader === "read_committed");
      const count = (lists: readonly (readonly number[])[]): number => new Set(lists.flat()).size;
      expect(measures.duplicatedInState).toBe(count(ledger.states.map(({ fates }) => fates.list("duplicated"))));
      expect(measures.duplicatedAtSinks).toBe(count(committed.map(({ fates }) => fates.list("duplicated"))));
      expect(measures.lost).toBe(count([...ledger.states, ...committed].map(({ fates }) => fates.list("lost"))));
    });
  },
);
