/**
 * Whatever snapshot a person picks, the newest, an older one or none, with another graph, mode or delivery, and whatever
 * fails before and behind: no invariant that is claimed of the jobs together (`invariants/jobs.ts`) is violated.
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

const change = fc.record({
  verb: fc.constantFrom("cancel", "stop-with-savepoint", "kill-jobmanager", "fail-job"),
  part: fc.integer({ min: 100, max: 950 }),
  from: fc.constantFrom("checkpoint", "checkpoint", "savepoint", "none", "chk-1", "chk-2", "chk-3"),
  claimMode: fc.constantFrom("CLAIM", "NO_CLAIM", "LEGACY"),
  jobId: fc.constantFrom("fresh", "same"),
  widths: fc.array(width, { minLength: 5, maxLength: 5 }),
  /** What else is another than before. */
  other: fc.constantFrom("nothing", "nothing", "nothing", "uid", "mode", "delivery", "prefix", "filter"),
});

const job = fc.record({
  sources: fc.integer({ min: 1, max: 2 }),
  widths: fc.array(width, { minLength: 5, maxLength: 5 }),
  middle: fc.constantFrom("keyed-sum", "keyed-count", "counter"),
  sinks: fc.integer({ min: 1, max: 2 }),
  records: fc.integer({ min: 6, max: 20 }),
  interval: fc.constantFrom(60, 120, 300),
  unaligned: fc.boolean(),
  mode: fc.constantFrom("EXACTLY_ONCE", "EXACTLY_ONCE", "AT_LEAST_ONCE"),
  delivery: fc.constantFrom("exactly-once", "exactly-once", "at-least-once"),
  restart: fc.boolean(),
  bounded: fc.boolean(),
  changes: fc.array(change, { minLength: 1, maxLength: 3 }),
  faults: fc.array(
    fc.record({
      verb: fc.constantFrom("fail-task", "restart-taskmanager", "lose-rpc", "trigger-savepoint"),
      part: fc.integer({ min: 50, max: 1500 }),
      target: fc.nat({ max: 20 }),
    }),
    { maxLength: 3 },
  ),
  seed: fc.nat({ max: 500 }),
});
type Drawn = typeof job extends fc.Arbitrary<infer T> ? T : never;

function jobOf(
  { sources, middle, sinks, delivery, bounded }: Drawn,
  widths: readonly number[],
  other: string,
): { vertices: Json[]; edges: string[] } {
  const heads = Array.from({ length: sources }, (_, i) => `s${i}`);
  const vertices: Json[] = heads.map((uid) =>
    source(uid, { topic: uid, parallelism: at(widths, 0), bounded, chain: false }),
  );
  const edges: string[] = [];
  let last = heads;
  const add = (vertex: Json, ship: string): void => {
    vertices.push({ chain: false, ...vertex });
    for (const head of last) edges.push(`${head} ${ship} ${vertex["uid"] as string} capacity=3`);
    last = [vertex["uid"] as string];
  };
  if (sources > 1) add({ uid: "u", type: "union", parallelism: at(widths, 1) }, "rebalance");
  if (other === "filter") add({ uid: "f", type: "filter", parallelism: at(widths, 1) }, "rebalance");
  const counter = middle === "counter";
  const uid = other === "uid" ? "other" : "m";
  const type = counter ? "map" : middle;
  add({ uid, type, ...(counter && { counter }), parallelism: at(widths, 2), cost: 4 }, counter ? "rebalance" : "hash");
  for (let i = 0; i < sinks; i++) {
    const guarantee =
      other === "delivery" ? (delivery === "exactly-once" ? "at-least-once" : "exactly-once") : delivery;
    const transactionalIdPrefix = other === "prefix" ? `Q${i}` : `P${i}`;
    vertices.push(
      sink(`k${i}`, { topic: `o${i}`, parallelism: at(widths, 3), delivery: guarantee, transactionalIdPrefix }),
    );
    edges.push(`${at(last, 0)} rebalance k${i}`);
  }
  return { vertices, edges };
}

