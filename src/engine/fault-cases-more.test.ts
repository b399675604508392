/**
 * More cases of `recovery-and-sinks.md` 13.3 to 13.9, by id, as far as today's verbs reach: expired transactions, faults on
 * the checkpoint's way, lost processes, the external log. T1 holds the first four records, T2 the next four, T3 the last;
 * the specification counts records from 1, the log from 0.
 */
import { describe, expect, test } from "vitest";
import { referenceOf } from "../scenario/reference.ts";
import { ledgerOf } from "./ledger.ts";
import { Actor, Op } from "./ops.ts";
import { Course } from "./course.ts";
import { firstMissing, setDelivery, withFaults } from "./testing/runs.ts";
import { Drive, type Story, after, atTime, story } from "./testing/stories.ts";

type Json = Record<string, unknown>;
type Change = (source: Json) => void;

const config =
  (more: Json): Change =>
  (source) =>
    (source["config"] = { ...(source["config"] as Json), ...more });
const checkpointing = (more: Json): Change =>
  config(Object.fromEntries(Object.entries(more).map(([key, value]) => [`execution.checkpointing.${key}`, value])));
const timing =
  (more: Json): Change =>
  (source) =>
    (source["timing"] = { ...(source["timing"] as Json | undefined), ...more });
const slow = (vertex: string, checkpoint: number, duration: string, index = 0): Change =>
  timing({ overrides: [{ vertex, index, checkpoint, "snapshot.async": duration }] });
const all =
  (...changes: Change[]): Change =>
  (source) =>
    changes.forEach((change) => change(source));

const run = (id: string, faults: readonly Json[], ...changes: Change[]): Story =>
  story(withFaults(id, faults, all(...changes)));
const committed = ({ report }: Story): Story["report"]["delivery"][number] => {
  const row = report.delivery.find(({ reader }) => reader === "read_committed");
  if (row === undefined) throw new Error("there is a committed reader");
  return row;
};
const exactly = { state: "exactly-once", endToEnd: "exactly-once" };
const T2 = ["in-0@4", "in-0@5", "in-0@6", "in-0@7"];
const commitsOf = (result: Story): string[] =>
  result.all("TransactionCommitted", { again: false }).map(({ transaction }) => transaction as string);

describe("checkpoint succeeded, transaction failed (FI-14)", () => {
  test("FI-14: T2 is given up by the log after checkpoint 2 completed: its commit is fenced and dropped, the job runs on, its records are lost", () => {
    const result = run("linear", [
      after("CheckpointCompleted", { checkpoint: 2 }, "expire-transaction", { target: "SNK[0]" }),
    ]);
    expect(
      firstMissing(result.lines, [
        "CheckpointCompleted 2",
        "TransactionTimedOut P-0-2 2",
        "TransactionCommitRequested SNK[0] P-0-2 2",
        "CommitFailed SNK[0] P-0-2 2",
        "TransactionCommitted SNK[0] P-0-3 3",
      ]),
    ).toBeNull();
    expect(committed(result)).toMatchObject({ seen: 8, lost: T2, duplicated: [] });
    expect(result.report).toMatchObject({
      job: { status: "RUNNING", restarts: 0 },
      verdict: { state: "exactly-once", endToEnd: "at-most-once" },
    });
  });

  test("FI-14: the same while the sink is restored", () => {
    const result = run(
      "linear",
      [
        after("CheckpointCompleted", { checkpoint: 2 }, "kill-taskmanager", { target: "tm-3" }),
        atTime(15_000, "expire-transaction", { transaction: "P-0-2" }),
      ],
      timing({ "heartbeat.detect": "10 s" }),
    );
    expect(
      firstMissing(result.lines, [
        "TransactionTimedOut P-0-2 2",
        "StateRestored SNK[0] 2",
        "TransactionCommitRequested SNK[0] P-0-2 2",
        "CommitFailed SNK[0] P-0-2 2",
      ]),
    ).toBeNull();
    expect(committed(result)).toMatchObject({ seen: 8, lost: T2, duplicated: [] });
    expect(result.report).toMatchObject({
      job: { status: "RUNNING", restarts: 1 },
      verdict: { state: "exactly-once", endToEnd: "at-most-once" },
    });
  });
});

