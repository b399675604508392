import { describe, expect, test } from "vitest";
import type { Config, FlinkVersion } from "./scenario.ts";
import { type Json, parsed, problemsOf, small } from "./testing/sources.ts";

const scenarioWith = (config: Json, flink: FlinkVersion = "2.2") => parsed(small({ config, flink }));
const configWith = (config: Json, flink: FlinkVersion = "2.2"): Config => scenarioWith(config, flink).config;
const refusals = (config: Json, flink: FlinkVersion = "2.2"): string[] => problemsOf(small({ config, flink }));
const codes = (config: Json, flink: FlinkVersion = "2.2"): string[] =>
  scenarioWith(config, flink).notices.map(({ code, path }) => `${code} ${path}`);
const on = { "execution.checkpointing.interval": "1 s" };
const ck = (name: string): string => `execution.checkpointing.${name}`;
const rs = (name: string): string => `restart-strategy.${name}`;

describe("checkpointing", () => {
  test("without an interval it is off, and the rest has Flink's defaults", () => {
    expect(configWith({}).checkpointing).toEqual({
      interval: null,
      afterTasksFinish: true,
      mode: "EXACTLY_ONCE",
      unaligned: false,
      alignedTimeout: 0,
      withoutChannelState: -1,
      timeout: 600_000,
      minPause: 0,
      maxConcurrent: 1,
      tolerableFailed: 0,
      retained: 1,
      retention: "NO_EXTERNALIZED_CHECKPOINTS",
    });
  });

  test("values are read as Flink reads them, numbers and texts alike", () => {
    const given = {
      [ck("interval")]: 1500,
      [ck("timeout")]: "2 min",
      [ck("max-concurrent-checkpoints")]: "3",
      [ck("mode")]: "exactly_once",
      [ck("tolerable-failed-checkpoints")]: 2,
    };
    expect(configWith(given).checkpointing).toMatchObject({
      interval: 1500,
      timeout: 120_000,
      maxConcurrent: 3,
      tolerableFailed: 2,
    });
  });

  test.each([
    [ck("interval"), "9 ms", "Flink: Checkpoint interval must be larger than or equal to 10 ms (CP-023)."],
    [ck("timeout"), 9, "Flink: Checkpoint timeout must be larger than or equal to 10 ms (CP-023)."],
    [
      ck("max-concurrent-checkpoints"),
      0,
      "Flink: The maximum number of concurrent attempts must be at least one (CP-023).",
    ],
    [
      ck("tolerable-failed-checkpoints"),
      -1,
      "Flink: The tolerable failure checkpoint number must be non-negative (CP-023).",
    ],
  ])("CP-023: %s %j is refused with Flink's reason", (key, value, reason) => {
    expect(refusals({ ...on, [key]: value })).toEqual([`config.${key}: ${JSON.stringify(value)}: ${reason}`]);
  });

  test("CP-007: an interval during a backlog is 0 or at least the interval", () => {
    const backlog = ck("interval-during-backlog");
    expect(refusals({ ...on, [ck("interval")]: "1 s", [backlog]: "500 ms" })).toEqual([
      `config.${backlog}: "500 ms": Must be 0 (no checkpoints during a backlog) or at least the interval, 1000 ms (CP-007).`,
    ]);
    for (const value of ["0 ms", "1 s", "1 min"])
      expect(refusals({ ...on, [ck("interval")]: "1 s", [backlog]: value })).toEqual([]);
  });

  test("CP-023: a negative pause is refused, a pause with several concurrent checkpoints is accepted and reported", () => {
    expect(refusals({ ...on, [ck("min-pause")]: -1 })[0]).toMatch(
      /^config\.execution\.checkpointing\.min-pause: -1: Must be a Flink duration: a whole number from 0 on/,
    );
    expect(codes({ ...on, [ck("min-pause")]: "1 s", [ck("max-concurrent-checkpoints")]: 2 })).toEqual([
      `PAUSE_WITH_CONCURRENT config.${ck("min-pause")}`,
    ]);
  });

  test("CP-081, CP-023: unaligned checkpoints come one at a time; with at-least-once Flink switches them off", () => {
    const unaligned = { ...on, [ck("unaligned.enabled")]: true };
    expect(configWith({ ...unaligned, [ck("aligned-checkpoint-timeout")]: "30 s" }).checkpointing).toMatchObject({
      unaligned: true,
      alignedTimeout: 30_000,
    });
    expect(refusals({ ...unaligned, [ck("max-concurrent-checkpoints")]: 2 })).toEqual([
      `config.${ck("max-concurrent-checkpoints")}: 2: Flink: maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled (CP-023, CP-081).`,
    ]);
    const atLeastOnce = { ...unaligned, [ck("mode")]: "AT_LEAST_ONCE", [ck("max-concurrent-checkpoints")]: 2 };
    expect(configWith(atLeastOnce).checkpointing).toMatchObject({ mode: "AT_LEAST_ONCE", unaligned: false });
    expect(codes(atLeastOnce)).toEqual([`VALUE_REPLACED config.${ck("unaligned.enabled")}`]);
  });

  test("CP-070: older spellings are read and reported; a timeout without unaligned checkpoints has no effect", () => {
    expect(codes({ ...on, [ck("unaligned")]: true, [ck("alignment-timeout")]: "1 s" })).toEqual([
      `KEY_RENAMED config.${ck("unaligned")}`,
      `KEY_RENAMED config.${ck("alignment-timeout")}`,
    ]);
    expect(codes({ ...on, [ck("aligned-checkpoint-timeout")]: "1 s" })).toEqual([
      `KEY_WITHOUT_EFFECT config.${ck("aligned-checkpoint-timeout")}`,
    ]);
  });

  test("CP-130: fewer retained checkpoints than one are one, and reported", () => {
    expect(configWith({ ...on, [ck("num-retained")]: 0 }).checkpointing.retained).toBe(1);
    expect(codes({ ...on, [ck("num-retained")]: 0 })).toEqual([`VALUE_REPLACED config.${ck("num-retained")}`]);
  });
});

