/** Requests for checkpoints: which wait, which run, which are refused (`checkpointing.md` 5.2 and 5.3). */
import { describe, expect, test } from "vitest";
import { Job } from "./layout.ts";
import { Actor, Op } from "./ops.ts";
import { clockwork, clockworkJob } from "./testing/clockwork.ts";
import { Drive, type Story, atTime, fixedDelay, lane, small, story } from "./testing/stories.ts";

/** A job whose checkpoint 1, of time 1000, never ends; so many requests of a kind are submitted behind it. */
function queueOf(manual: number, periodic: number): Drive {
  const drive = new Drive(clockworkJob(3_600_000, 0, 3_000_000, { checkpointing: { timeout: "1 h" } }));
  drive.until("CheckpointTriggered", { checkpoint: 1 });
  for (let i = 0; i < manual; i++) drive.kernel.after(0, Op.submit, Actor.jobManager, 0);
  for (let i = 0; i < periodic; i++) drive.kernel.after(0, Op.submit, Actor.jobManager, 1);
  drive.pass(1);
  return drive;
}

/** What one more request of a kind meets. */
function oneMore(drive: Drive, periodic: 0 | 1): unknown[] {
  drive.kernel.after(0, Op.submit, Actor.jobManager, periodic);
  return drive.pass(1).map(({ type, reason }) => [type, reason ?? null]);
}

const queued = [["TriggerQueued", null]];
const tooMany = [["TriggerRejected", "TOO_MANY_CHECKPOINT_REQUESTS"]];

describe("the queue", () => {
  test("CP-008: a thousand requests wait; one more pushes out a periodic one, and is itself refused where there is none", () => {
    expect(oneMore(queueOf(999, 0), 0)).toEqual(queued);
    expect(oneMore(queueOf(1000, 0), 0)).toEqual(tooMany);
    expect(oneMore(queueOf(1000, 0), 1)).toEqual(tooMany);
    const drive = queueOf(998, 2);
    expect(oneMore(drive, 0)).toEqual(tooMany);
    expect(oneMore(drive, 0)).toEqual(tooMany);
    // Both periodic ones are gone now: 1000 by hand wait, and the next one is the one that is refused.
    expect(drive.kernel.world.job(Job.queuedManual)).toBe(1000);
    expect(oneMore(drive, 0)).toEqual(tooMany);
    expect(drive.kernel.world.job(Job.queuedManual)).toBe(1000);
  });

  test("CP-008: what a person asks for goes before what the timer asked for, though it came later", () => {
    // Fires at 1000 and 2000; the slot is free at 3500. At 2600 somebody asks; the fire of 2000 has waited longer.
    const run = clockwork(1000, 0, 2500, { faults: [atTime(2600, "trigger-checkpoint")], until: { time: 6100 } });
    expect(run.times("CheckpointTriggered")).toEqual([1000, 3500, 6000]);
    const second = run.first("CheckpointTriggered", { checkpoint: 2 });
    expect(run.until(second).times("TriggerQueued")).toEqual([2000, 2600, 3000]);
    const asks = new Drive(clockworkJob(1000, 0, 2500, { faults: [atTime(2600, "trigger-checkpoint")] }));
    asks.until("CheckpointTriggered", { checkpoint: 2 });
    expect([asks.kernel.world.job(Job.queuedManual), asks.kernel.world.job(Job.queuedPeriodic)]).toEqual([0, 2]);
  });

  test("CP-008, CP-009: a request by hand runs where periodic ones before it would only be dropped for the pause", () => {
    // At 3500 the pause of 700 binds: a periodic request is dropped. The one by hand, which came last, runs at once.
    const run = clockwork(1000, 700, 2500, { faults: [atTime(3400, "trigger-checkpoint")], until: { time: 5900 } });
    expect(run.times("CheckpointTriggered")).toEqual([1000, 3500]);
    expect(run.all("TriggerRejected")).toEqual([]);
  });

  test("CP-011: several requests by hand run one after the other, each when the one before has ended", () => {
    const run = clockwork(3_600_000, 3_600_000, 300, {
      faults: [1100, 1100, 1100].map((time) => atTime(time, "trigger-checkpoint")),
      until: { time: 4000 },
    });
    expect(run.times("CheckpointTriggered")).toEqual([1000, 1300, 1600, 1900]);
    expect(run.values("CheckpointCompleted", "checkpoint")).toEqual([1, 2, 3, 4]);
  });

  test("CP-012: a checkpoint that is asked for is not forced: it waits for a free slot", () => {
    const run = clockwork(3_600_000, 0, 800, { faults: [atTime(1100, "trigger-checkpoint")], until: { time: 3000 } });
    expect(run.times("CheckpointTriggered")).toEqual([1000, 1800]);
  });

  test("CP-005: every request that waits ends with the scheduler, each with the reason SUSPEND, and none of them counts", () => {
    const run = clockwork(1000, 0, 60_000, {
      faults: [atTime(3300, "trigger-checkpoint"), atTime(3500, "fail-task", { target: "S[0]" })],
      restart: fixedDelay(3, "10 s"),
      until: { time: 6000 },
    });
    expect(run.report.rejectedTriggers).toEqual(
      [1, 2, 3].map(() => ({ at: 3500, kind: "CHECKPOINT", reason: "CHECKPOINT_COORDINATOR_SUSPEND" })),
    );
    expect(run.report.checkpoints).toMatchObject([
      { id: 1, failure: "CHECKPOINT_COORDINATOR_SUSPEND", countsAsFailure: false, consecutiveFailures: 0 },
    ]);
  });
});

