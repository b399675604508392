/**
 * A scenario's `config`: Flink's keys and values with the defaults of its version, and the reasons for which Flink refuses
 * values (`CheckpointConfig`, `CheckpointCoordinatorConfiguration`; CP-001, CP-023, CP-130, FR-040, FR-061).
 */
import { formatDuration } from "./durations.ts";
import { OptionValues } from "./option-table.ts";
import type { Scalar } from "./option-values.ts";
import { options, spellingOf } from "./options.ts";
import type { Problems } from "./problems.ts";
import { stateStorageOf } from "./state-storage.ts";
import { restartStrategyOf, strategyOptions } from "./restart-strategy.ts";
import type { Checkpointing, Config, FlinkVersion, Notice, RestartStrategy, Retention } from "./scenario.ts";
import { limits } from "./limits.ts";

/** What the configuration says of the job graph. */
export interface JobDefaults {
  readonly parallelism: number;
  readonly maxParallelism: number | null;
  readonly chaining: boolean;
}

export interface Configured {
  readonly config: Config;
  readonly job: JobDefaults;
  /** `taskmanager.numberOfTaskSlots`; `null`: not set. */
  readonly slots: number | null;
  readonly heartbeat: Heartbeat;
}

/** After how many milliseconds a peer is given up: one that says nothing, and one that cannot be reached. */
export interface Heartbeat {
  readonly timeout: number;
  readonly unreachable: number;
}

const ck = (name: string): string => `execution.checkpointing.${name}`;

/** `batch`: the job has a `BLOCKING` exchange, and is executed as in BATCH mode, without checkpoints. */
export function configOf(
  source: { readonly [key: string]: Scalar },
  version: FlinkVersion,
  problems: Problems,
  notices: Notice[],
  batch = false,
): Configured {
  const values = new OptionValues(source, version, problems, notices);
  const checkpointing = checkpointingOf(values, batch);
  checkBacklog(values);
  const restartStrategy = restartStrategyOf(values, checkpointing.interval !== null);
  withoutUse(values, restartStrategy, checkpointing.interval !== null);
  values.atLeast("parallelism.default", 1, `Must be a whole number from 1 to ${limits.parallelism}.`);
  values.atMost("parallelism.default", limits.parallelism);
  values.atLeast("sink.committer.retries", 0, "Must be a whole number from 0 on.");
  values.atLeast("pipeline.max-parallelism", 1, "Must be a whole number from 1 to 32768 (CP-178).");
  values.atMost("pipeline.max-parallelism", 32_768);
  values.atLeast("taskmanager.numberOfTaskSlots", 1, "Must be at least 1.");
  values.atMost("taskmanager.numberOfTaskSlots", 10_000);
  const maxParallelism = values.given("pipeline.max-parallelism");
  const slots = values.given("taskmanager.numberOfTaskSlots");
  return {
    config: {
      checkpointing,
      state: stateStorageOf(values),
      restartStrategy,
      failoverStrategy: values.value("jobmanager.execution.failover-strategy") === "full" ? "full" : "region",
      slotRequestTimeout: values.number("slot.request.timeout"),
      committerRetries: values.number("sink.committer.retries"),
      cancellationTimeout: values.number("task.cancellation.timeout"),
      localRecovery: values.value("execution.state-recovery.from-local") === true,
      effective: effectiveOf(values, restartStrategy),
    },
    job: {
      parallelism: values.number("parallelism.default"),
      maxParallelism: typeof maxParallelism === "number" ? maxParallelism : null,
      chaining: values.value("pipeline.operator-chaining.enabled") !== false,
    },
    slots: typeof slots === "number" ? slots : null,
    heartbeat: heartbeatOf(values),
  };
}

/**
 * FR-023. Without a key of its own a dead process is noticed like a silent one, as the contract's `heartbeat.detect` says;
 * with one, by so many heartbeats in a row that cannot be sent (`HeartbeatMonitorImpl`; below 1 that way is off).
 */
function heartbeatOf(values: OptionValues): Heartbeat {
  const [interval, threshold] = ["heartbeat.interval", "heartbeat.rpc-failure-threshold"] as const;
  values.atLeast(interval, 1, "Flink: The heartbeat interval must be larger than 0.");
  if (values.number("heartbeat.timeout") < values.number(interval))
    values.refuse(
      "heartbeat.timeout",
      "Flink: The heartbeat timeout should be larger or equal than the heartbeat interval.",
    );
  const timeout = values.number("heartbeat.timeout");
  const isSet = values.given(interval) !== undefined || values.given(threshold) !== undefined;
  const failures = values.number(threshold);
  const unreachable = isSet && failures > 0 ? Math.min(timeout, values.number(interval) * failures) : timeout;
  return { timeout, unreachable };
}

