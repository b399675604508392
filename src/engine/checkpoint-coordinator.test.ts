/** The checkpoint coordinator: when it triggers, what it accepts, how checkpoints end (`checkpointing.md` 5 and 11). */
import { describe, expect, test } from "vitest";
import { scenarioFrom } from "../scenario/parse.ts";
import { Actor, Op } from "./ops.ts";
import { clockwork } from "./testing/clockwork.ts";
import { withFaults } from "./testing/runs.ts";
import {
  Drive,
  type Small,
  type Story,
  after,
  atTime,
  before,
  fixedDelay,
  lane,
  small,
  sink,
  source,
  story,
  triggersAfter,
} from "./testing/stories.ts";

describe("when checkpoints are triggered", () => {
  test.each([
    { pause: 0, duration: 2500, times: [1000, 3500, 6000, 8500, 11_000] },
    { pause: 700, duration: 2500, times: [1000, 4200, 7400, 10_600] },
    { pause: 700, duration: 100, times: [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000, 11_000] },
    { pause: 1500, duration: 200, times: [1000, 2700, 4400, 6100, 7800, 9500] },
  ])(
    "CP-024: interval 1000, pause $pause, checkpoints of $duration ms: triggers at $times",
    ({ pause, duration, times }) => {
      const run = clockwork(1000, pause, duration);
      expect(run.times("CheckpointTriggered")).toEqual(times);
      expect(run.values("CheckpointTriggered", "checkpoint")).toEqual(times.map((_, index) => index + 1));
    },
  );

  test("CP-001: the base interval is the larger one of interval and minimum pause", () => {
    expect(clockwork(1000, 1500, 0).times("CheckpointTriggered")).toEqual([1000, 2500, 4000, 5500, 7000, 8500, 10_000]);
    expect(clockwork(1500, 1000, 0).times("CheckpointTriggered")).toEqual([1000, 2500, 4000, 5500, 7000, 8500, 10_000]);
  });

  test("CP-002: the first delay is any whole number from the minimum pause to the base interval, both included, and no other", () => {
    const first = (seed: number): number =>
      clockwork(110, 100, 0, { initialDelay: null, seed, until: { after: "CheckpointTriggered" } }).first(
        "CheckpointTriggered",
      ).clock;
    const counts = new Map<number, number>();
    for (const delay of Array.from({ length: 330 }, (_, seed) => first(seed)))
      counts.set(delay, (counts.get(delay) ?? 0) + 1);
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110]);
    // 30 of each would be even; a uniform draw leaves [10, 50] about once in ten thousand.
    for (const count of counts.values()) expect(count).toBeGreaterThan(10);
    for (const count of counts.values()) expect(count).toBeLessThan(50);
  });

  test("CP-002: since 2.3 it is the minimum pause, whatever the seed (pacing-first-delay of the conformance runs)", () => {
    const first = (seed: number, pause: number): number =>
      clockwork(60_000, pause, 0, {
        flink: "2.3",
        initialDelay: null,
        seed,
        until: { after: "CheckpointTriggered" },
      }).first("CheckpointTriggered").clock;
    expect([first(1, 0), first(2, 0), first(1, 250), first(2, 250)]).toEqual([0, 0, 250, 250]);
  });

  test("CP-003: a slow checkpoint does not shift the planned fires; the next one is planned before this one's request", () => {
    // Checkpoint 2 alone is slow: it keeps the slot from 2000 to 3700. The fire of 3000 waits for it, that of 4000 is on time.
    const run = clockwork(1000, 0, 10, {
      timing: { overrides: [{ vertex: "S", checkpoint: 2, "snapshot.async": 1700 }] },
      until: { time: 6500 },
    });
    expect(run.times("CheckpointTriggered")).toEqual([1000, 2000, 3700, 4000, 5000, 6000]);
    expect(run.times("TriggerQueued")).toEqual([3000]);
  });

  test("CP-009: a periodic request that meets a full pipeline is kept, one for each fire", () => {
    const run = clockwork(1000, 0, 2500, { until: { time: 5500 } });
    expect(run.times("TriggerQueued")).toEqual([2000, 3000, 4000, 5000]);
    expect(run.times("CheckpointTriggered")).toEqual([1000, 3500]);
    expect(run.all("TriggerRejected")).toEqual([]);
  });

  test("CP-009: a periodic request that meets the minimum pause is dropped, and the timer begins anew with what remains of it", () => {
    const run = clockwork(1000, 700, 2500, { until: { time: 6000 } });
    expect(run.told("TriggerRejected").map((line, i) => `${run.times("TriggerRejected")[i]} ${line}`)).toEqual([
      "3500 TriggerRejected MINIMUM_TIME_BETWEEN_CHECKPOINTS CHECKPOINT",
    ]);
    // The new phase is 4200 + 1000 k: fires at 5200, queued behind checkpoint 2 of 4200.
    expect(run.times("CheckpointTriggered")).toEqual([1000, 4200]);
    expect(run.times("TriggerQueued")).toEqual([2000, 3000, 5200]);
  });

  test("CP-009: a checkpoint that a person asks for does not wait for the minimum pause", () => {
    const run = clockwork(10_000, 10_000, 100, {
      faults: [atTime(1200, "trigger-checkpoint"), atTime(1250, "trigger-checkpoint")],
      until: { time: 2000 },
    });
    // 1250 finds checkpoint 2 pending and waits for its end at 1300, and only for that.
    expect(run.times("CheckpointTriggered")).toEqual([1000, 1200, 1300]);
  });

  test("CP-010: the pause runs from the last completion; a checkpoint that expires does not move it", () => {
    // 1 completes at 1100. 2 expires at 2500. Counted from there, the fire of 3000 would come 200 too early.
    const run = clockwork(1000, 700, 100, {
      checkpointing: { timeout: 500, "tolerable-failed-checkpoints": 9 },
      timing: { overrides: [{ vertex: "S", checkpoint: 2, "snapshot.async": 900 }] },
      until: { time: 4500 },
    });
    expect(run.first("CheckpointAborted")).toMatchObject({ checkpoint: 2, clock: 2500 });
    expect(run.times("CheckpointTriggered")).toEqual([1000, 2000, 3000, 4000]);
    expect(run.all("TriggerRejected")).toEqual([]);
  });

  test("CP-010: where no checkpoint has completed yet there is no pause to keep", () => {
    // Checkpoint 1 of time 0 is given up with the task; the scheduler starts again at 200, with a fire at once.
    const run = clockwork(1000, 1500, 400, {
      initialDelay: 0,
      faults: [atTime(100, "fail-task", { target: "S[0]" })],
      restart: fixedDelay(3, "100 ms"),
      until: { time: 1000 },
    });
    expect(run.times("CheckpointTriggered")).toEqual([0, 200]);
    expect(run.all("TriggerRejected")).toEqual([]);
  });

  test("CP-011: the decider looks again after a completion and after an abort, and starts one request", () => {
    const two = { "max-concurrent-checkpoints": 2 };
    // One thread writes: the part of 2 is done at 11,000.
    expect(
      clockwork(1000, 0, 5000, { checkpointing: two, until: { time: 12_500 } }).times("CheckpointTriggered"),
    ).toEqual([1000, 2000, 6000, 11_000]);
    const expiring = { timeout: 2500, "tolerable-failed-checkpoints": 9 };
    expect(
      clockwork(1000, 0, 60_000, { checkpointing: expiring, until: { time: 9000 } }).times("CheckpointTriggered"),
    ).toEqual([1000, 3500, 6000, 8500]);
  });

  test("CP-023: what Flink's coordinator rejects is no scenario; a pause together with concurrency is one", () => {
    const accepts = (option: string, value: unknown): boolean =>
      scenarioFrom({
        format: 1,
        job: { vertices: [source("S"), sink("K")], edges: [{ from: "S", to: "K", ship: "forward" }] },
        topics: { in: {}, out: {} },
        config: {
          "execution.checkpointing.interval": "1 s",
          "execution.checkpointing.min-pause": "1 s",
          [`execution.checkpointing.${option}`]: value,
        },
      }).ok;
    expect(["9 ms", "10 ms"].map((value) => accepts("interval", value))).toEqual([false, true]);
    expect(["9 ms", "10 ms"].map((value) => accepts("timeout", value))).toEqual([false, true]);
    expect([0, 1].map((value) => accepts("max-concurrent-checkpoints", value))).toEqual([false, true]);
    expect([-1, 0].map((value) => accepts("tolerable-failed-checkpoints", value))).toEqual([false, true]);
    expect(accepts("min-pause", "-1 s")).toBe(false);
    expect(accepts("max-concurrent-checkpoints", 2)).toBe(true);
  });
});

