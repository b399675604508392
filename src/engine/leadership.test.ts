/** The leader is lost: `recovery-and-sinks.md` 7.1 and 13.4, with a standby and without. S1 is `linear`. */
import { describe, expect, test } from "vitest";
import type { TraceEntry } from "../protocol/trace.ts";
import { type RunResult, runScenario } from "./run.ts";
import { entriesOf, firstMissing, told, withFaults } from "./testing/runs.ts";

type Json = Record<string, unknown>;
interface Run extends RunResult {
  readonly entries: readonly TraceEntry[];
  readonly lines: readonly string[];
}

const files = { "execution.checkpointing.storage": "filesystem", "execution.checkpointing.dir": "s3://bucket/flink" };
const standby = { ...files, "high-availability.type": "zookeeper" };

function run(config: Json, faults: Json[], change: (source: Json) => void = () => {}, id = "linear"): Run {
  const scenario = withFaults(id, faults, (source) => {
    source["config"] = { ...(source["config"] as Json), ...config };
    change(source);
  });
  const result = runScenario(scenario, { checkInvariants: true });
  const entries = entriesOf(result.graph, result.log);
  return { ...result, entries, lines: entries.map(told) };
}

const kill = (at: Json, more: Json = {}): Json => ({ at, do: "kill-jobmanager", ...more });
const after = (event: string, match: Json = {}): Json => ({ after: event, ...match });

/** The asynchronous part of MAP's checkpoint 2 takes so long that SNK acknowledges first. */
const slowMap = (source: Json): void => {
  source["timing"] = { overrides: [{ vertex: "MAP", checkpoint: 2, "snapshot.async": "200 ms" }] };
};