const edgeOf = (line: string): Json => {
  const [from, ship, to] = line.split(" ");
  return { from, ship, to };
};

function scenarioOf(drawn: Drawn, faults: readonly Json[]): Scenario {
  const topic = { partitions: 2, records: drawn.records, every: "20 ms", keys: 4 };
  return small({
    ...jobOf(drawn, drawn.widths, "nothing"),
    faults,
    seed: drawn.seed,
    initialDelay: null,
    topics: { s0: topic, s1: topic, o0: { partitions: 2 }, o1: { partitions: 1 } },
    cluster: { taskManagers: 2, slots: 3 },
    restart: drawn.restart ? fixedDelay(20, "100 ms") : { type: "none" },
    timing: { "heartbeat.detect": "300 ms" },
    config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
    checkpointing: {
      interval: drawn.interval,
      timeout: "3 s",
      "tolerable-failed-checkpoints": 5,
      dir: "file:///ck",
      storage: "filesystem",
      "num-retained": 3,
      "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
      mode: drawn.mode,
      ...(drawn.unaligned && drawn.mode === "EXACTLY_ONCE" && { "unaligned.enabled": true }),
    },
  });
}

const ends: Json = {
  cancel: "CANCELED",
  "stop-with-savepoint": "FINISHED",
  "kill-jobmanager": "SUSPENDED",
  "fail-job": "FAILED",
};

function faultsOf(drawn: Drawn): Json[] {
  const { report, graph } = runScenario(scenarioOf(drawn, []));
  const moment = (part: number): Json => ({ step: Math.floor((part * report.steps) / 1000) });
  const changes = drawn.changes.flatMap((one, submission): Json[] => {
    const { vertices, edges } = jobOf(drawn, one.widths, one.other);
    const mode = drawn.mode === "EXACTLY_ONCE" ? "AT_LEAST_ONCE" : "EXACTLY_ONCE";
    const when = submission === 0 ? moment(one.part) : { after: "RecordEmitted", submission, nth: 1 + (one.part % 12) };
    return [
      { at: when, do: one.verb },
      {
        at: { after: "JobStatusChanged", to: ends[one.verb], submission },
        do: "restore",
        from: one.from,
        claimMode: one.claimMode,
        jobId: one.jobId,
        allowNonRestoredState: true,
        job: { vertices, edges: edges.map(edgeOf) },
        config: {
          "restart-strategy.type": "fixed-delay",
          "restart-strategy.fixed-delay.attempts": 20,
          ...(one.other === "mode" && { "execution.checkpointing.mode": mode }),
          ...(one.other === "mode" &&
            mode === "AT_LEAST_ONCE" && { "execution.checkpointing.unaligned.enabled": false }),
        },
      },
    ];
  });
  const faults = drawn.faults.map(({ verb, part, target }): Json => {
    const base = { at: moment(part), do: verb };
    if (verb === "fail-task") return { ...base, target: at(graph.subtasks, target % graph.subtasks.length).name };
    if (verb === "restart-taskmanager") return { ...base, target: at(graph.taskManagers, target % 2) };
    return verb === "lose-rpc" ? { ...base, rpc: at(["ack", "notify-complete", "trigger"], target % 3) } : base;
  });
  return [...changes, ...faults];
}

const long = process.env["BARRIERSCOPE_LONG"] === "1";

test("INV-033, INV-120, INV-125: from whatever snapshot a job starts, what is claimed of the jobs together holds", () => {
  let claimed = 0;
  fc.assert(
    fc.property(job, (drawn) => {
      const { report, violations } = runScenario(scenarioOf(drawn, faultsOf(drawn)), { checkInvariants: true });
      expect(violations).toEqual([]);
      if (report.submissions.length > 1 && report.invariants.checked.includes("INV-120")) claimed++;
    }),
    sample(long, 100, 10_000),
  );
  expect(claimed).toBeGreaterThan(long ? 1000 : 5);
});
