/** Barriers at a task with inputs in at-least-once mode (`checkpointing.md` 8 and 17). Drawings are explained in `testing/drawn.ts`. */
import { describe, expect, test } from "vitest";
import { type TraceMove, traceEntry } from "../protocol/trace.ts";
import { channelEnded } from "./barrier-tracker.ts";
import { Task, Tracked } from "./layout.ts";
import { Drawn } from "./testing/drawn.ts";
import { type Small, after, atTime, counter, fixedDelay, sink, small, source, story } from "./testing/stories.ts";

const checkpointing = { mode: "AT_LEAST_ONCE" };

function tracked(channels: { readonly [name: string]: string }): string[] {
  return new Drawn(Object.keys(channels), { checkpointing }).play(Object.values(channels));
}

describe("the tracker", () => {
  test("TR-2, CP-065, CP-034: nothing is blocked; records behind an early barrier go into the state before the cut", () => {
    expect(
      tracked({
        A: "12|1 3 4    ",
        B: "      1  2|1 3",
      }),
    ).toEqual([
      "a1",
      "a2",
      "|1 on A",
      "a3",
      "b1",
      "a4",
      "b2",
      "|1 on B",
      "aligned after 8 ms",
      "-> |1",
      "snapshot 1 {a1 a2 a3 b1 a4 b2}",
      "b3",
    ]);
  });

  test("CP-060, CP-066: with one channel the task checkpoints at once, and no entry is kept", () => {
    const one = new Drawn(["A"], { checkpointing });
    expect(one.play(["1 |1 2 |2 3"])).toEqual([
      "a1",
      "|1 on A",
      "aligned after 0 ms",
      "-> |1",
      "snapshot 1 {a1}",
      "a2",
      "|2 on A",
      "aligned after 0 ms",
      "-> |2",
      "snapshot 2 {a1 a2}",
      "a3",
    ]);
    expect(one.kernel.world.task(one.subtask("T[0]"), Task.current)).toBe(-1);
    expect(one.kernel.world.tracked.count).toBe(0);
  });

  test("CP-061: two are counted at once; the one that completes first takes the older with it, silently", () => {
    expect(
      tracked({
        A: "|1  |2       ",
        B: "      1 |2 |1",
      }),
    ).toEqual(["|1 on A", "|2 on A", "b1", "|2 on B", "aligned after 4 ms", "-> |2", "snapshot 2 {b1}", "|1 on B"]);
  });

  test("CP-062: no more than 50 are counted: the oldest is forgotten, and its last barrier does nothing", () => {
    const two = new Drawn(["A", "B"], { checkpointing });
    const barriers = Array.from({ length: 51 }, (_, i) => `|${i + 1}`).join("");
    expect(two.play([barriers, ""], 500)).toHaveLength(51);
    expect(two.kernel.world.tracked.count).toBe(50);
    expect(two.play(["", "|1 |2"])).toEqual([
      "|1 on B",
      "|2 on B",
      expect.stringMatching(/^aligned/),
      "-> |2",
      "snapshot 2 {}",
    ]);
    expect(two.kernel.world.tracked.count).toBe(49);
  });

  test("CP-063: a cancel marker aborts its checkpoint and all older ones; the entry stays until all channels were seen", () => {
    const two = new Drawn(["A", "B"], { checkpointing });
    expect(two.play(["|1 |2", "     x2 "])).toEqual([
      "|1 on A",
      "|2 on A",
      "x2 on B",
      "abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
      "-> x1",
      "abort 2 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
      "-> x2",
    ]);
    expect(two.kernel.world.tracked.count).toBe(0);
    expect(two.play(["x4", ""])).toEqual(["x4 on A", "abort 4 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER", "-> x4"]);
    expect(two.kernel.world.tracked.count).toBe(1);
    expect(two.play(["", "|4 x3"])).toEqual(["|4 on B", "x3 on B"]);
    expect(two.kernel.world.tracked.count).toBe(0);
  });

  test("CP-063: with one channel a marker aborts at once, and no entry is kept", () => {
    const one = new Drawn(["A"], { checkpointing });
    expect(one.play(["x3 1"])).toEqual([
      "x3 on A",
      "abort 3 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
      "-> x3",
      "a1",
    ]);
    expect(one.kernel.world.tracked.count).toBe(0);
  });
});

