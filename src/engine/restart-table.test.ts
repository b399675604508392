/**
 * Four failures in a row under each restart strategy and each version, with checkpointing and without: when the job
 * restarts, and what becomes of it. What is expected is worked out here, from `recovery-and-sinks.md` 6 alone.
 */
import { describe, expect, test } from "vitest";
import { type FlinkVersion, flinkVersions } from "../scenario/scenario.ts";
import { type Story, after, atTime, fixedDelay, lane, small, sink, source, counter, story } from "./testing/stories.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ENDLESS = Infinity;

/** What a strategy says to failures at these times: the delay, or `null`, behind which nothing is asked any more. */
type Says = (times: readonly number[]) => number | null;

const none: Says = () => null;
const fixed =
  (attempts: number, delay: number): Says =>
  (times) =>
    times.length <= attempts ? delay : null;
/** Denied where as many as `most` came before it and not longer ago than the interval. */
const rate =
  (most: number, interval: number, delay: number): Says =>
  (times) => {
    const now = times.at(-1) ?? 0;
    return times.filter((time) => now - time <= interval).length > most ? null : delay;
  };
/** Each comes behind the backoff of the one before: the n-th waits `first` times the multiplier, n - 1 times over. */
const exponential =
  (first: number, multiplier: number, most: number, attempts = ENDLESS): Says =>
  (times) =>
    times.length <= attempts ? Math.min(Math.trunc(first * multiplier ** (times.length - 1)), most) : null;

const noJitter = { "exponential-delay.jitter-factor": 0 };
const rows: readonly { readonly name: string; readonly restart: Record<string, unknown>; readonly says: Says }[] = [
  { name: "none", restart: { type: "none" }, says: none },
  { name: "off", restart: { type: "off" }, says: none },
  { name: "disable", restart: { type: "disable" }, says: none },
  { name: "fixedDelayRestart(3, 60000)", restart: fixedDelay(3, "60 s"), says: fixed(3, MINUTE) },
  { name: "fixed-delay", restart: { type: "fixed-delay" }, says: fixed(1, SECOND) },
  { name: "fixed-delay without an attempt", restart: fixedDelay(0, "1 s"), says: none },
  { name: "fixed-delay with enough of them", restart: fixedDelay(4, "0 ms"), says: fixed(4, 0) },
  {
    name: "failureRateRestart(3, 5 min, 60 s)",
    restart: {
      type: "failure-rate",
      "failure-rate.max-failures-per-interval": 3,
      "failure-rate.failure-rate-interval": "5 min",
      "failure-rate.delay": "60 s",
    },
    says: rate(3, 5 * MINUTE, MINUTE),
  },
  { name: "failure-rate", restart: { type: "failure-rate" }, says: rate(1, MINUTE, SECOND) },
  {
    name: "failure-rate, failures far enough apart",
    restart: { type: "failure-rate", "failure-rate.failure-rate-interval": "20 s", "failure-rate.delay": "20 s" },
    says: rate(1, 20 * SECOND, 20 * SECOND),
  },
];

/** What is another thing in another version. */
const exponentialOf = (flink: FlinkVersion): Says =>
  flink === "1.18" ? exponential(SECOND, 2, 5 * MINUTE) : exponential(SECOND, 1.5, MINUTE);
const byVersion: readonly {
  readonly name: string;
  readonly restart: Record<string, unknown>;
  readonly says: (flink: FlinkVersion, checkpointing: boolean) => Says;
  readonly versions?: readonly FlinkVersion[];
}[] = [
  { name: "exponential-delay", restart: { type: "exponential-delay", ...noJitter }, says: exponentialOf },
  {
    name: "exponential-delay, at most 2 s",
    restart: { type: "exponential-delay", "exponential-delay.max-backoff": "2 s", ...noJitter },
    says: (flink) => exponential(SECOND, flink === "1.18" ? 2 : 1.5, 2 * SECOND),
  },
  {
    name: "exponential-delay, three attempts",
    restart: { type: "exponential-delay", "exponential-delay.attempts-before-reset-backoff": 3, ...noJitter },
    says: () => exponential(SECOND, 1.5, MINUTE, 3),
    versions: ["1.20", "2.2", "2.3"],
  },
  {
    name: "nothing is said (fallbackRestart)",
    restart: noJitter,
    says: (flink, checkpointing) =>
      checkpointing ? (flink === "1.18" ? fixed(ENDLESS, SECOND) : exponentialOf(flink)) : none,
  },
];

