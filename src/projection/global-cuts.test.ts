/** Cuts through the space-time picture, against vector clocks that know nothing of how cuts are judged. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { Draw } from "../engine/testing/random-jobs.ts";
import { randomScenario } from "../engine/testing/random-scenario.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { eventTypes } from "../protocol/events.ts";
import type { EventLog } from "../protocol/log.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type Cut, checkpointCut, cutAt, judgeCut, repairCut } from "./global-cuts.ts";
import { Jobs } from "./submitted-job.ts";
import { initialView } from "./fold.ts";
import { SpaceTime } from "./space-time.ts";

function pictured(scenario: Scenario): { space: SpaceTime; log: EventLog } {
  const { graph, log } = runScenario(scenario);
  const jobs = new Jobs(initialView(scenario, graph, scenario.faults).shared);
  jobs.extend(log);
  return { log, space: new SpaceTime(log, (step) => jobs.at(step).graph).extend() };
}

/** By step: how many events of each process are before it or are it, by the textbook (Fidge, Mattern). */
function vectorClocks({ space, log }: { space: SpaceTime; log: EventLog }): Int32Array[] {
  const clocks: Int32Array[] = [];
  const current = space.lifelines.map(() => new Int32Array(space.lifelines.length));
  for (let step = 0; step < log.length; step++) {
    const own = at(current, space.lineOf(step));
    const cause = log.cause(step);
    if (cause >= 0) at(clocks, cause).forEach((count, line) => (own[line] = Math.max(own[line] as number, count)));
    own[space.lineOf(step)] = space.placeOf(step) + 1;
    clocks.push(own.slice());
  }
  return clocks;
}

/** A cut is consistent if no process knows more of another than the other has in front of the cut. */
function isConsistent(space: SpaceTime, clocks: readonly Int32Array[], cut: Cut): boolean {
  const counts = cut.map((step, line) => at(space.lifelines, line).events.filter((each) => each <= step).length);
  return cut.every((step) => step < 0 || at(clocks, step).every((known, line) => known <= at(counts, line)));
}

/** A cut near some moment: a random place on each lifeline within so many of its events. */
function drawn(draw: Draw, space: SpaceTime, around: number): Cut {
  const spread = draw.one(0, 1, 3, 12, 200);
  return cutAt(space, around).map((step, line) => {
    const { events } = at(space.lifelines, line);
    if (events.length === 0) return -1;
    const place = (step < 0 ? -1 : space.placeOf(step)) + draw.upTo(2 * spread + 1) - spread;
    return place < 0 ? -1 : at(events, Math.min(place, events.length - 1));
  });
}

describe("X-03: consistent cuts", () => {
  test("the verdict is that of vector clocks, on 10,000 random cuts", () => {
    let [consistent, asked] = [0, 0];
    for (let number = 0; asked < 10_000; number++) {
      const run = pictured(randomScenario(number));
      const clocks = vectorClocks(run);
      const draw = new Draw(number);
      for (let i = 0; i < 500; i++, asked++) {
        const cut = drawn(draw, run.space, draw.upTo(run.log.length));
        const { violations } = judgeCut(run.space, cut);
        const expected = isConsistent(run.space, clocks, cut);
        if (expected) consistent++;
        if ((violations.length === 0) !== expected) expect({ number, cut, expected }).toBe(null);
      }
    }
    expect(consistent).toBeGreaterThan(1000);
    expect(consistent).toBeLessThan(9000);
  }, 120_000);

  test("what is repaired is consistent, nowhere later, and no larger one is", () => {
    const run = pictured(randomScenario(3));
    const clocks = vectorClocks(run);
    const draw = new Draw(7);
    for (let i = 0; i < 200; i++) {
      const cut = drawn(draw, run.space, draw.upTo(run.log.length));
      const repaired = repairCut(run.space, cut);
      expect(isConsistent(run.space, clocks, repaired)).toBe(true);
      repaired.forEach((step, line) => {
        expect(step).toBeLessThanOrEqual(at(cut, line));
        if (step === cut[line]) return;
        // The next event of this process cannot be in front of any consistent cut that is within the drawn one.
        const { events } = at(run.space.lifelines, line);
        const next = at(events, step < 0 ? 0 : run.space.placeOf(step) + 1);
        const past = run.space.past(next);
        expect(past.some((last, other) => last > at(cut, other))).toBe(true);
      });
    }
  });

  test("the past and the future of an entry are those of vector clocks", () => {
    const run = pictured(randomScenario(5));
    const clocks = vectorClocks(run);
    const draw = new Draw(5);
    for (let i = 0; i < 60; i++) {
      const step = draw.upTo(run.log.length);
      const [past, future] = [run.space.past(step), run.space.future(step)];
      for (let other = 0; other < run.log.length; other += 3) {
        const [line, own] = [run.space.lineOf(other), run.space.lineOf(step)];
        const before = run.space.placeOf(other) < (at(clocks, step)[line] as number);
        const behind = run.space.placeOf(step) < (at(clocks, other)[own] as number);
        expect(other <= at(past, line)).toBe(before);
        expect(other >= at(future, line)).toBe(behind);
      }
    }
  });

  test("CP-042: an aligned checkpoint is a consistent cut, and no record is in transit between its tasks", () => {
    const { space, log } = pictured(libraryScenario("order-totals"));
    for (const checkpoint of [1, 2, 3]) {
      const cut = checkpointCut(space, log, checkpoint);
      if (cut === null) throw new Error("every subtask has its snapshot");
      const { violations, inTransit } = judgeCut(space, cut);
      expect(violations).toEqual([]);
      expect(inTransit.filter(({ received }) => at(eventTypes, log.type(received)) === "RecordReceived")).toEqual([]);
    }
  });

  test("CP-061: where barriers are only counted a checkpoint need not be consistent: records are in it twice", () => {
    const { space, log } = pictured(
      withFaults(
        "order-totals",
        [{ at: { time: 100 }, do: "slow", target: "orders[0]->total[0]", factor: 100 }],
        (source) => {
          (source["config"] as Record<string, unknown>)["execution.checkpointing.mode"] = "AT_LEAST_ONCE";
        },
      ),
    );
    const violations = [1, 2, 3].flatMap((checkpoint) => {
      const cut = checkpointCut(space, log, checkpoint);
      return cut === null ? [] : judgeCut(space, cut).violations;
    });
    expect(violations.some(({ received }) => at(eventTypes, log.type(received)) === "RecordReceived")).toBe(true);
  });

  test("many subtasks of an operator share a lifeline, and each other has its own", () => {
    const { space } = pictured(libraryScenario("order-totals"));
    expect(space.lifelines.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "jobManager ",
      "task orders[0]",
      "task orders[1]",
      "task total[0]",
      "task total[1]",
      "task out[0]",
      "storage ",
      "log ",
    ]);
  });
});
