/** Operations that end a job: stop with a savepoint, drained or not, cancel, and what is left (CP-049, CP-164 to CP-168, FR-011). */
import { describe, expect, test } from "vitest";
import { firstMissing } from "./testing/runs.ts";
import {
  Drive,
  type Small,
  type Story,
  after,
  apart,
  atTime,
  before,
  counter,
  fixedDelay,
  lane,
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
const stop = (record: string, more: Record<string, unknown> = {}) =>
  after("RecordEmitted", { record }, "stop-with-savepoint", { path: "s3://sp", ...more });
const run = (parts: Partial<Small>, options?: Parameters<typeof story>[1]): Story =>
  story(small({ ...line, ...parts }), options);
const statuses = (told: Story): string[] => told.words("JobStatusChanged", "to").slice(2);
const answers = (told: Story): string[] => {
  const given = told.words("OperationAnswered", "answer");
  return told.words("OperationAnswered", "do").map((verb, index) => `${verb}: ${given[index]}`);
};
const triggered = (told: Story): string[] => {
  const kinds = told.words("CheckpointTriggered", "kind");
  return told.words("CheckpointTriggered", "checkpoint").map((id, index) => `${id} ${kinds[index]}`);
};

describe("stop with savepoint", () => {
  test("CP-164: sources stop, the savepoint's barrier follows, tasks hear that it is complete, commit, and end", () => {
    const told = run({ faults: [...triggersAfter("in-0@2"), stop("in-0@5")] });
    expect(
      firstMissing(told.lines, [
        "CheckpointTriggered 2 SYNC_SAVEPOINT",
        "EndOfDataEmitted S[0]",
        "BarrierEmitted S[0] 2",
        "SnapshotTaken S[0] 2",
        "EndOfDataReceived M[0]",
        "BarrierReceived M[0] 2",
        "EndOfDataReceived K[0]",
        "TransactionPreCommitted K[0] P-0-2 2",
        "SnapshotTaken K[0] 2",
        "CheckpointCompleted 2",
        "NotificationDelivered S[0] 2 complete",
        "TransactionCommitted K[0] P-0-2 2",
        "TaskStopped K[0] FINISHED",
        "OperationAnswered 2",
        "JobStatusChanged RUNNING>FINISHED",
      ]),
    ).toBeNull();
    expect(told.words("RecordEmitted", "record").at(-1)).toBe("in-0@5");
    expect(answers(told)).toEqual(["stop-with-savepoint: COMPLETED"]);
    expect(told.report.delivery[0]).toMatchObject({ seen: 6, lost: [], pending: [], duplicated: [] });
    expect(told.report.verdict.endToEnd).toBe("pending");
  });

  test.each([
    ["suspends: no operator finishes, and no task reports the end of its data", false, 0],
    ["drains: operators finish before the barrier, and the savepoint holds what they left", true, 3],
  ])("CP-165: with drain %2$s it %s", (_, drain, finished) => {
    const told = run({ faults: [stop("in-0@5", { drain })] });
    expect(told.all("OperatorsFinished")).toHaveLength(finished);
    expect(told.values("EndOfDataEmitted", "drains")).toEqual([drain, drain]);
    expect(statuses(told)).toEqual(["FINISHED"]);
    expect(told.report.transactions.map(({ state, records }) => `${state} ${records}`)).toContain("COMMITTED 6");
  });

  test("CP-164: no periodic checkpoint begins behind the request, and one that is pending ends with it", () => {
    const told = run({
      checkpointing: { interval: "150 ms" },
      initialDelay: 400,
      timing: { "snapshot.async": "300 ms" },
      faults: [atTime(600, "stop-with-savepoint", { path: "sp" })],
    });
    expect(triggered(told)).toEqual(["1 CHECKPOINT", "2 SYNC_SAVEPOINT"]);
    expect(told.first("CheckpointAborted")).toMatchObject({ checkpoint: 1, reason: "CHECKPOINT_COORDINATOR_SUSPEND" });
  });

  test.each([
    ["without periodic checkpoints", { interval: null }],
    ["where tasks may not finish before others", { "checkpoints-after-tasks-finish": "false" }],
    ["at-least-once", { mode: "AT_LEAST_ONCE" }],
    ["with unaligned checkpoints", { "unaligned.enabled": true }],
  ])("CP-164, CP-192: it ends the job %s", (_, checkpointing) => {
    const told = run({ checkpointing, faults: [stop("in-0@5")] });
    expect(statuses(told)).toEqual(["FINISHED"]);
    expect(told.report.delivery[0]).toMatchObject({ seen: 6, lost: [], duplicated: [] });
  });

  test("CP-192: a task whose notification is lost waits for ever, and those behind it with it", () => {
    const told = run({
      checkpointing: { interval: null },
      faults: [stop("in-0@5"), atTime(0, "lose-rpc", { rpc: "notify-complete", target: "M[0]" })],
    });
    expect(told.report.ended).toBe("stuck");
    expect(told.words("TaskStopped", "subtask")).toEqual(["S[0]"]);
  });

  test("CP-164, CP-190: of a bounded job whose sources have ended the tasks that still run take it", () => {
    const told = run({
      vertices: [source("S", { bounded: true }), counter("M", { cost: "30 ms" }), sink("K")],
      topics: { in: { partitions: 1, records: 4, every: "1 ms" } },
      faults: [after("OperatorsFinished", { subtask: "S[0]" }, "stop-with-savepoint", { path: "sp" })],
    });
    expect(statuses(told)).toEqual(["FINISHED"]);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });
});

describe("a stop that fails", () => {
  test("CP-162: without a directory nothing happens, periodic checkpoints go on", () => {
    const told = run({
      checkpointing: { interval: "300 ms" },
      initialDelay: 500,
      faults: [after("RecordEmitted", { record: "in-0@2" }, "stop-with-savepoint")],
    });
    expect(answers(told)).toEqual(["stop-with-savepoint: NO_SAVEPOINT_DIRECTORY"]);
    expect(told.times("CheckpointTriggered")[0]).toBeGreaterThanOrEqual(500);
    expect(told.report.rejectedTriggers[0]?.kind).toBe("SYNC_SAVEPOINT");
  });

  test("CP-166: the savepoint fails before a task hears of it: the job runs on, and periodic checkpoints begin anew", () => {
    const told = run({
      faults: [atTime(240, "storage-down", { for: "200 ms" }), stop("in-0@3")],
      initialDelay: 600,
    });
    expect(answers(told)).toEqual(["stop-with-savepoint: FAILED"]);
    expect(told.report.recoveries).toEqual([]);
    const [answered = 0] = told.times("OperationAnswered");
    expect(told.times("CheckpointTriggered", { kind: "CHECKPOINT" })[0]).toBe(answered + 600);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-150, CP-166: a task declines it: the job fails over at once, whatever number is tolerable", () => {
    const told = run({
      checkpointing: { "tolerable-failed-checkpoints": 9 },
      faults: [
        ...triggersAfter("in-0@1"),
        stop("in-0@5"),
        atTime(0, "snapshot-failure", { target: "M[0]", part: "async", checkpoint: 2 }),
      ],
    });
    expect(told.first("CheckpointAborted")).toMatchObject({ reason: "CHECKPOINT_ASYNC_EXCEPTION", counts: false });
    expect(answers(told)).toEqual(["stop-with-savepoint: FAILED"]);
    expect(told.report.recoveries).toMatchObject([
      { cause: "STOP_WITH_SAVEPOINT_FAILED", scope: "global", restoredFrom: 1, granted: true },
    ]);
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-049: it expires: the tasks that were to end with it fail when they hear so, and nothing is doubled", () => {
    const told = run({
      checkpointing: { timeout: "100 ms" },
      timing: { overrides: [{ vertex: "K", checkpoint: 1, "snapshot.async": "400 ms" }] },
      faults: [stop("in-0@3")],
    });
    expect(told.first("CheckpointAborted")).toMatchObject({
      reason: "CHECKPOINT_EXPIRED",
      counts: false,
    });
    expect(told.words("TaskFailed", "failure")[0]).toBe("STOP_WITH_SAVEPOINT_FAILED");
    expect(told.report.job.status).toBe("RUNNING");
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-005, CP-166: a task fails while it is pending: it ends, the job restarts and reads on", () => {
    const told = run({
      timing: { "snapshot.async": "300 ms" },
      faults: [
        ...triggersAfter("in-0@1"),
        stop("in-0@5"),
        after("EndOfDataReceived", { subtask: "K[0]" }, "fail-task", { target: "K[0]" }),
      ],
    });
    expect(answers(told)).toEqual(["stop-with-savepoint: FAILED"]);
    expect(told.report.job).toMatchObject({ status: "RUNNING", restarts: 1 });
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-166: a task fails behind the savepoint: the job FAILED for good, and the savepoint stays to commit from", () => {
    const told = run({
      faults: [stop("in-0@5"), after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "K[0]" })],
    });
    expect(statuses(told)).toEqual(["RESTARTING", "FAILING", "FAILED"]);
    expect(answers(told)).toEqual(["stop-with-savepoint: STOPPING_FAILED"]);
    expect(told.report.checkpoints[0]).toMatchObject({ status: "COMPLETED", retained: true });
    expect(told.report.transactions.find(({ checkpoint }) => checkpoint === 1)).toMatchObject({
      state: "PRE_COMMITTED",
    });
    expect(told.report.recoveries.map(({ cause, granted }) => `${cause} ${granted}`)).toEqual([
      "K[0]: USER_EXCEPTION true",
      "STOPPING_FAILED false",
    ]);
  });

  test("CP-166: one of two regions fails behind the savepoint: the other finishes first, then all is given up", () => {
    const told = run({
      ...lane(2, { cost: "1 ms" }),
      topics: { in: { partitions: 2, records: 24, every: "100 ms" } },
      restart: fixedDelay(3, "10 ms"),
      faults: [stop("in-0@5"), after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "M[1]" })],
    });
    expect(told.report.job.status).toBe("FAILED");
    expect(told.words("TaskStopped", "subtask", { ending: "FINISHED" }).toSorted()).toEqual([
      "K[0]",
      "M[0]",
      "S[0]",
      "S[1]",
    ]);
    expect(told.first("OperationAnswered")).toMatchObject({ answer: "STOPPING_FAILED" });
  });

  test("FR-101: with the JobManager the request is gone: nobody hears anything, and the job runs anew", () => {
    const told = run({
      config: { "high-availability.type": "zookeeper" },
      timing: { "snapshot.async": "300 ms", "jobmanager.takeover": "200 ms" },
      faults: [
        ...triggersAfter("in-0@1"),
        stop("in-0@5"),
        after("SnapshotTaken", { subtask: "S[0]", checkpoint: 2 }, "kill-jobmanager", { for: "200 ms" }),
      ],
    });
    expect(told.all("OperationAnswered")).toEqual([]);
    expect(told.report.job.status).toBe("RUNNING");
    expect(told.report.verdict.endToEnd).toBe("exactly-once");
  });
});

