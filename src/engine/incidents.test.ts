/**
 * Public incident reports about checkpoints, as scenario files with their exact figures. Which file is which report, and
 * what is not run yet, is in `docs/incidents.md`.
 */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { at } from "../base/assert.ts";
import type { CheckpointSubtaskRow } from "../scenario/report.ts";
import { secondGateNotPersisted } from "./defects.ts";
import { scenarioFrom } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { runScenario } from "./run.ts";
import { type Story, after, atTime, story } from "./testing/stories.ts";

type Json = { [key: string]: unknown };
const seconds = (times: readonly number[]): number[] => times.map((time) => time / 1000);

/** The file of an incident. */
function scenarioSource(id: string): Json & { config: Json } {
  const file = path.resolve(import.meta.dirname, `../../scenarios/incidents/${id}.scenario.json`);
  return JSON.parse(readFileSync(file, "utf8")) as Json & { config: Json };
}

/** A job with vertices that differ in what is said of them. */
function changed(job: unknown, { vertices }: { vertices: readonly Json[] }): unknown {
  const written = job as { vertices: readonly Json[] };
  return {
    ...written,
    vertices: written.vertices.map((vertex) => ({ ...vertex, ...vertices.find(({ uid }) => uid === vertex["uid"]) })),
  };
}

