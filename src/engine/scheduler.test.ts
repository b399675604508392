/** Executions as the JobManager sees them, and slots (`recovery-and-sinks.md` 3 and 4.1). */
import { describe, expect, test } from "vitest";
import { Actor, Op } from "./ops.ts";
import { ExecutionState } from "./states.ts";
import { libraryScenario, withFaults } from "./testing/runs.ts";
import {
  Drive,
  type Small,
  type Story,
  after,
  atTime,
  counter,
  fixedDelay,
  lane,
  small,
  sink,
  source,
  story,
} from "./testing/stories.ts";

/** FR-002, written down here once more. */
const taskPairs = new Set([
  "CREATED SCHEDULED",
  "CREATED CANCELING",
  "CREATED CANCELED",
  "CREATED FAILED",
  "SCHEDULED CANCELING",
  "SCHEDULED CANCELED",
  "SCHEDULED FAILED",
  "SCHEDULED DEPLOYING",
  "DEPLOYING INITIALIZING",
  "INITIALIZING RUNNING",
  ...["DEPLOYING", "INITIALIZING", "RUNNING"].flatMap((from) =>
    ["FINISHED", "CANCELING", "CANCELED", "FAILED"].map((to) => `${from} ${to}`),
  ),
  "CANCELING CANCELED",
]);
/** FR-011. */
const jobPairs = new Set([
  "INITIALIZING CREATED",
  "INITIALIZING FAILED",
  "CREATED RUNNING",
  "RUNNING RESTARTING",
  "RESTARTING RUNNING",
  "RUNNING FINISHED",
  "CREATED FAILING",
  "RUNNING FAILING",
  "RESTARTING FAILING",
  "FAILING FAILED",
  "CREATED CANCELLING",
  "RUNNING CANCELLING",
  "RESTARTING CANCELLING",
  "FAILING CANCELLING",
  "CANCELLING CANCELED",
  "CANCELLING FAILED",
]);

/** Runs with all that can happen to tasks: failures at every stage, lost processes, no slots, denials. */
function eventful(): Story[] {
  const fail = (event: Record<string, unknown>): Record<string, unknown> => ({
    at: event,
    do: "fail-task",
    target: "MAP[0]",
  });
  return [
    story(libraryScenario("order-totals")),
    story(
      withFaults("linear", [
        fail({ time: 700 }),
        fail({ after: "TaskStateChanged", subtask: "MAP[0]", to: "INITIALIZING", nth: 2 }),
        fail({ after: "TaskStateChanged", subtask: "MAP[0]", to: "DEPLOYING", nth: 3 }),
      ]),
    ),
    story(
      withFaults("linear", [
        atTime(700, "kill-taskmanager", { target: "tm-2" }),
        atTime(5000, "fail-job"),
        atTime(15_020, "fail-job"),
      ]),
    ),
    story(
      withFaults("linear", [
        fail({ time: 700 }),
        fail({ time: 20_000 }),
        fail({ time: 40_000 }),
        fail({ time: 60_000 }),
      ]),
    ),
    story(
      withFaults("two-lanes", [
        atTime(700, "kill-taskmanager", { target: "tm-1" }),
        atTime(900, "restart-taskmanager", { target: "tm-1" }),
        atTime(12_000, "fail-job"),
        atTime(12_500, "fail-job"),
      ]),
    ),
    story(
      withFaults(
        "two-lanes",
        [atTime(700, "kill-taskmanager", { target: "tm-1" }), atTime(701, "kill-taskmanager", { target: "tm-2" })],
        (file) => {
          file["config"] = { ...(file["config"] as Record<string, unknown>), "slot.request.timeout": "30 s" };
        },
      ),
    ),
    story(
      withFaults("two-lanes", [fail({ time: 700 }), atTime(800, "fail-task", { target: "MAP[1]" })], (file) => {
        file["config"] = { ...(file["config"] as Record<string, unknown>), "restart-strategy.fixed-delay.attempts": 1 };
      }),
    ),
    story(
      withFaults("linear", [
        after("TaskStateChanged", { to: "DEPLOYING", subtask: "SNK[0]" }, "kill-taskmanager", { target: "tm-2" }),
      ]),
    ),
  ];
}

