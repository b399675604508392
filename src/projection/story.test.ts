/** What a run tells: phases to step through, spans to draw, sentences to read, and why. */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { libraryScenario, withFaults } from "../engine/testing/runs.ts";
import { runScenario } from "../engine/run.ts";
import { eventTypes } from "../protocol/events.ts";
import { EventLog } from "../protocol/log.ts";
import { Explainer } from "./explain.ts";
import { advance, initialView } from "./fold.ts";
import { StepIndex, nextOf, nextPhase, previousOf, previousPhase } from "./phases.ts";
import { shared } from "./shared.ts";
import { Timeline } from "./timeline.ts";

const scenario = withFaults("order-totals", [
  { at: { after: "CheckpointCompleted", checkpoint: 2 }, do: "fail-task", target: "out[0]" },
]);
const { graph, log } = runScenario(scenario);
const index = new StepIndex(graph);
index.extend(log);
const explainer = new Explainer(shared(scenario, graph), log);
const triggerOf = (checkpoint: number): number => at(index.triggers, checkpoint - 1);

describe("phases", () => {
  test("a checkpoint goes from its trigger to its commits", () => {
    expect(index.phases.filter(({ checkpoint }) => checkpoint === 1).map(({ name }) => name)).toEqual([
      "triggered",
      "barrier leaves",
      "snapshot taken",
      "barrier arrives",
      "aligned",
      "all aligned",
      "all snapshots taken",
      "snapshot stored",
      "acknowledged",
      "all acknowledged",
      "completed",
      "notified",
      "all notified",
      "committed",
    ]);
  });

  test("FR-020, FR-080: a failure leads to a restart, a restore, and a job that runs again", () => {
    const from = at(index.failures, 0);
    const names = index.phases.filter(({ step }) => step >= from).map(({ name }) => name);
    expect(names.slice(0, 10)).toEqual([
      "fault",
      "stopped",
      "detected",
      "job",
      "restart",
      "notified",
      "job",
      "restored",
      "committed",
      "running",
    ]);
  });

  test("CP-190: finished subtasks are not waited for: all have acknowledged without them", () => {
    const bounded = libraryScenario("bounded");
    const run = runScenario(bounded);
    const own = new StepIndex(run.graph);
    own.extend(run.log);
    const completed = own.ends.length;
    expect(own.phases.filter(({ name }) => name === "completed")).toHaveLength(completed);
    expect(own.phases.filter(({ name }) => name === "all acknowledged")).toHaveLength(completed);
    const leftOut = own.triggers.map((_, place) => run.graph.subtasks.length - own.taking(place + 1).length);
    expect(Math.max(...leftOut)).toBeGreaterThan(0);
  });

  test("stepping forward and back visits the same phases", () => {
    const forward: number[] = [];
    for (let phase = nextPhase(index, -1); phase !== null; phase = nextPhase(index, phase.step))
      forward.push(phase.step);
    const back: number[] = [];
    for (let phase = previousPhase(index, log.length); phase !== null; phase = previousPhase(index, phase.step))
      back.push(phase.step);
    expect(back.reverse()).toEqual(forward);
    expect(forward).toEqual(index.phases.map(({ step }) => step));
  });

  test("the next phase of one checkpoint passes by the others'", () => {
    expect(nextPhase(index, triggerOf(3), 2)).toBeNull();
    expect(previousPhase(index, triggerOf(3), 1)?.name).toBe("committed");
    expect(previousPhase(index, triggerOf(1), 1)).toBeNull();
    expect(nextPhase(index, -1, 99)).toBeNull();
  });

  test("of one checkpoint a failure between its phases counts, and one before or behind it does not", () => {
    const names: string[] = [];
    for (let phase = nextPhase(index, -1, 2); phase !== null; phase = nextPhase(index, phase.step, 2))
      names.push(phase.name);
    expect(names.slice(names.indexOf("completed"))).toMatchInlineSnapshot(`
      [
        "completed",
        "fault",
        "stopped",
        "detected",
        "job",
        "restart",
        "notified",
        "job",
        "restored",
        "committed",
      ]
    `);
  });

  test("steps between checkpoints and failures", () => {
    expect(nextOf(index.triggers, -1)).toBe(triggerOf(1));
    expect(previousOf(index.triggers, triggerOf(2))).toBe(triggerOf(1));
    expect(nextOf(index.failures, log.length)).toBeNull();
  });

  test("CP-170: a step stops where a job is submitted, and what a person asks of it is no failure", () => {
    const again = runScenario(
      withFaults("order-totals", [
        {
          at: { after: "CheckpointCompleted", checkpoint: 1 },
          do: "rescale",
          vertex: "total",
          parallelism: 3,
          path: "sp",
        },
      ]),
    );
    const own = new StepIndex(again.graph);
    own.extend(again.log);
    const submitted = eventTypes.indexOf("JobSubmitted");
    const places = Array.from({ length: again.log.length }, (_, step) => step).filter(
      (step) => again.log.type(step) === submitted,
    );
    expect(places).toHaveLength(1);
    expect(own.phases.filter(({ step }) => places.includes(step)).map(({ name }) => name)).toEqual(["job"]);
    expect(own.failures).toEqual([]);
  });

  test("an index that grows with its log is the index of the whole log", () => {
    const [growing, piecewise, line] = [new EventLog(), new StepIndex(graph), new Timeline()];
    for (let from = 0; from < log.length; from += 250) {
      growing.appendChunk(log.chunk(from));
      if (from + 250 < log.length) growing.truncate(from + 250);
      piecewise.extend(growing);
      line.extend(growing);
    }
    const whole = new Timeline();
    whole.extend(log);
    expect(piecewise.phases).toEqual(index.phases);
    expect(JSON.stringify(line)).toBe(JSON.stringify(whole));
  });
});