/** The map fails as soon as the JobManager knows that it runs, in each of its first four attempts. */
function fourFailures(flink: FlinkVersion, checkpointing: boolean, restart: Record<string, unknown>, seed = 1): Story {
  return story(
    small({
      vertices: [source("S"), counter("M"), sink("K", { delivery: "at-least-once" })],
      edges: ["S forward M", "M forward K"],
      checkpointing: checkpointing ? {} : { interval: null },
      restart,
      flink,
      seed,
      faults: [1, 2, 3, 4].map((nth) => ({
        at: { after: "TaskStateChanged", subtask: "M[0]", to: "RUNNING", nth },
        do: "fail-task",
        target: "M[0]",
      })),
    }),
  );
}

/** From a restart to RUNNING: 50 ms to deploy, 1 for the news; and 1 until the JobManager hears of the failure. */
const TO_FAILURE = 50 + 1 + 1;
/** The others end 7 ms later: the call takes 1, the cancellation 5, the answer 1. */
const CANCELLED = 1 + 5 + 1;

function expected(says: Says): { readonly restarts: number[]; readonly status: string } {
  const failures: number[] = [];
  const restarts: number[] = [];
  for (let begun = 0; failures.length < 4; begun = restarts.at(-1) ?? 0) {
    failures.push(begun + TO_FAILURE);
    const delay = says(failures);
    if (delay === null) return { restarts, status: "FAILED" };
    restarts.push(begun + TO_FAILURE + Math.max(delay, CANCELLED));
  }
  return { restarts, status: "RUNNING" };
}

const outcome = (run: Story): ReturnType<typeof expected> => ({
  restarts: run.times("JobStatusChanged", { from: "RESTARTING", to: "RUNNING" }),
  status: run.report.job.status,
});

const both = [true, false];
const cases = flinkVersions.flatMap((flink) =>
  both.flatMap((checkpointing) => [
    ...rows.map((row) => ({ ...row, flink, checkpointing })),
    ...byVersion
      .filter(({ versions }) => versions?.includes(flink) ?? true)
      .map(({ name, restart, says }) => ({ name, restart, says: says(flink, checkpointing), flink, checkpointing })),
  ]),
);

describe("FR-060 to FR-067: four failures in a row", () => {
  test.each(cases)("INV-107: $name, Flink $flink, checkpointing $checkpointing", (given) => {
    const run = fourFailures(given.flink, given.checkpointing, given.restart);
    expect(outcome(run)).toEqual(expected(given.says));
    expect(run.report.job.restarts).toBe(expected(given.says).restarts.length);
  });

  test("the table has jobs that end and jobs that go on, and no two strategies say the same throughout", () => {
    const statuses = cases.map(({ says }) => expected(says).status);
    expect(new Set(statuses)).toEqual(new Set(["FAILED", "RUNNING"]));
    const told = cases.filter(({ flink, checkpointing }) => flink === "2.2" && checkpointing);
    expect(new Set(told.map(({ says }) => JSON.stringify(expected(says)))).size).toBeGreaterThanOrEqual(8);
  });
});

test("FR-062: fixedDelayRestart(3, 60000): three restarts a minute after each failure, and the fourth failure ends the job at 180.2 s", () => {
  const run = fourFailures("2.2", true, fixedDelay(3, "60 s"));
  expect(run.times("JobStatusChanged", { from: "RESTARTING" })).toEqual([60_052, 120_104, 180_156]);
  expect(run.times("JobStatusChanged", { to: "FAILING" })).toEqual([180_208]);
  expect(run.report.recoveries.at(-1)).toMatchObject({ granted: false, cause: "M[0]: USER_EXCEPTION", at: 180_208 });
  expect(run.report.job).toEqual({ status: "FAILED", restarts: 3, failureCause: "M[0]: USER_EXCEPTION" });
});

test("FR-063: failureRateRestart(3, 5 min, 60 s): the fourth failure ends the job within five minutes of the first, and not 1 ms behind", () => {
  const strategy = {
    type: "failure-rate",
    "failure-rate.max-failures-per-interval": 3,
    "failure-rate.failure-rate-interval": "5 min",
    "failure-rate.delay": "60 s",
  };
  const failing = (last: number): Story =>
    story(
      small({
        ...lane(1),
        topics: { in: { records: 400, every: "1 s", keys: 1 } },
        restart: strategy,
        faults: [1000, 101_000, 201_000, last].map((time) => atTime(time, "fail-task", { target: "M[0]" })),
        until: { time: "7 min" },
      }),
    );
  // Heard of 1 ms later each time: 1001, 101001, 201001, then 301001, which is 300000 behind the first.
  const within = failing(301_000);
  expect(within.times("JobStatusChanged", { to: "RESTARTING" })).toEqual([1001, 101_001, 201_001]);
  expect(within.times("JobStatusChanged", { to: "FAILING" })).toEqual([301_001]);
  const behind = failing(301_001);
  expect(behind.times("JobStatusChanged", { from: "RESTARTING" })).toEqual([61_001, 161_001, 261_001, 361_002]);
  expect(behind.report.job.status).toBe("RUNNING");
});

