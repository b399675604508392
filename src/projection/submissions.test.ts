/** Views of a run whose job is submitted anew: the laws of projections, and what a restored attempt is given. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { advance as drawn, below, stream } from "../base/prng.ts";
import { ledgerOf as engineLedgerOf } from "../engine/ledger.ts";
import { Course } from "../engine/course.ts";
import { Simulation } from "../engine/simulation.ts";
import { after, atTime, counter, sink, small, source } from "../engine/testing/stories.ts";
import { ownerOfTransaction } from "../protocol/ids.ts";
import { EventLog } from "../protocol/log.ts";
import { traceEntries } from "../protocol/trace.ts";
import { referenceOf } from "../scenario/reference.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { Explainer } from "./explain.ts";
import { advance, initialView } from "./fold.ts";
import { Views } from "./keyframes.ts";
import { expectedOf, ledgerOf } from "./ledger.ts";
import { plain } from "./testing/plain.ts";
import type { RunView } from "./views.ts";

type Json = Record<string, unknown>;
const again = { "restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": 3 };

const wide = (faults: readonly Json[], checkpointing: Json = {}): Scenario =>
  small({
    vertices: [
      source("S", { parallelism: 2 }),
      counter("C", { parallelism: 2 }),
      { uid: "T", type: "keyed-sum", parallelism: 2, chain: false, cost: "6 ms" },
      sink("K", { parallelism: 2 }),
    ],
    edges: ["S rebalance C", "C hash T", "T rebalance K"],
    topics: { in: { partitions: 2, records: 60, every: "25 ms", keys: 7 }, out: { partitions: 2 } },
    cluster: { taskManagers: 2, slots: 2 },
    restart: { type: "none" },
    config: { "execution.checkpointing.savepoint-dir": "file:///sp" },
    checkpointing: {
      dir: "file:///ck",
      "externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
      ...checkpointing,
    },
    faults,
  });
const other = {
  vertices: [
    { uid: "C", parallelism: 3 },
    { uid: "T", parallelism: 3 },
    { uid: "K", parallelism: 1 },
  ],
};
const failed = (restore: Json): Json[] => [
  atTime(200, "trigger-checkpoint"),
  atTime(400, "fail-job"),
  after("JobStatusChanged", { to: "FAILED" }, "restore", { config: again, ...restore }),
  after("RecordEmitted", { record: "in-0@22", submission: 1 }, "fail-task", { target: "T[1]" }),
];

const cases: [string, Scenario][] = [
  ["from a retained checkpoint, wider", wide(failed({ from: "checkpoint", job: other }))],
  ["records in flight, re-routed", wide(failed({ from: "checkpoint", job: other }), { "unaligned.enabled": true })],
  ["without state", wide(failed({ from: "none" }))],
  [
    "rescaled twice",
    wide([
      atTime(300, "rescale", { vertex: "T", parallelism: 3 }),
      atTime(1200, "rescale", { vertex: "C", parallelism: 1 }),
    ]),
  ],
  ["refused", wide(failed({ from: "chk-9" }))],
];

function run(scenario: Scenario): { simulation: Simulation; log: EventLog } {
  const log = new EventLog();
  const simulation = Simulation.start(scenario, { log });
  const course = new Course(simulation);
  while (course.ended === null) course.advance();
  expect(course.ended).toBe("drained");
  return { simulation, log };
}

describe.each(cases)("%s", (_, scenario) => {
  const { simulation, log } = run(scenario);
  const { chain } = simulation.kernel;
  const start = (): RunView => initialView(scenario, at(chain, 0).plan.graph);

  test("the view's graph is that of the job that runs", () => {
    const view = start();
    const first = view.shared;
    for (let step = 0; step < log.length; step++) {
      advance(view, log, step);
      expect(view.shared.graph).toEqual(at(chain, view.past.length).plan.graph);
    }
    expect(view.past).toHaveLength(chain.length - 1);
    expect((view.past[0]?.shared ?? view.shared) === first).toBe(true);
  });

  test("a transaction belongs to the sink's subtask in the job that runs, or to none of it", () => {
    const view = start();
    for (let step = 0; step < log.length; step++) advance(view, log, step);
    const { graph } = view.shared;
    const last = at(chain, view.past.length).plan.graph;
    expect(view.transactions.length).toBeGreaterThan(0);
    for (const { number, subtask } of view.transactions) {
      expect(subtask).toBe(ownerOfTransaction(last, number));
      const sinks = graph.sinks.flatMap(
        (operator) => at(graph.vertices, at(graph.operators, operator).taskVertex).subtasks,
      );
      expect([-1, ...sinks]).toContain(subtask);
    }
  });

  test("a seek equals playing, with keyframes and without, there and back", () => {
    const views = new Views(log, start());
    let state = stream(7, "seeks");
    for (let i = 0; i < 40; i++) {
      const step = below((state = drawn(state)), log.length + 1) - 1;
      const scratch = start();
      advance(scratch, log, step);
      if (i % 7 === 0) views.dropKeyframes();
      expect(plain(views.viewAt(step))).toEqual(plain(scratch));
    }
  });

  test("the ledger is the engine's, over all jobs", () => {
    const view = start();
    advance(view, log, log.length - 1);
    const reference = referenceOf(simulation.kernel.plan.scenario);
    const { sinks, states, verdict } = ledgerOf(view, expectedOf(view.shared, reference));
    const engine = engineLedgerOf(simulation.kernel, reference);
    expect(verdict).toEqual(engine.verdict);
    expect(sinks.map(({ seen, fates }) => [seen, fates.count("lost"), fates.count("duplicated")])).toEqual(
      engine.delivery.map(({ seen, lost, duplicated }) => [seen, lost.length, duplicated.length]),
    );
    expect(states.map(({ fates }) => [fates.count("lost"), fates.count("duplicated")])).toEqual(
      engine.state.map(({ lost, duplicated }) => [lost.length, duplicated.length]),
    );
  });

  test("every entry has a sentence with the names of its job", () => {
    const explainer = new Explainer(start().shared, log);
    const entries = [
      ...traceEntries(
        chain.map(({ plan }) => plan.graph),
        log,
      ),
    ];
    entries.forEach(({ subtask }, step) => {
      const sentence = explainer.sentence(step);
      if ("task" in sentence && sentence.task !== null && typeof subtask === "string")
        expect(sentence.task).toBe(subtask);
    });
  });
});

test("CP-175, CP-180: what a restored attempt holds in the view is what the engine gave it", () => {
  const { simulation, log } = run(at(cases, 0)[1]);
  const { graph } = at(simulation.kernel.chain, 1).plan;
  const entries = [
    ...traceEntries(
      simulation.kernel.chain.map(({ plan }) => plan.graph),
      log,
    ),
  ];
  const view = initialView(at(cases, 0)[1], at(simulation.kernel.chain, 0).plan.graph);
  const before = entries.findLast(({ type, submission }) => type === "SnapshotTaken" && submission === 0)?.step ?? 0;
  advance(view, log, before);
  const total = (
    subtasks: readonly { readonly held: { readonly operators: readonly { readonly counts: Int32Array }[] } }[],
  ): number =>
    subtasks
      .flatMap(({ held }) => held.operators)
      .reduce((sum, { counts }) => sum + counts.reduce((a, b) => a + b, 0), 0);
  const restored =
    entries.findLast(({ type, submission, attempt }) => type === "StateRestored" && submission === 1 && attempt === 0)
      ?.step ?? 0;
  const taken = view.checkpoints.at(-1)?.parts.map((part) => ({ held: part?.contents ?? { operators: [] } })) ?? [];
  advance(view, log, restored);
  expect(total(view.subtasks)).toBe(total(taken));
  expect(total(taken)).toBeGreaterThan(10);
  const offsets = view.inputs.map(({ partition, subtask }) => [partition, at(graph.subtasks, subtask).name]);
  expect(offsets).toEqual([
    [0, "S[0]"],
    [1, "S[1]"],
  ]);
});
