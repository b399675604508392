/** Slow tasks and channels, and cuts of the network (the contract's `slow`, `partition`, `heal`; FR-023 to FR-025). */
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

const inARow = (faults: readonly object[], more: Partial<Small> = {}): Small => ({
  ...lane(1, { chain: false }),
  faults: faults as NonNullable<Small["faults"]>,
  ...more,
});

const cutApart = (faults: readonly object[], more: Partial<Small> = {}): Small => ({
  ...apart(),
  faults: faults as NonNullable<Small["faults"]>,
  ...more,
  timing: { "heartbeat.detect": 2000, ...more.timing },
});
const cut = (time: number, a: string, b: string, length?: number): object =>
  atTime(time, "partition", { between: [[a], [b]], ...(length !== undefined && { for: length }) });
const exactly = { state: "exactly-once", endToEnd: "exactly-once" };

describe("slow", () => {
  /** How long M works on each record. */
  const work = (run: Story): number[] => {
    const started = new Map(run.all("RecordReceived", { subtask: "M[0]" }).map(({ record, clock }) => [record, clock]));
    return run
      .all("RecordProcessed", { subtask: "M[0]" })
      .map(({ record, clock }) => clock - (started.get(record) ?? 0));
  };

  test("a slow subtask takes its factor of time for each record, for as long as the fault says", () => {
    const run = story(small(inARow([atTime(250, "slow", { target: "M[0]", factor: 30, for: "400 ms" })])));
    expect(work(run)).toEqual([1, 1, 1, 30, 30, 30, 30, 1, 1, 1, 1, 1]);
    expect(run.report.verdict).toEqual(exactly);
  });

  test("a slow channel keeps its order: what was sent later arrives later, though it is faster again", () => {
    const channel = "S[0]->M[0]";
    const run = story(small(inARow([atTime(250, "slow", { target: channel, factor: 200, for: "100 ms" })])));
    expect(run.words("RecordReceived", "record", { channel })).toEqual(
      Array.from({ length: 12 }, (_, i) => `in-0@${i}`),
    );
    const [sent, received] = [run.times("RecordSent", { channel }), run.times("RecordReceived", { channel })];
    expect(received.map((time, i) => time - (sent[i] ?? 0)).slice(0, 6)).toEqual([2, 2, 2, 400, 301, 202]);
  });

  test("a slow TaskManager makes every subtask on it slow", () => {
    const run = story(small(inARow([atTime(0, "slow", { target: "tm-1", factor: 5 })])));
    expect(new Set(work(run))).toEqual(new Set([5]));
    expect(run.all("RecordEmitted")[1]?.clock).toBe(105);
  });

  test("FI-35: behind a channel that is slower than the timeout the barrier comes too late, and nothing is lost", () => {
    const run = story(
      small(
        inARow(
          [
            atTime(350, "slow", { target: "S[0]->M[0]", factor: 500, for: "100 ms" }),
            atTime(400, "trigger-checkpoint"),
          ],
          { checkpointing: { timeout: "500 ms", "tolerable-failed-checkpoints": 9 } },
        ),
      ),
    );
    expect(run.first("CheckpointAborted")).toMatchObject({ checkpoint: 1, reason: "CHECKPOINT_EXPIRED", clock: 900 });
    expect(run.report.verdict).toEqual(exactly);
  });
});