describe("the end of a channel", () => {
  const ended = (options: { readonly [key: string]: unknown } = {}): { two: Drawn; lines: string[] } => {
    const two = new Drawn(["A", "B"], { checkpointing: { ...checkpointing, ...options } });
    two.play(["|1 |2", ""]);
    const { kernel } = two;
    kernel.cause = -1;
    channelEnded(kernel, two.subtask("T[0]"), two.channel("B[0]->T[0]"));
    // What the call schedules begins the next chain.
    kernel.after(0, 0, two.subtask("T[0]"), two.subtask("T[0]"));
    return { two, lines: two.listen(20) };
  };

  test("CP-064: the newest checkpoint that it completes is taken, older ones are forgotten", () => {
    const { two, lines } = ended();
    expect(lines).toEqual([expect.stringMatching(/^aligned after/), "-> |2", "snapshot 2 {}"]);
    expect(two.kernel.world.tracked.count).toBe(0);
    expect(two.play(["|3", ""])).toEqual(["|3 on A", "aligned after 0 ms", "-> |3", "snapshot 3 {}"]);
  });

  test("CP-064: with the last entry that it completes the handler waits again", () => {
    const two = new Drawn(["A", "B"], { checkpointing });
    expect(two.play(["|1", "  $"])).toEqual(["|1 on A", "$ on B", "aligned after 2 ms", "-> |1", "snapshot 1 {}"]);
    const moves = Array.from({ length: two.log.length }, (_, step) => traceEntry(two.graph, two.log, step))
      .flatMap((entry) => entry["moves"] as readonly TraceMove[])
      .filter(({ machine, instance }) => machine === "BarrierHandler" && instance === "T[0]");
    expect(moves.map(({ from, to }) => `${from}>${to}`)).toEqual(["WAITING>COLLECTING", "COLLECTING>WAITING"]);
  });

  test("CP-064: without checkpoints after tasks finish all that wait are aborted", () => {
    const { two, lines } = ended({ "checkpoints-after-tasks-finish": false });
    expect(lines).toEqual([
      "abort 1 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
      "-> x1",
      "abort 2 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
      "-> x2",
    ]);
    expect(two.kernel.world.tracked.get(0, Tracked.aborted)).toBe(1);
  });
});

describe("after a failure", () => {
  const job = (mode: string, inputs: 1 | 2): Small => ({
    vertices: [
      source("A"),
      ...(inputs === 2 ? [source("B", { topic: "other" })] : []),
      counter("T", { cost: 20 }),
      sink("K", { delivery: "at-least-once" }),
    ],
    edges: ["A forward T", ...(inputs === 2 ? ["B forward T latency=120"] : []), "T forward K"],
    topics: { other: { records: inputs === 2 ? 12 : 0, every: "100 ms" } },
    checkpointing: { mode, interval: "200 ms" },
    initialDelay: 200,
    restart: fixedDelay(3, "100 ms"),
    faults: [after("CheckpointCompleted", { checkpoint: 3 }, "fail-task", { target: "T[0]" })],
  });

  test("CP-065, INV-005: what went into the state behind an early barrier is replayed: twice, never lost", () => {
    const run = story(small(job("AT_LEAST_ONCE", 2)));
    const [state] = run.report.state;
    expect(state?.lost).toEqual([]);
    expect(state?.duplicated.length).toBeGreaterThan(0);
    expect(run.report.verdict.state).toBe("at-least-once");
    expect(run.report.invariants.checked).toContain("INV-005");
    expect(run.all("ChannelBlocked")).toEqual([]);
  });

  test("CP-066: with one channel at every task, or exactly once, the state is exactly once", () => {
    for (const run of [story(small(job("AT_LEAST_ONCE", 1))), story(small(job("EXACTLY_ONCE", 2)))]) {
      expect(run.report.verdict.state).toBe("exactly-once");
      expect(run.all("StateRestored")).not.toEqual([]);
    }
  });

  test("CP-066: without a failure both modes end with the same", () => {
    const [once, least] = ["EXACTLY_ONCE", "AT_LEAST_ONCE"].map((mode) =>
      story(small({ ...job(mode, 2), faults: [atTime(1, "resume", { target: "T[0]" })] })),
    );
    expect(least?.report.delivery).toEqual(once?.report.delivery);
    expect(least?.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

describe("a task that is triggered by message, since none runs before it", () => {
  test("CP-193, CP-061: takes the checkpoint as if the barrier had come on every open channel, and forgets older ones", () => {
    const three = new Drawn(["A", "B", "C"], { checkpointing });
    three.play(["|1 1$", "", ""]);
    expect(three.kernel.world.tracked.count).toBe(1);
    expect(three.trigger(2)).toEqual(["aligned after 0 ms", "-> |2", "snapshot 2 {a1}"]);
    expect(three.kernel.world.tracked.count).toBe(0);
    expect(three.trigger(2)).toEqual([]);
  });

  test("CP-193, CP-061: completes the checkpoint of which a channel has delivered the barrier", () => {
    const two = new Drawn(["A", "B"], { checkpointing });
    two.play(["|1 1", ""]);
    expect(two.trigger(1)).toEqual([expect.stringMatching(/^aligned after/), "-> |1", "snapshot 1 {a1}"]);
    expect(two.kernel.world.tracked.count).toBe(0);
  });

  test("CP-193: acts as a source once all its inputs have ended", () => {
    const two = new Drawn(["A", "B"], { checkpointing });
    two.play(["1$", "  2$"]);
    expect(two.trigger(1)).toEqual(["-> |1", "snapshot 1 {a1 b2}"]);
  });
});