describe("the restart strategy", () => {
  const exponential = {
    type: "exponential-delay",
    initialBackoff: 1000,
    maxBackoff: 60_000,
    multiplier: 1.5,
    resetThreshold: 3_600_000,
    jitter: 0.1,
    attempts: 2_147_483_647,
    merges: true,
  };
  test.each<[FlinkVersion, Json, object]>([
    ["1.18", {}, { type: "none" }],
    ["2.2", {}, { type: "none" }],
    ["1.18", on, { type: "fixed-delay", attempts: 2_147_483_647, delay: 1000 }],
    ["1.20", on, exponential],
    ["2.2", on, exponential],
    ["2.3", on, exponential],
  ])("FR-061: Flink %s with %j and no strategy restarts by %j", (flink, config, strategy) => {
    expect(configWith(config, flink).restartStrategy).toEqual(strategy);
  });

  test("FR-061: a configured strategy applies without checkpointing too, by any of its names", () => {
    for (const name of ["fixed-delay", "fixeddelay", "FIXED-DELAY"])
      expect(configWith({ [rs("type")]: name }).restartStrategy).toEqual({
        type: "fixed-delay",
        attempts: 1,
        delay: 1000,
      });
    for (const name of ["failure-rate", "failurerate"])
      expect(configWith({ [rs("type")]: name }).restartStrategy).toEqual({
        type: "failure-rate",
        maxFailures: 1,
        interval: 60_000,
        delay: 1000,
      });
    for (const name of ["none", "off", "disable"])
      expect(configWith({ ...on, [rs("type")]: name }).restartStrategy).toEqual({ type: "none" });
    expect(configWith({ [rs("type")]: "exponentialdelay" }).restartStrategy).toEqual(exponential);
  });

  test.each([
    [{ [rs("type")]: "fixed-dely" }, /Flink knows no such restart strategy\. Did you mean "fixed-delay"\?/],
    [
      { [rs("type")]: "fixed-delay", [rs("fixed-delay.attempts")]: -1 },
      /Maximum number of restart attempts must be at least 0/,
    ],
    [
      { [rs("type")]: "failure-rate", [rs("failure-rate.max-failures-per-interval")]: 0 },
      /Maximum number of restart attempts per time unit must be greater than 0/,
    ],
    [
      { ...on, [rs("exponential-delay.initial-backoff")]: "2 min" },
      /Initial backoff cannot be higher than maximum backoff/,
    ],
    [{ ...on, [rs("exponential-delay.backoff-multiplier")]: 1 }, /Backoff multiplier must be greater than 1/],
    [{ ...on, [rs("exponential-delay.jitter-factor")]: "1.5" }, /Jitter factor must be >= 0 and <= 1/],
  ])("%j is refused with Flink's reason", (config, reason) => {
    expect(refusals(config)).toEqual([expect.stringMatching(reason)]);
  });

  test("options of a strategy that is not chosen are without effect, and the default of 1.18 looks at none", () => {
    expect(codes({ ...on, [rs("type")]: "none", [rs("fixed-delay.delay")]: "3 s" })).toEqual([
      `KEY_WITHOUT_EFFECT config.${rs("fixed-delay.delay")}`,
    ]);
    expect(codes({ ...on, [rs("fixed-delay.attempts")]: 3 }, "1.18")).toEqual([
      `KEY_WITHOUT_EFFECT config.${rs("fixed-delay.attempts")}`,
    ]);
  });

  test("FR-065: the exponential delay of 1.18 has other defaults, merges nothing, and knows no limit of attempts", () => {
    const { attempts: _, ...before } = exponential;
    const { restartStrategy, effective } = configWith({ [rs("type")]: "exponential-delay" }, "1.18");
    expect(restartStrategy).toMatchObject({ ...before, maxBackoff: 300_000, multiplier: 2, merges: false });
    expect(effective.map(({ key }) => key)).not.toContain(rs("exponential-delay.attempts-before-reset-backoff"));
    expect(
      refusals(
        { [rs("type")]: "exponential-delay", [rs("exponential-delay.attempts-before-reset-backoff")]: 3 },
        "1.18",
      ),
    ).toEqual([expect.stringMatching(/Flink 1\.18 does not know this option/)]);
  });

  test("FR-067: to fall back is to leave the key out: there is no strategy of that name", () => {
    expect(refusals({ ...on, [rs("type")]: "fallback" })).toEqual([
      expect.stringMatching(/Flink knows no such restart strategy/),
    ]);
    expect(configWith(on).restartStrategy).toEqual(exponential);
    // What is set for the cluster is what the job falls back on.
    expect(configWith({ ...on, [rs("type")]: "failure-rate" }).restartStrategy).toMatchObject({ type: "failure-rate" });
  });
});