describe("a cut that is healed in time", () => {
  test("messages between JobManager and TaskManager wait, and arrive in their order when it is healed", () => {
    const run = story(small(cutApart([atTime(400, "trigger-checkpoint"), cut(405, "jobmanager", "tm-2", 300)])));
    // S is on tm-1, M on tm-2. M's acknowledgement would be there at 426.
    expect(run.first("SnapshotPersisted", { subtask: "M[0]" }).clock).toBeLessThan(430);
    expect(run.first("CheckpointAcknowledged", { subtask: "M[0]" }).clock).toBe(705);
    expect(run.first("CheckpointCompleted")).toMatchObject({ checkpoint: 1, clock: 705 });
    expect(run.all("TaskManagerLost")).toEqual([]);
    expect(run.report.verdict).toEqual(exactly);
  });

  test("records between two TaskManagers wait, what had arrived is read, and the sender comes to a stop when its channel is full", () => {
    const run = story(
      small(cutApart([cut(300, "tm-1", "tm-2", 1500)], { topics: { in: { records: 40, every: "50 ms", keys: 12 } } })),
    );
    const received = run.times("RecordReceived", { subtask: "M[0]" });
    expect(received.filter((time) => time > 302 && time < 1800)).toEqual([]);
    expect(run.times("RecordSent", { subtask: "S[0]" }).filter((time) => time > 300 && time < 1800)).toHaveLength(8);
    expect(run.report.verdict).toEqual(exactly);
    expect(run.report.recoveries).toEqual([]);
  });

  test("a sink that is cut off from the log waits with its barrier; a source reads nothing", () => {
    const run = story(small(cutApart([cut(300, "tm-3", "kafka", 500), atTime(400, "trigger-checkpoint")])));
    expect(run.times("RecordWritten").filter((time) => time > 302 && time < 800)).toEqual([]);
    expect(run.first("TransactionPreCommitted", { checkpoint: 1 }).clock).toBeGreaterThanOrEqual(800);
    const reader = story(small(cutApart([cut(300, "tm-1", "kafka", 500)])));
    expect(reader.times("RecordEmitted").filter((time) => time > 302 && time < 800)).toEqual([]);
    for (const { report } of [run, reader]) expect(report.verdict).toEqual(exactly);
  });

  test("a commit that is on its way waits: its transaction stays undecided until then", () => {
    const run = story(
      small(
        cutApart([
          atTime(400, "trigger-checkpoint"),
          after("NotificationDelivered", { subtask: "K[0]", checkpoint: 1 }, "partition", {
            between: [["tm-3"], ["kafka"]],
            for: "700 ms",
          }),
        ]),
      ),
    );
    const told = run.first("NotificationDelivered", { subtask: "K[0]", checkpoint: 1 }).clock;
    expect(run.first("TransactionCommitted", { transaction: "P-0-1" }).clock).toBe(told + 700);
    expect(run.report.verdict).toEqual(exactly);
  });

  test("heal ends what partition began, and only between the ends that it names", () => {
    const run = story(
      small(
        cutApart([
          cut(300, "tm-1", "tm-2"),
          cut(300, "tm-2", "tm-3"),
          atTime(600, "heal", { between: [["tm-2"], ["tm-1"]] }),
          atTime(900, "heal"),
        ]),
      ),
    );
    const quiet = (subtask: string): number[] => run.times("RecordReceived", { subtask }).filter((time) => time > 306);
    expect([quiet("M[0]")[0], quiet("K[0]")[0]]).toEqual([600, 900]);
    expect(run.report.verdict).toEqual(exactly);
  });

  test("CP-104: a TaskManager that is cut off from checkpoint storage declines, one that is not does not", () => {
    const config = { "execution.checkpointing.dir": "s3://b", "execution.checkpointing.data-inline-threshold": "0 b" };
    const cutOff = (tm: string): string[] =>
      story(
        small(
          cutApart([cut(400, tm, "storage", 100), atTime(410, "trigger-checkpoint")], {
            config,
            checkpointing: { "tolerable-failed-checkpoints": 9 },
          }),
        ),
      ).told("SnapshotFailed", "CheckpointAborted");
    expect(cutOff("tm-2")).toEqual([
      "SnapshotFailed M[0] 1 CHECKPOINT_ASYNC_EXCEPTION",
      "CheckpointAborted 1 CHECKPOINT_ASYNC_EXCEPTION",
    ]);
    expect(cutOff("jobmanager")).toEqual(["CheckpointAborted 1 IO_EXCEPTION"]);
    expect(cutOff("tm-4")).toEqual([]);
  });
});

describe("messages at the end of bounded input", () => {
  /** The input ends at about 250 ms; nothing but the final checkpoint is triggered before 5 s. */
  const ending = (cutAt: object): Story =>
    story(
      small(
        cutApart([cutAt], {
          vertices: [
            source("S", { slotSharingGroup: "s", bounded: true }),
            counter("M", { slotSharingGroup: "m" }),
            sink("K", { slotSharingGroup: "k" }),
          ],
          topics: { in: { records: 3, every: "100 ms" } },
          initialDelay: 5000,
          checkpointing: { interval: "5 s" },
        }),
      ),
    );
  const undisturbed = ending(cut(9000, "tm-1", "storage", 10));

  test("CP-192: who is cut off from the JobManager tells it of the end of its data when it is healed", () => {
    const run = ending(cut(150, "tm-2", "jobmanager", 800));
    expect(undisturbed.first("CheckpointTriggered").clock).toBeLessThan(500);
    expect(run.first("CheckpointTriggered")).toMatchObject({ clock: 950 });
    expect(run.report.verdict).toEqual(exactly);
  });
});

