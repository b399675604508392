/** Operator coordinators in a checkpoint: their snapshots, their events, the gates (`checkpointing.md` 5.3). */
import { expect, test } from "vitest";
import { Gate, OperatorEvent, Pending, Split } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { NOT_HERE } from "./sources/positions.ts";
import {
  Drive,
  type Small,
  after,
  before,
  counter,
  fixedDelay,
  lane,
  sink,
  small,
  source,
  story,
} from "./testing/stories.ts";

/** The sink does not initialise an id, so all tasks run while the source's splits are on their way. */
const quick = (more: Partial<Small> = {}): Small => ({
  vertices: [source("S"), counter("M"), sink("K", { delivery: "at-least-once" })],
  edges: ["S forward M", "M forward K"],
  ...more,
});
const whileSplitsAreOnTheirWay = after("TaskStateChanged", { to: "RUNNING", subtask: "K[0]" }, "trigger-checkpoint");
const byHand = after("RecordEmitted", { record: "in-0@2" }, "trigger-checkpoint");

test("CP-013, CP-015: coordinators take their snapshots behind the pending checkpoint, then the tasks are triggered", () => {
  const run = story(small({ ...lane(1), faults: [byHand] }));
  const triggered = run.first("CheckpointTriggered");
  const taken = run.first("CoordinatorSnapshotTaken");
  expect(taken).toMatchObject({
    step: triggered.step + 1,
    clock: triggered.clock,
    vertex: "S",
    checkpoint: 1,
    assigned: 1,
  });
  expect(run.first("BarrierEmitted").clock).toBe(triggered.clock + 1);
});

test("CP-015, CP-016: the snapshot counts once what was sent before is confirmed; the timeout runs meanwhile", () => {
  const run = story(small(quick({ faults: [whileSplitsAreOnTheirWay], timing: { rpc: "7 ms" } })));
  const triggered = run.first("CheckpointTriggered");
  expect(triggered.clock).toBe(run.first("SplitAssigned").clock);
  // There and back; the barrier is a trigger message later.
  expect(run.first("CoordinatorSnapshotTaken").clock).toBe(triggered.clock + 14);
  expect(run.first("BarrierEmitted").clock).toBe(triggered.clock + 21);
  expect(run.first("CheckpointCompleted")).toMatchObject({ checkpoint: 1 });
});

test("CP-011, INV-014: a request waits for the end of another one's trigger phase, though two may be pending", () => {
  const run = story(
    small(
      quick({
        faults: [whileSplitsAreOnTheirWay, after("CheckpointTriggered", { checkpoint: 1 }, "trigger-checkpoint")],
        checkpointing: { "max-concurrent-checkpoints": 2 },
      }),
    ),
  );
  expect(run.first("TriggerQueued")).toMatchObject({ clock: run.first("CheckpointTriggered").clock, pending: 1 });
  const second = run.first("CheckpointTriggered", { checkpoint: 2 });
  expect(second.clock).toBe(run.first("CoordinatorSnapshotTaken", { checkpoint: 1 }).clock);
  expect(second.clock).toBeLessThan(run.first("CheckpointCompleted", { checkpoint: 1 }).clock);
});

test("CP-015, CP-022, FR-026: a lost event fails the snapshot that waits for it, and its reader, after the ask timeout", () => {
  const run = story(
    small(
      quick({
        faults: [before("ReaderRegistered", {}, "lose-rpc", { rpc: "coordinator-event" }), whileSplitsAreOnTheirWay],
        initialDelay: 60_000,
      }),
    ),
  );
  const sent = run.first("SplitAssigned").clock;
  expect(run.first("MessageLost")).toMatchObject({ rpc: "coordinator-event", subtask: "S[0]", checkpoint: null });
  expect(run.first("CheckpointAborted")).toMatchObject({ clock: sent + 10_000, reason: "TRIGGER_CHECKPOINT_FAILURE" });
  expect(run.all("BarrierEmitted", { checkpoint: 1 })).toEqual([]);
  expect(run.first("TaskFailed")).toMatchObject({ subtask: "S[0]", failure: "OPERATOR_EVENT_LOST" });
  expect(run.first("SplitReturned")).toMatchObject({ subtask: "S[0]", partition: "in-0" });
  expect(run.all("SplitAssigned")).toHaveLength(2);
  expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
});

