import { describe, expect, test } from "vitest";
import { at } from "../../base/assert.ts";
import type { CheckpointRow, Report } from "../../scenario/report.ts";
import { runScenario } from "../run.ts";
import { libraryScenario, withFaults } from "../testing/runs.ts";

type Json = { [key: string]: unknown };

function report(id: string, change: (source: Json) => void = () => {}, ...faults: Json[]): Report {
  return runScenario(withFaults(id, faults, change), { checkInvariants: true }).report;
}

const configure =
  (options: Json) =>
  (source: Json): void => {
    source["config"] = { ...(source["config"] as Json), ...options };
  };
const failTask = (target: string, when: Json): Json => ({ at: when, do: "fail-task", target });
const checkpointLine = ({
  id,
  status,
  failure,
  countsAsFailure,
  consecutiveFailures,
  triggered,
  ended,
  retained,
}: CheckpointRow): string =>
  `${id} ${status} ${failure ?? "-"} ${countsAsFailure ? "counts" : "-"} ${consecutiveFailures} ${triggered}..${ended ?? ""}${retained ? " retained" : ""}`;

describe("checkpoints", () => {
  test("each has when it was triggered and ended, and what each subtask's part took", () => {
    const { checkpoints } = report("linear");
    expect(checkpoints.map(checkpointLine)).toEqual([
      "1 COMPLETED - - 0 301..331",
      "2 COMPLETED - - 0 701..731",
      "3 COMPLETED - - 0 1101..1131 retained",
    ]);
    expect(at(checkpoints, 0).subtasks).toEqual([
      {
        subtask: "SRC[0]",
        acked: 324,
        finished: false,
        startDelay: 1,
        alignment: 0,
        sync: 1,
        async: 20,
        unaligned: false,
        processed: 0,
        persisted: 0,
      },
      {
        subtask: "MAP[0]",
        acked: 326,
        finished: false,
        startDelay: 3,
        alignment: 0,
        sync: 1,
        async: 20,
        unaligned: false,
        processed: 0,
        persisted: 0,
      },
      {
        subtask: "SNK[0]",
        acked: 331,
        finished: false,
        startDelay: 6,
        alignment: 0,
        sync: 1,
        async: 20,
        unaligned: false,
        processed: 0,
        persisted: 0,
      },
    ]);
  });

  test("one that expires fails, counts, and lists who did not acknowledge with null", () => {
    const slow = (source: Json): void => {
      configure({
        "execution.checkpointing.timeout": "50 ms",
        "execution.checkpointing.tolerable-failed-checkpoints": 1,
      })(source);
      source["timing"] = { overrides: [{ vertex: "MAP", checkpoint: 2, "snapshot.async": "350 ms" }] };
    };
    const { checkpoints, recoveries } = report("linear", slow);
    expect(checkpoints.map(checkpointLine)).toEqual([
      "1 COMPLETED - - 0 301..331",
      "2 FAILED CHECKPOINT_EXPIRED counts 1 701..751",
      "3 COMPLETED - - 0 1101..1131 retained",
    ]);
    expect(at(checkpoints, 1).subtasks.map(({ subtask, acked, async }) => [subtask, acked, async])).toEqual([
      ["SRC[0]", 724, 20],
      ["MAP[0]", null, 350],
      ["SNK[0]", 731, 20],
    ]);
    expect(at(checkpoints, 1).stateBytes).toBeLessThan(at(checkpoints, 0).stateBytes);
    expect(recoveries).toEqual([]);
  });

  test.each([
    ["NO_EXTERNALIZED_CHECKPOINTS", false],
    ["DELETE_ON_CANCELLATION", true],
    ["RETAIN_ON_CANCELLATION", true],
  ])("CP-168: when the job has FAILED, %s leaves files: %j", (retention, kept) => {
    const options = {
      "restart-strategy.type": "none",
      "execution.checkpointing.externalized-checkpoint-retention": retention,
    };
    const { checkpoints, job } = report(
      "linear",
      configure(options),
      failTask("MAP[0]", { after: "CheckpointCompleted", checkpoint: 2 }),
    );
    expect(job.status).toBe("FAILED");
    expect(checkpoints.map(({ id, retained }) => [id, retained])).toEqual([
      [1, false],
      [2, kept],
    ]);
  });

  test("a trigger that meets the minimum pause is listed as rejected", () => {
    const often = configure({
      "execution.checkpointing.min-pause": "900 ms",
      "execution.checkpointing.interval": "1 s",
    });
    const slow = (source: Json): void => {
      often(source);
      source["initialDelay"] = "500 ms";
      source["timing"] = { "snapshot.async": "300 ms" };
    };
    expect(report("order-totals", slow).rejectedTriggers[0]).toEqual({
      at: expect.any(Number) as number,
      kind: "CHECKPOINT",
      reason: "MINIMUM_TIME_BETWEEN_CHECKPOINTS",
    });
  });
});

