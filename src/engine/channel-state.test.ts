/** Channel state in whole jobs: what is stored, when the acknowledgement leaves, and the way back (`checkpointing.md` 9.3, 9.4). */
import { describe, expect, test } from "vitest";
import type { TraceEntry } from "../protocol/trace.ts";
import { libraryScenario, withFaults } from "./testing/runs.ts";
import { type Small, type Story, after, counter, sink, small, source, story } from "./testing/stories.ts";

const records = (entries: readonly TraceEntry[]): number =>
  entries.reduce((sum, entry) => sum + (entry["records"] as number), 0);

/** A fast source before a slow counter: eight records wait, two of them at the reader. */
const full = (checkpointing: Small["checkpointing"], more: Partial<Small> = {}): Small => ({
  vertices: [source("A"), counter("T", { cost: 50 }), sink("K")],
  edges: ["A rebalance T", "T rebalance K"],
  topics: { in: { records: 30, every: "1 ms" } },
  checkpointing: { "unaligned.enabled": true, ...checkpointing },
  faults: [after("RecordSent", { subtask: "A[0]", record: "in-0@10" }, "trigger-checkpoint")],
  ...more,
});

describe("what is stored", () => {
  test("TR-4, CP-032, CP-077: the barrier goes ahead of what the sender still holds, which is its output state; the reader has the rest", () => {
    const run = story(small(full({})));
    const [output] = run.all("InFlightDataPersisted", { side: "output" });
    const [input] = run.all("InFlightDataPersisted", { side: "input" });
    expect(output).toMatchObject({ subtask: "A[0]", channel: "A[0]->T[0]", records: 6 });
    expect(input).toMatchObject({ subtask: "T[0]", channel: "A[0]->T[0]", records: 2 });
    const taken = run.all("RecordReceived", { subtask: "T[0]" }).filter(({ step }) => step < (input?.step ?? 0)).length;
    const sent = run
      .until(run.first("BarrierEmitted", { subtask: "A[0]" }))
      .all("RecordSent", { subtask: "A[0]" }).length;
    expect(sent).toBe(taken + 6 + 2);
  });

  test("CP-074, CP-210, CP-212: unaligned at the source, so at every task; the report has what is stored", () => {
    const [checkpoint] = story(small(full({}))).report.checkpoints;
    expect(checkpoint).toMatchObject({ status: "COMPLETED", unaligned: true, persistedInFlight: 9 * 32 });
    expect(checkpoint?.subtasks.map(({ subtask, unaligned, persisted }) => [subtask, unaligned, persisted])).toEqual([
      ["A[0]", true, 6 * 32],
      ["T[0]", true, 2 * 32],
      ["K[0]", true, 32],
    ]);
  });

  test("CP-075, CP-073: a barrier that waits in the sender's buffers at the timeout overtakes what is before it", () => {
    const run = story(small(full({ "aligned-checkpoint-timeout": "60 ms" })));
    const trigger = run.first("CheckpointTriggered", { checkpoint: 1 });
    const output = run.first("InFlightDataPersisted", { side: "output", checkpoint: 1 });
    expect(output.clock - trigger.clock).toBe(60);
    expect(output).toMatchObject({ subtask: "A[0]" });
    expect(run.first("CheckpointCompleted", { checkpoint: 1 }).clock - trigger.clock).toBeLessThan(200);
    expect(run.report.checkpoints[0]?.subtasks.map(({ unaligned }) => unaligned)).toEqual([true, true, true]);
  });

  test("CP-075, CP-078: one that leaves them before the timeout overtakes nothing; the source acknowledges only then", () => {
    const run = story(small(full({ "aligned-checkpoint-timeout": "10 s" })));
    const received = run.first("BarrierReceived", { subtask: "T[0]", checkpoint: 1 });
    expect(run.all("InFlightDataPersisted")).toEqual([]);
    const acknowledged = run.first("SnapshotPersisted", { subtask: "A[0]", checkpoint: 1 });
    const taken = run.first("SnapshotTaken", { subtask: "A[0]", checkpoint: 1 });
    expect(acknowledged.clock - taken.clock).toBeGreaterThan(200);
    expect(acknowledged.clock).toBeLessThan(received.clock);
    expect(run.first("BarrierAnnounced", { subtask: "T[0]" }).clock).toBeLessThan(received.clock);
  });

  test("CP-037: over pointwise and broadcast exchanges every barrier stays in its place, and nothing is stored", () => {
    for (const ship of ["forward", "rescale", "broadcast"]) {
      const run = story(small(full({}, { edges: [`A ${ship} T`, `T ${ship} K`] })));
      expect(run.all("InFlightDataPersisted")).toEqual([]);
      expect(run.report.checkpoints[0]).toMatchObject({ status: "COMPLETED", unaligned: true });
    }
  });

  test("CP-037: one input that cannot be overtaken keeps the others of its operator from it", () => {
    const run = story(
      small(
        full(
          {},
          {
            vertices: [source("A"), source("B", { topic: "other" }), counter("T", { cost: 50 }), sink("K")],
            edges: ["A rebalance T", "B broadcast T", "T rebalance K"],
            topics: { in: { records: 30, every: "1 ms" }, other: {} },
          },
        ),
      ),
    );
    expect(run.all("InFlightDataPersisted", { subtask: "A[0]" })).toEqual([]);
    expect(run.all("InFlightDataPersisted", { subtask: "T[0]", side: "input" })).toEqual([]);
  });

  test("CP-078, CP-207: under backpressure a task forwards the barrier at once and acknowledges when the last one is in", () => {
    const run = story(libraryScenario("unaligned"));
    const first = run.first("BarrierReceived", { subtask: "out[0]", checkpoint: 1 });
    const closed = run.first("AlignmentCompleted", { subtask: "out[0]", checkpoint: 1 });
    const written = run.first("SnapshotPersisted", { subtask: "out[0]", checkpoint: 1 });
    expect(run.first("SnapshotTaken", { subtask: "out[0]", checkpoint: 1 }).clock).toBe(first.clock + 1);
    expect(closed.clock).toBeGreaterThan(first.clock);
    expect(written.clock).toBeGreaterThanOrEqual(closed.clock);
  });
});

