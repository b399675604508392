/** A task's thread: one thing at a time, its mails, its ends (`recovery-and-sinks.md` 0.5, 3 and 7). */
import { describe, expect, test } from "vitest";
import { MailKind, post } from "./mailbox.ts";
import { libraryScenario } from "./testing/runs.ts";
import {
  Drive,
  type Story,
  after,
  atTime,
  before,
  counter,
  fixedDelay,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

const apart = { chain: false };
/** Each task alone in a slot on a TaskManager of its own. */
const alone = {
  vertices: [
    source("S", { slotSharingGroup: "s" }),
    counter("M", { slotSharingGroup: "m" }),
    sink("K", { slotSharingGroup: "k" }),
  ],
  edges: ["S forward M", "M forward K"],
  cluster: { taskManagers: 3, slots: 2 },
};

describe("one thing at a time", () => {
  test.each(["order-totals", "linear", "shuffle", "two-lanes"])(
    "in %s no task takes a record, a barrier or a notification while it has a record in hand",
    (id) => {
      const run = story(libraryScenario(id));
      const inHand = new Map<unknown, boolean>();
      for (const { type, subtask, step } of run.entries) {
        if (["RecordReceived", "BarrierReceived", "NotificationDelivered", "SnapshotTaken"].includes(type))
          expect(inHand.get(subtask), `step ${step}`).not.toBe(true);
        if (type === "RecordReceived") inHand.set(subtask, true);
        if (type === "RecordProcessed") inHand.set(subtask, false);
      }
    },
  );

  test("CP-128: a notification is handled after the record in hand and before the next one, however many wait", () => {
    const run = story(
      small({
        vertices: [source("S"), counter("M", { cost: 40 }), sink("K")],
        edges: ["S forward M", "M forward K"],
        topics: { in: { records: 40, every: "10 ms" } },
        faults: triggersAfter("in-0@12"),
      }),
    );
    const sent = run.first("CheckpointCompleted").clock + 1;
    const handled = run.first("NotificationDelivered", { subtask: "M[0]" });
    const { clock: begun } = run.until(handled).last("RecordReceived", { subtask: "M[0]" });
    expect(begun).toBeLessThanOrEqual(sent);
    expect(handled.clock).toBe(begun + 40);
    expect(handled.clock).toBeGreaterThan(sent);
    expect(run.since(handled).entries.find(({ subtask }) => subtask === "M[0]")).toMatchObject({
      type: "RecordReceived",
      clock: handled.clock,
    });
    // Records had been waiting all the while.
    const waiting =
      run.until(handled).all("RecordSent", { subtask: "S[0]" }).length -
      run.until(handled).all("RecordReceived", { subtask: "M[0]" }).length;
    expect(waiting).toBeGreaterThan(2);
  });

  test.each([
    {
      flink: "2.2",
      unaligned: false,
      first: ["aborted", "trigger"],
      order: ["NotificationDelivered", "BarrierEmitted"],
    },
    {
      flink: "2.2",
      unaligned: false,
      first: ["trigger", "aborted"],
      order: ["BarrierEmitted", "NotificationDelivered"],
    },
    {
      flink: "1.20",
      unaligned: true,
      first: ["aborted", "trigger"],
      order: ["NotificationDelivered", "BarrierEmitted"],
    },
    {
      flink: "2.2",
      unaligned: true,
      first: ["aborted", "trigger"],
      order: ["BarrierEmitted", "NotificationDelivered"],
    },
  ] as const)(
    "CP-128, FLINK-35051: Flink $flink, unaligned $unaligned: of $first, in this order in the mailbox, it does $order",
    ({ flink, unaligned, first, order }) => {
      const drive = new Drive(
        small({
          ...lane(1, apart),
          flink,
          topics: { in: { records: 0 } },
          initialDelay: 60_000,
          checkpointing: { interval: "1 min", "unaligned.enabled": unaligned },
        }),
      );
      drive.until("TaskStateChanged", { subtask: "K[0]", to: "RUNNING" });
      drive.pass(10);
      for (const kind of first)
        post(drive.kernel, drive.subtask("S[0]"), 0, MailKind[kind], kind === "trigger" ? 5 : 4, 0);
      const did = drive.pass(20).filter(({ subtask }) => subtask === "S[0]");
      expect(did.map(({ type }) => type).filter((type) => (order as readonly string[]).includes(type))).toEqual(order);
    },
  );

  test("CP-128: a notification at or below the newest one that was handled is passed by", () => {
    const drive = new Drive(
      small({
        ...lane(1, apart),
        topics: { in: { records: 0 } },
        initialDelay: 100,
        checkpointing: { interval: "1 s" },
      }),
    );
    drive.until("NotificationDelivered", { subtask: "M[0]", checkpoint: 2 });
    drive.pass(10);
    for (const old of [1, 2]) post(drive.kernel, drive.subtask("M[0]"), 0, MailKind.complete, old, 0);
    expect(drive.pass(100)).toEqual([]);
    post(drive.kernel, drive.subtask("M[0]"), 0, MailKind.complete, 3, 0);
    expect(drive.pass(100)).toMatchObject([{ type: "NotificationDelivered", checkpoint: 3 }]);
  });

  test("CP-128: after a restore the count begins at the restored checkpoint; a task that does not run ignores the message", () => {
    const drive = new Drive(
      small({ ...lane(1, apart), faults: [...triggersAfter("in-0@3"), atTime(900, "fail-task", { target: "M[0]" })] }),
    );
    drive.until("TaskStateChanged", { subtask: "M[0]", to: "INITIALIZING", attempt: 1 });
    post(drive.kernel, drive.subtask("M[0]"), 1, MailKind.complete, 7, 0);
    expect(drive.pass(5).filter(({ type }) => type === "NotificationDelivered")).toEqual([]);
    drive.until("TaskStateChanged", { subtask: "M[0]", to: "RUNNING", attempt: 1 });
    post(drive.kernel, drive.subtask("M[0]"), 1, MailKind.complete, 1, 0);
    expect(drive.pass(5).filter(({ type, subtask }) => type === "NotificationDelivered" && subtask === "M[0]")).toEqual(
      [],
    );
    post(drive.kernel, drive.subtask("M[0]"), 1, MailKind.complete, 2, 0);
    expect(
      drive.pass(5).filter(({ type, subtask }) => type === "NotificationDelivered" && subtask === "M[0]"),
    ).toMatchObject([{ checkpoint: 2 }]);
  });
});

describe("ends of an attempt", () => {
  const ended = (fault: Record<string, unknown>): Story =>
    story(
      small({
        ...alone,
        faults: [
          ...triggersAfter("in-0@3", "in-0@7"),
          atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
          fault,
        ],
        restart: fixedDelay(3, "2 s"),
        timing: { "heartbeat.detect": "100 ms" },
      }),
    );
  /** What became of the sink's transactions before it was restarted. */
  const before1 = (run: Story): string[] =>
    run
      .until(run.first("AttemptCreated", { attempt: 1 }))
      .told("TransactionPreCommitted", "TransactionAborted", "TransactionCommitted");

  test("FR-008: a cancelled sink aborts its current transaction and lets the pre-committed ones be", () => {
    // Record 9 is in P-0-3; 1 and 2 are complete but K has heard of 2 only when this is the case.
    expect(before1(ended(after("RecordWritten", { record: "in-0@5" }, "fail-task", { target: "M[0]" })))).toEqual([
      "TransactionPreCommitted K[0] P-0-1 1",
      "TransactionAborted K[0] P-0-2 2",
    ]);
  });

  test("FR-008: a sink that fails does the same", () => {
    expect(before1(ended(after("RecordWritten", { record: "in-0@5" }, "fail-task", { target: "K[0]" })))).toEqual([
      "TransactionPreCommitted K[0] P-0-1 1",
      "TransactionAborted K[0] P-0-2 2",
    ]);
  });

  test("FR-008: a killed sink closes nothing", () => {
    const run = ended(after("RecordWritten", { record: "in-0@5" }, "kill-taskmanager", { target: "tm-3" }));
    expect(before1(run)).toEqual(["TransactionPreCommitted K[0] P-0-1 1"]);
    // What it left open the next attempt settles.
    expect(
      run
        .since(run.first("AttemptCreated", { attempt: 1 }))
        .told("TransactionCommitted", "TransactionAborted")
        .slice(0, 2),
    ).toEqual(["TransactionCommitted K[0] P-0-1 1", "TransactionAborted K[0] P-0-2 2"]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("FR-021, KF-021: a write of a producer whose transaction the log has given up fails its task, and the records come again", () => {
    const run = story(
      small({
        ...alone,
        faults: [
          ...triggersAfter("in-0@3"),
          after("RecordWritten", { record: "in-0@5" }, "expire-transaction", { target: "K[0]" }),
        ],
      }),
    );
    expect(run.first("TransactionTimedOut")).toMatchObject({ transaction: "P-0-2" });
    expect(run.first("TaskFailed")).toMatchObject({ subtask: "K[0]", failure: "PRODUCER_FENCED" });
    expect(run.until(run.first("TaskFailed")).words("RecordWritten", "record")).not.toContain("in-0@6");
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});

describe("a restarted sink", () => {
  test("FR-097: it commits what its state holds, aborts what may be newer, begins anew, and only then runs", () => {
    // Killed between snapshot 2 and its acknowledgement: the state of 1 holds P-0-1, and P-0-2 is open.
    const run = story(
      small({
        ...alone,
        timing: { "heartbeat.detect": "100 ms" },
        faults: [
          ...triggersAfter("in-0@3", "in-0@7"),
          before("SnapshotPersisted", { subtask: "K[0]", checkpoint: 2 }, "kill-taskmanager", { target: "tm-3" }),
        ],
      }),
    );
    const created = run.first("AttemptCreated", { subtask: "K[0]", attempt: 1 });
    const lines = run
      .since(created)
      .told(
        "TransactionCommitRequested",
        "TransactionCommitted",
        "TransactionAborted",
        "TransactionBegun",
        "TaskStateChanged",
        "RecordReceived",
        "RecordWritten",
      )
      .filter((line) => line.includes("K[0]"));
    expect(lines.slice(2, 9)).toEqual([
      "TaskStateChanged K[0] DEPLOYING>INITIALIZING tm-1",
      "TransactionCommitRequested K[0] P-0-1 1",
      "TransactionCommitted K[0] P-0-1 1",
      "TransactionAborted K[0] P-0-2 2",
      "TransactionBegun K[0] P-0-2 2",
      "RecordReceived K[0] in-0@4",
      "TaskStateChanged K[0] INITIALIZING>RUNNING tm-1",
    ]);
    // The JobManager hears one message later that it runs.
    expect(run.since(created).first("TaskStateChanged", { subtask: "K[0]", to: "RUNNING" }).clock).toBe(
      run.since(created).first("TransactionBegun").clock + 1,
    );
  });
});