describe("faults on the checkpoint's way, no process lost", () => {
  const lostAck = after("CheckpointTriggered", { checkpoint: 2 }, "lose-rpc", {
    rpc: "ack",
    target: "MAP[0]",
    checkpoint: 2,
  });

  test("FI-33: with MAP's acknowledgement lost, 2 is pending until its timeout; nothing is tolerated, so the whole job goes back to 1", () => {
    const result = run("linear", [lostAck], checkpointing({ timeout: "1500 ms" }));
    const triggered = result.first("CheckpointTriggered", { checkpoint: 2 });
    expect(result.first("CheckpointAborted")).toMatchObject({
      checkpoint: 2,
      reason: "CHECKPOINT_EXPIRED",
      clock: triggered.clock + 1500,
      failures: 1,
      counts: true,
    });
    expect(result.first("RestartScheduled")).toMatchObject({
      scope: "global",
      restarted: ["SRC[0]", "MAP[0]", "SNK[0]"],
    });
    expect(result.values("StateRestored", "checkpoint")).toEqual([1, 1, 1]);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-33: tolerated, nothing restarts, T2 waits, and the next completed checkpoint commits T2 and T3", () => {
    const result = run("linear", [lostAck], checkpointing({ timeout: "1500 ms", "tolerable-failed-checkpoints": 1 }));
    expect(result.all("RestartScheduled")).toEqual([]);
    expect(commitsOf(result)).toEqual(["P-0-1", "P-0-2", "P-0-3"]);
    expect(
      result.until(result.first("CheckpointCompleted", { checkpoint: 3 })).words("TransactionCommitted", "transaction"),
    ).toEqual(["P-0-1"]);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-34: an acknowledgement that comes twice, after the abort, or of an unknown attempt changes nothing", () => {
    const scenario = withFaults("linear", []);
    const drive = new Drive(scenario);
    const accepted = drive.until("CheckpointAcknowledged", { checkpoint: 2 });
    const subtask = drive.subtask(accepted["subtask"] as string);
    for (const [checkpoint, attempt] of [
      [2, 0],
      [2, 5],
      [1, 0],
      [99, 0],
    ] as const)
      drive.kernel.after(0, Op.acknowledge, Actor.wire, subtask, checkpoint, attempt, 0);
    expect(
      drive
        .pass(0)
        .filter(({ type }) => type === "AcknowledgementDiscarded")
        .map(({ fate }) => fate),
    ).toEqual(["duplicate", "unknown attempt", "late", "late"]);
    const course = new Course(drive.simulation);
    while (course.ended === null) course.advance();
    expect([course.ended, ledgerOf(drive.kernel, referenceOf(scenario)).verdict]).toEqual(["drained", exactly]);
  });

  test("FI-34: the real late one: 2 was given up, MAP never heard of it and acknowledges", () => {
    const result = run(
      "linear",
      [after("CheckpointTriggered", { checkpoint: 2 }, "lose-rpc", { rpc: "notify-aborted", checkpoint: 2, count: 3 })],
      checkpointing({ timeout: "300 ms", "tolerable-failed-checkpoints": 1 }),
      slow("MAP", 2, "350 ms"),
    );
    expect(result.first("AcknowledgementDiscarded")).toMatchObject({ subtask: "MAP[0]", checkpoint: 2, fate: "late" });
    expect(result.report.verdict).toEqual(exactly);
  });

  const stalledMap = after("CheckpointTriggered", { checkpoint: 2 }, "stall", { target: "MAP[0]", for: "1500 ms" });

  test("FI-35: MAP stands still for longer than the timeout; moving again it knows that 2 is aborted and passes a cancel marker on", () => {
    const result = run("linear", [stalledMap], checkpointing({ timeout: "1 s", "tolerable-failed-checkpoints": 1 }));
    const aborted = result.first("CheckpointAborted", { checkpoint: 2 });
    expect(aborted).toMatchObject({ reason: "CHECKPOINT_EXPIRED" });
    const ofMap = result
      .since(aborted)
      .entries.filter(({ subtask, checkpoint }) => subtask === "MAP[0]" && checkpoint === 2)
      .map(({ type }) => type);
    expect(ofMap).toEqual(["NotificationDelivered", "BarrierReceived", "AlignmentCompleted", "CancelMarkerEmitted"]);
    expect(result.all("SnapshotTaken", { subtask: "MAP[0]", checkpoint: 2 })).toEqual([]);
    expect(result.all("RestartScheduled")).toEqual([]);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-35: with nothing tolerated the whole job restarts though nothing crashed", () => {
    const result = run("linear", [stalledMap], checkpointing({ timeout: "1 s" }));
    expect(result.all("TaskFailed")).toEqual([]);
    expect(result.first("RestartScheduled")).toMatchObject({
      scope: "global",
      failure: "CHECKPOINT_FAILURE_THRESHOLD",
    });
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-36, SK-145: three checkpoints fail in a row (here they expire): nothing is committed meanwhile, then everything in order", () => {
    const result = run(
      "linear",
      [],
      checkpointing({ timeout: "100 ms", "tolerable-failed-checkpoints": 3 }),
      timing({ overrides: [1, 2, 3].map((checkpoint) => ({ vertex: "MAP", checkpoint, "snapshot.async": "150 ms" })) }),
    );
    expect(result.values("CheckpointAborted", "failures")).toEqual([1, 2, 3]);
    const completed = result.first("CheckpointCompleted");
    expect(completed).toMatchObject({ checkpoint: 4 });
    expect(result.until(completed).all("TransactionCommitted")).toEqual([]);
    // The twelve records are in the first three; the fourth is empty.
    expect(commitsOf(result)).toEqual(["P-0-1", "P-0-2", "P-0-3"]);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-37: 3 completes while 2 is pending: 2 is subsumed, the news of 3 commits T2 and T3", () => {
    const result = run(
      "linear",
      [atTime(0, "lose-rpc", { rpc: "ack", target: "MAP[0]", checkpoint: 2 })],
      checkpointing({ "max-concurrent-checkpoints": 2 }),
    );
    expect(
      firstMissing(result.lines, [
        "CheckpointCompleted 3",
        "CheckpointAborted 2 CHECKPOINT_SUBSUMED",
        "NotificationDelivered SNK[0] 3 complete",
        "TransactionCommitted SNK[0] P-0-2 2",
        "TransactionCommitted SNK[0] P-0-3 3",
      ]),
    ).toBeNull();
    expect(result.all("CheckpointCompleted", { checkpoint: 2 })).toEqual([]);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-38: the news of 2 is lost and 3 is aborted: that message names 2, so T2 is committed and T3 waits", () => {
    const result = run(
      "linear",
      [
        after("CheckpointCompleted", { checkpoint: 2 }, "lose-rpc", {
          rpc: "notify-complete",
          target: "SNK[0]",
          checkpoint: 2,
        }),
      ],
      checkpointing({ timeout: "300 ms", "tolerable-failed-checkpoints": 1 }),
      slow("MAP", 3, "400 ms"),
    );
    expect(
      firstMissing(result.lines, [
        "CheckpointCompleted 2",
        "CheckpointAborted 3 CHECKPOINT_EXPIRED",
        "NotificationDelivered SNK[0] 2 complete",
        "TransactionCommitted SNK[0] P-0-2 2",
        "NotificationDelivered SNK[0] 3 aborted",
        "CheckpointCompleted 4",
        "TransactionCommitted SNK[0] P-0-3 3",
      ]),
    ).toBeNull();
    expect(result.report.verdict).toEqual(exactly);
  });
});

