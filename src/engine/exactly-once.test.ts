/**
 * What exactly-once comes to with every sink that promises it (INV-120 to INV-122; SK-043): whatever fails once, at any step,
 * and in pairs, the log, the store and the JobManager included, what committed readers see in the end is what they see
 * without failures, as long as no transaction can time out.
 */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { advance, below, stream } from "../base/prng.ts";
import type { EventType } from "../protocol/events.ts";
import { commitErrors } from "../protocol/reasons.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { Simulation } from "./simulation.ts";
import { FailureSweep } from "./testing/failure-sweep.ts";
import { command } from "./testing/runs.ts";
import { counter, fixedDelay, sink, small, source } from "./testing/stories.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";
/** One of so many single failures is tried: at the ends of phases, and elsewhere; and pairs that are drawn. */
const AT_ENDS = long ? 1 : 4;
const ELSEWHERE = long ? 1 : 40;
const PAIRS = long ? 4000 : 80;

type Json = Parameters<typeof sink>[1];

/** One source, a counter and the sink, which writes to two partitions where it has any, on three TaskManagers with a standby. */
function job(own: Json): Scenario {
  return small({
    vertices: [
      source("S", { slotSharingGroup: "s" }),
      counter("M", { slotSharingGroup: "s" }),
      { uid: "K", chain: false, slotSharingGroup: "k", ...own },
    ],
    edges: ["S forward M", "M forward K"],
    topics: { in: { partitions: 1, records: 10, every: "100 ms", keys: 10 }, out: { partitions: 2 } },
    cluster: { taskManagers: 3, slots: 1 },
    checkpointing: { interval: "300 ms", timeout: "2 s", "tolerable-failed-checkpoints": 1000 },
    initialDelay: 200,
    restart: fixedDelay(100, "200 ms"),
    timing: { markers: 20, "jobmanager.takeover": 300 },
    config: { "high-availability.type": "zookeeper" },
  });
}

/** All that can go wrong and pass: with tasks, processes, messages, the log, and the sink's own store. */
function failures(scenario: Scenario): readonly Command[] {
  const { subtasks, taskManagers } = Simulation.start(scenario, { log: null }).session.plan.graph;
  const isOfLog = scenario.job.vertices.some(({ type }) => type === "kafka-sink");
  const committer = subtasks.find(({ name }) => name === "K-committer[0]")?.name ?? "K[0]";
  return [
    ...subtasks.map(({ name }) => command("fail-task", name)),
    ...taskManagers.map((name) => command("restart-taskmanager", name)),
    command("kill-jobmanager", null),
    command("broker-down", null, { for: 500 }),
    // Longer than a producer's `delivery.timeout.ms`: what is not in the log learns nothing more from that.
    ...(isOfLog ? [command("broker-down", null, { for: 130_000 })] : []),
    ...(["trigger", "ack", "notify-complete"] as const).map((rpc) => command("lose-rpc", null, { rpc })),
    // Fenced, or given up by the store: what is known to be lost is no failure that passes.
    ...commitErrors
      .filter((kind) => kind !== "known")
      .flatMap((kind) => [command("commit-error", committer, { kind }), command("sink-write-error", "K[0]", { kind })]),
    command("snapshot-failure", "M[0]", { part: "async" }),
  ];
}

/** Where a phase of the commit ends, whatever the store. */
const phases: readonly EventType[] = [
  "TransactionPreCommitted",
  "SnapshotTaken",
  "CheckpointCompleted",
  "TransactionCommitRequested",
  "TransactionCommitted",
];
/** In the log a decision comes before its markers (KF-015). */
const inLog: readonly EventType[] = [...phases, "TransactionEndPrepared", "TransactionMarkerWritten"];

const kafka = (transactionNaming: string): Json => sink("K", { slotSharingGroup: "k", transactionNaming });

interface Case {
  readonly own: Json;
  readonly boundaries: readonly EventType[];
}

