/**
 * Bounded jobs drawn at random over pipelined and blocking exchanges, with random failures: whatever is restarted, every run
 * comes to its end, nothing is lost, and state holds each record once.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { runScenario } from "./run.ts";
import { sample } from "./testing/sample.ts";
import { fixedDelay, sink, small, source } from "./testing/stories.ts";
import type { Scenario } from "../scenario/scenario.ts";

type Json = Record<string, unknown>;
const width = fc.integer({ min: 1, max: 3 });
const exchange = fc.constantFrom("PIPELINED_BOUNDED", "BLOCKING");

const job = fc.record({
  source: width,
  stages: fc.array(
    fc.record({
      type: fc.constantFrom("keyed-sum", "keyed-count", "counter", "map"),
      ship: fc.constantFrom("rebalance", "rescale", "shuffle", "global", "broadcast"),
      exchange,
      parallelism: width,
      cost: fc.constantFrom(0, 3),
      group: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  last: exchange,
  sink: width,
  records: fc.integer({ min: 0, max: 20 }),
  faults: fc.array(
    fc.record({
      verb: fc.constantFrom("fail-task", "fail-job", "restart-taskmanager", "kill-jobmanager", "stall"),
      part: fc.integer({ min: 0, max: 1200 }),
      target: fc.nat({ max: 20 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  seed: fc.nat({ max: 500 }),
});
type Drawn = typeof job extends fc.Arbitrary<infer T> ? T : never;

function scenarioOf(drawn: Drawn, faults: readonly Json[]): Scenario {
  const vertices: Json[] = [source("S", { parallelism: drawn.source, bounded: true, chain: false })];
  const edges: string[] = [];
  let last = "S";
  drawn.stages.forEach((stage, i) => {
    vertices.push({
      uid: `v${i}`,
      type: stage.type === "counter" ? "map" : stage.type,
      ...(stage.type === "counter" && { counter: true }),
      parallelism: stage.parallelism,
      cost: stage.cost,
      chain: false,
      ...(stage.group && { slotSharingGroup: `g${i}` }),
    });
    edges.push(`${last} ${stage.type.startsWith("keyed") ? "hash" : stage.ship} v${i} exchange=${stage.exchange}`);
    last = `v${i}`;
  });
  vertices.push(sink("K", { parallelism: drawn.sink, delivery: "at-least-once" }));
  return small({
    vertices,
    edges: [...edges, `${last} rebalance K exchange=${drawn.last}`],
    topics: { in: { partitions: 2, records: drawn.records, every: "10 ms", keys: 5 }, out: { partitions: 2 } },
    cluster: { taskManagers: 3, slots: 8 },
    restart: fixedDelay(50, "100 ms"),
    checkpointing: { interval: null },
    config: { "high-availability.type": "zookeeper" },
    timing: { "heartbeat.detect": "300 ms" },
    seed: drawn.seed,
    faults,
  });
}

function faultsOf(drawn: Drawn): Json[] {
  const { report, graph } = runScenario(scenarioOf(drawn, []));
  return drawn.faults.map(({ verb, part, target }): Json => {
    const base = { at: { step: Math.floor((part * report.steps) / 1000) }, do: verb };
    const subtask = at(graph.subtasks, target % graph.subtasks.length).name;
    if (verb === "fail-task") return { ...base, target: subtask };
    if (verb === "stall") return { ...base, target: subtask, for: "200 ms" };
    if (verb === "restart-taskmanager") return { ...base, target: at(graph.taskManagers, target % 3) };
    return verb === "kill-jobmanager" ? { ...base, for: "200 ms" } : base;
  });
}

const long = process.env["BARRIERSCOPE_LONG"] === "1";

test("FR-041, FR-042, FR-044: over blocking exchanges every run ends, nothing is lost, and state is exactly once", () => {
  let waited = 0;
  fc.assert(
    fc.property(job, (drawn) => {
      const { report, violations, log } = runScenario(scenarioOf(drawn, faultsOf(drawn)), { checkInvariants: true });
      const lost = report.delivery.flatMap((row) => [...row.lost, ...row.pending, ...row.unprocessed]);
      expect({
        ended: report.ended,
        // With all input processed a run is over, though tasks that have nothing to do may not have ended.
        goesWell: ["RUNNING", "FINISHED"].includes(report.job.status),
        violations,
        lost,
        state: report.verdict.state,
      }).toEqual({ ended: "drained", goesWell: true, violations: [], lost: [], state: "exactly-once" });
      if (log.length > 0 && [...drawn.stages, { exchange: drawn.last }].some((one) => one.exchange === "BLOCKING"))
        waited++;
    }),
    sample(long, 200, 5000),
  );
  expect(waited).toBeGreaterThan(long ? 3000 : 100);
});