/** The file of an incident, with these options changed. */
function scenarioOf(id: string, config: Json = {}, more: Json = {}): Scenario {
  const source = scenarioSource(id);
  const options = Object.entries(config).map(([key, value]) => [`execution.checkpointing.${key}`, value]);
  const parsed = scenarioFrom({ ...source, ...more, config: { ...source.config, ...Object.fromEntries(options) } });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

function incident(id: string, config: Json = {}, more: Json = {}, run: Parameters<typeof story>[1] = {}): Story {
  return story(scenarioOf(id, config, more), run);
}

/** Nothing takes time. */
const instant = {
  network: 0,
  rpc: 0,
  deploy: 0,
  cancel: 0,
  restore: 0,
  "snapshot.sync": 0,
};

/** The one part of a checkpoint that a subtask had. */
function part(run: Story, checkpoint: number, subtask: string): CheckpointSubtaskRow {
  const row = run.report.checkpoints.find(({ id }) => id === checkpoint);
  return at(row?.subtasks.filter((each) => each.subtask === subtask) ?? [], 0);
}

/** Without latency of messages a subtask's end-to-end duration is the sum of its parts (CP-201 to CP-207). */
function expectSum(run: Story): void {
  for (const { triggered, subtasks } of run.report.checkpoints)
    for (const { acked, startDelay, alignment, sync, async } of subtasks)
      expect((acked ?? 0) - triggered).toBe((startDelay ?? 0) + (alignment ?? 0) + (sync ?? 0) + (async ?? 0));
}

test("every file is in the list of incidents, and every one in the list is there", () => {
  const root = path.resolve(import.meta.dirname, "../..");
  const listed = [
    ...readFileSync(path.join(root, "docs/incidents.md"), "utf8").matchAll(/\| (P-\d\d) \| .* \| `scenarios/g),
  ];
  const files = readdirSync(path.join(root, "scenarios/incidents")).map((file) => file.slice(0, 4));
  expect(new Set(listed.map(([, id]) => id))).toEqual(new Set(files));
  expect(listed).toHaveLength(files.length);
});

describe("P-08: the minimum pause runs from the last completion, and only from there", () => {
  test("P-08, CP-009, CP-010: case A, completed at 150 s: the waiting request is dropped, and triggers follow at 180, 240 and 300 s", () => {
    const run = incident("P-08");
    expect(run.report.checkpoints[0]).toMatchObject({ id: 1, triggered: 60_000, ended: 150_000, status: "COMPLETED" });
    expect(seconds(run.times("CheckpointTriggered"))).toEqual([60, 180, 240, 300]);
    expect(run.report.rejectedTriggers).toEqual([
      { at: 150_000, kind: "CHECKPOINT", reason: "MINIMUM_TIME_BETWEEN_CHECKPOINTS" },
    ]);
    expect(run.report.checkpoints.map(({ countsAsFailure }) => countsAsFailure)).not.toContain(true);
  });

  test("P-08, CP-010: case B, expired at 150 s: the waiting request runs at 150 s", () => {
    const run = incident("P-08", { timeout: "90 s" });
    expect(run.report.checkpoints.slice(0, 2)).toMatchObject([
      { id: 1, triggered: 60_000, ended: 150_000, failure: "CHECKPOINT_EXPIRED", countsAsFailure: true },
      { id: 2, triggered: 150_000, ended: 151_000, status: "COMPLETED" },
    ]);
  });
});

describe("P-09: a checkpoint that takes longer than its interval", () => {
  const busy = (run: Story): number => {
    const rows = run.report.checkpoints.filter(({ ended }) => ended !== null);
    const last = rows.at(-1)?.triggered ?? 0;
    const taken = rows.filter(({ triggered }) => triggered < last).map((row) => (row.ended ?? 0) - row.triggered);
    return Math.round((100 * taken.reduce((sum, duration) => sum + duration, 0)) / (last - (rows[0]?.triggered ?? 0)));
  };

  test("P-09, CP-009: triggers at 0, 25, 50 …, always one under way", () => {
    const run = incident("P-09");
    expect(seconds(run.times("CheckpointTriggered"))).toEqual([0, 25, 50, 75, 100, 125]);
    expect(busy(run)).toBe(100);
  });

  test("P-09, CP-009: with a minimum pause of 5 s at 0, 30, 60 …, 83 % of the time", () => {
    const run = incident("P-09", { "min-pause": "5 s" });
    expect(seconds(run.times("CheckpointTriggered"))).toEqual([0, 30, 60, 90, 120]);
    expect(busy(run)).toBe(83);
  });
});

test("P-10, CP-001: an interval of 5 s below a pause of 30 s is one of 30 s, and the gap is never below the pause", () => {
  const run = incident("P-10");
  const [triggers, ends] = [run.times("CheckpointTriggered"), run.times("CheckpointCompleted")];
  for (const [index, end] of ends.entries())
    expect((triggers[index + 1] ?? Infinity) - end).toBeGreaterThanOrEqual(30_000);
  expect(seconds(triggers)).toEqual([30, 61, 92, 123, 154, 185]);
});

describe("P-01: a source that never answers, and nothing tolerable", () => {
  test("P-01, CP-020, CP-151: expired after 180000 ms to the millisecond, the whole job restarts without state and reads from the beginning, again and again", () => {
    const run = incident("P-01");
    expect(run.report.checkpoints.slice(0, 3)).toMatchObject(
      [1, 2, 3].map((id) => ({ id, failure: "CHECKPOINT_EXPIRED", consecutiveFailures: 1, countsAsFailure: true })),
    );
    for (const { triggered, ended } of run.report.checkpoints.slice(0, 3))
      expect((ended ?? 0) - triggered).toBe(180_000);
    expect(seconds(run.times("CheckpointTriggered")).slice(0, 3)).toEqual([300, 780, 1260]);
    expect(run.report.recoveries.slice(0, 3)).toMatchObject(
      [480, 960, 1440].map((at) => ({ at: at * 1000, scope: "global", restoredFrom: null, granted: true })),
    );
    expect(run.all("RecordEmitted", { record: "in-0@0" }).length).toBeGreaterThanOrEqual(4);
  });

  test("P-01, CP-153: with 100 tolerable nothing restarts, and the first checkpoint that completes clears the counter", () => {
    const lost = { at: { time: "0 ms" }, do: "lose-rpc", rpc: "trigger", target: "source[0]", count: 2 };
    const run = incident("P-01", { "tolerable-failed-checkpoints": 100 }, { faults: [lost] });
    expect(run.report.recoveries).toEqual([]);
    expect(
      run.report.checkpoints.slice(0, 3).map(({ status, consecutiveFailures }) => [status, consecutiveFailures]),
    ).toEqual([
      ["FAILED", 1],
      ["FAILED", 2],
      ["COMPLETED", 0],
    ]);
  });
});

test("P-06, CP-102: an error in the synchronous part fails the task at once; ten tolerable failures do not help, and one restart is used up", () => {
  const run = incident("P-06");
  expect(run.report.checkpoints.slice(0, 3)).toMatchObject([
    { id: 1, status: "COMPLETED" },
    { id: 2, failure: "CHECKPOINT_COORDINATOR_SUSPEND", countsAsFailure: false, consecutiveFailures: 0 },
    { id: 3, status: "COMPLETED" },
  ]);
  expect(run.all("CheckpointDeclined")).toEqual([]);
  expect(run.all("TaskFailed")).toMatchObject([{ subtask: "sink[0]", failure: "SNAPSHOT_FAILED" }]);
  expect(run.all("RestartScheduled")).toMatchObject([{ scope: "region", failures: 1 }]);
  expect(run.report.recoveries).toMatchObject([{ granted: true, restoredFrom: 1 }]);
  expect(run.report.job).toMatchObject({ status: "RUNNING", restarts: 1 });
});

describe("P-13: where a barrier waits under backpressure", () => {
  const second = 1000;

  test("P-13, CP-202, CP-203: full buffers, 5 s of data a hop: the window's barriers come after 5 s, the sink's after 10 s, and alignment is next to nothing", () => {
    const run = incident("P-13");
    for (const window of ["window[0]", "window[1]"]) {
      const { startDelay, alignment } = part(run, 1, window);
      expect(Math.abs((startDelay ?? 0) - 5 * second)).toBeLessThan(0.4 * second);
      expect(alignment).toBeLessThan(0.4 * second);
    }
    const { startDelay, alignment } = part(run, 1, "sink[0]");
    expect(Math.abs((startDelay ?? 0) - 10 * second)).toBeLessThan(0.4 * second);
    expect(alignment).toBeLessThan(0.4 * second);
    expect(part(run, 1, "source[0]")).toMatchObject({ startDelay: 0, alignment: 0 });
    expectSum(run);
  });

  test("P-13, CP-203, CP-051: one source ten times slower: its barrier is there at once and blocks its channel, and the window aligns as long as the other's is under way", () => {
    const [fast, slow] = ["100 ms", "1 s"].map((every) => ({ records: 500, every }));
    const run = incident("P-13", {}, { topics: { in: { partitions: [fast, slow, fast, slow], keys: 8 }, out: {} } });
    for (const window of ["window[0]", "window[1]"]) {
      const [early, late] = run.all("BarrierReceived", { subtask: window });
      expect([early?.["channel"], late?.["channel"]]).toEqual([`source[1]->${window}`, `source[0]->${window}`]);
      const { startDelay, alignment } = part(run, 1, window);
      expect(startDelay).toBeLessThan(0.5 * second);
      expect(alignment).toBe((late?.clock ?? 0) - (early?.clock ?? 0));
      // Thirteen records, five a second.
      expect(Math.abs((alignment ?? 0) - 2.6 * second)).toBeLessThan(0.4 * second);
      const between = run.entries.filter(({ step }) => step > (early?.step ?? 0) && step < (late?.step ?? 0));
      expect(between.some(({ type, channel }) => type === "ChannelBlocked" && channel === early?.["channel"])).toBe(
        true,
      );
      const read = between.filter((entry) => entry.type === "RecordReceived" && entry["subtask"] === window);
      expect(read.length).toBeGreaterThan(8);
      expect(new Set(read.map(({ channel }) => channel))).toEqual(new Set([late?.["channel"]]));
    }
    expectSum(run);
  });
});

describe("P-14: a timeoutable barrier behind ten minutes of data in the sender's buffers", () => {
  const duration = (run: Story): number =>
    (run.report.checkpoints[0]?.ended ?? 0) - (run.report.checkpoints[0]?.triggered ?? 0);

  test("P-14, CP-073, CP-075: ten seconds after the trigger it overtakes them: unaligned, with data in flight, done as soon as that is written", () => {
    for (const flink of ["1.18", "1.20", "2.2"]) {
      const run = incident("P-14", {}, { flink });
      const trigger = run.first("CheckpointTriggered", { checkpoint: 1 });
      const stored = run.first("InFlightDataPersisted", { subtask: "source[0]", checkpoint: 1, side: "output" });
      expect(stored.clock - trigger.clock).toBe(10_000);
      // 600 records, less those that the sink took in the ten seconds, and the two at the sink and one in hand.
      expect(Math.abs((stored["records"] as number) - 588)).toBeLessThan(3);
      expect(run.report.checkpoints[0]).toMatchObject({ status: "COMPLETED", unaligned: true });
      expect(run.report.checkpoints[0]?.persistedInFlight).toBeGreaterThan(500 * 32);
      // The sink's record in hand takes up to a second, writing 200 ms.
      expect(duration(run)).toBeGreaterThanOrEqual(10_200);
      expect(duration(run)).toBeLessThanOrEqual(11_200);
    }
  });

  test("P-14, CP-070: with a timeout of 0 it is unaligned from the first moment", () => {
    const run = incident("P-14", { "aligned-checkpoint-timeout": "0 ms" });
    expect(duration(run)).toBeLessThanOrEqual(1200);
    expect(run.report.checkpoints[0]).toMatchObject({ status: "COMPLETED", unaligned: true });
  });

  test("P-14, CP-202: what it would wait for: aligned to the end its start delay is ten minutes", () => {
    const run = incident("P-14", { "unaligned.enabled": false });
    expect(Math.abs((part(run, 1, "sink[0]").startDelay ?? 0) - 600_000)).toBeLessThanOrEqual(1000);
    expect(run.report.checkpoints[0]).toMatchObject({ status: "COMPLETED", unaligned: false, persistedInFlight: 0 });
  });
});

describe("P-17: unaligned, with two gates of two channels each", () => {
  test("P-17, CP-076, CP-085: every buffer of both gates is stored, restored and processed once", () => {
    const run = incident("P-17");
    const of = (type: "InFlightDataPersisted" | "ChannelStateRestored"): string[] =>
      run
        .all(type, { checkpoint: 1 })
        .map(({ channel, side, records }) => JSON.stringify([channel, side, records]))
        .toSorted();
    const stored = of("InFlightDataPersisted");
    expect(of("ChannelStateRestored")).toEqual(stored);
    for (const gate of ["left", "right"])
      for (const sender of [0, 1])
        expect(stored.some((line) => line.startsWith(`["${gate}[${sender}]->count[1]","input",`))).toBe(true);
    expect(run.report.recoveries).toMatchObject([{ restoredFrom: 1 }]);
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
  });

  test("P-17, INV-001: an engine that forgets the channels of the second gate is found out, and loses their records", () => {
    const { violations } = incident("P-17", {}, {}, { defects: secondGateNotPersisted, violations: true }).result;
    expect(violations.map(({ invariant, entities }) => [invariant, entities[0]])).toEqual(
      [0, 1].flatMap((left) => [0, 1].map((right) => ["INV-001", `right[${left}]->count[${right}]`])),
    );
    const { report } = runScenario(scenarioOf("P-17"), { defects: secondGateNotPersisted });
    expect(report.verdict).toEqual({ state: "at-most-once", endToEnd: "at-most-once" });
    // Two buffers at the reader in each of the gate's four channels.
    expect(report.state[0]?.lost.length).toBe(8);
    expect(report.state[0]?.lost.every((record) => record.startsWith("other-"))).toBe(true);
  });
});

test("P-19, CP-031: a partition in which nothing comes neither delays a checkpoint nor fails it", () => {
  const idle = incident("P-19");
  const every = "500 ms";
  const busy = incident("P-19", {}, { topics: { in: { partitions: 4, records: 400, every, keys: 4 }, out: {} } });
  expect(idle.all("RecordEmitted", { subtask: "source[3]" })).toEqual([]);
  expect(busy.all("RecordEmitted", { subtask: "source[3]" }).length).toBeGreaterThan(50);
  for (const run of [idle, busy])
    expect(run.report.checkpoints.map(({ status, triggered, ended }) => [status, triggered, ended])).toEqual(
      [10, 20, 30, 40, 50].map((time) => ["COMPLETED", time * 1000, time * 1000 + 50]),
    );
});

describe("P-37: the commit comes after the checkpoint", () => {
  const transactions = (run: Story): unknown[] =>
    run.report.transactions
      .filter(({ checkpoint }) => checkpoint === 4 || checkpoint === 5)
      .map(({ checkpoint, state, decidedBy }) => [checkpoint, state, decidedBy]);
  const lost = atTime(0, "lose-rpc", { rpc: "notify-complete", target: "sink[0]", checkpoint: 4 });

  test("P-37, CP-211, CP-127: a commit of two minutes is not in the duration of checkpoint 4, which is a second", () => {
    const run = incident("P-37");
    const row = at(run.report.checkpoints, 3);
    expect([row.id, row.status, (row.ended ?? 0) - row.triggered]).toEqual([4, "COMPLETED", 1000]);
    const requested = run.first("TransactionCommitRequested", { checkpoint: 4 });
    expect([requested.clock, requested["decider"]]).toEqual([row.ended, "notification"]);
    expect(run.first("TransactionCommitted", { checkpoint: 4 }).clock).toBe(requested.clock + 60_000);
    expect(transactions(run)).toEqual([
      [4, "COMMITTED", "notification"],
      [5, "COMMITTED", "notification"],
    ]);
  });

  test("P-37, CP-129a, SK-144: where the notice of 4 is lost, that of 5 commits both", () => {
    const run = incident("P-37", {}, { faults: [lost] });
    const five = run.first("NotificationDelivered", { subtask: "sink[0]", checkpoint: 5, kind: "complete" });
    expect(run.all("NotificationDelivered", { subtask: "sink[0]", checkpoint: 4, kind: "complete" })).toEqual([]);
    expect(run.until(five).all("TransactionCommitRequested", { checkpoint: 4 })).toEqual([]);
    expect(run.since(five).words("TransactionCommitted", "checkpoint").slice(0, 2)).toEqual(["4", "5"]);
  });

  test("P-37, SK-147: where the job fails before another notice, 4 is committed by the restore, and not before", () => {
    const fails = after("RecordEmitted", { record: "in-0@140" }, "fail-task", { target: "sink[0]" });
    const run = incident("P-37", {}, { faults: [lost, fails], until: { time: "27 min" } });
    expect(run.report.recoveries).toMatchObject([{ restoredFrom: 4 }]);
    expect(transactions(run)).toEqual([[4, "COMMITTED", "restore"]]);
    const [before] = incident("P-37", {}, { faults: [lost], until: { time: "23 min" } }).report.transactions.slice(3);
    expect(before).toMatchObject({ checkpoint: 4, state: "PRE_COMMITTED", decided: null });
  });

  test("P-37, CP-127: fifteen minutes in the sink's own thread: 4 completes as fast, but the barriers of those after it wait and expire", () => {
    const run = incident("P-37", {}, { timing: { ...instant, "snapshot.async": "1 s", commit: "15 min" } });
    const [first, second] = run.report.checkpoints;
    expect([first?.status, (first?.ended ?? 0) - (first?.triggered ?? 0)]).toEqual(["COMPLETED", 1000]);
    expect(second).toMatchObject({ failure: "CHECKPOINT_EXPIRED", countsAsFailure: true });
  });
});

describe("P-44: a bounded job and its last checkpoint", () => {
  test("P-44, FLINK-28386: since Flink 1.18 the end of all data triggers it at once, so nobody waits for the interval of 30 min", () => {
    for (const flink of ["1.18", "1.20", "2.2", "2.3"]) {
      const run = incident("P-44", {}, { flink });
      const [, last] = run.report.checkpoints;
      expect(last?.triggered).toBe(run.last("OperatorsFinished").clock);
      expect((last?.ended ?? 0) - (last?.triggered ?? 0)).toBe(1000);
      expect(run.report).toMatchObject({ ended: "drained", job: { status: "FINISHED" } });
      expect(run.report.clock).toBeLessThan(63_000);
      expect(run.report.transactions.map(({ checkpoint, state }) => [checkpoint, state])).toEqual([
        [1, "COMMITTED"],
        [2, "COMMITTED"],
      ]);
      expect(run.report.verdict.endToEnd).toBe("exactly-once");
    }
  });

  test("P-44, CP-192: where another source goes on, the source that has ended waits for the periodic checkpoint: 29 min with all its data processed", () => {
    const run = incident(
      "P-44",
      {},
      {
        job: {
          vertices: [
            { uid: "source", type: "kafka-source", topic: "in", cost: "0 ms", bounded: true },
            { uid: "live", type: "kafka-source", topic: "live", cost: "0 ms" },
            {
              uid: "sink",
              type: "kafka-sink",
              topic: "out",
              delivery: "exactly-once",
              cost: "0 ms",
              transactionalIdPrefix: "P",
              properties: { "transaction.timeout.ms": "45 min" },
            },
          ],
          edges: [
            { from: "source", to: "sink", ship: "rebalance" },
            { from: "live", to: "sink", ship: "rebalance" },
          ],
        },
        topics: {
          in: { partitions: 1, records: 62, every: "1 s", keys: 4 },
          live: { records: 200, every: "10 s" },
          out: {},
        },
        broker: { "transaction.max.timeout.ms": "1 h" },
        until: { time: "31 min" },
      },
    );
    const ended = run.first("OperatorsFinished", { subtask: "source[0]" });
    const finished = run.first("TaskStateChanged", { subtask: "source[0]", to: "FINISHED" });
    expect(Math.round((finished.clock - ended.clock) / 60_000)).toBe(29);
    expect(run.report.checkpoints.map(({ triggered }) => Math.round(triggered / 1000))).toEqual([1, 1801]);
    expect(run.report.job.status).toBe("RUNNING");
  });
});

describe("P-54: a fixed delay counts for the whole life of the job", () => {
  const DAY = 86_400_000;

  test("P-54, FR-062: three failures, days between each, restart; the fourth, nine days behind the first, ends the job", () => {
    const run = incident("P-54");
    expect(run.times("RestartScheduled").map((time) => time / DAY)).toEqual([1, 4, 7]);
    expect(run.times("JobStatusChanged", { to: "FAILED" }).map((time) => time / DAY)).toEqual([10]);
    expect(run.report.recoveries.at(-1)).toMatchObject({ granted: false, cause: "map[0]: USER_EXCEPTION" });
    expect(run.report.job).toEqual({ status: "FAILED", restarts: 3, failureCause: "map[0]: USER_EXCEPTION" });
  });

  test("P-54: without a delay and with all attempts there are, a bug that comes at once makes as many restarts as can be deployed", () => {
    const fails = Array.from({ length: 200 }, (_, index) => ({
      at: { after: "TaskStateChanged", subtask: "map[0]", to: "RUNNING", nth: index + 1 },
      do: "fail-task",
      target: "map[0]",
    }));
    const scenario = scenarioOf(
      "P-54",
      {},
      { faults: fails, timing: { ...instant, deploy: "300 ms" }, until: { time: "1 min" } },
    );
    const restartStrategy = { type: "fixed-delay", attempts: 2_147_483_647, delay: 0 } as const;
    const run = story({ ...scenario, config: { ...scenario.config, restartStrategy } });
    // Each takes the 300 ms of its deployment and no more: 200 in a minute.
    expect(run.times("RestartScheduled").slice(0, 4)).toEqual([300, 600, 900, 1200]);
    expect(run.report.job).toMatchObject({ status: "RUNNING", restarts: 200 });
  });
});

describe("P-56: exponential delay", () => {
  test.each(["1.18", "1.20", "2.2"])(
    "P-56, FR-064, FR-065: Flink %s waits 1, 2, 4, 8, 16 s, and 1 s after eleven quiet minutes; it never fails the job by itself",
    (flink) => {
      const run = incident("P-56", {}, { flink });
      expect(seconds(run.times("RestartScheduled"))).toEqual([5, 11, 18, 27, 40, 716]);
      expect(seconds(run.values("RestartScheduled", "delay") as number[])).toEqual([1, 2, 4, 8, 16, 1]);
      expect(seconds(run.times("JobStatusChanged", { from: "RESTARTING" }))).toEqual([6, 13, 22, 35, 56, 717]);
      expect(run.report.job).toMatchObject({ status: "RUNNING", restarts: 6 });
    },
  );
});

describe("P-59: two global failures in a short time", () => {
  test("P-59, FR-047, FR-046: the second takes the first one's restart over: one deployment, state restored once, coordinators reset once; both count", () => {
    const run = incident("P-59");
    expect(seconds(run.times("RestartScheduled"))).toEqual([20, 20.8]);
    expect(run.values("RestartScheduled", "failures")).toEqual([1, 2]);
    expect(seconds(run.times("AttemptCreated", { attempt: 1 }))).toEqual([22.8, 22.8, 22.8]);
    expect(run.all("AttemptCreated", { attempt: 2 })).toEqual([]);
    expect(run.all("CoordinatorReset")).toHaveLength(1);
    for (const subtask of ["source[0]", "map[0]", "sink[0]"])
      expect(run.all("StateRestored", { subtask })).toHaveLength(1);
    expect(run.report.job.restarts).toBe(2);
  });

  test("P-59, FR-064: with exponential delay the second falls into the backoff of the first: one restart, at its end", () => {
    const scenario = scenarioOf("P-59");
    const run = story({
      ...scenario,
      config: {
        ...scenario.config,
        restartStrategy: { ...scenarioOf("P-56", {}, { flink: "2.2" }).config.restartStrategy },
      },
    });
    expect(run.values("RestartScheduled", "delay")).toEqual([1000, 200]);
    expect(seconds(run.times("AttemptCreated", { attempt: 1 }))).toEqual([21, 21, 21]);
    expect(run.all("CoordinatorReset")).toHaveLength(1);
    expect(run.report.job.restarts).toBe(1);
  });
});

/** What a committed reader of the sink finds. */
const read = (run: Story): unknown => run.report.delivery.find(({ reader }) => reader === "read_committed");
const offsets = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `in-0@${first + index}`);

describe("P-05: savepoints that fail", () => {
  const plain = { at: { time: "35 s" }, do: "trigger-savepoint" };
  const declines = { at: { time: 0 }, do: "snapshot-failure", target: "map[0]", part: "async", checkpoint: 4 };
  const none = { "tolerable-failed-checkpoints": 0 };

  test("P-05, CP-022: a plain one expires after 60 s: nothing is counted, nothing restarts though nothing is tolerable", () => {
    const timing = { ...instant, "snapshot.async": "1 s" };
    const overrides = [{ vertex: "map", checkpoint: 4, "snapshot.async": "70 s" }];
    const run = incident("P-05", none, { faults: [plain], timing: { ...timing, overrides }, until: { time: "110 s" } });
    expect(run.report.checkpoints.find(({ id }) => id === 4)).toMatchObject({
      kind: "SAVEPOINT",
      status: "FAILED",
      failure: "CHECKPOINT_EXPIRED",
      triggered: 35_000,
      ended: 95_000,
      countsAsFailure: false,
      consecutiveFailures: 0,
    });
    expect(run.report.recoveries).toEqual([]);
    expect(run.report.job).toMatchObject({ status: "RUNNING", restarts: 0 });
  });

  test("P-05, CP-150, CP-152: a task declines a plain one: that is 1, and 1 is more than 0, so the job fails over", () => {
    const run = incident("P-05", none, { faults: [plain, declines] });
    const failed = { kind: "SAVEPOINT", failure: "CHECKPOINT_ASYNC_EXCEPTION", countsAsFailure: true };
    expect(run.report.checkpoints.find(({ id }) => id === 4)).toMatchObject({ ...failed, consecutiveFailures: 1 });
    expect(run.report.recoveries).toMatchObject([
      { at: 36_000, cause: "CHECKPOINT_FAILURE_THRESHOLD", restoredFrom: 3, granted: true },
    ]);
  });

  test("P-05, CP-150, CP-166: a task declines that of a stop: with 100 tolerable the job fails over too, runs on from checkpoint 3, and is not stopped", () => {
    const run = incident("P-05");
    const failed = { kind: "SYNC_SAVEPOINT", failure: "CHECKPOINT_ASYNC_EXCEPTION", countsAsFailure: false };
    expect(run.report.checkpoints.find(({ id }) => id === 4)).toMatchObject({ ...failed, consecutiveFailures: 0 });
    expect(run.report.recoveries).toMatchObject([
      { at: 36_000, cause: "STOP_WITH_SAVEPOINT_FAILED", scope: "global", restoredFrom: 3, granted: true },
    ]);
    expect(run.values("OperationAnswered", "answer")).toEqual(["FAILED"]);
    expect(run.report.job).toMatchObject({ status: "RUNNING", restarts: 1 });
    expect(read(run)).toMatchObject({ seen: 98, lost: [], duplicated: [] });
  });
});

describe("P-21: a transaction times out while it waits for its commit", () => {
  test("P-21, SK-157: forty minutes down: exactly the interval of checkpoint 2 is lost, and the job runs on as if nothing were wrong", () => {
    const run = incident("P-21");
    expect(run.report.recoveries).toMatchObject([{ at: 1_201_005 + 40 * 60_000, restoredFrom: 2 }]);
    // Open since the first record was written, at 660 s; the broker looks every 10 s.
    expect(run.report.transactions.find(({ checkpoint }) => checkpoint === 2)).toMatchObject({
      state: "TIMED_OUT",
      decided: 1_570_000,
      records: 10,
    });
    expect(run.values("CommitFailed", "answer")).toEqual(["PRODUCER_FENCED"]);
    expect(read(run)).toMatchObject({ seen: 50, lost: offsets(11, 20), duplicated: [] });
    expect(run.report.job).toEqual({ status: "RUNNING", restarts: 0, failureCause: null });
    expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-most-once" });
  });

  test("P-21, FI-07: four minutes down are within the timeout: the restore commits, and nothing is lost", () => {
    const down = after("CheckpointCompleted", { checkpoint: 2 }, "kill-jobmanager", { for: "4 min" });
    const run = incident("P-21", {}, { faults: [down] });
    expect(run.first("TransactionCommitted", { checkpoint: 2 }).clock).toBe(1_441_006);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });
});

describe("P-25: restored when its transaction had been open for 42551680 ms, with a timeout of 10 s", () => {
  test("P-25, SK-157: KafkaSink drops what it cannot commit: RUNNING, and the pending transaction is lost", () => {
    const run = incident("P-25");
    const [, pending] = run.report.transactions;
    expect(pending).toMatchObject({ checkpoint: 2, state: "TIMED_OUT", decidedBy: "timeout" });
    const requested = run.first("TransactionCommitRequested", { checkpoint: 2 });
    expect([requested["decider"], requested.clock - (pending?.begun ?? 0)]).toEqual(["restore", 42_551_680]);
    expect(read(run)).toMatchObject({ seen: 25, lost: offsets(6, 10), duplicated: [] });
    expect(run.report.job).toMatchObject({ status: "RUNNING", restarts: 0 });
  });

  test("P-25, FR-062: where the commit's failure fails the task, as with the legacy producer: one restart after 10 s, then FAILED", () => {
    const { faults } = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, "../../scenarios/incidents/P-25.scenario.json"), "utf8"),
    ) as { faults: Json[] };
    const fatal = { target: "sink[0]", kind: "fatal", count: 9 };
    const fails = after("JobStatusChanged", { submission: 1, to: "RUNNING" }, "commit-error", fatal);
    const run = incident("P-25", {}, { faults: [...faults, fails] });
    const cause = "sink[0]: COMMIT_FAILED";
    expect(run.report.recoveries).toMatchObject([
      { cause, granted: true, delay: 10_000, restoredFrom: 2 },
      { cause, granted: false },
    ]);
    expect(run.report.job).toEqual({ status: "FAILED", restarts: 1, failureCause: cause });
  });
});

describe("P-29: a job is gone and nobody starts it again", () => {
  /** What is seen at that time, where another job writes to the topic from the tenth minute on. */
  const seen = (minutes: number): unknown[] => {
    const job = { vertices: [{ uid: "sink", transactionalIdPrefix: "Q" }] };
    const faults = [
      atTime(90_000, "kill-taskmanager", { target: "tm-1" }),
      atTime(600_000, "restore", { from: "none", job }),
    ];
    const run = incident("P-29", {}, { faults, until: { time: `${minutes} min` } });
    return run.report.delivery.map((row) => row.seen);
  };

  test("P-29, KF-020: killed, its open transaction stays for an hour, and its records never appear", () => {
    const run = incident("P-29");
    const [, open] = run.report.transactions;
    // Its first record was written at 61 s; the broker looks every 10 s.
    expect(open).toMatchObject({ state: "TIMED_OUT", records: 29, decided: 3_670_000, decidedBy: "timeout" });
    expect(read(run)).toMatchObject({ seen: 61, lost: offsets(61, 89), duplicated: [] });
  });

  test("P-29, KF-030: what another producer commits meanwhile no committed reader sees before that, and then all at once", () => {
    expect([9, 20, 61, 62].map(seen)).toEqual([
      [61, 90],
      [61, 190],
      [61, 190],
      [161, 190],
    ]);
  });

  test("P-29, FR-011: cancelled, the sink aborts it at once", () => {
    const run = incident("P-29", {}, { faults: [atTime(90_000, "cancel")] });
    expect(run.report.transactions[1]).toMatchObject({ state: "ABORTED", decided: 90_000, decidedBy: "close" });
  });
});

describe("P-16: a committer files what comes late in the place of what it had", () => {
  const tableCommits = (run: Story): unknown[] =>
    run.all("TableCommitted").map(({ checkpoint, files }) => [checkpoint, files]);

  test("P-16, CP-079: unaligned, one commit misses half of its files, without an error: 10 records are lost while the job is RUNNING", () => {
    const run = incident("P-16");
    const [late, snapshot] = [
      run.first("CommittableReceived", { channel: "table[1]->table-committer[0]", checkpoint: 2 }),
      run.first("SnapshotTaken", { subtask: "table-committer[0]", checkpoint: 2 }),
    ];
    expect(late.step).toBeGreaterThan(snapshot.step);
    expect(
      run.first("CommittableReceived", { channel: "table[0]->table-committer[0]", checkpoint: 2 }).step,
    ).toBeLessThan(snapshot.step);
    expect(run.report.checkpoints.find(({ id }) => id === 2)).toMatchObject({ failure: "CHECKPOINT_EXPIRED" });
    // Of checkpoint 2 one file, and both of checkpoint 3.
    expect(tableCommits(run)).toEqual([
      [1, 2],
      [3, 3],
      [4, 2],
    ]);
    const lost = run.report.transactions.find(({ id }) => id === "table-0-2");
    expect(lost).toMatchObject({ state: "ABORTED", records: 10 });
    expect(run.report.delivery[0]).toMatchObject({ seen: 70, duplicated: [] });
    expect(run.report.delivery[0]?.lost).toHaveLength(10);
    expect(run.report.verdict.endToEnd).toBe("at-most-once");
    expect(run.report.job).toEqual({ status: "RUNNING", restarts: 0, failureCause: null });
  });

  const job = { vertices: [{ uid: "table", topology: "sink" }] };
  test.each([
    ["aligned", { "unaligned.enabled": false }, {}],
    ["by the checkpoint that each message names", {}, { broken: [] }],
    ["on the exchange of a sink of Flink's, which no barrier overtakes (SK-151)", {}, { job }],
  ])("P-16, SK-145: filed %s, both files wait for checkpoint 3, and nothing is lost", (_, config, more) => {
    const source = scenarioSource("P-16");
    const run = incident("P-16", config, "job" in more ? { job: changed(source["job"], more.job) } : more);
    expect(tableCommits(run).slice(0, 2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(run.report.delivery[0]).toMatchObject({ seen: 80, lost: [], duplicated: [] });
  });
});

describe("P-32: checkpoint ids go back, and a table sink drops commits", () => {
  test("P-32, CP-170: from savepoint 6 on, checkpoints 7 to 10 complete and are not committed; from 11 on they are; 41 records are lost, without an error", () => {
    const run = incident("P-32");
    const completed = run.all("CheckpointCompleted", { submission: 1 }).map(({ checkpoint }) => checkpoint);
    expect(completed.slice(0, 6)).toEqual([7, 8, 9, 10, 11, 12]);
    // Savepoint 6 holds a file that was committed before the job went back.
    expect(run.all("TableCommitSkipped").map(({ checkpoint, highest }) => [checkpoint, highest])).toEqual(
      [6, 7, 8, 9, 10].map((id) => [id, 10]),
    );
    expect(run.first("TableCommitted", { submission: 1 })).toMatchObject({ checkpoint: 11 });
    // What the first job had not committed with checkpoint 10, up to the barrier of the second one's.
    expect(run.report.delivery[0]).toMatchObject({ lost: offsets(91, 131), duplicated: [], seen: 139 });
    expect(run.report.job).toEqual({ status: "RUNNING", restarts: 0, failureCause: null });
    expect(run.report.verdict.endToEnd).toBe("at-most-once");
  });

  test("P-32, FI-63: asked only for what the savepoint holds, the table takes 7 to 10: nothing is lost, and what was committed behind 6 comes twice", () => {
    const source = scenarioSource("P-32");
    const job = changed(source["job"], { vertices: [{ uid: "table", guard: "when-restored" }] });
    const run = incident("P-32", {}, { job });
    expect(run.all("TableCommitSkipped").map(({ checkpoint }) => checkpoint)).toEqual([6]);
    expect(run.first("TableCommitted", { submission: 1 })).toMatchObject({ checkpoint: 7 });
    expect(run.report.delivery[0]).toMatchObject({ lost: [], duplicated: offsets(56, 90) });
  });
});

describe("P-34: a commit took effect, its reply was lost, and the job is submitted anew", () => {
  test("P-34, SK-147: with a fresh id the table knows of no commit of that job's: the records of checkpoint 7 are there twice", () => {
    const run = incident("P-34");
    expect(run.report.recoveries).toMatchObject([{ cause: "table-committer[0]: COMMIT_FAILED", granted: false }]);
    expect(run.all("TableCommitted", { checkpoint: 7 }).map(({ decider }) => decider)).toEqual([
      "notification",
      "restore",
    ]);
    expect(run.report.delivery[0]).toMatchObject({ lost: [], duplicated: offsets(61, 70), seen: 110 });
    expect(run.report.verdict.endToEnd).toBe("at-least-once");
  });

  test("P-34, SK-149: with the same id it is found and skipped", () => {
    const faults = scenarioSource("P-34")["faults"] as Json[];
    const same = faults.map((fault) => (fault["do"] === "restore" ? { ...fault, jobId: "same" } : fault));
    const run = incident("P-34", {}, { faults: same });
    expect(run.first("TableCommitSkipped")).toMatchObject({ checkpoint: 7, highest: 7, submission: 1 });
    expect(run.report.delivery[0]).toMatchObject({ lost: [], duplicated: [], seen: 100 });
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });
});

test("P-38, SK-147: one failure, two restarts: what is restored is committed on the start, which fails once on purpose; no record is touched", () => {
  const run = incident("P-38");
  expect(run.all("FaultInjected")).toHaveLength(1);
  expect(run.report.recoveries).toMatchObject([
    { at: 31_000, cause: "table[0]: USER_EXCEPTION", restoredFrom: 3 },
    { at: 32_000, cause: "table-committer[0]: COMMITTED_ON_RESTORE", restoredFrom: 3 },
  ]);
  expect(run.report.job).toMatchObject({ status: "RUNNING", restarts: 2 });
  expect(run.all("TableCommitted", { checkpoint: 3 }).map(({ decider, clock }) => [decider, clock])).toEqual([
    ["restore", 32_000],
  ]);
  expect(run.report.delivery[0]).toMatchObject({ seen: 60, lost: [], duplicated: [] });
});

describe("P-30: a reader of a topic that others write in transactions, whose last entry is a marker", () => {
  test("P-30, SK-011: bounded, it ends behind the last record, and the job is FINISHED", () => {
    const job = changed(scenarioSource("P-30")["job"], { vertices: [{ uid: "source", bounded: true }] });
    const run = incident("P-30", {}, { job, faults: [], until: "drained" });
    expect(run.report.job.status).toBe("FINISHED");
    expect(run.report.delivery[0]).toMatchObject({ seen: 20, lost: [], duplicated: [], unprocessed: [] });
  });

  test("P-30, SK-008: unbounded, its group lags one behind for ever, and a restart reads nothing again because of that", () => {
    const run = incident("P-30");
    expect(run.report.sources).toEqual([{ partition: "in-0", position: 20, groupOffset: 20, lag: 1 }]);
    expect(run.report.recoveries).toMatchObject([{ at: 45_000, restoredFrom: 4, rewound: { "in-0": [20, 20] } }]);
    expect(run.all("RecordEmitted")).toHaveLength(20);
    expect(run.report.delivery[0]).toMatchObject({ seen: 20, lost: [], duplicated: [] });
  });

  test("P-30, SK-008: without transactions there is no lag", () => {
    const run = incident("P-30", {}, { topics: { in: { partitions: 1, records: 20, every: "1 s", keys: 4 } } });
    expect(run.report.sources).toMatchObject([{ groupOffset: 20, lag: 0 }]);
  });

  test("P-30, INV-131: the group's offset moves with completed checkpoints alone, and none fails where it cannot be written", () => {
    const cut = atTime(20_500, "partition", { between: [["tm-1"], ["kafka"]], for: "3 s" });
    const run = incident("P-30", {}, { faults: [cut], until: { time: "29 s" } });
    for (const { checkpoint, step } of run.all("OffsetsCommitted"))
      expect(run.first("CheckpointCompleted", { checkpoint }).step).toBeLessThan(step);
    expect(run.all("OffsetsCommitted").map(({ checkpoint }) => checkpoint)).toEqual([1]);
    expect(run.report.checkpoints.map(({ id, status }) => [id, status])).toEqual([
      [1, "COMPLETED"],
      [2, "COMPLETED"],
    ]);
    // The group has 10 of 20 records, and behind them are the markers of the last three transactions.
    expect(run.report.sources).toMatchObject([{ groupOffset: 10, lag: 13 }]);
  });
});

describe("P-41: a transaction timeout of 120 s below an interval of 3 min", () => {
  test("P-41, SK-131: the sink fails 120 s behind each start, before the barrier: restarts without end, nothing is lost, and nothing gets on", () => {
    const run = incident("P-41");
    expect(run.report.ended).toBe("stuck");
    const cause = "load[0]: TRANSACTION_ABORTED";
    expect(run.report.recoveries).toMatchObject(
      [0, 1, 2].map((round) => ({ at: 120_000 + 121_000 * round, cause, restoredFrom: null })),
    );
    expect(run.all("CheckpointTriggered")).toEqual([]);
    expect(run.report.transactions.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => "TIMED_OUT"));
    expect(run.report.delivery[0]).toMatchObject({ seen: 0, lost: [], duplicated: [] });
    expect(run.report.verdict.endToEnd).toBe("pending");
  });

  test("P-41, SK-131: with the later default of 600 s it runs", () => {
    const job = changed(scenarioSource("P-41")["job"], { vertices: [{ uid: "load", databaseTimeout: "600 s" }] });
    const run = incident("P-41", {}, { job });
    expect(run.report.job).toEqual({ status: "RUNNING", restarts: 0, failureCause: null });
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });
});

test("P-32, P-41: silent loss and a restart loop are told apart: RUNNING with records lost, or restarts without end and nothing lost", () => {
  const told = ["P-32", "P-16", "P-21", "P-41"].map((id) => {
    const { ended, job, delivery, verdict } = incident(id).report;
    return [id, job.status, ended === "stuck", (delivery[0]?.lost.length ?? 0) > 0, verdict.endToEnd];
  });
  expect(told).toEqual([
    ["P-32", "RUNNING", false, true, "at-most-once"],
    ["P-16", "RUNNING", false, true, "at-most-once"],
    ["P-21", "RUNNING", false, true, "at-most-once"],
    ["P-41", "RESTARTING", true, false, "pending"],
  ]);
});

test("P-31, SK-004: started from a savepoint a slow job reads on from 31, though the group stands at 17, and nothing is lost or doubled", () => {
  const run = incident("P-31");
  const restored = run.first("SourceRewound", { submission: 1 });
  expect(restored).toMatchObject({ target: 31 });
  expect(run.until(restored).values("OffsetsCommitted", "position")).toEqual([17]);
  expect(read(run)).toMatchObject({ seen: 60, lost: [], duplicated: [] });
  expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "exactly-once" });
});

test("P-39, FI-63: restored from checkpoint 3 when 8 was committed: the intervals of 4 to 8 are there twice, and no others", () => {
  const run = incident("P-39");
  expect(run.first("SourceRewound", { submission: 1 })).toMatchObject({ target: 31 });
  const between = run.report.transactions.filter(
    ({ submission, checkpoint, state }) => submission === 0 && (checkpoint ?? 0) > 3 && state === "COMMITTED",
  );
  expect(between.map(({ checkpoint, records }) => [checkpoint, records])).toEqual(
    [4, 5, 6, 7, 8].map((id) => [id, 10]),
  );
  expect(read(run)).toMatchObject({ seen: 150, lost: [], duplicated: offsets(31, 80) });
  expect(run.report.verdict).toEqual({ state: "exactly-once", endToEnd: "at-least-once" });
});

describe("P-26: two sinks with the same transactional prefix", () => {
  test("P-26, SK-161: each restart of one fences the other: they alternate for as long as both have something to write", () => {
    const run = incident("P-26");
    const failed = run.words("TaskFailed", "subtask", { failure: "PRODUCER_FENCED" });
    expect(failed.length).toBeGreaterThan(15);
    for (const [index, subtask] of failed.entries()) expect(subtask).toBe(index % 2 === 0 ? "in-a[0]" : "in-b[0]");
    expect(run.all("TaskFailed").length).toBe(failed.length);
    // A restart loop: while it lasts nothing is committed, and nothing is lost either.
    const last = run.last("TaskFailed").clock;
    expect(run.times("TransactionCommitted").filter((time) => time < last)).toEqual([]);
    expect(read(run)).toMatchObject({ lost: [], duplicated: [] });
  });

  test("P-26, SK-161: since connector 4.0 two of them in one process are found out before any data", () => {
    const one = { flink: "2.2", cluster: { taskManagers: 1, slots: 2 } };
    const run = story(scenarioOf("P-26", {}, one));
    expect(run.first("TaskFailed")).toMatchObject({
      subtask: "in-b[0]",
      failure: "DUPLICATE_TRANSACTIONAL_ID_PREFIX",
    });
  });
});

describe("P-27: a slow start, while old transactions are probed for", () => {
  /** Milliseconds that the slowest sink subtask of the restored job is INITIALIZING, and how many ids it asks for by then. */
  const start = (naming: string): [time: number, ids: number] => {
    const vertices = [{ uid: "sink", transactionNaming: naming }];
    const source = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, "../../scenarios/incidents/P-27.scenario.json"), "utf8"),
    ) as Json & { job: Json & { vertices: Json[] } };
    const job = {
      ...source.job,
      vertices: source.job.vertices.map((vertex) =>
        vertex["uid"] === "sink" ? { ...vertex, ...vertices[0] } : vertex,
      ),
    };
    const run = incident("P-27", {}, { job });
    expect(read(run)).toMatchObject({ lost: [], duplicated: [] });
    const times = (subtask: string, to: string): number =>
      run.first("TaskStateChanged", { submission: 1, subtask, to }).clock;
    const took = ["sink[0]", "sink[1]"].map((subtask) => times(subtask, "RUNNING") - times(subtask, "INITIALIZING"));
    const begun = run.first("TransactionBegun", { submission: 1, subtask: "sink[0]" });
    const ids = run.until(begun).all("ProducerIdInitialized", { submission: 1, subtask: "sink[0]" });
    return [Math.max(...took), ids.length];
  };

  test("P-27, SK-155, SK-156: the time is that of all ids to be asked for; with pooled names and a list it is short", () => {
    const [probing, ids] = start("incrementing");
    expect(ids).toBeGreaterThan(100);
    expect(probing).toBeGreaterThan(ids * 95);
    const [listing, few] = start("pooling");
    expect(few).toBeLessThan(10);
    expect(listing).toBeLessThan(probing / 10);
  });
});

describe("P-62: a sink with a global committer gets more subtasks", () => {
  const parts = (run: Story): unknown[] =>
    run.report.globalCommits.map((row) => [
      row.submission,
      row.checkpoint,
      `${row.received} of ${row.committers}`,
      row.at !== null,
    ]);

  test("P-62, SK-150: checkpoint 2 was taken by two, so it waits for two parts; those of the new job wait for four", () => {
    const run = incident("P-62");
    expect(parts(run)).toEqual([
      [0, 1, "2 of 2", true],
      [1, 2, "2 of 2", true],
      [1, 3, "4 of 4", true],
      [1, 4, "4 of 4", true],
      [1, 5, "4 of 4", true],
    ]);
    expect(run.report.verdict.endToEnd).toBe("exactly-once");
  });

  test("P-62: where it waits for as many as there are now, nothing is committed as a whole any more, while checkpoints complete", () => {
    const run = incident("P-62", {}, { broken: ["summaries-of-new-subtasks"] });
    expect(parts(run)).toEqual([
      [0, 1, "2 of 2", true],
      [1, 2, "2 of 4", false],
      [1, 3, "4 of 4", false],
      [1, 4, "4 of 4", false],
      [1, 5, "4 of 4", false],
    ]);
    expect(run.report.job).toMatchObject({ status: "RUNNING", restarts: 0 });
    expect(
      run.report.checkpoints.filter(({ submission, status }) => submission === 1 && status === "COMPLETED"),
    ).toHaveLength(10);
    // Nothing is left to do for a run that could drain: what is held for good is told, and holds it up.
    expect(run.report.ended).toBe("time");
    expect(incident("P-62", {}, { until: "drained" }).report.ended).toBe("drained");
  });
});