const cases: { readonly [name: string]: Case } = {
  "kafka-sink, incrementing names": { own: kafka("incrementing"), boundaries: inLog },
  "kafka-sink, pooling names": { own: kafka("pooling"), boundaries: inLog },
  // What is begun behind a lost checkpoint is in no state, so that a run ends when the database gives it up (SK-129).
  "two-phase-commit-sink": { own: { type: "two-phase-commit-sink", databaseTimeout: "20 s" }, boundaries: phases },
  "file-sink, a file a checkpoint": { own: { type: "file-sink", format: "bulk" }, boundaries: phases },
  "file-sink, files that span checkpoints": {
    own: { type: "file-sink", maxPartSize: "96 b", rolloverInterval: "350 ms" },
    boundaries: phases,
  },
  "table-sink, whose committer is a task of its own": {
    own: { type: "table-sink" },
    boundaries: [
      "TransactionPreCommitted",
      "CommittableReceived",
      "SnapshotTaken",
      "CheckpointCompleted",
      "TableCommitted",
    ],
  },
};

function failOnce(sweep: FailureSweep, acts: readonly Command[], boundaries: readonly EventType[]): void {
  sweep.places.forEach(({ type }, step) => {
    const every = type !== null && boundaries.includes(type) ? AT_ENDS : ELSEWHERE;
    acts.forEach((act, index) => {
      if ((step + index) % every === 0) sweep.run(step, act);
    });
  });
}

/** Drawn, every other one from the end of a phase on; in the long run all pairs from there on, at once and a while later. */
function failTwice(sweep: FailureSweep, acts: readonly Command[], boundaries: readonly EventType[]): void {
  const starts = sweep.places.flatMap(({ type }, step) => (type !== null && boundaries.includes(type) ? [step] : []));
  if (long)
    for (const step of starts)
      for (const first of acts)
        for (const second of acts) [1, 25].forEach((later) => sweep.run(step, first, later, second));
  let state = stream(7, "pairs");
  const draw = (bound: number): number => {
    state = advance(state);
    return below(state, bound);
  };
  for (let pair = 0; pair < PAIRS; pair++)
    sweep.run(
      pair % 2 === 0 ? at(starts, draw(starts.length)) : draw(sweep.places.length),
      at(acts, draw(acts.length)),
      1 + draw(80),
      at(acts, draw(acts.length)),
    );
}

describe.each(Object.entries(cases))("%s", (name, { own, boundaries }) => {
  const sweep = new FailureSweep(job(own));
  const acts = failures(job(own));

  test("the run without failures has everything once, and passes through every phase", () => {
    expect(JSON.parse(sweep.expected)).toEqual(["drained", 10, [], [], [], []]);
    const places = sweep.places.map(({ type }) => type);
    for (const type of boundaries) expect(places).toContain(type);
  });

  test(
    "INV-120, INV-121, INV-122: any single failure at any step leaves what committed readers see as it is",
    { timeout: 900_000 },
    () => {
      failOnce(sweep, acts, boundaries);
      console.log(`${name}: ${sweep.runs} single failures`);
      expect(sweep.wrong.slice(0, 8)).toEqual([]);
    },
  );

  test("SK-043: so does any pair, at the ends of phases and drawn anywhere", { timeout: 3_600_000 }, () => {
    const before = sweep.runs;
    failTwice(sweep, acts, boundaries);
    console.log(`${name}: ${sweep.runs - before} pairs`);
    expect(sweep.wrong.slice(0, 8)).toEqual([]);
  });
});

test("INV-113: a sink that commits at the barrier does not pass: failures of tasks double what it wrote", () => {
  const scenario = job({ type: "naive-sink" });
  const sweep = new FailureSweep(scenario);
  const acts = failures(scenario).filter(({ do: verb }) => verb === "fail-task");
  expect(JSON.parse(sweep.expected)).toEqual(["drained", 10, [], [], [], []]);
  failOnce(sweep, acts, phases);
  expect(sweep.wrong.length).toBeGreaterThan(10);
  for (const line of sweep.wrong) expect(line).toMatch(/\["drained",1\d,\[\],\["in-0@/);
});

test("INV-115: a transaction that holds no records may stay pre-committed for a checkpoint that was aborted", () => {
  const sweep = new FailureSweep(job({ type: "two-phase-commit-sink", databaseTimeout: "20 s" }));
  const away = command("broker-down", null, { for: 500 });
  const declined = command("snapshot-failure", "M[0]", { part: "async" });
  const { length } = sweep.places;
  for (let step = length - 40; step < length; step++) sweep.run(step, away, 1, declined);
  expect(sweep.wrong).toEqual([]);
});
