/** Defects of the engine that invariants and drawn failures found, each kept as a run of its own. */
import { expect, test } from "vitest";
import { after, atTime, fixedDelay, lane, small, story, triggersAfter } from "./testing/stories.ts";

/** Three tasks a lane, each on a TaskManager of its own. */
const apart = {
  vertices: lane(1).vertices.map((vertex) => ({ ...vertex, slotSharingGroup: vertex["uid"] })),
  edges: lane(1).edges,
};
const onThree = { ...apart, cluster: { taskManagers: 3, slots: 1 } };

test("CP-122, INV-020: a failure of the job between written metadata and stored pointer waits until the checkpoint is stored", () => {
  const run = story(
    small({
      ...lane(1),
      faults: [...triggersAfter("in-0@3"), after("CheckpointMetadataWritten", { checkpoint: 1 }, "fail-job")],
    }),
  );
  expect(run.all("CheckpointAborted", { checkpoint: 1 })).toEqual([]);
  expect(run.first("StateRestored")["checkpoint"]).toBe(1);
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

test("FR-024: a deployment does not start in a process that has taken the place of the lost one", () => {
  const run = story(
    small({
      ...onThree,
      restart: fixedDelay(5, "1 s"),
      faults: [
        atTime(700, "fail-task", { target: "M[0]" }),
        after("AttemptCreated", { subtask: "K[0]", attempt: 1 }, "restart-taskmanager", { target: "tm-3" }),
      ],
    }),
  );
  const lost = run.first("TaskManagerLost", { taskManager: "tm-3" }).step;
  const again = run.first("AttemptCreated", { subtask: "K[0]", attempt: 2 }).step;
  const between = run
    .all("ProducerIdInitialized", { subtask: "K[0]" })
    .filter(({ step }) => step > lost && step < again);
  expect(between, "nobody runs whom the JobManager does not know").toEqual([]);
  expect(run.all("TaskManagerLost", { taskManager: "tm-3" })).toHaveLength(1);
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

test("FR-036: a slot that was granted anew is not released by the loss of the TaskManager it was on", () => {
  const run = story(
    small({
      ...onThree,
      cluster: { taskManagers: 3, slots: 3 },
      faults: [atTime(700, "fail-job"), atTime(703, "kill-taskmanager", { target: "tm-1" })],
    }),
  );
  expect(run.report.ended).toBe("drained");
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

test("FR-012: a job that failed does not run again when the delay of a restart that was granted before is over", () => {
  const run = story(
    small({
      ...lane(2),
      topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 12 } },
      restart: fixedDelay(1, "1 s"),
      until: { time: "5 s" },
      faults: [atTime(700, "fail-task", { target: "M[0]" }), atTime(900, "fail-task", { target: "M[1]" })],
    }),
  );
  expect(run.words("JobStatusChanged", "to")).toEqual(["CREATED", "RUNNING", "RESTARTING", "FAILING", "FAILED"]);
  expect(run.all("AttemptCreated", { attempt: 1 })).toEqual([]);
});

test("SK-157, INV-128: a transaction that timed out while open is pre-committed, its commit fails, and the verdict shows the loss", () => {
  const run = story(
    small({
      ...lane(1),
      faults: [
        after("RecordWritten", { record: "in-0@2" }, "expire-transaction", { target: "K[0]" }),
        ...triggersAfter("in-0@2"),
      ],
    }),
  );
  const [id] = run.words("TransactionTimedOut", "transaction");
  expect(run.words("CommitFailed", "transaction")).toEqual([id]);
  expect(run.report.transactions.find((row) => row.id === id)?.state).toBe("TIMED_OUT");
  expect(run.report.verdict.endToEnd).toBe("at-most-once");
});

test("FR-024, FR-008, INV-115: a frozen TaskManager is given up; its threads end without a word to the log, which is no fault of theirs", () => {
  const run = story(
    small({
      ...lane(1),
      cluster: { taskManagers: 2, slots: 4 },
      timing: { "heartbeat.detect": "300 ms" },
      faults: [after("RecordWritten", { record: "in-0@2" }, "stall", { target: "tm-1", for: "700 ms" })],
    }),
  );
  expect(run.words("TaskManagerLost", "taskManager")).toEqual(["tm-1"]);
  expect(run.report.ended).toBe("drained");
  expect(run.report.verdict.endToEnd).toBe("exactly-once");
});

test("CP-166, FR-012: a restart that waits for a cancellation does not begin when that cancellation gives a stop's job up", () => {
  const run = story(
    small({
      ...lane(1),
      restart: fixedDelay(3, "100 ms"),
      faults: [
        atTime(700, "stop-with-savepoint", { path: "sp" }),
        after("CheckpointAcknowledged", { subtask: "M[0]", checkpoint: 1 }, "stall", { target: "M[0]", for: "500 ms" }),
        after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "S[0]" }),
      ],
    }),
  );
  expect(run.words("OperationAnswered", "answer")).toEqual(["STOPPING_FAILED"]);
  expect(run.words("JobStatusChanged", "to").slice(-3)).toEqual(["RESTARTING", "FAILING", "FAILED"]);
  expect(run.all("AttemptCreated", { attempt: 1 })).toEqual([]);
});
