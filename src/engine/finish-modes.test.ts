/**
 * Bounded input in each checkpointing mode: end of data and finished tasks beside the tracker and unaligned checkpoints,
 * and a failure at every step. What holds when checkpoints are aligned is in `finish.test.ts` and `finish-sweep.test.ts`.
 */
import { describe, expect, test } from "vitest";
import type { TraceMove } from "../protocol/trace.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { failEverywhere, failuresOf } from "./testing/bounded.ts";
import { type Small, counter, fixedDelay, sink, small, source, story } from "./testing/stories.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";
/** Steps between two at which something fails. */
const EVERY = long ? 1 : 31;

const modes = {
  "at-least-once": { mode: "AT_LEAST_ONCE" },
  unaligned: { "unaligned.enabled": true },
  "unaligned after 1 ms": { "unaligned.enabled": true, "aligned-checkpoint-timeout": "1 ms" },
  "unaligned after 30 ms": { "unaligned.enabled": true, "aligned-checkpoint-timeout": "30 ms" },
} as const;

/** A source that ends soon and one that does not, into a slow task and one behind it: channels are full when they end. */
function crowded(mode: Small["checkpointing"], more: Partial<Small> = {}): Scenario {
  return small({
    vertices: [
      source("A", { bounded: true }),
      source("B", { topic: "other", bounded: true }),
      counter("T", { cost: 12 }),
      counter("U", { cost: 4, parallelism: 2 }),
      sink("K"),
    ],
    edges: ["A rebalance T", "B rebalance T", "T rebalance U", "U rebalance K"],
    topics: { in: { records: 4, every: "3 ms" }, other: { records: 14, every: "5 ms" } },
    cluster: { taskManagers: 2, slots: 1 },
    initialDelay: 20,
    checkpointing: { interval: "60 ms", timeout: "2 s", "tolerable-failed-checkpoints": 100, ...mode },
    restart: fixedDelay(5, "50 ms"),
    ...more,
  });
}

describe("a bounded job that fails at any step ends FINISHED", () => {
  for (const [name, mode] of Object.entries(modes)) {
    const fine = name === "at-least-once" ? ["exactly-once", "at-least-once"] : ["exactly-once"];
    test(`FI-90, CP-192, CP-085: ${name}, nothing is lost`, { timeout: 300_000 }, () => {
      const scenario = crowded(mode);
      const { tasks, others } = failuresOf(scenario);
      const { runs, wrong } = failEverywhere(
        scenario,
        (step) => (step % EVERY === 0 ? [...tasks, ...others] : []),
        fine,
      );
      console.log(`${name}: ${runs} runs`);
      expect(wrong.slice(0, 6)).toEqual([]);
      expect(runs).toBeGreaterThan(long ? 800 : 250);
    });
  }
});

describe("in every mode", () => {
  for (const [name, mode] of Object.entries(modes)) {
    test(`CP-046, CP-064: ${name}, each state machine goes on from where it was`, () => {
      const states = new Map<string, string>();
      for (const { step, moves } of story(crowded(mode)).entries) {
        for (const { machine, instance, from, to } of moves as readonly TraceMove[]) {
          const key = `${machine} ${instance}`;
          expect(from, `${key} at ${step}`).toBe(states.get(key) ?? from);
          states.set(key, to);
        }
      }
    });

    test(`CP-190, CP-192: ${name}, checkpoints go on with a FINISHED source, and the final one commits all`, () => {
      const run = story(crowded(mode));
      expect([run.report.ended, run.report.job.status, run.report.verdict.endToEnd]).toEqual([
        "drained",
        "FINISHED",
        "exactly-once",
      ]);
      const withFinished = run.report.checkpoints.filter(
        ({ status, subtasks }) => status === "COMPLETED" && subtasks.some(({ finished }) => finished),
      );
      expect(withFinished.length).toBeGreaterThan(0);
    });
  }
});
