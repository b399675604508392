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

  test("SK-008, KF-052: the news of 1 lost, those of 2 commit the offsets of 2 alone: one number a partition, the last one wins", () => {
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

/** S reads, K writes what it is given; twelve records, 100 ms apart. */
const plain = (sourceMore: Record<string, unknown>, more: Partial<Small> = {}): Small => ({
  vertices: [source("S", sourceMore), counter("M"), sink("K")],
  edges: ["S forward M", "M forward K"],
  ...more,
});
const verdict = { state: "exactly-once", endToEnd: "exactly-once" };
const lost = (run: Story): readonly string[] | undefined =>
  run.report.delivery.find(({ reader }) => reader === "read_committed")?.lost;
const numbers = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `in-0@${from + i}`);

describe("starting offsets (SK-006)", () => {
  test.each([
    ["timestamp:450", 5],
    ["timestamp:500", 5],
    ["timestamp:0", 0],
    [[7], 7],
    // Behind the log's end there is nothing to read: the consumer resets to the earliest.
    [[900], 0],
  ] as const)("SK-006: %j begins at offset %i, and what lies before it is not asked for", (startingOffsets, first) => {
    const late = { topics: { in: { records: 12, every: "100 ms" } } };
    const run = story(small(plain({ startingOffsets }, { ...late, timing: { deploy: "600 ms" } })));
    expect(run.words("RecordEmitted", "record")).toEqual(numbers(first, 12));
    expect(run.report.verdict).toEqual(verdict);
  });

  test("SK-006: latest begins behind what is there when the reader asks; a timestamp that has not come yet does too", () => {
    for (const startingOffsets of ["latest", "timestamp:900"]) {
      const run = story(small(plain({ startingOffsets }, { timing: { deploy: "450 ms" } })));
      expect(run.first("SplitAdded")).toMatchObject({ position: 5 });
      expect(run.words("RecordEmitted", "record")).toEqual(numbers(5, 12));
      expect(run.report.verdict).toEqual(verdict);
    }
  });

  test("SK-006: a position is in state once a record was read; from then on latest is of no concern to a restore", () => {
    const run = story(
      small(
        plain(
          { startingOffsets: "latest" },
          { faults: [...triggersAfter("in-0@3"), after("CheckpointCompleted", {}, "fail-task", { target: "S[0]" })] },
        ),
      ),
    );
    expect(run.first("SourceRewound")).toMatchObject({ target: 4 });
    expect(lost(run)).toEqual([]);
  });

  test("SK-006: before that a snapshot holds no position, so that a restore asks for the latest anew and skips what came meanwhile", () => {
    // Nothing is there until 500 ms; the checkpoint before that stores that the latest offset is to be asked for.
    const run = story(
      small(
        plain(
          { startingOffsets: "latest" },
          {
            topics: { in: { records: 12, every: "100 ms" } },
            timing: { deploy: "330 ms" },
            faults: [
              atTime(350, "trigger-checkpoint"),
              after("CheckpointCompleted", {}, "fail-task", { target: "S[0]" }),
            ],
          },
        ),
      ),
    );
    expect(run.first("SplitAdded")).toMatchObject({ position: 4 });
    const { target, clock } = run.first("SourceRewound");
    expect(clock).toBeGreaterThan(1300);
    expect(target).toBe(12);
    expect(lost(run)).toEqual(numbers(4, 12));
    expect(run.report.verdict).toEqual({ state: "at-most-once", endToEnd: "at-most-once" });
  });

  test("SK-006: without an offset of the group and without a reset policy the reader fails, at every start", () => {
    const run = story(small(plain({ startingOffsets: "group", groupId: "g" })));
    expect(run.values("TaskFailed", "failure")).toEqual(Array(4).fill("NO_OFFSET"));
    expect(run.report.job).toMatchObject({ status: "FAILED", restarts: 3 });
    const reset = (policy: string): unknown[] =>
      story(
        small(plain({ startingOffsets: `group:${policy}`, groupId: "g" }, { timing: { deploy: "450 ms" } })),
      ).values("SplitAdded", "position");
    expect([reset("earliest"), reset("latest")]).toEqual([[0], [5]]);
  });
});

describe("the consumer commits by itself (SK-009)", () => {
  /** Without checkpoints; a record takes 200 ms, so that the fetcher is far ahead of the task. */
  const auto = (fault: Record<string, unknown>, more: Record<string, unknown> = {}): Story =>
    story(
      small(
        plain(
          {
            startingOffsets: "group:earliest",
            groupId: "g",
            cost: 200,
            properties: { "enable.auto.commit": true, "auto.commit.interval.ms": "500 ms" },
            ...more,
          },
          {
            vertices: [
              source("S", {
                startingOffsets: "group:earliest",
                groupId: "g",
                cost: 200,
                properties: { "enable.auto.commit": true, "auto.commit.interval.ms": "500 ms" },
                ...more,
              }),
              sink("K", { delivery: "at-least-once" }),
            ],
            edges: ["S forward K"],
            checkpointing: { interval: null },
            cluster: { taskManagers: 2, slots: 1 },
            faults: [fault],
          },
        ),
      ),
    );

  test("SK-009: group offsets move on a timer, to what is fetched, whatever is processed", () => {
    const run = auto(atTime(100_000, "trigger-checkpoint"));
    const [first] = run.all("OffsetsCommitted");
    expect(first).toMatchObject({ checkpoint: null });
    const read = run.until(first as NonNullable<typeof first>).all("RecordEmitted").length;
    expect(first?.["position"]).toBeGreaterThan(read);
  });

  test("SK-009: a process is killed: what was fetched and not processed is skipped", () => {
    const run = auto(atTime(700, "kill-taskmanager", { target: "tm-1" }));
    const [, again] = run.all("SplitAdded");
    const read = run.until(run.first("TaskManagerLost")).all("RecordEmitted").length;
    expect(again?.["position"]).toBeGreaterThan(read);
    expect(lost(run)).not.toEqual([]);
    expect(run.report.verdict.endToEnd).toBe("at-most-once");
  });

  test("SK-009: what was processed since the last commit is read again where the process was killed", () => {
    const slow = { properties: { "enable.auto.commit": true, "auto.commit.interval.ms": "1 h" }, cost: 1 };
    const run = auto(atTime(700, "kill-taskmanager", { target: "tm-1" }), slow);
    expect(run.report.verdict.endToEnd).toBe("at-least-once");
  });

  test("SK-009: a consumer that closes commits once more, so that after an exception all that it had fetched is skipped", () => {
    const run = auto(atTime(700, "fail-task", { target: "S[0]" }), {
      properties: { "enable.auto.commit": true, "auto.commit.interval.ms": "1 h" },
    });
    const stopped = run.first("TaskStopped");
    expect(run.until(stopped).all("OffsetsCommitted")).toHaveLength(1);
    expect(lost(run)).not.toEqual([]);
  });
});

describe("retention (SK-010)", () => {
  /** Checkpoint 1 holds offset 4; it fails at 900 ms, and before the restart records up to 7 are gone. */
  const expired = (more: Record<string, unknown>): Story =>
    story(
      small(
        plain(more, {
          faults: [
            ...triggersAfter("in-0@3"),
            atTime(950, "fail-task", { target: "S[0]" }),
            atTime(1200, "expire-records", { topic: "in", before: 7 }),
          ],
        }),
      ),
    );

  test("SK-010, FI-79: the restored offset is gone: with earliest the source goes on at the first record left, and the gap is lost", () => {
    const run = expired({});
    expect(run.first("SourceRewound")).toMatchObject({ target: 4 });
    expect(run.first("OffsetReset")).toMatchObject({ partition: "in-0", position: 4, target: 7 });
    expect(lost(run)).toEqual(numbers(4, 7));
    expect(run.report.verdict).toEqual({ state: "at-most-once", endToEnd: "at-most-once" });
  });

  test("SK-010, FI-79: with latest the gap is all there is by then", () => {
    const run = expired({ startingOffsets: "latest" });
    const target = run.first("OffsetReset")["target"] as number;
    expect(target).toBe(12);
    expect(lost(run)).toEqual(numbers(4, 12));
  });

  test("SK-010, FI-79: with none the reader fails, and again at every restart", () => {
    const run = expired({ startingOffsets: "timestamp:0" });
    expect(run.values("TaskFailed", "failure").slice(1)).toEqual(Array(3).fill("NO_OFFSET"));
    expect(run.report.job.status).toBe("FAILED");
  });

  test("SK-010: a reader that lags falls behind the log's start while it runs", () => {
    const run = story(
      small(
        plain(
          { cost: 300 },
          {
            topics: { in: { records: 12, every: 10 } },
            faults: [atTime(1000, "expire-records", { topic: "in", before: 9 })],
          },
        ),
      ),
    );
    const { position, target } = run.first("OffsetReset");
    expect(target).toBe(9);
    expect(lost(run)).toEqual(numbers(position as number, 9));
  });

  test("KF-053: what retention took before the first start is not asked for, so it is not lost", () => {
    const run = story(
      small(
        plain(
          {},
          { timing: { deploy: "600 ms" }, faults: [atTime(400, "expire-records", { topic: "in", before: 3 })] },
        ),
      ),
    );
    expect(run.words("RecordEmitted", "record")).toEqual(numbers(3, 12));
    expect(run.report.verdict).toEqual(verdict);
  });
});

describe("partitions that are found later (SK-007)", () => {
  const added = (sourceMore: Record<string, unknown> = {}, faults: Record<string, unknown>[] = []): Small =>
    plain(
      { parallelism: 2, properties: { "partition.discovery.interval.ms": "2 s" }, ...sourceMore },
      {
        vertices: [
          source("S", { parallelism: 2, properties: { "partition.discovery.interval.ms": "2 s" }, ...sourceMore }),
          sink("K", { parallelism: 2 }),
        ],
        edges: ["S forward K"],
        topics: { in: { partitions: 1, records: 40, every: "100 ms" } },
        faults: [atTime(500, "add-partition", { topic: "in", records: 6, every: "100 ms" }), ...faults],
      },
    );

  test("SK-007, SK-005: the enumerator finds it with its next look, and it is read from its beginning, by its owner", () => {
    for (const startingOffsets of ["earliest", "latest"]) {
      const run = story(small(added({ startingOffsets })));
      expect(run.first("PartitionDiscovered")).toMatchObject({ vertex: "S", partition: "in-1", clock: 2000 });
      expect(run.first("SplitAdded", { partition: "in-1" })).toMatchObject({ subtask: "S[1]", position: 0 });
      expect(run.words("RecordEmitted", "record", { subtask: "S[1]" })).toEqual(
        Array.from({ length: 6 }, (_, i) => `in-1@${i}`),
      );
      expect(run.report.verdict).toEqual(verdict);
      expect(run.report.sources.map(({ partition, position }) => [partition, position])).toContainEqual(["in-1", 6]);
    }
  });

  test("SK-007: with discovery off it is never read; nor by a bounded source", () => {
    for (const more of [{ properties: { "partition.discovery.interval.ms": 0 } }, { bounded: true }]) {
      const run = story(small(added(more)));
      expect(run.all("PartitionDiscovered")).toEqual([]);
      expect(run.report.delivery[0]?.unprocessed).toEqual(Array.from({ length: 6 }, (_, i) => `in-1@${i}`));
    }
  });

  test("SK-007, FR-084: a coordinator that begins anew finds it with its first look, as if it had always been there", () => {
    const run = story(small(added({ startingOffsets: "latest" }, [atTime(700, "fail-job")])));
    const restarted = run.since(run.first("CoordinatorReset"));
    expect(restarted.first("SplitAdded", { partition: "in-1" })["position"]).toBeGreaterThan(0);
  });

  test("SK-007, CP-021: one that goes back to its snapshot finds it behind its first look, so nothing is skipped", () => {
    const faults = [atTime(300, "trigger-checkpoint"), atTime(700, "fail-job")];
    const run = story(small(added({ startingOffsets: "latest" }, faults)));
    const restarted = run.since(run.first("CoordinatorReset", { checkpoint: 1 }));
    expect(restarted.first("PartitionDiscovered").clock).toBe(run.first("CoordinatorReset").clock);
    expect(restarted.first("SplitAdded", { partition: "in-1" })).toMatchObject({ position: 0 });
    expect(run.report.delivery[0]?.lost.filter((record) => record.startsWith("in-1"))).toEqual([]);
  });

  test("CP-016, CP-021: found while a checkpoint is under way, it waits behind the reader's gate, and the checkpoint does not hold it", () => {
    // S[1] stands still from 1990 ms on, so that its gate stays closed for the checkpoint of 1995 ms.
    const faults = [atTime(1990, "stall", { target: "S[1]", for: "300 ms" }), atTime(1995, "trigger-checkpoint")];
    const run = story(small(added({}, faults)));
    const [found, assigned] = [run.first("PartitionDiscovered"), run.first("SplitAssigned", { partition: "in-1" })];
    const passed = run.first("SnapshotTaken", { subtask: "S[1]", checkpoint: 1 });
    const given = run.first("SplitAdded", { partition: "in-1" });
    expect([found.clock, assigned.clock]).toEqual([2000, 2000]);
    expect(run.first("CoordinatorSnapshotTaken", { checkpoint: 1 })).toMatchObject({ assigned: 1 });
    expect(given.step).toBeGreaterThan(passed.step);
    expect(run.report.verdict).toEqual(verdict);
  });
});

describe("producers that write in transactions (SK-011)", () => {
  const written = { in: { records: 12, every: "100 ms", transactions: { records: 4, open: "1 s" } } };

  test("SK-011: a source reads uncommitted records unless it is told otherwise; committed ones come with their commit", () => {
    const times = (isolationLevel: string): number[] =>
      story(small(plain({ isolationLevel }, { topics: written })))
        .times("RecordEmitted")
        .slice(0, 5);
    expect(times("read_uncommitted").at(-1)).toBeLessThan(420);
    // The first transaction is committed 1 s behind its record 3, the second behind record 7.
    expect(times("read_committed")).toEqual([1301, 1302, 1303, 1304, 1701]);
    expect(story(small(plain({ isolationLevel: "read_committed" }, { topics: written }))).report.verdict).toEqual(
      verdict,
    );
  });

  test("SK-011, KF-030: latest is the last stable offset there", () => {
    const run = story(
      small(
        plain(
          { isolationLevel: "read_committed", startingOffsets: "latest" },
          { topics: written, timing: { deploy: "1400 ms" } },
        ),
      ),
    );
    expect(run.first("SplitAdded")).toMatchObject({ position: 4 });
  });
});

describe("producers that change their pace", () => {
  test("set-rate: from then on so much time passes between two records; an unbounded topic has as many as may come", () => {
    const run = story(
      small(
        plain(
          {},
          {
            topics: { in: { records: "unbounded", every: "100 ms" } },
            until: { time: 2000 },
            faults: [atTime(1000, "set-rate", { topic: "in", every: "20 ms" })],
          },
        ),
      ),
    );
    const emitted = run.times("RecordEmitted");
    expect(emitted.filter((time) => time <= 1005)).toHaveLength(11);
    expect(emitted.filter((time) => time > 1005)).toHaveLength(49);
  });
});