describe("a trigger phase that fails", () => {
  /** One lane that fails at 900, and requests while its tasks do not all run. */
  const refused = (): Story =>
    story(
      small({
        ...lane(1, { chain: false }),
        initialDelay: 700,
        checkpointing: { interval: "1 s" },
        faults: [
          atTime(900, "fail-task", { target: "M[0]" }),
          ...[1000, 1100, 1200].map((time) => atTime(time, "trigger-checkpoint")),
        ],
      }),
    );

  test("CP-011, CP-022: it ends the request alone: the next one is looked at at once, and no failure is counted", () => {
    const run = refused();
    expect(run.report.rejectedTriggers).toEqual(
      [1000, 1100, 1200].map((at) => ({ at, kind: "CHECKPOINT", reason: "NOT_ALL_REQUIRED_TASKS_RUNNING" })),
    );
    expect(run.report.checkpoints.every(({ consecutiveFailures }) => consecutiveFailures === 0)).toBe(true);
  });

  test("CP-018: a request that fails before it has an id leaves no gap", () => {
    const ids = refused().values("CheckpointTriggered", "checkpoint");
    expect(ids).toEqual(ids.map((_, index) => index + 1));
  });

  test("CP-006: when the job has come to its end the coordinator is shut down: requests are refused, messages are not heard", () => {
    const run = clockwork(1000, 0, 100, {
      restart: { type: "none" },
      faults: [atTime(1050, "fail-task", { target: "S[0]" }), atTime(2000, "trigger-checkpoint")],
      until: { time: 3000 },
    });
    expect(run.report.job.status).toBe("FAILED");
    expect(run.report.rejectedTriggers).toEqual([
      { at: 2000, kind: "CHECKPOINT", reason: "CHECKPOINT_COORDINATOR_SHUTDOWN" },
    ]);
    expect(run.report.checkpoints).toMatchObject([{ id: 1, failure: "CHECKPOINT_COORDINATOR_SUSPEND" }]);
    const drive = new Drive(
      clockworkJob(1000, 0, 100, {
        restart: { type: "none" },
        faults: [atTime(1050, "fail-task", { target: "S[0]" })],
      }),
    );
    drive.until("JobStatusChanged", { to: "FAILED" });
    drive.kernel.after(0, Op.acknowledge, Actor.wire, 0, 1, 0, 0);
    drive.kernel.after(0, Op.decline, Actor.wire, 0, 1, 0, 4);
    expect(drive.pass(10)).toEqual([]);
  });
});