describe("recoveries", () => {
  test("a failure of the job as a whole is told as such, though a task failed just before it", () => {
    const { recoveries } = runScenario(
      withFaults("linear", [
        { at: { after: "CheckpointCompleted", checkpoint: 1 }, do: "fail-task", target: "MAP[0]" },
        { at: { after: "TaskFailed" }, do: "fail-job" },
      ]),
    ).report;
    expect(recoveries.map(({ cause, scope }) => [cause, scope])).toEqual([
      ["MAP[0]: USER_EXCEPTION", "region"],
      ["JOB_FAILURE", "global"],
    ]);
  });

  test("one that is granted says who restarts when, from what, and what it does to positions and transactions", () => {
    const { recoveries, job } = report(
      "linear",
      undefined,
      failTask("MAP[0]", { after: "RecordWritten", record: "in-0@5" }),
    );
    expect(recoveries).toEqual([
      {
        at: expect.any(Number) as number,
        submission: 0,
        cause: "MAP[0]: USER_EXCEPTION",
        granted: true,
        delay: 10_000,
        restartedAt: expect.any(Number) as number,
        runningAt: expect.any(Number) as number,
        scope: "region",
        restarted: ["SRC[0]", "MAP[0]", "SNK[0]"],
        restoredFrom: 1,
        rewound: { "in-0": [6, 4] },
        transactionsAborted: ["P-0-2"],
        transactionsCommitted: [],
      },
    ]);
    const [{ at: known, restartedAt, runningAt }] = recoveries as [(typeof recoveries)[0]];
    expect(restartedAt).toBe(known + 10_000);
    expect(runningAt).toBeGreaterThan(restartedAt ?? 0);
    expect(job).toEqual({ status: "RUNNING", restarts: 1, failureCause: null });
  });

  test("FR-042: a failure in one region restarts that region only", () => {
    const { recoveries } = report(
      "two-lanes",
      undefined,
      failTask("MAP[1]", { after: "RecordProcessed", subtask: "MAP[1]", record: "in-1@5" }),
    );
    expect(recoveries.map(({ scope, restarted, rewound }) => ({ scope, restarted, rewound }))).toEqual([
      {
        scope: "region",
        restarted: ["SRC[1]", "MAP[1]", "SNK[1]"],
        rewound: { "in-1": [expect.any(Number) as number, 4] },
      },
    ]);
  });

  test("FR-066: one that is refused restarts nobody, and is why the job FAILED", () => {
    const { recoveries, job, submissions } = report(
      "linear",
      configure({ "restart-strategy.type": "none" }),
      failTask("SRC[0]", { time: "450 ms" }),
    );
    expect(recoveries).toMatchObject([
      {
        cause: "SRC[0]: USER_EXCEPTION",
        granted: false,
        delay: null,
        restartedAt: null,
        runningAt: null,
        scope: "region",
        restarted: [],
        restoredFrom: null,
      },
    ]);
    expect(job).toEqual({ status: "FAILED", restarts: 0, failureCause: "SRC[0]: USER_EXCEPTION" });
    expect(submissions).toMatchObject([
      { at: 0, from: null, status: "FAILED", failureCause: "SRC[0]: USER_EXCEPTION", lost: false },
    ]);
  });

  test("a failure that is tied to no task restarts everything", () => {
    const { recoveries } = report("two-lanes", undefined, { at: { time: "450 ms" }, do: "fail-job" });
    expect(recoveries).toMatchObject([{ cause: "JOB_FAILURE", scope: "global", restoredFrom: 1 }]);
    expect(at(recoveries, 0).restarted).toHaveLength(6);
  });

  test("too many failed checkpoints are a failure of the job", () => {
    const slow = (source: Json): void => {
      configure({ "execution.checkpointing.timeout": "50 ms" })(source);
      source["timing"] = { overrides: [{ vertex: "MAP", checkpoint: 2, "snapshot.async": "350 ms" }] };
    };
    expect(report("linear", slow).recoveries).toMatchObject([
      { cause: "CHECKPOINT_FAILURE_THRESHOLD", scope: "global", granted: true, restoredFrom: 1 },
    ]);
  });

  test("FR-064: a failure inside a backoff of exponential delay is a row of its own, and no further restart", () => {
    const exponential = configure({
      "restart-strategy.type": "exponential-delay",
      "restart-strategy.exponential-delay.jitter-factor": 0,
    });
    const { recoveries, job } = report(
      "two-lanes",
      exponential,
      failTask("MAP[0]", { time: "450 ms" }),
      failTask("MAP[1]", { time: "650 ms" }),
    );
    expect(recoveries.map(({ delay, restarted }) => [delay, restarted[0]])).toEqual([
      [1000, "SRC[0]"],
      [800, "SRC[1]"],
    ]);
    expect(job.restarts).toBe(1);
  });

  test("FR-047: a later failure of the same subtasks takes them over from an earlier restart, which then starts nobody", () => {
    const { recoveries } = report("linear", undefined, failTask("MAP[0]", { time: "450 ms" }), {
      at: { time: "5 s" },
      do: "fail-job",
    });
    expect(
      recoveries.map(({ scope, restartedAt, runningAt }) => [scope, restartedAt !== null, runningAt !== null]),
    ).toEqual([
      ["region", false, false],
      ["global", true, true],
    ]);
  });
});