describe("spellings", () => {
  test("an older one is accepted and reported; the newer one wins where both are given", () => {
    const config = {
      ...on,
      "state.checkpoints.num-retained": 3,
      [rs("type")]: "none",
      "restart-strategy": "fixed-delay",
    };
    expect(configWith(config)).toMatchObject({ checkpointing: { retained: 3 }, restartStrategy: { type: "none" } });
    expect(codes(config)).toEqual([
      "KEY_RENAMED config.state.checkpoints.num-retained",
      "KEY_RENAMED config.restart-strategy",
    ]);
  });

  test("in a version before the renaming the older one is the one to use, and the newer one is unknown", () => {
    expect(codes({ ...on, "state.checkpoints.num-retained": 3 }, "1.18")).toEqual([]);
    expect(refusals({ ...on, [ck("num-retained")]: 3 }, "1.18")).toEqual([
      `config.${ck("num-retained")}: 3: Flink 1.18 does not know this spelling; there it is state.checkpoints.num-retained.`,
    ]);
    expect(configWith({ ...on, "state.checkpoints.num-retained": 3 }, "1.18").effective).toContainEqual({
      key: "state.checkpoints.num-retained",
      value: "3",
      origin: "scenario",
    });
  });

  test("an option of a later version is refused", () => {
    expect(refusals({ [ck("during-recovery.enabled")]: false }, "2.2")).toEqual([
      expect.stringMatching(/Flink 2\.2 does not know this option; 2\.3 does/),
    ]);
  });
});