describe("a cut that lasts", () => {
  test("FR-023, FR-024, FR-025: after the heartbeat timeout both sides give each other up: the tasks there fail, their region restarts elsewhere", () => {
    const run = story(
      small(
        cutApart([cut(400, "jobmanager", "tm-2", 5000)], {
          restart: fixedDelay(3, "100 ms"),
          topics: { in: { records: 40, every: "100 ms", keys: 4 } },
        }),
      ),
    );
    expect(run.all("TaskManagerLost")).toMatchObject([{ taskManager: "tm-2", clock: 2400 }]);
    // Cut off but alive, M goes on until then.
    expect(
      run.times("RecordProcessed", { subtask: "M[0]" }).filter((time) => time > 500 && time < 2400).length,
    ).toBeGreaterThan(15);
    expect(run.first("TaskStopped", { subtask: "M[0]" })).toMatchObject({ clock: 2400, attempt: 0 });
    expect(run.report.recoveries).toMatchObject([{ at: 2400, cause: "M[0]: TASK_MANAGER_LOST", scope: "region" }]);
    expect(run.last("TaskStateChanged", { subtask: "M[0]", to: "RUNNING" })).toMatchObject({ taskManager: "tm-4" });
    expect(run.report.verdict).toEqual(exactly);
  });

  test("FR-035: when it is healed the TaskManager registers again, and what waited from its old attempts changes nothing", () => {
    const run = story(
      small(
        cutApart([cut(400, "jobmanager", "tm-2", 3000)], {
          cluster: { taskManagers: 3, slots: 1 },
          restart: fixedDelay(3, "100 ms"),
          topics: { in: { records: 40, every: "100 ms", keys: 4 } },
        }),
      ),
    );
    expect(run.all("TaskManagerRegistered")).toMatchObject([{ taskManager: "tm-2", clock: 3401 }]);
    expect(run.last("TaskStateChanged", { subtask: "M[0]", to: "RUNNING" })).toMatchObject({
      taskManager: "tm-2",
      attempt: 1,
    });
    expect(run.report.recoveries).toHaveLength(1);
    expect(run.report.verdict).toEqual(exactly);
  });

  test("a checkpoint whose acknowledgement cannot come expires, and it counts", () => {
    const run = story(
      small(
        cutApart([cut(400, "jobmanager", "tm-2", 900), atTime(410, "trigger-checkpoint")], {
          checkpointing: { timeout: "500 ms", "tolerable-failed-checkpoints": 9 },
        }),
      ),
    );
    expect(run.first("CheckpointAborted")).toMatchObject({ reason: "CHECKPOINT_EXPIRED", clock: 910, counts: true });
    expect(run.first("AcknowledgementDiscarded", { subtask: "M[0]" })).toMatchObject({ fate: "late", clock: 1300 });
    expect(run.report.verdict).toEqual(exactly);
  });

  test("a sink that fails behind a cut cannot abort: the next attempt aborts what it left open", () => {
    const run = story(
      small(
        cutApart([cut(400, "tm-3", "kafka", 900), atTime(500, "fail-task", { target: "K[0]" })], {
          restart: fixedDelay(3, "100 ms"),
        }),
      ),
    );
    expect(run.until(run.first("RestartScheduled")).all("TransactionAborted")).toEqual([]);
    expect(run.first("TransactionAborted")).toMatchObject({ decider: "restore", clock: 1305 });
    expect(run.report.verdict).toEqual(exactly);
  });
});

test("a run is over though a cut that nobody heals still holds messages back", () => {
  const run = story(small(cutApart([cut(400, "jobmanager", "tm-3")], { restart: fixedDelay(3, "100 ms") })));
  expect(run.report.ended).toBe("drained");
  expect(run.report.recoveries).toMatchObject([{ granted: true }]);
  expect(run.report.verdict).toEqual(exactly);
});

test("names of a cut's ends are checked", () => {
  const parsed = scenarioFrom({
    format: 1,
    job: { vertices: [source("S"), sink("K")], edges: [{ from: "S", to: "K" }] },
    topics: { in: {}, out: {} },
    faults: [{ at: { time: 0 }, do: "partition", between: [["tm-1"], ["kafak"]] }],
  });
  expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual(["faults[0].between[1][0]"]);
});