/** Two lanes S -> M -> K that share nothing; records every 100 ms; checkpoints once a second. */
const twoLanes = (more: Partial<Small> = {}): Small => ({
  ...lane(2, { chain: false }),
  cluster: { taskManagers: 2 },
  topics: { in: { partitions: 2, records: 60, every: "100 ms", keys: 4 }, out: { partitions: 2 } },
  initialDelay: 700,
  checkpointing: { interval: "1 s" },
  ...more,
});

describe("the scheduler follows the job (CP-004, CP-005)", () => {
  test("CP-004: it starts when the last execution is RUNNING, stops when the first is not, and starts anew with a new first delay", () => {
    const run = story(small(twoLanes({ faults: [atTime(2000, "fail-task", { target: "M[0]" })] })));
    const runs = run.all("TaskStateChanged", { to: "RUNNING" });
    const [firstStart, secondStart] = [runs[5], runs[8]].map((entry) => entry?.clock ?? 0);
    const failed = run.first("TaskFailed").clock;
    const triggers = run.times("CheckpointTriggered");
    expect(triggers[0]).toBe(firstStart! + 700);
    expect(triggers.filter((time) => time >= failed && time < secondStart! + 700)).toEqual([]);
    expect(triggers).toContain(secondStart! + 700);
    // The other lane never stopped.
    expect(run.all("TaskStateChanged", { subtask: "M[1]", from: "RUNNING" })).toEqual([]);
  });

  test("CP-004: each start of the scheduler draws its own first delay from the seed", () => {
    const delays = [1, 2, 3, 4].map((seed) => {
      const run = story(
        small(twoLanes({ seed, initialDelay: null, faults: [atTime(2000, "fail-task", { target: "M[0]" })] })),
      );
      const runs = run.all("TaskStateChanged", { to: "RUNNING" });
      const startOf = (index: number): number => {
        const entry = runs[index];
        return entry === undefined ? NaN : run.since(entry).first("CheckpointTriggered").clock - entry.clock;
      };
      return [startOf(5), startOf(8)];
    });
    for (const delay of delays.flat()) {
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThanOrEqual(1000);
    }
    expect(new Set(delays.flat()).size).toBe(8);
  });

  test("CP-005, CP-142 as 16.1 decides: when a task fails, all pending checkpoints end with SUSPEND and all queued requests are gone", () => {
    const run = story(
      small(
        twoLanes({
          checkpointing: { interval: "300 ms", "max-concurrent-checkpoints": 2 },
          timing: { "snapshot.async": "5 s" },
          initialDelay: 0,
          faults: [atTime(1500, "fail-task", { target: "M[0]" })],
          until: { time: 3500 },
        }),
      ),
    );
    const stopped = run.first("TaskStateChanged", { from: "RUNNING" });
    const aborted = run.all("CheckpointAborted");
    expect(aborted.map(({ checkpoint, reason, clock, counts }) => [checkpoint, reason, clock, counts])).toEqual([
      [1, "CHECKPOINT_COORDINATOR_SUSPEND", stopped.clock, false],
      [2, "CHECKPOINT_COORDINATOR_SUSPEND", stopped.clock, false],
    ]);
    expect(run.until(stopped).all("TriggerQueued").length).toBeGreaterThan(0);
    // With the requests gone, the two next checkpoints are those of the new schedule: at its start and 300 ms later.
    const restarted = run.last("TaskStateChanged", { to: "RUNNING" }).clock;
    expect(run.since(stopped).times("CheckpointTriggered")).toEqual([restarted, restarted + 300]);
  });
});