describe("what is in force", () => {
  test("Flink's options come with their value and where it is from", () => {
    const { effective } = configWith({ ...on, "jobmanager.execution.failover-strategy": "full" });
    expect(effective).toContainEqual({ key: ck("interval"), value: "1 s", origin: "scenario" });
    expect(effective).toContainEqual({ key: ck("timeout"), value: "10 min", origin: "default" });
    expect(effective).toContainEqual({
      key: "jobmanager.execution.failover-strategy",
      value: "full",
      origin: "scenario",
    });
    expect(
      effective.filter(({ key }) => key.startsWith("restart-strategy")).map(({ key, value }) => `${key}=${value}`),
    ).toEqual([
      "restart-strategy.type=exponential-delay",
      "restart-strategy.exponential-delay.initial-backoff=1 s",
      "restart-strategy.exponential-delay.max-backoff=1 min",
      "restart-strategy.exponential-delay.backoff-multiplier=1.5",
      "restart-strategy.exponential-delay.reset-backoff-threshold=1 h",
      "restart-strategy.exponential-delay.jitter-factor=0.1",
      "restart-strategy.exponential-delay.attempts-before-reset-backoff=2147483647",
    ]);
  });

  test("the default strategy of 1.18 shows its own values, not those of its options", () => {
    const shown = configWith(on, "1.18")
      .effective.filter(({ key }) => key.startsWith("restart-strategy"))
      .map(({ key, value }) => `${key}=${value}`);
    expect(shown).toEqual([
      "restart-strategy.type=fixed-delay",
      "restart-strategy.fixed-delay.attempts=2147483647",
      "restart-strategy.fixed-delay.delay=1 s",
    ]);
  });

  test("an option without effect on a run is accepted and reported, one that nobody knows is refused", () => {
    expect(codes({ "task.cancellation.interval": "10 s" })).toEqual([
      "NOT_SIMULATED config.task.cancellation.interval",
    ]);
    expect(refusals({ "state.backend.typ": "rocksdb" })).toEqual([
      expect.stringMatching(/Unknown option\. Did you mean "state\.backend\.type"\?/),
    ]);
  });

  test("heartbeat.timeout is when a silent TaskManager is given up, unless the model says otherwise", () => {
    const config = { "heartbeat.timeout": "20 s" };
    expect(parsed(small({ config })).timing.heartbeatDetect).toBe(20_000);
    expect(parsed(small({ config, timing: { "heartbeat.detect": "1 s" } })).timing.heartbeatDetect).toBe(1000);
  });

  test("parallelism.default and operator chaining reach the job", () => {
    const source = small({ config: { "parallelism.default": 3, "pipeline.operator-chaining.enabled": false } });
    expect(parsed(source).job.vertices.map(({ parallelism, chain }) => [parallelism, chain])).toEqual([
      [2, false],
      [2, false],
      [3, false],
    ]);
  });

  test("a value of another kind is refused with what Flink accepts", () => {
    expect(refusals({ ...on, [ck("max-concurrent-checkpoints")]: "many" })).toEqual([
      expect.stringMatching(/Must be a whole number/),
    ]);
    expect(refusals({ [ck("unaligned.enabled")]: "maybe" })).toEqual([expect.stringMatching(/either true or false/)]);
    expect(refusals({ "jobmanager.execution.failover-strategy": "regional" })).toEqual([
      expect.stringMatching(/expected one of region, full/),
    ]);
    expect(problemsOf(small({ config: { execution: { checkpointing: 1 } } }))).toEqual([
      expect.stringMatching(/Flink's keys are written flat/),
    ]);
  });
});