describe("restored", () => {
  const failed = (id: string, change?: (source: Record<string, unknown>) => void): Story =>
    story(
      withFaults(id, [after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "count[0]" })], change),
    );

  test.each(["unaligned", "aligned-timeout"])(
    "CP-085, INV-033: %s: all that was stored is there again, and the state is exactly once",
    (id) => {
      const run = failed(id);
      const stored = run.all("InFlightDataPersisted", { checkpoint: 2 });
      const restored = run.all("ChannelStateRestored", { checkpoint: 2 });
      expect(records(stored)).toBeGreaterThan(20);
      expect(records(restored)).toBe(records(stored));
      expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
    },
  );

  test("CP-085, CP-086: output first, then the task's own input, and only then it is RUNNING", () => {
    const run = failed("unaligned");
    const again = run.since(run.last("AttemptCreated", { subtask: "all[0]" }));
    const { step: output } = again.first("ChannelStateRestored", { subtask: "all[0]", side: "output" });
    const { step: input } = again.first("ChannelStateRestored", { subtask: "all[0]", side: "input" });
    const { step: running } = again.first("TaskStateChanged", { subtask: "all[0]", to: "RUNNING" });
    const consumed = again.all("RecordReceived", { subtask: "all[0]" }).filter(({ step }) => step < running).length;
    expect(output).toBeLessThan(input);
    expect(consumed).toBeGreaterThanOrEqual(
      records(again.all("ChannelStateRestored", { subtask: "all[0]", side: "input" })),
    );
    const { step: next } = again.first("CheckpointTriggered");
    expect(next).toBeGreaterThan(running);
  });

  test("CP-088: told to do without, a restore drops the channel state of that checkpoint, and its records are lost", () => {
    const without = (checkpoint: number) => (source: Record<string, unknown>) => {
      const config = source["config"] as Record<string, unknown>;
      config["execution.state-recovery.without-channel-state.checkpoint-id"] = checkpoint;
    };
    const run = failed("unaligned", without(2));
    expect(run.all("ChannelStateRestored")).toEqual([]);
    expect(run.report.state[0]?.lost.length).toBe(
      records(run.all("InFlightDataPersisted", { checkpoint: 2 })) - doubled(run),
    );
    expect(failed("unaligned", without(1)).report.verdict.state).toBe("exactly-once");
  });
});

/** Records behind the keyed counter are in its state already. */
function doubled(run: Story): number {
  return records(
    run
      .all("InFlightDataPersisted", { checkpoint: 2 })
      .filter(({ channel }) => String(channel as string).startsWith("count")),
  );
}

/** How large each subtask's part is: written, in the checkpoint, stored of its channels. */
const bytes = (run: Story): unknown[] => run.values("SnapshotPersisted", "bytes", { checkpoint: 1 });

