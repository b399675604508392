/** Three ways to "effectively once", compared on one input with one failure (`recovery-and-sinks.md` 9.2). */
import { describe, expect, test } from "vitest";
import { type RunResult, runScenario } from "../engine/run.ts";
import { type Small, small } from "../engine/testing/stories.ts";
import { type StrategyCosts, strategyCosts } from "./strategy-costs.ts";

type Json = { readonly [key: string]: unknown };

const source: Json = { uid: "S", type: "kafka-source", topic: "in", parallelism: 2, chain: false };
const ways = {
  ids: {
    mode: "AT_LEAST_ONCE",
    vertices: [source, { uid: "D", type: "dedup" }, { uid: "C", type: "keyed-sum" }, { uid: "K", type: "upsert-sink" }],
    edges: ["S hash D", "D forward C", "C forward K"],
  },
  idempotent: {
    mode: "AT_LEAST_ONCE",
    vertices: [source, { uid: "M", type: "map" }, { uid: "K", type: "upsert-sink" }],
    edges: ["S hash M", "M forward K"],
  },
  snapshots: {
    mode: "EXACTLY_ONCE",
    vertices: [source, { uid: "C", type: "keyed-sum" }, { uid: "K", type: "two-phase-commit-sink" }],
    edges: ["S hash C", "C forward K"],
  },
} as const satisfies { readonly [way: string]: Pick<Small, "vertices" | "edges"> & { readonly mode: string } };

interface Way extends RunResult {
  readonly costs: StrategyCosts;
}

/** The same input, the same interval, the same failure, and one channel held up at the third barrier. */
function run(way: keyof typeof ways, records = 120): Way {
  const { mode, vertices, edges } = ways[way];
  const scenario = small({
    vertices,
    edges: [...edges],
    topics: { in: { partitions: 2, records, every: "20 ms", keys: 6 } },
    checkpointing: { mode, interval: "300 ms" },
    initialDelay: 100,
    faults: [
      { at: { after: "CheckpointTriggered", checkpoint: 3 }, do: "stall", target: "S[1]", for: "60 ms" },
      { at: { time: 1000 }, do: "fail-job" },
    ],
  });
  const result = runScenario(scenario, { checkInvariants: true });
  expect(result.violations).toEqual([]);
  return { ...result, costs: strategyCosts(result.graph, result.log, result.report) };
}

const all = { ids: run("ids"), idempotent: run("idempotent"), snapshots: run("snapshots") };

describe("the three ways on one input", () => {
  test("SK-034, SK-035, SK-036: each of them comes to the right result", () => {
    expect([all.ids, all.snapshots].map(({ report }) => report.verdict.state)).toEqual([
      "exactly-once",
      "exactly-once",
    ]);
    for (const { report } of Object.values(all)) expect(report.delivery[0]?.lost).toEqual([]);
    expect(all.idempotent.report.verdict.endToEnd).toBe("effectively-once");
    expect(all.snapshots.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("SK-034: a log of ids costs storage for each record, a lookup and a write for each, and no alignment", () => {
    const { ids, idempotent, snapshots } = all;
    expect(ids.costs.lookups).toBe(ids.costs.idsWritten + ids.costs.stopped);
    expect(ids.costs.idsWritten).toBeGreaterThanOrEqual(120);
    expect(ids.costs.stopped).toBeGreaterThan(0);
    expect(ids.costs.blocked).toBe(0);
    expect(ids.costs.storage).toBeGreaterThan(4 * snapshots.costs.storage);
    expect([idempotent, snapshots].map(({ costs }) => costs.lookups)).toEqual([0, 0]);
    // Twice the records, twice the ids; what is kept by key stays as it is.
    expect(run("ids", 240).costs.storage).toBeGreaterThan(1.6 * ids.costs.storage);
    expect(run("snapshots", 240).costs.storage).toBe(snapshots.costs.storage);
  });

  test("SK-035: an idempotent sink costs next to nothing, and its readers see values go back while it replays", () => {
    const { ids, idempotent, snapshots } = all;
    expect(idempotent.costs.storage).toBeLessThan(Math.min(ids.costs.storage, snapshots.costs.storage));
    expect([idempotent.costs.lookups, idempotent.costs.blocked]).toEqual([0, 0]);
    expect(idempotent.report.delivery[0]?.regressions).toBeGreaterThan(0);
  });

  test("SK-036: snapshots cost alignment, and output that is a checkpoint late", () => {
    const { ids, idempotent, snapshots } = all;
    expect(snapshots.costs.blocked).toBeGreaterThan(0);
    expect(snapshots.costs.latency?.average).toBeGreaterThan(150);
    expect(snapshots.costs.latency?.longest).toBeGreaterThan(300);
    for (const { costs } of [ids, idempotent]) expect(costs.latency?.average).toBeLessThan(60);
  });

  test("SK-036, SK-034: all of them roll back what the failed region did since the checkpoint; a log of ids stops the replay of what its state has", () => {
    const again = Object.values(all).map(({ costs }) => costs.processedAgain);
    for (const records of again) expect(records).toBeGreaterThan(0);
    expect(all.idempotent.costs.stopped + all.snapshots.costs.stopped).toBe(0);
  });
});

test("what nothing has let out has no latency", () => {
  const scenario = small({
    vertices: [
      { uid: "S", type: "kafka-source", topic: "in" },
      { uid: "K", type: "write-ahead-log-sink" },
    ],
    edges: ["S forward K"],
    checkpointing: { interval: null },
  });
  const { graph, log, report } = runScenario(scenario);
  expect(strategyCosts(graph, log, report)).toMatchObject({ latency: null, storage: 0 });
});
