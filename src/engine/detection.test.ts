/** How a failure is noticed, and what becomes of what does not end (`recovery-and-sinks.md` 3.1, 4 and 13.6). */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "../scenario/parse.ts";
import {
  type Small,
  type Story,
  after,
  apart,
  atTime,
  counter,
  fixedDelay,
  lane,
  sink,
  small,
  source,
  story,
} from "./testing/stories.ts";

const exactly = { state: "exactly-once", endToEnd: "exactly-once" };

describe("a cancellation that does not end", () => {
  /** M stands still from 600 on; S fails at 900, so M is cancelled and does not hear of it. */
  const hanging = (more: Partial<Small> = {}): Story =>
    story(
      small({
        ...apart(),
        checkpointing: { interval: 200 },
        timing: { "heartbeat.detect": "50 s" },
        faults: [atTime(600, "stall", { target: "M[0]" }), atTime(900, "fail-task", { target: "S[0]" })],
        ...more,
      }),
    );

  test("FR-007, FI-57: after 180 s its TaskManager ends its own process, and the plan that waited goes on", () => {
    const run = hanging();
    // Failed at 900, heard of at 901; the cancel call is there at 902.
    expect(run.first("FatalError")).toMatchObject({ subtask: "M[0]", attempt: 0, taskManager: "tm-2", clock: 180_902 });
    expect(run.first("TaskManagerLost")).toMatchObject({ taskManager: "tm-2", clock: 180_903 });
    expect(run.all("TaskStateChanged", { subtask: "M[0]", attempt: 0 }).at(-1)).toMatchObject({
      from: "CANCELING",
      to: "CANCELED",
      clock: 180_903,
    });
    // The delay of a second is long over; nobody restarts before the last one has ended, and it counts as no failure.
    expect(run.times("AttemptCreated", { attempt: 1 })).toEqual([180_903, 180_903, 180_903]);
    expect(run.all("RestartScheduled")).toHaveLength(1);
    expect(run.first("TaskStateChanged", { subtask: "M[0]", attempt: 1, to: "DEPLOYING" })).toMatchObject({
      taskManager: "tm-4",
    });
    expect(run.report).toMatchObject({ ended: "drained", verdict: exactly });
  });

  test("FR-007: task.cancellation.timeout is how long; what wakes before it ends as it should, and nothing is killed", () => {
    const config = { "task.cancellation.timeout": "10 s" };
    expect(hanging({ config }).times("FatalError")).toEqual([10_902]);
    const faults = [
      atTime(600, "stall", { target: "M[0]", for: "10296 ms" }),
      atTime(900, "fail-task", { target: "S[0]" }),
    ];
    const woken = hanging({ config, faults });
    expect(woken.all("FatalError")).toEqual([]);
    expect(woken.all("TaskManagerLost")).toEqual([]);
    expect(woken.first("TaskStopped", { subtask: "M[0]" })).toMatchObject({ ending: "CANCELED" });
  });

  test("FR-007: with 0 it never does, and the job waits for ever", () => {
    const run = hanging({ config: { "task.cancellation.timeout": "0 ms" }, until: { time: "1 h" } });
    expect(run.all("FatalError")).toEqual([]);
    expect(run.all("AttemptCreated", { attempt: 1 })).toEqual([]);
    expect(run.report.job.status).toBe("RESTARTING");
  });

  test("FR-007: operators that take longer to close than that are as a thread that hangs", () => {
    const run = hanging({
      timing: { cancel: "30 s" },
      config: { "task.cancellation.timeout": "10 s" },
      faults: [atTime(900, "fail-task", { target: "S[0]" })],
    });
    // M and K both close for longer than that; each takes its own TaskManager along.
    expect(run.values("FatalError", "taskManager")).toEqual(["tm-2", "tm-3"]);
    expect(run.times("FatalError")).toEqual([10_902, 10_902]);
  });

  test("FR-007, FR-012: a job that is given up waits for it too, and is FAILED when the process is gone", () => {
    const run = hanging({ restart: { type: "none" } });
    expect(run.times("JobStatusChanged", { to: "FAILING" })).toEqual([901]);
    expect(run.times("JobStatusChanged", { to: "FAILED" })).toEqual([180_903]);
  });

  test("FR-007: all that runs on the TaskManager goes with it", () => {
    const run = story(
      small({
        ...lane(2, { chain: false }),
        topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 4 }, out: { partitions: 2 } },
        cluster: { taskManagers: 1, slots: 2 },
        config: { "task.cancellation.timeout": "1 s" },
        restart: fixedDelay(9, "100 ms"),
        faults: [
          atTime(600, "stall", { target: "M[0]" }),
          atTime(700, "fail-task", { target: "S[0]" }),
          after("TaskManagerLost", {}, "restart-taskmanager", { target: "tm-1" }),
        ],
      }),
    );
    expect(run.sorted("TaskStopped", "subtask", { ending: "LOST" })).toEqual(["K[1]", "M[0]", "M[1]", "S[1]"]);
    expect(run.report).toMatchObject({ ended: "drained", verdict: exactly });
  });
});

