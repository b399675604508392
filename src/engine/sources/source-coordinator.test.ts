/** The split enumerator and its memory of assignments (`checkpointing.md` 5.3, `recovery-and-sinks.md` 7 and 8). */
import { expect, test } from "vitest";
import { Split, Task } from "../layout.ts";
import { Actor, Op } from "../ops.ts";
import { Drive, after, fixedDelay, lane, small, source, sink, story } from "../testing/stories.ts";

const topics = {
  in: { partitions: [0, 1, 2].map(() => ({ records: 8, every: "100 ms" })) },
  out: { partitions: 1 },
};
const apart = { ...lane(2), topics, restart: fixedDelay(3, "100 ms") };
const byHand = after("RecordEmitted", { record: "in-0@2" }, "trigger-checkpoint");

test("SK-003, SK-005: a reader registers before its task is reported RUNNING, gets the splits it owns in one event, and reads then", () => {
  const run = story(small(apart));
  expect(run.all("SplitAssigned").map(({ subtask, partition }) => [subtask, partition])).toEqual([
    ["S[0]", "in-0"],
    ["S[0]", "in-2"],
    ["S[1]", "in-1"],
  ]);
  for (const subtask of ["S[0]", "S[1]"]) {
    const registered = run.first("ReaderRegistered", { subtask });
    expect(registered.step).toBeLessThan(run.first("TaskStateChanged", { subtask, to: "RUNNING" }).step);
    const added = run.all("SplitAdded", { subtask });
    expect(added.map(({ clock }) => clock)).toEqual(added.map(() => registered.clock + 1));
    expect(run.first("RecordEmitted", { subtask }).step).toBeGreaterThan(added.at(-1)?.step ?? 0);
  }
});

test("CP-021, FR-083: without a checkpoint a restarted reader's splits come back and are assigned again; its coordinator goes on", () => {
  const run = story(
    small({ ...apart, faults: [after("RecordEmitted", { record: "in-1@2" }, "fail-task", { target: "S[1]" })] }),
  );
  const failed = run.since(run.first("RestartScheduled"));
  expect(failed.all("SplitReturned").map(({ subtask, partition }) => [subtask, partition])).toEqual([["S[1]", "in-1"]]);
  expect(failed.words("SplitAssigned", "partition")).toEqual(["in-1"]);
  expect(failed.all("CoordinatorReset")).toEqual([]);
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

test("CP-021, FR-093: splits that the restored checkpoint holds stay with their reader: nothing comes back, nothing is assigned twice", () => {
  const faults = [byHand, after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "S[0]" })];
  const run = story(small({ ...apart, faults }));
  const failed = run.since(run.first("RestartScheduled"));
  expect(failed.all("SplitReturned")).toEqual([]);
  expect(failed.all("SplitAssigned")).toEqual([]);
  expect(failed.words("SourceRewound", "partition")).toEqual(["in-0", "in-2"]);
});

test("CP-021: assignments are remembered by the checkpoint whose cut came next, and forgotten when it completes", () => {
  const drive = new Drive(small({ ...apart, faults: [byHand] }));
  const { world } = drive.kernel;
  const splits = (): number[] => [0, 1, 2].map((partition) => world.split(0, partition));
  drive.until("SplitAdded", { partition: "in-2" });
  expect(splits()).toEqual([Split.assigned, Split.assigned, Split.assigned]);
  drive.until("CoordinatorSnapshotTaken", { checkpoint: 1 });
  expect(splits()).toEqual([Split.assigned + 1, Split.assigned + 1, Split.assigned + 1]);
  drive.until("CheckpointCompleted", { checkpoint: 1 });
  drive.pass(0);
  expect(splits()).toEqual([Split.settled, Split.settled, Split.settled]);
});

test("CP-021: a reader alone that is reset to k gives back what was assigned to it behind k's cut, and no other's", () => {
  const drive = new Drive(small(apart));
  const { kernel } = drive;
  drive.until("RecordEmitted");
  // Since the cut of 4, before that of 7, and of another reader.
  kernel.world.setSplit(0, 0, Split.assigned + 4);
  kernel.world.setSplit(0, 2, Split.assigned + 7);
  kernel.world.setTask(0, Task.registered, 0);
  const { length } = drive.log;
  kernel.after(0, Op.resetReader, Actor.jobManager, 0, 4);
  drive.pass(0);
  expect(drive.entries.slice(length).filter(({ type }) => type === "SplitReturned")).toMatchObject([
    { subtask: "S[0]", partition: "in-2", checkpoint: 4 },
  ]);
  expect([0, 1, 2].map((partition) => kernel.world.split(0, partition))).toEqual([
    Split.assigned + 4,
    Split.assigned,
    Split.unassigned,
  ]);
});

test("FR-084, FR-094, CP-173: a global failover takes a coordinator back to its snapshot, or to its beginning", () => {
  const failJob = after("RecordEmitted", { record: "in-0@4" }, "fail-job");
  const anew = story(small({ ...apart, faults: [failJob] }));
  expect(anew.first("CoordinatorReset")).toMatchObject({ vertex: "S", checkpoint: 0 });
  expect(anew.since(anew.first("CoordinatorReset")).sorted("SplitAssigned", "partition")).toEqual([
    "in-0",
    "in-1",
    "in-2",
  ]);
  const back = story(small({ ...apart, faults: [byHand, failJob] }));
  expect(back.first("CoordinatorReset")).toMatchObject({ vertex: "S", checkpoint: 1 });
  expect(back.since(back.first("CoordinatorReset")).all("SplitAssigned")).toEqual([]);
  for (const run of [anew, back]) expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

test("SK-003: a bounded reader without a split waits to be told that none comes, and ends", () => {
  const run = story(
    small({
      vertices: [source("S", { bounded: true, parallelism: 3 }), sink("K", { parallelism: 3 })],
      edges: ["S forward K"],
      timing: { rpc: "5 ms" },
    }),
  );
  const registered = run.first("ReaderRegistered", { subtask: "S[2]" });
  expect(run.all("SplitAssigned", { subtask: "S[2]" })).toEqual([]);
  expect(run.first("OperatorsFinished", { subtask: "S[2]" }).clock).toBe(registered.clock + 5);
  expect(run.report.job.status).toBe("FINISHED");
});
