/**
 * Jobs drawn at random that go on with other parallelisms, through a savepoint or a retained checkpoint, at random moments
 * and with random failures before and behind: in the end everything is exactly once, in state and end to end, and each
 * piece of state is what the records in it make of it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { Course } from "./course.ts";
import { Invariants } from "./invariants.ts";
import { EventLog } from "../protocol/log.ts";
import { conclude } from "./conclusion.ts";
import { runScenario } from "./run.ts";
import { Simulation } from "./simulation.ts";
import { sample } from "./testing/sample.ts";
import { fixedDelay, sink, small, source } from "./testing/stories.ts";

type Json = Record<string, unknown>;
const width = fc.integer({ min: 1, max: 4 });

const job = fc.record({
  source: width,
  partitions: fc.integer({ min: 1, max: 3 }),
  stages: fc.array(
    fc.record({
      type: fc.constantFrom("keyed-sum", "keyed-count", "counter", "map"),
      ship: fc.constantFrom("rebalance", "hash", "shuffle", "global"),
      parallelism: width,
      cost: fc.constantFrom(0, 2, 12),
      capacity: fc.constantFrom(1, 3, 8),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  sink: width,
  records: fc.integer({ min: 8, max: 24 }),
  keys: fc.integer({ min: 1, max: 7 }),
  maxParallelism: fc.constantFrom(4, 7, 128),
  interval: fc.constantFrom(60, 120, 300),
  unaligned: fc.constantFrom(null, null, 0, 0, 30),
  storage: fc.constantFrom("jobmanager", "filesystem"),
  /** What is done, in parts of a thousand of the undisturbed run's steps, and the new parallelisms. */
  operations: fc.array(
    fc.record({
      verb: fc.constantFrom("rescale", "stop-with-savepoint", "cancel"),
      part: fc.integer({ min: 150, max: 950 }),
      close: fc.boolean(),
      claimMode: fc.constantFrom("CLAIM", "NO_CLAIM"),
      widths: fc.array(width, { minLength: 5, maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  faults: fc.array(
    fc.record({
      verb: fc.constantFrom("fail-task", "fail-job", "restart-taskmanager", "lose-rpc"),
      part: fc.integer({ min: 100, max: 1800 }),
      target: fc.nat({ max: 20 }),
    }),
    { maxLength: 2 },
  ),
  seed: fc.nat({ max: 500 }),
});
type Drawn = typeof job extends fc.Arbitrary<infer T> ? T : never;

const uids = ({ stages }: Drawn): string[] => ["S", ...stages.map((_, i) => `v${i}`), "K"];

function verticesOf(drawn: Drawn): { vertices: Json[]; edges: string[] } {
  const vertices: Json[] = [source("S", { parallelism: drawn.source })];
  const edges: string[] = [];
  let last = "S";
  drawn.stages.forEach(({ type, ship, parallelism, cost, capacity }, i) => {
    const keyed = type.startsWith("keyed");
    vertices.push({
      uid: `v${i}`,
      type: type === "counter" ? "map" : type,
      ...(type === "counter" && { counter: true }),
      parallelism,
      cost,
      chain: false,
    });
    edges.push(`${last} ${keyed ? "hash" : ship} v${i} capacity=${capacity}`);
    last = `v${i}`;
  });
  vertices.push(sink("K", { parallelism: drawn.sink }));
  return { vertices, edges: [...edges, `${last} rebalance K`] };
}

function scenarioOf(drawn: Drawn, faults: readonly Json[]): Scenario {
  const { vertices, edges } = verticesOf(drawn);
  return small({
    vertices,
    edges,
    faults,
    seed: drawn.seed,
    initialDelay: null,
    topics: {
      in: { partitions: drawn.partitions, records: drawn.records, every: "40 ms", keys: drawn.keys },
      out: { partitions: 2 },
    },
    cluster: { taskManagers: 2, slots: 2 },
    restart: fixedDelay(50, "100 ms"),
    timing: { "heartbeat.detect": "300 ms" },
    config: { "pipeline.max-parallelism": drawn.maxParallelism, "execution.checkpointing.savepoint-dir": "file:///sp" },
    checkpointing: {
      interval: drawn.interval,
      timeout: "3 s",
      "tolerable-failed-checkpoints": 9,
      dir: "file:///ck",
      storage: drawn.storage,
      "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
      ...(drawn.unaligned !== null && {
        "unaligned.enabled": true,
        "aligned-checkpoint-timeout": drawn.unaligned,
      }),
    },
  });
}

function faultsOf(drawn: Drawn): Json[] {
  const { report, graph } = runScenario(scenarioOf(drawn, []));
  const moment = (part: number): Json => ({ step: Math.floor((part * report.steps) / 1000) });
  const names = uids(drawn);
  // The second operation waits for the second job, or comes while the first is under way.
  const operations = drawn.operations.flatMap(({ verb, part, close, claimMode, widths }, submission): Json[] => {
    const soon = moment(Math.min(990, at(drawn.operations, 0).part + (part % 60)));
    const later = close ? soon : { after: "RecordEmitted", submission, nth: 1 + (part % 9) };
    const at_ = submission === 0 ? moment(part) : later;
    const vertex = at(names, part % names.length);
    if (verb === "rescale") return [{ at: at_, do: verb, vertex, parallelism: at(widths, 0) }];
    const over = { after: "JobStatusChanged", to: verb === "cancel" ? "CANCELED" : "FINISHED", submission };
    const vertices = names.map((uid, place) => ({ uid, parallelism: at(widths, place) }));
    const from = verb === "cancel" ? "checkpoint" : "savepoint";
    return [
      { at: at_, do: verb },
      { at: over, do: "restore", from, claimMode, job: { vertices } },
    ];
  });
  const faults = drawn.faults.map(({ verb, part, target }): Json => {
    const base = { at: moment(part), do: verb };
    if (verb === "fail-task") return { ...base, target: at(graph.subtasks, target % graph.subtasks.length).name };
    if (verb === "restart-taskmanager") return { ...base, target: at(graph.taskManagers, target % 2) };
    return verb === "lose-rpc" ? { ...base, rpc: at(["ack", "notify-aborted", "trigger"], target % 3) } : base;
  });
  return [...operations, ...faults];
}

/** Counts in state that are not the number of records in it. */
function wrongCounts({ kernel }: Simulation): string[] {
  const { world, plan, arena } = kernel;
  return plan.operators.flatMap(({ kind, state, keyOwner }, operator) => {
    if (kind !== "keyed-count" && kind !== "counter") return [];
    const { subtasks } = at(plan.graph.vertices, at(plan.graph.operators, operator).taskVertex);
    return subtasks.flatMap((subtask, number) => {
      const pieces = kind === "counter" ? 1 : keyOwner.filter((owner) => owner === number).length;
      return Array.from({ length: pieces }, (_, piece) => (plan.stateStart[subtask] as number) + state + 2 * piece)
        .filter((place) => arena.lists.toArray(world.state[place + 1] as number).length !== world.state[place])
        .map((place) => `${at(plan.graph.subtasks, subtask).name} ${place}`);
    });
  });
}

const long = process.env["BARRIERSCOPE_LONG"] === "1";

test("INV-040, INV-041, FI-78: through savepoints and checkpoints, with any parallelism, everything is exactly once", () => {
  let submitted = 0;
  fc.assert(
    fc.property(job, (drawn) => {
      const scenario = scenarioOf(drawn, faultsOf(drawn));
      const [log, invariants] = [new EventLog(), new Invariants()];
      const simulation = Simulation.start(scenario, { log, observer: invariants });
      const course = new Course(simulation);
      while (course.ended === null) course.advance();
      const { report, violations } = conclude(simulation, invariants, log, course.ended, referenceOf(scenario));
      // A job that is cancelled before its first checkpoint leaves nothing to start from, and one that fails behind the
      // savepoint of its stop waits for a person (CP-166).
      const runs = report.submissions.at(-1)?.status === "RUNNING";
      if (runs) submitted += report.submissions.length - 1;
      const wrong = wrongCounts(simulation);
      const verdict = runs ? report.verdict : null;
      expect({ ended: report.ended, violations, verdict, wrong }).toEqual({
        ended: "drained",
        violations: [],
        verdict: runs ? { state: "exactly-once", endToEnd: "exactly-once" } : null,
        wrong: [],
      });
    }),
    sample(long, 300, 10_000),
  );
  expect(submitted).toBeGreaterThan(long ? 5000 : 150);
});
