/**
 * How Flink's checkpoints come to be consistent cuts, beside the snapshot of Chandy and Lamport (`checkpointing.md` 16.2,
 * `labs/chandy-lamport.ts`): for every channel and completed checkpoint what was sent before the barrier, what the receiver
 * took before its cut, and what is stored of the channel, record by record.
 */
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import { EventNumber, type EventType } from "../protocol/events.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { channelStateIn } from "./channel-state.ts";
import { handleOf } from "./checkpoint-plan.ts";
import { Course } from "./course.ts";
import type { Decisions } from "./decisions.ts";
import { channelReorders, noAlignment } from "./defects.ts";
import type { Kernel } from "./kernel.ts";
import { Job, Pending } from "./layout.ts";
import { type Observer, Simulation } from "./simulation.ts";
import { Draw, randomSource } from "./testing/random-jobs.ts";
import { libraryScenario, withFaults } from "./testing/runs.ts";
import { after, story } from "./testing/stories.ts";

/** A channel in a completed checkpoint; records in their order. */
interface Cut {
  readonly checkpoint: number;
  readonly channel: string;
  /** Is its sender a source? */
  readonly fromSource: boolean;
  /** Before the barrier, in the sender's order. */
  readonly sent: readonly number[];
  /** By the receiver before its snapshot. */
  readonly taken: readonly number[];
  /** By the receiver until the first barrier of the checkpoint came to it. */
  readonly atFirst: number;
  readonly input: readonly number[];
  readonly output: readonly number[];
}

/** Collects the cuts of a run in which nothing fails, from its entries and, for what is stored, from the store. */
class Cuts implements Observer {
  readonly all: Cut[] = [];
  private readonly sent: number[][] = [];
  private readonly received: number[][] = [];
  /** By checkpoint and channel, or checkpoint and task. */
  private readonly before = new Map<string, number>();

  observe(k: Kernel): void {
    const { type, fields } = k.draft;
    const [task, channel, third] = [fields[0] as number, fields[1] as number, fields[2] as number];
    const is = (event: EventType): boolean => type === EventNumber[event];
    if (is("RecordSent")) (this.sent[channel] ??= []).push(third);
    if (is("RecordReceived")) (this.received[channel] ??= []).push(third);
    if (is("BarrierEmitted")) this.note("sent", third, channel, this.sent[channel]);
    if (is("BarrierReceived"))
      for (const input of at(k.plan.graph.subtasks, task).inputs)
        this.note("first", third, input, this.received[input]);
    if (is("SnapshotTaken"))
      for (const input of at(k.plan.graph.subtasks, task).inputs)
        this.note("taken", channel, input, this.received[input]);
    if (is("CheckpointCompleted")) this.complete(k, task);
  }

  private note(what: string, checkpoint: number, channel: number, list: readonly number[] = []): void {
    const key = `${what} ${checkpoint} ${channel}`;
    if (!this.before.has(key)) this.before.set(key, list.length);
  }

  private complete(k: Kernel, checkpoint: number): void {
    const { plan, world, arena } = k;
    let row = world.job(Job.completed) - 1;
    while (world.completed(row, Pending.id) !== checkpoint) row--;
    const stored = (task: number, side: "inputs" | "outputs", channel: number): number[] => {
      const state = channelStateIn(k, task, handleOf(world.completed(row, Pending.SIZE + task)));
      const words = arena.lists.toArray(state[side][at(plan.graph.subtasks, task)[side].indexOf(channel)] ?? 0);
      return words.filter((_, place) => place % 2 === 0);
    };
    for (const { index, name, from, to } of plan.graph.channels) {
      // Who has FINISHED sends no barrier and takes no snapshot: the end of its partition stands for them.
      const count = (what: string): number => this.before.get(`${what} ${checkpoint} ${index}`) ?? Infinity;
      this.all.push({
        checkpoint,
        channel: name,
        fromSource: at(plan.graph.subtasks, from).inputs.length === 0,
        sent: (this.sent[index] ?? []).slice(0, count("sent")),
        taken: (this.received[index] ?? []).slice(0, count("taken")),
        atFirst: count("first"),
        input: stored(to, "inputs", index),
        output: stored(from, "outputs", index),
      });
    }
  }

  clone(): Observer {
    return this;
  }
}

function cutsOf(scenario: Scenario, defects: Partial<Decisions> = {}): readonly Cut[] {
  const cuts = new Cuts();
  const course = new Course(Simulation.start(scenario, { log: null, observer: cuts, defects }));
  while (course.ended === null) course.advance();
  return cuts.all;
}

const records = (cuts: readonly Cut[], of: (cut: Cut) => readonly number[]): number =>
  cuts.reduce((sum, cut) => sum + of(cut).length, 0);