describe("transactions", () => {
  const lines = ({ transactions }: Report): string[] =>
    transactions.map(
      ({ id, checkpoint, state, records, decidedBy, commitAttempts }) =>
        `${id} ${checkpoint ?? "-"} ${state} ${records} ${decidedBy ?? "-"} ${commitAttempts}`,
    );

  test("one row for each that was begun, in that order, with how it was decided", () => {
    expect(lines(report("linear"))).toEqual([
      "P-0-1 1 COMMITTED 4 notification 1",
      "P-0-2 2 COMMITTED 4 notification 1",
      "P-0-3 3 COMMITTED 4 notification 1",
      "P-0-4 - OPEN 0 - 0",
    ]);
  });

  test("SK-153: after a rollback a name comes twice, once for each time that it was used", () => {
    const rolledBack = report("linear", undefined, failTask("MAP[0]", { after: "RecordWritten", record: "in-0@5" }));
    expect(lines(rolledBack).slice(0, 3)).toEqual([
      "P-0-1 1 COMMITTED 4 notification 2",
      "P-0-2 - ABORTED 2 close 0",
      "P-0-2 2 COMMITTED 8 notification 1",
    ]);
  });

  test("SK-142: one in which nothing was written is left out", () => {
    const idle = report(
      "linear",
      (source) =>
        (source["faults"] = [...(source["faults"] as Json[]), { at: { time: "2 s" }, do: "trigger-checkpoint" }]),
    );
    expect(lines(idle).at(-1)).toBe("P-0-5 - OPEN 0 - 0");
    expect(lines(idle).some((line) => line.startsWith("P-0-4"))).toBe(false);
  });

  test("KF-020: one that the log gives up says so", () => {
    const expired = report("linear", undefined, {
      at: { after: "TransactionPreCommitted", transaction: "P-0-2" },
      do: "expire-transaction",
      transaction: "P-0-2",
    });
    expect(lines(expired)[1]).toBe("P-0-2 2 TIMED_OUT 4 timeout 1");
  });
});

describe("sources, deployment and notices", () => {
  test("SK-008: a source with a consumer group tells it the positions of completed checkpoints", () => {
    const grouped = (source: Json): void => {
      (source["job"] as { vertices: Json[] }).vertices[0] = {
        ...(source["job"] as { vertices: Json[] }).vertices[0],
        groupId: "g",
      };
    };
    expect(report("two-lanes", grouped).sources).toEqual([
      { partition: "in-0", position: 12, groupOffset: 12, lag: 0 },
      { partition: "in-1", position: 12, groupOffset: 12, lag: 0 },
    ]);
    expect(report("two-lanes").sources).toEqual([
      { partition: "in-0", position: 12, groupOffset: null, lag: null },
      { partition: "in-1", position: 12, groupOffset: null, lag: null },
    ]);
  });

  test("two sources of one topic have a row each", () => {
    const twice = (source: Json): void => {
      const job = source["job"] as { vertices: Json[]; edges: Json[] };
      job.vertices.push({ uid: "AGAIN", type: "kafka-source", topic: "in", slotSharingGroup: "source" });
      job.edges.push({ from: "AGAIN", to: "MAP", ship: "forward" });
    };
    expect(report("linear", twice).sources.map(({ partition, position }) => [partition, position])).toEqual([
      ["in-0", 12],
      ["in-0", 12],
    ]);
  });

  test("every TaskManager is listed with the subtasks that were placed there", () => {
    expect(report("linear").deployment).toEqual({ "tm-1": ["SRC[0]"], "tm-2": ["MAP[0]"], "tm-3": ["SNK[0]"] });
    expect(report("order-totals").deployment).toEqual({
      "tm-1": ["orders[0]", "total[0]", "out[0]"],
      "tm-2": ["orders[1]", "total[1]"],
    });
  });

  test("a fault that never acts is a notice, beside those of the scenario", () => {
    const { notices } = report(
      "linear",
      configure({ "task.cancellation.interval": "9 s" }),
      failTask("MAP[0]", { after: "CheckpointCompleted", checkpoint: 99 }),
    );
    expect(notices.map(({ code, path }) => [code, path])).toEqual([
      ["NOT_SIMULATED", "config.task.cancellation.interval"],
      ["FAULT_NEVER_FIRED", "faults[3]"],
    ]);
  });

  test("the same run gives the same report, byte for byte", () => {
    const text = (): string => JSON.stringify(runScenario(libraryScenario("order-totals")).report);
    expect(text()).toBe(text());
  });
});
