import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "../engine/run.ts";
import { after, counter, sink, small, source, triggersAfter } from "../engine/testing/stories.ts";
import { EventNumber } from "../protocol/events.ts";
import type { ExecutionGraph } from "../protocol/execution-graph.ts";
import { executionGraph } from "../scenario/execution-graph.ts";
import type { RestoreCheck } from "../scenario/restore-check.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { advance, initialView } from "./fold.ts";
import { restorePreview } from "./restore-preview.ts";

type Json = Record<string, unknown>;

/** A job that fails at record 9 after checkpoints at 3 and 6, and one that is to go on from the newest. */
function both(job: Json, more: Json = {}): Scenario {
  return small({
    vertices: [source("S"), counter("C"), { uid: "T", type: "keyed-sum", parallelism: 2, chain: false }, sink("K")],
    edges: ["S forward C", "C hash T", "T rebalance K"],
    restart: { type: "none" },
    cluster: { taskManagers: 1, slots: 4 },
    checkpointing: { dir: "file:///ck", "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION" },
    faults: [
      ...triggersAfter("in-0@3", "in-0@6"),
      after("RecordEmitted", { record: "in-0@9" }, "fail-job"),
      after("JobStatusChanged", { to: "FAILED" }, "restore", { from: "checkpoint", job, ...more }),
    ],
  });
}

/** What is told before the new job is submitted, and what the engine then does. */
function asked(scenario: Scenario): { told: RestoreCheck | null; done: ReturnType<typeof runScenario> } {
  const done = runScenario(scenario);
  const view = initialView(scenario, done.graph);
  const before = Array.from({ length: done.log.length }, (_, step) => step).find(
    (step) => done.log.type(step) === EventNumber.JobSubmitted,
  );
  advance(view, done.log, (before ?? 1) - 1);
  const command = scenario.faults.find(({ do: verb }) => verb === "restore");
  const next: ExecutionGraph = executionGraph(
    { ...scenario, ...command?.submission },
    { graph: done.graph, readers: [] },
  );
  const readers = next.sources.map(() => next.inputs.map(() => 0));
  const told = restorePreview(
    view,
    2,
    { ...next, readers },
    {
      maximumIsSet: command?.submission?.job.maxParallelism !== null,
      allowNonRestoredState: command?.allowNonRestoredState === true,
    },
  );
  return { told, done };
}

const fates = (told: RestoreCheck | null): string[] =>
  (told?.operators ?? []).map(({ uid, fate }) => `${uid} ${fate}`).toSorted();

describe("what is told before a restore is what the restore does", () => {
  test("CP-172: with the same operators all state is found; offsets, and what is read again", () => {
    const { told, done } = asked(both({ vertices: [{ uid: "T", parallelism: 3 }] }));
    expect(fates(told)).toEqual(["C restored", "K restored", "S restored", "T restored"]);
    expect(told?.refusal).toBe(null);
    expect(told?.offsets).toEqual([{ partition: "in-0", offset: 7, readAgain: 3 }]);
    expect(at(done.report.submissions, 1)).toMatchObject({ refused: null, dropped: [] });
  });

  test("CP-172: an operator that is missing: refused, or dropped where that is allowed", () => {
    const vertices = [
      source("S"),
      counter("N"),
      { uid: "T", type: "keyed-sum", parallelism: 2, chain: false },
      sink("K"),
    ];
    const edges = [
      { from: "S", to: "N", ship: "forward" },
      { from: "N", to: "T", ship: "hash" },
      { from: "T", to: "K", ship: "rebalance" },
    ];
    const refused = asked(both({ vertices, edges }));
    expect(fates(refused.told)).toEqual(["C refused", "K restored", "N new", "S restored", "T restored"]);
    expect(refused.told?.refusal).toEqual({ reason: "OPERATOR_MISSING", uid: "C" });
    expect(at(refused.done.report.submissions, 1).refused).toBe("C: OPERATOR_MISSING");
    const dropped = asked(both({ vertices, edges }, { allowNonRestoredState: true }));
    expect(fates(dropped.told)).toEqual(["C dropped", "K restored", "N new", "S restored", "T restored"]);
    expect(at(dropped.done.report.submissions, 1).dropped).toEqual(["C"]);
  });

  test("CP-178: another maximum parallelism", () => {
    const { told, done } = asked(both({ maxParallelism: 16 }));
    expect(told?.refusal?.reason).toBe("MAX_PARALLELISM_CHANGED");
    expect(at(done.report.submissions, 1).refused).toMatch(/MAX_PARALLELISM_CHANGED$/);
  });

  test("FI-62: of a checkpoint that is not there nothing is told", () => {
    const scenario = both({});
    const { graph, log } = runScenario(scenario);
    const view = initialView(scenario, graph);
    advance(view, log, 40);
    expect(restorePreview(view, 9, graph, { maximumIsSet: false, allowNonRestoredState: false })).toBe(null);
  });
});
