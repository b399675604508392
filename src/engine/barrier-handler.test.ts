/** Barriers at a task with inputs: aligned, exactly once (`checkpointing.md` 7 and 17). Drawings are explained in `testing/drawn.ts`. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Due } from "./layout.ts";
import { Op } from "./ops.ts";
import { Drawn, drawn } from "./testing/drawn.ts";
import { type Story, atTime, counter, sink, small, source, story } from "./testing/stories.ts";

describe("alignment", () => {
  test("TR-1, CP-042, CP-034: the channel whose barrier came early waits for the last barrier; the cut holds what came before", () => {
    const lines = drawn({
      A: "12|1 3 4  ",
      B: "     1 2 |1 3",
    });
    expect(lines.slice(0, 10)).toEqual([
      "a1",
      "a2",
      "|1 on A",
      "block A",
      "b1",
      "b2",
      "|1 on B",
      "aligned after 7 ms",
      "-> |1",
      "snapshot 1 {a1 a2 b1 b2}",
    ]);
    expect(lines[10]).toBe("resume A");
    expect(lines.slice(11).toSorted()).toEqual(["a3", "a4", "b3"]);
  });

  test("CP-042: with three channels two wait, and all are resumed once the third barrier is in", () => {
    expect(
      drawn({
        A: "1  |1  2         ",
        B: " 1     |1  2     ",
        C: "  1  2   3 4 |1 5",
      }),
    ).toEqual([
      "a1",
      "b1",
      "c1",
      "|1 on A",
      "block A",
      "c2",
      "|1 on B",
      "block B",
      "c3",
      "c4",
      "|1 on C",
      "aligned after 10 ms",
      "-> |1",
      "snapshot 1 {a1 b1 c1 c2 c3 c4}",
      "resume A",
      "resume B",
      "a2",
      "b2",
      "c5",
    ]);
  });

  test("CP-043: no record behind a barrier is processed before the synchronous part is over, not even of the last channel", () => {
    const lines = drawn(
      {
        A: "1 |1 2   ",
        B: " 1   |1 23",
      },
      { timing: { "snapshot.sync": 30 } },
    );
    expect(lines).toEqual([
      "a1",
      "b1",
      "|1 on A",
      "block A",
      "|1 on B",
      "aligned after 3 ms",
      "-> |1",
      "snapshot 1 {a1 b1}",
      "resume A",
      "a2",
      "b2",
      "b3",
    ]);
  });

  test("CP-044: with one channel the first barrier is the last: alignment takes 0 ms and nothing is blocked", () => {
    expect(drawn({ A: "1 |1 2 |2 3" })).toEqual([
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
  });

  test("CP-050: two checkpoints are under way, the task aligns them one after the other, and still writes out 1 while it aligns 2", () => {
    expect(
      drawn(
        {
          A: "1 |1 2|2     3 ",
          B: " 1    |1  2 |2  ",
        },
        { timing: { "snapshot.async": 3 } },
      ),
    ).toEqual([
      "a1",
      "b1",
      "|1 on A",
      "block A",
      "|1 on B",
      "aligned after 4 ms",
      "-> |1",
      "snapshot 1 {a1 b1}",
      "resume A",
      "a2",
      "|2 on A",
      "block A",
      "written 1",
      "b2",
      "|2 on B",
      "aligned after 6 ms",
      "-> |2",
      "snapshot 2 {a1 b1 a2 b2}",
      "resume A",
      "a3",
      "written 2",
    ]);
  });
});

describe("a checkpoint is given up at the task", () => {
  test("TR-6, CP-041, CP-045: barrier 6 comes while 5 is pending: 5 is declined, its channel resumed, those behind are told, then 6 begins", () => {
    expect(
      drawn({
        A: "1 |5 34      |6 7",
        B: " 1     2|6 8     ",
      }),
    ).toEqual([
      "a1",
      "b1",
      "|5 on A",
      "block A",
      "b2",
      "abort 5 CHECKPOINT_DECLINED_SUBSUMED",
      "resume A",
      "-> x5",
      "|6 on B",
      "block B",
      "a3",
      "a4",
      "|6 on A",
      "aligned after 5 ms",
      "-> |6",
      "snapshot 6 {a1 b1 b2 a3 a4}",
      "resume B",
      "b8",
      "a7",
    ]);
  });

  test("TR-7, CP-048, CP-040: a cancel marker gives 7 up; the barrier of 7 that comes later changes nothing", () => {
    expect(
      drawn({
        A: "1  |7 3          ",
        B: " 1     x7  3     ",
        C: "  1      2   |7 3",
      }),
    ).toEqual([
      "a1",
      "b1",
      "c1",
      "|7 on A",
      "block A",
      "x7 on B",
      "abort 7 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
      "resume A",
      "-> x7",
      "a3",
      "c2",
      "b3",
      "|7 on C",
      "c3",
    ]);
  });

  test("CP-048: a cancel marker that is the first to tell of 7 gives it up too", () => {
    expect(
      drawn({
        A: "1 x7 2     ",
        B: " 1    |7 2 ",
      }),
    ).toEqual([
      "a1",
      "b1",
      "x7 on A",
      "abort 7 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
      "-> x7",
      "a2",
      "|7 on B",
      "b2",
    ]);
  });

  test("CP-048: a cancel marker of a newer checkpoint drops the older one without a decline of its own", () => {
    expect(
      drawn({
        A: "1 |5 2     ",
        B: " 1    x6 2 ",
      }),
    ).toEqual([
      "a1",
      "b1",
      "|5 on A",
      "block A",
      "x6 on B",
      "abort 6 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
      "resume A",
      "-> x6",
      "a2",
      "b2",
    ]);
  });

  test("CP-048: a cancel marker of a checkpoint that is over is passed by", () => {
    expect(
      drawn({
        A: "|5         1  ",
        B: "  |5 x4 x5  1 ",
      }),
    ).toEqual([
      "|5 on A",
      "block A",
      "|5 on B",
      "aligned after 2 ms",
      "-> |5",
      "snapshot 5 {}",
      "resume A",
      "x4 on B",
      "x5 on B",
      "a1",
      "b1",
    ]);
  });

  test("CP-047: after an abort no barrier of that checkpoint or an older one starts a snapshot, a newer one does", () => {
    expect(
      drawn({
        A: "|5      |6 ",
        B: "   x5    |6",
      }),
    ).toEqual([
      "|5 on A",
      "block A",
      "x5 on B",
      "abort 5 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
      "resume A",
      "-> x5",
      "|6 on A",
      "block A",
      "|6 on B",
      "aligned after 1 ms",
      "-> |6",
      "snapshot 6 {}",
      "resume A",
    ]);
  });

  test("CP-041, CP-047, CP-035: in a job, a source that never hears of 1 makes the counter decline it when 2 comes; the sink is told and takes only 2", () => {
    const run = story(
      small({
        vertices: [source("A", { topic: "in" }), source("B", { topic: "other" }), counter("T"), sink("K")],
        edges: ["A forward T", "B forward T", "T forward K"],
        topics: { other: { records: 12, every: "100 ms" } },
        checkpointing: { "max-concurrent-checkpoints": 2 },
        faults: [
          atTime(0, "lose-rpc", { rpc: "trigger", target: "B[0]", checkpoint: 1 }),
          atTime(310, "trigger-checkpoint"),
          atTime(620, "trigger-checkpoint"),
        ],
      }),
    );
    const toldBy = (task: string): string[] =>
      run
        .told(
          "BarrierReceived",
          "ChannelBlocked",
          "ChannelResumed",
          "AlignmentAborted",
          "CancelMarkerEmitted",
          "CancelMarkerReceived",
          "SnapshotTaken",
        )
        .filter((line) => line.includes(task))
        .map((line) => line.replace(` ${task}`, ""));
    expect(toldBy("T[0]")).toEqual([
      "BarrierReceived 1",
      "ChannelBlocked 1",
      "AlignmentAborted 1 CHECKPOINT_DECLINED_SUBSUMED",
      "ChannelResumed 1",
      "CancelMarkerEmitted 1",
      "BarrierReceived 2",
      "ChannelBlocked 2",
      "BarrierReceived 2",
      "SnapshotTaken 2",
      "ChannelResumed 2",
      "BarrierReceived 3",
      "ChannelBlocked 3",
      "BarrierReceived 3",
      "SnapshotTaken 3",
      "ChannelResumed 3",
    ]);
    expect(toldBy("K[0]").slice(0, 4)).toEqual([
      "CancelMarkerReceived 1",
      "AlignmentAborted 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
      "BarrierReceived 2",
      "SnapshotTaken 2",
    ]);
    expect(run.first("CheckpointAborted")).toMatchObject({
      checkpoint: 1,
      reason: "CHECKPOINT_DECLINED_SUBSUMED",
      counts: false,
    });
    expect(run.first("CheckpointCompleted")).toMatchObject({ checkpoint: 2 });
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

describe("a checkpoint that the coordinator gave up", () => {
  test("CP-108, CP-030, CP-035: told of the abort first, the task meets the barriers with a cancel marker in the place of a snapshot", () => {
    const task = new Drawn(["A", "B"]);
    expect(task.tellAborted(5)).toEqual([]);
    expect(task.play(["1 |5 2    |6 ", " 1    |5 2 |6"])).toEqual([
      "a1",
      "b1",
      "|5 on A",
      "block A",
      "|5 on B",
      "aligned after 4 ms",
      "-> x5",
      "resume A",
      "a2",
      "b2",
      "|6 on A",
      "block A",
      "|6 on B",
      "aligned after 1 ms",
      "-> |6",
      "snapshot 6 {a1 b1 a2 b2}",
      "resume A",
    ]);
  });

  test("CP-108: an id that is more than ten below the largest remembered one is taken for aborted, one that is ten below is not", () => {
    const task = new Drawn(["A"]);
    task.tellAborted(20);
    expect(task.play(["|9 |10"])).toEqual([
      "|9 on A",
      "aligned after 0 ms",
      "-> x9",
      "|10 on A",
      "aligned after 0 ms",
      "-> |10",
      "snapshot 10 {}",
    ]);
  });

  test("CP-108, CP-103: told while the asynchronous part runs, the task lets it go on", () => {
    const task = new Drawn(["A"]);
    expect(task.play(["1|5 2"])).toEqual(["a1", "|5 on A", "aligned after 0 ms", "-> |5", "snapshot 5 {a1}", "a2"]);
    expect(task.tellAborted(5)).toEqual([]);
    expect(task.kernel.world.agenda.find(Due.op, Op.asyncDone)).not.toBe(-1);
  });
});

/** Skew: B's barrier is 300 ms on its way, A's only 2, and A's channel has two buffers. */
function skewed(): Story {
  return story(
    small({
      vertices: [source("A", { topic: "in" }), source("B", { topic: "other" }), counter("T"), sink("K")],
      edges: ["A forward T capacity=2", "B forward T latency=300", "T forward K"],
      topics: { in: { records: 80, every: "10 ms" }, other: { records: 8, every: "100 ms" } },
      faults: [atTime(400, "trigger-checkpoint")],
    }),
  );
}