/** EXACT: a committed reader has every record once, the state too, and no invariant was violated. */
function expectExact({ report, violations }: Run): void {
  expect(violations).toEqual([]);
  expect(report.ended).toBe("drained");
  for (const row of report.delivery.filter(({ reader }) => reader === "read_committed"))
    expect(row).toMatchObject({ seen: row.expected, lost: [], duplicated: [], pending: [], differing: [] });
  expect(report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
}

const tasks = ["SRC[0]", "MAP[0]", "SNK[0]"];
/** The whole job is run anew by a new leader, from checkpoint `k`. */
const takenOver = (k: number): string[] => [
  "LeadershipLost",
  "JobStatusChanged RUNNING>SUSPENDED",
  ...tasks.map((task) => `TaskStopped ${task} FAILED`),
  `LeadershipGranted ${k}`,
  "JobStatusChanged SUSPENDED>INITIALIZING",
  "JobStatusChanged INITIALIZING>CREATED",
  "JobStatusChanged CREATED>RUNNING",
  ...tasks.map((task) => `StateRestored ${task} ${k}`),
  ...tasks.map((task) => `TaskStateChanged ${task} CREATED>SCHEDULED`),
];
const fate = ({ report }: Run, id: string): unknown =>
  report.transactions.find((transaction) => transaction.id === id && transaction.decidedBy !== "fence");
const ids = ({ report }: Run): number[] => report.checkpoints.map(({ id }) => id);

describe("a standby takes over", () => {
  test("FI-06: all have acknowledged and nothing is stored, so the new leader finds checkpoint 1 and T2 is aborted", () => {
    const result = run(standby, [kill({ before: "CheckpointCompleted", checkpoint: 2 })]);
    expect(firstMissing(result.lines, ["CheckpointMetadataWritten 2", ...takenOver(1)])).toBeNull();
    expect(fate(result, "P-0-2")).toMatchObject({ state: "ABORTED", decidedBy: "restore" });
    expect(result.lines).not.toContain("CheckpointCompleted 2");
    expectExact(result);
  });

  test("FI-06: it is the same before the metadata is written", () => {
    const result = run(standby, [kill({ before: "CheckpointMetadataWritten", checkpoint: 2 })]);
    expect(firstMissing(result.lines, takenOver(1))).toBeNull();
    expectExact(result);
  });

  test("FI-07, CP-134: the pointer is stored and nobody was told, so T2 is committed by the restore", () => {
    const result = run(standby, [kill(after("CheckpointCompleted", { checkpoint: 2 }))]);
    expect(firstMissing(result.lines, [...takenOver(2), "TransactionCommitted SNK[0] P-0-2 2"])).toBeNull();
    expect(result.lines.some((line) => line === "NotificationDelivered SNK[0] 2 complete")).toBe(false);
    expect(fate(result, "P-0-2")).toMatchObject({ state: "COMMITTED", decidedBy: "restore" });
    expectExact(result);
  });

  test("FI-20: before any acknowledgement; the id is not used again", () => {
    const result = run(standby, [kill(after("CheckpointTriggered", { checkpoint: 2 }))]);
    expect(firstMissing(result.lines, takenOver(1))).toBeNull();
    expect(ids(result)).toEqual([1, 2, 3]);
    expect(result.report.checkpoints[1]).toMatchObject({ id: 2, status: "FAILED", failure: null });
    expectExact(result);
  });

  test("FI-21: the sink has acknowledged and the map has not: T2 was pre-committed, and is aborted", () => {
    const result = run(standby, [kill(after("CheckpointAcknowledged", { checkpoint: 2, subtask: "SNK[0]" }))], slowMap);
    expect(firstMissing(result.lines, ["TransactionPreCommitted SNK[0] P-0-2 2", ...takenOver(1)])).toBeNull();
    expect(fate(result, "P-0-2")).toMatchObject({ state: "ABORTED" });
    expectExact(result);
  });

  test("FI-22, FR-088: the source knows that 2 is complete and the sink does not: T2 is committed by the restore, and the group's offsets that are ahead change nothing", () => {
    // The call to the sink was not made any more; the source has its own.
    const unsent = { at: { time: 0 }, do: "lose-rpc", rpc: "notify-complete", target: "SNK[0]", checkpoint: 2 };
    const grouped = (source: Json): void => {
      for (const vertex of (source["job"] as { vertices: Json[] }).vertices)
        if (vertex["uid"] === "SRC") vertex["groupId"] = "orders";
    };
    const told = kill(after("OffsetsCommitted", { checkpoint: 2, subtask: "SRC[0]" }));
    const result = run(standby, [unsent, told], grouped);
    expect(
      firstMissing(result.lines, [
        "NotificationDelivered SRC[0] 2 complete",
        "OffsetsCommitted SRC[0] 2",
        ...takenOver(2),
        "TransactionCommitted SNK[0] P-0-2 2",
      ]),
    ).toBeNull();
    expect(result.lines).not.toContain("NotificationDelivered SNK[0] 2 complete");
    expect(fate(result, "P-0-2")).toMatchObject({ state: "COMMITTED", decidedBy: "restore" });
    // The restored source reads from what checkpoint 2 says, which is where the group stands.
    expect(result.entries.find(({ type }) => type === "SourceRewound")).toMatchObject({ target: 8 });
    expectExact(result);
  });

  test("FI-05, CP-124: the store cannot be reached for pointer 2: the checkpoint fails, its files are discarded, and a leader goes back to 1", () => {
    const unreachable = {
      at: { before: "CheckpointCompleted", checkpoint: 2 },
      do: "storage-down",
      what: "ha",
      for: "1 s",
    };
    const result = run(standby, [unreachable, kill(after("CheckpointAborted", { checkpoint: 2 }))]);
    expect(
      firstMissing(result.lines, [
        "CheckpointMetadataWritten 2",
        "CheckpointAborted 2 FINALIZE_CHECKPOINT_FAILURE",
        ...takenOver(1),
      ]),
    ).toBeNull();
    expect(result.report.files.map(({ path }) => /chk-\d/.exec(path)?.[0])).not.toContain("chk-2");
    expect(fate(result, "P-0-2")).toMatchObject({ state: "ABORTED" });
    expectExact(result);
  });

  test("FI-25, CP-124: a leader that finds pointer 2 there after all restores 2 and commits T2", () => {
    const unanswered = {
      at: { before: "CheckpointCompleted", checkpoint: 2 },
      do: "storage-down",
      what: "ha",
      kind: "reply-lost",
      for: "1 s",
    };
    const result = run(standby, [unanswered, kill(after("CheckpointAborted", { checkpoint: 2 }))]);
    expect(
      firstMissing(result.lines, [
        "CheckpointMetadataWritten 2",
        "CheckpointAborted 2 FINALIZE_CHECKPOINT_FAILURE",
        "LeadershipLost",
        "CheckpointRecovered 2",
        "LeadershipGranted 2",
        ...tasks.map((task) => `StateRestored ${task} 2`),
        "TransactionCommitted SNK[0] P-0-2 2",
      ]),
    ).toBeNull();
    expect(result.lines).not.toContain("CheckpointCompleted 2");
    expectExact(result);
    // A later one that was stored is the newest there: 2 is of no use to anybody any more.
    const tolerant = { ...standby, "execution.checkpointing.tolerable-failed-checkpoints": 9 };
    const later = run(tolerant, [unanswered, kill(after("CheckpointCompleted", { checkpoint: 3 }))]);
    expect(later.lines).toContain("LeadershipGranted 3");
    expect(later.lines).not.toContain("CheckpointRecovered 2");
    expectExact(later);
  });

  test("FI-25: the same with nobody lost: the job goes back to 1, or, tolerated, goes on with 3, whatever the store holds", () => {
    const unanswered = {
      at: { before: "CheckpointCompleted", checkpoint: 2 },
      do: "storage-down",
      what: "ha",
      kind: "reply-lost",
      for: "1 s",
    };
    const back = run(standby, [unanswered]);
    expect(
      firstMissing(back.lines, ["RestartScheduled", ...tasks.map((task) => `StateRestored ${task} 1`)]),
    ).toBeNull();
    expectExact(back);
    const tolerated = run({ ...standby, "execution.checkpointing.tolerable-failed-checkpoints": 1 }, [unanswered]);
    expect(firstMissing(tolerated.lines, ["CheckpointCompleted 3", "TransactionCommitted SNK[0] P-0-2 2"])).toBeNull();
    expectExact(tolerated);
  });

  test("FR-030: no attempt outlives the leader: each is CANCELED with it, and each subtask is deployed anew by the next one", () => {
    const result = run(standby, [kill(after("CheckpointCompleted", { checkpoint: 2 }))]);
    const lost = result.entries.findIndex(({ type }) => type === "LeadershipLost");
    const granted = result.entries.findIndex(({ type }) => type === "LeadershipGranted");
    const between = result.entries.slice(lost, granted);
    for (const subtask of tasks) {
      const of = ({ type, subtask: name }: TraceEntry): boolean => type === "TaskStateChanged" && name === subtask;
      expect(between.filter(of).map(({ to }) => to)).toEqual(["CANCELED"]);
      expect(
        result.entries
          .slice(granted)
          .filter(of)
          .map(({ to }) => to),
      ).toEqual(["SCHEDULED", "DEPLOYING", "INITIALIZING", "RUNNING"]);
    }
    // Threads that the leader started are ended by their TaskManagers before the next one begins.
    expect(between.filter(({ type }) => type === "TaskStopped")).toHaveLength(3);
  });

  test.each(["zookeeper", "kubernetes", "ZOOKEEPER"])(
    "FR-100: high-availability.type %s gives it a standby",
    (type) => {
      const result = run({ ...files, "high-availability.type": type }, [
        kill(after("CheckpointCompleted", { nth: 1 })),
      ]);
      expect(result.lines).toContain("LeadershipGranted 1");
      expectExact(result);
    },
  );

  test("FR-100: what high availability keeps is the job, pointers to completed checkpoints and the counter of their ids; nothing that was pending", () => {
    const result = run(standby, [kill(after("CheckpointAcknowledged", { checkpoint: 2, subtask: "SRC[0]" }))]);
    expect(result.lines).toContain("LeadershipGranted 1");
    expect(ids(result)).toEqual([1, 2, 3]);
    expect(result.report.checkpoints.map(({ status }) => status)).toEqual(["COMPLETED", "FAILED", "COMPLETED"]);
    const { "high-availability.type": _, ...none } = standby;
    const lost = run({ ...none, "high-availability.type": "NONE" }, [kill(after("CheckpointCompleted", { nth: 1 }))]);
    expect(lost.lines.some((line) => line.startsWith("LeadershipGranted"))).toBe(false);
  });

  test("CP-111: checkpoints in the JobManager's memory are lost with it, but not where high availability keeps what their pointers lead to", () => {
    const killed = kill(after("CheckpointCompleted", { checkpoint: 2 }));
    const retained = ({ report }: Run): number[] =>
      report.checkpoints.filter((row) => row.retained).map(({ id }) => id);
    const memory = { "execution.checkpointing.storage": "jobmanager" };
    expect(retained(run(memory, [killed]))).toEqual([]);
    // It had no time to subsume 1.
    expect(retained(run(files, [killed]))).toEqual([1, 2]);
    const taken = run({ ...memory, "high-availability.type": "zookeeper" }, [killed]);
    expect(firstMissing(taken.lines, takenOver(2))).toBeNull();
    expect(retained(taken)).toEqual([3]);
    expectExact(taken);
  });

  test("FI-23: while the sink commits T2: the TaskManager fails the task, and the commit is repeated", () => {
    const result = run(standby, [
      kill(after("TransactionCommitRequested", { subtask: "SNK[0]", transaction: "P-0-2" })),
    ]);
    expect(firstMissing(result.lines, ["TransactionCommitRequested SNK[0] P-0-2 2", ...takenOver(2)])).toBeNull();
    expect(fate(result, "P-0-2")).toMatchObject({ state: "COMMITTED" });
    expectExact(result);
  });

  test("FR-102: with no checkpoint in the store the job begins anew", () => {
    const result = run(standby, [kill({ time: "100 ms" })]);
    expect(firstMissing(result.lines, ["LeadershipLost", "LeadershipGranted 0"])).toBeNull();
    expect(result.lines.some((line) => line.startsWith("StateRestored"))).toBe(false);
    expectExact(result);
  });

  test.each([
    ["while it is set up", { before: "AttemptCreated", nth: 2 }],
    ["before its first entry", { before: "JobStatusChanged", to: "CREATED" }],
    ["while it waits for tasks to be deployed", after("TaskStateChanged", { to: "DEPLOYING", nth: 2 })],
    ["while tasks start", after("TaskStateChanged", { to: "INITIALIZING" })],
  ])("FR-102: the leader of a job is lost %s", (_, moment) => {
    const result = run(standby, [kill(moment)]);
    expect(result.lines).toContain("LeadershipGranted 0");
    expectExact(result);
  });

  test("FR-101: a restart that was granted is gone, and the counter of the restart strategy begins anew", () => {
    const once = { "restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": 1 };
    const fail = (nth: number): Json => ({
      at: { after: "CheckpointCompleted", nth },
      do: "fail-task",
      target: "MAP[0]",
    });
    const lost = kill(after("RestartScheduled"));
    const result = run({ ...standby, ...once }, [fail(1), lost, fail(2)]);
    expect(
      firstMissing(result.lines, ["RestartScheduled", "LeadershipLost", "JobStatusChanged RESTARTING>SUSPENDED"]),
    ).toBeNull();
    expect(result.report.job).toMatchObject({ status: "RUNNING", restarts: 2 });
    expectExact(result);
    const without = run({ ...standby, ...once }, [fail(1), fail(2)]);
    expect(without.report.job.status).toBe("FAILED");
  });

  test("the takeover lasts as long as the fault says, else jobmanager.takeover", () => {
    const granted = (result: Run): number => {
      const clock = (type: string): number => result.entries.find((entry) => entry.type === type)?.clock ?? -1;
      return clock("LeadershipGranted") - clock("LeadershipLost");
    };
    const at = after("CheckpointCompleted", { checkpoint: 1 });
    expect(granted(run(standby, [kill(at)]))).toBe(5000);
    expect(granted(run(standby, [kill(at, { for: "700 ms" })]))).toBe(700);
    const timing = (source: Json): void => void (source["timing"] = { "jobmanager.takeover": "2 s" });
    expect(granted(run(standby, [kill(at)], timing))).toBe(2000);
    const atOnce = run(standby, [kill(at, { for: "0 ms" })]);
    expect(granted(atOnce)).toBe(0);
    expectExact(atOnce);
  });

  test("FR-104: no message to the leader that is gone reaches the next one", () => {
    const result = run(standby, [
      kill(after("SnapshotPersisted", { checkpoint: 2, subtask: "SRC[0]" }), { for: "0 ms" }),
    ]);
    const from = result.lines.indexOf("LeadershipLost");
    const about = result.lines
      .slice(from)
      .filter((line) => /^(CheckpointAck|Acknowledgement|CheckpointDeclined).* 2/.test(line));
    expect(about).toEqual([]);
    expectExact(result);
  });

  test("FI-26, FR-104: what a deposed leader had sent arrives when another one is in the lead, and changes nothing", () => {
    const slow = (source: Json): void => void (source["timing"] = { rpc: "80 ms" });
    for (const event of ["CheckpointTriggered", "CheckpointCompleted"]) {
      const result = run(standby, [kill(after(event, { checkpoint: 2 }), { for: "0 ms" })], slow);
      const from = result.lines.findIndex((line) => line.startsWith("LeadershipGranted"));
      // Its triggers for 2, or its word that 2 is complete, are for attempts that the TaskManagers have failed.
      const late = result.lines
        .slice(from)
        .filter((line) => /^(BarrierEmitted|SnapshotTaken) .* 2$|^NotificationDelivered .* 2 complete$/.test(line));
      expect(late).toEqual([]);
      expect(result.lines.slice(from).some((line) => line.startsWith("CheckpointTriggered 3"))).toBe(true);
      expectExact(result);
    }
  });

  test("two leaders are lost, one after the other, and one while nobody is in the lead", () => {
    const first = kill(after("CheckpointCompleted", { checkpoint: 1 }));
    const between = kill({ time: "2 s" });
    const second = kill(after("CheckpointCompleted", { checkpoint: 2 }));
    const result = run(standby, [first, between, second]);
    expect(result.lines.filter((line) => line.startsWith("LeadershipGranted"))).toEqual([
      "LeadershipGranted 1",
      "LeadershipGranted 2",
    ]);
    expectExact(result);
  });

  test("FR-103, FI-61: where the store cannot be read, the standby waits for it", () => {
    const down = { at: { time: "500 ms" }, do: "storage-down", what: "ha", for: "9 s" };
    const result = run(standby, [down, kill({ time: "600 ms" })]);
    expect(result.entries.find(({ type }) => type === "LeadershipGranted")?.clock).toBe(9500);
    expectExact(result);
  });

  test("a TaskManager that is lost with the leader has no slot for the next one", () => {
    const lost = { at: { time: "600 ms" }, do: "kill-taskmanager", target: "tm-2" };
    const back = { at: { time: "9 s" }, do: "restart-taskmanager", target: "tm-2" };
    const result = run(standby, [kill({ time: "600 ms" }), lost, back]);
    const registered = result.entries.filter(({ type }) => type === "TaskManagerRegistered");
    expect(registered.map(({ taskManager }) => taskManager)).toEqual(["tm-1", "tm-3", "tm-2"]);
    expectExact(result);
  });

  test("the report has a recovery that no strategy was asked for", () => {
    const { report } = run(standby, [kill(after("CheckpointCompleted", { checkpoint: 2 }))]);
    expect(report.recoveries).toMatchObject([
      { cause: "JOB_MANAGER_LOST", granted: true, delay: null, scope: "global", restarted: tasks, restoredFrom: 2 },
    ]);
    expect(report.recoveries[0]?.transactionsCommitted).toEqual(["P-0-2"]);
    expect(report.job).toEqual({ status: "RUNNING", restarts: 0, failureCause: null });
    expect(report.submissions[0]).toMatchObject({ lost: false });
  });
});

describe("nobody takes over", () => {
  test("FR-029: without high availability the job is gone: SUSPENDED, lost, and its tasks are failed by TaskManagers", () => {
    const result = run(files, [kill(after("CheckpointCompleted", { checkpoint: 2 }))]);
    expect(result.violations).toEqual([]);
    expect(result.lines.filter((line) => line.startsWith("TaskStopped"))).toEqual(
      tasks.map((task) => `TaskStopped ${task} FAILED`),
    );
    expect(result.lines.some((line) => line.startsWith("LeadershipGranted"))).toBe(false);
    expect(result.report.ended).toBe("drained");
    expect(result.report.job).toEqual({ status: "SUSPENDED", restarts: 0, failureCause: null });
    expect(result.report.submissions[0]).toMatchObject({ status: "SUSPENDED", lost: true });
  });

  test.each(["NO_EXTERNALIZED_CHECKPOINTS", "DELETE_ON_CANCELLATION", "RETAIN_ON_CANCELLATION"])(
    "FR-013, CP-168: a job that has ended keeps its checkpoints or not, as %s says; one that is SUSPENDED keeps all of them",
    (retention) => {
      const config = {
        ...files,
        "execution.checkpointing.externalized-checkpoint-retention": retention,
        "restart-strategy.type": "none",
      };
      const moment = after("CheckpointCompleted", { checkpoint: 2 });
      const left = (do_: string, more: Json = {}): number[] => {
        const result = run(config, [{ at: moment, do: do_, ...more }]);
        // With the job its coordinator ends: nothing is pending, and nothing more is triggered.
        const end = result.entries.findIndex(
          ({ type, to }) => type === "JobStatusChanged" && (to === "FAILED" || to === "SUSPENDED"),
        );
        expect(end).toBeGreaterThan(0);
        expect(result.entries.slice(end).filter(({ type }) => type === "CheckpointTriggered")).toEqual([]);
        return result.report.checkpoints.filter((row) => row.retained).map(({ id }) => id);
      };
      expect(left("fail-task", { target: "MAP[0]" })).toEqual(retention === "NO_EXTERNALIZED_CHECKPOINTS" ? [] : [2]);
      // Killed before it could subsume the older one.
      expect(left("kill-jobmanager")).toEqual([1, 2]);
    },
  );

  test("FR-105, FI-24: T2 is pre-committed and nobody commits it; the log gives it up when it times out", () => {
    const killed = kill(after("CheckpointCompleted", { checkpoint: 2 }));
    const result = run(files, [killed]);
    expect(fate(result, "P-0-2")).toMatchObject({ state: "PRE_COMMITTED", decidedBy: null });
    const later = run(files, [killed], (source) => (source["until"] = { time: "1 d" }));
    expect(fate(later, "P-0-2")).toMatchObject({ state: "TIMED_OUT", decidedBy: "timeout" });
  });

  test("a finished job has nothing to lose", () => {
    const result = run(files, [kill({ time: "1 h" })], (source) => (source["until"] = { time: "2 h" }), "bounded");
    expect(result.report.job.status).toBe("FINISHED");
    expect(result.lines).not.toContain("LeadershipLost");
  });
});