describe("timeline", () => {
  test("spans say what the view at the end says", () => {
    const timeline = new Timeline();
    timeline.extend(log);
    const view = initialView(scenario, graph);
    advance(view, log, log.length - 1);
    expect(timeline.checkpoints.map(({ id, from, to }) => [id, from, to])).toEqual(
      view.checkpoints.map(({ id, triggeredAt, endedAt }) => [id, triggeredAt, endedAt]),
    );
    expect(
      timeline.transactions.map(({ number, from, to, status }) => [number, from, to, status.toUpperCase()]),
    ).toEqual(
      view.transactions.map(({ number, begunAt, decidedAt, state }) => [
        number,
        begunAt,
        decidedAt,
        state.replace("_", " "),
      ]),
    );
    expect(timeline.restarts.map(({ from, due, to }) => [from, due, to])).toEqual([[2016, 3016, 3094]]);
    expect(timeline.job.map(({ status }) => status)).toEqual(["CREATED", "RUNNING", "RESTARTING", "RUNNING"]);
    expect(timeline.faults.map(({ do: verb, clock }) => [verb, clock])).toEqual([["fail-task", 2015]]);
  });
});

describe("sentences", () => {
  const say = (step: number): string => {
    const { says, level: _, ...args } = explainer.sentence(step);
    return `${says} ${Object.entries(args)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .join(" ")}`;
  };
  const first = (type: string, from = 0): number => {
    for (let step = from; step < log.length; step++) if (eventTypes[log.type(step)] === type) return step;
    throw new Error(`no ${type}`);
  };

  test("every entry of every library run says something, the same whether the log goes on or not", () => {
    for (const id of ["order-totals", "linear", "shuffle", "two-lanes", "bounded"]) {
      const other = libraryScenario(id);
      const run = runScenario(other);
      const whole = new Explainer(shared(other, run.graph), run.log);
      const growing = new EventLog();
      const here = new Explainer(shared(other, run.graph), growing);
      for (let step = 0; step < Math.min(1500, run.log.length); step++) {
        growing.appendChunk(run.log.chunk(step));
        growing.truncate(step + 1);
        expect(whole.explain(step)).toEqual(here.explain(step));
      }
    }
  });

  test("CP-046, CP-190: a trigger is told of those it goes to, an alignment of the channels that had not ended", () => {
    const scenario_ = libraryScenario("bounded");
    const run = runScenario(scenario_);
    const told = new Explainer(shared(scenario_, run.graph), run.log);
    const said = Array.from({ length: run.log.length }, (_, step) => told.sentence(step));
    expect(said.flatMap((each) => (each.says === "ck.trigger" ? [each.sources] : []))).toEqual([3, 2, 1, 1]);
    const waits = said.flatMap((each) => (each.says === "bar.arrive" && each.task === "total[0]" ? [each] : []));
    expect(waits.map(({ checkpoint, arrived, of }) => `${checkpoint}: ${arrived} of ${of}`)).toEqual([
      "1: 1 of 3",
      "1: 2 of 3",
      "1: 3 of 3",
      "2: 1 of 2",
      "2: 2 of 2",
      "3: 1 of 1",
      "4: 1 of 1",
    ]);
  });

  test("arguments are names and numbers", () => {
    const trigger = triggerOf(1);
    const told = [
      "CheckpointTriggered",
      "BarrierEmitted",
      "BarrierReceived",
      "ChannelBlocked",
      "AlignmentCompleted",
      "CheckpointCompleted",
    ];
    expect(told.map((type) => say(first(type, trigger)))).toMatchInlineSnapshot(`
      [
        "ck.trigger checkpoint=1 kind="CHECKPOINT" sources=2 asked=false",
        "bar.inject task="orders[0]" checkpoint=1 channel="orders[0]->total[0]" offsets=[{"partition":"orders-0","offset":20}]",
        "bar.arrive task="total[0]" checkpoint=1 channel="orders[0]->total[0]" arrived=1 of=2 blocks=true",
        "bar.lock task="total[0]" checkpoint=1 channel="orders[0]->total[0]" waiting=1",
        "bar.aligned task="total[0]" checkpoint=1 ms=0 of=2 how="aligned"",
        "ck.durable checkpoint=1 kind="CHECKPOINT" ms=27",
      ]
    `);
    const failed = [
      "FaultInjected",
      "TaskFailed",
      "RestartScheduled",
      "StateRestored",
      "SourceRewound",
      "TransactionCommitRequested",
      "TransactionCommitted",
    ];
    expect(failed.map((type) => say(first(type, at(index.failures, 0))))).toMatchInlineSnapshot(`
      [
        "fault fault="fail-task" target="out[0]" rpc=null ms=null",
        "detect task="out[0]" failure="USER_EXCEPTION" ms=1",
        "restart tasks=5 of=5 delay=1000 restarts=1 scope="region" failure="USER_EXCEPTION"",
        "restore.state task="orders[0]" attempt=1 checkpoint=2",
        "restore.seek task="orders[0]" partition="orders-0" position=41 offset=40 again=1",
        "txn.request transaction="out-0-2" checkpoint=2 task="out[0]" store="log" decider="restore"",
        "txn.commit transaction="out-0-2" checkpoint=2 task="out[0]" store="log" decider="restore"",
      ]
    `);
  });

  test("a record that is applied once more is told as a replay", () => {
    const rewound = first("SourceRewound");
    expect(explainer.sentence(first("RecordProcessed", rewound))).toMatchObject({ says: "rec.replay", pass: 2 });
    expect(explainer.sentence(first("RecordProcessed"))).toMatchObject({ says: "rec.process", pass: 1 });
  });

  test("SK-144: a commit goes back to the trigger of its checkpoint, and that to an option", () => {
    const committed = first("TransactionCommitted", triggerOf(3));
    const chain = explainer.why(committed);
    expect(chain.map(({ sentence }) => sentence.says)).toMatchInlineSnapshot(`
      [
        "txn.commit",
        "txn.request",
        "ck.notify",
        "ck.durable",
        "ck.metadata",
        "ck.ack",
        "snap.async",
        "snap.sync",
        "txn.pre",
        "bar.aligned",
        "bar.arrive",
        "bar.forward",
        "bar.aligned",
        "bar.arrive",
        "bar.inject",
        "ck.trigger",
      ]
    `);
    expect(chain.at(-1)?.config).toEqual({ option: "execution.checkpointing.interval", ms: 1000 });
  });

  test("a rewind goes back to the fault", () => {
    const chain = explainer.why(first("SourceRewound"));
    expect(chain.map(({ sentence }) => sentence.says)).toMatchInlineSnapshot(`
      [
        "restore.seek",
        "task.state",
        "restart",
        "detect",
        "task.end",
        "fault",
      ]
    `);
  });
});