describe("what a trigger needs, and what it uses up", () => {
  test("CP-014, CP-018, FR-091: the job is RUNNING again, and while a task is INITIALIZING a request is refused, and no id is used up", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        initialDelay: 700,
        checkpointing: { interval: "1 s" },
        faults: [
          atTime(900, "fail-task", { target: "M[0]" }),
          { at: { after: "TaskStateChanged", subtask: "K[0]", to: "INITIALIZING", nth: 2 }, do: "trigger-checkpoint" },
        ],
      }),
    );
    expect(run.all("TriggerRejected")).toMatchObject([{ reason: "NOT_ALL_REQUIRED_TASKS_RUNNING" }]);
    expect(run.until(run.first("TriggerRejected")).last("JobStatusChanged")).toMatchObject({ to: "RUNNING" });
    const ids = run.values("CheckpointTriggered", "checkpoint");
    expect(ids).toEqual(ids.map((_, index) => index + 1));
  });

  test("CP-019: ids begin at 1 and grow by one; those of checkpoints that failed stay used", () => {
    const run = clockwork(1000, 0, 100, {
      checkpointing: { timeout: 500, "tolerable-failed-checkpoints": 9 },
      timing: { overrides: [{ vertex: "S", checkpoint: 2, "snapshot.async": 900 }] },
      until: { time: 4500 },
    });
    expect(run.values("CheckpointTriggered", "checkpoint")).toEqual([1, 2, 3, 4]);
    expect(run.values("CheckpointCompleted", "checkpoint")).toEqual([1, 3, 4]);
  });

  test("CP-013, CP-014: the checkpoint is pending before its messages leave, they go to the sources, and all subtasks must acknowledge", () => {
    const run = story(small(twoLanes({ until: { after: "CheckpointCompleted" } })));
    const triggered = run.first("CheckpointTriggered");
    expect(run.until(triggered).all("BarrierEmitted")).toEqual([]);
    const unprompted = run
      .all("BarrierEmitted")
      .filter(({ vertex }) => vertex === "S")
      .map(({ cause }) => run.entries[Number(cause)]?.type);
    expect(unprompted).toEqual(["CheckpointTriggered", "CheckpointTriggered"]);
    expect(run.sorted("CheckpointAcknowledged", "subtask")).toEqual(["K[0]", "K[1]", "M[0]", "M[1]", "S[0]", "S[1]"]);
    expect(run.values("CheckpointAcknowledged", "acknowledged")).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("CP-014: a trigger message that is lost on the way to a task without sources is none: only sources get one", () => {
    const lose = (target: string): Story =>
      story(
        small(
          twoLanes({
            faults: [atTime(0, "lose-rpc", { rpc: "trigger", target })],
            checkpointing: { interval: "1 s", timeout: "500 ms", "tolerable-failed-checkpoints": 9 },
          }),
        ),
      );
    expect(["M[0]", "K[0]", "S[0]"].map((target) => lose(target).all("MessageLost").length)).toEqual([0, 0, 1]);
  });

  test("CP-020: the timeout runs from the moment the checkpoint is pending, to the millisecond", () => {
    const at = (async: number): Story =>
      clockwork(1000, 0, async, {
        checkpointing: { timeout: 600, "tolerable-failed-checkpoints": 9 },
        until: { time: 1900 },
      });
    expect(at(599).told("CheckpointCompleted", "CheckpointAborted")).toEqual(["CheckpointCompleted 1"]);
    const run = at(601);
    expect(run.first("CheckpointAborted")).toMatchObject({ checkpoint: 1, reason: "CHECKPOINT_EXPIRED", clock: 1600 });
    expect(run.all("CheckpointCompleted")).toEqual([]);
  });

  test("CP-020: a checkpoint that completed in time is not given up later", () => {
    const run = clockwork(60_000, 0, 100, { checkpointing: { timeout: 600 }, until: { time: 3000 } });
    expect(run.told("CheckpointCompleted", "CheckpointAborted")).toEqual(["CheckpointCompleted 1"]);
  });
});

