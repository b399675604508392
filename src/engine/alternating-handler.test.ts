/** Barriers where a checkpoint may be unaligned (`checkpointing.md` 9 and 17). Drawings are explained in `testing/drawn.ts`. */
import { describe, expect, test } from "vitest";
import { channelEnded } from "./alternating-handler.ts";
import { channelStateIn } from "./channel-state.ts";
import { Capture } from "./layout.ts";
import { Drawn } from "./testing/drawn.ts";

const from = { "unaligned.enabled": true };
const after = (timeout: string): object => ({ ...from, "aligned-checkpoint-timeout": timeout });

const task = (names: string, checkpointing: object = from, cost = 0): Drawn =>
  new Drawn(names.split(""), { checkpointing: { ...checkpointing }, ship: "rebalance", cost });

/** What is stored of T's channels for a checkpoint whose asynchronous part is not over, `a2` for record 2 of A. */
function stored({ kernel, graph, ...drawn }: Drawn): string[] {
  void drawn;
  const { captures } = kernel.world;
  const index = graph.subtasks.findIndex(({ name }) => name === "T[0]");
  for (let row = 0; row < captures.count; row++) {
    if (captures.get(row, Capture.task) !== index || captures.get(row, Capture.closed) === 0) continue;
    const { inputs } = channelStateIn(kernel, index, captures.get(row, Capture.handle));
    return inputs.flatMap((list) =>
      kernel.arena.lists
        .toArray(list)
        .filter((_, place) => place % 2 === 0)
        .map((record) => {
          const partition = graph.inputs[record % graph.inputs.length];
          return `${partition?.topic.toLowerCase()}${Math.floor(record / graph.inputs.length)}`;
        }),
    );
  }
  return ["not complete"];
}

describe("unaligned from the start", () => {
  test("TR-3, CP-076, CP-079: the first barrier overtakes; what it overtook and what comes before the others is stored", () => {
    const two = task("AB", from, 5);
    expect(
      two.playOneByOne([
        "1 2!1 3       ", //
        " 1          2!1",
      ]),
    ).toMatchInlineSnapshot(`
      [
        "a1",
        "|1 on A",
        "unaligned 1",
        "-> |1",
        "input A: 1",
        "snapshot 1 {a1}",
        "b1",
        "a2",
        "|1 on B",
        "input B: 2",
        "aligned after 10 ms",
        "b2",
        "a3",
      ]
    `);
    expect(stored(two)).toEqual(["a2", "b1", "b2"]);
  });

  test("CP-044, CP-076: with one channel the barrier overtakes what waits, and that is all the channel state", () => {
    const one = task("A", from, 6);
    expect(one.playOneByOne(["1 23!1 4"])).toMatchInlineSnapshot(`
      [
        "a1",
        "|1 on A",
        "unaligned 1",
        "-> |1",
        "input A: 2",
        "aligned after 0 ms",
        "snapshot 1 {a1}",
        "a2",
        "a3",
        "a4",
      ]
    `);
    expect(stored(one)).toEqual(["a2", "a3"]);
  });

  test("CP-072: a record in hand is finished first", () => {
    const one = task("A", from, 20);
    expect(one.playOneByOne(["1!1"]).slice(0, 3)).toEqual(["a1", "|1 on A", "unaligned 1"]);
    expect(stored(one)).toEqual([]);
  });

  test("CP-041, CP-047: a newer barrier supersedes: the part that waits for input fails, and 1 is declined", () => {
    const two = task("AB");
    expect(two.playOneByOne(["1!1   2", " 1   !2  !1"])).toMatchInlineSnapshot(`
      [
        "a1",
        "|1 on A",
        "unaligned 1",
        "-> |1",
        "snapshot 1 {a1}",
        "b1",
        "abort 1 CHECKPOINT_DECLINED_SUBSUMED",
        "-> x1",
        "|2 on B",
        "unaligned 2",
        "-> |2",
        "snapshot 2 {a1 b1}",
        "a2",
        "|1 on B",
      ]
    `);
  });

  test("CP-040: a barrier of a checkpoint that is over does nothing, wherever it comes", () => {
    const two = task("AB");
    expect(two.playOneByOne(["!2   !1", "!2    "])).toMatchInlineSnapshot(`
      [
        "|2 on A",
        "unaligned 2",
        "-> |2",
        "snapshot 2 {}",
        "|2 on B",
        "aligned after 0 ms",
        "|1 on A",
      ]
    `);
  });

  test("CP-048: a cancel marker ends what is collected", () => {
    const two = task("AB");
    expect(two.playOneByOne(["1!1   2", " 1   x1 !1"])).toMatchInlineSnapshot(`
      [
        "a1",
        "|1 on A",
        "unaligned 1",
        "-> |1",
        "snapshot 1 {a1}",
        "b1",
        "x1 on B",
        "abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER",
        "-> x1",
        "a2",
        "|1 on B",
      ]
    `);
  });

  test("CP-037, CP-034: forced to be aligned, barriers block; then the checkpoint is unaligned again, with an empty input", () => {
    const two = task("AB");
    expect(two.playOneByOne(["1&1  2", " 1    2&1"])).toMatchInlineSnapshot(`
      [
        "a1",
        "b1",
        "|1 on A",
        "block A",
        "b2",
        "|1 on B",
        "aligned after 6 ms",
        "unaligned 1",
        "-> |1",
        "snapshot 1 {a1 b1 b2}",
        "resume A",
        "a2",
      ]
    `);
    expect(stored(two)).toEqual([]);
  });

  test("CP-108, CP-076: told that its checkpoint is aborted, the task drops the channel state, and the part that waits for it fails", () => {
    const two = task("AB");
    expect(two.playOneByOne(["1!1", "     "])).toMatchInlineSnapshot(`
      [
        "a1",
        "|1 on A",
        "unaligned 1",
        "-> |1",
        "snapshot 1 {a1}",
      ]
    `);
    expect(two.tellAborted(1)).toEqual([]);
    expect(two.playOneByOne(["", "12!1"])).toMatchInlineSnapshot(`
      [
        "b1",
        "b2",
        "|1 on B",
        "aligned after 6 ms",
      ]
    `);
  });

  test.each([
    { told: "while it writes", after: 40, atOnce: [], later: ["async part 1 fails"] },
    { told: "once it only waits for its channel state", after: 200, atOnce: ["async part 1 fails"], later: [] },
  ])("CP-103, CP-104: told $told, the asynchronous part fails", ({ after: waits, atOnce, later }) => {
    const two = new Drawn(["A", "B"], { checkpointing: from, timing: { "snapshot.async": 100 }, ship: "rebalance" });
    two.playOneByOne(["1!1", "   "]);
    two.listen(waits);
    expect(two.tellAborted(1)).toEqual(atOnce);
    expect(two.listen(200)).toEqual(later);
    expect(two.kernel.world.captures.count).toBe(0);
  });

  test("CP-046: the end of a channel closes its input", () => {
    const two = task("AB");
    two.playOneByOne(["1!1", "  "]);
    channelEnded(two.kernel, two.subtask("T[0]"), two.channel("B[0]->T[0]"));
    two.kernel.after(0, 0, two.subtask("T[0]"), two.subtask("T[0]"));
    expect(two.listen(10)).toMatchInlineSnapshot(`
      [
        "aligned after 4 ms",
      ]
    `);
    expect(stored(two)).toEqual([]);
  });
});