const stored = ({ input, output }: Cut): readonly number[] => [...input, ...output];

type Json = Record<string, unknown>;
const setting = (more: Json) => (source: Json) => {
  const config = Object.fromEntries(
    Object.entries(more).map(([key, value]) => [`execution.checkpointing.${key}`, value]),
  );
  source["config"] = { ...(source["config"] as Json), ...config };
};
const aligned = setting({ "unaligned.enabled": false });

/** Jobs drawn at random, in which nothing fails; bounded sources end, so that channels end while checkpoints are taken. */
const drawn = (more: Json): Scenario[] =>
  Array.from({ length: process.env["BARRIERSCOPE_LONG"] === "1" ? 200 : 25 }, (_, number) => {
    const source = randomSource(new Draw(number));
    setting({ mode: "EXACTLY_ONCE", "unaligned.enabled": false, "max-concurrent-checkpoints": 1, ...more })(source);
    const parsed = scenarioFrom(source);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return parsed.value;
  });

describe("aligned", () => {
  const scenarios = [
    ...["order-totals", "shuffle", "two-lanes", "bounded"].map((id) => libraryScenario(id)),
    libraryScenario("unaligned", aligned),
    ...drawn({}),
  ];

  test("CP-235: with the last barrier each channel has delivered exactly the records before its own, so there is no channel state", () => {
    const cuts = scenarios.flatMap((scenario) => cutsOf(scenario));
    for (const { sent, taken, input, output } of cuts) {
      expect(taken).toEqual(sent);
      expect([...input, ...output]).toEqual([]);
    }
    expect(cuts.length).toBeGreaterThan(500);
    // There was something to wait for: records in flight when the first barrier came.
    expect(cuts.filter(({ sent, atFirst }) => sent.length > atFirst).length).toBeGreaterThan(5);
  });

  test("CP-235: it takes both, blocking and FIFO: without the one or the other a cut holds other records", () => {
    const wrong = (defect: Partial<Decisions>): Cut[] =>
      cutsOf(libraryScenario("unaligned", aligned), defect).filter(
        ({ sent, taken }) => sent.join(" ") !== taken.join(" "),
      );
    const [noBlocking, noOrder] = [wrong(noAlignment), wrong(channelReorders)];
    expect(noBlocking.some(({ sent, taken }) => taken.length > sent.length)).toBe(true);
    expect(noOrder.length).toBeGreaterThan(0);
    expect(wrong({})).toEqual([]);
  });
});

describe("unaligned", () => {
  const scenarios = [
    libraryScenario("unaligned"),
    libraryScenario("aligned-timeout"),
    ...drawn({ "unaligned.enabled": true }),
    ...drawn({ "unaligned.enabled": true, "aligned-checkpoint-timeout": "10 ms" }),
  ];

  test("CP-236: the receiver's cut comes before the records in flight, which are exactly what is stored, in order and each once", () => {
    const cuts = scenarios.flatMap((scenario) => cutsOf(scenario));
    for (const { sent, taken, input, output } of cuts) expect([...taken, ...input, ...output]).toEqual(sent);
    expect(records(cuts, ({ input }) => input)).toBeGreaterThan(50);
    expect(records(cuts, ({ output }) => output)).toBeGreaterThan(50);
  });

  test("CP-236: the same checkpoint of the same run, aligned, has those records in the receivers' state instead", () => {
    const first = (scenario: Scenario): Map<string, Cut> =>
      new Map(
        cutsOf(scenario)
          .filter(({ checkpoint, fromSource }) => checkpoint === 1 && fromSource)
          .map((cut) => [cut.channel, cut]),
      );
    const [early, late] = [first(libraryScenario("unaligned")), first(libraryScenario("unaligned", aligned))];
    expect([...early.keys()]).toEqual([...late.keys()]);
    for (const [channel, cut] of early) expect([...cut.taken, ...stored(cut)]).toEqual(late.get(channel)?.taken);
    expect(records([...early.values()], stored)).toBeGreaterThan(10);
  });
});

test("CP-237: state alone is a whole checkpoint only where it was aligned: dropping channel state costs nothing there, and records here", () => {
  const restored = (change: (source: Json) => void): unknown => {
    const run = story(
      withFaults(
        "unaligned",
        [after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "count[0]" })],
        (source) => {
          change(source);
          const key = "execution.state-recovery.without-channel-state.checkpoint-id";
          source["config"] = { ...(source["config"] as Json), [key]: 2 };
        },
      ),
    );
    return [run.report.recoveries[0]?.restoredFrom, run.report.verdict.state];
  };
  expect(restored(aligned)).toEqual([2, "exactly-once"]);
  expect(restored(() => {})).toEqual([2, "at-most-once"]);
});