describe("life cycles", () => {
  test("FR-001, FR-002: tasks take only the legal steps, one after the other, and end in FINISHED, CANCELED or FAILED", () => {
    const taken = new Set<string>();
    for (const run of eventful()) {
      for (const { name } of run.result.graph.subtasks) {
        let state = "none";
        for (const entry of run.entries) {
          if (entry["subtask"] !== name) continue;
          if (entry.type === "AttemptCreated") state = "CREATED";
          if (entry.type !== "TaskStateChanged") continue;
          expect(entry["from"]).toBe(state);
          state = entry["to"] as string;
          taken.add(`${entry["from"] as string} ${state}`);
        }
      }
    }
    expect([...taken].filter((pair) => !taskPairs.has(pair))).toEqual([]);
    expect([...taken].toSorted()).toEqual([
      "CANCELING CANCELED",
      "CREATED SCHEDULED",
      "DEPLOYING CANCELING",
      "DEPLOYING FAILED",
      "DEPLOYING INITIALIZING",
      "INITIALIZING CANCELING",
      "INITIALIZING FAILED",
      "INITIALIZING RUNNING",
      "RUNNING CANCELING",
      "RUNNING FAILED",
      "SCHEDULED CANCELED",
      "SCHEDULED DEPLOYING",
      "SCHEDULED FAILED",
    ]);
  });

  test("FR-002: what is not deployed yet is cancelled at once, without a message", () => {
    // Both TaskManagers are gone: all wait SCHEDULED for slots until one of them has waited too long.
    const run = story(
      withFaults(
        "two-lanes",
        [atTime(700, "kill-taskmanager", { target: "tm-1" }), atTime(701, "kill-taskmanager", { target: "tm-2" })],
        (file) => {
          file["config"] = {
            ...(file["config"] as Record<string, unknown>),
            "slot.request.timeout": "30 s",
            "jobmanager.execution.failover-strategy": "full",
          };
        },
      ),
    );
    const failed = run.first("SlotRequestFailed");
    // The one whose request failed has FAILED, the other five are CANCELED in the same moment.
    const told = run
      .since(failed)
      .entries.filter(({ type, clock }) => type === "TaskStateChanged" && clock === failed.clock);
    expect(told.map(({ from, to }) => [from, to])).toEqual([
      ["SCHEDULED", "FAILED"],
      ...Array.from({ length: 5 }, () => ["SCHEDULED", "CANCELED"]),
    ]);
  });

  test("FR-010, FR-011: the job takes only the legal steps, from INITIALIZING on", () => {
    const taken = new Set<string>();
    for (const run of eventful()) {
      let status = "INITIALIZING";
      for (const { from, to } of run.all("JobStatusChanged")) {
        expect(from).toBe(status);
        status = to as string;
        taken.add(`${from as string} ${status}`);
      }
    }
    expect([...taken].filter((pair) => !jobPairs.has(pair))).toEqual([]);
    expect([...taken].toSorted()).toEqual(
      [
        "CREATED RUNNING",
        "FAILING FAILED",
        "INITIALIZING CREATED",
        "RESTARTING FAILING",
        "RESTARTING RUNNING",
        "RUNNING FAILING",
        "RUNNING RESTARTING",
      ].toSorted(),
    );
  });

  test("FR-003: a task in CANCELING that fails, or whose TaskManager is lost, becomes CANCELED and is no new failure", () => {
    const canceling = (...faults: Record<string, unknown>[]): Story =>
      story(
        small({
          ...lane(1, { chain: false }),
          vertices: [
            source("S", { slotSharingGroup: "s" }),
            counter("M", { slotSharingGroup: "m" }),
            sink("K", { slotSharingGroup: "k" }),
          ],
          cluster: { taskManagers: 3, slots: 2 },
          timing: { cancel: 500, "heartbeat.detect": "100 ms" },
          faults: [atTime(900, "fail-task", { target: "M[0]" }), ...faults],
        }),
      );
    for (const run of [
      canceling(after("TaskStateChanged", { subtask: "K[0]", to: "CANCELING" }, "fail-task", { target: "K[0]" })),
      canceling(atTime(950, "kill-taskmanager", { target: "tm-3" })),
    ]) {
      expect(
        run
          .all("TaskStateChanged", { subtask: "K[0]", attempt: 0 })
          .slice(-2)
          .map(({ to }) => to),
      ).toEqual(["CANCELING", "CANCELED"]);
      expect(run.values("TaskFailed", "subtask")).toEqual(["M[0]"]);
      expect(run.all("RestartScheduled")).toHaveLength(1);
    }
  });

  test("FR-004: a report of an attempt that has been replaced, or of one that has ended, is passed by", () => {
    const drive = new Drive(
      small({ ...lane(1, { chain: false }), faults: [atTime(900, "fail-task", { target: "M[0]" })] }),
    );
    const report = (op: number, attempt: number, state: number): string[] => {
      drive.kernel.after(0, op, Actor.wire, drive.subtask("M[0]"), attempt, state);
      return drive
        .pass(0)
        .filter(({ subtask, type }) => subtask === "M[0]" && /^Task(State|Failed)/.test(type))
        .map(({ type }) => type);
    };
    drive.until("TaskStateChanged", { subtask: "M[0]", to: "FAILED" });
    drive.pass(0);
    expect(report(Op.reportState, 0, ExecutionState.running), "has ended").toEqual([]);
    expect(report(Op.failure, 0, 0), "has ended").toEqual([]);
    drive.until("TaskStateChanged", { subtask: "M[0]", attempt: 1, to: "RUNNING" });
    drive.pass(0);
    expect(report(Op.reportState, 0, ExecutionState.canceled), "attempt 0").toEqual([]);
    expect(report(Op.failure, 0, 0), "attempt 0").toEqual([]);
    expect(report(Op.failure, 1, 0), "the current one").toEqual(["TaskFailed", "TaskStateChanged"]);
  });
});