describe("completion (CP-120 to CP-126)", () => {
  test.each(["S[0]", "S[1]", "M[0]", "M[1]", "K[0]", "K[1]"])(
    "CP-120: without the acknowledgement of %s the checkpoint does not complete",
    (target) => {
      const run = story(
        small(
          twoLanes({
            faults: [atTime(0, "lose-rpc", { rpc: "ack", target, checkpoint: 1 })],
            checkpointing: { interval: "1 s", timeout: "900 ms", "tolerable-failed-checkpoints": 9 },
            until: { time: 2200 },
          }),
        ),
      );
      expect(run.told("MessageLost")).toEqual([`MessageLost ${target} 1`]);
      expect(run.last("CheckpointAcknowledged", { checkpoint: 1 })).toMatchObject({ acknowledged: 5 });
      expect(run.all("CheckpointCompleted", { checkpoint: 1 })).toEqual([]);
      expect(run.first("CheckpointAborted", { checkpoint: 1 })).toMatchObject({ reason: "CHECKPOINT_EXPIRED" });
      // The one after it has all its acknowledgements.
      expect(run.all("CheckpointCompleted", { checkpoint: 2 })).toHaveLength(1);
    },
  );

  test("CP-121: an acknowledgement counts once, of the current attempt, while the checkpoint is pending", () => {
    const drive = new Drive(small(twoLanes({ timing: { "snapshot.async": 200 } })));
    drive.until("SnapshotPersisted", { subtask: "S[0]" });
    const accepted = drive.until("CheckpointAcknowledged");
    const send = (subtask: string, checkpoint: number, attempt: number): unknown => {
      drive.kernel.after(0, Op.acknowledge, Actor.wire, drive.subtask(subtask), checkpoint, attempt, 0);
      const answer = drive.pass(0).find((entry) => /Acknowledge/.test(entry.type) && entry["subtask"] === subtask);
      return answer?.["fate"] ?? answer?.type;
    };
    expect(accepted).toMatchObject({ acknowledged: 1 });
    const acked = accepted["subtask"] as string;
    expect(send(acked, 1, 0), "again").toBe("duplicate");
    expect(send("K[1]", 1, -1), "an attempt that is no longer current").toBe("unknown attempt");
    expect(send("K[1]", 99, 0), "a checkpoint that is not pending").toBe("late");
    expect(send("K[1]", 1, 0), "pending, not acknowledged yet").toBe("CheckpointAcknowledged");
    // None of the three that were refused counted: four more are needed.
    const last = drive.until("CheckpointMetadataWritten", { checkpoint: 1 });
    const counted = drive.entries.filter(({ type, step }) => type === "CheckpointAcknowledged" && step < last.step);
    expect(counted.map(({ acknowledged }) => acknowledged)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("CP-121: an acknowledgement that comes after its checkpoint was given up is late, and changes nothing", () => {
    const run = story(
      small(
        twoLanes({
          faults: [atTime(0, "lose-rpc", { rpc: "notify-aborted", checkpoint: 1, count: 6 })],
          timing: { overrides: [{ vertex: "M", index: 0, checkpoint: 1, "snapshot.async": 900 }] },
          checkpointing: { interval: "1 s", timeout: "600 ms", "tolerable-failed-checkpoints": 9 },
          until: { time: 2000 },
        }),
      ),
    );
    expect(run.told("CheckpointAborted", "AcknowledgementDiscarded", "CheckpointCompleted")).toEqual([
      "CheckpointAborted 1 CHECKPOINT_EXPIRED",
      "AcknowledgementDiscarded M[0] 1",
      "CheckpointCompleted 2",
    ]);
    expect(run.first("AcknowledgementDiscarded")).toMatchObject({ fate: "late" });
  });

  test("CP-122, FR-087: metadata, store, subsumption, older ones dropped, notifications, and only then the next trigger", () => {
    const run = clockwork(1000, 0, 100, {
      checkpointing: { "max-concurrent-checkpoints": 2 },
      timing: { overrides: [{ vertex: "S", checkpoint: 3, "snapshot.async": 300 }] },
      faults: [
        atTime(0, "lose-rpc", { rpc: "ack", target: "S[0]", checkpoint: 2 }),
        atTime(3100, "trigger-checkpoint"),
      ],
      until: { time: 3350 },
    });
    const { step } = run.first("CheckpointMetadataWritten", { checkpoint: 3 });
    expect(run.entries.slice(step, step + 8).map((entry, i) => `${entry.clock} ${run.lines[step + i]}`)).toEqual([
      "3300 CheckpointMetadataWritten 3",
      "3300 CheckpointCompleted 3",
      "3300 CheckpointSubsumed 1",
      "3300 CheckpointAborted 2 CHECKPOINT_SUBSUMED",
      "3300 CheckpointTriggered 4 CHECKPOINT",
      "3300 CoordinatorSnapshotTaken 4",
      "3300 NotificationDelivered S[0] 3 complete",
      "3300 NotificationDelivered S[0] 2 aborted",
    ]);
  });

  test("CP-127, CP-128: behind the completion a task is told of the newest checkpoint that is subsumed, in two mails of one message", () => {
    const run = story(small({ ...lane(1), faults: triggersAfter("in-0@1", "in-0@4", "in-0@7") }));
    expect(
      run
        .told("NotificationDelivered")
        .filter((line) => line.includes("M[0]"))
        .slice(0, 5),
    ).toEqual([
      "NotificationDelivered M[0] 1 complete",
      "NotificationDelivered M[0] 2 complete",
      "NotificationDelivered M[0] 1 subsumed",
      "NotificationDelivered M[0] 3 complete",
      "NotificationDelivered M[0] 2 subsumed",
    ]);
    const [subsumed, complete] = [
      run.first("NotificationDelivered", { kind: "subsumed", subtask: "M[0]" }),
      run.first("NotificationDelivered", { kind: "complete", subtask: "M[0]", checkpoint: 2 }),
    ];
    expect(subsumed).toMatchObject({ clock: complete.clock, cause: complete["cause"] });
  });

  test("CP-127, CP-130: with two to be retained the third completion is the first that subsumes one", () => {
    const faults = triggersAfter("in-0@1", "in-0@4", "in-0@7");
    const run = story(small({ ...lane(1), checkpointing: { "num-retained": 2 }, faults }));
    const told = { subtask: "M[0]" };
    expect(run.first("NotificationDelivered", { ...told, kind: "subsumed" })).toMatchObject({
      checkpoint: 1,
      clock: run.first("NotificationDelivered", { ...told, checkpoint: 3 }).clock,
    });
  });

  test("CP-128, CP-129a: the subsumed part can be lost alone; a completion that is lost takes it along", () => {
    const faults = [
      ...triggersAfter("in-0@1", "in-0@4", "in-0@7"),
      atTime(0, "lose-rpc", { rpc: "notify-subsumed", target: "M[0]" }),
      atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 2 }),
    ];
    const run = story(small({ ...lane(1), faults }));
    expect(run.all("MessageLost").map(({ rpc, subtask, checkpoint }) => [rpc, subtask, checkpoint])).toEqual([
      ["notify-subsumed", "M[0]", 1],
      ["notify-complete", "K[0]", 2],
    ]);
    const told = (subtask: string): unknown[] =>
      run.all("NotificationDelivered", { subtask }).map(({ kind, checkpoint }) => [kind, checkpoint]);
    expect(told("M[0]").slice(0, 4)).toEqual([
      ["complete", 1],
      ["complete", 2],
      ["complete", 3],
      ["subsumed", 2],
    ]);
    expect(told("K[0]").slice(0, 3)).toEqual([
      ["complete", 1],
      ["complete", 3],
      ["subsumed", 2],
    ]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("CP-122: a person's trigger in the middle of a completion waits until that is done", () => {
    for (const event of ["CheckpointMetadataWritten", "CheckpointCompleted", "CheckpointSubsumed"] as const) {
      const run = clockwork(1000, 0, 100, {
        faults: [
          after(event, event === "CheckpointSubsumed" ? { checkpoint: 1 } : { checkpoint: 2 }, "trigger-checkpoint"),
        ],
        until: { time: 2500 },
      });
      expect(
        run
          .told("CheckpointMetadataWritten", "CheckpointCompleted", "CheckpointSubsumed", "CheckpointTriggered")
          .slice(3),
      ).toEqual([
        "CheckpointTriggered 2 CHECKPOINT",
        "CheckpointMetadataWritten 2",
        "CheckpointCompleted 2",
        "CheckpointSubsumed 1",
        "CheckpointTriggered 3 CHECKPOINT",
        "CheckpointMetadataWritten 3",
        "CheckpointCompleted 3",
        "CheckpointSubsumed 2",
      ]);
    }
  });

  test("CP-123, FR-082: a failure before the last acknowledgement restores the checkpoint before, one after the store the new one", () => {
    const failing = (fault: Record<string, unknown>): unknown =>
      story(withFaults("linear", [fault])).first("StateRestored")["checkpoint"];
    expect(failing(before("CheckpointAcknowledged", { checkpoint: 2, acknowledged: 3 }, "fail-job"))).toBe(1);
    expect(failing(after("CheckpointCompleted", { checkpoint: 2 }, "fail-job"))).toBe(2);
    // What lies between is one step of the coordinator: nothing but a crash of the JobManager comes in between.
    expect(failing(after("CheckpointMetadataWritten", { checkpoint: 2 }, "fail-job"))).toBe(2);
  });

  test("CP-126: a checkpoint that is pending when a later one completes is subsumed and never completes", () => {
    const run = clockwork(1000, 0, 100, {
      checkpointing: { "max-concurrent-checkpoints": 2 },
      faults: [atTime(0, "lose-rpc", { rpc: "ack", target: "S[0]", checkpoint: 2 })],
      until: { time: 4500 },
    });
    expect(run.told("CheckpointCompleted", "CheckpointAborted")).toEqual([
      "CheckpointCompleted 1",
      "CheckpointCompleted 3",
      "CheckpointAborted 2 CHECKPOINT_SUBSUMED",
      "CheckpointCompleted 4",
    ]);
    expect(run.first("CheckpointAborted")).toMatchObject({ counts: false });
  });

  test("CP-130: the store keeps the newest num-retained checkpoints; the new one is in before an old one goes", () => {
    for (const retained of [1, 2, 3]) {
      const run = clockwork(1000, 0, 100, { checkpointing: { "num-retained": retained }, until: { time: 6500 } });
      expect(run.values("CheckpointSubsumed", "checkpoint")).toEqual([1, 2, 3, 4, 5, 6].slice(0, 6 - retained));
      for (const { step, checkpoint } of run.all("CheckpointSubsumed"))
        expect(run.lines[step - 1]).toBe(`CheckpointCompleted ${Number(checkpoint) + retained}`);
      expect(run.report.checkpoints.filter((row) => row.retained).map(({ id }) => id)).toEqual(
        [1, 2, 3, 4, 5, 6].slice(6 - retained),
      );
    }
  });
});

describe("notifications (CP-127 to CP-129c)", () => {
  test("CP-127: completion is told to every task, at its current attempt, once", () => {
    const run = story(
      withFaults("linear", [after("CheckpointCompleted", { checkpoint: 1 }, "fail-task", { target: "MAP[0]" })]),
    );
    const last = run.last("CheckpointCompleted");
    expect(run.since(last).sorted("NotificationDelivered", "subtask", { checkpoint: last["checkpoint"] })).toEqual([
      "MAP[0]",
      "SNK[0]",
      "SRC[0]",
    ]);
    expect(run.since(last).times("NotificationDelivered", { kind: "complete" })).toEqual([
      last.clock + 1,
      last.clock + 1,
      last.clock + 1,
    ]);
  });

  test("CP-129a: a lost notification is not sent again", () => {
    const run = story(
      withFaults("linear", [
        after("CheckpointCompleted", { checkpoint: 1 }, "lose-rpc", {
          rpc: "notify-complete",
          target: "SRC[0]",
          checkpoint: 1,
        }),
      ]),
    );
    const complete = (subtask: string): unknown[] =>
      run.values("NotificationDelivered", "checkpoint", { subtask, kind: "complete" });
    expect(complete("SRC[0]")).not.toContain(1);
    expect(complete("SNK[0]")).toContain(1);
  });

  test("CP-129c: at one task notifications come in the order of ids; another task may be told earlier or later", () => {
    const run = story(withFaults("shuffle", []));
    for (const { name } of run.result.graph.subtasks) {
      const ids = run.values("NotificationDelivered", "checkpoint", { subtask: name, kind: "complete" });
      expect(ids).toEqual([...ids].sort((a, b) => Number(a) - Number(b)));
    }
    const times = run.times("NotificationDelivered", { checkpoint: 1 });
    expect(new Set(times).size).toBeGreaterThan(1);
  });
});

describe("abort (CP-140 to CP-142)", () => {
  test("CP-140: an abort is told to every task with the reason kept, the slot is free at once, and the timeout does not strike again", () => {
    const run = story(
      small(
        twoLanes({
          checkpointing: { interval: "1 s", timeout: "600 ms", "tolerable-failed-checkpoints": 9 },
          timing: { overrides: [{ vertex: "M", index: 0, checkpoint: 1, "snapshot.async": "1100 ms" }] },
          until: { time: 3000 },
        }),
      ),
    );
    const aborted = run.first("CheckpointAborted");
    expect(run.all("CheckpointAborted")).toHaveLength(1);
    expect(run.sorted("NotificationDelivered", "subtask", { checkpoint: 1, kind: "aborted" })).toEqual([
      "K[0]",
      "K[1]",
      "M[0]",
      "M[1]",
      "S[0]",
      "S[1]",
    ]);
    expect(run.times("NotificationDelivered", { checkpoint: 1 })).toEqual(
      Array.from({ length: 6 }, () => aborted.clock + 1),
    );
    expect(run.since(aborted).first("CheckpointTriggered")).toMatchObject({ checkpoint: 2 });
    expect(run.report.checkpoints[0]).toMatchObject({
      status: "FAILED",
      failure: "CHECKPOINT_EXPIRED",
      ended: aborted.clock,
    });
    expect(run.report.recoveries).toEqual([]);
  });

  test("CP-141: a decline of a pending checkpoint ends it with the decline's reason; of any other it does nothing", () => {
    const drive = new Drive(small(twoLanes({ timing: { "snapshot.async": 200 } })));
    drive.until("CheckpointTriggered", { checkpoint: 1 });
    const decline = (checkpoint: number): unknown[] => {
      // 4 is CHECKPOINT_DECLINED_SUBSUMED.
      drive.kernel.after(0, Op.decline, Actor.wire, drive.subtask("M[0]"), checkpoint, 0, 4);
      return drive
        .pass(0)
        .filter(({ type }) => type.startsWith("Checkpoint"))
        .map(({ type, reason }) => [type, reason]);
    };
    expect(decline(7)).toEqual([]);
    expect(decline(1)).toEqual([
      ["CheckpointDeclined", "CHECKPOINT_DECLINED_SUBSUMED"],
      ["CheckpointAborted", "CHECKPOINT_DECLINED_SUBSUMED"],
    ]);
    expect(decline(1)).toEqual([]);
  });

  test("FR-080, FR-081: without periodic checkpoints too, what is pending ends when the job leaves RUNNING; tasks that run on are told, nothing is counted", () => {
    const run = story(
      small(
        twoLanes({
          checkpointing: { interval: null },
          timing: { "snapshot.async": "5 s" },
          faults: [atTime(500, "trigger-checkpoint"), atTime(1000, "fail-task", { target: "M[0]" })],
          until: { time: 4000 },
        }),
      ),
    );
    expect(run.all("CheckpointAborted")).toMatchObject([
      {
        checkpoint: 1,
        reason: "CHECKPOINT_COORDINATOR_SUSPEND",
        clock: run.first("TaskFailed").clock,
        counts: false,
        failures: 0,
      },
    ]);
    expect(run.values("NotificationDelivered", "subtask", { checkpoint: 1, kind: "aborted" })).toEqual(
      expect.arrayContaining(["S[1]", "M[1]", "K[1]"]),
    );
  });
});

/** Which checkpoints expire; the others take 100 ms. One fire a second, the timeout is 500 ms. */
function expiring(ids: readonly number[], tolerable: number, more: Partial<Small> = {}): Story {
  return clockwork(1000, 0, 100, {
    timing: { overrides: ids.map((checkpoint) => ({ vertex: "S", checkpoint, "snapshot.async": 900 })) },
    restart: fixedDelay(3, "10 s"),
    until: { time: 1000 * (Math.max(...ids) + 1) },
    ...more,
    checkpointing: { timeout: 500, "tolerable-failed-checkpoints": tolerable, ...more.checkpointing },
  });
}

describe("failed checkpoints are counted (CP-150 to CP-155)", () => {
  const counts = (run: Story): unknown[] =>
    run.all("CheckpointAborted").map(({ checkpoint, failures }) => [checkpoint, failures]);

  test("CP-151, FR-027: the failure that goes beyond the tolerable number restarts the whole job from the latest checkpoint, if the strategy grants it", () => {
    const run = expiring([2, 3], 1);
    expect(counts(run)).toEqual([
      [2, 1],
      [3, 2],
    ]);
    expect(run.first("RestartScheduled")).toMatchObject({
      clock: 3500,
      scope: "global",
      failure: "CHECKPOINT_FAILURE_THRESHOLD",
      restarted: ["S[0]"],
    });
    const denied = expiring([1], 0, { restart: { type: "none" } });
    expect(denied.told("JobStatusChanged").at(-1)).toBe("JobStatusChanged FAILING>FAILED");
  });

  test("CP-151: the counter begins anew after it has restarted the job", () => {
    const run = expiring([2, 3, 4, 5], 1, {
      restart: fixedDelay(9, "100 ms"),
      initialDelay: 1000,
      until: { time: 9000 },
    });
    expect(counts(run)).toEqual([
      [2, 1],
      [3, 2],
      [4, 1],
      [5, 2],
    ]);
    expect(run.all("RestartScheduled")).toHaveLength(2);
  });

  test("CP-153, CP-155: with two tolerated, fail fail complete fail fail restarts nothing; three in a row restart the job on the third", () => {
    const broken = expiring([1, 2, 4, 5], 2);
    expect(counts(broken)).toEqual([
      [1, 1],
      [2, 2],
      [4, 1],
      [5, 2],
    ]);
    expect(broken.all("RestartScheduled")).toEqual([]);
    const row = expiring([1, 2, 3], 2);
    expect(counts(row)).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(row.times("RestartScheduled")).toEqual([3500]);
  });

  test("CP-154: the largest tolerable number switches counting off: no failure raises the counter, and none restarts the job", () => {
    const ids = Array.from({ length: 40 }, (_, i) => i + 1);
    const run = expiring(ids, 2_147_483_647);
    expect(counts(run)).toEqual(ids.map((id) => [id, 0]));
    expect(run.report.checkpoints.some(({ countsAsFailure }) => countsAsFailure)).toBe(false);
    expect(run.all("RestartScheduled")).toEqual([]);
    expect(expiring(ids, 2_147_483_646).last("CheckpointAborted")).toMatchObject({ failures: 40 });
  });

  test("CP-150, CP-152, FR-028: an expiry counts; a decline for a newer barrier, a cancel marker, a subsumption and a stop of the scheduler do not", () => {
    const expired = expiring([1], 5).first("CheckpointAborted");
    expect(expired).toMatchObject({ reason: "CHECKPOINT_EXPIRED", counts: true, failures: 1 });
    const uncounted = new Map<string, unknown>();
    // S[1] never hears of checkpoint 1, so that the counters decline it when 2 comes; see TR-6.
    const superseded = story(
      withFaults("shuffle", [atTime(0, "lose-rpc", { rpc: "trigger", target: "SRC[1]", checkpoint: 1 })], (file) => {
        (file["config"] as Record<string, unknown>)["execution.checkpointing.max-concurrent-checkpoints"] = 2;
      }),
    );
    const subsumed = clockwork(1000, 0, 100, {
      checkpointing: { "max-concurrent-checkpoints": 2 },
      faults: [atTime(0, "lose-rpc", { rpc: "ack", target: "S[0]", checkpoint: 2 })],
    });
    const suspended = story(
      withFaults("linear", [
        after("SnapshotTaken", { subtask: "SNK[0]", checkpoint: 2 }, "fail-task", { target: "MAP[0]" }),
      ]),
    );
    for (const run of [superseded, subsumed, suspended])
      for (const { reason, counts: does, failures } of run.all("CheckpointAborted"))
        uncounted.set(reason as string, [does, failures]);
    expect(Object.fromEntries(uncounted)).toEqual({
      CHECKPOINT_DECLINED_SUBSUMED: [false, 0],
      CHECKPOINT_SUBSUMED: [false, 0],
      CHECKPOINT_COORDINATOR_SUSPEND: [false, 0],
    });
  });

  test("CP-155: a decline that does not count, then an expiry: the count is 1", () => {
    const drive = new Drive(
      small({
        ...twoLanes(),
        timing: { "snapshot.async": 2000 },
        checkpointing: { interval: "1 s", timeout: "500 ms", "tolerable-failed-checkpoints": 2 },
      }),
    );
    drive.until("CheckpointTriggered", { checkpoint: 1 });
    drive.kernel.after(0, Op.decline, Actor.wire, drive.subtask("M[0]"), 1, 0, 4);
    expect(drive.until("CheckpointAborted", { checkpoint: 1 })).toMatchObject({ failures: 0, counts: false });
    expect(drive.until("CheckpointAborted", { checkpoint: 2 })).toMatchObject({ failures: 1, counts: true });
  });
});

describe("worked traces", () => {
  test("TR-9, CP-103: the timeout of 600 ends a checkpoint whose async part takes 1000; the part goes on, and its acknowledgement is late", () => {
    const run = clockwork(60_000, 0, 1000, { checkpointing: { timeout: 600, "tolerable-failed-checkpoints": 9 } });
    expect(
      run.entries
        .filter(({ step }) => step >= run.first("CheckpointTriggered").step)
        .map(({ clock, step }) => `${clock} ${run.lines[step]}`),
    ).toEqual([
      "1000 CheckpointTriggered 1 CHECKPOINT",
      "1000 CoordinatorSnapshotTaken 1",
      "1000 SnapshotTaken S[0] 1",
      "1600 CheckpointAborted 1 CHECKPOINT_EXPIRED",
      "1600 NotificationDelivered S[0] 1 aborted",
      "2000 SnapshotPersisted S[0] 1",
      "2000 AcknowledgementDiscarded S[0] 1",
    ]);
  });

  test("TR-10, CP-129: the abort of 2 brings the lost news that 1 is complete, and that comes first", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        faults: [
          ...triggersAfter("in-0@3", "in-0@7"),
          atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
        ],
        checkpointing: { timeout: "300 ms", "tolerable-failed-checkpoints": 9 },
        timing: { overrides: [{ vertex: "M", checkpoint: 2, "snapshot.async": "400 ms" }] },
      }),
    );
    expect(
      run
        .told("NotificationDelivered")
        .filter((line) => line.includes("K[0]"))
        .slice(0, 2),
    ).toEqual(["NotificationDelivered K[0] 1 complete", "NotificationDelivered K[0] 2 aborted"]);
    const { clock } = run.first("CheckpointAborted", { checkpoint: 2 });
    expect(run.first("NotificationDelivered", { subtask: "K[0]", checkpoint: 1 }).clock).toBe(clock + 1);
    expect(run.first("TransactionCommitted", { transaction: "P-0-1" }).clock).toBe(clock + 2);
    // M[0] had heard of 1 in time and is not told twice.
    expect(
      run.values("NotificationDelivered", "checkpoint", { subtask: "M[0]", kind: "complete" }).filter((id) => id === 1),
    ).toHaveLength(1);
  });

  test("TR-10: the completion of 2 stands for the lost one of 1", () => {
    const run = story(
      small({
        ...lane(1, { chain: false }),
        faults: [
          ...triggersAfter("in-0@3", "in-0@7"),
          atTime(0, "lose-rpc", { rpc: "notify-complete", target: "K[0]", checkpoint: 1 }),
        ],
      }),
    );
    expect(run.values("TransactionCommitted", "transaction").slice(0, 2)).toEqual(["P-0-1", "P-0-2"]);
    expect(run.values("NotificationDelivered", "checkpoint", { subtask: "K[0]", kind: "complete" })[0]).toBe(2);
  });
});
