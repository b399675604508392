/** What happens when something fails: who is restarted, in which order, from what (`recovery-and-sinks.md` 4, 5 and 7). */
import { describe, expect, test } from "vitest";
import { compile } from "./plan.ts";
import { firstMissing } from "./testing/runs.ts";
import {
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
  triggersAfter,
} from "./testing/stories.ts";

const fail = (time: number, target: string): Record<string, unknown> => atTime(time, "fail-task", { target });
const twoTopics = { in: { partitions: 2, records: 24, every: "100 ms", keys: 4 }, out: { partitions: 2 } };
const lanes = (more: Partial<Small> = {}): Small => ({
  ...lane(2, { chain: false }),
  topics: twoTopics,
  cluster: { taskManagers: 2 },
  ...more,
});
const R0 = ["S[0]", "M[0]", "K[0]"];
const R1 = ["S[1]", "M[1]", "K[1]"];
const ALL = ["S[0]", "S[1]", "M[0]", "M[1]", "K[0]", "K[1]"];

/** When each subtask got its second attempt. */
const restarts = (run: Story): Record<string, number[]> =>
  Object.fromEntries(
    run.result.graph.subtasks.map(({ name }) => [
      name,
      run
        .all("AttemptCreated", { subtask: name })
        .slice(1)
        .map(({ clock }) => clock),
    ]),
  );

describe("how a failure is noticed", () => {
  test("FR-020: an exception ends the attempt where it runs; the JobManager hears of it one message later and starts a failover for it", () => {
    const run = story(small({ ...lane(1, { chain: false }), faults: [fail(900, "M[0]")] }));
    expect(run.first("TaskStopped")).toMatchObject({ subtask: "M[0]", ending: "FAILED", clock: 900 });
    expect(run.first("TaskFailed")).toMatchObject({
      subtask: "M[0]",
      attempt: 0,
      failure: "USER_EXCEPTION",
      clock: 901,
    });
    expect(run.first("TaskStateChanged", { to: "FAILED" })).toMatchObject({ subtask: "M[0]", clock: 901 });
    expect(run.first("RestartScheduled")).toMatchObject({ clock: 901, scope: "region", failure: "USER_EXCEPTION" });
  });

  test("FR-023 as 16.1 decides: who reads from a killed process fails at once by the broken connection", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        vertices: [
          source("S", { slotSharingGroup: "s" }),
          counter("M", { slotSharingGroup: "m" }),
          sink("K", { slotSharingGroup: "k" }),
        ],
        cluster: { taskManagers: 3, slots: 2 },
        faults: [atTime(900, "kill-taskmanager", { target: "tm-2" })],
      }),
    );
    expect(run.report.deployment).toEqual({ "tm-1": ["S[0]"], "tm-2": ["M[0]"], "tm-3": ["K[0]"] });
    expect(run.first("TaskStopped")).toMatchObject({ subtask: "M[0]", ending: "LOST", clock: 900 });
    expect(run.first("TaskFailed")).toMatchObject({ subtask: "K[0]", failure: "CONNECTION_LOST", clock: 903 });
    // The JobManager's first call to the process is refused: it is lost without waiting for heartbeats.
    expect(run.first("TaskManagerLost")).toMatchObject({ taskManager: "tm-2" });
    expect(run.first("TaskManagerLost").clock).toBeLessThan(910);
    expect(run.first("TaskStateChanged", { subtask: "M[0]", from: "CANCELING" })).toMatchObject({ to: "CANCELED" });
  });

  test.each(["3 s", "50 s"])(
    "FR-023: a process that nobody reads from is missed after the detection delay of %s",
    (detect) => {
      const run = story(
        small({
          ...lane(1, { chain: false }),
          vertices: [
            source("S", { slotSharingGroup: "s" }),
            counter("M", { slotSharingGroup: "m" }),
            sink("K", { slotSharingGroup: "k" }),
          ],
          cluster: { taskManagers: 3, slots: 2 },
          timing: { "heartbeat.detect": detect },
          faults: [atTime(900, "kill-taskmanager", { target: "tm-3" })],
        }),
      );
      const delay = Number(detect.slice(0, -2)) * 1000;
      expect(run.first("TaskManagerLost")).toMatchObject({ taskManager: "tm-3", clock: 900 + delay });
      expect(run.first("TaskFailed")).toMatchObject({
        subtask: "K[0]",
        failure: "TASK_MANAGER_LOST",
        clock: 900 + delay,
      });
    },
  );

  test("FR-024, FR-003: with a TaskManager all its slots are gone and every attempt on it has failed; in one region that is one failure", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        cluster: { taskManagers: 2, slots: 1 },
        timing: { "heartbeat.detect": "1 s" },
        faults: [atTime(900, "kill-taskmanager", { target: "tm-1" })],
      }),
    );
    expect(run.values("TaskStopped", "ending").slice(0, 3)).toEqual(["LOST", "LOST", "LOST"]);
    expect(run.all("TaskFailed")).toHaveLength(1);
    expect(run.all("RestartScheduled")).toHaveLength(1);
    const ends = run
      .words("TaskStateChanged", "to", { attempt: 0 })
      .filter((to) => to === "FAILED" || to === "CANCELED");
    expect(ends).toEqual(["FAILED", "CANCELED", "CANCELED"]);
    expect(run.all("TaskStateChanged", { attempt: 1, to: "RUNNING" }).map(({ taskManager }) => taskManager)).toEqual([
      "tm-2",
      "tm-2",
      "tm-2",
    ]);
  });
});

