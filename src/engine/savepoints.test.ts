/** Savepoints: what they have in common with checkpoints, and what not (CP-125, CP-131, CP-143, CP-160 to CP-163). */
import { describe, expect, test } from "vitest";
import { Savepoint, SavepointStage } from "./layout.ts";
import { Simulation } from "./simulation.ts";
import {
  Drive,
  type Small,
  type Story,
  after,
  atTime,
  counter,
  sink,
  small,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

const line: Pick<Small, "vertices" | "edges"> = {
  vertices: [source("S"), counter("M"), sink("K")],
  edges: ["S forward M", "M forward K"],
};
const savepoint = (record: string, more: Record<string, unknown> = {}) =>
  after("RecordEmitted", { record }, "trigger-savepoint", { path: "s3://sp", ...more });
const run = (parts: Partial<Small>, options?: Parameters<typeof story>[1]): Story =>
  story(small({ ...line, ...parts }), options);
const kinds = ({ report }: Story): string[] =>
  report.checkpoints.map(({ id, kind, status }) => `${id} ${kind} ${status}`);

describe("a savepoint", () => {
  test("CP-019, CP-160: has its number from the counter of checkpoints, and its kind in the log and the report", () => {
    const told = run({ faults: [...triggersAfter("in-0@2", "in-0@9"), savepoint("in-0@5")] });
    expect(kinds(told).slice(0, 3)).toEqual([
      "1 CHECKPOINT COMPLETED",
      "2 SAVEPOINT COMPLETED",
      "3 CHECKPOINT COMPLETED",
    ]);
    expect(told.words("CheckpointTriggered", "kind").slice(0, 3)).toEqual(["CHECKPOINT", "SAVEPOINT", "CHECKPOINT"]);
  });

  test("CP-125, FR-089: no task is told that it is complete; the next checkpoint commits what it has pre-committed", () => {
    const told = run({ faults: [...triggersAfter("in-0@9"), savepoint("in-0@5")] });
    expect(told.all("NotificationDelivered", { checkpoint: 1 })).toEqual([]);
    const before = told.until(told.first("NotificationDelivered", { subtask: "K[0]", checkpoint: 2 }));
    expect(before.all("TransactionPreCommitted").map(({ checkpoint }) => checkpoint)).toEqual([1, 2]);
    expect(before.all("TransactionCommitted")).toEqual([]);
    expect(told.values("TransactionCommitted", "checkpoint").slice(0, 2)).toEqual([1, 2]);
  });

  test("CP-125, FR-082: it is not in the store, so a recovery uses the checkpoint before it", () => {
    const told = run({
      faults: [
        ...triggersAfter("in-0@2"),
        savepoint("in-0@5"),
        after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "M[0]" }),
      ],
    });
    expect(told.report.recoveries.map(({ restoredFrom }) => restoredFrom)).toEqual([1]);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-125, CP-130: it subsumes nothing and nothing subsumes it, however many are retained", () => {
    const told = run({ faults: [...triggersAfter("in-0@1", "in-0@5", "in-0@8"), savepoint("in-0@3")] });
    expect(told.values("CheckpointSubsumed", "checkpoint").slice(0, 2)).toEqual([1, 3]);
    expect(told.report.checkpoints.find(({ id }) => id === 2)?.retained).toBe(true);
  });

  test("CP-010, CP-125: its completion moves the minimum pause", () => {
    const told = run({
      checkpointing: { interval: "500 ms", "min-pause": "400 ms" },
      initialDelay: 500,
      faults: [savepoint("in-0@3")],
      until: { time: "1 s" },
    });
    const [done] = told.times("CheckpointCompleted", { checkpoint: 1 });
    expect(told.all("TriggerRejected")[0]).toMatchObject({ reason: "MINIMUM_TIME_BETWEEN_CHECKPOINTS" });
    expect(told.times("CheckpointTriggered", { checkpoint: 2 })).toEqual([(done ?? 0) + 400]);
  });

  test("CP-012: with unaligned checkpoints off it goes ahead of the bound on pending ones, and of waiting requests", () => {
    const told = run({
      timing: { "snapshot.async": "300 ms" },
      faults: [
        atTime(310, "trigger-checkpoint"),
        atTime(320, "trigger-checkpoint"),
        atTime(330, "trigger-savepoint", { path: "sp" }),
      ],
    });
    expect(told.times("CheckpointTriggered").slice(0, 2)).toEqual([310, 330]);
    expect(told.words("CheckpointTriggered", "kind").slice(0, 3)).toEqual(["CHECKPOINT", "SAVEPOINT", "CHECKPOINT"]);
  });

  test("CP-012, CP-160: with unaligned checkpoints on it waits for its turn, before any checkpoint, and is aligned itself", () => {
    const told = run({
      vertices: [source("A"), source("B", { topic: "other" }), counter("M", { cost: "20 ms" }), sink("K")],
      edges: ["A rebalance M", "B rebalance M", "M rebalance K"],
      topics: { other: { records: 12, every: "100 ms" } },
      checkpointing: { "unaligned.enabled": true },
      timing: { "snapshot.async": "300 ms" },
      faults: [
        atTime(310, "trigger-checkpoint"),
        atTime(320, "trigger-checkpoint"),
        atTime(330, "trigger-savepoint", { path: "sp" }),
      ],
    });
    expect(told.words("TriggerQueued", "kind").slice(0, 2)).toEqual(["CHECKPOINT", "SAVEPOINT"]);
    expect(told.words("CheckpointTriggered", "kind").slice(0, 3)).toEqual(["CHECKPOINT", "SAVEPOINT", "CHECKPOINT"]);
    expect(told.report.checkpoints.slice(0, 3).map(({ unaligned }) => unaligned)).toEqual([true, false, true]);
    expect(told.all("UnalignedSnapshotStarted", { checkpoint: 2 })).toEqual([]);
    expect(told.all("AlignmentCompleted", { checkpoint: 2, subtask: "M[0]" })).toHaveLength(1);
  });

  test("CP-143, INV-031: a checkpoint that completes while it is pending does not end it", () => {
    const told = run({
      checkpointing: { "max-concurrent-checkpoints": 2, timeout: "600 ms" },
      faults: [
        atTime(0, "lose-rpc", { rpc: "ack", target: "M[0]", checkpoint: 1 }),
        savepoint("in-0@2"),
        ...triggersAfter("in-0@4"),
      ],
    });
    expect(told.values("CheckpointCompleted", "checkpoint").slice(0, 1)).toEqual([2]);
    const { clock } = told.first("CheckpointTriggered", { checkpoint: 1 });
    expect(told.all("CheckpointAborted")).toMatchObject([
      { checkpoint: 1, reason: "CHECKPOINT_EXPIRED", clock: clock + 600 },
    ]);
  });

  test("CP-005, CP-080: a failure ends a pending one, and who asked for it hears so", () => {
    const told = run({
      timing: { "snapshot.async": "400 ms" },
      faults: [savepoint("in-0@2"), after("CheckpointTriggered", { checkpoint: 1 }, "fail-task", { target: "M[0]" })],
    });
    expect(kinds(told)[0]).toBe("1 SAVEPOINT FAILED");
    expect(told.first("OperationAnswered")).toMatchObject({ do: "trigger-savepoint", answer: "FAILED", checkpoint: 1 });
  });
});