test("FR-026: an event that is lost while no checkpoint is triggered fails its reader all the same", () => {
  const faults = [before("ReaderRegistered", {}, "lose-rpc", { rpc: "coordinator-event" })];
  const run = story(small({ ...lane(1), faults, initialDelay: 60_000 }));
  expect(run.first("TaskFailed")).toMatchObject({ subtask: "S[0]", failure: "OPERATOR_EVENT_LOST" });
  expect(run.report.job.restarts).toBe(1);
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

const two = {
  in: {
    partitions: [
      { records: 12, every: "100 ms" },
      { records: 12, every: "100 ms" },
    ],
  },
  out: { partitions: 1 },
};

/** A run whose source has not found its second partition yet. */
function late(more: Partial<Small> = {}): Drive {
  const drive = new Drive(small({ ...lane(1), topics: two, faults: [byHand], ...more }));
  drive.kernel.world.setSplit(0, 1, Split.settled);
  drive.until("SplitAdded", { partition: "in-0" });
  drive.kernel.world.setSplit(0, 1, Split.unassigned);
  return drive;
}

/** Now the enumerator finds it and assigns it. */
function discover({ kernel }: Drive): void {
  kernel.after(0, Op.assignSplits, Actor.jobManager, 0);
}

/** What a pending or completed checkpoint holds: which splits the coordinator has assigned, and the reader's positions. */
function contents({ kernel }: Drive): { assigned: number[]; positions: number[] } {
  const { world, arena } = kernel;
  const word = (place: number): number => world.completed(0, Pending.SIZE + place);
  return {
    assigned: arena.sequences.toArray(word(world.layout.tasks)),
    positions: arena.sequences.toArray(word(0)),
  };
}

test("CP-016, FR-095: what is assigned behind the coordinator's cut arrives behind the reader's, so the split is with the enumerator alone", () => {
  const drive = late();
  const taken = drive.until("CoordinatorSnapshotTaken");
  expect(taken).toMatchObject({ assigned: 1 });
  discover(drive);
  drive.until("SplitAssigned", { partition: "in-1" });
  drive.pass(0);
  expect(drive.kernel.world.operatorEvents.get(0, OperatorEvent.held)).toBe(1);
  const added = drive.until("SplitAdded", { partition: "in-1" });
  const snapshot = drive.entries.find(({ type }) => type === "SnapshotTaken");
  // The reader says that it has taken its part; then the event leaves.
  expect(added.clock).toBe((snapshot?.clock ?? 0) + 2);
  drive.until("CheckpointCompleted");
  expect(contents(drive)).toEqual({ assigned: [1, 0], positions: [3, NOT_HERE] });
});

test("CP-016, FR-095: what is assigned before the cut arrives before the reader's, so the split is with the reader alone", () => {
  const drive = late();
  drive.until("RecordEmitted", { record: "in-0@2" });
  discover(drive);
  drive.until("CheckpointTriggered");
  expect(drive.entries.filter(({ type }) => type === "SplitAssigned")).toHaveLength(2);
  drive.until("CheckpointCompleted");
  const { assigned, positions } = contents(drive);
  expect(assigned).toEqual([1, 1]);
  expect(positions[1]).toBeGreaterThanOrEqual(0);
});

test("CP-016: when the checkpoint ends, its gates open, though no reader has taken part", () => {
  const drive = late({
    checkpointing: { timeout: "50 ms" },
    faults: [byHand, after("CheckpointTriggered", {}, "stall", { target: "S[0]", for: "500 ms" })],
  });
  drive.until("CoordinatorSnapshotTaken");
  discover(drive);
  drive.until("SplitAssigned", { partition: "in-1" });
  const aborted = drive.until("CheckpointAborted");
  drive.pass(0);
  expect(drive.kernel.world.operatorEvents.get(0, OperatorEvent.held)).toBe(0);
  expect(drive.kernel.world.gates.count).toBe(0);
  expect(drive.until("SplitAdded", { partition: "in-1" }).clock).toBeGreaterThan(aborted.clock);
});

test("CP-016, CP-021: when the reader fails, what its gate holds is dropped, and the split is assigned to its next attempt", () => {
  const drive = late({
    faults: [byHand, after("SplitAssigned", { partition: "in-1" }, "fail-task", { target: "S[0]" })],
    restart: fixedDelay(3, "100 ms"),
  });
  drive.until("CoordinatorSnapshotTaken");
  discover(drive);
  drive.until("SplitAssigned", { partition: "in-1" });
  drive.until("TaskStateChanged", { subtask: "S[0]", to: "FAILED" });
  const { gates, operatorEvents } = drive.kernel.world;
  expect([gates.find(Gate.task, 0), operatorEvents.count]).toEqual([-1, 0]);
  drive.until("SplitReturned", { partition: "in-1" });
  drive.until("SplitAssigned", { partition: "in-1" });
  drive.until("SplitAdded", { partition: "in-1" });
});

test("CP-120, CP-127: with two sources both coordinators acknowledge, and both are told of the end", () => {
  const run = story(
    small({
      vertices: [
        { uid: "A", type: "kafka-source", topic: "in", chain: false },
        { uid: "B", type: "kafka-source", topic: "in", chain: false },
        { uid: "U", type: "union", chain: false },
        { uid: "K", type: "kafka-sink", topic: "out", delivery: "at-least-once", chain: false },
      ],
      edges: ["A forward U", "B forward U", "U forward K"],
      faults: [byHand],
    }),
  );
  expect(run.words("CoordinatorSnapshotTaken", "vertex", { checkpoint: 1 })).toEqual(["A", "B"]);
  expect(run.result.report.checkpoints[0]).toMatchObject({ id: 1, status: "COMPLETED" });
});