describe("backpressure by alignment", () => {
  test("CP-051: while the fast channel waits, its producer stops once the channel is full; the time shows as alignment", () => {
    const run = skewed();
    expect(run.first("AlignmentCompleted", { subtask: "T[0]" })).toMatchObject({ duration: 298 });
    const blocked = run.first("ChannelBlocked");
    const resumed = run.first("ChannelResumed");
    expect([blocked["channel"], resumed["channel"]]).toEqual(["A[0]->T[0]", "A[0]->T[0]"]);
    const within = run.since(blocked).until(resumed);
    expect(within.all("RecordSent", { channel: "A[0]->T[0]" }).length).toBeLessThanOrEqual(2);
    expect(within.all("RecordEmitted", { subtask: "A[0]" }).length).toBeLessThanOrEqual(2);
    expect(within.all("RecordReceived", { channel: "A[0]->T[0]" })).toEqual([]);
    // Records of B from before its barrier are processed all the while.
    expect(within.all("RecordReceived", { channel: "B[0]->T[0]" }).length).toBeGreaterThan(0);
  });

  test("CP-051: nothing is lost and nothing comes out of order", () => {
    const run = skewed();
    for (const [channel, topic, count] of [
      ["A[0]->T[0]", "in", 80],
      ["B[0]->T[0]", "other", 8],
    ] as const) {
      expect(run.words("RecordReceived", "record", { channel })).toEqual(
        Array.from({ length: count }, (_, offset) => `${topic}-0@${offset}`),
      );
    }
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

/** One channel's tokens: records, and for each checkpoint its barrier or, where `cancelled` says so, a cancel marker. */
const channelOf = (checkpoints: number, cancelled: boolean): fc.Arbitrary<{ text: string; marks: string[] }> =>
  fc
    .tuple(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: checkpoints + 1, maxLength: checkpoints + 1 }),
      fc.array(cancelled ? fc.constantFrom("|", "|", "|", "x") : fc.constant("|"), {
        minLength: checkpoints,
        maxLength: checkpoints,
      }),
      fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 20, maxLength: 20 }),
    )
    .map(([counts, marks, gaps]) => {
      let digit = 0;
      const tokens = counts.flatMap((count, i) => [
        ...Array.from({ length: count }, () => String(digit++ % 10)),
        ...(i < checkpoints ? [`${marks[i]}${i + 1} `] : []),
      ]);
      return { text: tokens.map((token, i) => token + " ".repeat(gaps[i % gaps.length] ?? 0)).join(""), marks };
    });

