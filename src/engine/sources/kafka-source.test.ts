/** The Kafka source (`recovery-and-sinks.md` 8). */
import { describe, expect, test } from "vitest";
import {
  type Small,
  type Story,
  after,
  atTime,
  counter,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "../testing/stories.ts";

const apart = { chain: false };
const line = (more: Partial<Small> = {}): Small => ({ ...lane(1, apart), ...more });

describe("positions", () => {
  test("SK-003: a position moves when the record leaves, not when it is read: what was in hand at the barrier's restore is read again", () => {
    // Each record takes 80 ms in the source. It fails with record 5 in hand: read, not emitted.
    const run = story(
      small({
        vertices: [source("S", { cost: 80 }), sink("K")],
        edges: ["S forward K"],
        faults: [
          ...triggersAfter("in-0@4"),
          after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "S[0]" }),
        ],
      }),
    );
    const failed = run.first("TaskStopped", { subtask: "S[0]" });
    const emitted = run.until(failed).words("RecordEmitted", "record");
    expect(run.first("SourceRewound")).toMatchObject({ position: emitted.length, target: 5 });
    expect(run.since(failed).words("RecordEmitted", "record")).toEqual([
      "in-0@5",
      "in-0@6",
      "in-0@7",
      "in-0@8",
      "in-0@9",
      "in-0@10",
      "in-0@11",
    ]);
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("SK-003, SK-004: a snapshot holds for each split the offset behind the last record that left before the barrier, and a restore seeks there", () => {
    const run = story(
      small({
        ...lane(2, apart),
        topics: {
          in: {
            partitions: [
              { records: 12, every: "100 ms" },
              { records: 12, every: "130 ms" },
              { records: 12, every: "70 ms" },
            ],
          },
          out: { partitions: 2 },
        },
        faults: [atTime(400, "trigger-checkpoint"), atTime(900, "fail-job")],
      }),
    );
    // Partition i belongs to subtask i mod 2: S[0] reads 0 and 2, S[1] reads 1.
    for (const [subtask, partitions] of [
      ["S[0]", ["in-0", "in-2"]],
      ["S[1]", ["in-1"]],
    ] as const) {
      const barrier = run.first("BarrierEmitted", { subtask, checkpoint: 1 });
      const before1 = run.until(barrier).words("RecordEmitted", "record", { subtask });
      const expected = partitions.map((partition) => [
        partition,
        before1.filter((record) => record.startsWith(`${partition}@`)).length,
      ]);
      expect(run.all("SourceRewound", { subtask }).map(({ partition, target }) => [partition, target])).toEqual(
        expected,
      );
    }
    const again = run.since(run.first("StateRestored")).words("RecordEmitted", "record", { subtask: "S[1]" });
    expect(again[0]).toBe(`in-1@${run.first("SourceRewound", { subtask: "S[1]" })["target"] as number}`);
  });

  test("SK-006: where no state names a position a split is read from its earliest offset; where it does, from there", () => {
    const first = (faults: Record<string, unknown>[]): string | undefined => {
      const run = story(small(line({ faults: [...faults, atTime(900, "fail-task", { target: "S[0]" })] })));
      return run
        .since(run.first("AttemptCreated", { subtask: "S[0]", attempt: 1 }))
        .words("RecordEmitted", "record")[0];
    };
    expect(story(small(line())).words("RecordEmitted", "record")[0]).toBe("in-0@0");
    expect([first([]), first(triggersAfter("in-0@3"))]).toEqual(["in-0@0", "in-0@4"]);
  });

  test("SK-014: between failure and restart no source of the region reads; the log grows, and what it had gathered is read at once", () => {
    const run = story(
      small(
        line({
          topics: { in: { records: 40, every: "100 ms" } },
          faults: [...triggersAfter("in-0@3"), atTime(900, "fail-task", { target: "M[0]" })],
        }),
      ),
    );
    const idle = run.all("RecordEmitted").filter(({ clock }) => clock > 907 && clock < 1901);
    expect(idle).toEqual([]);
    const restarted = run.first("SourceRewound").clock;
    expect(run.all("RecordEmitted").filter(({ clock }) => clock > restarted && clock <= restarted + 16)).toHaveLength(
      16,
    );
  });
});

describe("the consumer group (SK-008)", () => {
  const grouped = (more: Record<string, unknown>, faults: Record<string, unknown>[] = []): Story =>
    story(
      small({
        vertices: [source("S", { groupId: "g", ...more }), counter("M"), sink("K")],
        edges: ["S forward M", "M forward K"],
        faults: [...triggersAfter("in-0@3", "in-0@7"), ...faults],
      }),
    );

  test("SK-008: on completed(n) the offsets of n are committed, not those the source has reached since", () => {
    const run = grouped({}, [atTime(0, "lose-rpc", { rpc: "ack", target: "M[0]", checkpoint: 9 })]);
    expect(
      run
        .all("OffsetsCommitted")
        .slice(0, 2)
        .map(({ checkpoint, partition, position }) => [checkpoint, partition, position]),
    ).toEqual([
      [1, "in-0", 4],
      [2, "in-0", 8],
    ]);
    const late = story(
      small({
        vertices: [source("S", { groupId: "g" }), counter("M"), sink("K")],
        edges: ["S forward M", "M forward K"],
        timing: { "snapshot.async": 350 },
        faults: triggersAfter("in-0@3"),
      }),
    );
    const committed = late.first("OffsetsCommitted");
    expect(committed).toMatchObject({ checkpoint: 1, position: 4 });
    expect(late.until(committed).all("RecordEmitted").length).toBeGreaterThan(6);
  });

  test("SK-008: only with a group, and only if the option is on", () => {
    expect(grouped({ properties: { "commit.offsets.on.checkpoint": false } }).all("OffsetsCommitted")).toEqual([]);
    expect(story(small(line({ faults: triggersAfter("in-0@3") }))).all("OffsetsCommitted")).toEqual([]);
  });

  test("SK-008: the news of 1 lost, those of 2 commit the offsets of 2 alone", () => {
    const run = grouped({}, [atTime(0, "lose-rpc", { rpc: "notify-complete", target: "S[0]", checkpoint: 1 })]);
    expect(run.all("OffsetsCommitted").slice(0, 1)).toMatchObject([{ checkpoint: 2, position: 8 }]);
  });

  test("SK-008, INV-131: a restore goes by the checkpoint, whatever the group's offset says", () => {
    // The source never heard that 1 is complete, so the group has no offset at all; the restore of 1 reads from 4.
    const run = grouped({}, [
      atTime(0, "lose-rpc", { rpc: "notify-complete", target: "S[0]", checkpoint: 1 }),
      after("CheckpointCompleted", { checkpoint: 1 }, "fail-job"),
    ]);
    const restored = run.first("StateRestored");
    expect(restored).toMatchObject({ checkpoint: 1 });
    expect(run.until(restored).all("OffsetsCommitted")).toEqual([]);
    expect(run.first("SourceRewound")).toMatchObject({ target: 4 });
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });
});