describe("process loss and restarts", () => {
  test("FI-50: one TaskManager with MAP and SNK is lost: one failover, the other of the two ends CANCELED", () => {
    const result = run(
      "linear",
      [after("RecordWritten", { record: "in-0@5" }, "kill-taskmanager", { target: "tm-2" })],
      (source) => {
        for (const vertex of (source["job"] as { vertices: Json[] }).vertices)
          if (vertex["uid"] === "SNK") vertex["slotSharingGroup"] = "map";
      },
      timing({ "heartbeat.detect": "1 s" }),
    );
    expect(result.report.deployment["tm-2"]).toEqual(["MAP[0]", "SNK[0]"]);
    expect(result.all("TaskFailed")).toHaveLength(1);
    expect(result.report.job).toMatchObject({ status: "RUNNING", restarts: 1 });
    const endOf = (subtask: string): string | undefined =>
      result.words("TaskStateChanged", "to", { subtask, attempt: 0 }).at(-1);
    expect(new Set([endOf("MAP[0]"), endOf("SNK[0]")])).toEqual(new Set(["CANCELED", "FAILED"]));
    expect(result.values("StateRestored", "checkpoint")).toEqual([1, 1, 1]);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-51: one TaskManager with a subtask of either lane is lost: two failovers, both to the same checkpoint", () => {
    const result = run(
      "two-lanes",
      [
        after("RecordWritten", { record: "in-0@5" }, "kill-taskmanager", { target: "tm-1" }),
        atTime(3000, "restart-taskmanager", { target: "tm-1" }),
      ],
      (source) => {
        source["cluster"] = { taskManagers: 1, slots: 2 };
      },
      timing({ "heartbeat.detect": "1 s" }),
    );
    expect(result.values("RestartScheduled", "failures")).toEqual([1, 2]);
    expect(new Set(result.values("StateRestored", "checkpoint"))).toEqual(new Set([1]));
    expect(result.all("StateRestored")).toHaveLength(6);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-52: a sink of one lane fails while 2 is pending and the other lane has pre-committed: that one keeps its state, attempts and T2", () => {
    const result = run(
      "two-lanes",
      [after("CheckpointAcknowledged", { subtask: "SNK[1]", checkpoint: 2 }, "fail-task", { target: "SNK[0]" })],
      slow("MAP", 2, "300 ms", 0),
    );
    expect(result.values("RestartScheduled", "restarted")).toEqual([["SRC[0]", "MAP[0]", "SNK[0]"]]);
    expect(result.first("CheckpointAborted")).toMatchObject({ checkpoint: 2 });
    expect(result.values("AttemptCreated", "attempt").filter((attempt) => attempt === 1)).toHaveLength(3);
    expect(result.all("StateRestored").map(({ subtask, checkpoint }) => [subtask, checkpoint])).toEqual([
      ["SRC[0]", 1],
      ["MAP[0]", 1],
      ["SNK[0]", 1],
    ]);
    // The other lane reads each record once, and its T2 is committed with the next completed checkpoint, before T3.
    expect(result.words("RecordEmitted", "record", { subtask: "SRC[1]" })).toEqual(
      Array.from({ length: 12 }, (_, i) => `in-1@${i}`),
    );
    expect(
      result
        .all("TransactionCommitted", { subtask: "SNK[1]" })
        .map(({ transaction }) => transaction)
        .slice(0, 3),
    ).toEqual(["P-1-1", "P-1-2", "P-1-3"]);
    const next = result.since(result.first("CheckpointAborted")).first("CheckpointCompleted");
    expect(result.first("TransactionCommitted", { transaction: "P-1-2" }).step).toBeGreaterThan(next.step);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-54: a second failure in the backoff cannot hit the region's own tasks; one while INITIALIZING counts and restores the same checkpoint again", () => {
    const first = after("CheckpointAcknowledged", { subtask: "SNK[0]", checkpoint: 2 }, "fail-task", {
      target: "MAP[0]",
    });
    const inBackoff = run("linear", [first, atTime(5000, "fail-task", { target: "MAP[0]" })], slow("MAP", 2, "200 ms"));
    expect(inBackoff.report.job.restarts).toBe(1);
    const initializing = run(
      "linear",
      [
        first,
        {
          at: { after: "TransactionCommitRequested", transaction: "P-0-1", nth: 2 },
          do: "fail-task",
          target: "SNK[0]",
        },
      ],
      slow("MAP", 2, "200 ms"),
    );
    expect(initializing.values("RestartScheduled", "failures")).toEqual([1, 2]);
    expect(new Set(initializing.values("StateRestored", "checkpoint"))).toEqual(new Set([1]));
    expect(initializing.all("TaskStateChanged", { subtask: "SNK[0]", attempt: 1 }).at(-1)).toMatchObject({
      from: "INITIALIZING",
      to: "FAILED",
    });
    // Both attempts commit P-0-1 again, and to no effect.
    expect(
      initializing.all("TransactionCommitted", { transaction: "P-0-1" }).map(({ decider, again }) => [decider, again]),
    ).toEqual([
      ["notification", false],
      ["restore", true],
      ["restore", true],
    ]);
    for (const result of [inBackoff, initializing]) expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-54: a failure of the other region in the backoff has its own plan", () => {
    const result = run("two-lanes", [
      atTime(650, "fail-task", { target: "MAP[0]" }),
      atTime(3000, "fail-task", { target: "MAP[1]" }),
    ]);
    expect(result.all("RestartScheduled").map(({ clock, restarted }) => [clock, (restarted as string[])[1]])).toEqual([
      [651, "MAP[0]"],
      [3001, "MAP[1]"],
    ]);
    expect(result.times("AttemptCreated", { attempt: 1 })).toEqual([10_651, 10_651, 10_651, 13_001, 13_001, 13_001]);
    expect(result.report.verdict).toEqual(exactly);
  });

  test("FI-55: with no restart left between completed(2) and the commit of T2 the job FAILS, and T2 is lost when the log gives it up", () => {
    const fault = after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "SNK[0]" });
    const failed = run("linear", [fault], config({ "restart-strategy.type": "none" }));
    expect(failed.report.job.status).toBe("FAILED");
    expect(committed(failed)).toMatchObject({ seen: 4, lost: [], pending: T2 });
    const later = run(
      "linear",
      [fault],
      config({ "restart-strategy.type": "none" }),
      (source) => (source["until"] = { time: "2 h" }),
    );
    expect(later.last("TransactionTimedOut")).toMatchObject({ transaction: "P-0-2" });
    expect(committed(later)).toMatchObject({ seen: 4, lost: T2 });
    expect(later.report.verdict.endToEnd).toBe("at-most-once");
  });

  test("FI-58: a failure before checkpoint 1 completes: no state, the source from its start, T1 is found and aborted", () => {
    const result = run(
      "linear",
      [after("RecordWritten", { record: "in-0@2" }, "kill-taskmanager", { target: "tm-3" })],
      timing({ "heartbeat.detect": "200 ms" }),
    );
    const created = result.first("AttemptCreated", { subtask: "SNK[0]", attempt: 1 });
    expect(result.until(result.since(created).first("TransactionBegun")).all("StateRestored")).toEqual([]);
    expect(result.since(created).words("RecordEmitted", "record")[0]).toBe("in-0@0");
    expect(result.since(created).told("TransactionAborted", "TransactionBegun").slice(0, 2)).toEqual([
      "TransactionAborted SNK[0] P-0-1 1",
      "TransactionBegun SNK[0] P-0-1 1",
    ]);
    expect(result.report.verdict).toEqual(exactly);
  });
});