describe("aligned, with a timeout", () => {
  test("TR-5, CP-071, CP-073: announced, but not in when the time is over: the barrier overtakes; the blocked channel waits for it", () => {
    const two = task("AB", after("20 ms"), 15);
    expect(two.playOneByOne(["?1 2      ", "1 23?1    "])).toMatchInlineSnapshot(`
      [
        "b1",
        "?1 announced on B",
        "|1 on A",
        "block A",
        "b2",
        "timed out 1",
        "unaligned 1",
        "-> |1",
        "snapshot 1 {b1 b2}",
        "|1 on B",
        "input B: 1",
        "aligned after 15 ms",
        "resume A",
        "a2",
        "b3",
      ]
    `);
    expect(stored(two)).toEqual(["b3"]);
  });

  test("CP-042, CP-070: in time it is an aligned checkpoint without channel state", () => {
    const two = task("AB", after("200 ms"), 1);
    expect(two.playOneByOne(["1?1 2      ", " 1    2?1 3"])).toMatchInlineSnapshot(`
      [
        "a1",
        "b1",
        "|1 on A",
        "block A",
        "b2",
        "|1 on B",
        "aligned after 5 ms",
        "-> |1",
        "snapshot 1 {a1 b1 b2}",
        "resume A",
        "a2",
        "b3",
      ]
    `);
    expect(stored(two)).toEqual([]);
  });

  test("CP-071, CP-073: announced on one channel only, the task turns with the first barrier", () => {
    const two = task("AB", after("5 ms"), 30);
    expect(two.playOneByOne(["1 2?1      ", ""])).toMatchInlineSnapshot(`
      [
        "a1",
        "?1 announced on A",
        "a2",
        "timed out 1",
        "|1 on A",
        "unaligned 1",
        "-> |1",
        "snapshot 1 {a1 a2}",
      ]
    `);
  });

  test("CP-074: an unaligned barrier makes a task that collects turn at once", () => {
    const two = task("AB", after("1 min"), 4);
    expect(two.playOneByOne(["1?1 2      ", " 1 2!1"])).toMatchInlineSnapshot(`
      [
        "a1",
        "|1 on B",
        "unaligned 1",
        "-> |1",
        "input B: 2",
        "snapshot 1 {a1}",
        "b1",
        "|1 on A",
        "block A",
        "aligned after 4 ms",
        "resume A",
        "b2",
        "a2",
      ]
    `);
    expect(stored(two)).toEqual(["b1", "b2"]);
  });

  test("CP-046: the end of a channel completes an aligned one", () => {
    const two = task("AB", after("1 min"));
    two.playOneByOne(["1?1", "  "]);
    channelEnded(two.kernel, two.subtask("T[0]"), two.channel("B[0]->T[0]"));
    two.kernel.after(0, 0, two.subtask("T[0]"), two.subtask("T[0]"));
    expect(two.listen(10)).toMatchInlineSnapshot(`
      [
        "aligned after 2 ms",
        "-> |1",
        "snapshot 1 {a1}",
        "resume A",
      ]
    `);
  });
});

