/**
 * The fault-injection cases of `recovery-and-sinks.md` 13.3 as executable cases, by id: what the trace must say in which
 * order, and what a committed reader has at the end. S1 is `linear`, S2 `shuffle`, S3 `two-lanes`.
 */
import { describe, expect, test } from "vitest";
import type { TraceEntry } from "../protocol/trace.ts";
import { type RunResult, runScenario } from "./run.ts";
import { entriesOf, firstMissing, told, withFaults } from "./testing/runs.ts";

interface Run extends RunResult {
  readonly entries: readonly TraceEntry[];
  readonly lines: readonly string[];
}

function run(id: string, ...faults: Record<string, unknown>[]): Run {
  return runWith(id, faults);
}

function runWith(
  id: string,
  faults: Record<string, unknown>[],
  change: (source: Record<string, unknown>) => void = () => {},
): Run {
  const result = runScenario(withFaults(id, faults, change), { checkInvariants: true });
  const entries = entriesOf(result.graph, result.log);
  return { ...result, entries, lines: entries.map(told) };
}

/** EXACT: a committed reader has every record once, the state too, and no invariant was violated. */
function expectExact({ report, violations }: Run): void {
  expect(violations).toEqual([]);
  expect(report.ended).toBe("drained");
  for (const row of report.delivery.filter(({ reader }) => reader === "read_committed")) {
    expect(row).toMatchObject({ seen: row.expected, lost: [], duplicated: [], pending: [], differing: [] });
  }
  expect(report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
}

const after = (event: string, match: Record<string, unknown> = {}): Record<string, unknown> => ({
  after: event,
  ...match,
});

/** ROLLBACK(k) and FORWARD(k): the order that both macros have in common. */
const rollback = (k: number, tasks: readonly string[]): string[] => [
  "JobStatusChanged RUNNING>RESTARTING",
  "JobStatusChanged RESTARTING>RUNNING",
  ...tasks.map((task) => `StateRestored ${task} ${k}`),
  ...tasks.map((task) => `TaskStateChanged ${task} CREATED>SCHEDULED`),
];

/** MAP's asynchronous part of checkpoint 2 takes so long that SNK acknowledges first. */
const slowMap = (source: Record<string, unknown>): void => {
  source["timing"] = { overrides: [{ vertex: "MAP", checkpoint: 2, "snapshot.async": "200 ms" }] };
};

const s1 = ["SRC[0]", "MAP[0]", "SNK[0]"];

describe("the windows of the two-phase commit", () => {
  test("FI-01: a task fails before barrier 2, so T2 is aborted by the closing sink and written again", () => {
    const result = run("linear", {
      at: after("RecordWritten", { record: "in-0@5" }),
      do: "fail-task",
      target: "MAP[0]",
    });
    expect(
      firstMissing(result.lines, [
        "RecordWritten SNK[0] P-0-2 in-0@4",
        "RecordWritten SNK[0] P-0-2 in-0@5",
        "TaskStopped MAP[0] FAILED",
        "TaskFailed MAP[0]",
        ...rollback(1, s1),
        "RecordWritten SNK[0] P-0-2 in-0@4",
        "RecordWritten SNK[0] P-0-2 in-0@5",
      ]),
    ).toBeNull();
    expect(
      firstMissing(result.lines, [
        "TransactionAborted SNK[0] P-0-2 2",
        "StateRestored SNK[0] 1",
        "TransactionCommitted SNK[0] P-0-1 1",
        "TransactionBegun SNK[0] P-0-2 2",
      ]),
    ).toBeNull();
    const again = result.entries.find(
      (entry) => entry.type === "TransactionCommitted" && entry["decider"] === "restore",
    );
    expect(again).toMatchObject({ transaction: "P-0-1", again: true });
    expect(result.entries.find((entry) => entry.type === "SourceRewound")).toMatchObject({
      partition: "in-0",
      target: 4,
    });
    expectExact(result);
    const dirty = result.report.delivery.find(({ reader }) => reader === "read_uncommitted");
    expect(dirty?.duplicated).toEqual(["in-0@4", "in-0@5"]);
  });

  test("FI-02: a source fails while a task aligns, and nothing of either channel is counted twice", () => {
    const result = run("shuffle", {
      at: after("ChannelBlocked", { subtask: "MAP[0]", checkpoint: 2 }),
      do: "fail-task",
      target: "SRC[1]",
    });
    expect(
      firstMissing(result.lines, [
        "TaskFailed SRC[1]",
        "CheckpointAborted 2 CHECKPOINT_COORDINATOR_SUSPEND",
        ...rollback(1, ["MAP[0]", "MAP[1]"]),
      ]),
    ).toBeNull();
    expect(result.lines).not.toContain("CheckpointCompleted 2");
    expectExact(result);
  });

  test("FI-03: the sink's process is killed after the pre-commit and before the acknowledgement", () => {
    const tm = "tm-3";
    const result = run("linear", {
      at: after("TransactionBegun", { transaction: "P-0-3" }),
      do: "kill-taskmanager",
      target: tm,
    });
    const { lines } = result;
    expect(lines).toContain(`TaskStopped SNK[0] LOST`);
    expect(lines).not.toContain("CheckpointCompleted 2");
    expect(
      firstMissing(lines, [
        "TransactionPreCommitted SNK[0] P-0-2 2",
        "TransactionBegun SNK[0] P-0-3 3",
        "TaskStopped SNK[0] LOST",
        ...rollback(1, s1),
        "TransactionCommitted SNK[0] P-0-1 1",
        "TransactionAborted SNK[0] P-0-2 2",
        "ProducerIdInitialized SNK[0] P-0-3 3",
        "ProducerIdInitialized SNK[0] P-0-4 0",
        "ProducerIdInitialized P-1-2 0".replace("P-1-2", "SNK[0] P-1-2"),
        "TransactionBegun SNK[0] P-0-2 2",
      ]),
    ).toBeNull();
    const closedBySink = result.entries.some(
      (entry) => entry.type === "TransactionAborted" && entry["decider"] === "close",
    );
    expect(closedBySink).toBe(false);
    expectExact(result);
  });

  test("FI-04: another task fails while 2 is pending, so the live sink aborts T3 and leaves T2 to the restore", () => {
    const result = runWith(
      "linear",
      [
        {
          at: after("CheckpointAcknowledged", { subtask: "SNK[0]", checkpoint: 2 }),
          do: "fail-task",
          target: "MAP[0]",
        },
      ],
      slowMap,
    );
    const { lines, entries } = result;
    expect(lines).not.toContain("CheckpointCompleted 2");
    expect(
      firstMissing(lines, [
        "CheckpointAcknowledged SNK[0] 2",
        "CheckpointAborted 2 CHECKPOINT_COORDINATOR_SUSPEND",
        ...rollback(1, s1),
        "TransactionAborted SNK[0] P-0-2 2",
        "TransactionBegun SNK[0] P-0-2 2",
      ]),
    ).toBeNull();
    const aborted = entries
      .filter((entry) => entry.type === "TransactionAborted")
      .map((entry) => [entry["transaction"], entry["decider"]]);
    expect(aborted).toContainEqual(["P-0-2", "restore"]);
    expect(aborted).not.toContainEqual(["P-0-2", "close"]);
    expect(
      entries.find(
        (entry) =>
          entry.type === "CheckpointTriggered" &&
          entry.step > (entries.find(({ type }) => type === "RestartScheduled")?.step ?? 0),
      ),
    ).toMatchObject({ checkpoint: 3 });
    expectExact(result);
  });

  test("FI-08: the notification of 2 is lost, so T2 is committed with T3 and in order", () => {
    const result = run("linear", {
      at: after("CheckpointCompleted", { checkpoint: 2 }),
      do: "lose-rpc",
      rpc: "notify-complete",
      target: "SNK[0]",
      checkpoint: 2,
    });
    expect(
      firstMissing(result.lines, [
        "CheckpointCompleted 2",
        "CheckpointCompleted 3",
        "NotificationDelivered SNK[0] 3 complete",
        "TransactionCommitted SNK[0] P-0-2 2",
        "TransactionCommitted SNK[0] P-0-3 3",
      ]),
    ).toBeNull();
    expect(result.lines).toContain("MessageLost SNK[0] 2");
    expect(result.lines).not.toContain("NotificationDelivered SNK[0] 2 complete");
    expectExact(result);
  });

  test("FI-09: the sink is killed with the notification of 2 under way, and the restore commits T2", () => {
    const result = run("linear", {
      at: after("CheckpointCompleted", { checkpoint: 2 }),
      do: "kill-taskmanager",
      target: "tm-3",
    });
    expect(
      firstMissing(result.lines, [
        "CheckpointCompleted 2",
        "TaskStopped SNK[0] LOST",
        ...rollback(2, s1),
        "TransactionCommitRequested SNK[0] P-0-2 2",
        "TransactionCommitted SNK[0] P-0-2 2",
        "TransactionBegun SNK[0] P-0-3 3",
      ]),
    ).toBeNull();
    expect(result.lines).not.toContain("NotificationDelivered SNK[0] 2 complete");
    expect(
      result.entries.find((entry) => entry.type === "TransactionCommitted" && entry["transaction"] === "P-0-2"),
    ).toMatchObject({ decider: "restore", again: false });
    expect(result.entries.find((entry) => entry.type === "SourceRewound")).toMatchObject({ target: 8 });
    expectExact(result);
  });

  test("FI-10: T2 is committed but the reply is lost with the sink; committing again adds nothing", () => {
    const result = run("linear", {
      at: after("TransactionCommitted", { transaction: "P-0-2" }),
      do: "kill-taskmanager",
      target: "tm-3",
    });
    const commits = result.entries.filter(
      (entry) => entry.type === "TransactionCommitted" && entry["transaction"] === "P-0-2",
    );
    expect(commits.map((entry) => [entry["decider"], entry["again"]])).toEqual([
      ["notification", false],
      ["restore", true],
    ]);
    expect(
      firstMissing(result.lines, [
        "TransactionCommitted SNK[0] P-0-2 2",
        ...rollback(2, s1),
        "TransactionCommitted SNK[0] P-0-2 2",
      ]),
    ).toBeNull();
    expectExact(result);
  });

  test("FI-11: one sink has committed and the other is killed before it does; both commit in the end", () => {
    const result = run("shuffle", {
      at: { before: "TransactionCommitted", subtask: "SNK[1]", checkpoint: 2 },
      do: "fail-task",
      target: "SNK[1]",
    });
    const { lines, entries } = result;
    expect(firstMissing(lines, ["CheckpointCompleted 2", ...rollback(2, ["SNK[0]", "SNK[1]"])])).toBeNull();
    const commits = entries.filter((entry) => entry.type === "TransactionCommitted" && entry["checkpoint"] === 2);
    expect(new Set(commits.map((entry) => entry["subtask"]))).toEqual(new Set(["SNK[0]", "SNK[1]"]));
    expectExact(result);
  });
});

describe("the worked traces", () => {
  test("W1: checkpoint 2 without a fault happens in the order of the specification", () => {
    const { lines } = run("linear");
    expect(
      firstMissing(lines, [
        "CheckpointTriggered 2 CHECKPOINT",
        "BarrierEmitted SRC[0] 2",
        "SnapshotTaken SRC[0] 2",
        "BarrierReceived MAP[0] 2",
        "AlignmentCompleted MAP[0] 2",
        "BarrierEmitted MAP[0] 2",
        "SnapshotTaken MAP[0] 2",
        "BarrierReceived SNK[0] 2",
        "TransactionPreCommitted SNK[0] P-0-2 2",
        "SnapshotTaken SNK[0] 2",
        "TransactionBegun SNK[0] P-0-3 3",
        "CheckpointAcknowledged SNK[0] 2",
        "CheckpointMetadataWritten 2",
        "CheckpointCompleted 2",
        "CheckpointSubsumed 1",
        "NotificationDelivered SNK[0] 2 complete",
        "TransactionCommitted SNK[0] P-0-2 2",
      ]),
    ).toBeNull();
  });

  test("SK-153: after a rollback the next transaction has the old name, and the one after it skips the spent id", () => {
    const { entries } = runWith(
      "linear",
      [
        {
          at: after("CheckpointAcknowledged", { subtask: "SNK[0]", checkpoint: 2 }),
          do: "fail-task",
          target: "MAP[0]",
        },
      ],
      slowMap,
    );
    const restarted = entries.find(({ type }) => type === "RestartScheduled")?.step ?? 0;
    const begun = entries
      .filter((entry) => entry.type === "TransactionBegun" && entry.step > restarted)
      .map((entry) => [entry["transaction"], entry["epoch"]]);
    expect(begun.slice(0, 2)).toEqual([
      ["P-0-2", 3],
      ["P-0-4", 1],
    ]);
  });
});