describe("who is restarted", () => {
  const regionsOf = (parts: Partial<Small>): number[][] => {
    const { region } = compile(small({ vertices: [], ...parts }));
    return [...new Set(region)].map((root) => [...region.keys()].filter((subtask) => region[subtask] === root));
  };
  const between = (ship: string, from: number, to: number): number =>
    regionsOf({
      vertices: [
        source("S", { parallelism: from }),
        { uid: "M", type: "map", parallelism: to, chain: false },
        sink("K", { parallelism: to }),
      ],
      edges: [`S ${ship} M`, "M forward K"],
    }).length;

  test("FR-041: an all-to-all exchange makes one region, forward one a lane, rescale one a bundle, vertices without a path their own", () => {
    expect(
      ["hash", "rebalance", "broadcast", "shuffle", "global"].map((ship) =>
        ship === "hash" ? between("rebalance", 3, 2) : between(ship, 3, 2),
      ),
    ).toEqual([1, 1, 1, 1, 1]);
    expect(
      regionsOf({
        vertices: [
          source("S", { parallelism: 3 }),
          { uid: "G", type: "keyed-sum", parallelism: 2, chain: false },
          sink("K", { parallelism: 2 }),
        ],
        edges: ["S hash G", "G forward K"],
      }),
    ).toHaveLength(1);
    expect([
      between("forward", 3, 3),
      between("rescale", 2, 4),
      between("rescale", 4, 2),
      between("rescale", 3, 3),
    ]).toEqual([3, 2, 2, 3]);
    expect(
      regionsOf({
        vertices: [source("S"), sink("K"), source("T"), sink("L", { transactionalIdPrefix: "Q" })],
        edges: ["S forward K", "T forward L"],
      }),
    ).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test("FR-040, FR-042, FR-043: by default the failed task's region is restarted and the other runs on with its attempt and state", () => {
    const run = story(small(lanes({ faults: [fail(900, "M[0]")] })));
    expect(run.values("RestartScheduled", "restarted")).toEqual([R0]);
    expect(run.first("RestartScheduled")).toMatchObject({ scope: "region" });
    expect(Object.entries(restarts(run)).flatMap(([name, times]) => times.map(() => name))).toEqual([
      "S[0]",
      "M[0]",
      "K[0]",
    ]);
    expect(run.words("RecordEmitted", "record", { subtask: "S[1]" })).toEqual(
      Array.from({ length: 12 }, (_, i) => `in-1@${i}`),
    );
    expect(run.values("RecordProcessed", "value", { subtask: "M[1]" })).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
  });

  test("FR-043: with any all-to-all exchange the restart set is the whole job", () => {
    const run = story(
      small({
        vertices: [
          source("S", { parallelism: 2 }),
          { uid: "G", type: "keyed-sum", parallelism: 2, chain: false },
          sink("K", { parallelism: 2 }),
        ],
        edges: ["S hash G", "G forward K"],
        topics: twoTopics,
        faults: [fail(900, "K[1]")],
      }),
    );
    expect(run.values("RestartScheduled", "restarted")).toEqual([["S[0]", "S[1]", "G[0]", "G[1]", "K[0]", "K[1]"]]);
  });

  test("FR-040, FR-045: the strategy full restarts everything, and it stays the failover of a task", () => {
    const run = story(
      small(lanes({ config: { "jobmanager.execution.failover-strategy": "full" }, faults: [fail(900, "M[0]")] })),
    );
    expect(run.first("RestartScheduled")).toMatchObject({ restarted: ALL, scope: "region", failure: "USER_EXCEPTION" });
  });

  test("FR-046: a failure that is tied to no task restarts everything, whatever the regions", () => {
    const run = story(small(lanes({ faults: [atTime(900, "fail-job")] })));
    expect(run.first("RestartScheduled")).toMatchObject({
      restarted: ALL,
      scope: "global",
      failure: "JOB_FAILURE",
      clock: 900,
    });
    expect(run.all("TaskFailed")).toEqual([]);
  });
});

describe("failovers that overlap (FR-047)", () => {
  test("FR-047, FR-011: two regions have a plan each; the job is RUNNING again when the last one has begun", () => {
    const run = story(small(lanes({ faults: [fail(900, "M[0]"), fail(1300, "M[1]")] })));
    expect(restarts(run)).toEqual({
      "S[0]": [1901],
      "M[0]": [1901],
      "K[0]": [1901],
      "S[1]": [2301],
      "M[1]": [2301],
      "K[1]": [2301],
    });
    expect(run.times("JobStatusChanged", { to: "RESTARTING" })).toEqual([901]);
    expect(run.times("JobStatusChanged", { to: "RUNNING" })).toEqual([0, 2301]);
  });

  test("FR-047: a global failure takes the waiting subtasks over, and the older plan does nothing when its delay is over", () => {
    const run = story(small(lanes({ faults: [fail(900, "M[0]"), atTime(1300, "fail-job")] })));
    expect(run.values("RestartScheduled", "restarted")).toEqual([R0, ALL]);
    for (const times of Object.values(restarts(run))) expect(times).toEqual([2300]);
  });

  test("FR-047: a second failure of the region after its restart has a plan of its own", () => {
    const run = story(small(lanes({ faults: [fail(900, "M[0]"), fail(1300, "M[1]"), fail(2200, "K[0]")] })));
    expect(restarts(run)["K[0]"]).toEqual([1901, 3201]);
    expect(restarts(run)["K[1]"]).toEqual([2301]);
    expect(run.times("JobStatusChanged", { to: "RUNNING" })).toEqual([0, 3201]);
  });

  test("FR-005: each restart makes the attempt number one larger, and the new attempt begins in CREATED", () => {
    const run = story(small(lanes({ faults: [fail(900, "M[0]"), fail(2500, "M[0]"), fail(4200, "K[0]")] })));
    for (const subtask of R0) expect(run.values("AttemptCreated", "attempt", { subtask })).toEqual([0, 1, 2, 3]);
    for (const subtask of R1) expect(run.values("AttemptCreated", "attempt", { subtask })).toEqual([0]);
    for (const { step, attempt } of run.all("AttemptCreated", { subtask: "M[0]" })) {
      const next = run.entries.find(
        (entry) => entry.step > step && entry.type === "TaskStateChanged" && entry["subtask"] === "M[0]",
      );
      expect(next).toMatchObject({ attempt, from: "CREATED", to: "SCHEDULED" });
    }
  });
});

describe("the recovery procedure", () => {
  const failing = (more: Partial<Small> = {}): Story =>
    story(
      small({
        ...lane(1, { chain: false }),
        faults: [
          ...triggersAfter("in-0@3", "in-0@7"),
          after("SnapshotTaken", { subtask: "K[0]", checkpoint: 2 }, "fail-task", { target: "M[0]" }),
        ],
        ...more,
      }),
    );

  test("FR-080: status, aborts, cancellations, plan, confirmations; then status, attempts, state, slots", () => {
    const { lines } = failing();
    const order = [
      "TaskFailed M[0]",
      "TaskStateChanged M[0] RUNNING>FAILED",
      "JobStatusChanged RUNNING>RESTARTING",
      "TaskStateChanged S[0] RUNNING>CANCELING",
      "TaskStateChanged K[0] RUNNING>CANCELING",
      "RestartScheduled",
      "TaskStateChanged K[0] CANCELING>CANCELED",
      "JobStatusChanged RESTARTING>RUNNING",
      "AttemptCreated S[0]",
      "AttemptCreated M[0]",
      "AttemptCreated K[0]",
      "StateRestored S[0] 1",
      "StateRestored M[0] 1",
      "StateRestored K[0] 1",
      "TaskStateChanged S[0] CREATED>SCHEDULED",
      "TaskStateChanged K[0] CREATED>SCHEDULED",
      "TaskStateChanged S[0] SCHEDULED>DEPLOYING",
      "TaskStateChanged K[0] DEPLOYING>INITIALIZING",
      "TaskStateChanged K[0] INITIALIZING>RUNNING",
    ];
    const bare = lines.map((line) => line.replace(/ tm-\d$/, ""));
    expect(firstMissing(bare, order)).toBeNull();
    // The pending checkpoint ends with the first execution that leaves RUNNING (CP-004, 13.1): in the same moment, before the plan.
    const abort = bare.indexOf("CheckpointAborted 2 CHECKPOINT_COORDINATOR_SUSPEND");
    expect(abort).toBeGreaterThan(bare.indexOf("TaskFailed M[0]"));
    expect(abort).toBeLessThan(bare.indexOf("RestartScheduled"));
  });

  test.each([
    { delay: 1000, cancel: 5, restart: 901 + 1000 },
    { delay: 10, cancel: 3000, restart: 901 + 1 + 3000 + 1 },
    { delay: 0, cancel: 0, restart: 901 + 1 + 0 + 1 },
  ])(
    "FR-080, FR-098: delay $delay ms and cancellation $cancel ms: the restart begins at $restart, when both are over",
    ({ delay, cancel, restart }) => {
      const run = story(
        small({
          ...lane(1, { chain: false }),
          restart: fixedDelay(3, `${delay} ms`),
          timing: { cancel },
          faults: [fail(900, "M[0]")],
        }),
      );
      expect(run.times("AttemptCreated", { attempt: 1 })).toEqual([restart, restart, restart]);
      expect(run.times("JobStatusChanged", { from: "RESTARTING" })).toEqual([restart]);
    },
  );

  test("FR-098: time lost is detection, the longer one of delay and cancellation, deployment, restore; and the records since the checkpoint", () => {
    const run = story(
      small({
        vertices: [source("S"), counter("M"), sink("K", { delivery: "at-least-once" })],
        edges: ["S forward M", "M forward K"],
        timing: { deploy: 70, restore: 33 },
        faults: [...triggersAfter("in-0@3"), fail(900, "M[0]")],
      }),
    );
    // Record 9 leaves at 901, before the source hears of it. Heard of 1 later, 1000 of delay, 70 to deploy, 33 to restore, 1 for the news that it runs.
    expect(run.times("TaskStateChanged", { attempt: 1, to: "RUNNING" })).toEqual([2005, 2005, 2005]);
    expect(run.report.recoveries).toMatchObject([
      { at: 901, restartedAt: 1901, runningAt: 2005, restoredFrom: 1, rewound: { "in-0": [10, 4] } },
    ]);
    const again = run.since(run.first("StateRestored")).words("RecordEmitted", "record");
    expect(again).toEqual(Array.from({ length: 8 }, (_, i) => `in-0@${i + 4}`));
  });

  test("FR-083: without a completed checkpoint the restarted subtasks begin with empty state and the sources at their start", () => {
    const run = story(small(lanes({ faults: [fail(900, "M[0]")], initialDelay: 20_000 })));
    const created = run.first("AttemptCreated", { attempt: 1 });
    expect(run.all("StateRestored")).toEqual([]);
    expect(run.since(created).words("RecordEmitted", "record", { subtask: "S[0]" })[0]).toBe("in-0@0");
    expect(run.since(created).values("RecordProcessed", "value", { subtask: "M[0]" })).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
  });

  test("FR-082, FR-085: the newest completed checkpoint is restored, by those who restart and no one else, each in its own part", () => {
    const run = story(
      small(
        lanes({
          checkpointing: { interval: "500 ms", "num-retained": 3 },
          initialDelay: 100,
          faults: [after("CheckpointCompleted", { checkpoint: 2 }, "fail-task", { target: "K[1]" })],
        }),
      ),
    );
    expect(run.all("StateRestored").map(({ subtask, checkpoint }) => [subtask, checkpoint])).toEqual(
      R1.map((name) => [name, 2]),
    );
    const taken = run.first("SnapshotTaken", { subtask: "M[1]", checkpoint: 2 });
    const before = run.until(taken).last("RecordProcessed", { subtask: "M[1]" })["value"];
    expect(run.since(run.first("StateRestored")).first("RecordProcessed", { subtask: "M[1]" })["value"]).toBe(
      Number(before) + 1,
    );
  });

  test("FR-090: ids go on over restarts", () => {
    const run = story(
      small(
        lanes({
          checkpointing: { interval: "400 ms" },
          initialDelay: 100,
          faults: [fail(700, "M[0]"), fail(2500, "K[1]")],
        }),
      ),
    );
    const ids = run.values("CheckpointTriggered", "checkpoint") as number[];
    expect(ids).toEqual(ids.map((_, i) => i + 1));
    expect(run.all("RestartScheduled")).toHaveLength(2);
  });

  test("FR-088: a notification on its way to an attempt that has been replaced reaches nobody", () => {
    // The message of checkpoint 1 takes 2 s; the task fails meanwhile, and its next attempt knows from the restore.
    const run = story(
      small({
        ...lane(1, { chain: false }),
        timing: { rpc: "700 ms" },
        restart: fixedDelay(3, "0 ms"),
        faults: [...triggersAfter("in-0@9"), after("CheckpointCompleted", { checkpoint: 1 }, "fail-job")],
      }),
    );
    const created = run.first("AttemptCreated", { attempt: 1 });
    expect(run.since(created).values("NotificationDelivered", "checkpoint")).not.toContain(1);
    expect(run.since(created).first("TransactionCommitted")).toMatchObject({
      transaction: "P-0-1",
      decider: "restore",
    });
  });
});

describe("a restart that is denied", () => {
  const denied = (more: Partial<Small> = {}): Story =>
    story(small(lanes({ restart: { type: "none" }, faults: [fail(900, "M[0]")], ...more })));

  test("FR-068, FR-012: the job goes FAILING, every task that has not ended is cancelled, and the last to end makes it FAILED", () => {
    const run = denied();
    expect(
      run
        .all("JobStatusChanged")
        .slice(2)
        .map(({ from, to, clock }) => [from, to, clock]),
    ).toEqual([
      ["RUNNING", "FAILING", 901],
      ["FAILING", "FAILED", 908],
    ]);
    expect(run.sorted("TaskStateChanged", "subtask", { to: "CANCELED" })).toEqual(
      ALL.filter((name) => name !== "M[0]").toSorted(),
    );
    expect(run.entries.at(-1)).toMatchObject({ type: "JobStatusChanged", to: "FAILED" });
    expect(run.report.recoveries).toMatchObject([{ granted: false, delay: null, cause: "M[0]: USER_EXCEPTION" }]);
  });

  test("FR-012: a failure while the job is FAILING asks for nothing and changes nothing", () => {
    const run = denied({
      timing: { cancel: 500 },
      faults: [fail(900, "M[0]"), fail(905, "M[1]"), atTime(950, "fail-job")],
    });
    expect(run.told("JobStatusChanged").slice(2)).toEqual([
      "JobStatusChanged RUNNING>FAILING",
      "JobStatusChanged FAILING>FAILED",
    ]);
    expect(run.all("RestartScheduled")).toEqual([]);
  });

  test("FR-012, FR-068: denied while another region waits for its restart, that one is not restarted any more", () => {
    const run = story(small(lanes({ restart: fixedDelay(1, "5 s"), faults: [fail(900, "M[0]"), fail(1500, "M[1]")] })));
    expect(run.told("JobStatusChanged").slice(2)).toEqual([
      "JobStatusChanged RUNNING>RESTARTING",
      "JobStatusChanged RESTARTING>FAILING",
      "JobStatusChanged FAILING>FAILED",
    ]);
    expect(run.all("AttemptCreated", { attempt: 1 })).toEqual([]);
  });
});

describe("one lost TaskManager, several regions (FR-069)", () => {
  test("FR-069: one region on it counts once", () => {
    const run = story(
      small(
        lanes({
          cluster: { taskManagers: 2, slots: 2 },
          restart: fixedDelay(9, "1 s"),
          timing: { "heartbeat.detect": "1 s" },
          faults: [atTime(900, "kill-taskmanager", { target: "tm-1" }), atTime(5000, "fail-task", { target: "M[0]" })],
        }),
      ),
    );
    expect(run.values("RestartScheduled", "failures")).toEqual([1, 2]);
  });

  const both = (restart: Record<string, unknown>): Story =>
    story(
      small({
        ...lane(2, { chain: false }),
        topics: twoTopics,
        cluster: { taskManagers: 1, slots: 2 },
        restart,
        timing: { "heartbeat.detect": "1 s" },
        faults: [
          atTime(900, "kill-taskmanager", { target: "tm-1" }),
          atTime(2000, "restart-taskmanager", { target: "tm-1" }),
          atTime(9000, "fail-task", { target: "M[0]" }),
        ],
      }),
    );

  test("FR-069, FI-51: two regions on it count twice with a fixed delay", () => {
    expect(both(fixedDelay(9, "1 s")).values("RestartScheduled", "failures")).toEqual([1, 2, 3]);
    expect(both(fixedDelay(1, "1 s")).report.job).toMatchObject({ status: "FAILED" });
  });

  test("FR-069, FR-064: and once with exponential delay: the second falls into the first one's backoff", () => {
    const run = both({ type: "exponential-delay", "exponential-delay.jitter-factor": 0 });
    // The failure at 9000 comes behind the first backoff: it is the second attempt, not the third.
    expect(run.all("RestartScheduled").map(({ clock, delay }) => [clock, delay])).toEqual([
      [1900, 1000],
      [1900, 1000],
      [9001, 1500],
    ]);
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });
});
