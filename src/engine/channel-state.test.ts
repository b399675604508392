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
    expect(run.report.checkpoints[0]?.subtasks.map(({ unaligned }) => unaligned)).toEqual([false, true, true]);
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
