/**
 * What exactly-once with the Kafka sink comes to (INV-120, INV-121; issue of sinks and two-phase commit): whatever fails
 * once, at any step, and in pairs, brokers and the transaction coordinator included, what committed readers see in the end
 * is what they see without failures, as long as no transaction can time out.
 */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { advance, below, stream } from "../base/prng.ts";
import { type EventType, eventTypes } from "../protocol/events.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { Command, Scenario } from "../scenario/scenario.ts";
import { Course } from "./course.ts";
import { Invariants } from "./invariants.ts";
import { ledgerOf } from "./ledger.ts";
import { Simulation } from "./simulation.ts";
import { command } from "./testing/runs.ts";
import { counter, fixedDelay, sink, small, source } from "./testing/stories.ts";

const long = process.env["BARRIERSCOPE_LONG"] === "1";
/** Steps between two at which single failures are tried, and pairs that are drawn. */
const EVERY = long ? 1 : 12;
const PAIRS = long ? 4000 : 150;
/** Steps in which a run must have come to its end. */
const MOST = 20_000;

/** One source, a counter and a sink that writes to two partitions, whose markers take time, on two TaskManagers. */
function job(naming: string): Scenario {
  return small({
    vertices: [
      source("S", { slotSharingGroup: "s" }),
      counter("M", { slotSharingGroup: "s" }),
      sink("K", {
        slotSharingGroup: "k",
        transactionNaming: naming,
        properties: { "transaction.timeout.ms": "15 min" },
      }),
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

function failures(scenario: Scenario): readonly Command[] {
  const { subtasks, taskManagers } = Simulation.start(scenario, { log: null }).session.plan.graph;
  return [
    ...subtasks.map(({ name }) => command("fail-task", name)),
    ...taskManagers.map((name) => command("restart-taskmanager", name)),
    command("kill-jobmanager", null),
    command("broker-down", null, { for: 500 }),
    command("broker-down", null, { for: 130_000 }),
    ...(["trigger", "ack", "notify-complete"] as const).map((rpc) => command("lose-rpc", null, { rpc })),
    ...(["retriable", "fatal", "reply-lost"] as const).flatMap((kind) => [
      command("commit-error", "K[0]", { kind }),
      command("sink-write-error", "K[0]", { kind }),
    ]),
    command("snapshot-failure", "M[0]", { part: "async" }),
  ];
}

type Outputs = readonly string[];

/** Every output that committed readers see at the end, sorted; or what is wrong. */
function finish(simulation: Simulation, reference: ReturnType<typeof referenceOf>): string {
  const course = new Course(simulation);
  const last = simulation.world.step + MOST;
  while (course.ended === null && course.simulation.world.step < last) course.advance();
  const { kernel, observer } = simulation;
  const ledger = ledgerOf(kernel, reference);
  const watched = observer instanceof Invariants ? observer : null;
  const [violation] = watched?.atEnd(kernel, ledger, course.ended ?? "steps") ?? [];
  if (violation !== undefined) return `${violation.invariant}: ${violation.message}`;
  const row = ledger.delivery.find(({ reader }) => reader === "read_committed");
  return JSON.stringify([course.ended, row?.seen, row?.lost, row?.duplicated, row?.pending, row?.differing]);
}

/** Runs of one scenario from its steps on, each with commands of its own. */
class Sweep {
  runs = 0;
  readonly wrong: string[] = [];
  private readonly reference;
  readonly expected: string;
  /** By step: the run there, and what it said last. */
  readonly steps: { readonly simulation: Simulation; readonly type: EventType | null }[] = [];

  constructor(scenario: Scenario) {
    this.reference = referenceOf(scenario);
    const course = new Course(Simulation.start(scenario, { log: null, observer: new Invariants() }));
    while (course.ended === null) {
      const type =
        course.simulation.world.step === 0 ? null : (eventTypes[course.simulation.kernel.draft.type] ?? null);
      this.steps.push({ simulation: course.simulation.clone(), type });
      course.advance();
    }
    this.expected = finish(Simulation.start(scenario, { log: null, observer: new Invariants() }), this.reference);
  }

  /** Parts from the base run at `step` with one command, and at so many entries later with another. */
  run(step: number, first: Command, later = 0, second: Command | null = null): void {
    const simulation = at(this.steps, step).simulation.clone();
    simulation.submit(first);
    if (second !== null) {
      const course = new Course(simulation);
      const end = simulation.world.step + later;
      while (course.ended === null && simulation.world.step < end) course.advance();
      simulation.submit(second);
    }
    this.runs++;
    const outcome = finish(simulation, this.reference);
    const said = [first, second].map((act) =>
      act === null ? "" : `${act.do} ${act.target ?? act.rpc ?? act.for ?? ""} ${act.kind ?? ""}`,
    );
    if (outcome !== this.expected) this.wrong.push(`${said[0]} at ${step}, ${said[1]} ${later} later: ${outcome}`);
  }
}

/** Where a phase of the commit ends. */
const boundaries: ReadonlySet<EventType | null> = new Set([
  "TransactionPreCommitted",
  "SnapshotTaken",
  "CheckpointCompleted",
  "TransactionCommitRequested",
  "TransactionEndPrepared",
  "TransactionMarkerWritten",
  "TransactionCommitted",
]);

describe.each(["incrementing", "pooling"])("%s names", (naming) => {
  const sweep = new Sweep(job(naming));
  const acts = failures(job(naming));
  const places: Outputs = sweep.steps.map(({ type }) => type ?? "");

  test("the run without failures has everything once, and passes through every phase", () => {
    expect(JSON.parse(sweep.expected)).toEqual(["drained", 10, [], [], [], []]);
    for (const type of boundaries) expect(places).toContain(type);
  });

  test(
    "INV-120, INV-121: any single failure at any step leaves what committed readers see as it is",
    { timeout: 900_000 },
    () => {
      sweep.steps.forEach(({ type }, step) => {
        const isBoundary = boundaries.has(type);
        acts.forEach((act, index) => {
          if (isBoundary || (step + index) % EVERY === 0) sweep.run(step, act);
        });
      });
      console.log(`${naming}: ${sweep.runs} single failures`);
      expect(sweep.wrong.slice(0, 8)).toEqual([]);
    },
  );

  test(
    "INV-120, INV-121: so does any pair, at the boundaries of phases and drawn anywhere",
    { timeout: 3_600_000 },
    () => {
      const before = sweep.runs;
      const starts = sweep.steps.flatMap(({ type }, step) => (boundaries.has(type) ? [step] : []));
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
          pair % 2 === 0 ? at(starts, draw(starts.length)) : draw(sweep.steps.length),
          at(acts, draw(acts.length)),
          1 + draw(80),
          at(acts, draw(acts.length)),
        );
      console.log(`${naming}: ${sweep.runs - before} pairs`);
      expect(sweep.wrong.slice(0, 8)).toEqual([]);
    },
  );
});