describe("the snapshot that channel state belongs to", () => {
  const files = { "execution.checkpointing.dir": "file:///ck", "execution.checkpointing.storage": "filesystem" };

  test("CP-208, CP-209, CP-210: channel state counts to what the checkpoint has written and to its full size", () => {
    const [aligned, unaligned] = [story(small(full({ "unaligned.enabled": false }))), story(small(full({})))];
    const [small_, large] = [aligned.report.checkpoints[0], unaligned.report.checkpoints[0]];
    expect(large?.persistedInFlight).toBe(9 * 32);
    const states = (row: typeof large): number => (row?.checkpointedBytes ?? 0) - (row?.persistedInFlight ?? 0);
    expect(states(large)).toBeGreaterThan(0);
    expect(large?.stateBytes).toBe(large?.checkpointedBytes);
    expect(small_?.persistedInFlight).toBe(0);
    expect(bytes(unaligned).reduce((sum: number, size) => sum + (size as number), 0)).toBe(large?.checkpointedBytes);
  });

  test("CP-112, CP-133: it is one file of its subtask, or in _metadata where it is small, and is deleted with its checkpoint", () => {
    const run = story(
      small(
        full(
          { "num-retained": 1 },
          {
            config: { ...files, "state.storage.fs.memory-threshold": "100 b" },
            faults: [
              after("RecordSent", { subtask: "A[0]", record: "in-0@10" }, "trigger-checkpoint"),
              after("CheckpointCompleted", { checkpoint: 1 }, "trigger-checkpoint"),
            ],
          },
        ),
      ),
    );
    const written = run.all("CheckpointFileWritten", { checkpoint: 1 });
    expect(written.map(({ subtask, bytes: size }) => [subtask, size])).toEqual([
      ["A[0]", 6 * 32],
      [null, expect.any(Number)],
    ]);
    expect(run.first("CheckpointCompleted", { checkpoint: 2 })).toBeDefined();
    expect(
      run.values("CheckpointFileDeleted", "file", { checkpoint: 1 }).toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual(written.map(({ file }) => file).toSorted((a, b) => Number(a) - Number(b)));
  });

  test("CP-078, CP-207: the acknowledgement waits until it is written, where the scenario says how fast", () => {
    const rate = 1000;
    const run = story(small(full({}, { timing: { "upload.bytesPerSecond": rate, "snapshot.async": 0 } })));
    const taken = run.first("SnapshotTaken", { subtask: "T[0]", checkpoint: 1 });
    expect(run.first("SnapshotPersisted", { subtask: "T[0]" })).toMatchObject({
      clock: taken.clock + (2 * 32 * 1000) / rate,
      bytes: 8 + 2 * 32,
    });
  });

  test("CP-104, FI-60: storage that goes down while channel state is awaited fails the asynchronous part; what it had written is no file", () => {
    const run = story(
      small(
        full(
          { "aligned-checkpoint-timeout": "200 ms", "tolerable-failed-checkpoints": 5 },
          {
            config: { ...files, "state.storage.fs.memory-threshold": "0 b" },
            faults: [
              after("RecordSent", { subtask: "A[0]", record: "in-0@10" }, "trigger-checkpoint"),
              after("RecordReceived", { subtask: "T[0]", record: "in-0@4" }, "storage-down", { for: "400 ms" }),
            ],
          },
        ),
      ),
    );
    expect(run.first("SnapshotFailed", { subtask: "A[0]", checkpoint: 1 })).toBeDefined();
    expect(run.all("CheckpointFileWritten", { subtask: "A[0]", checkpoint: 1 })).toEqual([]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });
});

describe("an unaligned checkpoint fails at a task", () => {
  const fails = (part: string, target: string): object => ({ at: { time: 0 }, do: "snapshot-failure", target, part });
  const run = (part: string, target: string, checkpointing: Small["checkpointing"] = {}): Story =>
    story(
      small(
        full(
          { "tolerable-failed-checkpoints": 5, ...checkpointing },
          {
            faults: [
              fails(part, target) as NonNullable<Small["faults"]>[number],
              after("RecordSent", { subtask: "A[0]", record: "in-0@10" }, "trigger-checkpoint"),
              after("CheckpointAborted", { checkpoint: 1 }, "trigger-checkpoint"),
              after("RecordReceived", { record: "in-0@20", subtask: "T[0]" }, "fail-task", { target: "T[0]" }),
            ],
          },
        ),
      ),
    );

  test("CP-103, CP-104: the asynchronous part: it declines, nothing of its channels is kept, and the next checkpoint has its own", () => {
    for (const target of ["A[0]", "T[0]", "K[0]"]) {
      const told = run("async", target);
      expect(told.first("SnapshotFailed")).toMatchObject({ subtask: target, checkpoint: 1 });
      expect(told.all("SnapshotPersisted", { subtask: target, checkpoint: 1 })).toEqual([]);
      expect(told.all("SnapshotDiscarded", { subtask: target, checkpoint: 1 })).toEqual([]);
      expect(told.report.checkpoints.slice(0, 2)).toMatchObject([
        { status: "FAILED", failure: "CHECKPOINT_ASYNC_EXCEPTION", consecutiveFailures: 1 },
        { status: "COMPLETED", unaligned: true },
      ]);
      expect(told.report.recoveries).toMatchObject([{ restoredFrom: 2 }]);
      expect(told.report.verdict).toMatchObject({ state: "exactly-once", endToEnd: "exactly-once" });
    }
  });

  test("CP-078, CP-104: also where channel state is still awaited", () => {
    const told = run("async", "A[0]", { "aligned-checkpoint-timeout": "150 ms" });
    expect(told.first("SnapshotFailed")).toMatchObject({ subtask: "A[0]", checkpoint: 1 });
    expect(told.all("InFlightDataPersisted", { subtask: "A[0]", checkpoint: 1 })).toEqual([]);
    expect(told.report.verdict).toMatchObject({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("CP-102: the synchronous part: the task fails", () => {
    const told = run("sync", "T[0]");
    expect(told.first("TaskFailed")).toMatchObject({ subtask: "T[0]", failure: "SNAPSHOT_FAILED" });
    expect(told.report.verdict).toMatchObject({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

describe("a channel that is slow or cut", () => {
  const apart = (checkpointing: Small["checkpointing"], faults: readonly object[]): Story =>
    story(
      small(
        full(checkpointing, {
          vertices: [
            source("A", { slotSharingGroup: "a" }),
            counter("T", { cost: 50, slotSharingGroup: "t" }),
            sink("K", { slotSharingGroup: "t" }),
          ],
          cluster: { taskManagers: 2, slots: 1 },
          topics: { in: { records: 30, every: "5 ms" } },
          timing: { "heartbeat.detect": 5000 },
          faults: faults as NonNullable<Small["faults"]>,
        }),
      ),
    );
  const channel = "A[0]->T[0]";
  const exact = { state: "exactly-once", endToEnd: "exactly-once" };

  test("CP-072: an unaligned barrier does not overtake on the wire: it arrives behind what was sent before it, though the channel is fast again", () => {
    const run = story(
      small(
        full(
          {},
          {
            vertices: [source("A"), counter("T", { cost: 1 }), sink("K")],
            topics: { in: { records: 30, every: "40 ms" } },
            faults: [
              after("RecordSent", { subtask: "A[0]", record: "in-0@10" }, "slow", {
                target: channel,
                factor: 60,
                for: "41 ms",
              }),
              after("RecordSent", { subtask: "A[0]", record: "in-0@11" }, "trigger-checkpoint"),
            ],
          },
        ),
      ),
    );
    const sent = run.first("RecordSent", { subtask: "A[0]", record: "in-0@11" });
    expect(run.first("BarrierEmitted", { subtask: "A[0]" }).clock).toBeLessThan(sent.clock + 10);
    expect(run.first("BarrierReceived", { subtask: "T[0]" }).clock).toBeGreaterThanOrEqual(sent.clock + 120);
    expect(run.report.verdict).toEqual(exact);
  });

  test("CP-077: a barrier that overtakes the sender's buffers takes the channel's time, which is slow", () => {
    const run = apart({}, [
      after("RecordSent", { subtask: "A[0]", record: "in-0@10" }, "slow", { target: channel, factor: 60 }),
      after("RecordSent", { subtask: "A[0]", record: "in-0@14" }, "trigger-checkpoint"),
    ]);
    const emitted = run.first("BarrierEmitted", { subtask: "A[0]" });
    expect(run.all("InFlightDataPersisted", { subtask: "A[0]", side: "output" })).toHaveLength(1);
    expect(run.first("BarrierReceived", { subtask: "T[0]" }).clock).toBeGreaterThanOrEqual(emitted.clock + 120);
    expect(run.report.verdict).toEqual(exact);
  });

  test("CP-072, FR-023: a barrier that has priority waits for the end of a cut, and takes over then", () => {
    for (const timeout of ["0 ms", "40 ms"]) {
      const run = apart({ "aligned-checkpoint-timeout": timeout }, [
        after("BarrierEmitted", { subtask: "A[0]", checkpoint: 1 }, "partition", {
          between: [["tm-1"], ["tm-2"]],
          for: 400,
        }),
        after("RecordSent", { subtask: "A[0]", record: "in-0@10" }, "trigger-checkpoint"),
        after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "T[0]" }),
      ]);
      const cut = run.first("BarrierEmitted", { subtask: "A[0]", checkpoint: 1 }).clock;
      const received = run.first("BarrierReceived", { subtask: "T[0]" });
      expect(received.clock).toBeGreaterThanOrEqual(cut + 400);
      expect(run.report.checkpoints[0]).toMatchObject({ status: "COMPLETED", unaligned: true });
      expect(run.report.recoveries).toMatchObject([{ restoredFrom: 1 }]);
      expect(run.report.verdict).toEqual(exact);
    }
  });
});