const drawings = (cancelled: boolean): fc.Arbitrary<{ text: string; marks: string[] }[]> =>
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }))
    .chain(([channels, checkpoints]) =>
      fc.array(channelOf(checkpoints, cancelled), { minLength: channels, maxLength: channels }),
    );

const LETTERS = ["A", "B", "C", "D"];
const runs = process.env["BARRIERSCOPE_LONG"] === "1" ? 3000 : 150;
const play = (channels: readonly { readonly text: string }[]): string[] =>
  new Drawn(LETTERS.slice(0, channels.length)).play(
    channels.map(({ text }) => text),
    200,
  );
const recordsOf = (text: string, letter: string): string[] =>
  [...text.matchAll(/[|x]\d+|(\d)/g)].flatMap(([, digit]) =>
    digit === undefined ? [] : [`${letter.toLowerCase()}${digit}`],
  );

describe("drawn at random", () => {
  test("CP-042, CP-043: every snapshot holds the records before its barriers and no others; each channel is read in order, to its end", () => {
    fc.assert(
      fc.property(drawings(false), (channels) => {
        const lines = play(channels);
        channels.forEach(({ text }, i) => {
          const letter = LETTERS[i] ?? "";
          expect(lines.filter((line) => new RegExp(`^${letter.toLowerCase()}\\d$`).test(line))).toEqual(
            recordsOf(text, letter),
          );
        });
        const snapshots = lines.filter((line) => line.startsWith("snapshot"));
        const expected = (channels[0]?.marks ?? []).map((_, index) => {
          const before = channels.flatMap(({ text }, i) =>
            recordsOf(text.slice(0, text.indexOf(`|${index + 1}`)), LETTERS[i] ?? ""),
          );
          return `snapshot ${index + 1} {${before.toSorted().join(" ")}}`;
        });
        expect(
          snapshots.map((line) =>
            line.replace(/\{(.*)\}/, (_, list: string) => `{${list.split(" ").toSorted().join(" ")}}`),
          ),
        ).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });

  test("CP-047, CP-048: where any channel has a cancel marker in the place of a barrier there is no snapshot, only a cancel marker behind; no channel stays blocked", () => {
    fc.assert(
      fc.property(drawings(true), (channels) => {
        const lines = play(channels);
        (channels[0]?.marks ?? []).forEach((_, index) => {
          const id = index + 1;
          const whole = channels.every(({ marks }) => marks[index] === "|");
          expect(lines.filter((line) => line.startsWith(`snapshot ${id} `))).toHaveLength(whole ? 1 : 0);
          expect(lines.filter((line) => line === `-> |${id}`)).toHaveLength(whole ? 1 : 0);
          expect(lines.filter((line) => line === `-> x${id}`)).toHaveLength(whole ? 0 : 1);
        });
        for (const letter of LETTERS) {
          expect(lines.filter((line) => line === `resume ${letter}`)).toHaveLength(
            lines.filter((line) => line === `block ${letter}`).length,
          );
        }
      }),
      { numRuns: runs },
    );
  });
});

describe("the end of a channel", () => {
  test("CP-046: with nothing pending it only is one channel less to wait for", () => {
    expect(drawn({ A: "1$", B: "  2|1 3" })).toEqual([
      "a1",
      "$ on A",
      "b2",
      "|1 on B",
      "aligned after 0 ms",
      "-> |1",
      "snapshot 1 {a1 b2}",
      "b3",
    ]);
  });

  test("CP-046: while barriers are collected it counts as aligned, and the last one completes the checkpoint", () => {
    expect(drawn({ A: "1|1 2   ", B: " 3   $  ", C: "    4   $" })).toEqual([
      "a1",
      "b3",
      "|1 on A",
      "block A",
      "c4",
      "$ on B",
      "$ on C",
      "aligned after 7 ms",
      "-> |1",
      "snapshot 1 {a1 b3 c4}",
      "resume A",
      "a2",
    ]);
  });

  test("CP-046: how many channels a checkpoint waits for is fixed by its first barrier", () => {
    const lines = drawn({ A: "|1  |2", B: " $     ", C: "  |1 1  |2" });
    expect(lines.filter((line) => /aligned|snapshot/.test(line))).toEqual([
      "aligned after 2 ms",
      "snapshot 1 {}",
      expect.stringMatching(/^aligned after/),
      "snapshot 2 {c1}",
    ]);
  });

  test("CP-046, CP-047: without checkpoints after finished tasks what is pending is given up", () => {
    const off = { checkpointing: { "checkpoints-after-tasks-finish": false } };
    expect(drawn({ A: "|1 1", B: "   $" }, off)).toEqual([
      "|1 on A",
      "block A",
      "$ on B",
      "abort 1 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
      "resume A",
      "-> x1",
      "a1",
    ]);
    expect(drawn({ A: "    |1 1", B: " $" }, off)).toEqual([
      "$ on B",
      "|1 on A",
      "aligned after 0 ms",
      "-> |1",
      "snapshot 1 {}",
      "a1",
    ]);
  });
});

describe("a task that is triggered by message, since none runs before it", () => {
  test("CP-193: takes the checkpoint as if the barrier had come on every open channel, and blocks none", () => {
    const two = new Drawn(["A", "B"]);
    two.play(["1$", " "]);
    expect(two.trigger(1)).toEqual(["aligned after 0 ms", "-> |1", "snapshot 1 {a1}"]);
    expect(two.play(["", "2"])).toEqual(["b2"]);
  });

  test("CP-193: acts as a source once all its inputs have ended", () => {
    const two = new Drawn(["A", "B"]);
    two.play(["1$", "  2$"]);
    expect(two.trigger(1)).toEqual(["-> |1", "snapshot 1 {a1 b2}"]);
  });

  test("CP-193, CP-041: gives up an older checkpoint whose barriers will not come, and passes by an old trigger", () => {
    const two = new Drawn(["A", "B"]);
    two.play(["|1", ""]);
    expect(two.trigger(2)).toEqual([
      "abort 1 CHECKPOINT_DECLINED_SUBSUMED",
      "resume A",
      "-> x1",
      "aligned after 0 ms",
      "-> |2",
      "snapshot 2 {}",
    ]);
    expect(two.trigger(2)).toEqual([]);
  });

  test("CP-193: completes the checkpoint of which a channel has delivered the barrier", () => {
    const two = new Drawn(["A", "B"]);
    two.play(["|1 1", ""]);
    expect(two.trigger(1)).toEqual([
      expect.stringMatching(/^aligned after/),
      "-> |1",
      "snapshot 1 {}",
      "resume A",
      "a1",
    ]);
  });
});