describe("where a savepoint goes", () => {
  test("CP-162: to the path of the request, else to the configured directory, in a folder of its own", () => {
    const configured = run({
      config: { "execution.checkpointing.savepoint-dir": "s3://default/" },
      faults: [
        after("RecordEmitted", { record: "in-0@2" }, "trigger-savepoint"),
        savepoint("in-0@5", { path: "s3://other" }),
        ...triggersAfter("in-0@9"),
      ],
    });
    const paths = configured.report.files.map(({ path }) => path.replace(/-[0-9a-f]{12}\//, "-…/"));
    expect(paths).toEqual(["s3://default/savepoint-000000-…/_metadata", "s3://other/savepoint-000000-…/_metadata"]);
    expect(configured.words("OperationAnswered", "answer")).toEqual(["COMPLETED", "COMPLETED"]);
  });

  test("CP-162: without either the request fails, and no number is used", () => {
    const told = run({
      faults: [after("RecordEmitted", { record: "in-0@2" }, "trigger-savepoint"), ...triggersAfter("in-0@9")],
    });
    expect(told.first("OperationAnswered")).toMatchObject({ answer: "NO_SAVEPOINT_DIRECTORY", checkpoint: null });
    expect(kinds(told)[0]).toBe("1 CHECKPOINT COMPLETED");
    expect(told.report.rejectedTriggers[0]).toMatchObject({ kind: "SAVEPOINT", reason: "NO_SAVEPOINT_DIRECTORY" });
  });

  test("CP-022, CP-150: storage that is not there fails it before a task hears of it, and nothing is counted", () => {
    const told = run({
      faults: [atTime(150, "storage-down", { for: "100 ms" }), savepoint("in-0@2"), ...triggersAfter("in-0@9")],
    });
    expect(told.first("CheckpointAborted")).toMatchObject({ reason: "IO_EXCEPTION", counts: false, failures: 0 });
    expect(told.all("BarrierEmitted", { checkpoint: 1 })).toEqual([]);
    expect(told.report.recoveries).toEqual([]);
  });

  test("CP-124, CP-162: its metadata cannot be written: it fails, and checkpoints in the JobManager go on", () => {
    const told = run({
      faults: [
        savepoint("in-0@2"),
        after("CheckpointAcknowledged", { checkpoint: 1, subtask: "S[0]" }, "storage-down", { for: "100 ms" }),
        ...triggersAfter("in-0@9"),
      ],
    });
    expect(told.first("CheckpointAborted")).toMatchObject({ reason: "FINALIZE_CHECKPOINT_FAILURE", counts: false });
    expect(kinds(told)[1]).toBe("2 CHECKPOINT COMPLETED");
  });

  test("CP-150, CP-152: a task that declines one counts as with a checkpoint; beyond what is tolerable the job fails over", () => {
    const failing = after("RecordEmitted", { record: "in-0@1" }, "snapshot-failure", { target: "M[0]", part: "async" });
    const told = run({ faults: [failing, savepoint("in-0@2")] });
    expect(told.first("CheckpointAborted")).toMatchObject({ reason: "CHECKPOINT_ASYNC_EXCEPTION", counts: true });
    expect(told.report.recoveries[0]).toMatchObject({ cause: "CHECKPOINT_FAILURE_THRESHOLD", scope: "global" });
  });
});

describe("what a savepoint holds", () => {
  const states: Partial<Small> = {
    vertices: [source("S"), { uid: "T", type: "keyed-count", stateSize: "1 mb", chain: false }, sink("K")],
    edges: ["S hash T", "T forward K"],
    topics: { in: { partitions: 1, records: 12, every: "100 ms", keys: 4 } },
    config: { "state.backend.type": "rocksdb" },
    checkpointing: { dir: "s3://ck", incremental: true },
  };
  const sizes = (formatType: string): number[] => {
    const told = run({
      ...states,
      faults: [...triggersAfter("in-0@2", "in-0@5", "in-0@11"), savepoint("in-0@8", { formatType })],
    });
    return told.report.checkpoints.slice(0, 4).map(({ checkpointedBytes }) => Math.round(checkpointedBytes / 2 ** 20));
  };

  test("CP-113, CP-161: in canonical format all state, once; it is nothing that a later checkpoint could refer to", () => {
    // Keys that have changed: 3, then 3 of 4, then 4 in the savepoint, then 4 more that came since checkpoint 2.
    expect(sizes("canonical")).toEqual([3, 3, 4, 4]);
  });

  test("CP-113, CP-161: in native format a copy of every file of the backend; what it flushed is in the next checkpoint too", () => {
    expect(sizes("NATIVE")).toEqual([3, 3, 9, 6]);
  });

  test("CP-133, INV-031: its files stay when checkpoints are subsumed, and when the job is cancelled", () => {
    const told = run({
      ...states,
      faults: [
        ...triggersAfter("in-0@2", "in-0@5"),
        savepoint("in-0@3"),
        after("CheckpointCompleted", { checkpoint: 3 }, "cancel"),
      ],
    });
    expect(told.report.job.status).toBe("CANCELED");
    const folders = new Set(told.report.files.map(({ path }) => path.replace(/savepoint-.*/, "savepoint")));
    expect([...folders]).toEqual(["s3://sp/savepoint"]);
    expect(told.report.checkpoints.filter(({ retained }) => retained).map(({ id }) => id)).toEqual([2]);
  });

  test("CP-131: it stands with the words of every subtask and coordinator, until its job is over", () => {
    const drive = new Drive(small({ ...line, faults: [savepoint("in-0@5")] }));
    const { savepoints } = drive.kernel.world;
    drive.until("CheckpointTriggered", { checkpoint: 1 });
    expect(savepoints.find(Savepoint.stage, SavepointStage.standing)).toBe(-1);
    drive.until("CheckpointCompleted", { checkpoint: 1 });
    const row = savepoints.find(Savepoint.checkpoint, 1);
    expect(savepoints.get(row, Savepoint.stage)).toBe(SavepointStage.standing);
    const words = Array.from({ length: savepoints.width - Savepoint.SIZE }, (_, place) =>
      savepoints.get(row, Savepoint.SIZE + place),
    );
    expect(words).toHaveLength(drive.graph.subtasks.length + drive.graph.sources.length);
    expect(words.every((word) => word >= 0)).toBe(true);
    expect(drive.kernel.arena.sequences.item(words[drive.subtask("S[0]")] ?? -1, 0)).toBe(6);
  });

  test("a clone keeps its savepoints to itself", () => {
    const simulation = Simulation.start(small({ ...line, faults: [savepoint("in-0@5")] }), { log: null });
    const standing = ({ world }: Simulation): number => world.savepoints.find(Savepoint.stage, SavepointStage.standing);
    while (standing(simulation) < 0) simulation.step();
    const clone = simulation.clone();
    clone.world.savepoints.set(0, Savepoint.stage, SavepointStage.failed);
    expect([standing(clone), standing(simulation)]).toEqual([-1, 0]);
    expect(clone.world.fingerprint(1)).not.toBe(simulation.world.fingerprint(1));
  });
});