describe("silence, and a process that cannot be reached (FR-023)", () => {
  /** The sink's process is killed: nobody reads from it, and no call is made to it. */
  const killed = (config: Record<string, unknown>, timing: Record<string, unknown> = {}): number =>
    story(small({ ...apart(), config, timing, faults: [atTime(900, "kill-taskmanager", { target: "tm-3" })] })).first(
      "TaskManagerLost",
    ).clock - 900;
  const cut = (config: Record<string, unknown>): number =>
    story(
      small({
        ...apart(),
        config,
        faults: [atTime(900, "partition", { between: [["tm-3"], ["jobmanager"]], for: "10 min" })],
      }),
    ).first("TaskManagerLost").clock - 900;

  test("FR-023: heartbeats that cannot be sent tell sooner than silence: interval times threshold against the timeout", () => {
    const keys = { "heartbeat.interval": "10 s", "heartbeat.rpc-failure-threshold": 2 };
    expect([killed(keys), cut(keys)]).toEqual([20_000, 50_000]);
    expect(killed({ "heartbeat.interval": "1 s", "heartbeat.rpc-failure-threshold": 3 })).toBe(3000);
    expect(
      killed({ "heartbeat.interval": "1 s", "heartbeat.timeout": "2 s", "heartbeat.rpc-failure-threshold": 3 }),
    ).toBe(2000);
  });

  test("FR-023: a threshold of -1 switches that off; heartbeat.detect is what both take; without keys so is heartbeat.timeout", () => {
    expect(killed({ "heartbeat.rpc-failure-threshold": -1 })).toBe(50_000);
    expect(killed({ "heartbeat.interval": "1 s" }, { "heartbeat.detect": "7 s" })).toBe(7000);
    expect([killed({}), cut({})]).toEqual([50_000, 50_000]);
    expect(cut({ "heartbeat.timeout": "12 s" })).toBe(12_000);
  });

  test("FR-023: a timeout below the interval is refused, as Flink does", () => {
    const parsed = scenarioFrom({
      format: 1,
      job: { vertices: [source("S"), sink("K")], edges: [{ from: "S", to: "K" }] },
      topics: { in: {}, out: {} },
      config: { "heartbeat.timeout": "5 s" },
    });
    expect(parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
      expect.stringMatching(/^config\.heartbeat\.timeout .*larger or equal than the heartbeat interval/),
    ]);
  });
});