const fewSlots = (slots: number, more: Partial<Small> = {}): Small => ({
  ...lane(2, { chain: false }),
  topics: { in: { partitions: 2, records: 12, every: "100 ms", keys: 3 }, out: { partitions: 2 } },
  cluster: { taskManagers: 1, slots },
  ...more,
});

describe("slots", () => {
  test("FR-035: subtasks of a sharing group share slots, so a job needs its highest parallelism of them, summed over groups", () => {
    const vertices = [
      source("S"),
      { uid: "M", type: "map", parallelism: 3, chain: false },
      { uid: "N", type: "map", parallelism: 2, slotSharingGroup: "n", chain: false },
      sink("K", { slotSharingGroup: "n" }),
    ];
    const edges = ["S rebalance M", "M rebalance N", "N rebalance K"];
    const states = (slots: number): unknown[] => {
      const run = story(small({ vertices, edges, cluster: { taskManagers: 1, slots }, until: { time: 1000 } }));
      return [
        ...new Set(run.result.graph.subtasks.map(({ name }) => run.last("TaskStateChanged", { subtask: name })["to"])),
      ];
    };
    expect(states(5)).toEqual(["RUNNING"]);
    expect(states(4)).toEqual(["SCHEDULED"]);
  });

  test("FR-006: nothing of a round is deployed before all of it has slots; then all is, at once", () => {
    const run = story(
      small(
        fewSlots(1, {
          cluster: { taskManagers: 2, slots: 1 },
          faults: [
            atTime(300, "fail-job"),
            atTime(299, "kill-taskmanager", { target: "tm-2" }),
            atTime(4000, "restart-taskmanager", { target: "tm-2" }),
          ],
          timing: { "heartbeat.detect": "10 ms" },
        }),
      ),
    );
    const rounds = run.times("TaskStateChanged", { attempt: 1, to: "DEPLOYING" });
    expect(rounds).toEqual(Array.from({ length: 6 }, () => 4001));
    expect(
      run
        .until(run.first("TaskManagerRegistered"))
        .all("TaskStateChanged", { attempt: 1 })
        .map(({ to }) => to),
    ).toEqual(Array.from({ length: 6 }, () => "SCHEDULED"));
  });

  test("FR-037, FI-53: who has no slot after slot.request.timeout has failed, counted like any other failure; with no more restarts the job FAILS", () => {
    const run = story(
      small(fewSlots(1, { config: { "slot.request.timeout": "30 s" }, restart: fixedDelay(2, "1 s") })),
    );
    expect(run.times("SlotRequestFailed")).toEqual([30_000, 61_000, 92_000]);
    expect(run.all("TaskFailed").map(({ failure }) => failure)).toEqual(
      Array.from({ length: 3 }, () => "NO_RESOURCE_AVAILABLE"),
    );
    expect(run.values("RestartScheduled", "failures")).toEqual([1, 2]);
    expect(run.report.job.status).toBe("FAILED");
    expect(run.all("TaskStateChanged", { to: "DEPLOYING" })).toEqual([]);
  });

  test("FR-037: by default the wait is five minutes", () => {
    expect(story(small(fewSlots(1, { restart: { type: "none" } }))).times("SlotRequestFailed")).toEqual([300_000]);
  });

  test("FI-53: a TaskManager that comes in time ends the wait, and the run is exactly once", () => {
    const run = story(
      small(
        fewSlots(2, {
          timing: { "heartbeat.detect": "1 s" },
          faults: [
            atTime(700, "kill-taskmanager", { target: "tm-1" }),
            atTime(60_000, "restart-taskmanager", { target: "tm-1" }),
          ],
        }),
      ),
    );
    expect(run.all("SlotRequestFailed")).toEqual([]);
    expect(run.times("TaskStateChanged", { attempt: 1, to: "DEPLOYING" })).toEqual(
      Array.from({ length: 6 }, () => 60_001),
    );
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  const placed = (run: Story, attempt: number): Record<string, unknown> =>
    Object.fromEntries(
      run
        .all("TaskStateChanged", { attempt, to: "DEPLOYING" })
        .map(({ subtask, taskManager }) => [subtask, taskManager]),
    );

  test("FR-036: after a failure a subtask is where it was; after its TaskManager's loss it takes a free slot and pushes nobody out of theirs", () => {
    const cluster = { taskManagers: 3, slots: 1 };
    const failed = story(small(fewSlots(1, { cluster, faults: [atTime(700, "fail-task", { target: "M[1]" })] })));
    expect(placed(failed, 0)).toMatchObject({ "M[0]": "tm-1", "M[1]": "tm-2" });
    expect(placed(failed, 1)).toEqual({ "S[1]": "tm-2", "M[1]": "tm-2", "K[1]": "tm-2" });
    const lost = story(
      small(
        fewSlots(1, {
          cluster,
          timing: { "heartbeat.detect": "1 s" },
          faults: [atTime(700, "kill-taskmanager", { target: "tm-1" })],
        }),
      ),
    );
    expect(placed(lost, 1)).toEqual({ "S[0]": "tm-3", "M[0]": "tm-3", "K[0]": "tm-3" });
  });
});