describe("FR-064: jitter", () => {
  const delays = (seed: number): number[] =>
    fourFailures("2.2", true, { type: "exponential-delay" }, seed)
      .all("RestartScheduled")
      .map(({ delay }) => delay as number);

  test("it comes from the run's seed: the same seed waits as long again, others wait otherwise, none beyond a tenth", () => {
    expect(delays(7)).toEqual(delays(7));
    const seen = Array.from({ length: 12 }, (_, seed) => delays(seed));
    expect(new Set(seen.map((each) => each.join())).size).toBe(12);
    for (const each of seen)
      each.forEach((delay, index) => {
        const raw = Math.trunc(1000 * 1.5 ** index);
        expect(delay).toBeGreaterThanOrEqual(Math.max(1000, raw - Math.trunc(raw / 10)));
        expect(delay).toBeLessThanOrEqual(raw + Math.trunc(raw / 10));
      });
  });
});

describe("FR-064, FR-065: failures inside a backoff, in another region", () => {
  const burst = (flink: FlinkVersion): Story =>
    story(
      small({
        ...lane(3, { chain: false }),
        topics: { in: { partitions: 3, records: 24, every: "100 ms", keys: 3 }, out: { partitions: 3 } },
        restart: { type: "exponential-delay", ...noJitter },
        flink,
        faults: [500, 700, 900].map((time, index) => atTime(time, "fail-task", { target: `M[${index}]` })),
      }),
    );

  test("since 1.19 they belong to the restart that was granted, and all three begin together", () => {
    const run = burst("2.2");
    expect(run.values("RestartScheduled", "delay")).toEqual([1000, 800, 600]);
    expect(run.times("AttemptCreated", { attempt: 1 })).toEqual(Array.from({ length: 9 }, () => 1501));
    expect(run.report.job.restarts).toBe(1);
  });

  test("before, each makes the backoff longer and begins when its own is over", () => {
    const run = burst("1.18");
    expect(run.values("RestartScheduled", "delay")).toEqual([1000, 2000, 4000]);
    expect(new Set(run.times("AttemptCreated", { attempt: 1 }))).toEqual(new Set([1501, 2701, 4901]));
    expect(run.report.job.restarts).toBe(3);
  });
});

describe("FR-070: a new leader", () => {
  test("its strategy has counted nothing: with three attempts used up, three more are granted", () => {
    const fails = [1, 2, 3, 4, 5, 6].map((nth) => ({
      at: { after: "TaskStateChanged", subtask: "M[0]", to: "RUNNING", nth },
      do: "fail-task",
      target: "M[0]",
    }));
    const run = (killed: boolean): Story =>
      story(
        small({
          ...lane(1, { chain: false }),
          restart: fixedDelay(3, "1 s"),
          config: { "high-availability.type": "zookeeper" },
          faults: [
            ...fails,
            ...(killed ? [after("RestartScheduled", { failures: 3 }, "kill-jobmanager", { for: "1 s" })] : []),
          ],
        }),
      );
    expect(run(false).values("RestartScheduled", "failures")).toEqual([1, 2, 3]);
    expect(run(false).report.job.status).toBe("FAILED");
    expect(run(true).values("RestartScheduled", "failures")).toEqual([1, 2, 3, 1, 2, 3]);
    expect(run(true).report.job.status).toBe("RUNNING");
  });
});

test("FR-065: before 1.19 a failure so long after the last one as threshold and backoff together begins anew, 1 ms sooner it does not", () => {
  const delays = (last: number): unknown[] =>
    story(
      small({
        ...lane(1),
        topics: { in: { records: 60, every: "1 s", keys: 1 } },
        restart: { type: "exponential-delay", "exponential-delay.reset-backoff-threshold": "10 s", ...noJitter },
        flink: "1.18",
        faults: [1000, 4000, last].map((time) => atTime(time, "fail-task", { target: "M[0]" })),
      }),
    ).values("RestartScheduled", "delay");
  expect(delays(4000 + 12_000)).toEqual([1000, 2000, 1000]);
  expect(delays(4000 + 11_999)).toEqual([1000, 2000, 4000]);
});