describe("other sinks and readers of FI-04: MAP fails while 2 is pending", () => {
  const fi04 = after("CheckpointAcknowledged", { subtask: "SNK[0]", checkpoint: 2 }, "fail-task", { target: "MAP[0]" });

  test("FI-80: an append sink that flushes at barriers has records 5 to 8 twice and loses nothing", () => {
    const result = run("linear", [fi04], slow("MAP", 2, "200 ms"), (source) => setDelivery(source, "at-least-once"));
    expect(committed(result)).toMatchObject({ lost: [], duplicated: T2, seen: 16 });
    expect(result.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
  });

  test("FI-88: a dirty reader of the transactional sink sees records 5 to 8 twice, a committed one each once", () => {
    const result = run("linear", [fi04], slow("MAP", 2, "200 ms"));
    const dirty = result.report.delivery.find(({ reader }) => reader === "read_uncommitted");
    expect(dirty).toMatchObject({ duplicated: T2, lost: [] });
    expect(committed(result)).toMatchObject({ seen: 12, duplicated: [], lost: [] });
  });

  test("FI-75: a transaction timeout above the broker's maximum fails the sink while INITIALIZING on every attempt", () => {
    const result = run("linear", [], (source) => (source["broker"] = { "transaction.max.timeout.ms": "15 min" }));
    expect(result.all("TaskFailed").map(({ subtask, failure }) => [subtask, failure])).toEqual(
      Array.from({ length: 4 }, () => ["SNK[0]", "INVALID_TRANSACTION_TIMEOUT"]),
    );
    expect(result.report.job.status).toBe("FAILED");
  });
});