describe("a second stop while one is under way", () => {
  const twice = (moment: object, faults: readonly Record<string, unknown>[] = []): Story =>
    run({
      ...apart(),
      restart: fixedDelay(3, "100 ms"),
      timing: { "snapshot.async": "20 ms" },
      faults: [
        ...triggersAfter("in-0@2"),
        stop("in-0@5"),
        ...faults,
        { at: moment, do: "stop-with-savepoint", path: "s3://sp" },
      ],
    });

  test("CP-005, CP-049: it ends the savepoint of the first; tasks that were to end with that fail, and the job reads on", () => {
    const told = twice({ after: "BarrierReceived", checkpoint: 2 });
    expect(triggered(told).slice(0, 3)).toEqual(["1 CHECKPOINT", "2 SYNC_SAVEPOINT", "3 SYNC_SAVEPOINT"]);
    expect(told.words("CheckpointAborted", "reason").slice(0, 2)).toEqual(
      Array.from({ length: 2 }, () => "CHECKPOINT_COORDINATOR_SUSPEND"),
    );
    expect(answers(told)).toEqual(["stop-with-savepoint: FAILED", "stop-with-savepoint: FAILED"]);
    expect(told.first("TaskFailed")).toMatchObject({ cause: expect.anything() });
    expect(told.report.job.status).toBe("RUNNING");
    expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("CP-150, CP-166: behind the first savepoint nobody that runs declines the second: it fails alone, and the job is FINISHED", () => {
    const told = twice({ after: "NotificationDelivered", subtask: "S[0]", checkpoint: 2 });
    expect(told.words("CheckpointDeclined", "reason")).toEqual(["CHECKPOINT_DECLINED_TASK_NOT_READY"]);
    expect(told.all("RestartScheduled")).toEqual([]);
    expect(answers(told)).toEqual(["stop-with-savepoint: FAILED", "stop-with-savepoint: COMPLETED"]);
    expect(told.report.job.status).toBe("FINISHED");
  });

  test("INV-034: a task that was not told of the first cannot be asked to end with another: it fails, and with it the first stop", () => {
    const told = twice({ after: "TaskStateChanged", subtask: "M[0]", to: "FINISHED" }, [
      { at: { time: "0 ms" }, do: "lose-rpc", rpc: "notify-complete", target: "K[0]", checkpoint: 2 },
    ]);
    expect(told.values("SnapshotTaken", "checkpoint", { subtask: "K[0]" })).toEqual([1, 2]);
    expect(told.first("TaskFailed")).toMatchObject({ subtask: "K[0]", failure: "STOP_WITH_SAVEPOINT_FAILED" });
    expect(answers(told)).toEqual(["stop-with-savepoint: FAILED", "stop-with-savepoint: STOPPING_FAILED"]);
    expect(told.report.job.status).toBe("FAILED");
  });
});

test("CP-160, FR-102: a new leader behind the savepoint of a stop goes back to the checkpoint before it, and what was committed comes again", () => {
  const told = run({
    config: { "high-availability.type": "zookeeper" },
    faults: [
      ...triggersAfter("in-0@2"),
      stop("in-0@5"),
      after("TransactionCommitted", { checkpoint: 2 }, "kill-jobmanager", { for: "200 ms" }),
    ],
  });
  expect(told.report.recoveries.map(({ restoredFrom }) => restoredFrom)).toEqual([1]);
  expect(told.report.delivery[0]?.duplicated).toEqual(["in-0@3", "in-0@4", "in-0@5"]);
  expect(told.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
  expect(told.report.invariants.violated).toEqual([]);
});

describe("cancel", () => {
  test("FR-011, FR-008: every task is cancelled and the open transaction aborted; what was unread stays unread", () => {
    const told = run({
      ...apart(),
      faults: [...triggersAfter("in-0@2"), after("RecordWritten", { record: "in-0@5" }, "cancel")],
    });
    expect(statuses(told)).toEqual(["CANCELLING", "CANCELED"]);
    expect(told.words("TaskStopped", "ending")).toEqual(["CANCELED", "CANCELED", "CANCELED"]);
    const states = told.report.transactions.filter(({ records }) => records > 0).map(({ state }) => state);
    expect(states).toEqual(["COMMITTED", "ABORTED"]);
    expect(told.report.ended).toBe("drained");
  });

  test("CP-005, FR-011: a checkpoint that is pending ends with it, and no restart that was granted begins", () => {
    const told = run({
      timing: { "snapshot.async": "300 ms" },
      faults: [
        ...triggersAfter("in-0@2"),
        atTime(350, "fail-task", { target: "M[0]" }),
        after("RestartScheduled", {}, "cancel"),
      ],
    });
    expect(told.first("CheckpointAborted")).toMatchObject({ reason: "CHECKPOINT_COORDINATOR_SUSPEND" });
    expect(statuses(told)).toEqual(["RESTARTING", "CANCELLING", "CANCELED"]);
    expect(told.all("AttemptCreated", { attempt: 1 })).toEqual([]);
  });

  test("FR-011: of a job that fails: it is CANCELED once all its tasks have ended", () => {
    const told = run({
      restart: { type: "none" },
      faults: [atTime(350, "fail-task", { target: "M[0]" }), after("JobStatusChanged", { to: "FAILING" }, "cancel")],
    });
    expect(statuses(told)).toEqual(["FAILING", "CANCELLING", "CANCELED"]);
  });

  const ends: readonly (readonly [string, Partial<Small>])[] = [
    ["FINISHED", { faults: [...triggersAfter("in-0@2"), stop("in-0@5")] }],
    ["CANCELED", { faults: [...triggersAfter("in-0@2"), atTime(700, "cancel")] }],
    ["FAILED", { restart: { type: "none" }, faults: [...triggersAfter("in-0@2"), atTime(700, "fail-job")] }],
  ];
  const left: { readonly [retention: string]: readonly string[] } = {
    NO_EXTERNALIZED_CHECKPOINTS: [],
    DELETE_ON_CANCELLATION: ["FAILED"],
    RETAIN_ON_CANCELLATION: ["CANCELED", "FAILED"],
  };
  test.each(Object.keys(left).flatMap((retention) => ends.map(([status, parts]) => ({ retention, status, parts }))))(
    "CP-168, FR-013: $retention, $status",
    ({ retention, status, parts }) => {
      const told = run({ ...parts, checkpointing: { dir: "s3://ck", "externalized-checkpoint-retention": retention } });
      const stays = left[retention]?.includes(status) === true;
      expect(told.report.job.status).toBe(status);
      expect(told.report.checkpoints.find(({ id }) => id === 1)?.retained).toBe(stays);
      expect(told.report.files.some(({ path }) => path.endsWith("/chk-1/_metadata"))).toBe(stays);
    },
  );
});

describe("cancel with savepoint", () => {
  const cancelling = (record: string, more: Record<string, unknown> = { path: "sp" }) =>
    after("RecordEmitted", { record }, "cancel-with-savepoint", more);

  test("CP-167: an ordinary savepoint, then the job is CANCELED: what it has pre-committed is committed by nobody", () => {
    const told = run({ faults: [...triggersAfter("in-0@2"), cancelling("in-0@5")] });
    expect(triggered(told)).toEqual(["1 CHECKPOINT", "2 SAVEPOINT"]);
    expect(statuses(told)).toEqual(["CANCELLING", "CANCELED"]);
    expect(answers(told)).toEqual(["cancel-with-savepoint: COMPLETED"]);
    expect(told.all("NotificationDelivered", { checkpoint: 2 })).toEqual([]);
    expect(told.report.transactions.find(({ checkpoint }) => checkpoint === 2)).toMatchObject({
      state: "PRE_COMMITTED",
      records: 3,
    });
  });

  test("CP-167: it is not atomic: records come out behind the savepoint", () => {
    const told = run({ timing: { "snapshot.async": "300 ms" }, faults: [cancelling("in-0@5")] });
    const behind = told.since(told.first("BarrierEmitted", { subtask: "S[0]" })).words("RecordEmitted", "record");
    expect(behind).toContain("in-0@7");
  });

  test("CP-167: the savepoint fails: the job runs on, and periodic checkpoints begin anew", () => {
    const told = run({
      initialDelay: 600,
      faults: [atTime(0, "snapshot-failure", { target: "M[0]", part: "async" }), cancelling("in-0@3")],
      checkpointing: { "tolerable-failed-checkpoints": 1 },
    });
    expect(answers(told)).toEqual(["cancel-with-savepoint: FAILED"]);
    const [answered = 0] = told.times("OperationAnswered");
    expect(told.times("CheckpointTriggered", { kind: "CHECKPOINT" })[0]).toBe(answered + 600);
    expect(told.report.job.status).toBe("RUNNING");
  });

  test("CP-167: the scenario is told that it is deprecated", () => {
    const told = run({ faults: [cancelling("in-0@5")] });
    expect(told.report.notices).toContainEqual({
      code: "DEPRECATED",
      path: "faults[0]",
      message: expect.stringMatching(/Use "stop" instead/),
    });
  });

  test("FR-011: a job that has ended takes no savepoint, and says so", () => {
    const drive = new Drive(
      small({
        ...line,
        faults: [
          before("JobStatusChanged", { to: "CANCELED" }, "trigger-savepoint", { path: "sp" }),
          atTime(500, "cancel"),
        ],
      }),
    );
    drive.until("JobStatusChanged", { to: "CANCELED" });
    const answered = drive.pass(10).filter(({ type }) => type === "OperationAnswered");
    expect(answered).toMatchObject([{ do: "trigger-savepoint", answer: "FAILED" }]);
  });
});