describe("a TaskManager that is cut off goes on (FR-025)", () => {
  /** One lane, all on tm-1 and a second TaskManager that is free; checkpoint 1 at record 3. */
  const zombie = (more: Partial<Small> = {}): Story =>
    story(
      small({
        vertices: [source("S"), counter("M"), sink("K", more.vertices?.[0])],
        edges: ["S forward M", "M forward K"],
        topics: { in: { records: 60, every: "100 ms", keys: 1 } },
        cluster: { taskManagers: 2, slots: 1 },
        checkpointing: { interval: 300 },
        initialDelay: 100,
        restart: fixedDelay(3, "1500 ms"),
        faults: [atTime(1000, "partition", { between: [["tm-1"], ["jobmanager"]], for: "30 s" })],
        timing: { "heartbeat.detect": "1 s", "taskmanager.heartbeat.detect": "9 s" },
        ...(more.timing && { timing: more.timing }),
      }),
    );
  const lostAt = (run: Story): number => run.first("TaskManagerLost").clock;
  const writes = (run: Story, from: number, to: number): string[] =>
    run
      .all("RecordWritten")
      .filter(({ clock }) => clock > from && clock < to)
      .map(({ record }) => record as string);

  test("FR-025, FI-72: it reads and writes on after the JobManager has lost it; its transaction is aborted by its successor, and none of it is seen", () => {
    const run = zombie();
    expect(lostAt(run)).toBe(2000);
    const created = run.first("AttemptCreated", { attempt: 1, subtask: "K[0]" }).clock;
    expect(created).toBe(3500);
    const alone = writes(run, 2000, 3500);
    expect(alone.length).toBeGreaterThan(10);
    // It took part in no checkpoint any more, and was told of none.
    expect(run.all("NotificationDelivered").filter(({ clock }) => clock > 1002 && clock < 3500)).toEqual([]);
    // What it wrote is in a transaction that its successor fences and aborts when it begins.
    const fenced = run.since(run.first("AttemptCreated", { attempt: 1 })).first("TransactionAborted");
    expect(fenced).toMatchObject({ decider: "restore", subtask: "K[0]" });
    expect(run.report.verdict).toEqual(exactly);
    const dirty = run.report.delivery.find(({ reader }) => reader === "read_uncommitted");
    expect(dirty?.duplicated).toEqual(expect.arrayContaining(alone));
    expect(run.report.delivery.find(({ reader }) => reader === "read_committed")?.duplicated).toEqual([]);
  });

  test("FR-025: who gives up at the same moment writes nothing behind it", () => {
    const run = zombie({ timing: { "heartbeat.detect": "1 s" } });
    expect(writes(run, 2000, 3500)).toEqual([]);
    expect(run.first("TaskStopped", { subtask: "K[0]" })).toMatchObject({ clock: 2000, ending: "FAILED" });
  });

  test("FR-025: a sink without transactions has what was written meanwhile twice", () => {
    const run = zombie({ vertices: [{ delivery: "at-least-once" }] });
    const alone = writes(run, 2000, 3500);
    expect(alone.length).toBeGreaterThan(10);
    const [row] = run.report.delivery;
    expect(row?.duplicated).toEqual(expect.arrayContaining(alone));
    expect(row?.lost).toEqual([]);
  });

  test("FR-025: healed in time, nobody is given up", () => {
    const run = story(
      small({
        ...apart(),
        timing: { "heartbeat.detect": "1 s", "taskmanager.heartbeat.detect": "2 s" },
        faults: [atTime(600, "partition", { between: [["tm-3"], ["jobmanager"]], for: "900 ms" })],
      }),
    );
    expect(run.all("TaskManagerLost")).toEqual([]);
    expect(run.report).toMatchObject({ recoveries: [], verdict: exactly });
  });
});

describe("an error that no restart can help (FR-031)", () => {
  const failing = (unrecoverable: boolean): Story =>
    story(
      small({
        ...lane(2, { chain: false }),
        topics: { in: { partitions: 2, records: 24, every: "100 ms", keys: 4 }, out: { partitions: 2 } },
        restart: fixedDelay(9, "1 s"),
        faults: [atTime(900, "fail-task", { target: "M[0]", unrecoverable })],
      }),
    );

  test("FR-031: the job fails though nine restarts are left, and no strategy is asked", () => {
    const run = failing(true);
    expect(run.first("TaskFailed")).toMatchObject({ failure: "UNRECOVERABLE_ERROR" });
    expect(run.told("JobStatusChanged").slice(2)).toEqual([
      "JobStatusChanged RUNNING>FAILING",
      "JobStatusChanged FAILING>FAILED",
    ]);
    expect(run.report.recoveries).toMatchObject([{ granted: false, delay: null, cause: "M[0]: UNRECOVERABLE_ERROR" }]);
    expect(run.report.job).toEqual({ status: "FAILED", restarts: 0, failureCause: "M[0]: UNRECOVERABLE_ERROR" });
  });

  test("FR-031: without the mark it is an exception as any other", () => {
    expect(failing(false).report.job).toEqual({ status: "RUNNING", restarts: 1, failureCause: null });
  });
});