describe("modes", () => {
  /** What the sentences of one kind of entry say of a field, once each. */
  function words(id: string, type: string, field: string, mode?: "AT_LEAST_ONCE"): unknown[] {
    const source = libraryScenario(id);
    const { checkpointing } = source.config;
    const asked =
      mode === undefined
        ? source
        : { ...source, config: { ...source.config, checkpointing: { ...checkpointing, mode, unaligned: false } } };
    const run = runScenario(asked);
    const told = new Explainer(shared(asked, run.graph), run.log);
    const found = new Set<unknown>();
    for (let step = 0; step < run.log.length; step++) {
      if (eventTypes[run.log.type(step)] !== type) continue;
      found.add(Object.entries(told.sentence(step)).find(([name]) => name === field)?.[1]);
    }
    return [...found].sort((a, b) => String(a).localeCompare(String(b)));
  }

  test("CP-042, CP-060, CP-078: the last barrier ends an alignment, a count, or the collecting of channel state", () => {
    expect(words("order-totals", "AlignmentCompleted", "how")).toEqual(["aligned"]);
    expect(words("order-totals", "AlignmentCompleted", "how", "AT_LEAST_ONCE")).toEqual(["counted"]);
    expect(words("unaligned", "AlignmentCompleted", "how")).toEqual(["unaligned"]);
    expect(words("aligned-timeout", "AlignmentCompleted", "how")).toEqual(["aligned", "unaligned"]);
  });

  test("CP-060: at-least-once blocks nothing, and says so at the barrier", () => {
    expect(words("order-totals", "BarrierReceived", "blocks")).toEqual([true]);
    expect(words("order-totals", "BarrierReceived", "blocks", "AT_LEAST_ONCE")).toEqual([false]);
    expect(words("order-totals", "ChannelBlocked", "says", "AT_LEAST_ONCE")).toEqual([]);
  });

  test("CP-073, CP-075: a timeout at the reader and one in the sender's buffers are told", () => {
    expect(words("aligned-timeout", "AlignmentTimedOut", "begun")).toEqual([false, true]);
    expect(words("aligned-timeout", "InFlightDataPersisted", "timedOut")).toContain(true);
    expect(words("unaligned", "InFlightDataPersisted", "timedOut")).toEqual([false]);
  });
});