describe("the end of a channel", () => {
  test("CP-046: one that ends before the first barrier, after the announcement, counts as one that has delivered it", () => {
    const two = task("AB", after("1 min"), 3);
    expect(two.play(["12?1 3", "  $"])).toMatchInlineSnapshot(`
      [
        "a1",
        "?1 announced on A",
        "$ on B",
        "a2",
        "|1 on A",
        "aligned after 3 ms",
        "-> |1",
        "snapshot 1 {a1 a2}",
        "a3",
      ]
    `);
  });

  test("CP-046, CP-073: and so does one that ends after the timeout, before the first barrier", () => {
    const two = task("AB", after("4 ms"), 6);
    expect(two.play(["12?1 3", "    $"])).toMatchInlineSnapshot(`
      [
        "a1",
        "?1 announced on A",
        "$ on B",
        "a2",
        "timed out 1",
        "|1 on A",
        "unaligned 1",
        "-> |1",
        "aligned after 6 ms",
        "snapshot 1 {a1 a2}",
        "a3",
      ]
    `);
  });

  test("CP-046: without checkpoints after tasks finish what is pending is given up", () => {
    const two = task("AB", { ...from, "checkpoints-after-tasks-finish": false });
    expect(two.play(["1!1 2", "  3 $"])).toMatchInlineSnapshot(`
      [
        "a1",
        "|1 on A",
        "unaligned 1",
        "-> |1",
        "snapshot 1 {a1}",
        "b3",
        "a2",
        "$ on B",
        "abort 1 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
        "-> x1",
      ]
    `);
  });
});

describe("a task that is triggered by message, since none runs before it", () => {
  test("CP-193: unaligned, it takes the checkpoint at once, with nothing stored of its channels", () => {
    const two = task("ABC");
    two.play(["1$", "2", ""]);
    expect(two.trigger(1)).toMatchInlineSnapshot(`
      [
        "unaligned 1",
        "-> |1",
        "aligned after 0 ms",
        "snapshot 1 {b2 a1}",
      ]
    `);
    expect(stored(two)).toEqual([]);
    expect(two.play(["", "3", "4"])).toEqual(["b3", "c4"]);
  });

  test("CP-193: with a timeout, it takes part aligned, and none is blocked", () => {
    const two = task("AB", after("1 min"));
    two.play(["1", "2"]);
    expect(two.trigger(1)).toMatchInlineSnapshot(`
      [
        "aligned after 0 ms",
        "-> |1",
        "snapshot 1 {b2 a1}",
      ]
    `);
    expect(two.play(["3", "4"]).toSorted()).toEqual(["a3", "b4"]);
  });

  test("CP-193: acts as a source once all its inputs have ended", () => {
    const two = task("AB");
    two.play(["1$", "  2$"]);
    expect(two.trigger(1)).toMatchInlineSnapshot(`
      [
        "unaligned 1",
        "-> |1",
        "snapshot 1 {a1 b2}",
      ]
    `);
  });

  test("CP-193, CP-041: gives up an older checkpoint whose barriers will not come, and passes by an old trigger", () => {
    const two = task("AB");
    two.play(["!1", ""]);
    expect(two.trigger(2)).toMatchInlineSnapshot(`
      [
        "abort 1 CHECKPOINT_DECLINED_SUBSUMED",
        "-> x1",
        "unaligned 2",
        "-> |2",
        "aligned after 0 ms",
        "snapshot 2 {}",
      ]
    `);
    expect(two.trigger(2)).toEqual([]);
  });

  test("CP-193: completes the unaligned checkpoint of which a channel has delivered the barrier, and goes on", () => {
    const two = task("AB");
    two.play(["!1 1", "          2"], 3);
    expect(two.trigger(1)).toEqual(["aligned after 3 ms"]);
    expect(two.listen(20)).toEqual(["b2"]);
  });
});