function checkpointingOf(values: OptionValues, batch: boolean): Checkpointing {
  values.atLeast(ck("interval"), 10, "Flink: Checkpoint interval must be larger than or equal to 10 ms (CP-023).");
  values.atLeast(ck("timeout"), 10, "Flink: Checkpoint timeout must be larger than or equal to 10 ms (CP-023).");
  values.atLeast(
    ck("max-concurrent-checkpoints"),
    1,
    "Flink: The maximum number of concurrent attempts must be at least one (CP-023).",
  );
  values.atLeast(
    ck("tolerable-failed-checkpoints"),
    0,
    "Flink: The tolerable failure checkpoint number must be non-negative (CP-023).",
  );
  values.atMost(ck("max-concurrent-checkpoints"), 100);
  values.atMost(ck("num-retained"), 1000);
  const [minPause, maxConcurrent, retained] = [
    values.number(ck("min-pause")),
    values.number(ck("max-concurrent-checkpoints")),
    values.number(ck("num-retained")),
  ];
  if (minPause > 0 && maxConcurrent > 1) {
    values.notice(
      "PAUSE_WITH_CONCURRENT",
      ck("min-pause"),
      "Flink's documentation excludes a minimum pause with several concurrent checkpoints; Flink accepts both, and so does this run (CP-023).",
    );
  }
  if (retained < 1)
    values.notice("VALUE_REPLACED", ck("num-retained"), "Flink keeps 1 where fewer are asked for (CP-130).");
  const interval = batch ? undefined : values.given(ck("interval"));
  if (batch && values.given(ck("interval")) !== undefined)
    values.notice(
      "CHECKPOINTING_DISABLED",
      ck("interval"),
      "Flink: Disabled Checkpointing. Checkpointing is not supported and not needed when executing jobs in BATCH mode. A job with a BLOCKING exchange is executed so.",
    );
  const mode = values.value(ck("mode")) === "AT_LEAST_ONCE" ? "AT_LEAST_ONCE" : "EXACTLY_ONCE";
  return {
    interval: typeof interval === "number" ? interval : null,
    mode,
    ...unalignedOf(values, mode === "EXACTLY_ONCE", maxConcurrent),
    timeout: values.number(ck("timeout")),
    minPause,
    maxConcurrent,
    tolerableFailed: values.number(ck("tolerable-failed-checkpoints")),
    retained: Math.max(1, retained),
    retention: String(values.value(ck("externalized-checkpoint-retention"))).toUpperCase() as Retention,
    afterTasksFinish: values.value(ck("checkpoints-after-tasks-finish")) !== false,
  };
}

/** CP-007: no source reports a backlog here, but what Flink refuses is refused. */
function checkBacklog(values: OptionValues): void {
  const [interval, backlog] = [values.given(ck("interval")), values.given(ck("interval-during-backlog"))];
  if (typeof interval === "number" && typeof backlog === "number" && backlog > 0 && backlog < interval)
    values.refuse(
      ck("interval-during-backlog"),
      `Must be 0 (no checkpoints during a backlog) or at least the interval, ${interval} ms (CP-007).`,
    );
}

/** CP-070, CP-081: unaligned checkpoints need exactly-once, and one at a time. */
function unalignedOf(
  values: OptionValues,
  exactlyOnce: boolean,
  maxConcurrent: number,
): Pick<Checkpointing, "unaligned" | "alignedTimeout" | "withoutChannelState"> {
  const key = ck("unaligned.enabled");
  const unaligned = values.value(key) === true && exactlyOnce;
  if (values.value(key) === true && !exactlyOnce)
    values.notice(
      "VALUE_REPLACED",
      key,
      "Flink: Unaligned checkpoints can only be used with checkpointing mode EXACTLY_ONCE. It switches them off (CP-081).",
    );
  if (unaligned && maxConcurrent > 1)
    values.refuse(
      ck("max-concurrent-checkpoints"),
      "Flink: maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled (CP-023, CP-081).",
    );
  const timeout = ck("aligned-checkpoint-timeout");
  if (!unaligned && values.given(timeout) !== undefined)
    values.notice("KEY_WITHOUT_EFFECT", timeout, "Without unaligned checkpoints no alignment times out (CP-070).");
  return {
    unaligned,
    alignedTimeout: values.number(timeout),
    withoutChannelState: values.number("execution.state-recovery.without-channel-state.checkpoint-id"),
  };
}

/** Options that are set and, as the others are, mean nothing. */
function withoutUse(values: OptionValues, strategy: RestartStrategy, checkpointing: boolean): void {
  const own = Object.keys(strategyOptions(strategy));
  for (const { key } of options) {
    if (values.given(key) === undefined) continue;
    const otherStrategy = /^restart-strategy\.(fixed|failure|exponential)-/.test(key) && !own.includes(key);
    const implicit =
      values.given("restart-strategy.type") === undefined && values.version === "1.18" && own.includes(key);
    if (otherStrategy || implicit)
      values.notice(
        "KEY_WITHOUT_EFFECT",
        key,
        `The restart strategy is ${strategy.type}${implicit ? " by default, with values of its own" : ""}, so Flink does not look at this.`,
      );
    if (!checkpointing && key.startsWith("execution.checkpointing.") && key !== ck("interval"))
      values.notice("KEY_WITHOUT_EFFECT", key, "Without execution.checkpointing.interval checkpointing is off.");
  }
}

/** Every option that is in force, as this version calls it. */
function effectiveOf(values: OptionValues, strategy: RestartStrategy): Config["effective"] {
  const own = strategyOptions(strategy);
  return options.flatMap((entry) => {
    const { key, kind } = entry;
    const chosen = own[key];
    const set = values.given(key) !== undefined;
    let value = values.text(key);
    if (key === "restart-strategy.type") value ??= strategy.type;
    else if (key.startsWith("restart-strategy.")) {
      if (chosen === undefined) return [];
      if (!set) value = kind === "duration" ? formatDuration(chosen) : String(chosen);
    }
    return value === null
      ? []
      : [{ key: spellingOf(entry, values.version), value, origin: set ? ("scenario" as const) : ("default" as const) }];
  });
}
